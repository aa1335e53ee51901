"""igf on published specifications with nothing but file and invariant given: the 16 rows of issue 13.

    python bench/published.py CORPUS [--only TAS ...] [--timeout 120] [--write]

CORPUS is a folder with checkouts of public repositories, each called `owner+name`; nothing of them belongs to this
repository. A file that is not there is left out, and told. `--write` puts the table into bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sections import table
from verdicts import Claim, DecidedClaim, all_decided, write_results

TITLE = "Published specifications, nothing given"
COLUMNS = ("repository", "file", "invariant", "verdict", "lemmas", "cases", "states", "cpu s")
_TOOL, _STUDIES, _MAUDE = "duongtd23+IPSG-tool/examples", "duongtd23+IPSG-TLS", "ariesco+CafeInMaude/examples/CiMPG"
ROWS = (
    (_TOOL, "TAS/tas.cafe", "mutex"),
    (_TOOL, "Qlock/qlock.cafe", "inv1"),
    (_STUDIES, "TAS/tas.cafe", "mutex"),
    (_STUDIES, "Qlock/qlock.cafe", "inv1"),
    (_STUDIES, "MCS/mcs.cafe", "mutex"),
    (_STUDIES, "A-Anderson/anderson.cafe", "mutex"),
    (_STUDIES, "IFF/iff.cafe", "inv1"),
    (_STUDIES, "NSLPK/nslpk.cafe", "inv3"),
    (_STUDIES, "SDS/sds.cafe", "keySe"),
    (_STUDIES, "ASDS-RT/asds.cafe", "inv1"),
    (_MAUDE, "TAS/tas.cafe", "inv1"),
    (_MAUDE, "Qlock/qlock.cafe", "inv1"),
    (_MAUDE, "2p-mutex/2p-mutex.cafe", "inv1"),
    (_MAUDE, "NSLPK/nslpk.cafe", "inv1"),
    (_MAUDE, "Cloud/cloud.cafe", "inv1"),
    (_MAUDE, "SCP/scp.cafe", "inv1"),
)
"""Folder, file and invariant; their authors prove that each of them is one."""


def claims_of(corpus: Path, only: Sequence[str]) -> list[Claim]:
    """The rows whose folder of the case study is asked for, and whose file is there."""
    found = []
    for folder, name, invariant in ROWS:
        file = corpus / folder / name
        if only and file.parent.name not in only:
            continue
        if file.is_file():
            found.append(Claim(file, invariant, True))
        else:
            print(f"left out, not there: {file}", file=sys.stderr)
    return found


def row(found: DecidedClaim, corpus: Path) -> list[str]:
    repository, *path = found.claim.file.relative_to(corpus).parts
    verdict = f"{found.verdict}: {found.reason}" if found.reason else found.verdict
    numbers = [str(found.lemmas), str(found.cases), str(found.states), f"{found.cpu_seconds:.1f}"]
    return [repository.replace("+", "/"), "/".join(path), found.claim.invariant, verdict, *numbers]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="STUDY", help="folders of case studies, TAS or Cloud")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for each igf (120)")
    parser.add_argument("--write", action="store_true", help="write the table into bench/RESULTS.md")
    options = parser.parse_args()
    corpus = options.corpus.resolve()
    found = all_decided(claims_of(corpus, options.only), options.timeout)
    verified = sum(each.verdict == "verified" for each in found)
    note = f"{verified} of {len(found)} verified, at most {options.timeout:g} s each."
    lines = [note, "", *table(COLUMNS, [row(each, corpus) for each in found])]
    print("\n".join(lines))
    if options.write:
        heading = [
            f"## {TITLE}",
            "",
            "`python bench/published.py CORPUS --write`: `otsrw igf FILE --inv I` and no other option.",
        ]
        write_results("published", heading, lines)
    return 12 if any(each.is_right is False for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
