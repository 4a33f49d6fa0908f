#!/usr/bin/env python3
"""Makes small trees and requires that tools/publicNames finds their public names, and says which of them no page shows."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "publicNames")

HEADER = """#pragma once

#include <ferry/serialization/Inner.hpp>

namespace other {
struct Foreign {};
}

namespace ferry {

class Mentioned;

/// Holds one value. A second sentence.
template <class T>
    requires(sizeof(T) < 8)
class Holder final : public Base<T> {
public:
    void member();
    struct Nested {};
};

template <>
class Holder<int> {};

namespace detail {
/// For the library's own use.
struct Inside {};
}    // namespace detail

/// The ways to hold.
enum class Way : int { Loose, Tight };

/// Whether it holds | or not.
template <class T>
inline constexpr bool holds = sizeof(T) > 4;

/// Makes a holder.
[[nodiscard]] inline Holder<long> hold(long value = int{3}) noexcept(true) { return {value}; }
template <class T>
    requires requires(T value) { value.x; }
auto hold(const T& value) -> Holder<T>;

inline bool operator==(const Way& a, const Way& b);
void Holder<int>::member() {}

/// A text.
using Text = const char*;

#define FERRY_MACRO(name_) struct name_ {};

}    // namespace ferry
"""
PAGE = """# Guide

## Holding things

`ferry::hold(3)` makes a `Holder`, in one `ferry::Way`, and `ferry::holds<int>` tells.

```cpp
ferry::Text text = "ferry::NotThis";
```
"""
SOUND_TREE = {
    "objects.hpp": "#include <ferry/serialization/Holder.hpp>\n",
    "serialization/Holder.hpp": HEADER,
    "serialization/Inner.hpp": "namespace ferry::detail {\n/// For the library.\nclass Inner {};\n}\n",
    "docs/guide.md": PAGE,
}


class PublicNamesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for path, text in SOUND_TREE.items():
            self.plant(path, text)

    def plant(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def call(self, *options):
        done = run([sys.executable, "-B", TOOL, *options, self.root])
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def testNamesAreThoseOfTheNamespaceItself(self):
        status, lines = self.call()
        self.assertEqual(status, 0)
        self.assertEqual(lines, [f"{name}\tserialization/Holder.hpp" for name in ("hold", "Holder", "holds", "Text", "Way")])

    def testPageHasMeaningAndPlace(self):
        _, lines = self.call("--page")
        self.assertIn("| `Holder` | Holds one value. | [guide](guide.md#holding-things) |", lines)
        self.assertIn("| `holds` | Whether it holds \\| or not. | [guide](guide.md#holding-things) |", lines)

    def testSoundTreeIsClean(self):
        self.assertEqual(self.call("--write"), (0, []))
        self.assertEqual(self.call("--check"), (0, ["publicNames: 0 problems"]))

    def testNameWithoutPageIsReported(self):
        self.plant("docs/guide.md", PAGE.replace("ferry::Text", "char* ferry_Text"))
        self.call("--write")
        status, lines = self.call("--check")
        self.assertEqual(status, 1)
        self.assertEqual(lines, ["serialization/Holder.hpp: no page shows ferry::Text: write about it in docs/, or move it to ferry::detail",
                                 "publicNames: 1 problems"])

    def testNameWithoutCommentIsReported(self):
        self.plant("serialization/Holder.hpp", HEADER.replace("/// A text.\n", ""))
        self.call("--write")
        status, lines = self.call("--check")
        self.assertEqual((status, lines[:-1]), (1, ["serialization/Holder.hpp: ferry::Text has no comment /// that says what it is"]))

    def meaningOf(self, name):
        return next(line.split(" | ")[1] for line in self.call("--page")[1] if line.startswith(f"| `{name}` |"))

    def testCommentOfTheClassComesBeforeThatOfTheGeneralCase(self):
        self.plant("serialization/Inner.hpp", "namespace ferry {\n/// Has a meaning.\ntemplate <class T>\nstruct Open;\nstruct Foreign;\n}\n")
        for general in ("/// Types without a meaning.\n", ""):
            self.plant("serialization/Holder.hpp", HEADER.replace("/// A text.", f"{general}template <class T>\nstruct Open {{}};\n\n/// A text."))
            self.assertEqual(self.meaningOf("Open"), "Has a meaning.")
            self.assertNotIn("Foreign\tserialization/Inner.hpp", self.call()[1])

    def testBasicFunctionTellsTheMeaning(self):
        self.plant("serialization/Further.hpp", "#include <ferry/serialization/Holder.hpp>\nnamespace ferry {\n/// Holds more.\nvoid hold(int);\n}\n")
        self.plant("objects.hpp", "#include <ferry/serialization/Further.hpp>\n")
        self.assertEqual(self.meaningOf("hold"), "Makes a holder.")

    def testCommentThatIsNoMeaningIsReported(self):
        for comment in ("Like the function above.", "Use it for a text.", "A text that does not"):
            self.plant("serialization/Holder.hpp", HEADER.replace("A text.", comment))
            self.call("--write")
            self.assertEqual(self.call("--check"), (1, [
                f"serialization/Holder.hpp: ferry::Text has no comment /// whose first sentence says what it is by itself: {comment}",
                "publicNames: 1 problems"]))

    def testSentenceEndsBeforeCodeAndColonEndsOne(self):
        for comment, meaning in (("A text. `Text` is short.", "A text."), ("A text:\n///\n///     Text text;", "A text."), ("A, b, ... and so on. More.", "A, b, ... and so on.")):
            self.plant("serialization/Holder.hpp", HEADER.replace("A text.", comment))
            self.assertEqual(self.meaningOf("Text"), meaning)

    def testNameBehindNoDoorIsReported(self):
        self.plant("framework/Lost.hpp", "namespace ferry {\nstruct Lost {};\n}\n")
        self.call("--write")
        status, lines = self.call("--check")
        self.assertEqual((status, lines[:-1]), (1, ["framework/Lost.hpp: no door includes this header: ferry::Lost belongs to ferry::detail"]))

    def testOldPageIsReported(self):
        self.call("--write")
        self.plant("serialization/Holder.hpp", HEADER.replace("A text.", "Some text."))
        status, lines = self.call("--check")
        self.assertEqual((status, lines[:-1]), (1, ["docs/names.md: differs from the headers: run tools/publicNames --write"]))

    def testUnknownOptionIsRefused(self):
        done = run([sys.executable, "-B", TOOL, "--fix", self.root])
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("usage: publicNames", done.stderr)


if __name__ == "__main__":
    unittest.main()
