#!/usr/bin/env python3
"""Whether public declarations say what they are for, their units, their errors, and the shapes of matrices.

usage: public_comments.py
Prints findings as `file:line: what`, or nothing. docs/contributing.md says which headers are public. Found is only what
the text decides:
  comment  A function, type or constant has a comment: above it, behind it, or above the group (lines without an empty
           line between them) that it stands in. A struct may have comments on its members instead. A member function
           that is one line with its body needs none. The header begins with a comment.
  unit     A real number, and a whole number whose name ends in a quantity (a time, a size, …), has a unit in its name,
           or in a comment: its own, its function's, its type's, or the last one behind a line of its group.
  error    A function whose own code throws has a comment that says so.
  shape    A pointer to the elements of a matrix, in kernels/ and the kit, has a comment that gives the shape.
"""
import collections
import os
import re
import subprocess
import sys

# What a name may begin or end with: units, and numbers that have none (shares, chances, figures of statistics).
UNITS_IN_NAMES = set(
    "s ms us ns seconds mhz hz khz w j c mib kib gib bytes byte b percent pct days hours minutes pixels px columns "
    "share shares ratio ratios factor factors fraction count counts chance probability confidence quantile "
    "quantiles likelihood degrees weight score correlation log logs flops cycles deviations times".split())
# Units in a comment. Short ones stand behind a number, a bracket or "in".
UNITS_IN_COMMENTS = re.compile(
    r"\b(?i:nanoseconds?|microseconds?|milliseconds?|seconds?|minutes?|hours?|days?|hertz|k?hz|[mg]hz|watts?|joules?|"
    r"[kmg]i?b|bytes?|flops?|flop/s|correlations?|floating-point operations|cycles?|pixels?|per cent|percent|units?|"
    r"share|shares of|ratios?|factors?|fractions?|logarithms?|logarithmic|probabilit(y|ies)|chances?|confidence|quantiles?|likelihood|"
    r"degrees of freedom|deviations?|variances?|0 to 1|how many|numbers? of|per [a-z]+)\b"
    r"|[%×°]|(\bin |[\d(] ?)(s|ms|µs|ns|W|J|B)\b|/s\b|µs")
QUANTITIES = set("time duration latency timeout interval pause bandwidth clock power energy temperature frequency "
                 "age period wait size memory limit budget".split())
REAL = r"(?:\bstd::(?:optional|span|vector|array|map|pair)<[^;(){}]*?\bdouble\b[^;(){}]*?>|\bdouble)(?: const)?&?"
WHOLE = r"(?:const )?\b(?:std::)?(?:u?int\d*(?:_t)?|size_t|unsigned(?: int)?|long)\b"
ERRORS = re.compile(r"\b[Tt]hrows?\b|\bk(Usage|CannotJudge|Environment|Regressed|Interrupted)\b|\w*Error\b")
SHAPES = re.compile(r"×|`count`|\b(rows|columns|elements)\b")
ELEMENTS = re.compile(
    r"\b(?:(?:float|__nv_bfloat16|std::uint16_t|std::uint8_t)\s*\*\s*(\w+)|void\s*\*\s*(a|b|c|in|out))\b")

NO_DECLARATION = re.compile(r"#|\}|(inline )?namespace\b.*\{$|extern \" *\" \{$|(public|private|protected):")

Declaration = collections.namedtuple("Declaration", "line kind name text comment type around")


def listed():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], check=True,
                           capture_output=True, text=True).stdout.split("\n")
    return [name for name in names if re.search(r"\.(cpp|hpp|cu|cuh)$", name) and os.path.isfile(name)]


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def room_of(path):
    return "/".join(path.split("/")[:2]) if path.startswith("tracker/") else path.split("/")[0]


def public_headers(sources):
    """The kit's, the protocol's, the injected library's, kernels/*.hpp, and those that another room includes."""
    users = collections.defaultdict(set)
    for source in sources:
        if not source.startswith("tests/") or source.startswith("tests/package/"):
            for header in re.findall(r'^#include "([^"]+)"', text_of(source), re.M):
                users[header].add(room_of(source))
    for header in (name for name in sources if name.endswith(".hpp")):
        if re.match(r"bench/kit/|tracker/(protocol|injection)/|kernels/[^/]+$", header):
            yield header
        elif header.startswith("tracker/") and users[header] - {room_of(header)}:
            yield header


def split_line(line):
    """Its code, with blanks in strings, its comment, and the column of that."""
    shown = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', lambda text: '"' + " " * (len(text[0]) - 2) + '"', line)
    code, mark, _ = shown.partition("//")
    return code.rstrip(), line[len(code) + 2:].strip(), len(code) if mark else -1


def without_bodies(text):
    """Only what stands outside braces."""
    depth, kept = 0, []
    for letter in text:
        depth -= letter == "}"
        if depth == 0 and letter != "}":
            kept.append(letter)
        depth += letter == "{"
    return "".join(kept)


