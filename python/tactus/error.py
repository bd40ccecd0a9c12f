"""Errors of the library."""

from .abi import Status


class Error(Exception):
    """The library's message: what is wrong, where (file, line, field), and what would be right. `status` is its category:
    tactus.Status.ERR_FILE, ERR_GEOMETRY, ..."""

    def __init__(self, status: Status, text: str):
        super().__init__(text)
        self.status = status

    def __reduce__(self) -> tuple:
        return (Error, (self.status, str(self)))
