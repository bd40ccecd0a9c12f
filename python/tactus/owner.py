"""Objects of the library and their lifetimes.

An object of the library (a Thing) lives as long as there are references to it: from its Python object, from arrays that are
views of its memory, and from objects made from it (a world needs its scene). `close()`, or the end of a `with`, drops the first
reference: the Python object cannot be used any more. The memory is freed with the last reference."""

import ctypes
import functools
import weakref
from typing import Any, Callable, Iterable, Optional, TypeVar

import numpy as np

from .abi import Status, Struct
from .error import Error
from .struct import real

_T = TypeVar("_T", bound="Owner")


class _Life:
    """Counts the users of a thing. Unlike Python's collector it has an order: a thing is freed before those it was made from."""

    def __init__(self, destroy: Optional[Callable[[], None]]):
        self.users, self.destroy = 1, destroy
        self.needs: "list[Any]" = []

    def release(self) -> None:
        self.users -= 1
        if self.users > 0:
            return
        if self.destroy is not None:
            self.destroy()
        needs, self.needs = self.needs, []
        for need in needs:
            if isinstance(need, _Life):
                need.release()


class Thing:
    """An address, its destructor, and the objects it needs. Freed when nothing refers to it, or when Python exits."""

    def __init__(self, address: int, destroy: Optional[Callable[[int], None]], kept: Iterable[Any] = ()):
        self.address = address
        self._life = _Life(functools.partial(destroy, address) if destroy is not None else None)
        weakref.finalize(self, self._life.release)
        for thing in kept:
            self.keep(thing)

    def keep(self, thing: Any) -> None:
        """`thing` must live longer than this: a Thing, or any object."""
        if isinstance(thing, Thing):
            thing._life.users += 1
            self._life.needs.append(thing._life)
        else:
            self._life.needs.append(thing)

    @property
    def users(self) -> int:
        """Number of users, including its maker."""
        return self._life.users

    def disown(self) -> None:
        """Gives up ownership: somebody else frees it."""
        self._life.destroy = None


class Pointer(ctypes.c_void_p):
    """A pointer that keeps its thing alive during a call, even if other threads close it meanwhile."""

    def __init__(self, thing: Thing):
        super().__init__(thing.address)
        self.thing = thing


class Owner:
    """Base class of all objects of the library. Use `with`, call close(), or let Python free it."""

    _thing: Optional[Thing]

    def __init__(self, thing: Thing):
        self._thing = thing

    @property
    def thing(self) -> Thing:
        """The thing it represents; raises tactus.Error after close()."""
        thing = self._thing
        if thing is None:
            raise Error(Status.ERR_ARGUMENT, f"this {type(self).__name__} was closed")
        return thing

    @property
    def address(self) -> Pointer:
        """Its pointer, for functions of tactus.library; raises tactus.Error after close()."""
        return Pointer(self.thing)

    @property
    def closed(self) -> bool:
        return self._thing is None

    def close(self) -> None:
        """Gives up the object. Arrays that came from it stay valid. May be called twice."""
        self._thing = None

    def __enter__(self: _T) -> _T:
        self.thing
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def view(thing: Thing, address: Optional[int], dtype: Any, shape: tuple, writable: bool = False) -> np.ndarray:
    """The library's memory as an array that keeps its thing alive; read-only by default."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if not address or count == 0:
        array = np.zeros(shape, dtype)
    else:
        memory = (ctypes.c_char * count).from_address(address)
        memory.thing = thing  # numpy keeps `memory`, which keeps this
        array = np.frombuffer(memory if writable else memoryview(memory).toreadonly(), dtype).reshape(shape)
    array.flags.writeable = writable
    return array


def vectors(values: Any, name: str, count: Optional[int] = None) -> np.ndarray:
    """Points as contiguous doubles [count][3]; copied only if they are not that already."""
    array = np.ascontiguousarray(real(values, name))
    if array.ndim != 2 or array.shape[1] != 3 or count is not None and len(array) != count:
        wanted = f"({'n' if count is None else count}, 3)"
        raise ValueError(f"{name} must have the shape {wanted}, not {np.shape(values)}")
    return array


def vector(values: Any, name: str) -> np.ndarray:
    array = np.ascontiguousarray(real(values, name))
    if array.shape != (3,):
        raise ValueError(f"{name} must be three numbers, not {values!r}")
    return array


def indices(values: Any, name: str, width: Optional[int] = None) -> np.ndarray:
    """Integers as C ints; raises ValueError where they would be rounded or truncated."""
    given = np.asarray(values)
    if given.size == 0:
        given = given.astype(np.int32)
    if given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, not {given.dtype}")
    if given.size and (given.min() < 0 or given.max() > 2**31 - 1):
        raise ValueError(f"{name} must be from 0 to 2147483647")
    if width is not None and (given.ndim != 2 or given.shape[1] != width):
        if not (given.size == 0 and given.ndim <= 2):
            raise ValueError(f"{name} must have the shape (n, {width}), not {given.shape}")
        given = given.reshape(0, width)
    if width is None and given.ndim != 1:
        raise ValueError(f"{name} must be a list of numbers, not of the shape {given.shape}")
    return np.ascontiguousarray(given, np.int32)


def flags(values: Any, name: str, count: int) -> np.ndarray:
    """One bool for each of `count` things, from bools or from the indices of the true ones."""
    given = np.asarray(values)
    if given.dtype == np.bool_:
        if given.shape != (count,):
            raise ValueError(f"{name} must have {count} of them, not the shape {given.shape}")
        return np.ascontiguousarray(given)
    chosen = indices(values, name)
    if chosen.size and chosen.max() >= count:
        raise ValueError(f"{name}: {chosen.max()} is out of range; there are {count}")
    result = np.zeros(count, np.bool_)
    result[chosen] = True
    return result


def pointer(array: Optional[np.ndarray]) -> Optional[int]:
    return None if array is None else array.ctypes.data


def out_array(out: Optional[np.ndarray], dtype: Any, shape: tuple, name: str = "out") -> np.ndarray:
    """An array for results: the caller's, which must have the layout that C needs, or a new one."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray) or out.dtype != np.dtype(dtype) or out.shape != shape:
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ValueError(f"{name} must be {np.dtype(dtype)} {shape}, not {got}")
    if not out.flags.c_contiguous or not out.flags.writeable or not out.flags.aligned:
        raise ValueError(f"{name} must be contiguous and writable")
    return out


def fill(struct: Struct, values: "dict[str, Any]", kept: "list[Any]") -> None:
    """Sets fields by name. Objects of the library are stored as addresses and kept alive."""
    known = {field.name for field in struct.described}
    for name, value in values.items():
        if name not in known:
            raise TypeError(f"{type(struct).__name__} has no {name}; it has {', '.join(sorted(known))}")
        if isinstance(value, Owner):
            kept.append(value.thing)
            value = value.address
        setattr(struct, name, value)
