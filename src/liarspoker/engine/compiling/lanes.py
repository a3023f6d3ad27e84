"""The operations of :mod:`liarspoker.engine.lanes` as instructions on vectors.

Each function that generates code has the arguments that numba defines; `values` are those of the operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from liarspoker.engine.lanes import LANES, add_lanes, add_products, copy_lanes, fetch, fill_lanes

# numba's types, and what writes machine code in LLVM's language. They have no annotations.
types: Any = numba.types
code: Any = cgutils
ir: Any = code.ir


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """Return a pointer to the lanes of an array, of one of numba's types, that begin at `at`."""
    first = builder.gep(context.make_array(kind)(context, builder, array).data, [at])
    return builder.bitcast(first, ir.VectorType(ir.FloatType(), LANES).as_pointer())


def _places(context: Any, builder: Any, signature: Any, values: Any) -> list[Any]:
    """Return pointers for all arrays among the values; a position follows each."""
    kinds = signature.args
    pairs = [at for at, kind in enumerate(kinds) if isinstance(kind, types.Array)]
    return [_place(context, builder, kinds[at], values[at], values[at + 1]) for at in pairs]


def _all(builder: Any, number: Any) -> Any:
    """Return a vector with the same number in every lane."""
    vector = ir.Constant(ir.VectorType(ir.FloatType(), LANES), ir.Undefined)
    for lane in range(LANES):
        vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))
    return vector


def _load(builder: Any, place: Any) -> Any:
    return builder.load(place, align=4)


def _store(context: Any, builder: Any, vector: Any, place: Any) -> Any:
    builder.store(vector, place, align=4)
    return context.get_dummy_value()


def _fill(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    (target,) = _places(context, builder, signature, values)
    return _store(context, builder, _all(builder, values[-1]), target)


def _copy(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    target, source = _places(context, builder, signature, values)
    return _store(context, builder, _load(builder, source), target)


def _add(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    target, source = _places(context, builder, signature, values)
    more = builder.fmul(_load(builder, source), _all(builder, values[-1]))
    return _store(context, builder, builder.fadd(_load(builder, target), more), target)


def _add_products(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    target, source, other = _places(context, builder, signature, values)
    more = builder.fmul(_load(builder, source), _load(builder, other))
    return _store(context, builder, builder.fadd(_load(builder, target), more), target)


def _fetch(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    (place,) = _places(context, builder, signature, values)
    read, keep, data = map(ir.IntType(32), (0, 3, 1))  # it will be read, is kept in all caches, and is data
    kind = ir.FunctionType(ir.VoidType(), [code.voidptr_t, read.type, keep.type, data.type])
    function = builder.module.declare_intrinsic("llvm.prefetch", [code.voidptr_t], kind)
    builder.call(function, [builder.bitcast(place, code.voidptr_t), read, keep, data])
    return context.get_dummy_value()


def _kind(kind: Any) -> Any:
    """Return the type of an argument in machine code, given numba's type of it.

    Raises:
        TypingError: it isn't a contiguous array of float32 numbers, such a number, or an integer.
    """
    if isinstance(kind, types.Integer):
        return types.intp
    if isinstance(kind, types.Array) and (kind.dtype, kind.layout) == (types.float32, "C"):
        return kind
    if kind == types.float32:
        return kind
    raise TypingError(f"lanes are contiguous arrays of float32 numbers; this is a {kind}")


def _typed(emit: Callable[..., Any], *kinds: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the signature of an operation, and the function that generates its code."""
    return types.void(*map(_kind, kinds)), emit


# numba takes the number of arguments from the function that types them.
INTRINSICS: dict[Any, Any] = {
    fill_lanes: intrinsic(lambda _typing, a, b, c: _typed(_fill, a, b, c)),
    copy_lanes: intrinsic(lambda _typing, a, b, c, d: _typed(_copy, a, b, c, d)),
    add_lanes: intrinsic(lambda _typing, a, b, c, d, e: _typed(_add, a, b, c, d, e)),
    add_products: intrinsic(lambda _typing, a, b, c, d, e, f: _typed(_add_products, a, b, c, d, e, f)),
    fetch: intrinsic(lambda _typing, a, b: _typed(_fetch, a, b)),
}
"""What numba compiles in place of each operation."""
