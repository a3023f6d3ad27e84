// Creates passkeys and logs in with them (WebAuthn). The forms work only with this script, so it enables them.

import { _ } from "./words.ts";

type Options = { [key: string]: unknown };

export function listenForPasskeys(): void {
    if (!("PublicKeyCredential" in window)) return;
    for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey], button[data-passkey]")) {
        const button = form instanceof HTMLButtonElement ? form : form.querySelector("button")!;
        button.disabled = false;
        button.addEventListener("click", (event) => {
            event.preventDefault();
            void use(button, form.dataset["passkey"]!);
        });
    }
}

async function use(button: HTMLButtonElement, what: string): Promise<void> {
    const form = button.closest("form")!;
    const place = form.querySelector<HTMLElement>(".mistake[role=alert]")!;
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    place.hidden = true;
    button.disabled = true;
    try {
        if (what === "login") await logIn();
        else await add(fields["login"] ?? "", fields["label"] || "passkey");
        location.assign("/you");
    } catch (error) {
        place.textContent = error instanceof Refusal ? error.message : _("No passkey was used. Try again.");
        place.hidden = false;
        button.disabled = false;
    }
}

async function add(login: string, label: string): Promise<void> {
    const options = await post("/api/passkeys/options", { login });
    const user = options["user"] as { id: string };
    const made = (await navigator.credentials.create({
        publicKey: {
            ...options,
            challenge: bytes(options["challenge"]),
            user: { ...user, id: bytes(user.id) },
            excludeCredentials: (options["excludeCredentials"] as { id: string }[]).map((one) => ({ ...one, id: bytes(one.id) })),
        } as unknown as PublicKeyCredentialCreationOptions,
    })) as PublicKeyCredential;
    const response = made.response as AuthenticatorAttestationResponse;
    await post("/api/passkeys", {
        login,
        label,
        credential: answer(made, { attestationObject: text(response.attestationObject) }),
    });
}

async function logIn(): Promise<void> {
    const options = await post("/api/login/passkey/options");
    const used = (await navigator.credentials.get({
        publicKey: {
            ...options,
            challenge: bytes(options["challenge"]),
            allowCredentials: [],
        } as unknown as PublicKeyCredentialRequestOptions,
    })) as PublicKeyCredential;
    const response = used.response as AuthenticatorAssertionResponse;
    const more = { authenticatorData: text(response.authenticatorData), signature: text(response.signature) };
    await post("/api/login/passkey", { credential: answer(used, more) });
}

function answer(credential: PublicKeyCredential, more: Record<string, string>): Options {
    const response = { clientDataJSON: text(credential.response.clientDataJSON), ...more };
    return { id: credential.id, rawId: credential.id, type: credential.type, response };
}

class Refusal extends Error {}

async function post(path: string, body?: Options): Promise<Options> {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(path, { method: "POST", headers, body: body ? JSON.stringify(body) : null });
    const given = (await response.json()) as Options & { error?: { message: string } };
    if (response.ok) return given;
    const message = given.error!.message.replaceAll("'", "’");
    throw new Refusal(`${message[0]!.toUpperCase()}${message.slice(1)}.`);
}

// Base64url, in which the server sends and reads bytes.
function bytes(base64url: unknown): Uint8Array {
    const plain = (base64url as string).replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(plain), (sign) => sign.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
    const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
    return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
