"""Azure Blob Storage for tests: Azurite, from npm."""

import base64
import hashlib
import hmac
import shutil
import subprocess
import urllib.request
from email.utils import formatdate
from pathlib import Path

PACKAGE = Path(__file__).parent / "package.json"

# The account and key of Azurite.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

VERSION = "2021-08-06"


def installed(folder):
    """Returns the program Azurite, which it installs into a folder if it is missing."""
    program = folder / "node_modules" / ".bin" / "azurite-blob"
    copy = folder / "package.json"
    if not program.exists() or copy.read_text() != PACKAGE.read_text():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(PACKAGE, copy)
        command = ["npm", "install", "--no-audit", "--no-fund", "--omit=dev"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return program


class Azure:
    """The server and its container, prepared and inspected by tests."""

    def __init__(self, endpoint, container):
        self.endpoint = endpoint
        self.container = container

    @property
    def env(self):
        return {
            "AZURE_STORAGE_ACCOUNT_NAME": ACCOUNT,
            "AZURE_STORAGE_ACCOUNT_KEY": KEY,
            "AZURE_ENDPOINT": f"{self.endpoint}/{ACCOUNT}",
        }

    @property
    def options(self):
        """The same settings as options of a statement."""
        return {
            "azure.account_name": ACCOUNT,
            "azure.account_key": KEY,
            "azure.endpoint": f"{self.endpoint}/{ACCOUNT}",
        }

    def create_container(self):
        self.call("PUT", f"/{self.container}", "restype:container", {})

    def call(self, method, path, query, headers):
        """A signed request without a body."""
        headers = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": VERSION, **headers}
        signed = "".join(f"{name}:{value}\n" for name, value in sorted(headers.items()))
        text = f"{method}{chr(10) * 12}{signed}/{ACCOUNT}/{ACCOUNT}{path}" + (f"\n{query}" if query else "")
        mac = hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()
        headers["Authorization"] = f"SharedKey {ACCOUNT}:{base64.b64encode(mac).decode()}"
        url = f"{self.endpoint}/{ACCOUNT}{path}" + (f"?{query.replace(':', '=')}" if query else "")
        request = urllib.request.Request(url, method=method, headers=headers)
        with urllib.request.urlopen(request) as answer:
            return answer.read()
