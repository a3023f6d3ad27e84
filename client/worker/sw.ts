// The service worker: keeps the rules and the page for a lost connection, and shows push notifications. It stores only
// pages that it requests itself without cookies, so no hand, and nothing that belongs to a user, is ever in its cache.

declare const KEPT: { cache: string; paths: string[]; offline: string; language: string }; // put before this script by the server

const worker = self as unknown as ServiceWorkerGlobalScope;

interface Notice { title: string; body: string; path: string; tag: string }

const pages = new Set(KEPT.paths);

worker.addEventListener("install", (event) => {
    event.waitUntil(keep().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
    event.waitUntil(forgetOthers().then(() => worker.registration.navigationPreload?.enable()));
});

worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    if (request.mode === "navigate") event.respondWith(opened(event, url.pathname));
    else if (pages.has(url.pathname + url.search)) event.respondWith(stored(url.pathname + url.search, request));
});

worker.addEventListener("push", (event) => {
    const notice = event.data?.json() as Notice | undefined;
    if (!notice) return;
    const { title, body, path, tag } = notice;
    event.waitUntil(worker.registration.showNotification(title, { body, tag, data: path, icon: "/static/icon-192.png" }));
});

worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(show(String(event.notification.data)));
});

async function keep(): Promise<void> {
    const cache = await caches.open(KEPT.cache);
    await Promise.all(KEPT.paths.map(async (path) => {
        const headers = { "Accept-Language": KEPT.language };
        const response = await fetch(path, { credentials: "omit", cache: "no-cache", headers });
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
        // During an upgrade, a server of another version may answer, with its own file. The browser tries again later.
        const isOther = path.includes("?v=") && !response.headers.get("Cache-Control")?.includes("immutable");
        if (isOther) throw new Error(`${path}: another version`);
        await cache.put(path, response);
    }));
}

async function forgetOthers(): Promise<void> {
    await Promise.all((await caches.keys()).filter((name) => name !== KEPT.cache).map((name) => caches.delete(name)));
}

// A page from the server; without a connection, the stored rules or the page that says so.
async function opened(event: FetchEvent, path: string): Promise<Response> {
    try {
        return ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
    } catch (error) {
        const cache = await caches.open(KEPT.cache);
        const found = (pages.has(path) && (await cache.match(path))) || (await cache.match(KEPT.offline));
        if (!found) throw error;
        return found;
    }
}

async function stored(path: string, request: Request): Promise<Response> {
    return (await (await caches.open(KEPT.cache)).match(path)) ?? fetch(request);
}

// Shows the page of a table in the window that has it open, or else in a new one.
async function show(path: string): Promise<void> {
    const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const known = open.find((client) => new URL(client.url).pathname === path);
    await (known ? known.focus() : worker.clients.openWindow(path));
}
