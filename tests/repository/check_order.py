#!/usr/bin/env python3
"""Fails where a result depends on the order in which a compiler evaluates arguments or operands.

C leaves that order open: of tac_vec3(next(r), next(r), next(r)) gcc calls the last first on x86-64 and the first first on
arm64. Arguments of a call, elements of an initialiser list and operands of an operator (except && || ?: and the comma) are
siblings. Two siblings may not both change an object, and one may not change what another reads. A call changes what it
receives through a pointer to non-const, and the static variables that its body changes; a constant pointer only reads.

Text is enough for that, since the repository is regular: a tokenizer, a tree of brackets, operators by precedence. Objects
are told apart by how they are written: `x`, `*p` (also p[...] and p->...), `x.a`. Two names for one object are not seen.

  check_order.py ROOT           all C files of the repository
  check_order.py --self-test    lines that must and must not be found
"""
import gc
import pathlib
import re
import sys

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<text>(?:u8|[LuU])?"(?:[^"\\]|\\.)*"|[LuU]?'(?:[^'\\]|\\.)*')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|.)
""", re.X | re.S | re.M)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(", re.M)
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
BINARY = {"|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%"}
TYPE_WORDS = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "bool", "const",
              "volatile", "struct", "union", "enum", "restrict", "static", "FILE", "_Atomic", "inline", "extern"}
WORDS_BEFORE = TYPE_WORDS | {"return", "case", "goto", "else", "do", "typedef", "default"}
BEFORE_BLOCK = {"if", "for", "while", "switch"}
UNEVALUATED = {"sizeof", "_Alignof", "alignof", "typeof", "__typeof__", "offsetof", "_Static_assert", "static_assert"}
# Functions of the C library by what they change: positions of arguments, or "state" that is theirs.
LIBRARY = {"rand": "state", "drand48": "state", "random": "state", "strtok": "state", "va_arg": (0,), "fgetc": (0,),
           "getc": (0,), "fread": (0, 3), "fgets": (0, 2), "fputc": (1,), "putc": (1,), "fputs": (1,), "fwrite": (3,),
           "fprintf": (0,), "fscanf": (0,), "ungetc": (1,), "fseek": (0,), "fclose": (0,), "fflush": (0,), "memcpy": (0,),
           "memmove": (0,), "memset": (0,), "strcpy": (0,), "strncpy": (0,), "strcat": (0,), "snprintf": (0,),
           "sprintf": (0,), "vsnprintf": (0, 3), "qsort": (0,), "free": (0,), "rand_r": (0,),
           "pthread_mutex_lock": (), "pthread_mutex_unlock": ()}

# Functions whose own state (the pool of threads) never decides a result: what they receive through pointers counts, nothing else.
STATELESS = {"tac_parallel_for", "tac_parallel_do", "tac_parallel_core_count"}


class Token:
    __slots__ = ("kind", "text", "line")

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


class Group:
    """What is between two brackets; `text` is the opening one."""
    __slots__ = ("kind", "text", "line", "inside")

    def __init__(self, text, line):
        self.kind, self.text, self.line, self.inside = "group", text, line, []


def tree(source):
    stack, line = [Group("", 1)], 1
    for match in TOKEN.finditer(source):
        kind, text = match.lastgroup, match.group()
        if kind == "mark" and text in "([{":
            group = Group(text, line)
            stack[-1].inside.append(group)
            stack.append(group)
        elif kind == "mark" and text in ")]}":
            if len(stack) > 1:
                stack.pop()
        elif kind != "skip":
            stack[-1].inside.append(Token(kind, text, line))
        line += text.count("\n")
    return stack[0].inside


def spelling(nodes):
    closing = {"(": ")", "[": "]", "{": "}"}
    return "".join(n.text + spelling(n.inside) + closing[n.text] if n.kind == "group" else n.text for n in nodes)


def split(nodes, marks):
    """Parts between top-level marks; without nodes there are no parts."""
    parts = [[]]
    for node in nodes:
        if node.kind == "mark" and node.text in marks:
            parts.append([])
        else:
            parts[-1].append(node)
    return parts if nodes else []


def is_group(nodes, at, text):
    return at < len(nodes) and nodes[at].kind == "group" and nodes[at].text == text


class Parameter:
    """What a function does with one of its arguments: pointers are read, or changed too."""
    __slots__ = ("name", "pointer", "changes")

    def __init__(self, nodes):
        texts = [n.text for n in nodes]
        stars = [i for i, n in enumerate(nodes) if n.kind == "mark" and n.text == "*"]
        array = any(n.kind == "group" and n.text == "[" for n in nodes)
        self.pointer = bool(stars) or array
        begin, end = 0, len(texts)
        if stars and not array:
            end = stars[-1]
            begin = stars[-2] if len(stars) > 1 else 0
        self.changes = self.pointer and "const" not in texts[begin:end]
        names = [n.text for n in nodes if n.kind == "name"]
        self.name = names[-1] if names else ""


class Function:
    """Its parameters, and the static variables that it and those that it calls change and read."""
    __slots__ = ("name", "path", "list", "parameters", "static", "body", "changed", "read", "calls")

    def __init__(self, name, path, parameters, static, body):
        self.name, self.path, self.list, self.static, self.body = name, path, parameters, static, body
        self.parameters = [Parameter(p) for p in split(parameters, {","})]
        self.changed, self.read, self.calls = set(), set(), set()


class Effects:
    """Objects that an expression changes and reads, each with the words that say by what."""
    __slots__ = ("changed", "read")

    def __init__(self):
        self.changed, self.read = {}, {}

    def add(self, other):
        for path, by in other.changed.items():
            self.changed.setdefault(path, by)
        for path, by in other.read.items():
            self.read.setdefault(path, by)
        return self


def covers(a, b):
    """Whether the object a holds b: ("p", "*") holds ("p", "[2]") and ("p", "*", ".x")."""
    return len(a) <= len(b) and all(x == y or (x == "*" and y[0] == "[") or (y == "*" and x[0] == "[" and i == len(a) - 1)
                                    for i, (x, y) in enumerate(zip(a, b)))


def overlaps(changed, read):
    """A change of an object is seen by whoever reads it, a part of it, or a whole that it is a part of."""
    return covers(changed, read) or (covers(read, changed) and all(s[0] == "." for s in changed[len(read):])) \
        or (read[-1] == "*" and covers(read, changed))


def spell_object(path):
    text = path[0].rpartition(":")[2]
    for step in path[1:]:
        if step == "*":
            text = f"*{text}"
        elif step[0] == ".":
            text = f"{text[1:]}->{step[1:]}" if text[0] == "*" else text + step
        else:
            text += step
    return text


class Repository:
    def __init__(self, sources):
        """sources: {path: text}"""
        self.trees = {path: tree(text) for path, text in sources.items()}
        self.functions = {}    # name: [Function]
        self.members = {}      # name of a member that points to a function: Function
        self.types = set(TYPE_WORDS)
        self.macros = {name for text in sources.values() for name in MACRO.findall(text)}
        self.function_types = {}  # typedef: Function
        self.statics = {}      # path: names of variables at file scope
        for path, nodes in self.trees.items():
            self.collect(path, nodes)
        self.bodies = [f for functions in self.functions.values() for f in functions if f.body is not None]
        self.found = []
        for function in self.bodies:
            self.forgive(function)
        for function in self.bodies:
            self.summarise(function)
        self.spread()
        for function in self.bodies:  # again, where calls change statics
            if any(callee.changed for callee in function.calls):
                Reader(self, function.path, function, self.found).block(function.body.inside, Effects())
        self.problems = sorted(set(self.found))

    # ---- what there is ----

    def collect(self, path, nodes):
        self.statics[path] = set()
        begin = 0
        for i, node in enumerate(nodes):
            ends = node.kind == "mark" and node.text == ";"
            body = is_group(nodes, i, "{") and is_group(nodes, i - 1, "(") and i >= 2
            if body:
                name = nodes[i - 2]
                if name.kind == "name":
                    self.add_function(name.text, path, nodes[begin:i - 2], nodes[i - 1].inside, node)
            elif ends:
                self.collect_declaration(path, nodes[begin:i])
            if is_group(nodes, i, "{") and begin < i and nodes[begin].text == "extern" and nodes[begin + 1].kind == "text":
                self.collect(path, node.inside)
                begin = i + 1
            if ends or body:
                begin = i + 1

    def add_function(self, name, path, before, parameters, body):
        function = Function(name, path, parameters, any(n.text == "static" for n in before), body)
        self.functions.setdefault(name, []).append(function)
        return function

    def collect_declaration(self, path, nodes):
        texts = [n.text for n in nodes]
        for i, node in enumerate(nodes):  # members and variables that point to functions, at any depth
            if node.kind == "group" and node.text == "{":
                for member in split(node.inside, {";"}):
                    self.collect_pointer(path, member)
        if texts[:1] == ["typedef"]:
            if self.collect_pointer(path, nodes):
                return
            if is_group(nodes, len(nodes) - 1, "(") and nodes[-2].kind == "name":
                self.function_types[nodes[-2].text] = Function(nodes[-2].text, path, nodes[-1].inside, False, None)
            names = [n.text for n in nodes if n.kind == "name"]
            self.types.add(names[-1] if names else "")
            return
        if self.collect_pointer(path, nodes):
            return
        for i in range(1, len(nodes)):
            if is_group(nodes, i, "(") and nodes[i - 1].kind == "name" and "=" not in texts[:i] and i >= 2:
                self.add_function(nodes[i - 1].text, path, nodes[:i - 1], nodes[i].inside, None)
                return
        if "struct" in texts[:1] and is_group(nodes, len(nodes) - 1, "{"):
            return
        constant = "const" in (texts[len(texts) - texts[::-1].index("*"):] if "*" in texts else texts)
        if not constant and "enum" not in texts[:2]:
            for declared in split(nodes, {","}):
                names = [n.text for n in split(declared, {"="})[0] if n.kind == "name"]
                if names:
                    self.statics[path].add(names[-1])

    def collect_pointer(self, path, nodes):
        """type (*name)(parameters), or a member whose type is a function's."""
        for i in range(len(nodes) - 1):
            if is_group(nodes, i, "(") and is_group(nodes, i + 1, "("):
                inside = nodes[i].inside
                if inside and inside[0].text == "*" and inside[-1].kind == "name":
                    function = Function(inside[-1].text, path, nodes[i + 1].inside, False, None)
                    if nodes[0].text == "typedef":
                        self.types.add(function.name)
                        self.function_types[function.name] = function
                    else:
                        self.members[function.name] = function
                    return True
        return False

    def lookup(self, path, name):
        found = self.functions.get(name)
        if not found:
            return None
        for function in found:
            if function.path == path:
                return next((f for f in found if f.path == path and f.body is not None), function)
        visible = [f for f in found if f.path.endswith(".h") or not (f.static or f.path.startswith("tests/"))]
        return next((f for f in visible if f.body is not None), visible[0]) if visible else None

    # ---- static variables that functions change ----

    def forgive(self, function):
        """A body that is `return expression;` and changes nothing, whatever its parameters allow."""
        body = function.body.inside
        if body and body[0].text == "return" and sum(n.text == ";" for n in body) == 1:
            everything = Effects()
            Reader(self, function.path, function, None).block(body, everything)
            for parameter in function.parameters:
                parameter.changes = parameter.changes and any(path[0] == parameter.name for path in everything.changed)

    def summarise(self, function):
        everything = Effects()
        reader = Reader(self, function.path, function, self.found)
        reader.block(function.body.inside, everything)
        function.changed |= {p[:1] for p in everything.changed if ":" in p[0]}
        function.read |= {p[:1] for p in everything.read if ":" in p[0]}
        function.calls |= reader.called

    def spread(self):
        """To callers, until nothing is new."""
        again = True
        while again:
            again = False
            for function in self.bodies:
                for callee in function.calls:
                    if not (callee.changed <= function.changed and callee.read <= function.read):
                        function.changed |= callee.changed
                        function.read |= callee.read
                        again = True


