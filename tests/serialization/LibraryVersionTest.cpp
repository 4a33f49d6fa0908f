#include <ferry/version.hpp>

#include <string>

#include <doctest/doctest.h>

TEST_CASE("version: the library has the version of its headers") {
    CHECK(ferry::versionNumber() == FERRY_VERSION);
    CHECK(std::string(ferry::version()) ==
          std::to_string(FERRY_VERSION_MAJOR) + "." + std::to_string(FERRY_VERSION_MINOR) + "." + std::to_string(FERRY_VERSION_PATCH));
}

TEST_CASE("version: numbers of versions are ordered as versions are") {
    CHECK(FERRY_VERSION_OF(0, 1, 9) < FERRY_VERSION_OF(0, 2, 0));
    CHECK(FERRY_VERSION_OF(0, 999, 999) < FERRY_VERSION_OF(1, 0, 0));
    CHECK(FERRY_VERSION >= FERRY_VERSION_OF(0, 1, 0));
}
