"""Prints the lowest eigenvalues of K x = lambda M x as scipy computes them.

usage: eigsh_reference.py FILE COUNT

FILE holds a line "SIZE" and lines "k ROW COL VALUE" and "m ROW COL VALUE", both triangles, places given once.
Exit status 77 where scipy is not installed.
"""

import sys

try:
    import numpy
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import eigsh
except ImportError:
    sys.exit(77)


def read(path):
    entries = {"k": ([], [], []), "m": ([], [], [])}
    with open(path) as file:
        size = int(file.readline())
        for line in file:
            name, row, col, value = line.split()
            for target, item in zip(entries[name], (int(row), int(col), float(value))):
                target.append(item)
    return [coo_matrix((v, (i, j)), shape=(size, size)).tocsc() for i, j, v in entries.values()]


k, m = read(sys.argv[1])
values = eigsh(k, k=int(sys.argv[2]), M=m, sigma=0.0, which="LM", v0=numpy.ones(k.shape[0]), return_eigenvectors=False)
for value in sorted(values):
    print("%.17g" % value)
