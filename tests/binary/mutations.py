"""Single-token mutations of C: another operator or another number, one in each of some functions."""

import re

FUNCTION = re.compile(r"^[A-Za-z_][\w \t*]*?\b(\w+)[ \t]*\([^;{}()]*\)[ \t]*\n?\{", re.MULTILINE)
TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
      |(?P<number>\b\d+\b(?![.\w]))
      |(?P<operator><<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|->|\+=|-=|[-+*/%&|^!~<>=])""",
    re.VERBOSE | re.MULTILINE | re.DOTALL)
OTHER = {"<<": ">>", ">>": "<<", "<=": "<", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=",
         "<": "<=", ">": ">=", "+": "-"}


def body_end(text, start):
    depth = 0
    for token in re.finditer(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[{}]', text[start:], re.DOTALL):
        if token.group(0) == "{":
            depth += 1
        elif token.group(0) == "}":
            depth -= 1
            if depth == 0:
                return start + token.end()
    return len(text)


def functions(text):
    """(name, begin, end) of each function's body."""
    found, at = [], 0
    while match := FUNCTION.search(text, at):
        end = body_end(text, match.end() - 1)
        found.append((match.group(1), match.end(), end))
        at = end
    return found


def candidates(text, begin, end):
    places = []
    for token in TOKEN.finditer(text, begin, end):
        if token.lastgroup == "number":
            places.append((token.start(), token.end(), str(int(token.group(0), 8 if token.group(0)[0] == "0" and token.group(0).isdigit() and "8" not in token.group(0) and "9" not in token.group(0) else 10) + 1)))
        elif token.lastgroup == "operator" and token.group(0) in OTHER:
            places.append((token.start(), token.end(), OTHER[token.group(0)]))
    return places


def mutate(text, chosen, random):
    """The text with one token changed in each of the chosen functions, and what was changed, by line."""
    edits = []
    for name, begin, end in chosen:
        places = candidates(text, begin, end)
        if places:
            edits.append((name, *random.choice(places)))
    done = []
    for name, begin, end, new in sorted(edits, key=lambda edit: -edit[1]):
        done.append((name, text.count("\n", 0, begin) + 1, f"{text[begin:end]} -> {new}"))
        text = text[:begin] + new + text[end:]
    return text, done