def without_template(text):
    text = text.strip()
    if text.startswith("template"):
        depth = 0
        for at, letter in enumerate(text):
            depth += (letter == "<") - (letter == ">")
            if letter == ">" and depth == 0:
                return without_template(re.sub(r"^\s*requires\s*\(.*?\)\s", "", text[at + 1:], flags=re.S))
    return text


def without_arguments(text):
    """Without what stands in the angle brackets of templates."""
    depth, kept = 0, []
    for at, letter in enumerate(text):
        opens = letter == "<" and text[at - 1:at].isalnum() and text[:at].split("operator")[-1].strip() != ""
        depth += opens
        if depth == 0:
            kept.append(letter)
        depth -= letter == ">" and depth > 0 and text[at - 1] != "-"
    return "".join(kept)


def kind_and_name(text, in_class):
    head = " ".join(re.sub(r"\[\[.*?\]\]", "", without_template(text)).split())
    made = re.match(r"(?:typedef )?(?:class|struct|union|enum(?: class| struct)?)\s+(\w+)[^;(]*\{", head)
    if made:
        return "type", made.group(1)
    if re.match(r"(class|struct|union|enum)\b[^{(]*;|friend\b|static_assert|using (namespace|enum|[\w:]+;)|"
                r"extern (template|\")|template\b", head):
        return "", ""
    if alias := re.match(r"using (\w+) =", head):
        return "type", alias.group(1)
    flat = without_arguments(without_bodies(head))
    function = re.match(r"([^=(]*?)(~?\w+|operator\s*\S+?)\s*\(", re.sub(r"\(\*\s*\w+\)\s*\(", "=", flat))
    if function:
        name = function.group(2)
        if "operator" in flat[:function.end()] or re.search(r"= (default|delete)\b|\boverride\b", flat):
            return "", ""
        if not re.sub(r"\b(explicit|constexpr|inline|virtual|static)\b", "", function.group(1)).strip():
            return "constructor", name
        return "function", name
    variable = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|\{|;|$)", re.sub(r"\(\*\s*(\w+)\)\s*\(.*", r" \1;", flat))
    return ("field" if in_class else "constant", variable.group(1)) if variable else ("", "")


Scope = collections.namedtuple("Scope", "name is_public comment is_type")


class Reader:
    """Reads the public declarations of a header."""

    def __init__(self, path):
        self.lines = [split_line(line) for line in text_of(path).split("\n")]
        self.at = 0

    def next_line(self):
        self.at += 1
        return self.lines[self.at - 1]

    def statement(self):
        """The code of what begins in the line before, the comments behind it, and whether it opens a type."""
        text, behind, depth = "", [], 0
        code, comment, column = self.lines[self.at - 1]
        while True:
            text += code + "\n"
            behind.append(comment)
            depth += len(re.findall(r"[({[]", code)) - len(re.findall(r"[)}\]]", code))
            opens = depth == 1 and re.match(r"(class|struct|union)\b[^=(]*\{$", without_template(text))
            if opens or (depth <= 0 and code.endswith((";", "}"))) or self.at >= len(self.lines):
                break
            code, comment, column = self.next_line()
        while comment and self.at < len(self.lines) and self.lines[self.at][0] == "" and self.lines[self.at][2] == column:
            behind.append(self.next_line()[1])  # it goes on below
        return text, " ".join(behind).strip(), bool(opens)

    def members_have_comments(self):
        """Whether the type that was opened says of a member at least what it is."""
        depth = 1
        for code, comment, _ in self.lines[self.at:]:
            if comment or depth <= 0:
                return bool(comment)
            depth += code.count("{") - code.count("}")
        return False

    def declarations(self):
        scopes, above, group, said_before = [], [], "", ""
        while self.at < len(self.lines):
            code, comment, _ = self.next_line()
            code = code.strip()
            if not code and comment:
                above.append(comment)
                continue
            if code and not NO_DECLARATION.match(code):
                line = self.at
                text, behind, opens = self.statement()
                group = " ".join(above) or group
                own = (group + " " + behind).strip()
                types = [scope for scope in scopes if scope.is_type]
                kind, name = kind_and_name(text, bool(types))
                if kind == "type" and opens and not own and self.members_have_comments():
                    own = " "
                if kind and all(scope.is_public for scope in scopes):
                    around = [scope.comment for scope in types] + ([] if behind else [said_before])
                    yield Declaration(line, kind, name, text, own, types[-1].name if types else "", " ".join(around))
                above, said_before = [], behind or said_before
                if opens:
                    scopes.append(Scope(name, not re.match(r"class\b", without_template(text)), own, True))
                    group = ""
                continue
            above, group, said_before = [], "", ""
            if code.startswith("#"):
                while self.lines[self.at - 1][0].endswith("\\"):
                    self.at += 1
            elif code.startswith("}") and scopes:
                group = scopes.pop().comment  # what follows its end on the next line belongs to it
            elif re.match(r"(public|private|protected):", code) and scopes:
                scopes[-1] = scopes[-1]._replace(is_public=code.startswith("public"))
            elif code.endswith("{"):
                scopes.append(Scope(code, not re.search(r"detail|internal", code), "", False))


def words_of(name):
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().strip("_").split("_")


def has_unit(name, comments):
    words = words_of(name)
    ends = set(words[-2:] + words[:1]) if len(words) > 1 else {word for word in words if len(word) > 1}
    return bool(UNITS_IN_NAMES & ends) or "per" in words or bool(UNITS_IN_COMMENTS.search(comments))


def numbers_in(kind, name, signature):
    """(name, is it real) of a declaration's parameters, its result, or itself."""
    text = " ".join(signature.split())
    if kind in ("function", "constructor"):
        parameters = text[text.index("("):]
        if re.search(REAL + r"\s+" + name + r"\s*\(", text):
            yield name, True
    else:
        parameters = text if kind in ("field", "constant") else ""
    for match in re.finditer(r"(" + REAL + r"|" + WHOLE + r")\s+(\w+)", parameters):
        yield match.group(2), "double" in match.group(1)


def throw_in(*files):
    """Finds a throw in code: the word, or a call of what these files declare as [[noreturn]]."""
    ends = {name for file in files if os.path.exists(file)
            for name in re.findall(r"\[\[noreturn\]\][^(;{]*?(\w+)\(", text_of(file))}
    return re.compile("|".join([r"\bthrow\b"] + [rf"\b{name}\(" for name in sorted(ends)]))


def throwing(source, throw):
    """{(type or "", name): lists of parameters} of the functions of a source whose own code throws."""
    lines = [split_line(line)[0] for line in text_of(source).split("\n")] if os.path.exists(source) else []
    found, at = collections.defaultdict(list), 0
    while at < len(lines):
        if not re.match(r"(?!namespace|using|struct|class|enum)[A-Za-z\[]", lines[at]):
            at += 1
            continue
        end = at
        while end < len(lines) and not re.match(r"}", lines[end]) and not lines[end].endswith(";") \
                and not re.search(r"\{.*\}$", lines[end]) and not lines[end].endswith("{"):
            end += 1
        if end < len(lines) and lines[end].endswith("{"):
            while end < len(lines) and not lines[end].startswith("}"):
                end += 1
        text = "\n".join(lines[at:end + 1])
        head, _, body = text.partition("{")
        function = re.match(r"[^(=]*?(?:(\w+)::)?(~?\w+)\(", without_template(head))
        if function and throw.search(outside_try(body)):
            found[function.groups("")].append(parameters_of(head))
        at = end + 1
    return found


def outside_try(body):
    kept = ""
    while match := re.search(r"\btry\s*\{", body):
        kept += body[:match.start()]
        depth, at = 1, match.end()
        while at < len(body) and depth:
            depth += (body[at] == "{") - (body[at] == "}")
            at += 1
        body = body[at:]
    return kept + body


def parameters_of(head):
    """The types between its brackets, for a comparison: without names and defaults."""
    inside = head.partition("(")[2].rpartition(")")[0]
    parts = re.sub(r"=[^,)]*", "", inside).split(",")
    return ["".join(re.sub(r"([\s&*>])\w+\s*$", r"\1", part).split()) for part in parts]


def shown_by(text):
    """Whether a member function needs no words: one line with its body."""
    return text.count("\n") == 1 and text.endswith("}\n")


def findings(header):
    """(line, what is wrong)"""
    head = re.match(r"(//.*\n)*", text_of(header)).group()
    if not head:
        yield 1, "the header does not begin with a comment that says what it is for"
    throw = throw_in(header, header[:-4] + ".cpp")
    throws = throwing(header[:-4] + ".cpp", throw)
    for line, kind, name, text, comment, type_name, around in Reader(header).declarations():
        signature = without_bodies(without_template(text))
        is_function = kind in ("function", "constructor")
        if not comment and kind in ("function", "type", "constant") and not (type_name and shown_by(text)):
            yield line, f"{name} has no comment: write what it is for"
        said = comment + " " + around
        for number, is_real in numbers_in(kind, name, signature):
            if (is_real or words_of(number)[-1] in QUANTITIES) and not has_unit(number, said) \
                    and not re.search(r"\bunits?\b", head):
                yield line, f"{number} has no unit, in its name or in a comment (ms, bytes, a share, …)"
        own = is_function and throw.search(outside_try(text.partition("{")[2]))
        elsewhere = is_function and parameters_of(signature) in throws[type_name, name]
        if (own or elsewhere) and not ERRORS.search(said + " " + head):
            yield line, f"{name} throws, and no comment says which error (kUsage, …)"
        for match in ELEMENTS.finditer(signature) if re.match(r"kernels/|bench/kit/", header) else ():
            if not SHAPES.search(said):
                pointer = match.group(1) or match.group(2)
                yield line, f"{pointer} has no comment that gives the shape behind it (rows × columns)"


def main():
    for header in public_headers(listed()):
        for line, what in findings(header):
            print(f"{header}:{line}: {what}")


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    main()
