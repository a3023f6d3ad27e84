// Installs the service worker, and remembers recent tables for the page that it shows without a connection.

interface Recent { session: string; tables: Visit[] }
interface Visit { path: string; title: string; game: string; at: number }

const PLACE = "recent-tables";
const MOST = 12;

export function workOffline(): void {
    if (!("serviceWorker" in navigator)) return; // it needs HTTPS, or this machine
    addEventListener("load", () => { navigator.serviceWorker.register("/sw.js").catch(() => {}); }); // a browser may forbid it
    const list = document.querySelector<HTMLElement>("[data-recent]");
    if (list) showRecent(list);
    const table = document.querySelector<HTMLElement>("[data-live]");
    if (table) remember(table);
}

function remember(table: HTMLElement): void {
    const session = document.documentElement.dataset["session"];
    if (session === undefined) return;
    const { title, game } = table.dataset;
    const visit = { path: location.pathname, title: title!, game: game!, at: Date.now() };
    const others = recent(session).filter((one) => one.path !== visit.path);
    localStorage.setItem(PLACE, JSON.stringify({ session, tables: [visit, ...others].slice(0, MOST) }));
}

// The tables of this session only, so that nobody sees those of an earlier user of this browser.
function recent(session?: string): Visit[] {
    const known = JSON.parse(localStorage.getItem(PLACE) ?? "null") as Recent | null;
    return known && (session === undefined || known.session === session) ? known.tables : [];
}

function showRecent(list: HTMLElement): void {
    const tables = recent();
    list.closest("section")!.hidden = tables.length === 0;
    const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });
    list.replaceChildren(...tables.map(({ path, title, game, at }) => {
        const row = document.createElement("li");
        const link = Object.assign(document.createElement("a"), { href: path });
        link.append(Object.assign(document.createElement("b"), { textContent: title }));
        const kind = Object.assign(document.createElement("span"), { className: "badge", textContent: game });
        const when = Object.assign(document.createElement("time"), { className: "small muted", textContent: day.format(at) });
        row.append(link, kind, when);
        return row;
    }));
    addEventListener("online", () => location.reload());
}
