"""Sends the library's log messages to Python's logging, under the name "tactus"."""

import atexit
import logging

from . import abi
from .library import library

logger = logging.getLogger("tactus")


def _receive(level: int, text: bytes, _: object) -> None:
    logger.log(logging.WARNING if level == abi.LogLevel.WARNING else logging.INFO, "%s", text.decode("utf-8", "replace"))


_receiver = abi.LogFn(_receive)
library.tac_log_set(_receiver, None)
atexit.register(library.tac_log_set, None, None)
