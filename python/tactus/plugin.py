"""Permission for plugins: code in shared objects that scenes name."""

import atexit
import ctypes
from typing import Any, Callable, Optional

from . import abi
from .library import documented, library

_callback: Optional[Any] = None  # the library keeps a pointer to it


@documented("tac_plugin_set")
def set_plugin_policy(allow: Optional[Callable[[str, str], bool]]) -> None:
    """Sets who decides whether a plugin may be loaded: allow(path, checksum) returns True or False. None, the default, refuses
    all. An exception in allow refuses the plugin."""
    global _callback

    def decide(path: bytes, checksum: bytes, error: Any, _: Any) -> bool:
        try:
            return bool(allow(path.decode("utf-8", "surrogateescape"), checksum.decode()))
        except Exception as reason:
            ctypes.cast(error, ctypes.POINTER(abi.Error))[0].text = str(reason).encode("utf-8", "replace")[:400]
            return False

    callback = abi.PluginFn(decide) if allow is not None else None
    library.tac_plugin_set(callback, None)
    _callback = callback


atexit.register(library.tac_plugin_set, None, None)
