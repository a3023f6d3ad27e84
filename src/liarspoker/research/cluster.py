"""Spread work over the machines of a Ray cluster. Ray (the extra `ray`) is imported only when it is used.

For `spread`, the work is cut into numbered parts, and each part depends only on its number. So the results are the same
as in one process, whichever worker computes a part and however often it is restarted. A crew's processes keep what they
have computed, so if one ends, the work has to be continued from a checkpoint.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from liarspoker import __version__
from liarspoker.core.errors import LiarsPokerError
from liarspoker.extras import install_command

LOCAL = "local"
"""Instead of an address: start a cluster on this machine, and stop it at the end."""

AUTO = "auto"
"""Instead of an address: the cluster that this machine belongs to."""

TRIES = 4
"""The maximum number of attempts at a part whose worker dies."""

_OBJECTS = 80 << 20
"""Bytes of a local cluster's object store, slightly more than the minimum that Ray accepts."""

_QUIET = {"log_to_driver": False, "logging_level": "ERROR"}

_STARTS = 3
"""Attempts to start a local cluster, in case other programs leave it too little time."""

_PATIENCE = 5.0
"""Seconds within which the head of a cluster must answer; Ray by itself would try for minutes."""

_FREE_SECONDS = 30.0
"""Seconds within which the processors of a crew must be free."""

_REMEDIES = {
    LOCAL: "if other programs left it too little time to start, try again, or use --jobs without a cluster",
    AUTO: "start one with: ray start --head",
}

Result = TypeVar("Result")


class ClusterFailed(LiarsPokerError):
    """A cluster can't be found or used, or it couldn't complete the work."""

    code = "cluster-failed"


def spread(
    work: Callable[[int], Result], parts: int, address: str = LOCAL, jobs: int | None = None
) -> Iterator[Result]:
    """Run the parts of some work on a cluster, and yield their results in order.

    A part whose worker dies is restarted elsewhere. Closing the generator, or Ctrl-C, cancels all running parts.

    Args:
        work: called with 0 to parts - 1 in processes of other machines; it must be picklable.
        parts: the number of parts.
        address: the cluster's address as `host:port`, or :data:`AUTO`, or :data:`LOCAL`. If this process has already
            joined a cluster, that one is used.
        jobs: the number of parts that run at once; by default one per processor of the cluster.

    Raises:
        ClusterFailed: Ray isn't installed, no cluster answers, a worker has another version of this package or dies
            repeatedly, or the work raised an error, whose message is included.
    """
    with joined(address, jobs) as (ray, processors):
        task = _task(TRIES)
        shipped = ray.put(work)
        running: dict[Any, int] = {}
        finished: dict[int, Any] = {}
        begun = reported = 0
        try:
            while reported < parts:
                while begun < parts and len(running) < (jobs or processors):
                    running[task.remote(shipped, begun, __version__)] = begun
                    begun += 1
                (ready,), _ = ray.wait(list(running), num_returns=1)
                finished[running.pop(ready)] = ready
                while reported in finished:
                    yield _result(ray, finished.pop(reported), reported)
                    reported += 1
        finally:
            for unfinished in running:
                ray.cancel(unfinished, force=True)


