#include <ferry/connector/transport/SharedMemory.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>

using ferry::detail::SharedMemory;

namespace {

constexpr std::size_t byteCount = 10'000;

/// Another file of this process, with the address of a shared memory. The file pretends to be this memory.
class OtherFile {
public:
    OtherFile(SharedMemory::Address address, const char* name, std::size_t bytes, bool isSealed)
        : number_(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)),
          address_(address) {
        address_.file = number_;
        REQUIRE(::ftruncate(number_, static_cast<off_t>(bytes)) == 0);
        if (isSealed) REQUIRE(::fcntl(number_, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    }
    ~OtherFile() { ::close(number_); }
    OtherFile(const OtherFile&) = delete;
    OtherFile& operator=(const OtherFile&) = delete;

    bool canBeOpened() const { return SharedMemory::open(address_, byteCount).isMapped(); }

private:
    int number_;
    SharedMemory::Address address_;
};

}    // namespace

TEST_CASE("SharedMemory: is zero at first, and a process reads what another one has written") {
    const SharedMemory own = SharedMemory::create(byteCount);
    REQUIRE(own.isMapped());
    REQUIRE(own.bytes().size() == byteCount);
    CHECK(std::all_of(own.bytes().begin(), own.bytes().end(), [](std::byte one) { return one == std::byte{0}; }));
    const pid_t child = ::fork();
    if (child == 0) {
        const SharedMemory memory = SharedMemory::open(own.address(), byteCount);
        if (memory.isMapped()) memory.bytes().back() = std::byte{7};
        ::_exit(0);
    }
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(own.bytes().back() == std::byte{7});
}

TEST_CASE("SharedMemory: can be mapped from another process as long as that process keeps it") {
    std::array<int, 2> pipe{};
    std::array<int, 2> back{};
    REQUIRE(::pipe(pipe.data()) == 0);
    REQUIRE(::pipe(back.data()) == 0);
    const pid_t child = ::fork();
    char byte = 0;
    if (child == 0) {
        const SharedMemory memory = SharedMemory::create(byteCount);
        memory.bytes().front() = std::byte{1};
        const auto address = memory.address();
        const bool isTold = ::write(pipe[1], &address, sizeof address) == static_cast<ssize_t>(sizeof address);
        const bool isAnswered = ::read(back[0], &byte, 1) == 1;
        ::_exit(isTold && isAnswered && memory.bytes().front() == std::byte{2} ? 0 : 1);
    }
    SharedMemory::Address address;
    REQUIRE(::read(pipe[0], &address, sizeof address) == static_cast<ssize_t>(sizeof address));
    CHECK(address.process == child);
    SharedMemory memory = SharedMemory::open(address, byteCount);
    REQUIRE(memory.isMapped());
    CHECK(memory.bytes().front() == std::byte{1});
    CHECK(memory.address() == SharedMemory::Address{});
    memory.bytes().front() = std::byte{2};
    CHECK(::write(back[1], &byte, 1) == 1);
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    memory.bytes().front() = std::byte{3};    // the memory is still mapped
    CHECK_FALSE(SharedMemory::open(address, byteCount).isMapped());
    for (const int end : {pipe[0], pipe[1], back[0], back[1]}) ::close(end);
}

TEST_CASE("SharedMemory: another file in its place is not opened") {
    SharedMemory own = SharedMemory::create(byteCount);
    SharedMemory::Address address = own.address();
    CHECK_FALSE(SharedMemory::open({}, byteCount).isMapped());
    CHECK_FALSE(SharedMemory::open(address, byteCount + 1).isMapped());
    SharedMemory::Address wrong = address;
    wrong.key[1] ^= 1;
    CHECK_FALSE(SharedMemory::open(wrong, byteCount).isMapped());
    wrong = address;
    wrong.process = 0;
    CHECK_FALSE(SharedMemory::open(wrong, byteCount).isMapped());
    const std::string name = fmt::format("ferry-{:016x}{:016x}", address.key[0], address.key[1]);
    CHECK(OtherFile(address, name.c_str(), byteCount, true).canBeOpened());           // this file is right; each file below has one fault
    CHECK_FALSE(OtherFile(address, name.c_str(), byteCount, false).canBeOpened());    // this file could be made shorter
    CHECK_FALSE(OtherFile(address, name.c_str(), byteCount - 1, true).canBeOpened());
    CHECK_FALSE(OtherFile(address, "ferry-other", byteCount, true).canBeOpened());
    const SharedMemory moved = std::move(own);
    CHECK(SharedMemory::open(address, byteCount).isMapped());
    own = SharedMemory();
    CHECK(moved.isMapped());
    CHECK(SharedMemory::open(address, byteCount).isMapped());
}

TEST_CASE("SharedMemory: memory that the system does not give is not mapped") {
    CHECK_FALSE(SharedMemory().isMapped());
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit noFiles{0, 0};
        const bool isLimited = ::setrlimit(RLIMIT_NOFILE, &noFiles) == 0;
        const SharedMemory memory = SharedMemory::create(byteCount);
        ::_exit(isLimited && !memory.isMapped() && memory.address() == SharedMemory::Address{} ? 0 : 1);
    }
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}
