"""Computes the result of queries/hocr_average_width.sql from SequenceFiles of hOCR with lxml."""

import re
import sys
from collections import defaultdict

import deflate
from lxml import etree

from sequence_file import records


def widths(page):
    for block in etree.fromstring(page, PARSER).iter("div"):
        title = block.get("title", "")
        if block.get("class") == "ocrx_block" and title.startswith("bbox "):
            x1, _, x2, _ = title.partition(";")[0].split()[1:5]
            yield int(x2) - int(x1)


PARSER = etree.HTMLParser(encoding="utf-8")
pages = defaultdict(list)
for path in sys.argv[1:]:
    for key, page in records(path, deflate.zlib_decompress):
        name = "Z" + "/".join(re.findall("[0-9]{3,15}", key.decode()))
        pages[name].extend(widths(page))
for name, found in sorted(pages.items()):
    if found:
        print(f"{name},{int(sum(found) / len(found))}")
