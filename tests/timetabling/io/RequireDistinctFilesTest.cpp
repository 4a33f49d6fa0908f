#include <ferry/apps/timetabling/io/requireDistinctFiles.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using timetabling::InputError;
using timetabling::requireDistinctFiles;

TEST_CASE("requireDistinctFiles: results go elsewhere than to what is read, however it is called") {
    const ferry::test::TemporaryFolder folder;
    const std::string instance = (folder.path() / "a.ctt").string();
    std::ofstream(instance) << "x";
    std::filesystem::create_symlink(instance, (folder.path() / "link").string());
    requireDistinctFiles({instance, ""}, {{"--out", (folder.path() / "a.sol").string()}, {"--csv", ""}});
    CHECK_THROWS_WITH_AS(requireDistinctFiles({instance}, {{"--out", instance}}),
                         (instance + ": is read, so that --out may not write over it").c_str(), InputError);
    CHECK_THROWS_AS(requireDistinctFiles({instance}, {{"--csv", (folder.path() / "link").string()}}), InputError);
    CHECK_THROWS_AS(requireDistinctFiles({(folder.path() / "link").string()}, {{"--csv", (folder.path() / "sub/../a.ctt").string()}}),
                    InputError);
}

TEST_CASE("requireDistinctFiles: the tables of a folder that is read stay, and other files may be there") {
    const ferry::test::TemporaryFolder folder;
    const std::string tables = (folder.path() / "faculty").string();
    std::filesystem::create_directory(tables);
    requireDistinctFiles({tables}, {{"--out", tables + "/best.sol"}, {"--csv", (folder.path() / "out.csv").string()}});
    CHECK_THROWS_AS(requireDistinctFiles({tables + "/"}, {{"--csv", tables + "/courses.csv"}}), InputError);
}

TEST_CASE("requireDistinctFiles: two results have two places, unless it is a device") {
    const ferry::test::TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string();
    CHECK_THROWS_WITH_AS(requireDistinctFiles({}, {{"--out", out}, {"--json", ""}, {"--csv", out}}),
                         (out + ": is named by --out and by --csv").c_str(), InputError);
    requireDistinctFiles({}, {{"--out", "/dev/null"}, {"--csv", "/dev/null"}});
    CHECK_THROWS_AS(requireDistinctFiles({}, {{"--out", "not there"}, {"--csv", "./not there"}}), InputError);
    CHECK_THROWS_AS(requireDistinctFiles({}, {{"--out", "not there"}, {"--csv", std::filesystem::absolute("not there").string()}}),
                    InputError);
}

TEST_CASE("requireDistinctFiles: nothing goes into a folder that is a result itself") {
    const ferry::test::TemporaryFolder folder;
    const std::string pages = (folder.path() / "pages").string();
    CHECK_THROWS_WITH_AS(requireDistinctFiles({}, {{"--out", pages + "/index.html"}, {"--html", pages}}),
                         (pages + "/index.html: is in the folder that --html fills, so that --out may not name it").c_str(), InputError);
    requireDistinctFiles({}, {{"--out", pages + ".sol"}, {"--html", pages}});
}
