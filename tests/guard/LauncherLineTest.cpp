#include <ferry/guard/known/LauncherLine.hpp>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using ferry::pmpi::LauncherLine;

namespace {

/// A launcher's end and a rank's end of a line. The rank's end stands in PMI_FD. The launcher has answered before it is asked.
class LineToLauncher {
public:
    LineToLauncher() {
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) == 0);
        constexpr std::string_view answer = "cmd=finalize_ack rc=0\n";
        REQUIRE(::write(launcher(), answer.data(), answer.size()) == static_cast<ssize_t>(answer.size()));
        ::setenv("PMI_FD", std::to_string(rank()).c_str(), 1);
    }
    LineToLauncher(const LineToLauncher&) = delete;
    LineToLauncher& operator=(const LineToLauncher&) = delete;
    ~LineToLauncher() {
        ::unsetenv("PMI_FD");
        for (const int end : ends_) ::close(end);
    }
    int launcher() const { return ends_[0]; }
    int rank() const { return ends_[1]; }

    /// The text that has come to the launcher.
    std::string heard() const {
        std::array<char, 100> text{};
        const ssize_t size = ::recv(launcher(), text.data(), text.size(), MSG_DONTWAIT);
        return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "";
    }

private:
    std::array<int, 2> ends_{};
};

}    // namespace

TEST_CASE("LauncherLine: goodbye is said once, in the words of PMI-1") {
    const LineToLauncher line;
    LauncherLine own;
    own.note();
    CHECK(line.heard().empty());
    own.sayGoodbye();
    CHECK(line.heard() == "cmd=finalize\n");
    own.sayGoodbye();
    CHECK(line.heard().empty());
}

TEST_CASE("LauncherLine: a file that has taken the number of a closed line gets nothing") {
    const LineToLauncher line;
    LauncherLine own;
    own.note();
    std::array<int, 2> others{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, others.data()) == 0);
    REQUIRE(::dup2(others[1], line.rank()) == line.rank());    // MPI has closed its line
    own.sayGoodbye();
    std::array<char, 10> text{};
    CHECK(::recv(others[0], text.data(), text.size(), MSG_DONTWAIT) < 0);
    for (const int other : others) ::close(other);
}

TEST_CASE("LauncherLine: nothing is said on a line that was forgotten") {
    const LineToLauncher line;
    LauncherLine own;
    own.note();
    own.forget();
    own.sayGoodbye();
    CHECK(line.heard().empty());
}

TEST_CASE("LauncherLine: a launcher that is gone does no harm") {
    const LineToLauncher line;
    LauncherLine own;
    own.note();
    REQUIRE(::shutdown(line.launcher(), SHUT_RDWR) == 0);
    own.sayGoodbye();
}

TEST_CASE("LauncherLine: nothing is said without a line, on no socket, and to a launcher with other words") {
    LauncherLine().sayGoodbye();
    for (const char* number : {"", "none", "-3", "999999"}) {
        ::setenv("PMI_FD", number, 1);
        LauncherLine own;
        own.note();
        own.sayGoodbye();
    }
    const LineToLauncher line;
    ::setenv("PMI_VERSION", "2", 1);
    LauncherLine own;
    own.note();
    ::unsetenv("PMI_VERSION");
    own.sayGoodbye();
    CHECK(line.heard().empty());
}
