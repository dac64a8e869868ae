"""A cluster with object stores: their options reach the executors. Needs a build with the feature `cluster`."""

import subprocess
import time

import pytest

from conftest import BUCKET, TIMEOUT
from ports import two_free_ports

pytestmark = pytest.mark.usefixtures("cluster_feature")


@pytest.fixture
def cluster(binary, clean_env, run, tmp_path):
    """The address of a scheduler with two executors whose environment configures no store."""
    processes = []

    def start(*args):
        process = subprocess.Popen(
            [binary, *args], env=clean_env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        processes.append(process)
        return process

    try:
        scheduler = start("scheduler", "--listen", "127.0.0.1:0")
        address = scheduler.stderr.readline().strip().removeprefix("scheduler at ")
        for _ in range(2):
            listen = f"127.0.0.1:{two_free_ports()}"
            temporary = ["--temp-dir", str(tmp_path)]
            start("executor", "--scheduler", address, "--slots", "1", "--listen", listen, *temporary)
        deadline = time.monotonic() + TIMEOUT
        sql = "SELECT count(*) FROM read_warc('data-samples/web/')"
        while run("--cluster", address, "-c", sql).code != 0:
            assert time.monotonic() < deadline, "no executor has come"
            time.sleep(0.1)
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()
            process.stderr.close()


def test_options_of_a_statement_reach_executors(run, rows, s3, cluster):
    options = "".join(f", '{name}', '{value}'" for name, value in s3.options.items())
    table = f"read_files('s3://{BUCKET}/files/'{options})"
    sql = f"SELECT source_file, size, md5(content) AS hash FROM {table} ORDER BY source_file"
    ran = run("--quiet", "--format", "ndjson", "--cluster", cluster, "-c", sql)
    assert ran.code == 0, ran.stderr
    local = run("--quiet", "--format", "ndjson", "-c", sql)
    assert ran.stdout == local.stdout


def test_parts_appear_in_a_bucket(run, s3, cluster):
    options = ", ".join(f"'{name}' '{value}'" for name, value in s3.options.items())
    target = f"s3://{BUCKET}/out/cluster/"
    sql = f"""
        COPY (SELECT target_uri FROM read_warc('data-samples/web/'))
        TO '{target}' STORED AS PARQUET OPTIONS ({options})
    """
    ran = run("--cluster", cluster, "-c", sql)
    assert ran.code == 0, ran.stderr
    keys = s3.keys("out/cluster/")
    assert len(keys) == 2
    assert all(key.endswith(".parquet") for key in keys), keys
    assert s3.unfinished_uploads() == []
    again = run("--cluster", cluster, "-c", sql)
    assert "2 inputs: done before" in again.stderr
    assert s3.keys("out/cluster/") == keys


def test_without_options_executors_have_no_credentials(run, s3, cluster):
    sql = f"SELECT count(*), count(error) FROM read_files('s3://{BUCKET}/files/')"
    ran = run("--cluster", cluster, "--format", "csv", "--quiet", "-c", sql, env=s3.env)
    assert ran.code == 0, ran.stderr
    files, errors = ran.stdout.splitlines()[1].split(",")
    assert int(files) == int(errors) > 0
