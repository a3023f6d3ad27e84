"""Routes of the user's profile: name, account, API tokens and results; and of the settings."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _
from liarspoker.server.accounts.credentials import AccountError, BadName, Session, User
from liarspoker.server.accounts.passkeys import NoPasskeys
from liarspoker.server.config import check
from liarspoker.server.problems import Problem, retry_header
from liarspoker.server.routes.accounts import ServiceDep, session_ended, session_response
from liarspoker.server.routes.passkeys import PasskeyId, relying_party
from liarspoker.server.service import Service, address_of
from liarspoker.web.guests import guest_here, with_session
from liarspoker.web.notice_settings import notice_settings
from liarspoker.web.pages import page, user_of
from liarspoker.web.preferences import SETTINGS, Preferences
from liarspoker.web.routes.games import histories_of
from liarspoker.web.words import sentence

router = APIRouter()

Text = Annotated[str, Form()]
TokenId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$")]


@router.get("/you")
async def you(request: Request, service: ServiceDep) -> Response:
    """Show the profile."""
    return await _page(request, service, await user_of(request))


@router.post("/you/name")
async def rename(request: Request, service: ServiceDep, name: Text = "") -> Response:
    """Change the user's name; an unknown user becomes a guest."""
    try:
        if not name.strip():
            raise BadName(_("a name can't be empty"))
        guest = await guest_here(request, name)
    except AccountError as error:
        return await _page(request, service, await user_of(request), "name", error, name=name)
    assert guest is not None
    return with_session(guest, RedirectResponse("/you", 303), service)


@router.post("/you/account")
async def register(request: Request, service: ServiceDep, login: Text = "", passphrase: Text = "") -> Response:
    """Turn a guest into an account, which keeps all tables."""
    user = await service.session_user(request)
    try:
        session = await service.logins.register(address_of(request), user.user_id, login, passphrase)
    except (AccountError, Problem) as error:
        return await _page(request, service, user, _field_of(error), error, login=login)
    return await _with_code(request, service, session)


@router.post("/you/recover")
async def recover(request: Request, service: ServiceDep, login: Text = "", code: Text = "", new: Text = "") -> Response:
    """Set a new passphrase with the recovery code, log in, and show the new code."""
    try:
        session = await service.logins.recover(address_of(request), login, code, new)
    except (AccountError, Problem) as error:
        return await _page(request, service, await user_of(request), "recover", error, login=login)
    return await _with_code(request, service, session)


@router.post("/you/recovery-code")
async def new_recovery_code(request: Request, service: ServiceDep) -> Response:
    """Create a recovery code, which the response shows once."""
    user = await service.confirmed_user(request)
    service.check_commands(user.user_id)
    return await _page(request, service, user, code=await service.accounts.new_recovery_code(user.user_id))


@router.post("/you/passkeys/{passkey}/remove")
async def remove_passkey(passkey: PasskeyId, request: Request, service: ServiceDep) -> Response:
    """Remove a passkey."""
    user = await service.confirmed_user(request)
    await service.passkeys.remove(user.user_id, passkey)
    return RedirectResponse("/you#passkeys", 303)


async def _with_code(request: Request, service: Service, session: Session) -> Response:
    """Show the profile of a new session's user with their new recovery code, and set its cookie."""
    response = await _page(request, service, session.user, code=session.recovery_code or "", has_begun=True)
    session_response(service, response, session)
    return response


@router.post("/you/login")
async def log_in(request: Request, service: ServiceDep, login: Text = "", passphrase: Text = "") -> Response:
    """Log in to an account."""
    try:
        secret = request.cookies.get(service.cookie)
        session = await service.logins.log_in(address_of(request), login, passphrase, ending=secret)
    except (AccountError, Problem) as error:
        return await _page(request, service, await user_of(request), "entry", error, login=login)
    response = RedirectResponse("/you", 303)
    session_response(service, response, session)
    return response


@router.post("/you/passphrase")
async def change_passphrase(request: Request, service: ServiceDep, passphrase: Text = "", new: Text = "") -> Response:
    """Change the passphrase and end all other sessions."""
    return await _renewed(request, service, passphrase, new)


@router.post("/you/sessions")
async def end_sessions(request: Request, service: ServiceDep, passphrase: Text = "") -> Response:
    """End all other sessions."""
    return await _renewed(request, service, passphrase)


