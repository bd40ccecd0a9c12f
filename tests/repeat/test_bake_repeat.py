#!/usr/bin/env python3
"""Bakes of the same thing in many processes, with any number of threads, give the same bits. Usage:
test_bake_repeat.py BAKE_ONCE TIMES"""

import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

KINDS = ["reduced15", "reduced40", "boundary", "near", "finite", "loose", "field", "soup", "points", "embedded",
         "deformed", "loads", "vademecum"]
THREADS = [1, 3, 16, 2]


def main():
    program, times = sys.argv[1], int(sys.argv[2])
    if "TACTUS_TEST_LIGHT" in os.environ:  # a sanitizer build
        times = min(times, 2)
    failed = False
    with tempfile.TemporaryDirectory(prefix="tactus-repeat-") as folder:

        def bake(job):
            path = os.path.join(folder, f"{os.getpid()}-{job[0]}-{job[1]}")
            variables = dict(os.environ, TACTUS_THREADS=str(THREADS[job[1] % len(THREADS)]))
            result = subprocess.run([program, job[0], path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    env=variables)
            if os.path.exists(path):
                os.remove(path)
            return result.stdout.strip() if result.returncode == 0 else f"failed: {result.stderr.strip()}"

        # Several at a time: whatever depends on how threads are scheduled gets its chance.
        with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
            for kind in KINDS:
                sums = collections.Counter(pool.map(bake, [(kind, i) for i in range(times)]))
                good = len(sums) == 1 and not next(iter(sums)).startswith("failed")
                failed |= not good
                print(f"{kind}: {times} bakes, {len(sums)} results{'' if good else ': ' + str(dict(sums))}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
