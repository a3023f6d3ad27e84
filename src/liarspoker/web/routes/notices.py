"""Routes of notices: what a user is notified of, and the browsers that get push notices."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from msgspec import Struct
from starlette.responses import RedirectResponse, Response

from liarspoker.language import _
from liarspoker.server.notices.notices import KINDS
from liarspoker.server.problems import Problem
from liarspoker.server.routes.accounts import IdentityDep, ServiceDep
from liarspoker.server.routes.messages import RequestBody
from liarspoker.web.notice_settings import device_of

router = APIRouter()

DeviceId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


class Keys(Struct, frozen=True):
    """The keys of a push subscription, as URL-safe base64."""

    p256dh: str
    auth: str


class PushRequest(Struct, frozen=True):
    """A push subscription, as browsers encode it."""

    endpoint: str
    keys: Keys


@router.post("/push/subscribe", status_code=204)
async def subscribe(
    body: RequestBody[PushRequest], identity: IdentityDep, service: ServiceDep, request: Request
) -> Response:
    """Send push notices to this browser, as long as its session lasts."""
    user = await service.session_user(request)
    assert identity is not None
    service.check_commands(user.user_id)
    if service.push is None:
        raise Problem("no-such-device", _("this server sends no push notifications"))
    device = device_of(request.headers.get("user-agent", ""))
    keys = body.keys.p256dh, body.keys.auth
    await service.push.subscribe(user.user_id, identity.credential, body.endpoint, *keys, device)
    return Response(status_code=204)


@router.post("/settings/devices/{device}/remove")
async def remove(device: DeviceId, service: ServiceDep, request: Request) -> Response:
    """Send no more push notices to a browser."""
    user = await service.session_user(request)
    if service.push is None or not await service.push.unsubscribe(user.user_id, device):
        raise Problem("no-such-device", _("this browser gets no notifications; they may already be turned off"))
    return RedirectResponse("/settings#notices", 303)


@router.post("/settings/notices")
async def choose(service: ServiceDep, request: Request) -> Response:
    """Save what the user is notified of; fields that are missing stay as they are."""
    user = await service.session_user(request)
    service.check_commands(user.user_id)
    given = await request.form(max_fields=20)
    for channel in service.notices.channels:
        for kind in KINDS:
            value = given.get(f"{channel.name}-{kind}")
            if value in ("on", "off"):
                await service.notices.mute(user.user_id, channel.name, kind, value == "off")
    return RedirectResponse("/settings?saved=1#notices", 303)
