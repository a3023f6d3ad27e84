"""Guests, accounts, sessions and tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from msgspec import structs

from liarspoker.language import _
from liarspoker.protocol.http import (
    AccountResponse,
    EndSessionsRequest,
    GuestRequest,
    LoginRequest,
    PassphraseRequest,
    RecoveryRequest,
    RecoveryResponse,
    RenameRequest,
    SessionResponse,
    TokenRequest,
    TokenResponse,
    UserResponse,
)
from liarspoker.server.accounts.credentials import Identity, Session, Token, User
from liarspoker.server.config import check
from liarspoker.server.problems import Problem
from liarspoker.server.routes.messages import RequestBody, ResponseBody
from liarspoker.server.service import Service, address_of, service_of

router = APIRouter(prefix="/api", tags=["accounts"])


async def get_service(request: Request) -> Service:
    """Return the service for the request."""
    return service_of(request)


async def current_user(request: Request) -> User:
    """Return the user who sent the request."""
    return await service_of(request).user(request)


async def current_identity(request: Request) -> Identity | None:
    """Return the identity behind the request, or `None`."""
    return await service_of(request).identity(request)


async def session_user(request: Request) -> User:
    """Return the user who sent the request in a login session; tokens aren't accepted."""
    return await service_of(request).session_user(request)


ServiceDep = Annotated[Service, Depends(get_service)]
UserDep = Annotated[User, Depends(current_user)]
SessionUserDep = Annotated[User, Depends(session_user)]
IdentityDep = Annotated["Identity | None", Depends(current_identity)]
TokenId = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$", description="Id of the token, from the list of tokens.")
]


@router.post("/guest")
async def become_guest(
    body: RequestBody[GuestRequest], service: ServiceDep, request: Request, response: Response
) -> ResponseBody[UserResponse]:
    """Start a guest session with a name. The response sets a cookie."""
    check(service.guests, address_of(request), "new guests")
    return session_response(service, response, await service.accounts.create_guest(body.name))


@router.get("/me")
async def me(user: UserDep) -> ResponseBody[UserResponse]:
    """Get the current user."""
    return user_response(user)


@router.post("/me/name")
async def rename(
    body: RequestBody[RenameRequest], user: SessionUserDep, service: ServiceDep
) -> ResponseBody[UserResponse]:
    """Change your name, for tables that you join from now on."""
    service.check_commands(user.user_id)
    return user_response(await service.accounts.rename(user.user_id, body.name))


@router.post("/account")
async def register(
    body: RequestBody[LoginRequest], user: SessionUserDep, service: ServiceDep, request: Request, response: Response
) -> ResponseBody[AccountResponse]:
    """Turn a guest into an account. The user id and all tables stay the same."""
    session = await service.logins.register(address_of(request), user.user_id, body.login, body.passphrase)
    return _with_code(service, response, session)


@router.post("/recover")
async def recover(
    body: RequestBody[RecoveryRequest], service: ServiceDep, request: Request, response: Response
) -> ResponseBody[AccountResponse]:
    """Set a new passphrase with the recovery code. All your sessions end; the response sets the cookie of a new one."""
    session = await service.logins.recover(address_of(request), body.login, body.code, body.passphrase)
    return _with_code(service, response, session)


@router.post("/recovery-code")
async def new_recovery_code(
    user: SessionUserDep, service: ServiceDep, request: Request
) -> ResponseBody[RecoveryResponse]:
    """Create a recovery code, which replaces the last one. You must have logged in within 15 minutes."""
    await service.confirmed_user(request)
    service.check_commands(user.user_id)
    return RecoveryResponse(recovery_code=await service.accounts.new_recovery_code(user.user_id))


@router.post("/login")
async def log_in(
    body: RequestBody[LoginRequest], service: ServiceDep, request: Request, response: Response
) -> ResponseBody[UserResponse]:
    """Log in to an account. The response sets a cookie and ends your previous session."""
    secret = request.cookies.get(service.cookie)
    session = await service.logins.log_in(address_of(request), body.login, body.passphrase, ending=secret)
    return session_response(service, response, session)


