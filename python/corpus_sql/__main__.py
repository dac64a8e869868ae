"""The command line: `corpus-sql`, or `python -m corpus_sql`."""

import signal
import sys

from corpus_sql import _native
from corpus_sql._worker import use_packaged_worker


def main() -> None:
    """Run the command line with the arguments of this process, and exit with its code."""
    # Python's own handler would keep Ctrl-C until the command line returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    use_packaged_worker()
    sys.exit(_native.main(["corpus-sql", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
