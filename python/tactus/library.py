"""The shared library: finds it, checks that it matches this package, and calls its functions."""

import ctypes
import ctypes.util
import functools
import os
import pathlib
import sysconfig
import textwrap
from typing import Any, Callable, Iterator, TypeVar

from . import abi
from .error import Error
from .struct import c_text

_F = TypeVar("_F", bound=Callable[..., Any])
_HERE = pathlib.Path(__file__).resolve().parent


def _candidates() -> Iterator[str]:
    """Candidate files of the library, the most likely first."""
    named = os.environ.get("TACTUS_LIBRARY")
    if named:
        yield named
        return
    lib = _HERE.parent.parent.parent  # PREFIX/lib, of PREFIX/lib/python3/dist-packages/tactus
    for folder in (_HERE, lib, lib / (sysconfig.get_config_var("MULTIARCH") or ".")):
        yield str(folder / "libtactus.so.0")
    build = _HERE.parent.parent / "build"  # of a checkout; builds with sanitizers cannot be loaded into Python
    for preset in ("release", "debug"):
        yield str(build / preset / "libtactus.so.0")
    found = ctypes.util.find_library("tactus")
    if found:
        yield found


def _open() -> ctypes.CDLL:
    tried = []
    for path in _candidates():
        if "/" in path and not os.path.exists(path):
            tried.append(path)
            continue
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(f"{path}: cannot load this library: {error}") from None
    if "TACTUS_LIBRARY" in os.environ:
        raise ImportError(f"{tried[0]}: no such file; TACTUS_LIBRARY must name libtactus.so")
    raise ImportError("libtactus.so.0 is not found: build it (scripts/build), install it (cmake --install build/release), or "
                      f"let TACTUS_LIBRARY name it; looked for {', '.join(tried)} and where the system has libraries")


class Library:
    """Every function of the C API by its name, with its types: `library.tac_version()`."""

    def __init__(self, loaded: ctypes.CDLL):
        self._loaded = loaded
        self.path = loaded._name

    def __getattr__(self, name: str) -> Any:
        if name not in abi.FUNCTIONS:
            raise AttributeError(f"Tactus has no function {name}")
        try:
            function = getattr(self._loaded, name)
        except AttributeError:
            raise ImportError(f"{self.path} has no {name}: it is of another version than this package") from None
        function.restype, function.argtypes = abi.FUNCTIONS[name][:2]
        setattr(self, name, function)
        return function


def layouts_of(library: Any) -> Any:
    """Sizes and offsets of the public structs in a library: an array of abi.Layout."""
    count = ctypes.c_int()
    first = library.tac_layouts(ctypes.byref(count))
    return (abi.Layout * count.value).from_address(first)


def check_layouts(library: Any, path: str) -> None:
    """Raises ImportError unless every struct has the same layout in the library as in this package."""
    differs = f"{path} is of another version than this package, which would read its memory wrongly"
    remedy = "build both from the same sources (python3 python/generate.py after a change of headers)"
    theirs = {(entry.type, entry.field): (entry.size, entry.offset) for entry in layouts_of(library)}
    for name, struct in vars(abi).items():
        if not (isinstance(struct, type) and issubclass(struct, abi.Struct)) or struct is abi.Struct:
            continue
        ours = {("tac" + name, ""): (ctypes.sizeof(struct), 0)}
        ours.update({("tac" + name, f.name.rstrip("_")): (f.size, f.offset) for f in struct.described})
        for (c_name, field), (size, offset) in ours.items():
            place = f"{c_name}.{field}" if field else c_name
            if (c_name, field) not in theirs:
                raise ImportError(f"{differs}: it has no {place}; {remedy}")
            if theirs[c_name, field] != (size, offset):
                their_size, their_offset = theirs[c_name, field]
                where = (f" from {their_offset} on", f" from {offset} on") if field else ("", "")
                raise ImportError(f"{differs}: {place} has {their_size} bytes{where[0]} there, and {size}{where[1]} here; "
                                  f"{remedy}")
    bound = {"tac" + name for name in vars(abi)}
    for c_name, _ in theirs:
        if c_name not in bound:
            raise ImportError(f"{differs}: it has a struct {c_name}; {remedy}")


def _load() -> Library:
    library = Library(_open())
    check_layouts(library, library.path)
    return library


library = _load()


def version() -> str:
    """Version of the loaded library, such as "1.2.3"."""
    return library.tac_version().decode()


def check(function: Any, *arguments: Any) -> None:
    """Calls a function that returns a status and takes an error last; raises tactus.Error if it fails."""
    error = abi.Error()
    status = function(*arguments, ctypes.byref(error))
    if status != 0:
        raise Error(abi.Status(status), error.text)


def text(value: Any) -> str:
    """A C string as str; "" for NULL."""
    return value.decode("utf-8", "replace") if value else ""


def names(function: Callable[..., Any], *arguments: Any) -> "list[str]":
    """Results of function(*arguments, 0), (..., 1), ... until it returns NULL."""
    found: "list[str]" = []
    while (value := function(*arguments, len(found))) is not None:
        found.append(text(value))
    return found


def path_of(path: "str | os.PathLike[str]") -> bytes:
    return c_text(os.fsencode(path))


def documented(*names: str) -> Callable[[_F], _F]:
    """Appends the documentation of C functions from the headers to a docstring."""
    def wrap(target: _F) -> _F:
        parts = [textwrap.dedent(target.__doc__ or "").strip()]
        for name in names:
            header, declaration, comment = abi.FUNCTIONS[name][2:]
            parts.append(f"<tactus/{header}>: {declaration}")
            if comment:
                parts.append("\n".join("\n".join(textwrap.wrap(paragraph, 110)) for paragraph in comment.split("\n")))
        target.__doc__ = "\n\n".join(part for part in parts if part)
        return target
    return wrap


@functools.lru_cache(maxsize=None)
def libc() -> ctypes.CDLL:
    """The C library, to allocate memory that Tactus takes over and frees."""
    loaded = ctypes.CDLL(None)
    loaded.malloc.restype, loaded.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    loaded.free.restype, loaded.free.argtypes = None, [ctypes.c_void_p]
    return loaded
