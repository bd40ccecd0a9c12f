"""What goes wrong in the library."""

from .abi import Status


class Error(Exception):
    """What is wrong, where (file, line, field), and what would be right, in the library's words; `status` says of which kind:
    tactus.Status.ERR_FILE, ERR_GEOMETRY, ..."""

    def __init__(self, status: Status, text: str):
        super().__init__(text)
        self.status = status

    def __reduce__(self) -> tuple:
        return (Error, (self.status, str(self)))
