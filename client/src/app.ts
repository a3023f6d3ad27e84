// What every page loads. A page works without it; with it, a table is live.

import { stayAwake } from "./awake.ts";
import { listenForChat, listenForSheets } from "./chat.ts";
import "./elements/bid-pad.ts";
import "./elements/copy-link.ts";
import "./elements/turn-clock.ts";
import { takePart } from "./fair.ts";
import { listenForKeys } from "./keys.ts";
import { goLive } from "./live.ts";
import { keepFresh } from "./lobby.ts";
import { listenForLooks } from "./looks.ts";
import { premove } from "./premove.ts";
import { stepInPlace } from "./replay.ts";
import { listenForSkips } from "./reveal.ts";
import { listen } from "./sound.ts";
import { followTurn } from "./strip.ts";

const root = document.querySelector<HTMLElement>("[data-live]");
if (root) {
    premove(root);
    listen(root);
    stayAwake();
    followTurn(root);
    takePart(root);
    goLive(root);
    listenForChat(root);
    listenForSheets();
    listenForSkips();
}
const fresh = document.querySelector<HTMLElement>("[data-fresh]");
if (fresh) keepFresh(fresh);
stepInPlace();
listenForKeys();
listenForLooks();
