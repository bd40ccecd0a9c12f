#!/usr/bin/env python3
"""Makes what the package knows of the library from its headers: structs, enums, functions, and what is said of them.

    python3 python/generate.py            writes python/tactus/abi.py and src/scene/layout.c
    python3 python/generate.py --check    says whether both are as the headers have them; changes nothing

Headers are plain: typedefs of enums and structs, opaque structs, functions, and comments before or behind each."""

import keyword
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "tactus"
ABI = ROOT / "python" / "tactus" / "abi.py"
LAYOUT = ROOT / "src" / "scene" / "layout.c"

TOKEN = re.compile(r'(?P<comment>/\*.*?\*/)|(?P<directive>^[ \t]*#(?:\\\n|[^\n])*?(?=/\*|$))|(?P<word>[A-Za-z_]\w*)|'
                   r'(?P<number>[0-9][\w.]*(?:[eE][-+][0-9]+)?)|(?P<sign>[^\s])', re.S | re.M)
SCALARS = {"int": ("c_int", "int"), "double": ("c_double", "float"), "float": ("c_float", "float"),
           "bool": ("c_bool", "bool"), "char": ("c_char", "bytes"), "size_t": ("c_size_t", "int"),
           "int32_t": ("c_int32", "int"), "int64_t": ("c_int64", "int"), "uint32_t": ("c_uint32", "int"),
           "uint64_t": ("c_uint64", "int")}


class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.last_line = line + text.count("\n")


class Type:
    """What a declarator says: `kind` is "base" (name), "pointer" (of), "array" (of, count) or "function" (of, arguments)."""

    def __init__(self, kind, name="", of=None, count="", arguments=()):
        self.kind, self.name, self.of, self.count, self.arguments = kind, name, of, count, arguments


def comment_text(token):
    """The words of a comment, paragraphs kept."""
    text = re.sub(r"\n[ \t]*\* ?", "\n", token.text[2:-2]).strip()
    paragraphs = [re.sub(r"\s*\n\s*", " ", p) if not p.startswith("  ") else p for p in re.split(r"\n\s*\n", text)]
    return "" if text.startswith("----") else "\n\n".join(paragraphs)


def tokens_of(text):
    tokens = []
    for match in TOKEN.finditer(text):
        tokens.append(Token(match.lastgroup, match.group(), text.count("\n", 0, match.start()) + 1))
    return tokens


def declarations(tokens, end=";"):
    """Splits into (tokens, what is said of them) at each `end`, with the comment before or behind on the same line."""
    result, current, before, depth = [], [], None, 0
    for index, token in enumerate(tokens):
        if token.kind == "comment":
            if current and depth > 0:
                current.append(token)
            elif not current:
                if result and token.line == result[-1][2] and token is tokens[index]:
                    comment = comment_text(token)
                    result[-1][1] = f"{result[-1][1]} {comment}".strip() if result[-1][1] else comment
                    before = None
                else:
                    before = token
            else:
                before = token if before is None else before
            continue
        if token.kind == "directive":
            if not current:
                before = None
            continue
        if not current:
            near = before is not None and before.last_line + 1 >= token.line
            comment = comment_text(before) if near else ""
            before = None
        if token.text in "{(":
            depth += 1
        elif token.text in "})":
            depth -= 1
        if token.text == end and depth == 0:
            if before is not None:
                comment = f"{comment} {comment_text(before)}".strip()
                before = None
            result.append([current, comment, token.last_line])
            current = []
        else:
            current.append(token)
    if current:
        if before is not None:
            comment = f"{comment} {comment_text(before)}".strip()
        result.append([current, comment, current[-1].last_line])
    return result


