#!/usr/bin/env python3
"""Makes the built-in model of Japanese words, crates/text/src/japanese/model.bin.

    cargo build --release -p corpus-text --example japanese_train
    benches/japanese_model.py FOLDER

FOLDER has the texts of benches/language_texts.py. The model learns where Sudachi splits (mode A, the
short units):
- messages and help of LibreOffice, Firefox, Thunderbird (MPL-2.0), GNOME (CC-BY-SA, GPL), KDE (LGPL,
  GPL), Freeciv (GPL), GIMP (GFDL) and LilyPond (GFDL);
- invented phrases: words of EDICT (CC-BY-SA, Electronic Dictionary Research and Development Group)
  with usual endings, because the texts above have few of the words and forms that people use on the web.

The model holds weights of characters and of groups of two and three, no texts. Takes about ten minutes,
most of them for Sudachi. The same packages give the same model.
"""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

from common import ROOT, tools
from language_texts import members, page, plain

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TRAIN = TARGET / "release/examples/japanese_train"
MODEL = ROOT / "crates/text/src/japanese/model.bin"

SOURCES = "libreoffice", "mozilla", "gnome", "kde", "freeciv"
PACKAGES = "edict", "gimp-help-ja", "lilypond-doc-html-ja"
KANA = re.compile("[ぁ-んァ-ヶ]")
# The maximum length of lines, because Sudachi refuses lines of more than 49,149 bytes.
MAX_CHARACTERS = 3000

# Splits lines of stdin. Words are separated by U+001F.
SPLIT = """
import sys
from sudachipy import Dictionary, SplitMode
sudachi = Dictionary(dict="core").tokenizer(mode=getattr(SplitMode, sys.argv[1]))
for line in sys.stdin.buffer:
    words = (word.surface() for word in sudachi.tokenize(line.decode().rstrip("\\n")))
    sys.stdout.buffer.write("\\x1f".join(filter(None, words)).encode() + b"\\n")
"""

# The endings after a noun, a noun of action (with する) and an adjectival noun (with な).
AFTER_NOUN = """
を が は に の で と も から まで へ や って とか だけ しか さえ など より ばかり です でした だった だ だね だよ だと
だけど ですが ですよ でしょう かな かも じゃない ではない なんて なの なので なのに ならば 的な 的に たち さん 、 。 ！
""".split()
AFTER_ACTION = """
する した します しました して している してた しない しなかった される させる できる しよう したい したら すれば せず しちゃった
""".split()
AFTER_ADJECTIVAL_NOUN = "な に で だ だった です じゃない そうに そうな すぎる さ".split()
# The endings after a verb or an adjective at the end of a clause.
AFTER_CLAUSE = """
。 、 けど、 から、 ので のに ね。 よ。 よね。 かな。 かも。 んです。 んだけど、 のは のが のを ことが ことに ときに ように という
と思う。 と思います。 って言う らしい。 みたい。 そうです。 だろう。 でしょう。 なあ。 わけで、 はずです。 つもり 人 場合 の？
""".split() + [""]
ADJECTIVE = "い く かった くない くて ければ さ そう すぎる くなる そうな くなった かったり".split()
# The last syllables of five-grade verbs before ない, ます, ば, う, and before た or て.
GRADES = {
    "う": "わいえおっ",
    "く": "かきけこい",
    "ぐ": "がぎげごい",
    "す": "さしせそし",
    "つ": "たちてとっ",
    "ぬ": "なにねのん",
    "ぶ": "ばびべぼん",
    "む": "まみめもん",
    "る": "らりれろっ",
}
AFTER_A = "ない なかった れる せる ず なきゃ なければ".split()
AFTER_I = "ます ました ません たい たかった そう ながら すぎ ましょう つつ 方".split()
# After た and て, or だ and で.
AFTER_T = """
て た ている てる てた ちゃう ちゃった とく たら たり てしまった ておく てみる てください てくれる てもらう てきた ていく
""".split()
VOICED = str.maketrans("たてちと", "だでじど")


