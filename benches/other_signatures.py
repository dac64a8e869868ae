"""Measures another tool's MinHash signatures: reads Parquet, prints MB per CPU second.

    python other_signatures.py TOOL SHINGLES FILE

TOOL is `daft` or a method of rensa's classes, SHINGLES `5 characters` or `5 words`.
"""

import os
import resource
import sys

BINS = 128


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def with_daft(path, shingles):
    os.environ["DAFT_PROGRESS_BAR"] = "0"
    import daft

    if shingles != "5 words":
        sys.exit("daft has shingles of words only")
    texts = daft.read_parquet(path).collect()
    started = cpu()
    texts.select(texts["text"].minhash(num_hashes=BINS, ngram_size=5)).collect()
    return cpu() - started


def characters(text):
    return [text[at : at + 5] for at in range(len(text) - 4)]


def words(text):
    text = text.split()
    return [" ".join(text[at : at + 5]) for at in range(len(text) - 4)]


def with_rensa(path, shingles, method):
    import pyarrow.parquet as parquet
    import rensa

    texts = parquet.read_table(path)["text"].to_pylist()
    shingle = words if shingles == "5 words" else characters
    name, method = method.split(".")
    started = cpu()
    getattr(getattr(rensa, name), method)(map(shingle, texts), BINS, 1)
    return cpu() - started


def main():
    tool, shingles, path = sys.argv[1:]
    print(with_daft(path, shingles) if tool == "daft" else with_rensa(path, shingles, tool), flush=True)
    # Python 3.11 sometimes crashes at exit while Daft's threads are running.
    os._exit(0)


if __name__ == "__main__":
    main()
