"""A hardened build has what TACTUS_HARDENED promises. Usage: check_hardened.py READELF CC BUILD PROGRAM LIBRARY..."""
import pathlib
import re
import subprocess
import sys

readelf, cc, build, program, *libraries = sys.argv[1:]
failed = False


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def expect(fact, file, what):
    global failed
    if not fact:
        print(f"{file}: {what}")
        failed = True


def marks(file):
    """The marks of branch protection of each object in a file: {object: "IBT, SHSTK"}."""
    parts = re.split(r"^File: (.*)\n", run(readelf, "-nW", file), flags=re.M)
    objects = dict(zip(parts[1::2], parts[2::2])) or {str(file): parts[0]}
    return {name: " ".join(re.findall(r"feature: (.*)", notes)) for name, notes in objects.items()}


def protected(text):
    return "IBT" in text and "SHSTK" in text or "BTI" in text


# The linker marks a program only where the C library's start files are marked, too.
start = all(protected(text) for name in ("Scrt1.o", "crti.o") for text in marks(run(cc, f"-print-file-name={name}").strip()).values())
for file in [program, *libraries]:
    dynamic, symbols, segments = run(readelf, "-dW", file), run(readelf, "--dyn-syms", "-W", file), run(readelf, "-lW", file)
    expect("GNU_RELRO" in segments, file, "no RELRO: link with -z relro")
    expect(re.search(r"GNU_STACK.* RW +0x", segments), file, "the stack is executable")
    expect("BIND_NOW" in dynamic, file, "relocations are lazy: link with -z now")
    expect("__stack_chk_fail" in symbols, file, "no stack protector")
    expect(re.search(r"__(mem|str|v?sn?)\w+_chk", symbols), file, "no function of _FORTIFY_SOURCE")
    expect(protected(marks(file)[file]) or not start, file, "not marked for branch protection")
expect("PIE" in run(readelf, "-dW", program), program, "not position-independent: link with -pie")

archives = sorted(pathlib.Path(build).rglob("libtac_*.a"))
objects = {name: text for archive in archives for name, text in marks(archive).items()}
for name, text in objects.items():
    expect(protected(text), name, "not marked for branch protection")
expect(len(objects) > 300, build, f"{len(objects)} objects: this looks at the wrong thing")
print(f"{1 + len(libraries)} files, {len(objects)} objects; start files of the C library {'are' if start else 'are not'} marked")
sys.exit(failed)
