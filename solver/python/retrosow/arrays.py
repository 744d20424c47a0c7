"""Arrays as the extension takes them: checked, never converted in a way that changes a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from retrosow._native import Position
from retrosow.errors import UsageError

_MAX_PITS = 8


def boards_array(boards: Any) -> npt.NDArray[np.uint8]:
    """Boards as a uint8 array of shape (n, 2 * pits), rows one after the other in memory.

    Takes such an array, integers of any other type in 0..255, or a sequence of positions. Raises UsageError.
    """
    if isinstance(boards, Position):
        raise UsageError("one position where an array of boards is needed; put it into a list")
    if not isinstance(boards, np.ndarray):
        boards = list(boards)
        if boards and all(isinstance(board, Position) for board in boards):
            if len({board.pits for board in boards}) > 1:
                raise UsageError("the positions have different numbers of pits")
            boards = [board.counts for board in boards]
    array = np.asarray(boards)
    if array.ndim != 2 or array.shape[1] % 2 != 0 or not 2 <= array.shape[1] <= 2 * _MAX_PITS:
        raise UsageError(f"an array of shape {array.shape} where (n, 2 * pits) is needed, pits from 1 to {_MAX_PITS}")
    return np.ascontiguousarray(_checked(array, np.uint8, "seeds in a pit"))


def indices_array(indices: Any) -> npt.NDArray[np.int64]:
    """Indices as an int64 array of shape (n,). Raises UsageError."""
    array = np.asarray(indices)
    if array.ndim != 1:
        raise UsageError(f"an array of shape {array.shape} where (n,) is needed")
    if array.size == 0:
        return np.zeros(0, np.int64)
    return np.ascontiguousarray(_checked(array, np.int64, "indices"))


def _checked(array: npt.NDArray[Any], dtype: Any, what: str) -> npt.NDArray[Any]:
    if array.dtype == dtype:
        return array
    if array.dtype.kind not in "iu":
        raise UsageError(f"an array of {array.dtype} where whole numbers are needed for {what}")
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    if array.size and (int(array.min()) < least or int(array.max()) > greatest):
        raise UsageError(f"{what} must be from {least} to {greatest}")
    return array.astype(dtype)
