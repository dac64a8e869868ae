#!/usr/bin/env python3
"""Measures precision and recall of `text_mask_pii` on generated lines, compared with datatrove.

    cargo build --release
    benches/personal_data.py [PROGRAM] [--examples=N]

Half of the lines have personal data of one kind, half have similar but harmless data. A line is correct
if exactly its personal data is replaced. datatrove's `PIIFormatter` knows only e-mail and IP addresses.
`--examples` prints incorrect lines.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from common import option, print_table, program, tools

LINES_OF_A_FORM = 12

DATATROVE = """
import json, sys
from datatrove.pipeline.formatters import PIIFormatter
formatter = PIIFormatter(email_replacement='<EMAIL>', ip_replacement='<IP>')
for line in open(sys.argv[1]):
    print(json.dumps(formatter.format(json.loads(line)['document'])))
"""

FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def luhn(digits):
    """Adds the check digit of payment cards."""
    doubled = [int(digit) * (2 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits))]
    return digits + str(-sum(value - 9 if value > 9 else value for value in doubled) % 10)


def individual(digits):
    """Adds the check digit of Japanese individual numbers to eleven digits."""
    weights = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
    rest = sum(int(digit) * weight for digit, weight in zip(digits, weights)) % 11
    return digits + str(0 if rest <= 1 else 11 - rest)


class Forms:
    """Generates the values in lines."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def digits(self, count):
        return "".join(self.rng.choices("0123456789", k=count))

    def grouped(self, digits, separator):
        return separator.join(digits[at : at + 4] for at in range(0, len(digits), 4))

    def ipv4(self):
        return f"{self.rng.choice((8, 31, 62, 81, 93, 133, 151, 185, 203, 210))}.{'.'.join(str(self.rng.randint(1, 254)) for _ in range(3))}"

    def ipv6(self):
        return f"2a{self.rng.randint(0, 9)}{self.rng.randint(0, 9)}:" + ":".join(f"{self.rng.randint(1, 65535):x}" for _ in range(7))

    def name(self):
        return self.rng.choice(("ann", "bob.lee", "c-mori", "dora_99", "e.f.g", "hans+news"))

    def host(self):
        return self.rng.choice(("mail.example", "a-b.co.jp", "sub.uni.example", "x1.org"))

    def personal(self):
        """Returns pairs of a kind and a line with personal data between ⟦ and ⟧."""
        say = ("Write to {} today.", "contact: {}", "連絡先は{}です。", "（{}）", "Name, {}, Tokyo")
        card = luhn("4" + self.digits(14))
        number = individual(self.digits(11))
        last = self.digits(4)
        area = self.rng.choice(("03", "06"))
        values = [
            ("email", f"{self.name()}@{self.host()}"),
            ("email", f"{self.name()}@{self.host()}".translate(FULL_WIDTH)),
            ("email", f"{self.name()}@{self.rng.choice(('bücher.example', 'münchen.example', 'пример.рф', '例え.jp'))}"),
            ("ip", self.ipv4()),
            ("ip", self.ipv6()),
            ("ip", f"2a00:1450::{self.rng.randint(1, 65535):x}"),
            ("ip", self.ipv4().translate(FULL_WIDTH)),
            ("phone", f"{area}-{self.rng.randint(3000, 9999)}-{last}"),
            ("phone", f"{area}-{self.rng.randint(3000, 9999)}-{last}".translate(FULL_WIDTH)),
            ("phone", f"0{self.rng.choice('789')}0{self.rng.randint(1, 9)}{self.digits(7)}"),
            ("phone", f"+81 {self.rng.choice('789')}0 {self.digits(4)} {last}"),
            ("phone", f"({self.rng.randint(201, 989)}) {self.rng.randint(200, 999)}-{last}"),
            ("phone", f"+49 30 {self.rng.randint(100000, 9999999)}"),
            ("card", self.grouped(card, self.rng.choice((" ", "-", "")))),
            ("card", luhn("37" + self.digits(12))),
        ]
        for kind, value in values:
            yield kind, self.rng.choice(say).format(f"⟦{value}⟧")
        yield "phone", f"TEL {'⟦'}{area}{self.rng.randint(30, 99)}{self.digits(6)}{'⟧'}"
        yield "my_number", f"マイナンバーは⟦{self.grouped(number, self.rng.choice((' ', '-', '')))}⟧です。"
        yield "my_number", f"My Number: ⟦{number}⟧"

    def harmless(self):
        """Returns pairs of a kind and a harmless line that looks similar."""
        number = individual(self.digits(11))
        yield "email", f"Follow @{self.name()} and @{self.rng.randint(1, 99)} there."
        yield "email", f"価格@{self.rng.randint(1, 99)}円、2個@{self.rng.randint(1, 99)}"
        yield "email", f"git@v{self.rng.randint(1, 9)}.{self.rng.randint(0, 9)} is a tag"
        yield "ip", f"{self.rng.choice(('version', 'Ver.', 'release', 'build', 'バージョン'))} {self.rng.randint(1, 99)}.{self.rng.randint(0, 99)}.{self.rng.randint(0, 99)}.{self.rng.randint(0, 99)}"
        yield "ip", f"see {self.rng.choice(('section', 'clause', '§', 'table'))} {self.rng.randint(1, 30)}.{self.rng.randint(1, 9)}.{self.rng.randint(1, 9)}.{self.rng.randint(1, 9)}"
        yield "ip", f"the router at {self.rng.choice(('192.168', '10.0', '172.16'))}.{self.rng.randint(0, 254)}.{self.rng.randint(1, 254)}"
        yield "ip", f"at {self.rng.randint(10, 23)}:{self.rng.randint(10, 59)}:{self.rng.randint(10, 59)}, or std::{self.rng.choice(('fs', 'fmt', 'dead'))}::{self.rng.choice(('File', 'beef'))}"
        yield "ip", f"fe80::{self.rng.randint(1, 9999)} is local"
        yield "phone", f"on {self.rng.randint(1990, 2030)}-{self.rng.randint(10, 12)}-{self.rng.randint(10, 28)} at noon"
        yield "phone", f"ISBN 978-4-00-{self.digits(6)}-{self.digits(1)}"
        yield "phone", f"order 1{self.digits(9)} of {self.digits(8)}"
        yield "phone", f"{self.rng.randint(1000, 9999)} {self.rng.randint(1000, 9999)} {self.rng.randint(1000, 9999)} people"
        yield "phone", f"price 1,{self.digits(3)},{self.digits(3)}.00 and {self.rng.random():.10f}"
        yield "card", f"tracking 1{self.digits(15)}"
        yield "card", f"4{self.digits(3)} 5{self.digits(3)} rooms"
        yield "my_number", f"order {number} was sent"
        yield "my_number", f"article {self.grouped(number, ' ')}"
        yield "my_number", f"JAN 4{self.digits(12)} 倉庫"


