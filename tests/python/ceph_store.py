"""Ceph's S3 for tests: a monitor, a store in memory and a RADOS Gateway, from the packages ceph-mon, ceph-osd,
ceph-common and radosgw."""

import os
import shutil
import signal
import subprocess
import textwrap
import time
import urllib.error
import urllib.request
import uuid

from ports import free_port

PROGRAMS = ["ceph-mon", "ceph-osd", "radosgw", "ceph-authtool", "monmaptool", "ceph", "radosgw-admin"]
KEY = "ceph-key"
SECRET = "ceph-secret"
# The domain of requests with the bucket in the host.
DOMAIN = "ceph.example"

CAPABILITIES = {
    "mon.": {"mon": "allow *"},
    "client.admin": {"mon": "allow *", "osd": "allow *"},
    "client.rgw": {"mon": "allow rwx", "osd": "allow rwx"},
    "osd.0": {"mon": "allow profile osd", "osd": "allow *"},
}


def is_installed():
    return all(shutil.which(program) for program in PROGRAMS)


class Ceph:
    """A cluster of one machine in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self._monitors = f"v2:127.0.0.1:{free_port()},v1:127.0.0.1:{free_port()}"
        self._fsid = str(uuid.uuid4())

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        for name in ["run", "log", "mon", "osd"]:
            (self.folder / name).mkdir()
        (self.folder / "ceph.conf").write_text(self.configuration())
        keys = self.folder / "keyring"
        keys.touch()
        for name, capabilities in CAPABILITIES.items():
            allowed = [word for kind, text in capabilities.items() for word in ("--cap", kind, text)]
            self.call("ceph-authtool", keys, "--gen-key", "-n", name, *allowed)
        monitors = self.folder / "monitors"
        self.call("monmaptool", "--create", "--fsid", self._fsid, "--addv", "a", f"[{self._monitors}]", monitors)
        self.call("ceph-mon", "--mkfs", "-i", "a", "--monmap", monitors, "--keyring", keys)
        try:
            self.call("ceph-mon", "-i", "a")
            self.call("ceph", "osd", "create")
            self.call("ceph-osd", "-i", "0", "--mkfs")
            self.call("ceph-osd", "-i", "0")
            self.call("radosgw", "-n", "client.rgw")
            self.wait()
            user = ["--uid=test", "--display-name=test", f"--access-key={KEY}", f"--secret={SECRET}"]
            self.call("radosgw-admin", "-n", "client.rgw", "user", "create", *user)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for path in (self.folder / "run").glob("*.pid"):
            try:
                os.kill(int(path.read_text()), signal.SIGKILL)
            except (ValueError, ProcessLookupError):
                pass

    def call(self, *command):
        env = {**os.environ, "CEPH_CONF": str(self.folder / "ceph.conf")}
        command = [str(word) for word in command]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{command}: {done.stderr}"

    def wait(self):
        deadline = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(self.url, timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                assert time.monotonic() < deadline, "the RADOS Gateway did not start"
                time.sleep(0.2)

    def configuration(self):
        folder = self.folder
        text = f"""
            [global]
            fsid = {self._fsid}
            mon host = [{self._monitors}]
            public network = 127.0.0.0/8
            auth cluster required = cephx
            auth service required = cephx
            auth client required = cephx
            keyring = {folder}/keyring
            osd pool default size = 1
            osd pool default min size = 1
            osd pool default pg num = 2
            osd pool default pgp num = 2
            osd crush chooseleaf type = 0
            mon allow pool size one = true
            mon max pg per osd = 1000
            osd objectstore = memstore
            memstore device bytes = 1073741824
            osd data = {folder}/osd
            mon data = {folder}/mon
            run dir = {folder}/run
            admin socket = {folder}/run/$cluster-$name-$pid.asok
            pid file = {folder}/run/$name.pid
            log file = {folder}/log/$name.log
            setuser match path =
            [client.rgw]
            rgw frontends = beast endpoint=127.0.0.1:{self.port}
            rgw dns name = {DOMAIN}
        """
        return textwrap.dedent(text)