@router.post("/passphrase")
async def change_passphrase(
    body: RequestBody[PassphraseRequest],
    user: SessionUserDep,
    service: ServiceDep,
    request: Request,
    response: Response,
) -> ResponseBody[UserResponse]:
    """Change your passphrase. All your sessions end; the response sets the cookie of a new one."""
    is_fresh = await service.is_fresh(request)
    session = await service.logins.renew(address_of(request), user, body.passphrase, body.new_passphrase, is_fresh)
    return session_response(service, response, session)


@router.get("/sessions")
async def sessions(
    user: SessionUserDep, known: IdentityDep, service: ServiceDep
) -> list[ResponseBody[SessionResponse]]:
    """List your sessions, newest first."""
    current = None if known is None else known.credential
    return [
        SessionResponse(created_at=one.created_at, expires_at=one.expires_at, current=one.credential == current)
        for one in await service.accounts.sessions(user.user_id)
    ]


@router.post("/sessions/end")
async def end_sessions(
    body: RequestBody[EndSessionsRequest],
    user: SessionUserDep,
    service: ServiceDep,
    request: Request,
    response: Response,
) -> ResponseBody[UserResponse]:
    """End all your sessions. The response sets the cookie of a new one. Tokens stay valid."""
    is_fresh = await service.is_fresh(request)
    session = await service.logins.renew(address_of(request), user, body.passphrase, is_fresh=is_fresh)
    return session_response(service, response, session)


@router.post("/logout", status_code=204)
async def log_out(service: ServiceDep, request: Request, response: Response) -> None:
    """End this session and close its sockets."""
    await session_ended(service, request, response)


@router.get("/tokens")
async def tokens(user: SessionUserDep, service: ServiceDep) -> list[ResponseBody[TokenResponse]]:
    """List your tokens."""
    return [_token(token) for token in await service.accounts.tokens(user.user_id)]


@router.post("/tokens", status_code=201)
async def make_token(
    body: RequestBody[TokenRequest], user: SessionUserDep, service: ServiceDep
) -> ResponseBody[TokenResponse]:
    """Create a token for a program that plays on your behalf. The secret is returned only once."""
    service.check_commands(user.user_id)
    token, secret = await service.accounts.create_token(user.user_id, body.label)
    return _token(token, secret)


@router.delete("/tokens/{token}", status_code=204)
async def revoke_token(token: TokenId, user: SessionUserDep, service: ServiceDep) -> None:
    """Revoke a token and close its sockets."""
    if not await service.accounts.revoke_token(user.user_id, token):
        raise Problem("no-such-token", _("you have no token with this id"))


def user_response(user: User) -> UserResponse:
    """Return a user as a response."""
    return UserResponse(user=user.user_id, name=user.name, login=user.login, guest=user.is_guest)


def _with_code(service: Service, response: Response, session: Session) -> AccountResponse:
    """Return the user of a new session with their recovery code, and set the cookie in `response`."""
    user = session_response(service, response, session)
    return AccountResponse(**structs.asdict(user), recovery_code=session.recovery_code or "")


def session_response(service: Service, response: Response, session: Session) -> UserResponse:
    """Return the user of a new session, and set its cookie in `response`."""
    age = max(0, int(session.expires_at - service.clock.now()))
    response.set_cookie(
        service.cookie, session.secret, age, path="/", secure=service.config.tls, httponly=True, samesite="lax"
    )
    return user_response(session.user)


async def session_ended(service: Service, request: Request, response: Response) -> None:
    """End the session that `request` belongs to, if any, and delete its cookie in `response`."""
    secret = request.cookies.get(service.cookie)
    if secret:
        await service.accounts.log_out(secret)
    response.delete_cookie(service.cookie, path="/", secure=service.config.tls, httponly=True, samesite="lax")
    response.headers["Clear-Site-Data"] = '"storage"'


def _token(token: Token, secret: str | None = None) -> TokenResponse:
    return TokenResponse(token=token.token_id, label=token.label, created_at=token.created_at, secret=secret)