class Reader:
    """Effects of the expressions of one function; conflicts between siblings go to `found`."""

    def __init__(self, repository, path, function, found):
        self.repository, self.path, self.function, self.found = repository, path, function, found
        self.called = set()
        self.own = {p.name for p in function.parameters}
        self.locals = {}
        self.local_statics = set()
        self.declare(function.body.inside)
        self.declare(function.list)

    def declare(self, nodes):
        """Names that the body declares: they hide those at file scope."""
        for i, node in enumerate(nodes):
            if node.kind == "group":
                self.declare(node.inside)
            elif node.kind == "name" and self.is_type(node.text):
                j = i + 1
                while j < len(nodes) and nodes[j].text in ("*", "const", "restrict"):
                    j += 1
                if j < len(nodes) and nodes[j].kind == "name" and nodes[j].text not in TYPE_WORDS:
                    begin = i
                    while begin > 0 and nodes[begin - 1].kind == "name" and nodes[begin - 1].text in TYPE_WORDS:
                        begin -= 1
                    words = [n.text for n in nodes[begin:j]]
                    behind = words[len(words) - words[::-1].index("*"):] if "*" in words else words
                    if "static" in words and "const" not in behind:
                        self.local_statics.add(nodes[j].text)
                    else:
                        self.own.add(nodes[j].text)
                    if node.text in self.repository.function_types:
                        self.locals[nodes[j].text] = self.repository.function_types[node.text]
                    for k in range(j + 1, len(nodes)):  # more declarators of the same type
                        if nodes[k].text == ";" and nodes[k].kind == "mark":
                            break
                        if nodes[k].text == "," and k + 1 < len(nodes):
                            m = k + 1
                            while m < len(nodes) and nodes[m].text == "*":
                                m += 1
                            if m < len(nodes) and nodes[m].kind == "name":
                                self.own.add(nodes[m].text)

    def root(self, name):
        if name in self.local_statics:
            return f"{self.path}:{self.function.name}:{name}"
        if name not in self.own and name in self.repository.statics[self.path]:
            return f"{self.path}:{name}"
        return name

    # ---- statements ----

    def block(self, nodes, everything):
        begin = 0
        for i, node in enumerate(nodes):
            if node.kind == "mark" and node.text == ";":
                self.statement(nodes[begin:i], everything)
                begin = i + 1
            elif is_group(nodes, i, "{") and self.is_block(nodes, i):
                self.statement(nodes[begin:i], everything)
                if not any(n.text in ("struct", "union", "enum") for n in nodes[begin:i]):
                    self.block(node.inside, everything)
                begin = i + 1
        self.statement(nodes[begin:], everything)

    def is_block(self, nodes, i):
        if i == 0:
            return True
        before = nodes[i - 1]
        if before.kind == "mark":
            return before.text in (";", ":")
        if before.kind == "name":
            return True  # else, do, struct name
        if before.kind == "group" and before.text == "(":
            return i >= 2 and nodes[i - 2].kind == "name" and nodes[i - 2].text not in ("return", "case")
        return before.kind == "group" and before.text == "{"

    def statement(self, nodes, everything):
        if nodes and (nodes[0].text in ("case", "default") or (len(nodes) > 1 and nodes[1].text == ":")):
            nodes = nodes[[n.text for n in nodes].index(":") + 1:] if any(n.text == ":" for n in nodes) else []
        while nodes and nodes[0].kind == "name" and nodes[0].text in BEFORE_BLOCK | {"else", "do"}:
            if is_group(nodes, 1, "(") and nodes[0].text in BEFORE_BLOCK:
                for part in split(nodes[1].inside, {";"}):
                    everything.add(self.expression(part))
                nodes = nodes[2:]
            else:
                nodes = nodes[1:]
        everything.add(self.expression(nodes))

    # ---- expressions ----

    def siblings(self, parts):
        """parts: [Effects]"""
        total = Effects()
        changing = [i for i, e in enumerate(parts) if e.changed]
        for i in changing:
            for k, other in enumerate(parts):
                if k != i and self.found is not None:
                    self.compare(parts[i], other, k > i or k not in changing)
        for part in parts:
            total.add(part)
        return total

    def compare(self, one, other, both):
        for path, by in one.changed.items():
            if both:
                for also, by_other in other.changed.items():
                    if covers(path, also) or covers(also, path):
                        self.report(by, by_other, path, "change")
                        return
            for seen, by_other in other.read.items():
                if overlaps(path, seen) and not any(covers(path, c) or covers(c, path) for c in other.changed):
                    self.report(by, by_other, path, "read")
                    return

    def report(self, by, other, path, what):
        name = spell_object(path)
        if what == "change":
            text = f"{by[0]} and {other[0]} both change {name}"
        else:
            text = f"{by[0]} changes {name}, which {other[0]} reads"
        self.found.append((self.path, min(by[1], other[1]), text))

    def sequence(self, parts):
        total = Effects()
        for part in parts:
            total.add(self.expression(part))
        return total

    def expression(self, nodes):
        if not nodes:
            return Effects()
        if len(nodes) == 1 and nodes[0].kind != "group":
            return self.operand(nodes)
        for marks in ({","}, {"?", ":"}):
            parts = split(nodes, marks)
            if len(parts) > 1:
                return self.sequence(parts)
        for i, node in enumerate(nodes):
            if node.kind == "mark" and node.text in ASSIGNMENTS:
                return self.assignment(nodes[:i], node.text, nodes[i + 1:])
        parts = split(nodes, {"&&", "||"})
        if len(parts) > 1:
            return self.sequence(parts)
        operands = self.operands(nodes)
        if len(operands) > 1:
            return self.siblings([self.operand(o) for o in operands])
        return self.operand(nodes)

    def operands(self, nodes):
        parts, current = [], []
        for node in nodes:
            if node.kind == "mark" and node.text in BINARY and current and self.ends_operand(current):
                parts.append(current)
                current = []
            else:
                current.append(node)
        return parts + [current]

    def ends_operand(self, nodes):
        last = nodes[-1]
        if last.kind == "group":
            return not self.is_cast(nodes, len(nodes) - 1)
        if last.kind == "name":
            return last.text not in ("return", "case")
        return last.kind in ("number", "text") or last.text in ("++", "--")

    def is_cast(self, nodes, at):
        """(type), but not the list of a call."""
        if not is_group(nodes, at, "(") or not nodes[at].inside:
            return False
        if at > 0 and (nodes[at - 1].kind == "group" or (nodes[at - 1].kind == "name"
                                                         and nodes[at - 1].text not in ("return", "case", "sizeof"))):
            return False
        inside = nodes[at].inside
        first = inside[0]
        return first.kind == "name" and self.is_type(first.text) and all(
            (n.kind == "name" and n.text not in self.own) or n.text in ("*", "[", "(") for n in inside)

    def is_type(self, name):
        return name in self.repository.types or name.endswith("_t")

    def assignment(self, left, mark, right):
        right_effects = self.expression(right)
        if left and (left[0].text == "." or is_group(left, 0, "[")):  # a designator
            return right_effects
        operands = self.operands(left)
        left_effects, path = self.place(operands[-1])
        if mark != "=" and path is not None:
            left_effects.read[path] = (spelling(left), left[0].line)
        total = self.siblings([left_effects, right_effects])
        if path is not None and left[0].text != "static":  # set before the program runs
            total.changed.setdefault(path, (spelling(left), left[0].line))
        return total

    def place(self, nodes):
        """Effects of finding where a value goes, and the path of the place."""
        stars = 0
        while nodes and (nodes[0].text == "*" and nodes[0].kind == "mark"):
            nodes, stars = nodes[1:], stars + 1
        effects, path = self.primary(nodes)
        if path is None:
            return effects, None
        path = path + ("*",) * stars
        self.read_on_the_way(effects, path, nodes)
        return effects, path

    def read_on_the_way(self, effects, path, nodes):
        """To reach p->a[3], the value of p->a is read; to reach x.a, nothing is."""
        for i in range(len(path) - 1, 0, -1):
            if path[i] == "*" or path[i][0] == "[":
                effects.read.setdefault(path[:i], (spelling(nodes), nodes[0].line))
                return

    def operand(self, nodes):
        """One without binary operators: signs, casts, a primary expression with what follows it."""
        address, stars, step = False, 0, None
        i = 0
        while i < len(nodes):
            node = nodes[i]
            if node.kind == "name" and node.text in UNEVALUATED:
                return Effects()
            if node.kind == "mark" and node.text in "!~+-*&":
                address = node.text == "&"
                stars = stars + 1 if node.text == "*" else 0
            elif node.kind == "mark" and node.text in ("++", "--"):
                step = node.text
            elif node.kind == "name" and (node.text in WORDS_BEFORE
                                          or (i + 1 < len(nodes) and nodes[i + 1].kind == "name")):
                pass
            elif self.is_cast(nodes, i) and i + 1 < len(nodes):
                pass
            else:
                break
            i += 1
        rest = nodes[i:]
        if not rest:
            return Effects()
        effects, path = self.primary(rest)
        if path is not None:
            text = (spelling(rest), rest[0].line)
            if address:
                self.read_on_the_way(effects, path, rest)
            else:
                effects.read.setdefault(path + ("*",) * stars, text)
                if step is not None:
                    effects.changed.setdefault(path + ("*",) * stars, (step + "*" * stars + text[0], text[1]))
        return effects

    def primary(self, nodes):
        """Effects of computing it, without reading its value; and its path, or None where it is not a place."""
        effects, path, i = Effects(), None, 0
        if not nodes:
            return effects, None
        while i + 1 < len(nodes) and nodes[i].kind == "name" and nodes[i + 1].kind == "name":
            i += 1  # words of a declaration
        first = nodes[i]
        name = None
        if first.kind == "name":
            name = first.text
            path = (self.root(name),)
        elif first.kind == "group" and first.text == "{":
            return self.siblings([self.expression(p) for p in split(first.inside, {","})]), None
        elif first.kind == "group" and first.text == "(":
            if is_group(nodes, i + 1, "{"):  # compound literal
                i += 1
                effects.add(self.siblings([self.expression(p) for p in split(nodes[i].inside, {","})]))
            else:
                inner = first.inside
                if self.plain(inner):
                    effects, path = self.place(inner)
                    if inner[0].text == "&":
                        effects, path = self.place(inner[1:])
                else:
                    effects.add(self.expression(inner))
        i += 1
        parts = [effects]
        while i < len(nodes):
            node = nodes[i]
            if is_group(nodes, i, "("):
                arguments, after = self.call(name, nodes[i - 2].text in (".", "->"), node)
                effects = self.siblings(parts + [arguments]).add(after)
                parts, path, name = [effects], None, None
            elif is_group(nodes, i, "["):
                if path is not None:
                    parts[0].read.setdefault(path, (spelling(nodes[:i]), nodes[0].line))
                parts.append(self.expression(node.inside))
                if path is not None:
                    path = path + (f"[{spelling(node.inside)}]",)
            elif node.text in (".", "->") and i + 1 < len(nodes):
                name = nodes[i + 1].text
                if path is not None:
                    path = path + (("*", "." + name) if node.text == "->" else ("." + name,))
                i += 1
            elif node.text in ("++", "--") and path is not None:
                effects = self.siblings(parts)
                effects.read.setdefault(path, (spelling(nodes[:i]), node.line))
                effects.changed.setdefault(path, (spelling(nodes[:i]) + node.text, node.line))
                return effects, None
            i += 1
        return (self.siblings(parts) if len(parts) > 1 else parts[0]), path

    def plain(self, nodes):
        """A place in parentheses: (*p), (&x), (p)."""
        while nodes and nodes[0].text in ("*", "&") and nodes[0].kind == "mark":
            nodes = nodes[1:]
        return bool(nodes) and nodes[0].kind == "name" and all(
            n.kind == "name" or n.text in (".", "->", "[") for n in nodes) and all(
            a.kind != "name" or b.kind != "name" for a, b in zip(nodes, nodes[1:]))

    def call(self, name, member, group):
        """Effects of the arguments, and of the call after them."""
        arguments = split(group.inside, {","})
        each = [self.expression(a) for a in arguments]
        after = Effects()
        if name is None:
            return self.siblings(each), after
        if name in self.repository.macros or name.startswith("ck_"):  # each argument is a statement, in order
            total = Effects()
            for effects in each:
                total.add(effects)
            return total, after
        by = (f"{name}({spelling(group.inside)})", group.line)
        if len(by[0]) > 60:
            by = (by[0][:57] + "...", by[1])
        if member:
            function = self.repository.members.get(name)
        else:
            function = self.locals.get(name) or self.repository.lookup(self.path, name)
        rule = LIBRARY.get(name) if function is None and not member else None
        if rule == "state":
            after.changed[(f"{name}'s state",)] = by
        for i, argument in enumerate(arguments):
            if function is not None:
                parameter = function.parameters[i] if i < len(function.parameters) else None
                pointer = parameter is not None and parameter.pointer
                changes = pointer and parameter.changes
            else:
                changes = i in rule if isinstance(rule, tuple) else argument[:1] and argument[0].text == "&"
                pointer = changes
            target = self.target(argument) if pointer else None
            if target is not None:
                (after.changed if changes else after.read).setdefault(target, by)
        if function is not None and name not in STATELESS:
            self.called.add(function)
            for path in function.changed:
                after.changed.setdefault(path, by)
            for path in function.read:
                after.read.setdefault(path, by)
        return self.siblings(each), after

    def target(self, nodes):
        """What an argument points to."""
        while self.is_cast(nodes, 0) and len(nodes) > 1:
            nodes = nodes[1:]
        if not nodes:
            return None
        if nodes[0].kind == "mark" and nodes[0].text == "&":
            return self.quiet_place(nodes[1:]) if self.plain(nodes[1:]) else None
        operands = self.operands(nodes)
        if not self.plain(operands[0]):
            return None
        path = self.quiet_place(operands[0])
        if path is None or path[0] in ("NULL", "true", "false"):
            return None
        return path + ("*" if len(operands) == 1 else f"[+{spelling(nodes[len(operands[0]):])}]",)

    def quiet_place(self, nodes):
        found, self.found = self.found, None
        path = self.place(nodes)[1]
        self.found = found
        return path


