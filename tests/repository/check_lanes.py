#!/usr/bin/env python3
"""Fails where code asks for the features of a processor, or is compiled for some, other than through base/lanes.h.

See "Bits" in docs/contributing.md: one choice of width for all kernels, which tests can change.
"""
import pathlib
import re
import sys

ASKS = re.compile(r"cpu_supports|cpu_is|\btarget(?:_clones)?\s*\(|pragma\s+(?:GCC|clang)\s+(?:target|attribute)|immintrin\.h")
# Those that make the choice, say it, and tell OpenBLAS.
OWN = {"src/base/lanes.h", "src/base/lanes.c", "src/base/platform.c", "src/math/dense/blas.c"}


def problems_of(sources):
    return [f"{path}:{number}: {line.strip()}: use base/lanes.h" for path, text in sources.items() if path not in OWN
            for number, line in enumerate(text.split("\n"), 1) if ASKS.search(line)]


def main(root):
    sources = {path.relative_to(root).as_posix(): path.read_text() for folder in ("src", "app", "bench", "include")
               for path in sorted((root / folder).rglob("*.[ch]"))}
    assert len(problems_of({"src/a.c": '__attribute__((target("avx2"))) f\nif (__builtin_cpu_supports("fma"))'})) == 2
    problems = problems_of(sources)
    print("\n".join(problems) if problems else f"{len(sources)} files")
    return 1 if problems or not OWN <= sources.keys() else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
