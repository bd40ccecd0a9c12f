"""Structs of the C API as Python sees them: texts are str, numbers of an enum its members, vectors and arrays numpy views
onto the struct's own memory; numpy's types for arrays of them."""

import ctypes
import enum
from typing import Any, Optional

import numpy as np

_SCALARS = {ctypes.c_int: np.int32, ctypes.c_int32: np.int32, ctypes.c_uint32: np.uint32, ctypes.c_int64: np.int64,
            ctypes.c_uint64: np.uint64, ctypes.c_size_t: np.uintp, ctypes.c_double: np.float64,
            ctypes.c_float: np.float32, ctypes.c_bool: np.bool_, ctypes.c_char: np.dtype("S1")}


class Struct(ctypes.Structure):
    """A struct of the library. Fields are attributes; `Struct(name=value, ...)` sets some, the others are zero."""

    described: "list[Field]"

    def as_dict(self) -> "dict[str, Any]":
        """All fields by their names; structs within as dicts of their own."""
        result = {}
        for field in self.described:
            value = getattr(self, field.name)
            result[field.name] = value.as_dict() if isinstance(value, Struct) else value
        return result

    def __repr__(self) -> str:
        fields = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in self.described)
        return f"{type(self).__name__}({fields})"


class Field:
    """A field of a struct: its offset, and how it is read and written."""

    def __init__(self, name: str, ctype: Any, raw: Any, numbers: Optional[type]):
        self.name, self.ctype, self.raw, self.enum = name, ctype, raw, numbers
        self.offset, self.size = raw.offset, raw.size
        self.kind = _kind(ctype, numbers)
        self.array = dtype_of(ctype) if self.kind == "array" else None

    def __get__(self, struct: Any, owner: Any = None) -> Any:
        if struct is None:
            return self
        if self.kind == "array":
            base, shape = (self.array.subdtype or (self.array, ()))
            return np.ndarray(shape, base, struct, self.offset)
        value = self.raw.__get__(struct)
        if self.kind == "text":
            return value.decode("utf-8", "replace") if value is not None else None
        if self.kind == "enum":
            return self.enum(value) if value in self.enum._value2member_map_ else value
        return value

    def __set__(self, struct: Any, value: Any) -> None:
        if self.kind == "array":
            array = self.__get__(struct)
            array[...] = value if array.dtype.names else real(value, self.name, array.dtype)
            return
        if self.kind == "text" and value is not None:
            value = c_text(value)
        elif self.kind == "enum" and isinstance(value, str):
            value = self.enum[value.upper().replace("-", "_")]
        self.raw.__set__(struct, int(value) if isinstance(value, enum.IntEnum) else value)


def c_text(value: "str | bytes") -> bytes:
    """A text as a C string; raises ValueError where C would read only a part of it."""
    result = value.encode() if isinstance(value, str) else value
    if b"\0" in result:
        raise ValueError(f"{value!r} contains a NUL character, where C would end it")
    return result


def real(values: Any, name: str, dtype: Any = np.float64) -> np.ndarray:
    """An array of real numbers; raises ValueError where a part of them would be dropped."""
    given = np.asarray(values)
    if given.dtype.kind == "c":
        raise ValueError(f"{name} must be real numbers, not {given.dtype}")
    return np.asarray(given, dtype)


def define(struct: type, fields: list) -> None:
    """Gives a struct its fields: (name, ctypes type) or (name, type, enum). The generated module calls it once for each struct."""
    struct._fields_ = [(field[0], field[1]) for field in fields]
    struct.described = []
    for field in fields:
        described = Field(field[0], field[1], getattr(struct, field[0]), field[2] if len(field) > 2 else None)
        struct.described.append(described)
        if described.kind != "plain":
            setattr(struct, field[0], described)


def _is_array(ctype: Any) -> bool:
    return isinstance(ctype, type) and issubclass(ctype, ctypes.Array)


def _kind(ctype: Any, numbers: Optional[type]) -> str:
    if numbers is not None:
        return "enum"
    if ctype is ctypes.c_char_p or _is_array(ctype) and ctype._type_ is ctypes.c_char:
        return "text"
    if _is_array(ctype) or isinstance(ctype, type) and ctype.__name__ == "Vec3":
        return "array"
    return "plain"


def dtype_of(ctype: Any) -> np.dtype:
    """The numpy dtype of a C type, with the same layout: three doubles of a vector are an axis of length 3, pointers are
    numbers, texts are bytes."""
    if ctype in _SCALARS:
        return np.dtype(_SCALARS[ctype])
    if _is_array(ctype):
        if ctype._type_ is ctypes.c_char:
            return np.dtype(f"S{ctype._length_}")
        return np.dtype((dtype_of(ctype._type_), (ctype._length_,)))
    if isinstance(ctype, type) and issubclass(ctype, ctypes.Structure):
        if ctype.__name__ == "Vec3":
            return np.dtype((np.float64, (3,)))
        if "_dtype" not in ctype.__dict__:
            ctype._dtype = np.dtype({"names": [f.name for f in ctype.described],
                                     "formats": [dtype_of(f.ctype) for f in ctype.described],
                                     "offsets": [f.offset for f in ctype.described],
                                     "itemsize": ctypes.sizeof(ctype)})
        return ctype._dtype
    return np.dtype(np.uintp)  # pointers and functions
