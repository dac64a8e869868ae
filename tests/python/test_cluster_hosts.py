"""A cluster of three hosts, which are network namespaces connected by a bridge. Needs a build with the feature
`cluster`, and the right to create namespaces."""

import os
import subprocess
import time

import pyarrow.dataset as ds
import pytest

from conftest import TIMEOUT
from terminal import CTRL_C, ENTER, Terminal

pytestmark = pytest.mark.usefixtures("cluster_feature")

ARCHIVES, PAGES = 24, 60
EXECUTOR_TIMEOUT = 10


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Host:
    """A network namespace with an address."""

    def __init__(self, number):
        self.number = number
        self.name = f"corpus-sql-{os.getpid()}-{number}"
        self.address = f"10.77.0.{number}"
        ip("netns", "add", self.name)

    def command(self, *command):
        return ["ip", "netns", "exec", self.name, *command]

    def connect(self, hub):
        port = f"port{self.number}"
        ip("-n", hub.name, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("-n", hub.name, "link", "set", port, "master", "bridge", "up")
        self.listen("eth0")

    def listen(self, device):
        ip("-n", self.name, "address", "add", f"{self.address}/24", "dev", device)
        ip("-n", self.name, "link", "set", device, "up")
        ip("-n", self.name, "link", "set", "lo", "up")

    def cut_off(self):
        ip("-n", self.name, "link", "set", "eth0", "down")


@pytest.fixture
def hosts():
    """The host of the scheduler and of clients, and two for executors."""
    made = []
    try:
        try:
            for number in range(1, 4):
                made.append(Host(number))
            hub = made[0]
            ip("-n", hub.name, "link", "add", "bridge", "type", "bridge")
            hub.listen("bridge")
            for host in made[1:]:
                host.connect(hub)
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no network namespaces: {error}")
        yield made
    finally:
        for host in made:
            subprocess.run(["ip", "netns", "delete", host.name], capture_output=True)


class Cluster:
    def __init__(self, hosts, binary, env, root, folder):
        self.hosts, self.binary, self.env, self.root, self.folder = hosts, binary, env, root, folder
        self.processes = []
        self.address = f"{hosts[0].address}:50050"

    def start(self, host, *arguments):
        """Starts a process that logs the progress of its tasks."""
        log = self.folder / f"{arguments[0]}-{host.number}.log"
        with log.open("w") as stderr:
            command = host.command(self.binary, *arguments, "--trust-network", "--verbose")
            self.processes.append(subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stderr=stderr))
        return log

    def start_scheduler(self):
        listen = ["--listen", self.address, "--executor-timeout", str(EXECUTOR_TIMEOUT)]
        log = self.start(self.hosts[0], "scheduler", *listen)
        wait_until(lambda: "scheduler at" in log.read_text())

    def start_executor(self, host):
        temporary = self.folder / f"temporary-{host.number}"
        temporary.mkdir()
        # Like the example for containers.
        listen = ["--listen", "0.0.0.0:50051", "--slots", "1", "--temp-dir", str(temporary)]
        return self.start(host, "executor", "--scheduler", self.address, *listen)

    def client(self, *arguments):
        command = self.hosts[0].command(self.binary, "--cluster", f"df://{self.address}", *arguments)
        return subprocess.Popen(
            command, env=self.env, cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *arguments):
        return ended(self.client(*arguments))

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(hosts, binary, clean_env, root, tmp_path):
    cluster = Cluster(hosts, binary, clean_env, root, tmp_path)
    try:
        cluster.start_scheduler()
        yield cluster
    finally:
        cluster.stop()


def ended(process):
    try:
        stdout, stderr = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert process.returncode == 0, stderr
    return stdout


def wait_until(condition):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.05)


def is_registered(log):
    return "registered with" in log.read_text()


def tasks(log):
    return log.read_text().count("finished task")


