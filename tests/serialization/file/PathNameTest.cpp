#include <ferry/serialization/file/PathName.hpp>

#include <filesystem>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <ferry/serialization/file/HeldPath.hpp>

using ferry::detail::HeldPath;
using ferry::detail::PathName;

namespace {

std::string textOfPath(const PathName& path) { return path.text(); }

}    // namespace

TEST_CASE("PathName: it is made from any text and from paths") {
    const std::string text = "folder/file";
    CHECK(textOfPath("folder/file") == text);
    CHECK(textOfPath(text.c_str()) == text);
    CHECK(textOfPath(text) == text);
    CHECK(textOfPath(std::string_view(text)) == text);
    CHECK(textOfPath(u8"folder/f\u00e4hre") == "folder/f\xc3\xa4hre");
    CHECK(textOfPath(std::filesystem::path(text)) == text);
    CHECK(textOfPath(std::filesystem::directory_entry(text)) == text);
}

TEST_CASE("PathName: a zero byte in a text stays, so that it can be refused") {
    CHECK(textOfPath(std::string("a\0b", 3)).size() == 3);
    CHECK(textOfPath(std::filesystem::path(std::string("a\0b", 3))).size() == 3);
}

TEST_CASE("HeldPath: copies have the same path, and the first one is empty") {
    CHECK(HeldPath().path().empty());
    const HeldPath held("folder/file");
    const HeldPath copy = held;
    CHECK(copy.path() == std::filesystem::path("folder/file"));
    CHECK(copy.native() == "folder/file");
    CHECK(textOfPath(copy) == "folder/file");
}
