"""You: your name, your account, your programs’ tokens, what you have played, and how you like the pages."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.accounts.credentials import AccountError, BadName, User
from liarspoker.server.config import check
from liarspoker.server.problems import Problem, retry_header
from liarspoker.server.routes.accounts import Here, begun, ended
from liarspoker.server.service import Service, address_of
from liarspoker.web.guests import guest_here, let_in
from liarspoker.web.history import Histories
from liarspoker.web.pages import page, user_of
from liarspoker.web.preferences import COOKIE, HOST_COOKIE, LASTS, LOOKS, Preferences
from liarspoker.web.words import sentence

router = APIRouter()

Text = Annotated[str, Form()]
TokenId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$")]


@router.get("/you")
async def you(request: Request, service: Here) -> Response:
    """Who you are, and what you have played."""
    return await _page(request, service, await user_of(request))


@router.post("/you/name")
async def rename(request: Request, service: Here, name: Text = "") -> Response:
    """Be called otherwise; somebody not known becomes a guest."""
    try:
        if not name.strip():
            raise BadName("a name has at least one character")
        guest = await guest_here(request, name)
    except AccountError as error:
        return await _page(request, service, await user_of(request), "name", error, name=name)
    assert guest is not None
    return let_in(guest, RedirectResponse("/you", 303), service)


@router.post("/you/account")
async def register(request: Request, service: Here, login: Text = "", passphrase: Text = "") -> Response:
    """Turn a guest into an account, who keeps all tables."""
    user = await service.person(request)
    try:
        session = await service.logins.register(address_of(request), user.user_id, login, passphrase)
    except (AccountError, Problem) as error:
        return await _page(request, service, user, _field_of(error), error, login=login)
    response = RedirectResponse("/you", 303)
    begun(service, response, session)
    return response


@router.post("/you/login")
async def log_in(request: Request, service: Here, login: Text = "", passphrase: Text = "") -> Response:
    """Log in to an account."""
    try:
        secret = request.cookies.get(service.cookie)
        session = await service.logins.log_in(address_of(request), login, passphrase, ending=secret)
    except (AccountError, Problem) as error:
        return await _page(request, service, await user_of(request), "entry", error, login=login)
    response = RedirectResponse("/you", 303)
    begun(service, response, session)
    return response


@router.post("/you/passphrase")
async def change_passphrase(request: Request, service: Here, passphrase: Text = "", new: Text = "") -> Response:
    """Change the passphrase, and end all other sessions."""
    return await _renewed(request, service, passphrase, new)


@router.post("/you/sessions")
async def end_sessions(request: Request, service: Here, passphrase: Text = "") -> Response:
    """End all other sessions."""
    return await _renewed(request, service, passphrase)


async def _renewed(request: Request, service: Service, passphrase: str, new: str | None = None) -> Response:
    user = await service.person(request)
    try:
        session = await service.logins.renew(address_of(request), user, passphrase, new)
    except (AccountError, Problem) as error:
        field = "new" if isinstance(error, BadName) else "ending" if new is None else "current"
        return await _page(request, service, user, field, error)
    response = RedirectResponse("/you", 303)
    begun(service, response, session)
    return response


@router.post("/you/logout")
async def log_out(request: Request, service: Here) -> Response:
    """Log out in this browser."""
    response = RedirectResponse("/", 303)
    await ended(service, request, response)
    return response


@router.post("/you/tokens")
async def make_token(request: Request, service: Here, label: Text = "") -> Response:
    """A token for a program; this page shows its secret once."""
    user = await service.person(request)
    service.check_commands(user.user_id)
    try:
        token, secret = await service.accounts.create_token(user.user_id, label)
    except AccountError as error:
        return await _page(request, service, user, "label", error, label=label)
    return await _page(request, service, user, secret=secret, secret_of=token.label)


@router.post("/you/tokens/{token}/revoke")
async def revoke_token(token: TokenId, request: Request, service: Here) -> Response:
    """Revoke a token; what is open with it is closed."""
    user = await service.person(request)
    if not await service.accounts.revoke_token(user.user_id, token):
        raise Problem("no-such-token", "you have no such token; it may be revoked already")
    return RedirectResponse("/you#tokens", 303)


def _field_of(error: LiarsPokerError) -> str:
    """Beside which field of a new account an error stands."""
    return "passphrase" if "passphrase" in str(error) else "login"


async def _page(
    request: Request,
    service: Service,
    user: User | None,
    wrong: str = "",
    error: LiarsPokerError | None = None,
    **told: str,
) -> Response:
    """The page, with what is wrong beside the field that it is about, and with what was filled in there."""
    history = None
    if user is not None:
        check(service.records, address_of(request), "looks at what was played")
        history = await _histories(request, service).of(user.user_id)
    tokens = [] if user is None else await service.accounts.tokens(user.user_id)
    sessions = [] if user is None else await service.accounts.sessions(user.user_id)
    context: dict[str, Any] = {
        "name": "" if user is None else user.name,
        **dict.fromkeys(("login", "label", "secret", "secret_of"), ""),
        **told,
        "wrong": {} if error is None else {wrong: sentence(str(error))},
    }
    status = 200 if error is None else 429 if error.code == "too-many" else 422
    response = await page(
        request, "you.html", status, user=user, history=history, tokens=tokens, sessions=sessions, **context
    )
    response.headers.update(retry_header(getattr(error, "retry_after", None)))
    return response


def _histories(request: Request, service: Service) -> Histories:
    """Those of this application, made when somebody first asks."""
    state = request.app.state
    if not hasattr(state, "histories"):
        state.histories = Histories(service.storage)
    histories: Histories = state.histories
    return histories


@router.get("/settings")
async def form(request: Request, saved: str = "") -> Response:
    """The choices that there are."""
    return await page(request, "settings.html", looks=LOOKS, saved=bool(saved))


@router.post("/settings")
async def change(request: Request, service: Here) -> Response:
    """Keep what was chosen, and go back to where that was done."""
    given = {name: str(value) for name, value in (await request.form(max_fields=20)).items()}
    looks = Preferences.read(request.cookies).changed(given)
    response = RedirectResponse(_local(given.get("back", "")), 303)
    name, secure = HOST_COOKIE if service.config.tls else COOKIE, service.config.tls
    response.set_cookie(name, looks.written(), LASTS, path="/", secure=secure, httponly=True, samesite="lax")
    return response


def _local(path: str) -> str:
    """A place of this server to go back to; the lobby for anything else."""
    ours = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if ours else "/"
