#!/usr/bin/env python3
"""Writes the cardinal plural rules of CLDR, as Swift data and as a table for the tests.

Needs Babel (pip install babel), whose release carries the rules of a release of CLDR. Nothing of it is needed to build
or to test: run this, look at the difference, and commit it, when CLDR has changed.

  Tests/Tools/make-plural-rules.py
"""
import os
import re
from decimal import Decimal

import babel
from babel import localedata

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RULES = os.path.join(ROOT, "Sources/NotificationBridge/PluralRules+Data.swift")
TABLE = os.path.join(ROOT, "Tests/NotificationBridgeTests/Data/plurals.tsv")
ORDER = ["zero", "one", "two", "few", "many"]
NUMBERS = (
    [str(n) for n in range(0, 32)]
    + ["40", "99", "100", "101", "102", "103", "111", "112", "119", "120", "121", "200", "211", "1000", "1000000"]
    + ["0.0", "0.1", "0.5", "1.0", "1.1", "1.5", "1.10", "2.0", "2.1", "10.0", "11.5", "20.3", "100.01"]
)


def rules():
    """Each language's rule as babel has it; languages with one form alone are left out."""
    found = {}
    for name in localedata.locale_identifiers():
        form = localedata.load(name).get("plural_form")
        if form is not None and form.rules:
            found[name] = form
    # A region's, where it is not its language's.
    return {
        name: form
        for name, form in found.items()
        if "_" not in name or form.rules != getattr(found.get(name.split("_")[0]), "rules", None)
    }


def text(form):
    """A rule as `one: i = 1 and v = 0; few: …`, in the spelling of CLDR."""
    parts = []
    for category in ORDER:
        if category in form.rules:
            rule = form.rules[category].replace(" mod ", " % ").replace(" not in ", " != ").replace(" in ", " = ")
            parts.append(category + ": " + re.sub(r",\s*", ",", rule))
    return "; ".join(parts)


def main():
    languages = {}
    forms = rules()
    for name, form in sorted(forms.items()):
        languages.setdefault(text(form), []).append(name.replace("_", "-"))
    lines = [
        "// Made by Tests/Tools/make-plural-rules.py from Babel %s. Data: Unicode CLDR." % babel.__version__,
        "",
        "extension PluralRules {",
        "  /// A line: languages, a bar, and the rule that they share. Languages that are not here have one form.",
        '  static let table = """',
    ]
    for rule, names in sorted(languages.items(), key=lambda item: item[1]):
        lines += lines_of(" ".join(names) + " | " + rule)
    lines += ['    """', "}", ""]
    with open(RULES, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write("# language, number, category; made by Tests/Tools/make-plural-rules.py\n")
        for name, form in sorted(forms.items()):
            by_category = {}
            for number in NUMBERS:
                by_category.setdefault(form(Decimal(number)), []).append(number)
            for category, numbers in sorted(by_category.items()):
                file.write("%s\t%s\t%s\n" % (name.replace("_", "-"), category, " ".join(numbers)))


def lines_of(words):
    """A line of a Swift text, broken where it is too long."""
    lines = [""]
    for word in words.split(" "):
        if len(lines[-1]) + len(word) > 110:
            lines[-1] += " \\"
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return ["    " + line for line in lines]


main()