class Declarator:
    """Reads `const T *a[3], (*b)(int)` and the like."""

    def __init__(self, tokens):
        self.words = [t.text for t in tokens if t.kind != "comment"]
        self.at = 0

    def peek(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self):
        self.at += 1
        return self.words[self.at - 1]

    def skip_qualifiers(self):
        while self.peek() in ("const", "struct", "enum", "TAC_API", "extern"):
            self.take()

    def base(self):
        self.skip_qualifiers()
        name = self.take()
        self.skip_qualifiers()
        return Type("base", name)

    def declarator(self, of):
        """(name, type); the name is "" where there is none."""
        while self.peek() == "*":
            self.take()
            of = Type("pointer", of=of)
            self.skip_qualifiers()
        inner = None
        name = ""
        if self.peek() == "(" and self.words[self.at + 1] in ("*", "("):
            self.take()
            start = self.at
            depth = 1
            while depth:
                depth += {"(": 1, ")": -1}.get(self.take(), 0)
            inner = self.words[start:self.at - 1]
        elif re.match(r"[A-Za-z_]", self.peek()):
            name = self.take()
        counts = []
        while self.peek() in ("[", "("):
            if self.take() == "[":
                count = []
                while self.peek() != "]":
                    count.append(self.take())
                self.take()
                counts.append(" ".join(count))
            else:
                of = Type("function", of=of, arguments=self.arguments())
        for count in reversed(counts):
            of = Type("array", of=of, count=count)
        if inner is None:
            return name, of
        nested = Declarator([])
        nested.words = inner
        return nested.declarator(of)

    def arguments(self):
        arguments = []
        while self.peek() != ")":
            base = self.base()
            arguments.append(self.declarator(base))
            if self.peek() == ",":
                self.take()
        self.take()
        return [] if len(arguments) == 1 and arguments[0][1].name == "void" else arguments

    def all(self):
        base = self.base()
        result = [self.declarator(base)]
        while self.peek() == ",":
            self.take()
            result.append(self.declarator(base))
        if self.peek():
            raise ValueError(f"cannot read {' '.join(self.words)}")
        return result


def python_name(c_name):
    return c_name[3:] if c_name.startswith("tac") else c_name


def field_name(c_name):
    """Python's own words get an underscore."""
    return c_name + "_" if keyword.iskeyword(c_name) else c_name


