#include <ferry/connector/pmpi/HostMemory.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

using ferry::pmpi::HostMemory;

namespace {

/// A file of this process that is no page, where a page is said to be.
class OtherFile {
public:
    OtherFile(off_t byteCount, bool isSealed) : number_(::memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
        REQUIRE(::ftruncate(number_, byteCount) == 0);
        if (isSealed) REQUIRE(::fcntl(number_, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    }
    ~OtherFile() { ::close(number_); }
    OtherFile(const OtherFile&) = delete;
    OtherFile& operator=(const OtherFile&) = delete;

    HostMemory::Address address() const { return {::getpid(), number_, {1, 2}}; }

private:
    int number_;
};

constexpr auto pageBytes = static_cast<off_t>(sizeof(HostMemory::Page));
constexpr std::chrono::seconds patience{20};

bool comesTo(const HostMemory::Counter& counter, std::uint64_t value) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (counter != value && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return counter == value;
}

}    // namespace

TEST_CASE("HostMemory: two processes count in one counter") {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        HostMemory memory;
        const HostMemory::Address own = memory.address();
        HostMemory::Counter& counter = memory.pageAt(own)->lines[3][1].counter;
        counter = 1;
        const bool isTold = ::write(pipe[1], &own, sizeof own) == static_cast<ssize_t>(sizeof own);
        ::_exit(isTold && comesTo(counter, 2) ? 0 : 1);
    }
    HostMemory::Address address;
    REQUIRE(::read(pipe[0], &address, sizeof address) == static_cast<ssize_t>(sizeof address));
    HostMemory memory;
    HostMemory::Page* const page = memory.pageAt(address);
    REQUIRE(page != nullptr);
    CHECK(page->lines[3][1].counter == 1);
    CHECK(memory.pageAt(address) == page);
    page->lines[3][1].counter.fetch_add(1);
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(page->lines[3][1].counter == 2);    // which stays where its process has ended
    HostMemory another;
    CHECK(another.pageAt(address) == nullptr);
    ::close(pipe[0]);
    ::close(pipe[1]);
}

TEST_CASE("HostMemory: what is no page, or not the one that was told, is not reached") {
    HostMemory memory;
    HostMemory other;
    CHECK(memory.pageAt({}) == nullptr);
    HostMemory::Address wrong = other.address();
    wrong.key[1] ^= 1;
    CHECK(memory.pageAt(wrong) == nullptr);
    wrong = other.address();
    wrong.file = 1'000'000;
    CHECK(memory.pageAt(wrong) == nullptr);
    CHECK(memory.pageAt(OtherFile(pageBytes, false).address()) == nullptr);       // could be made shorter
    CHECK(memory.pageAt(OtherFile(pageBytes - 1, true).address()) == nullptr);    // is too short
    const OtherFile zeros(pageBytes, true);
    CHECK(memory.pageAt(zeros.address()) == nullptr);    // has another key
    CHECK(memory.pageAt(other.address()) != nullptr);
}

TEST_CASE("HostMemory: a slot can be used anew") {
    HostMemory memory;
    HostMemory::Page& page = *memory.pageAt(memory.address());
    page.lines[7][0].counter = 5;
    page.lines[7][2].counter = 1;
    page.lines[8][0].counter = 6;
    memory.clear(7);
    CHECK(page.lines[7][0].counter == 0);
    CHECK(page.lines[7][2].counter == 0);
    CHECK(page.lines[8][0].counter == 6);
}
