"""Who plays: guests, accounts, sessions and tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from liarspoker.protocol.http import (
    EndSessionsRequest,
    GuestRequest,
    LoginRequest,
    PassphraseRequest,
    RenameRequest,
    SessionResponse,
    TokenRequest,
    TokenResponse,
    UserResponse,
)
from liarspoker.server.accounts.credentials import Identity, Session, Token, User
from liarspoker.server.config import check
from liarspoker.server.problems import Problem
from liarspoker.server.routes.messages import Sent, Told
from liarspoker.server.service import Service, address_of, service_of

router = APIRouter(prefix="/api", tags=["accounts"])


async def here(request: Request) -> Service:
    """The service behind the request."""
    return service_of(request)


async def somebody(request: Request) -> User:
    """Who sends the request."""
    return await service_of(request).user(request)


async def known(request: Request) -> Identity | None:
    """Who sends the request, if he says so."""
    return await service_of(request).identity(request)


async def person(request: Request) -> User:
    """Who sends the request by a session of his own, not by a token."""
    return await service_of(request).person(request)


Here = Annotated[Service, Depends(here)]
Somebody = Annotated[User, Depends(somebody)]
Person = Annotated[User, Depends(person)]
Known = Annotated["Identity | None", Depends(known)]
TokenId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$", description="The token's id, as the list has it.")]


@router.post("/guest")
async def become_guest(
    body: Sent[GuestRequest], service: Here, request: Request, response: Response
) -> Told[UserResponse]:
    """Be somebody: a name is enough. The answer sets a cookie."""
    check(service.guests, address_of(request), "new guests")
    return begun(service, response, await service.accounts.guest(body.name))


@router.get("/me")
async def me(user: Somebody) -> Told[UserResponse]:
    """Who you are."""
    return told(user)


@router.post("/me/name")
async def rename(body: Sent[RenameRequest], user: Person, service: Here) -> Told[UserResponse]:
    """Be called otherwise, at tables that you join from now on."""
    service.check_commands(user.user_id)
    return told(await service.accounts.rename(user.user_id, body.name))


@router.post("/account")
async def register(
    body: Sent[LoginRequest], user: Person, service: Here, request: Request, response: Response
) -> Told[UserResponse]:
    """Turn a guest into an account, who stays the same and keeps all tables."""
    session = await service.logins.register(address_of(request), user.user_id, body.login, body.passphrase)
    return begun(service, response, session)


@router.post("/login")
async def log_in(body: Sent[LoginRequest], service: Here, request: Request, response: Response) -> Told[UserResponse]:
    """Log in to an account. The answer sets a cookie; the session that you have had ends."""
    secret = request.cookies.get(service.cookie)
    session = await service.logins.log_in(address_of(request), body.login, body.passphrase, ending=secret)
    return begun(service, response, session)


@router.post("/passphrase")
async def change_passphrase(
    body: Sent[PassphraseRequest], user: Person, service: Here, request: Request, response: Response
) -> Told[UserResponse]:
    """Change your passphrase. All your sessions end; the answer sets the cookie of a new one."""
    session = await service.logins.renew(address_of(request), user, body.passphrase, body.new_passphrase)
    return begun(service, response, session)


@router.get("/sessions")
async def sessions(user: Person, known: Known, service: Here) -> list[Told[SessionResponse]]:
    """Your sessions, the newest first."""
    current = None if known is None else known.credential
    return [
        SessionResponse(created_at=one.created_at, expires_at=one.expires_at, current=one.credential == current)
        for one in await service.accounts.sessions(user.user_id)
    ]


@router.post("/sessions/end")
async def end_sessions(
    body: Sent[EndSessionsRequest], user: Person, service: Here, request: Request, response: Response
) -> Told[UserResponse]:
    """End all your sessions; the answer sets the cookie of a new one. Tokens stay."""
    return begun(service, response, await service.logins.renew(address_of(request), user, body.passphrase))


@router.post("/logout", status_code=204)
async def log_out(service: Here, request: Request, response: Response) -> None:
    """Log out here; open sockets of this session are closed."""
    await ended(service, request, response)


@router.get("/tokens")
async def tokens(user: Person, service: Here) -> list[Told[TokenResponse]]:
    """Your tokens."""
    return [_token(token) for token in await service.accounts.tokens(user.user_id)]


@router.post("/tokens", status_code=201)
async def make_token(body: Sent[TokenRequest], user: Person, service: Here) -> Told[TokenResponse]:
    """A token for a program that plays in your name. Its secret is told now and never again."""
    service.check_commands(user.user_id)
    token, secret = await service.accounts.create_token(user.user_id, body.label)
    return _token(token, secret)


@router.delete("/tokens/{token}", status_code=204)
async def revoke_token(token: TokenId, user: Person, service: Here) -> None:
    """Revoke a token; sockets that were opened with it are closed."""
    if not await service.accounts.revoke_token(user.user_id, token):
        raise Problem("no-such-token", "you have no such token")


def told(user: User) -> UserResponse:
    """A user as programs see him."""
    return UserResponse(user=user.user_id, name=user.name, login=user.login, guest=user.is_guest)


def begun(service: Service, response: Response, session: Session) -> UserResponse:
    """The user of a new session, whose cookie `response` sets."""
    age = max(0, int(session.expires_at - service.clock.now()))
    response.set_cookie(
        service.cookie, session.secret, age, path="/", secure=service.config.tls, httponly=True, samesite="lax"
    )
    return told(session.user)


async def ended(service: Service, request: Request, response: Response) -> None:
    """End the session that `request` belongs to, if any; `response` takes its cookie back."""
    secret = request.cookies.get(service.cookie)
    if secret:
        await service.accounts.log_out(secret)
    response.delete_cookie(service.cookie, path="/", secure=service.config.tls, httponly=True, samesite="lax")
    response.headers["Clear-Site-Data"] = '"storage"'


def _token(token: Token, secret: str | None = None) -> TokenResponse:
    return TokenResponse(token=token.token_id, label=token.label, created_at=token.created_at, secret=secret)