def lines():
    forms = Forms(5)
    for _ in range(LINES_OF_A_FORM):
        yield from ((kind, line, True) for kind, line in forms.personal())
        yield from ((kind, line, False) for kind, line in forms.harmless())


def masked_by_us(binary, path):
    query = f"SELECT text_mask_pii(document) AS document FROM '{path}'"
    out = subprocess.check_output([binary, "--quiet", "--threads", "1", "--format", "ndjson", "-c", query], text=True)
    return [json.loads(line)["document"] for line in out.splitlines()]


def masked_by_datatrove(folder, path):
    out = subprocess.check_output([tools(folder), "-c", DATATROVE, path], text=True)
    return [json.loads(line) for line in out.splitlines() if line.startswith('"')]


def judge(made, masked, kinds, examples):
    """Returns the rows of a table: per kind, the lines with data, those found, the harmless lines, and
    those changed."""
    counts = {kind: [0, 0, 0, 0] for kind in kinds}
    for (kind, line, personal), result in zip(made, masked, strict=True):
        if kind not in kinds:
            continue
        plain = line.replace("⟦", "").replace("⟧", "")
        if personal:
            expected = re.sub("⟦.*⟧", f"<{kind.upper()}>", line)
            found = result == expected
            counts[kind][0] += 1
            counts[kind][1] += found
        else:
            found = result == plain
            counts[kind][2] += 1
            counts[kind][3] += not found
        if not found and examples > 0:
            examples -= 1
            print(f"{kind}: {line}  ->  {result}", file=sys.stderr)
    for kind, (personal, found, harmless, wrong) in counts.items():
        precision = f"{found / (found + wrong):.3f}" if found + wrong else "-"
        yield kind, str(personal), str(harmless), precision, f"{found / personal:.3f}"


def main():
    binary, examples = program(), int(option("examples") or 0)
    made = list(lines())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.jsonl"
        plain = (line.replace("⟦", "").replace("⟧", "") for _, line, _ in made)
        path.write_text("".join(json.dumps({"document": line}) + "\n" for line in plain))
        ours = masked_by_us(binary, path)
        theirs = masked_by_datatrove(binary.parent, path)
    kinds = ("email", "ip", "phone", "card", "my_number")
    rows = [("corpus-sql", *row) for row in judge(made, ours, kinds, examples)]
    rows += [("datatrove", *row) for row in judge(made, theirs, ("email", "ip"), 0)]
    print_table(("", "kind", "lines with data", "lines without", "precision", "recall"), rows)


if __name__ == "__main__":
    main()
