"""Sessions of a cluster. `.ci/cluster` runs this with a library that has the feature `cluster`."""

import subprocess
import sysconfig
import time
from pathlib import Path

import pytest
from ports import two_free_ports
from test_running import is_idle

import corpus_sql as cs

COMMAND = str(Path(sysconfig.get_path("scripts")) / "corpus-sql")
TIMEOUT = 120


@pytest.fixture(scope="session")
def has_clusters():
    return "--cluster" in subprocess.run([COMMAND, "--help"], capture_output=True, text=True).stdout


@pytest.fixture
def cluster(has_clusters, tmp_path, samples, monkeypatch):
    """The address of a scheduler with an executor, both started by the command of the package. All have a token."""
    if not has_clusters:
        pytest.skip("this build has no cluster")
    monkeypatch.setenv("CORPUS_SQL_TOKEN", "0123456789abcdef-a-secret-of-the-tests")
    processes = []

    def start(*args):
        process = subprocess.Popen([COMMAND, *args], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        processes.append(process)
        return process

    try:
        address = start("scheduler", "--listen", "127.0.0.1:0").stderr.readline().strip()
        address = "df://" + address.removeprefix("scheduler at ")
        listen = f"127.0.0.1:{two_free_ports()}"
        start("executor", "--scheduler", address, "--listen", listen, "--slots", "1", "--temp-dir", str(tmp_path))
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                cs.connect(cluster=address).sql("SELECT * FROM read_files($f)", {"f": samples / "files"}).count()
                break
            except cs.Error as error:
                assert "executors" in str(error) and time.monotonic() < deadline, error
                time.sleep(0.1)
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()
            process.stderr.close()


def test_a_library_without_clusters_says_so(has_clusters):
    if has_clusters:
        pytest.skip("this build has clusters")
    with pytest.raises(cs.Error, match="cluster: this build has no support for clusters: build with --features cluster"):
        cs.connect(cluster="df://localhost:50050")


def test_wrong_addresses_are_errors(has_clusters):
    if not has_clusters:
        pytest.skip("this build has no cluster")
    with pytest.raises(ValueError, match="cluster: expected df://HOST:PORT"):
        cs.connect(cluster="http://localhost")
    with pytest.raises(cs.Error, match="no scheduler at localhost:1"):
        cs.connect(cluster="df://localhost:1")


def test_results_are_those_of_one_process(cluster, con, samples, tmp_path):
    session = cs.connect(cluster=cluster)
    sql = """
        SELECT target_uri, text_hash(html_main_text(http_response(body)['body'])) AS hash
        FROM read_warc($folder) WHERE warc_type = 'response' ORDER BY target_uri, hash"""
    params = {"folder": samples / "web"}
    expected = con.sql(sql, params)
    assert session.sql(sql, params).fetchall() == expected.fetchall()
    assert session.sql(sql, params).arrow() == expected.arrow()
    # Executors write the parts of a folder.
    rows = session.sql("SELECT target_uri FROM read_warc($folder)", params)
    assert rows.write_parquet(str(tmp_path / "parts") + "/") == rows.count() > 10
    summary = session.run_file("warc_to_document", input=samples / "web", output=tmp_path / "documents.parquet")
    assert summary.rows_written == con.run_file(
        "warc_to_document", input=samples / "web", output=tmp_path / "local.parquet"
    ).rows_written


def test_errors_are_those_of_one_process(cluster, samples):
    session = cs.connect(cluster=cluster)
    with pytest.raises(cs.SqlError, match="nothing"):
        session.sql("SELECT nothing")
    session.sql("SET corpus.on_error = 'fail'")
    with pytest.raises(cs.Error, match="corpus.on_error is 'fail'"):
        session.sql("SELECT body FROM read_warc($f)", {"f": samples / "damaged-warc"}).fetchall()


def test_leaving_a_loop_ends_the_job(cluster, samples):
    session = cs.connect(cluster=cluster)
    for batch in session.sql("SELECT * FROM read_warc($f)", {"f": samples / "web"}):
        assert len(batch) > 0
        break
    assert is_idle()
    assert session.sql("SELECT count(*) FROM read_files($f)", {"f": samples / "files"}).fetchone()[0] > 0


def test_sessions_need_the_token(cluster, monkeypatch):
    monkeypatch.delenv("CORPUS_SQL_TOKEN")
    with pytest.raises(cs.Error, match="the cluster needs its token"):
        cs.connect(cluster=cluster)
    monkeypatch.setenv("CORPUS_SQL_TOKEN", "short")
    with pytest.raises(ValueError, match="cluster: the token in CORPUS_SQL_TOKEN has 5 characters"):
        cs.connect(cluster=cluster)
