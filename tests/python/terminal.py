"""A terminal with a simulated user who types and reads the screen."""

import time

import pexpect
import pyte

PROMPT = "corpus> "
CONTINUATION_PROMPT = "   ...> "
ROWS = 200
COLUMNS = 150
TIMEOUT = 60

CTRL_C = "\x03"
CTRL_D = "\x04"
TAB = "\t"
ENTER = "\r"
UP = "\x1b[A"


class Terminal:
    """Runs a program. Waits for the echo of all input on the screen: nothing depends on time."""

    def __init__(self, command, arguments, cwd, env):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        # Passed as arguments, because Pexpect would split the command at spaces.
        self._child = pexpect.spawn(
            "env", [command, *arguments], cwd=str(cwd), env=env, dimensions=(ROWS, COLUMNS)
        )
        # Disables Pexpect's pause before each key.
        self._child.delaybeforesend = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._child.close(force=True)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(self.lines()).rstrip()

    def cursor_line(self):
        return self.lines()[self.screen.cursor.y]

    def wait_for(self, condition, what):
        """Reads until the screen meets the condition."""
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            left = deadline - time.monotonic()
            assert left > 0, f"no {what} on the screen:\n{self.text()}"
            try:
                self._feed(self._child.read_nonblocking(4096, timeout=min(left, 1)))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                assert condition(), f"ended before {what} was on the screen:\n{self.text()}"

    def _feed(self, output):
        self.raw += output
        self._stream.feed(output)

    def wait_for_text(self, text):
        self.wait_for(lambda: text in self.text(), repr(text))

    def wait_for_prompt(self):
        """Waits for an empty prompt with the cursor after it."""

        def is_there():
            at_end = self.screen.cursor.x == len(PROMPT)
            return at_end and self.cursor_line() == PROMPT.rstrip()

        self.wait_for(is_there, "prompt")

    def wait_for_line(self, line):
        """Waits for the typed text in the line with the cursor."""
        self.wait_for(lambda: self.cursor_line() == line.rstrip(), f"line {line!r}")

    def send(self, keys):
        self._child.send(keys)

    def type(self, text, prompt=PROMPT):
        """Types text without Enter."""
        self.send(text)
        self.wait_for_line(prompt + text)

    def run(self, *lines):
        """Enters lines and returns the output until the next prompt."""
        self.type(lines[0])
        for line in lines[1:]:
            self.send(ENTER)
            self.wait_for_line(CONTINUATION_PROMPT)
            self.type(line, prompt=CONTINUATION_PROMPT)
        first = self.screen.cursor.y + 1
        self.send(ENTER)
        self.wait_for_prompt()
        return "\n".join(self.lines()[first : self.screen.cursor.y])

    def wait_for_end(self):
        """Reads to the end and returns the exit code."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                self._feed(self._child.read_nonblocking(4096, timeout=1))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                self._child.wait()
                return self._child.exitstatus
        raise AssertionError(f"it did not end:\n{self.text()}")
