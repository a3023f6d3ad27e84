"""Compile a policy on its own, and call it by the address of its machine code.

A loop that contains the policies that it calls has to be compiled again for every line-up. A loop that calls addresses
is compiled once for a family of games, and so is each policy. A call takes up to 0.1 µs more: what the policy gets is
written to memory first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numba
import numpy as np
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numpy.typing import NDArray

from liarspoker.engine.calls import call
from liarspoker.engine.compiling import lanes

# numba's types, and what writes machine code in LLVM's language. They have no annotations.
types: Any = numba.types
typeof: Any = numba.typeof
code: Any = cgutils

_NO_OWNER = (0, 0)
"""What numba stores about the owner of an array in order to count references, which these don't need."""


def policy(observation: Any, chance: Any, data: Any) -> int:
    """Return an action. The function of a policy is compiled in its place."""
    raise NotImplementedError


def entry(question: Any, data: Any) -> int:
    """Call a policy with what two pointers point to: an observation with a random stream, and its data."""
    observation, chance = question[0]
    return policy(observation, chance, data[0])


def entry_type(observation: Any, kind: Any) -> Any:
    """Return the signature of `entry`, given an observation from `plain` and numba's type of the data."""
    question = types.Tuple([typeof(observation), typeof(np.zeros(1, np.uint64))])
    return types.int64(types.CPointer(question), types.CPointer(kind))


def in_memory(data: Any, kind: Any) -> NDArray[np.int64]:
    """Return a policy's data, from `plain`, as machine code reads it: int64 `[words]`.

    It contains the addresses of the arrays, which have to be kept.

    Args:
        data: the data.
        kind: numba's type of it.
    """
    words = np.array(list(_words(data)), np.int64)
    assert words.nbytes == _size_of(kind), "numba stores arrays in a new way"
    return words


@cache
def _size_of(kind: Any) -> int:
    """Return how many bytes a value of one of numba's types takes."""
    context = cpu_target.target_context
    size: int = context.get_abi_sizeof(context.get_data_type(kind))
    return size


def _words(thing: Any) -> Iterator[int]:
    if isinstance(thing, tuple):
        for part in thing:
            yield from _words(part)
    elif isinstance(thing, np.ndarray):
        yield from (*_NO_OWNER, thing.size, thing.itemsize, thing.ctypes.data, *thing.shape, *thing.strides)
    elif isinstance(thing, float):
        yield int(np.float64(thing).view(np.int64))
    else:
        yield thing


def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Generate the code of `call`: write the observation and the stream to the stack, and call the address."""
    policy, data, observation, chance, _example = arguments
    _policy, _data, given, stream, wanted = signature.args
    observation = context.cast(builder, observation, given, wanted)
    question = context.make_tuple(builder, types.Tuple([wanted, stream]), [observation, chance])
    place = builder.bitcast(code.alloca_once_value(builder, question), code.voidptr_t)
    kind = code.ir.FunctionType(code.ir.IntType(64), [code.voidptr_t, code.voidptr_t])
    return builder.call(builder.inttoptr(policy, kind.as_pointer()), [place, builder.inttoptr(data, code.voidptr_t)])


def _typed(_typing: Any, policy: Any, data: Any, observation: Any, chance: Any, example: Any) -> Any:
    """Return the signature of `call`, and the function that generates its code."""
    return types.int64(policy, data, observation, chance, example), emit


INTRINSICS: dict[Any, Any] = {call: intrinsic(_typed), **lanes.INTRINSICS}
"""What numba compiles in place of a function."""
