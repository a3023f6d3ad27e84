// The script of every page. Pages work without it; with it, tables update live.

import { stayAwake } from "./awake.ts";
import { listenForChat, listenForEmoji, listenForSheets } from "./chat.ts";
import "./elements/bid-pad.ts";
import "./elements/copy-link.ts";
import "./elements/turn-clock.ts";
import { takePart } from "./fair.ts";
import { listenForFlights } from "./flights.ts";
import { listenForKeys } from "./keys.ts";
import { goLive } from "./live.ts";
import { keepFresh } from "./lobby.ts";
import { listenForLooks } from "./looks.ts";
import { workOffline } from "./offline.ts";
import { listenForPasskeys } from "./passkeys.ts";
import { premove } from "./premove.ts";
import { keepSubscribed, listenForDevices } from "./push.ts";
import { stepInPlace } from "./replay.ts";
import { listenForSkips } from "./reveal.ts";
import { followTurn } from "./strip.ts";
import { listenForSounds } from "./sound.ts";
import { showTips } from "./tips.ts";
import { alertTurns } from "./turn.ts";

const root = document.querySelector<HTMLElement>("[data-live]");
if (root) {
    premove(root);
    alertTurns(root);
    listenForSounds(root);
    listenForFlights(root);
    stayAwake();
    followTurn(root);
    takePart(root);
    goLive(root);
    listenForChat(root);
    listenForEmoji(root);
    listenForSheets();
    listenForSkips();
}
const fresh = document.querySelector<HTMLElement>("[data-fresh]");
if (fresh) keepFresh(fresh);
stepInPlace();
listenForKeys();
listenForLooks();
workOffline();
keepSubscribed();
void listenForDevices();
listenForPasskeys();
showTips();
