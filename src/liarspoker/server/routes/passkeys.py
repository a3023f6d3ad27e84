"""Passkeys, and logging in with them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from starlette.requests import HTTPConnection

from liarspoker.protocol.http import (
    PasskeyCreationOptionsResponse,
    PasskeyLoginOptionsResponse,
    PasskeyLoginRequest,
    PasskeyOptionsRequest,
    PasskeyRequest,
    PasskeyResponse,
    UserResponse,
)
from liarspoker.server.accounts.credentials import BadLogin
from liarspoker.server.accounts.passkeys import BadPasskey, RelyingParty
from liarspoker.server.routes.accounts import ServiceDep, SessionUserDep, session_response, user_response
from liarspoker.server.routes.messages import RequestBody, ResponseBody
from liarspoker.server.service import address_of, service_of

router = APIRouter(prefix="/api", tags=["accounts"])

PasskeyId = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,2000}$", description="Id of the passkey, from the list of passkeys.")
]


def relying_party(connection: HTTPConnection) -> RelyingParty:
    """Return the address that passkeys belong to; the guard has checked that forms come from it.

    Raises:
        NoPasskeys: browsers don't allow passkeys there.
    """
    return RelyingParty.of(connection.headers.get("host", ""), service_of(connection).config.tls)


@router.post("/passkeys/options", response_model=ResponseBody[PasskeyCreationOptionsResponse])
async def creation_options(
    body: RequestBody[PasskeyOptionsRequest], user: SessionUserDep, service: ServiceDep, request: Request
) -> Response:
    """Get the options with which your browser creates a passkey (WebAuthn)."""
    party = relying_party(request)
    if not user.is_guest:
        await service.confirmed_user(request)
    service.check_commands(user.user_id)
    return Response(await service.passkeys.creation_options(party, user, body.login), media_type="application/json")


@router.post("/passkeys")
async def add(
    body: RequestBody[PasskeyRequest], user: SessionUserDep, service: ServiceDep, request: Request, response: Response
) -> ResponseBody[UserResponse]:
    """Add a passkey to your account, or turn a guest into an account with a passkey."""
    party = relying_party(request)
    if not user.is_guest:
        await service.confirmed_user(request)
    service.check_commands(user.user_id)
    session = await service.passkeys.add(party, user, body.credential, body.label, body.login)
    return session_response(service, response, session) if session is not None else user_response(user)


@router.get("/passkeys")
async def passkeys(user: SessionUserDep, service: ServiceDep) -> list[ResponseBody[PasskeyResponse]]:
    """List your passkeys."""
    return [
        PasskeyResponse(
            passkey=one.passkey_id, label=one.label, host=one.host, created_at=one.created_at, used_at=one.used_at
        )
        for one in await service.passkeys.of(user.user_id)
    ]


@router.delete("/passkeys/{passkey}", status_code=204)
async def remove(passkey: PasskeyId, user: SessionUserDep, service: ServiceDep, request: Request) -> None:
    """Remove a passkey; not the last way to log in."""
    await service.confirmed_user(request)
    await service.passkeys.remove(user.user_id, passkey)


@router.post("/login/passkey/options", response_model=ResponseBody[PasskeyLoginOptionsResponse])
async def login_options(service: ServiceDep, request: Request) -> Response:
    """Get the options with which a browser logs in with a passkey (WebAuthn)."""
    party = relying_party(request)
    service.logins.check_address(address_of(request))
    return Response(await service.passkeys.login_options(party), media_type="application/json")


@router.post("/login/passkey")
async def log_in(
    body: RequestBody[PasskeyLoginRequest], service: ServiceDep, request: Request, response: Response
) -> ResponseBody[UserResponse]:
    """Log in with a passkey. The response sets a cookie and ends your previous session."""
    party, secret = relying_party(request), request.cookies.get(service.cookie)
    service.logins.check_address(address_of(request))
    try:
        session = await service.passkeys.log_in(party, body.credential, ending=secret)
    except (BadPasskey, BadLogin):
        service.logins.count_failure()
        raise
    return session_response(service, response, session)