SELF_TEST = """
typedef struct Random { int state; } Random;
typedef struct Body { Random random; int count, *items; int (*next)(struct Body *body); } Body;
typedef int Next(Random *random);
static Random shared;
static const int table[2] = {1, 2};
int next(Random *random);
int peek(const Random *random);
int add(int a, int b);
int fill(int *values);
int sum(const int *values);
static int hidden(void) { return next(&shared); }
static int deeper(void) { return hidden() + 1; }
static int counted(void) { static int count; return ++count; }
static int looked_up(int i) { return table[i]; }
static Random *random_of(Body *body) { return &body->random; }
#define EACH(a, b) do { a; b; } while (0)
void cases(Body *b, Random *r, Random x, Next *draw, int i, FILE *file) {
  int v[9];
  add(next(r), next(r));                          // found
  add(next(&x), next(&x));                        // found
  add(add(1, next(r)), 2 * next(r));              // found
  int pair[2] = {next(r), next(r)};               // found
  Random made = {.state = next(r) - next(r)};     // found
  Random *other = &(Random){next(r) ? next(r) : 0};
  return (Random){add(next(r), (int)-next(r))};   // found
  v[next(r)] = next(r);                           // found
  v[i++] = i;                                     // found
  v[i] = i++;                                     // found
  add(i++, i);                                    // found
  add(--i, ++i);                                  // found
  x.state += next(&x);                            // found
  b->items[0] = next(&b->random) + b->random.state;  // found
  b->items[b->count] = b->next(b);                // found
  add(next(&x), peek(&x));                        // found
  add(next(&x), x.state);                         // found
  add(next(&b->random), peek(random_of(b)));      // found
  add(fill(v), v[2]);                             // found
  add(fill(v), sum(v));                           // found
  add(draw(r), draw(r));                          // found
  add(hidden(), hidden());                        // found
  add(deeper(), shared.state);                    // found
  add(counted(), counted());                      // found
  add(rand(), rand());                            // found
  add(fgetc(file), 256 * fgetc(file));            // found
  if (next(r) < next(r)) return 0;                // found
  for (int k = next(r) * next(r); k < 2; ++k) add(1, 2);  // found
  switch (i) {
    case 1: add(next(r), next(r)); break;         // found
    default: for (int k = 0; k < 3; ++k) v[k] = add(k, k);
  }
  EACH(next(r), next(r));
  EACH(add(next(r), next(r)), 1);                 // found
  int a = next(r), c = next(r);
  x = (Random){next(&x)};
  x.state = next(&x);
  i = add(i, next(r)), a = next(r);
  next(r) > 0 && next(r) > 0 || next(r) > 0;
  next(r) ? next(r) : next(r);
  add(next(r), next(&x));
  add(next(&b->random), b->count);
  add(next(r), i), add(next(r), i);
  add(peek(r), peek(r));
  add(looked_up(0), looked_up(1));
  add(fill(&v[0]), fill(&v[3]));
  add(next(r), sizeof(next(r)));
  v[i] = v[i] + add(v[i], (int)*v);
  v[b->count++] = next(r);
  add('\'', next(r)), /* add(next(r), */ next(r);
  const char *text = "add(next(r), next(r))";
  random_of(b)->state = add(random_of(b)->state, random_of(b)->state);
  do i = next(r) - 1; while (i > 0);
  ck_assert_int_eq(next(r), next(r));
}
"""


