"""Progress of long work: a callable that receives it and may cancel the work."""

import ctypes
from typing import Any, Callable, Optional

from . import abi
from .abi import Status
from .error import Error
from .library import check

#: Called with what is being done ("distance field") and the fraction done, 0 to 1, a few times a second. False cancels: the
#: long function raises tactus.Error with Status.ERR_CANCELLED. An exception in it, Ctrl-C too, cancels and is raised there.
Progress = Callable[[str, float], Optional[bool]]


def check_with_progress(function: Any, *arguments: Any, progress: Optional[Progress] = None, after: tuple = ()) -> None:
    """Calls `function(*arguments, progress, *after, error)`. Ctrl-C stops it with or without a callable."""
    raised: "list[BaseException]" = []

    def report(what: bytes, fraction: float, _: Any) -> bool:
        try:
            return progress is None or progress(what.decode("utf-8", "replace"), fraction) is not False
        except BaseException as exception:  # of any kind: it must not be lost in C
            raised.append(exception)
            return False

    callback = abi.ProgressFn(report)
    struct = abi.Progress(callback, None)
    try:
        check(function, *arguments, ctypes.byref(struct), *after)
    except Error as error:
        if raised:
            raise raised[0] from None
        if error.status == Status.ERR_CANCELLED and progress is None:
            raise KeyboardInterrupt from None  # between C and `report`
        raise
    if raised:
        raise raised[0]
