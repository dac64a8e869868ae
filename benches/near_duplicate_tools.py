"""Finds near duplicates with datasketch and rensa. near_duplicates.py runs this in their venv.

Reads texts, pairs of their numbers, the length of shingles and a threshold as JSON from stdin. Prints, for
each tool, the CPU seconds for signatures and candidates, the candidates, and its estimate for each pair.
"""

import json
import sys
import time

import datasketch
import rensa
from near_duplicate_texts import shingles

BINS = 128
# The number of bands in queries/dedup_minhash.sql, rounded down to a divisor of the number of bins.
RENSA_BANDS = 16


class Datasketch:
    name = "datasketch"

    def __init__(self, threshold):
        self.index = datasketch.MinHashLSH(threshold=threshold, num_perm=BINS)

    def sign(self, found):
        signature = datasketch.MinHash(num_perm=BINS, seed=1)
        signature.update_batch([shingle.encode() for shingle in found])
        return signature


class Rensa:
    name = "rensa"

    def __init__(self, threshold):
        self.index = rensa.RMinHashLSH(threshold, BINS, RENSA_BANDS)

    def sign(self, found):
        signature = rensa.RMinHash(BINS, 1)
        signature.update(list(found))
        return signature


def measured(tool, sets, pairs):
    started = time.process_time()
    signatures = [tool.sign(found) for found in sets]
    candidates = set()
    for number, signature in enumerate(signatures):
        candidates.update((int(other), number) for other in tool.index.query(signature))
        tool.index.insert(number, signature)
    seconds = time.process_time() - started
    return {
        "seconds": seconds,
        "candidates": [
            (*pair, signatures[pair[0]].jaccard(signatures[pair[1]])) for pair in sorted(candidates)
        ],
        "estimates": [signatures[first].jaccard(signatures[second]) for first, second in pairs],
    }


def main():
    given = json.load(sys.stdin)
    sets = [shingles(text, given["length"]) for text in given["texts"]]
    tools = [Datasketch(given["threshold"]), Rensa(given["threshold"])]
    json.dump({tool.name: measured(tool, sets, given["pairs"]) for tool in tools}, sys.stdout)


if __name__ == "__main__":
    main()
