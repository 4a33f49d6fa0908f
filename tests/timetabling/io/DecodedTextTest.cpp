#include <ferry/apps/timetabling/io/decodedText.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/composedText.hpp>

using namespace timetabling;
using namespace std::string_literals;

TEST_CASE("decodedText: UTF-8, UTF-16 with and without a mark, and Windows-1252 become the same text") {
    const std::string text = "room,seats\nM\xC3\xBCller,5\n";
    const auto inUtf16 = [&](bool isBigEndian) {
        std::string bytes;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto symbol = static_cast<unsigned char>(text[i]);
            const char unit = symbol == 0xC3 ? '\xFC' : text[i];
            if (symbol == 0xC3) ++i;
            bytes += isBigEndian ? std::string(1, '\0') + unit : std::string(1, unit) + '\0';
        }
        return bytes;
    };
    for (const std::string& bytes :
         {text, "\xEF\xBB\xBF" + text, "\xFF\xFE" + inUtf16(false), "\xFE\xFF" + inUtf16(true), inUtf16(false), inUtf16(true)}) {
        const DecodedText decoded = decodedText("t.csv", bytes);
        CHECK(decoded.text == text);
        CHECK(decoded.note.empty());
    }
    const DecodedText guessed = decodedText("t.csv", "room,seats\nM\xFCller,5\n");
    CHECK(guessed.text == text);
    CHECK(guessed.note == "the file is not UTF-8 and was read as Windows-1252; check letters with accents, or save as 'CSV UTF-8'");
    CHECK(decodedText("t.csv", "\x80\x9F\x81").text == "\xE2\x82\xAC\xC5\xB8\xEF\xBF\xBD");
    CHECK(decodedText("t.csv", "\xFF\xFE\x3D\xD8\x00\xDE"s).text == "\xF0\x9F\x98\x80");
    CHECK(decodedText("t.csv", "\xFF\xFE\x00\xDE\x41"s).text == "\xEF\xBF\xBD");
}

TEST_CASE("decodedText: workbooks and binary files are refused with the cure") {
    for (const std::string& bytes : {"PK\x03\x04rest"s, "\xD0\xCF\x11\xE0rest"s, "%PDF-1.4"s, "a,b\nc\0d"s}) {
        CAPTURE(bytes);
        CHECK_THROWS_WITH_AS(decodedText("t.csv", bytes), doctest::Contains("'CSV UTF-8"), InputError);
    }
}

TEST_CASE("composedText: a letter with accents is one character, whoever wrote it") {
    CHECK(composedText("Mu\xCC\x88ller") == "M\xC3\xBCller");
    CHECK(composedText("Nguye\xCC\x82\xCC\x83n") == "Nguy\xE1\xBB\x85n");
    CHECK(composedText("M\xC3\xBCller") == "M\xC3\xBCller");
    CHECK(composedText("q\xCC\x88") == "q\xCC\x88");
    CHECK(composedText("\xCC\x88") == "\xCC\x88");
    CHECK(composedText("") == "");
}
