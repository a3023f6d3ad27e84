"""The operations of :mod:`liarspoker.engine.lanes` as instructions on vectors.

Each function that generates code has the arguments that numba defines; `values` are those of the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numba
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from liarspoker.engine.lanes import (
    LANES,
    add_lanes,
    add_products,
    copy_lanes,
    fetch,
    fill_lanes,
    write_layer,
    write_rectified_layer,
    write_rectified_sum,
)

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


def _all(builder: Any, number: Any, lanes: int = LANES) -> Any:
    """Return a vector with the same number in every lane."""
    none = ir.Constant(ir.VectorType(ir.FloatType(), lanes), ir.Undefined)
    first, everywhere = ir.Constant(ir.IntType(32), 0), ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(builder.insert_element(none, number, first), none, everywhere)


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


def _write_layer(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return _layer(context, builder, signature, values, lambda total: total)


def _write_rectified_layer(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return _layer(context, builder, signature, values, partial(_rectified, builder))


def _write_rectified_sum(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    target, *others = _matrices(context, builder, signature, values)
    top = ir.Constant(target.columns.type, 0)
    for across, vectors, lanes in _parts(builder, target.columns, _WIDTHS):
        with across as (left, _count):
            (place,), *read = (each.places(builder, top, left, vectors, lanes) for each in (target, *others))
            total = reduce(builder.fadd, (_load(builder, found) for (found,) in read))
            builder.store(_rectified(builder, total), place, align=4)
    return context.get_dummy_value()


def _rectified(builder: Any, vector: Any) -> Any:
    """Return a vector with 0 in place of negative numbers."""
    zero = ir.Constant(vector.type, None)
    return builder.select(builder.fcmp_ordered(">", vector, zero), vector, zero)


def _multiply_add(builder: Any, one: Any, other: Any, total: Any) -> Any:
    """Return the product of two vectors plus a third one, rounded once on every processor."""
    name = f"llvm.fma.v{one.type.count}f32"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(one.type, [one.type] * 3), name)
    return builder.call(function, [one, other, total])


_WIDTHS = ((1, 16), (1, 4), (1, 1))
"""In what a row is divided from the left: how many vectors at a time, and the lanes of each."""

_TILES = ((5, _WIDTHS), (1, ((3, 16), *_WIDTHS)))
"""The tiles in which a layer is computed: their numbers of rows, and in what the rows are divided."""

_SMALL = 48
"""The most numbers of a tile in which every second product is added to a second sum: an addition takes cycles, and the
next one to the same sum waits for it."""


@dataclass(frozen=True)
class _Matrix:
    """A contiguous array in memory. A vector has one row.

    Attributes:
        data: the pointer to its first number.
        rows, columns: its shape.
    """

    data: Any
    rows: Any
    columns: Any

    def places(self, builder: Any, row: Any, column: Any, vectors: int = 1, lanes: int = 1) -> list[Any]:
        """Return pointers to some vectors side by side."""
        start = builder.add(builder.mul(row, self.columns), column)
        kind = ir.VectorType(ir.FloatType(), lanes).as_pointer()
        ats = [builder.add(start, ir.Constant(start.type, part * lanes)) for part in range(vectors)]
        return [builder.bitcast(builder.gep(self.data, [at]), kind) for at in ats]


def _matrices(context: Any, builder: Any, signature: Any, values: Any) -> Iterator[_Matrix]:
    for kind, value in zip(signature.args, values, strict=True):
        array = context.make_array(kind)(context, builder, value)
        *outer, columns = code.unpack_tuple(builder, array.shape)
        (rows,) = outer or [ir.Constant(columns.type, 1)]
        yield _Matrix(array.data, rows, columns)


def _parts(builder: Any, size: Any, widths: Any) -> Iterator[tuple[Any, int, int]]:
    """Yield loops over the places in a row at which parts begin, with how many vectors each has, and their lanes."""
    start = ir.Constant(size.type, 0)
    for vectors, lanes in widths:
        step = ir.Constant(size.type, vectors * lanes)
        stop = builder.sub(size, builder.urem(builder.sub(size, start), step))
        yield code.for_range_slice(builder, start, stop, step), vectors, lanes
        start = stop


def _layer(context: Any, builder: Any, signature: Any, values: Any, finish: Callable[[Any], Any]) -> Any:
    """Compute a layer in tiles whose sums are kept in registers, the largest ones first."""
    target, biases, inputs, weights = _matrices(context, builder, signature, values)
    for (down, height, _one), (_height, widths) in zip(
        _parts(builder, target.rows, [(height, 1) for height, _widths in _TILES]), _TILES, strict=True
    ):
        with down as (top, _count):
            for across, vectors, lanes in _parts(builder, target.columns, widths):
                with across as (left, _count):
                    tile = (height, vectors, lanes)
                    results = _tile(builder, (biases, inputs, weights), top, left, tile)
                    rows = [builder.add(top, ir.Constant(top.type, step)) for step in range(height)]
                    places = [place for row in rows for place in target.places(builder, row, left, vectors, lanes)]
                    for place, result in zip(places, results, strict=True):
                        builder.store(finish(result), place, align=4)
    return context.get_dummy_value()


def _tile(builder: Any, layer: Any, top: Any, left: Any, tile: tuple[int, int, int]) -> list[Any]:
    """Return the vectors of a tile of a layer, row by row, given its first row and column."""
    (biases, inputs, weights), (height, vectors, lanes) = layer, tile
    rows = [builder.add(top, ir.Constant(top.type, step)) for step in range(height)]
    first = [_load(builder, place) for place in biases.places(builder, ir.Constant(top.type, 0), left, vectors, lanes)]
    sums, steps = [[code.alloca_once_value(builder, vector) for _row in rows for vector in first]], [(1, 1)]
    if height * vectors * lanes <= _SMALL:
        sums.append([code.alloca_once_value(builder, ir.Constant(first[0].type, None)) for _sum in sums[0]])
        steps.insert(0, (2, 1))
    for along, together, _one in _parts(builder, inputs.columns, steps):
        with along as (begin, _count):
            for totals, step in zip(sums, range(together), strict=False):
                at = builder.add(begin, ir.Constant(begin.type, step))
                read = [_load(builder, place) for place in weights.places(builder, at, left, vectors, lanes)]
                for number, row in enumerate(rows):
                    (place,) = inputs.places(builder, row, at)
                    factor = _all(builder, builder.load(builder.bitcast(place, ir.FloatType().as_pointer())), lanes)
                    for part, total in enumerate(totals[number * vectors : (number + 1) * vectors]):
                        builder.store(_multiply_add(builder, factor, read[part], builder.load(total)), total)
    return [reduce(builder.fadd, map(builder.load, totals)) for totals in zip(*sums, strict=True)]


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


def _typed_layer(emit: Callable[..., Any], target: Any, biases: Any, inputs: Any, weights: Any) -> Any:
    """Return the same for a layer.

    Raises:
        TypingError: the arrays don't have the dimensions of a layer.
    """
    signature, _emit = _typed(emit, target, biases, inputs, weights)
    if [kind.ndim for kind in signature.args] not in ([1, 1, 1, 2], [2, 1, 2, 2]):
        raise TypingError("the arrays of a layer have two dimensions, or its target and its inputs have one")
    return signature, emit


def _typed_sum(emit: Callable[..., Any], *kinds: Any) -> Any:
    """Return the same for a sum of vectors.

    Raises:
        TypingError: they aren't vectors.
    """
    signature, _emit = _typed(emit, *kinds)
    if any(kind.ndim != 1 for kind in signature.args):
        raise TypingError("the arrays of a sum have one dimension")
    return signature, emit


# numba takes the number of arguments from the function that types them.
INTRINSICS: dict[Any, Any] = {
    fill_lanes: intrinsic(lambda _typing, a, b, c: _typed(_fill, a, b, c)),
    copy_lanes: intrinsic(lambda _typing, a, b, c, d: _typed(_copy, a, b, c, d)),
    add_lanes: intrinsic(lambda _typing, a, b, c, d, e: _typed(_add, a, b, c, d, e)),
    add_products: intrinsic(lambda _typing, a, b, c, d, e, f: _typed(_add_products, a, b, c, d, e, f)),
    write_layer: intrinsic(lambda _typing, a, b, c, d: _typed_layer(_write_layer, a, b, c, d)),
    write_rectified_layer: intrinsic(lambda _typing, a, b, c, d: _typed_layer(_write_rectified_layer, a, b, c, d)),
    write_rectified_sum: intrinsic(lambda _typing, a, b, c: _typed_sum(_write_rectified_sum, a, b, c)),
    fetch: intrinsic(lambda _typing, a, b: _typed(_fetch, a, b)),
}
"""What numba compiles in place of each operation."""
