"""SequenceFiles, written and read by Hadoop itself, with the jars of PySpark."""

import pytest

# zstd is missing, because its native code is not in the wheel. Our own reader tests it.
CODECS = ["deflate", "gzip", "bzip2", "lz4", "snappy"]


@pytest.fixture(scope="module")
def hadoop(spark):
    return Hadoop(spark)


class Hadoop:
    def __init__(self, spark):
        self.jvm = spark.sparkContext._jvm
        self.configuration = spark.sparkContext._jsc.hadoopConfiguration()

    def reader(self, path):
        Reader = self.jvm.org.apache.hadoop.io.SequenceFile.Reader
        file = Reader.file(self.jvm.org.apache.hadoop.fs.Path(str(path)))
        options = self.jvm.java.lang.reflect.Array.newInstance(
            self.jvm.java.lang.Class.forName("org.apache.hadoop.io.SequenceFile$Reader$Option"), 1
        )
        options[0] = file
        return Reader(self.configuration, options)

    def pairs(self, path):
        """Keys and values as shown by Hadoop: numbers and text unchanged, bytes as bytes."""
        reader = self.reader(path)
        make = self.jvm.org.apache.hadoop.util.ReflectionUtils.newInstance
        key = make(reader.getKeyClass(), self.configuration)
        value = make(reader.getValueClass(), self.configuration)
        rows = []
        while reader.next(key, value):
            rows.append((plain(key), plain(value)))
        reader.close()
        return rows

    def about(self, path):
        reader = self.reader(path)
        codec = reader.getCompressionCodec().getClass().getSimpleName()
        about = (reader.isBlockCompressed(), codec, reader.getKeyClassName())
        reader.close()
        return about


def plain(writable):
    name = writable.getClass().getSimpleName()
    if name == "BytesWritable":
        return bytes(writable.copyBytes())
    return str(writable.toString())


@pytest.mark.parametrize("codec", CODECS)
def test_hadoop_reads_a_packed_folder(codec, run, root, samples, tmp_path, hadoop):
    packed = tmp_path / "scans.seq"
    query = root / "queries" / "hocr_to_sequencefile.sql"
    scans = samples / "files" / "scans"
    variables = ["-v", f"input={scans}/", "-v", f"output={packed}", "-v", f"codec={codec}"]
    ran = run("--quiet", "-f", query, *variables)
    assert ran.code == 0, ran.stderr
    files = sorted(path for path in scans.rglob("*") if path.is_file())
    expected = {str(path): path.read_bytes() for path in files if path.suffix != ".gz"}
    pairs = dict(hadoop.pairs(packed))
    assert expected and expected.items() <= pairs.items()
    assert len(pairs) == len(files)
    block, name, key_class = hadoop.about(packed)
    assert block and name.lower().startswith("default" if codec == "deflate" else codec)
    assert key_class == "org.apache.hadoop.io.Text"


def test_spark_reads_numbers_and_many_blocks(rows, tmp_path, spark):
    packed = tmp_path / "numbers.seq"
    rows(
        "COPY (SELECT value AS key, CAST(value AS DOUBLE) / 2 AS value"
        f" FROM generate_series(1, 200000)) TO '{packed}'"
    )
    pairs = spark.sparkContext.sequenceFile(str(packed)).collect()
    assert sorted(pairs) == [(n, n / 2) for n in range(1, 200001)]


def test_spark_reads_texts(rows, tmp_path, spark):
    packed = tmp_path / "texts.seq"
    rows(f"COPY (SELECT 'ключ' || value AS key, value AS value FROM range(3)) TO '{packed}'")
    pairs = spark.sparkContext.sequenceFile(str(packed)).collect()
    assert pairs == [("ключ0", 0), ("ключ1", 1), ("ключ2", 2)]