@pytest.fixture
def job(tmp_path):
    """The arguments of a job that takes some seconds, and its folder of documents."""
    folder = tmp_path / "in"
    folder.mkdir()
    text = "".join(f"<p>Paragraph {number} has some words of text</p>" for number in range(400))
    for archive in range(ARCHIVES):
        with (folder / f"{archive:03}.warc").open("w") as out:
            for page in range(PAGES):
                http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>{text}</body></html>"
                out.write(
                    f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{archive:08}-0000-0000-0000-{page:012}>"
                    f"\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://example.org/{archive}/{page}\r\n"
                    f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n{http}\r\n\r\n"
                )
    output = tmp_path / "documents"
    return ["-f", "queries/warc_to_document.sql", "-v", f"input={folder}", "-v", f"output={output}/"], output


def urls(output):
    return ds.dataset(output, format="parquet").to_table(["url"])["url"].to_pylist()


def parts(output):
    return len(list(output.glob("*.parquet")))


def test_hosts_share_a_job(cluster, job, tmp_path):
    arguments, output = job
    logs = [cluster.start_executor(host) for host in cluster.hosts[1:]]
    wait_until(lambda: all(map(is_registered, logs)))
    cluster.run(*arguments)
    assert sorted(urls(output)) == sorted({f"https://example.org/{a}/{p}" for a in range(ARCHIVES) for p in range(PAGES)})
    assert all(tasks(log) > 2 for log in logs)

    # Rows cross the network from one executor to another, and to the client.
    before = [tasks(log) for log in logs]
    sql = f"SELECT count(*) AS n FROM (SELECT left(url, 22) AS u, count(*) FROM '{output}/' GROUP BY 1)"
    assert cluster.run("-q", "--format", "csv", "-c", sql).split() == ["n", str(len(url_starts(output)))]
    assert all(tasks(log) > n for log, n in zip(logs, before))


def url_starts(output):
    return {url[:22] for url in urls(output)}


def test_an_executor_that_comes_later_gets_tasks(cluster, job):
    arguments, output = job
    first = cluster.start_executor(cluster.hosts[1])
    wait_until(lambda: is_registered(first))
    client = cluster.client(*arguments)
    wait_until(lambda: parts(output) > 0)
    second = cluster.start_executor(cluster.hosts[2])
    ended(client)
    assert tasks(second) > 0
    assert parts(output) == ARCHIVES
    assert len(urls(output)) == len(set(urls(output))) == ARCHIVES * PAGES


def test_a_host_that_is_cut_off_costs_nothing_but_time(cluster, job):
    """It continues working, and may write its part after another executor has written it."""
    arguments, output = job
    logs = [cluster.start_executor(host) for host in cluster.hosts[1:]]
    wait_until(lambda: all(map(is_registered, logs)))
    client = cluster.client(*arguments)
    wait_until(lambda: parts(output) > 1 and tasks(logs[0]) > 0)
    cluster.hosts[1].cut_off()
    assert parts(output) < ARCHIVES, "the job was too fast"
    ended(client)
    assert parts(output) == ARCHIVES
    assert len(urls(output)) == len(set(urls(output))) == ARCHIVES * PAGES
    left = [path for path in output.parent.iterdir() if ".part-" in path.name]
    assert left == [], left


def test_a_shell_stops_its_statement_on_the_cluster(cluster, job):
    arguments, output = job
    log = cluster.start_executor(cluster.hosts[1])
    wait_until(lambda: is_registered(log))
    count = "SELECT count(*) AS n FROM read_warc('in/007.warc');"
    command = cluster.hosts[0].command(cluster.binary, "--cluster", cluster.address)
    with Terminal(command[0], command[1:], output.parent, cluster.env) as shell:
        shell.wait_for_prompt()
        assert f"| {PAGES} |" in " ".join(shell.run(count).split())
        before = tasks(log)
        assert before > 0
        shell.type("COPY (SELECT html_document(body) FROM read_warc('in/')) TO 'documents/' STORED AS PARQUET;")
        shell.send(ENTER)
        wait_until(lambda: parts(output) > 0)
        shell.send(CTRL_C)
        shell.wait_for_prompt()
        assert parts(output) < ARCHIVES
        # The only slot is free.
        assert f"| {PAGES} |" in " ".join(shell.run(count).split())
