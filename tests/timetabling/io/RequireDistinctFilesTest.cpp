#include <ferry/apps/timetabling/io/requireDistinctFiles.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using timetabling::InputError;
using timetabling::requireDistinctFiles;

TEST_CASE("requireDistinctFiles: a result must not replace a file that is read, however the file is called") {
    const ferry::test::TemporaryFolder folder;
    const std::string instance = (folder.path() / "a.ctt").string();
    std::ofstream(instance) << "x";
    std::filesystem::create_symlink(instance, (folder.path() / "link").string());
    requireDistinctFiles({instance, ""}, {{"--out", (folder.path() / "a.sol").string()}, {"--csv", ""}});
    CHECK_THROWS_WITH_AS(requireDistinctFiles({instance}, {{"--out", instance}}),
                         (instance + ": this file is read, so --out must name another file").c_str(), InputError);
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
    CHECK_THROWS_WITH_AS(requireDistinctFiles({tables}, {{"--out", tables + "/"}}),
                         (tables + "/: this folder is read, so --out must name another folder").c_str(), InputError);
}

TEST_CASE("requireDistinctFiles: two results need two files, unless the file is a device") {
    const ferry::test::TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string();
    CHECK_THROWS_WITH_AS(requireDistinctFiles({}, {{"--out", out}, {"--json", ""}, {"--csv", out}}),
                         (out + ": both --out and --csv name this file: each needs a file of its own").c_str(), InputError);
    requireDistinctFiles({}, {{"--out", "/dev/null"}, {"--csv", "/dev/null"}});
    CHECK_THROWS_AS(requireDistinctFiles({}, {{"--out", "not there"}, {"--csv", "./not there"}}), InputError);
    CHECK_THROWS_AS(requireDistinctFiles({}, {{"--out", "not there"}, {"--csv", std::filesystem::absolute("not there").string()}}),
                    InputError);
}

TEST_CASE("requireDistinctFiles: no result may lie in a folder that is a result itself") {
    const ferry::test::TemporaryFolder folder;
    const std::string pages = (folder.path() / "pages").string();
    CHECK_THROWS_WITH_AS(requireDistinctFiles({}, {{"--out", pages + "/index.html"}, {"--html", pages}}),
                         (pages + "/index.html: this file lies in the folder that --html fills, so --out must name another place").c_str(),
                         InputError);
    requireDistinctFiles({}, {{"--out", pages + ".sol"}, {"--html", pages}});
}
