#include <ferry/serialization/file/FileError.hpp>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/checkpoint/SeriesFile.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using ferry::ErrorKind;
using ferry::FileError;
using ferry::FileProblem;

TEST_CASE("FileError: it names the file, and what is wrong") {
    const FileError damaged(FileProblem::Damaged, "state.ferry", "chunk 3 is damaged", 3);
    CHECK(std::string(damaged.what()) == "state.ferry: chunk 3 is damaged");
    CHECK(damaged.kind() == ErrorKind::BadData);
    CHECK(damaged.chunk() == 3);
    const FileError full = FileError::ofSystem(FileProblem::CannotWrite, "state.ferry", "writing", ENOSPC);
    CHECK(std::string(full.what()) == "state.ferry: writing failed: No space left on device");
    CHECK(full.kind() == ErrorKind::Unsupported);
    CHECK(full.errorNumber() == ENOSPC);
    CHECK(full.chunk() == FileError::NoChunk);
}

namespace {

struct Pearl {
    Pearl* next = nullptr;
    FERRY_FIELDS(next)
};

}    // namespace

TEST_CASE("FileError: an empty path is told in words, for each call that takes one") {
    const auto check = [](const auto& call) {
        CHECK_THROWS_WITH_AS(call(), "expected the name of a file, found an empty path", FileError);
    };
    check([] { static_cast<void>(ferry::load<int>("")); });
    check([] { ferry::save("", 1); });
    check([] { static_cast<void>(ferry::loadGraph<Pearl>("")); });
    check([] { ferry::saveGraph("", std::make_unique<Pearl>()); });
    check([] { const ferry::SeriesReader file(""); });
    check([] { const ferry::SeriesWriter file(""); });
}

TEST_CASE("FileError: its data travels") {
    const FileError error(FileProblem::Truncated, "ab", "cut off", 2);
    const ferry::test::Ints golden{3, 2, 0x6261, 2, 0, 0};
    CHECK(ferry::test::intsOf(error) == golden);
    const auto again = ferry::test::valueOf<FileError>(golden);
    CHECK(again.problem() == FileProblem::Truncated);
    CHECK(again.path() == "ab");
    CHECK(again.chunk() == 2);
    ferry::test::checkTruncated<FileError>(golden);
    CHECK(ferry::test::errorOf<FileError>({7, 2, 0x6261, 2, 0, 0}) ==
          "int 0 in ferry::FileError: expected a problem of a file (0 to 6), found 7");
}
