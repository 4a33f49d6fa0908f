#include <ferry/serialization/file/TextOutput.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace textoutputtest {

using ferry::FileError;
using ferry::TextOutput;
using ferry::detail::OutputStream;
using ferry::test::bytesOf;
using ferry::test::TemporaryFolder;
using ferry::test::writeBytes;

/// Returns the errno of the exception of opening or writing; -1 for an exception without an errno.
int errorOf(const std::filesystem::path& path) {
    try {
        TextOutput(path, OutputStream::Short).write("text");
    } catch (const FileError& error) {
        CHECK(error.path() == path);
        return error.errorNumber() == 0 ? -1 : error.errorNumber();
    }
    return 0;
}

}    // namespace textoutputtest

using namespace textoutputtest;

TEST_CASE("TextOutput: a file is replaced, and none is made before it is written") {
    const TemporaryFolder folder;
    const TextOutput output(folder / "file");
    CHECK(output.isReplaced());
    CHECK(folder.fileCount() == 0);
    output.write("a long first text");
    output.write("second");
    CHECK(bytesOf(folder / "file") == "second");
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("TextOutput: what cannot be written is told when it is opened") {
    const TemporaryFolder folder;
    CHECK(errorOf(folder.path()) == EISDIR);
    CHECK(errorOf(folder / "missing" / "file") == ENOENT);
    CHECK(errorOf("/dev/full") == ENOSPC);
    CHECK(errorOf("/dev/null") == 0);
    std::filesystem::create_symlink("one", folder / "one");
    CHECK(errorOf(folder / "one") == ELOOP);
}

TEST_CASE("TextOutput: a pipe that nobody reads is refused, and does not block") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "pipe";
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(errorOf(path) == -1);
    ferry::detail::FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    const TextOutput output(path, {std::chrono::milliseconds(0), std::chrono::milliseconds(0)});
    CHECK_FALSE(output.isReplaced());
    output.write("text");
    std::string read(10, '?');
    CHECK(::read(reader.number(), read.data(), read.size()) == 4);
    CHECK_THROWS_AS(output.write(std::string(10'000'000, 'x')), FileError);    // the reader takes no data
    reader = ferry::detail::FileDescriptor();
    try {
        output.write("text");    // the text is written, and no signal ends the process
        FAIL("there is no reader");
    } catch (const FileError& error) {
        CHECK(error.errorNumber() == EPIPE);
    }
}

TEST_CASE("TextOutput: in a shared folder, nothing goes into a file or pipe that another user has prepared") {
    if (::geteuid() != 0) return;    // only root can make files of another user
    constexpr uid_t stranger = 65534;
    const TemporaryFolder folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0666) == 0);
    const ferry::detail::FileDescriptor reader(::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    writeBytes(folder / "file", "prepared");
    for (const char* name : {"pipe", "file"}) REQUIRE(::lchown((folder / name).c_str(), stranger, stranger) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
    CHECK(errorOf(folder / "pipe") == -1);
    CHECK(errorOf(folder / "file") == -1);
    CHECK(TextOutput::writeOver(folder / "file", "secret") == EACCES);
    CHECK(bytesOf(folder / "file") == "prepared");
}

TEST_CASE("TextOutput: a file that is written over stays when there is no room for the new text") {
    const TemporaryFolder folder;
    writeBytes(folder / "file", "old");
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{100, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_DFL);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    CHECK(TextOutput::writeOver(folder / "file", std::string(1000, 'x')) == EFBIG);
    CHECK(bytesOf(folder / "file") == "old");
    CHECK(TextOutput::writeOver(folder / "file", std::string(100, 'x')) == 0);
    CHECK(TextOutput::writeOver(folder / "file", "new") == 0);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(bytesOf(folder / "file") == "new");
}

TEST_CASE("TextOutput: what a process has open is written to, not replaced") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "file";
    writeBytes(path, "before ");
    const ferry::detail::FileDescriptor open(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    const TextOutput output("/proc/self/fd/" + std::to_string(open.number()));
    CHECK_FALSE(output.isReplaced());
    output.write("text");
    CHECK(bytesOf(path) == "before text");
}