def verb(word, one_grade):
    """The forms of a verb."""
    stem, last = word[:-1], word[-1]
    a, i, e, o, t = [stem] * 5 if one_grade else [stem + grade for grade in GRADES[last]]
    if word.endswith(("行く", "いく")):
        t = stem + "っ"
    voiced = last in "ぐぬぶむ" and not one_grade
    after_t = [end[0].translate(VOICED) + end[1:] if voiced else end for end in AFTER_T]
    others = ["られる", "させる", "ろ", "よう"] if one_grade else ["る", "ない", ""]
    forms = [word, e + "ば" if not one_grade else stem + "れば", *(e + end for end in others)]
    if not one_grade:
        forms.append(o + "う")
    forms += [a + end for end in AFTER_A if not (one_grade and end in ("れる", "せる"))]
    return forms + [i + end for end in AFTER_I] + [t + end for end in after_t]


def phrases(rng, entry):
    """Generates phrases with a word of EDICT, more of them for a common word."""
    match = re.match(r"(\S+)(?: \[(\S+?)\])? /(.*)/", entry)
    if not match or not re.search("[ぁ-んァ-ヶ一-鿿]", match[1]) or re.search("[A-Za-z;]", match[1]):
        return
    word, reading, meaning = match.groups()
    common = "(P)" in meaning
    kinds = {kind for kinds in re.findall(r"\(([\w,-]+)\)", meaning) for kind in kinds.split(",")}
    five_grades = any(kind.startswith("v5") and kind not in ("v5u-s", "v5aru") for kind in kinds)
    in_kana = common and "uk" in kinds and reading and re.fullmatch("[ぁ-んー]+", reading)
    for form in [word, reading] if in_kana else [word]:
        if five_grades and form[-1] in GRADES:
            clauses = verb(form, one_grade=False)
        elif "v1" in kinds and form.endswith("る"):
            clauses = verb(form, one_grade=True)
        elif "adj-i" in kinds and form.endswith("い"):
            clauses = [form[:-1] + end for end in ADJECTIVE]
        else:
            ends = AFTER_NOUN + 2 * AFTER_ACTION * ("vs" in kinds) + 3 * AFTER_ADJECTIVAL_NOUN * ("adj-na" in kinds)
            for end in rng.sample(ends, 6 if common else 2):
                yield form + end + (rng.choice(AFTER_CLAUSE) if end[-1] in "るたい" else "")
            continue
        for clause in rng.sample(clauses, min(len(clauses), 12 if common else 4)):
            yield clause + rng.choice(AFTER_CLAUSE)


def invented(dictionary):
    """Lines of one to three phrases, so that words have neighbours."""
    rng = random.Random(1)
    made = [phrase for entry in dictionary.splitlines()[1:] for phrase in phrases(rng, entry)]
    rng.shuffle(made)
    while made:
        count = rng.choice((1, 2, 2, 3, 3))
        yield "".join(made[-count:])
        del made[-count:]


def packages(folder):
    """The lines of packages that benches/language_texts.py does not read."""
    debs = folder / "japanese-debs"
    debs.mkdir(exist_ok=True)
    missing = [name for name in PACKAGES if not list(debs.glob(f"{name}_*.deb"))]
    if missing:
        subprocess.run(["apt-get", "download", *missing], cwd=debs, check=True)
    for name in PACKAGES[1:]:
        for path, data in members(next(debs.glob(f"{name}_*.deb"))):
            if path.endswith(".html"):
                yield from map(plain, page(data))
    unpack = f"dpkg-deb --fsys-tarfile {next(debs.glob('edict_*.deb'))} | tar xO ./usr/share/edict/edict"
    dictionary = subprocess.run(["sh", "-c", unpack], check=True, capture_output=True).stdout
    yield from invented(dictionary.decode("euc_jp", "replace"))


def sudachi(python, lines, mode):
    """Returns the lines as split by Sudachi, in bytes."""
    text = "".join(f"{line}\n" for line in lines).encode()
    return subprocess.run([python, "-c", SPLIT, mode], input=text, capture_output=True, check=True).stdout


def main():
    folder = Path(sys.argv[1])
    python = tools(folder)
    lines = [line for source in SOURCES for line in (folder / "texts" / source / "ja.txt").open(encoding="utf-8")]
    lines += packages(folder)
    lines = dict.fromkeys(line.strip() for line in lines if KANA.search(line))
    lines = [line for line in lines if len(line) <= MAX_CHARACTERS]
    random.Random(2).shuffle(lines)
    print(len(lines), "lines,", sum(map(len, lines)), "characters", file=sys.stderr)
    subprocess.run([TRAIN, MODEL], input=sudachi(python, lines, "A"), check=True)


if __name__ == "__main__":
    main()