class Headers:
    def __init__(self, folder):
        self.constants, self.constants_comment = {}, {}
        self.enums, self.structs, self.callbacks, self.functions = {}, {}, {}, {}
        self.order, self.opaque = [], set()
        self.read = set()
        for path in sorted(folder.glob("*.h")):
            self.add(path)

    def add(self, path):
        if path.name in self.read:
            return
        self.read.add(path.name)
        text = path.read_text()
        for name in re.findall(r"#include <tactus/(\w+\.h)>", text):
            self.add(path.parent / name)
        text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
        text = re.sub(r"^static inline [^{]*\{.*?^\}$", "", text, flags=re.S | re.M)  # no library has them
        tokens = [t for t in tokens_of(text) if t.text not in ("TAC_BEGIN_DECLS", "TAC_END_DECLS")]
        for index, token in enumerate(tokens):
            match = re.match(r"\s*#define\s+(TAC_\w+)\s+([0-9][\w.+-]*)\s*$", token.text)
            if match and token.kind == "directive":
                behind = tokens[index + 1] if index + 1 < len(tokens) else None
                comment = comment_text(behind) if behind and behind.kind == "comment" and behind.line == token.line else ""
                self.constant(match.group(1), match.group(2), comment)
        for tokens, comment, _ in declarations(tokens):
            self.declare(path.name, tokens, comment)

    def constant(self, name, text, comment):
        self.constants[name] = eval(re.sub(r"\b([0-9]+)u\b", r"\1", text), {}, dict(self.constants))  # our own headers
        self.constants_comment[name] = comment

    def body(self, tokens):
        start = next(i for i, t in enumerate(tokens) if t.text == "{")
        end = next(i for i in reversed(range(len(tokens))) if tokens[i].text == "}")
        return tokens[start + 1:end]

    def declare(self, header, tokens, comment):
        words = [t.text for t in tokens if t.kind != "comment"]
        braces = "{" in words
        if words[0] == "enum" or words[:2] == ["typedef", "enum"]:
            members, value = [], -1
            for member, comment_of, _ in declarations(self.enum_body(tokens), ","):
                parts = [t.text for t in member if t.kind != "comment"]
                if not parts:
                    continue
                text = " ".join(parts[2:]) if len(parts) > 1 else str(value + 1)
                self.constant(parts[0], text, comment_of)
                value = self.constants[parts[0]]
                members.append((parts[0], value, comment_of))
            if words[0] == "typedef":
                self.enums[words[-1]] = (header, comment, members)
                self.order.append(words[-1])
                for name, _, _ in members:
                    del self.constants_comment[name]
        elif words[:2] == ["typedef", "struct"] and braces:
            fields = []
            for field, comment_of, _ in declarations(self.body(tokens)):
                several = Declarator(field).all()
                comment_of = f"{', '.join(name for name, _ in several)}: {comment_of}" if comment_of else ""
                for number, (name, of) in enumerate(several):
                    fields.append((name, of, comment_of if number == 0 else ""))
            self.structs[words[-1]] = (header, comment, fields)
            self.order.append(words[-1])
        elif words[0] == "struct" and len(words) == 2 or words[:2] == ["typedef", "struct"]:
            self.opaque.add(words[-1] if words[0] == "typedef" else words[1])
        elif words[0] == "typedef":
            (name, of), = Declarator(tokens[1:]).all()
            self.callbacks[name] = (header, comment, of.of if of.kind == "pointer" else of)
            self.order.append(name)
        elif "(" in words:
            (name, of), = Declarator(tokens).all()
            if words[0] == "TAC_API" and name.startswith("tac_"):
                self.functions[name] = (header, comment, of, self.signature(words))
        else:
            raise ValueError(f"{header}: cannot read {' '.join(words)}")

    def enum_body(self, tokens):
        """With comments behind a comma counted to the member before it, as people read them."""
        body, result = self.body(tokens), []
        for token in body:
            before = [t for t in result if t.kind != "comment"]
            if token.kind == "comment" and before and before[-1].text == "," and before[-1].line == token.line:
                result.insert(len(result) - 1, token)
            else:
                result.append(token)
        return result

    @staticmethod
    def signature(words):
        text = " ".join(words[1:])
        text = re.sub(r"\s*([(),\[\]])\s*", r"\1", text).replace(",", ", ")
        return re.sub(r"\* +", "*", text)

    # ---- as Python ----

    def ctype(self, of, in_struct):
        if of.kind == "base":
            if of.name in SCALARS:
                return SCALARS[of.name][0]
            if of.name in self.enums:
                return "c_int"
            if of.name == "void":
                return "None"
            if of.name in self.callbacks and not in_struct:
                return "c_void_p"  # takes a function, or None
            return python_name(of.name)
        if of.kind == "array":
            if not in_struct:
                return "c_void_p"
            return f"{self.ctype(of.of, True)} * {self.count(of.count)}"
        if of.kind == "function":
            arguments = [self.ctype(argument, False) for _, argument in of.arguments]
            return f"CFUNCTYPE({', '.join([self.ctype(of.of, False)] + arguments)})"
        if of.of.kind == "base" and of.of.name == "char":
            return "c_char_p"
        if of.of.kind == "function" and in_struct:
            return self.ctype(of.of, in_struct)
        return "c_void_p"

    def count(self, text):
        return eval(text, {}, dict(self.constants)) if text else 0

    def hint(self, of):
        if of.kind == "base":
            if of.name in SCALARS:
                return SCALARS[of.name][1]
            if of.name == "tacVec3":
                return "np.ndarray"
            return python_name(of.name)
        if of.kind == "array":
            return "str" if of.of.name == "char" else "np.ndarray"
        if of.kind == "pointer" and of.of.name == "char":
            return "Optional[str]"
        return "Any"

    def converted(self, of):
        """The third of a field's description: which enum a number is."""
        return of.name if of.kind == "base" and of.name in self.enums else ""


def prefix_of(members):
    """What all names of an enum begin with, up to an underscore."""
    names = [name for name, _, _ in members]
    prefix = names[0]
    for name in names:
        while not name.startswith(prefix):
            prefix = prefix[:-1]
    return prefix[:prefix.rfind("_") + 1] if len(names) > 1 else "TAC_"


def quoted(text, indent):
    """As a docstring."""
    lines = []
    for paragraph in re.sub(r"\n\n+", "\n\n", text).strip().replace("\\", "\\\\").split("\n"):
        lines += textwrap.wrap(paragraph, 118 - indent, break_long_words=False, break_on_hyphens=False) or [""]
    body = ("\n" + " " * indent).join(lines).rstrip()
    return '"""' + "\n".join(line.rstrip() for line in (body + ' """' if body.endswith('"') else body + '"""').split("\n"))