def self_test():
    expected = {i for i, line in enumerate(SELF_TEST.split("\n"), 1) if line.endswith("// found")}
    found = {line: text for _, line, text in Repository({"case.c": SELF_TEST}).problems}
    for line in sorted(expected ^ set(found)):
        print(f"line {line} of the self-test is {'not' if line in expected else 'falsely'} found: "
              f"{SELF_TEST.split(chr(10))[line - 1].strip()}   {found.get(line, '')}")
    return expected == set(found)


def check(root):
    sources, empty = {}, []
    for folder in ("include", "src", "app", "drivers", "bench", "tests", "examples"):
        paths = sorted((root / folder).rglob("*.[ch]"))
        empty += [folder] * (not paths)
        sources.update({str(path.relative_to(root)): path.read_text() for path in paths})
    repository = Repository(sources)
    for path, line, text in repository.problems:
        print(f"{path}:{line}: {text}: in which order is open; name the values, one after the other")
    for folder in empty:
        print(f"{folder}: there are no files to look at")
    print(f"{len(repository.bodies)} functions of {len(sources)} files, {len(repository.problems)} problems")
    return not repository.problems and not empty and len(repository.bodies) > 0


if __name__ == "__main__":
    gc.disable()  # a third of the time, for trees that live until the end
    # The test of the check is part of it: what finds nothing any more must not pass.
    sys.exit(0 if self_test() and (sys.argv[1:] == ["--self-test"] or check(pathlib.Path(sys.argv[1]))) else 1)
