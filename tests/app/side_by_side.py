"""Runs the cases of a script in processes side by side, for those that wait most of the time."""

import concurrent.futures
import subprocess
import sys
import unittest


def classes(module):
    """Names of those with tests, in the module's order."""
    return [name for name, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, unittest.TestCase)
            and unittest.defaultTestLoader.getTestCaseNames(value)]


def run(names, at_once=4):
    """Each name (a class, or a class and its test) in a process of this script with the same arguments. Returns 1 where one fails."""

    def one(name):
        return subprocess.run([sys.executable, "-B", sys.argv[0], name, *sys.argv[1:]], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        for name, done in zip(names, pool.map(one, names)):
            print(f"== {name}\n{done.stdout}", flush=True)
            failed |= done.returncode != 0
    return failed
