"""Shows the progress of queries in notebooks, using only IPython's display."""

from __future__ import annotations

import html
import sys
from typing import Any


def in_notebook() -> bool:
    """Whether this is a kernel of Jupyter, which shows HTML."""
    # IPython is not imported here, because a kernel has already imported it.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


class NotebookBar:
    """The progress of one statement, below the cell that runs it."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, share: float | None, text: str) -> None:
        """Show the finished share, if it is known, and a text."""
        value = "" if share is None else f' value="{share:.4f}"'
        bar = f'<progress max="1"{value} style="width: 16em"></progress> <small>{html.escape(text)}</small>'
        data = {"text/html": bar, "text/plain": text}
        if self._handle is None:
            from IPython.display import display

            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)