class ClusterCrew:
    """Objects in processes of a cluster, one for each processor. Each keeps what it has computed.

    Use :func:`crew_of` to get one.

    Attributes:
        size: the number of objects.
        memory: bytes of memory of its processors, as Ray measured it when the cluster was started.
    """

    def __init__(self, ray: Any, size: int, memory: int, place: Any) -> None:
        self._ray = ray
        self._place = place
        self._members: list[Any] = []
        self.size = size
        self.memory = memory

    def begin(self, make: Callable[[int, int], Any]) -> None:
        """Make the objects: `make(number, size)` in each process, numbered from 0. It must be picklable.

        Raises:
            ClusterFailed: a process has another version of this package, or can't make its object.
        """
        actor = self._ray.remote(num_cpus=1, scheduling_strategy=self._place)(_Member)
        shipped = self._ray.put(make)
        self._members = [actor.remote(shipped, number, self.size, __version__) for number in range(self.size)]
        self._results("refused", [()] * self.size)

    def each(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all objects at once, each with its own arguments, and return their results in order.

        Raises:
            ClusterFailed: a process has ended, or the call raised an error, whose message is included.
        """
        return self._results("call", [(method, *own) for own in arguments])

    def one(self, number: int, method: str, *arguments: Any) -> Any:
        """Call a method of one object, and return its result.

        Raises:
            ClusterFailed: as for :meth:`each`.
        """
        return self._answers([self._members[number].call.remote(method, *arguments)])[0]

    def _results(self, name: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        calls = zip(self._members, arguments, strict=True)
        return self._answers([getattr(member, name).remote(*own) for member, own in calls])

    def _answers(self, references: list[Any]) -> list[Any]:
        errors = self._ray.exceptions
        try:
            answers = self._ray.get(references)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RayActorError as error:
            reason = str(error).partition("\n")[0]
            raise ClusterFailed(
                f"a process of the cluster has ended, and what it kept is lost ({reason}); is there enough memory?"
            ) from error
        except errors.RayError as error:
            raise ClusterFailed("the cluster failed: " + str(error).partition("\n")[0]) from error
        for _, refused in answers:
            if refused:
                raise ClusterFailed(refused)
        return [result for result, _ in answers]


class _Member:
    """An object of a crew, in its process."""

    def __init__(self, make: Callable[[int, int], Any], number: int, size: int, version: str) -> None:
        self._made, self._refused = None, ""
        if version != __version__:
            self._refused = f"a worker has version {__version__} of liarspoker; this is {version}"
            return
        try:
            self._made = make(number, size)
        except LiarsPokerError as error:
            self._refused = str(error)

    def refused(self) -> tuple[None, str]:
        """Return why there is no object; empty if there is one."""
        return None, self._refused

    def call(self, method: str, *arguments: Any) -> tuple[Any, str]:
        """Return the result of a method, or why it failed."""
        try:
            return getattr(self._made, method)(*arguments), ""
        except LiarsPokerError as error:
            return None, str(error)


@contextmanager
def crew_of(address: str = LOCAL, jobs: int | None = None) -> Iterator[ClusterCrew]:
    """Join a cluster within a `with` block, and yield a crew whose processes end with it.

    Args:
        address: as for :func:`spread`.
        jobs: the number of objects; by default one for each processor of the cluster.

    Raises:
        ClusterFailed: Ray isn't installed, no cluster answers, or too few of its processors are free.
    """
    with joined(address, jobs) as (ray, processors):
        size, util = jobs or processors, import_module("ray.util")
        # All processors or none, so that two commands don't wait for each other's forever.
        group = util.placement_group([{"CPU": 1}] * size)
        try:
            if not group.wait(_FREE_SECONDS):
                raise ClusterFailed(f"{size} processors of the cluster aren't free; wait, or name fewer with --jobs")
            memory = int(ray.cluster_resources().get("memory", 0) * size / processors)
            yield ClusterCrew(ray, size, memory, util.scheduling_strategies.PlacementGroupSchedulingStrategy(group))
        finally:
            util.remove_placement_group(group)  # which ends the processes too


@lru_cache
def _task(tries: int) -> Any:
    """Return `_done` as Ray calls it. Ray would send a new one to the cluster again."""
    return _ray().remote(max_retries=tries - 1)(_done)


def _done(work: Callable[[int], Result], part: int, version: str) -> tuple[Result | None, str]:
    """Run one part in a worker; return its result, or why it failed."""
    if version != __version__:
        return None, f"a worker has version {__version__} of liarspoker; this is {version}"
    try:
        return work(part), ""
    except LiarsPokerError as error:
        return None, str(error)


def _result(ray: Any, reference: Any, part: int) -> Any:
    """Return a worker's result.

    Raises:
        ClusterFailed: the work raised an error, or the worker died in every attempt.
    """
    try:
        result, refused = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        reason = str(error).partition("\n")[0]
        raise ClusterFailed(
            f"part {part}: the worker died in each of {TRIES} tries ({reason}); is there enough memory?"
        ) from error
    if refused:
        raise ClusterFailed(refused)
    return result


def _ray() -> Any:
    """Import Ray.

    Raises:
        ClusterFailed: it isn't installed.
    """
    if find_spec("ray") is None:
        raise ClusterFailed(f"clusters need the extra ray, which is not installed ({install_command('ray')})")
    # By default, Ray sends usage statistics to its developers.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    return import_module("ray")


@contextmanager
def joined(address: str = LOCAL, jobs: int | None = None) -> Iterator[tuple[Any, int]]:
    """Belong to a cluster within a `with` block, in which :func:`spread` uses it.

    Args:
        address: as for :func:`spread`.
        jobs: the number of processors of a local cluster; by default all.

    Yields:
        Ray, and the number of processors of the cluster.

    Raises:
        ClusterFailed: Ray isn't installed, or no cluster answers.
    """
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
    """Join a cluster, or start one on this machine, for all following calls of :func:`spread`.

    Args:
        address: as for :func:`spread`.
        jobs: the number of processors of a local cluster; by default all.

    Raises:
        ClusterFailed: Ray isn't installed, or it failed.
    """
    ray = _ray()
    try:
        if address == LOCAL:
            _start(ray, jobs)
        else:
            _knock(address)
            ray.init(address=address, **_QUIET)
    except Exception as error:  # Ray raises various exceptions when it can't start or find a cluster
        reason = str(error).partition("\n")[0].rstrip(".")
        remedy = _REMEDIES.get(address, "give the address of a cluster, auto, or local")
        raise ClusterFailed(f"cluster {address}: it cannot be joined ({reason}); {remedy}") from error


def _start(ray: Any, jobs: int | None) -> None:
    """Start a cluster on this machine; retry if it takes longer than the 30 s that Ray waits for its processes."""
    for left in range(_STARTS - 1, -1, -1):
        try:
            ray.init(num_cpus=jobs, include_dashboard=False, object_store_memory=_OBJECTS, **_QUIET)
            return
        except Exception:  # Ray raises nothing more specific
            ray.shutdown()
            if not left:
                raise


def _knock(address: str) -> None:
    """Check that a server listens at an address, if it names a host and a port.

    Raises:
        OSError: no server listens there.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), _PATIENCE).close()
