"""Work that is spread over the machines of a Ray cluster; needs the extra `ray`, which is loaded when it is asked for.

What is spread is cut into numbered parts that follow from their numbers alone, so the results are those of one process,
whatever plays them and however often a part must be begun again.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from liarspoker import __version__
from liarspoker.core.errors import LiarsPokerError

LOCAL = "local"
"""Instead of an address: start a cluster on this machine, and stop it in the end."""

AUTO = "auto"
"""Instead of an address: the cluster that this machine belongs to."""

TRIES = 4
"""So often is a part begun whose worker dies."""

_OBJECTS = 80 << 20
"""Bytes that a cluster of our own keeps for what is sent around, little more than the least that Ray accepts."""

_QUIET = {"log_to_driver": False, "logging_level": "ERROR"}

_STARTS = 3
"""So often is a cluster of our own started, where other programs leave it too little time."""

_PATIENCE = 5.0
"""Seconds in which the head of a cluster must answer; Ray itself would go on trying for minutes."""

_REMEDIES = {
    LOCAL: "if other programs leave no time for it to start, try again, or use --jobs without a cluster",
    AUTO: "start one with: ray start --head",
}

Result = TypeVar("Result")


class ClusterFailed(LiarsPokerError):
    """There is no such cluster, it cannot be used, or work could not be done on it."""

    code = "cluster-failed"


def spread(
    work: Callable[[int], Result], parts: int, address: str = LOCAL, jobs: int | None = None
) -> Iterator[Result]:
    """Do numbered parts of some work on a cluster; the results in the order of the parts.

    A part whose worker dies is begun again elsewhere. Where the generator is closed, or Ctrl-C ends it, what is still
    being done is given up.

    Args:
        work: called with 0 to parts - 1, in processes of other machines; it must be possible to pickle it.
        parts: how many.
        address: of the cluster, as `host:port`, or `AUTO`, or `LOCAL`. Where this process has joined a cluster before,
            that one is used.
        jobs: how many parts are done at once; by default one on each processor of the cluster.

    Raises:
        ClusterFailed: Ray is not installed, no cluster answers, a worker has another version of this package, or dies
            again and again; or the work was refused, with what the refusal says.
    """
    with _joined(address, jobs) as (ray, processors):
        task = ray.remote(max_retries=TRIES - 1)(_done)
        shipped = ray.put(work)
        running: dict[Any, int] = {}
        finished: dict[int, Any] = {}
        begun = told = 0
        try:
            while told < parts:
                while begun < parts and len(running) < (jobs or processors):
                    running[task.remote(shipped, begun, __version__)] = begun
                    begun += 1
                (ready,), _ = ray.wait(list(running), num_returns=1)
                finished[running.pop(ready)] = ready
                while told in finished:
                    yield _result(ray, finished.pop(told), told)
                    told += 1
        finally:
            for unfinished in running:
                ray.cancel(unfinished, force=True)


def _done(work: Callable[[int], Result], part: int, version: str) -> tuple[Result | None, str]:
    """One part, done by a worker: its result, or why it was refused."""
    if version != __version__:
        return None, f"a worker has version {__version__} of liarspoker; this is {version}"
    try:
        return work(part), ""
    except LiarsPokerError as error:
        return None, str(error)


def _result(ray: Any, reference: Any, part: int) -> Any:
    """What a worker has answered.

    Raises:
        ClusterFailed: it refused, or died as often as it was tried.
    """
    try:
        result, refused = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        told = str(error).partition("\n")[0]
        raise ClusterFailed(
            f"part {part}: no worker lived to finish it, in {TRIES} tries ({told}); is there enough memory?"
        ) from error
    if refused:
        raise ClusterFailed(refused)
    return result


def _ray() -> Any:
    """Ray itself.

    Raises:
        ClusterFailed: it is not installed.
    """
    if find_spec("ray") is None:
        raise ClusterFailed("clusters need the extra ray, which is not installed (pip install 'liarspoker[ray]')")
    # Ray reports about its users to its makers unless it is told not to.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    return import_module("ray")


@contextmanager
def _joined(address: str, jobs: int | None) -> Iterator[tuple[Any, int]]:
    """Belong to a cluster for a while: Ray, and how many processors the cluster has."""
    ray = _ray()
    own = not ray.is_initialized()
    if own:
        join(address, jobs)
    try:
        yield ray, max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        if own:
            ray.shutdown()


def join(address: str = LOCAL, jobs: int | None = None) -> None:
    """Join a cluster, or start one on this machine, for all that is spread from now on.

    Args:
        address: as for `spread`.
        jobs: how many processors a cluster of our own has; by default all.

    Raises:
        ClusterFailed: Ray is not installed, or it failed.
    """
    ray = _ray()
    try:
        if address == LOCAL:
            _start(ray, jobs)
        else:
            _knock(address)
            ray.init(address=address, **_QUIET)
    except Exception as error:  # whatever Ray raises when it cannot start or find a cluster
        told = str(error).partition("\n")[0].rstrip(".")
        remedy = _REMEDIES.get(address, "give the address of one, auto, or local")
        raise ClusterFailed(f"cluster {address}: it cannot be joined ({told}); {remedy}") from error


def _start(ray: Any, jobs: int | None) -> None:
    """Start a cluster on this machine; again if it takes more than the half minute that Ray waits for its processes."""
    for left in range(_STARTS - 1, -1, -1):
        try:
            ray.init(num_cpus=jobs, include_dashboard=False, object_store_memory=_OBJECTS, **_QUIET)
            return
        except Exception:  # it raises nothing more precise
            ray.shutdown()
            if not left:
                raise


def _knock(address: str) -> None:
    """Find out whether anybody listens at an address, where it names one.

    Raises:
        OSError: nobody does.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), _PATIENCE).close()
