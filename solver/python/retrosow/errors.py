"""The errors of retrosow, one class for each class of errors of the library.

Each has the attributes ``path``, ``offset``, ``expected`` and ``found``: of a file that is at fault its path, the byte
where the fault is, what should be there and what is; None where that says nothing.
"""

from __future__ import annotations

__all__ = ["Error", "UsageError", "IoError", "CorruptError", "UnsupportedError", "LimitError", "Interrupted"]


class Error(Exception):
    """Any error of retrosow."""

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        offset: int | None = None,
        expected: str | None = None,
        found: str | None = None,
    ) -> None:
        super().__init__(message)
        self.path = path
        self.offset = offset
        self.expected = expected
        self.found = found


class UsageError(Error, ValueError):
    """A malformed position, an unknown option, a value out of range, an array of the wrong shape, closed tables."""


class IoError(Error, OSError):
    """Input or output failed, or a table that is needed is not there."""


class CorruptError(Error):
    """Data that does not match its checksum, size or format, or contradicts itself."""


class UnsupportedError(Error):
    """A format version or rule set that this version does not handle."""


class LimitError(Error):
    """Memory, disk or size limit reached."""


class Interrupted(Error):
    """Stopped from outside. Ctrl-C in the main thread raises KeyboardInterrupt instead."""