def abi_text(headers):
    out = ['"""The library\'s structs, enums and functions, as its headers have them.',
           "",
           'Made by python/generate.py from include/tactus; do not edit. FUNCTIONS has every function: what it gives, what it',
           'takes, its header, its declaration, and what is said of it."""',
           "",
           "from ctypes import (CFUNCTYPE, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t,",
           "                    c_uint32, c_uint64, c_void_p)",
           "from enum import IntEnum",
           "from typing import Any, Optional",
           "",
           "import numpy as np",
           "",
           "from .struct import Struct, define",
           "",
           "# ---- constants ----",
           ""]
    for name, comment in headers.constants_comment.items():
        remark = f"  # {comment}" if comment and len(comment) < 90 else ""
        out.append(f"{name[4:]} = {headers.constants[name]!r}{remark}")
    structs = []
    for name in headers.order:
        out += ["", ""]
        if name in headers.enums:
            header, comment, members = headers.enums[name]
            prefix = prefix_of(members)
            out.append(f"class {python_name(name)}(IntEnum):")
            lines = [comment, ""] if comment else []
            lines += [f"{m[len(prefix):]}: {s}" for m, _, s in members if s]
            out.append("    " + quoted("\n".join(lines + ["", f"{name} of <tactus/{header}>."]), 4))
            out.append("")
            out += [f"    {m[len(prefix):]} = {value}" for m, value, _ in members]
        elif name in headers.callbacks:
            header, comment, of = headers.callbacks[name]
            out[-1:] = [f"{python_name(name)} = {headers.ctype(of, True)}"]
        else:
            header, comment, fields = headers.structs[name]
            structs.append((name, fields))
            out.append(f"class {python_name(name)}(Struct):")
            lines = [comment, ""] if comment else []
            lines += [text for _, _, text in fields if text]
            out.append("    " + quoted("\n".join(lines + ["", f"{name} of <tactus/{header}>."]), 4))
            out.append("")
            out += [f"    {field_name(field)}: {headers.hint(of)}" for field, of, _ in fields]
            out += ["", "", f"define({python_name(name)}, ["]
            for field, of, _ in fields:
                enum = headers.converted(of)
                extra = f", {python_name(enum)}" if enum else ""
                out.append(f'    ("{field_name(field)}", {headers.ctype(of, True)}{extra}),')
            out.append("])")
    out += ["", "", "FUNCTIONS = {"]
    for name, (header, comment, of, signature) in headers.functions.items():
        arguments = "".join(f"{headers.ctype(argument, False)}, " for _, argument in of.arguments).strip()
        out.append(f'    "{name}": ({headers.ctype(of.of, False)}, ({arguments}),')
        out.append(f'        "{header}", {signature!r},')
        out.append(f"        {comment!r}),")
    out += ["}", ""]
    return "\n".join(out)


def layout_text(headers):
    out = ["/* Where fields of public structs are. Made by python/generate.py from include/tactus; do not edit. */",
           "#include <stddef.h>",
           "#include <tactus/tactus.h>",
           "",
           "/* The row of a struct, and those of 1 to 8 of its fields. */",
           "#define TYPE(type) {#type, \"\", sizeof(type), 0},",
           "#define F1(type, field) {#type, #field, sizeof(((type *)0)->field), offsetof(type, field)},",
           *(f"#define F{n}(type, field, ...) F1(type, field) F{n - 1}(type, __VA_ARGS__)" for n in range(2, 9)),
           "",
           "/* clang-format off */",
           "static const tacLayout layouts[] = {"]
    for name in headers.order:
        if name not in headers.structs:
            continue
        line = f"  TYPE({name})"
        fields = [field for field, _, _ in headers.structs[name][2]]
        while fields:
            room = 120 - len(line) - len(f" F1({name})")
            some = 0
            while some < min(8, len(fields)) and len(fields[some]) + 2 <= room:
                room -= len(fields[some]) + 2
                some += 1
            if some > 0:
                line += f" F{some}({', '.join([name] + fields[:some])})"
                fields = fields[some:]
            if fields and (some < 8 or len(line) > 100):
                out.append(line)
                line = "   "
        out.append(line)
    out += ["};",
            "/* clang-format on */",
            "",
            "const tacLayout *tac_layouts(int *count) {",
            "  if (count == NULL) return NULL;",
            "  *count = (int)(sizeof layouts / sizeof layouts[0]);",
            "  return layouts;",
            "}",
            ""]
    return "\n".join(out)


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    headers = Headers(HEADERS)
    stale = [(path, text) for path, text in ((ABI, abi_text(headers)), (LAYOUT, layout_text(headers)))
             if not path.exists() or path.read_text() != text]
    for path, text in stale:
        if arguments:
            print(f"{path.relative_to(ROOT)} is not as the headers have it: run python3 python/generate.py")
        else:
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")
    return 1 if arguments and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
