#!/usr/bin/env python3
"""Runs a test of the package: run.py TEST.py [NAME ...]. Without numpy it is skipped (77)."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

if __name__ == "__main__":
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("no numpy: scripts/setup python")
        sys.exit(77)
    name = os.path.splitext(os.path.basename(sys.argv[1]))[0]
    unittest.main(module=name, argv=[name] + sys.argv[2:], verbosity=2)
