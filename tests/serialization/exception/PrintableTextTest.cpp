#include <ferry/serialization/exception/PrintableText.hpp>

#include <string>

#include <doctest/doctest.h>

using ferry::detail::Lines;
using ferry::detail::printable;

TEST_CASE("printable: control characters of one byte are escaped, and lines stay where they are wanted") {
    CHECK(printable(std::string("a\0b\n\t\r\x1b[2J\x7f", 11)) == "a\\0b\\n\\t\\r\\x1b[2J\\x7f");
    CHECK(printable("a\n\tb\r", Lines::Several) == "a\n\tb\\r");
}

TEST_CASE("printable: control characters of UTF-8 are escaped, and so are bytes that a terminal without UTF-8 obeys") {
    CHECK(printable("\xc2\x9b"
                    "31m") == "\\u009b31m");
    CHECK(printable("\x9b"
                    "31m\x85") == "\\x9b31m\\x85");
    CHECK(printable("\xc3\x9b\xe2\x82\xac\xf0\x9f\x98\x80") == "\xc3\x9b\xe2\x82\xac\xf0\x9f\x98\x80");    // letters and signs
    CHECK(printable("\xe2\x9b") == "\xe2\\x9b");                                                           // cut off
    CHECK(printable("M\xfcller") == "M\xfcller");                                                          // Latin-1
}

TEST_CASE("printable: characters that turn the order of a text, or end a line of it, are escaped") {
    CHECK(printable("a\xe2\x80\xae"
                    "fdp.exe\xe2\x80\xac") == "a\\u202efdp.exe\\u202c");
    CHECK(printable("\xe2\x81\xa6x\xe2\x81\xa9\xe2\x80\xa8") == "\\u2066x\\u2069\\u2028");
    CHECK(printable("\xd7\xa9\xd7\x9c\xe2\x80\x93") == "\xd7\xa9\xd7\x9c\xe2\x80\x93");    // Hebrew letters and a dash
}
