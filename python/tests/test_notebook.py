"""Progress and the stop button in a Jupyter kernel."""

import pytest
from jupyter_client.manager import start_new_kernel

#: Far longer than any step; only ends runs that hang.
TIMEOUT_SECONDS = 60

#: A query that reads a file, and never ends.
ENDLESS = """
import corpus_sql as cs, pyarrow
rows = cs.sql(
    "SELECT text FROM read_lines($file), generate_series(1, 1000000000000) WHERE value % 7 = 8",
    {"file": FILE},
)
"""


class Kernel:
    """A kernel and its messages."""

    def __init__(self, manager, client):
        self.manager = manager
        self.client = client

    def run(self, code, on_message=lambda message: None):
        """Runs a cell; returns the types and contents of its messages, except for its input and state."""
        sent = self.client.execute(code)
        messages = []
        while True:
            message = self.client.get_iopub_msg(timeout=TIMEOUT_SECONDS)
            if message["parent_header"].get("msg_id") != sent:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                return messages
            if kind not in ("status", "execute_input"):
                messages.append((kind, content))
                on_message(messages)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        for name in ["IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"]:
            patch.setenv(name, str(tmp_path_factory.mktemp("jupyter")))
        folder = tmp_path_factory.mktemp("cells")
        (folder / "lines.txt").write_text("one\ntwo\n" * 1000)
        manager, client = start_new_kernel(startup_timeout=TIMEOUT_SECONDS, kernel_name="python3", cwd=str(folder))
    try:
        yield Kernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.parametrize(
    "use",
    [
        "rows.df()",
        "rows.fetchall()",
        "rows.count()",
        "rows",
        "rows.write_parquet('never.parquet')",
        "cs.sql('CREATE VIEW v AS SELECT 1'); cs.register('endless', rows); cs.sql('COPY endless TO \\'never.parquet\\'')",
    ],
    ids=["df", "fetchall", "count", "repr", "write_parquet", "copy"],
)
def test_a_bar_is_shown_until_the_stop_button_ends_the_query(kernel, use):
    stopped = []

    def stop(messages):
        # The bar has been drawn twice.
        if messages[-1][0] == "update_display_data" and not stopped:
            stopped.append(True)
            kernel.manager.interrupt_kernel()

    messages = kernel.run(ENDLESS.replace("FILE", "'lines.txt'") + use, stop)
    shown = [content for kind, content in messages if kind in ("display_data", "update_display_data")]
    assert len(shown) >= 2 and len({content["transient"]["display_id"] for content in shown}) == 1, messages
    assert [kind for kind, _ in messages].count("display_data") == 1
    assert "<progress max=\"1\" value=\"" in shown[-1]["data"]["text/html"]
    assert " of " in shown[-1]["data"]["text/plain"]
    kind, content = messages[-1]
    assert (kind, content.get("ename")) == ("error", "KeyboardInterrupt"), messages
    # The session can still be used, and no files are left.
    answer = kernel.run("import os; cs.sql('DROP VIEW IF EXISTS v'); print(cs.sql('SELECT 1').fetchall(), os.listdir())")
    assert answer == [("stream", {"name": "stdout", "text": "[(1,)] ['lines.txt']\n"})]


def test_the_stop_button_ends_loops_and_other_libraries(kernel):
    for use in ["for batch in rows: pass", "pyarrow.table(rows)"]:
        started = "print('started', flush=True)\n"
        stop = lambda messages: len(messages) == 1 and kernel.manager.interrupt_kernel()  # noqa: E731
        messages = kernel.run(ENDLESS.replace("FILE", "'lines.txt'") + started + use, stop)
        assert messages[-1][0] == "error", messages
        # If another library reads the stream, the interrupt may arrive just after the library's own error.
        kernel.run("pass")
        assert kernel.run("print(1)")[-1][1]["text"] == "1\n"


def test_short_queries_and_quiet_sessions_show_no_bar(kernel):
    assert kernel.run("import corpus_sql as cs; cs.sql('SELECT 1').fetchall(); None") == []
    quiet = """
import corpus_sql as cs, threading, _thread
quiet = cs.connect(progress=False)
threading.Timer(3, _thread.interrupt_main).start()
quiet.sql("SELECT count(*) FROM generate_series(1, 1000000000000) WHERE value % 7 = 8").fetchall()
"""
    assert [kind for kind, _ in kernel.run(quiet)] == ["error"]


def test_texts_are_escaped_and_an_unknown_share_has_no_value(kernel):
    messages = kernel.run(
        "from corpus_sql._progress import NotebookBar\nbar = NotebookBar()\nbar(None, 'a <b>')\nbar(0.5, 'c')"
    )
    (first, one), (second, other) = messages
    assert (first, second) == ("display_data", "update_display_data")
    assert "a &lt;b&gt;" in one["data"]["text/html"] and "value" not in one["data"]["text/html"]
    assert 'value="0.5000"' in other["data"]["text/html"] and other["data"]["text/plain"] == "c"


def test_results_are_tables(kernel):
    ((kind, content),) = kernel.run("import corpus_sql as cs\ncs.sql('SELECT 1 AS number')")
    assert kind == "execute_result" and "<th>number" in content["data"]["text/html"]
