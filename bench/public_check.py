"""`otsrw check` on public specifications: how many claims of each kind are proved, refuted and open.

    python bench/public_check.py CORPUS [--only NAME ...] [--timeout S] [--write]

CORPUS is a folder with checkouts of public repositories, each called `owner+name`; nothing of them belongs to this
repository. A file that is not there is left out, and told. `--write` puts the table into bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sections import table
from tools import OTSRW
from verdicts import write_results

TITLE = "otsrw check on public specifications"
KINDS = ("order", "complete", "terminating", "equality", "protected")
STATUSES = ("proved", "refuted", "unknown")


@dataclass(frozen=True, slots=True)
class PublicFile:
    """A specification of a repository: the files to load, one after the other."""

    name: str
    repository: str
    paths: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.name} {' + '.join(self.paths)}"


def _files(name: str, repository: str, *paths: str) -> list[PublicFile]:
    return [PublicFile(name, repository, tuple(path.split("+"))) for path in paths]


FILES = (
    *_files("PACE", "BSI-Bund+CafeOBJ-PACE", "pace.mod", "pace.mod+invariants.mod"),
    *_files(
        "IPSG", "duongtd23+IPSG-TLS", "TAS/tas.cafe", "Qlock/qlock.cafe", "IFF/iff.cafe", "Cloud/cloud.cafe",
        "A-Anderson/anderson.cafe", "ASDS-RT/asds.cafe", "SDS/sds.cafe", "NSLPK/nslpk.cafe", "MCS/mcs.cafe",
        "SKP/SKP.cafe", "TLS/tls12.cafe+TLS/invariants.cafe",
    ),
    *_files("TLS 1.0", "duongtd23+tls10-cimpg", "tls.cafe", "IFF/iff.cafe"),
    *_files(
        "CafeInMaude", "ariesco+CafeInMaude", "examples/CiMPG/2p-mutex/2p-mutex.cafe", "examples/CiMPG/TAS/tas.cafe",
        "examples/CiMPG/Qlock/qlock.cafe", "examples/CiMPG/Cloud/cloud.cafe", "examples/CiMPG/SCP/scp.cafe",
        "examples/CiMPG/abp/abp.cafe", "examples/CiMPG/NSLPK/nslpk.cafe", "examples/CCiMPG/ABP/abp2.cafe",
        "examples/CCiMPG/MCS/mcs.cafe", "examples/CCiMPG/NSLPK2/nslpk.cafe",
    ),
    *_files("PQSSH", "duongtd23+PQSSH", "PQ-SSH/pqssh.cafe+PQ-SSH/invariants.cafe"),
    *_files("BB84", "canhminhdo+bb84", "cafeobj/bb84.cafe"),
    *_files(
        "CafeOBJ", "CafeOBJ+cafeobj", "doc/examples/flag.mod", "doc/examples/manexs/Mcounter.mod",
        "doc/examples/manexs/Maccount.mod", "doc/examples/bank-account.mod", "doc/examples/atm.mod",
        "doc/examples/cws.mod", "doc/examples/tel.mod", "doc/examples/ubuffer.mod", "doc/examples/bag.mod",
        "doc/examples/list.mod", "doc/examples/sorting.mod", "doc/examples/simple-nat.mod", "doc/examples/integer.mod",
        "doc/examples/path.mod", "doc/examples/watch.mod",
    ),
    *_files(
        "hazard pointers", "duongtd23+Reclamation-CafeOBJ-verification", "common.cafe+shared-counter/sc-hp.cafe",
        "common.cafe+stack/stack.cafe",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checked:
    """What check said of a file; `failure` if it did not end in a verdict."""

    file: PublicFile
    document: dict[str, Any]
    seconds: float
    failure: str = ""

    @property
    def row(self) -> list[str]:
        if self.failure:
            return [self.file.title, self.failure, *[""] * len(KINDS), "", f"{self.seconds:.1f}"]
        told = [each for each in self.document["obligations"] if each["decisive"]]
        counts = Counter((each["kind"], each["status"]) for each in told)
        cells = [" / ".join(str(counts[kind, status]) for status in STATUSES) for kind in KINDS]
        trouble = {e["kind"] for e in told if e["kind"] not in KINDS and e["status"] != "proved"}
        signature = ", ".join(sorted(trouble)) or "in order"
        return [self.file.title, self.document["verdict"], *cells, signature, f"{self.seconds:.1f}"]

    @property
    def witnesses(self) -> list[tuple[str, str]]:
        """The refuted claims, with their witnesses."""
        told = self.document.get("obligations", ())
        return [(e["kind"], e["witness"]) for e in told if e["status"] == "refuted" and e["decisive"]]


def checked(file: PublicFile, corpus: Path, timeout: float) -> Checked:
    """Run `otsrw check` on the files, loaded one after the other."""
    paths = [(corpus / file.repository / path).resolve() for path in file.paths]
    with tempfile.TemporaryDirectory() as folder:
        main = paths[0]
        if len(paths) > 1:
            main = Path(folder) / "all.cafe"
            main.write_text("".join(f"in {path}\n" for path in paths), encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        words = [*OTSRW, "check", str(main), "--json"]
        try:
            ended = subprocess.run(
                words, check=False, capture_output=True, text=True, timeout=timeout, cwd=paths[-1].parent
            )
        except subprocess.TimeoutExpired:
            return Checked(file, {}, timeout, f"not ended in {timeout:.0f} s")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if ended.returncode not in (0, 3, 12):
        first = (ended.stderr.strip().splitlines() or ["?"])[0]
        return Checked(file, {}, seconds, f"exit {ended.returncode}: {first.rsplit(': ', 1)[-1]}")
    return Checked(file, json.loads(ended.stdout), seconds)


def lines_of(results: list[Checked]) -> list[str]:
    """The table, with the places of the files."""
    headings = ["file", "verdict", *KINDS, "signature", "cpu s"]
    return [
        "Every cell says proved / refuted / open; only what the system depends on is counted.",
        "",
        *table(headings, [result.row for result in results]),
        "",
        "- command: `python bench/public_check.py CORPUS --write`; cpu is user and system time, Maude included.",
        "  The repositories are `owner/name` where the folders of CORPUS are `owner+name`: "
        + ", ".join(dict.fromkeys(file.repository.replace("+", "/", 1) for file in FILES)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names or parts of paths")
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--write", action="store_true", help="write the table into bench/RESULTS.md")
    options = parser.parse_args()
    results = []
    for file in FILES:
        if options.only and not any(word in file.title for word in options.only):
            continue
        missing = [path for path in file.paths if not (options.corpus / file.repository / path).exists()]
        if missing:
            print(f"{file.title}: not there", file=sys.stderr)
            continue
        results.append(checked(file, options.corpus, options.timeout))
        print(" | ".join(results[-1].row), flush=True)
        for kind, witness in results[-1].witnesses:
            print(f"    {kind}: {witness}", flush=True)
    if options.write:
        write_results("public-check", [f"## {TITLE}"], lines_of(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