async def _renewed(request: Request, service: Service, passphrase: str, new: str | None = None) -> Response:
    user = await service.session_user(request)
    try:
        session = await service.logins.renew(
            address_of(request), user, passphrase, new, await service.is_fresh(request)
        )
    except (AccountError, Problem) as error:
        field = "new" if isinstance(error, BadName) else "ending" if new is None else "current"
        return await _page(request, service, user, field, error)
    response = RedirectResponse("/you", 303)
    session_response(service, response, session)
    return response


@router.post("/you/logout")
async def log_out(request: Request, service: ServiceDep) -> Response:
    """Log out in this browser."""
    response = RedirectResponse("/", 303)
    await session_ended(service, request, response)
    return response


@router.post("/you/tokens")
async def make_token(request: Request, service: ServiceDep, label: Text = "") -> Response:
    """Create an API token; the response shows its secret once."""
    user = await service.session_user(request)
    service.check_commands(user.user_id)
    try:
        token, secret = await service.accounts.create_token(user.user_id, label)
    except AccountError as error:
        return await _page(request, service, user, "label", error, label=label)
    return await _page(request, service, user, secret=secret, secret_of=token.label)


@router.post("/you/tokens/{token}/revoke")
async def revoke_token(token: TokenId, request: Request, service: ServiceDep) -> Response:
    """Revoke a token and close its connections."""
    user = await service.session_user(request)
    if not await service.accounts.revoke_token(user.user_id, token):
        raise Problem("no-such-token", _("no such token; it may already be revoked"))
    return RedirectResponse("/you#tokens", 303)


def _field_of(error: LiarsPokerError) -> str:
    """Return the field of the account form that an error belongs to."""
    return "passphrase" if "passphrase" in str(error) else "login"


async def _page(
    request: Request,
    service: Service,
    user: User | None,
    wrong: str = "",
    error: LiarsPokerError | None = None,
    has_begun: bool = False,
    **filled: str,
) -> Response:
    """Render the profile, with an error beside its field and the form as filled in.

    `has_begun` means that the response starts the user's session.
    """
    history = None
    if user is not None:
        check(service.records, address_of(request), "requests for your results")
        history = await histories_of(request, service).of(user.user_id)
    tokens = [] if user is None else await service.accounts.tokens(user.user_id)
    sessions = [] if user is None else await service.accounts.sessions(user.user_id)
    no_passkeys = host = ""
    try:
        host = relying_party(request).host
    except NoPasskeys as reason:
        no_passkeys = sentence(str(reason))
    has_passphrase, has_code = (False, False) if user is None else await service.accounts.ways_in(user.user_id)
    context: dict[str, Any] = {
        "host": host,
        "no_passkeys": no_passkeys,
        "has_passphrase": has_passphrase,
        "has_code": has_code,
        "passkeys": [] if user is None else await service.passkeys.of(user.user_id),
        "is_fresh": has_begun or (user is not None and await service.is_fresh(request)),
        "name": "" if user is None else user.name,
        **dict.fromkeys(("login", "label", "secret", "secret_of", "code"), ""),
        **filled,
        "wrong": {} if error is None else {wrong: sentence(str(error))},
    }
    status = 200 if error is None else 429 if error.code == "too-many" else 422
    response = await page(
        request, "you.html", status, user=user, history=history, tokens=tokens, sessions=sessions, **context
    )
    response.headers.update(retry_header(getattr(error, "retry_after", None)))
    return response


@router.get("/settings")
async def form(request: Request, service: ServiceDep, saved: str = "") -> Response:
    """Show the settings."""
    user = await user_of(request)
    notices = None if user is None else await notice_settings(service, user.user_id)
    return await page(request, "settings.html", user=user, looks=SETTINGS, notices=notices, saved=bool(saved))


@router.post("/settings")
async def change(request: Request, service: ServiceDep) -> Response:
    """Save the settings in a cookie and return to the page that the form came from."""
    given = {name: str(value) for name, value in (await request.form(max_fields=20)).items()}
    response = RedirectResponse(_local_path(given.get("back", "")), 303)
    Preferences.read(request.cookies).changed(given).save(response, service.config.tls)
    return response


def _local_path(path: str) -> str:
    """Return `path` if it is a path on this server, otherwise the lobby's."""
    local = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if local else "/"
