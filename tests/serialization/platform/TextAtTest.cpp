#include <ferry/serialization/platform/TextAt.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include <doctest/doctest.h>

#include <ferry/serialization/platform/System.hpp>

using ferry::detail::copyTextAt;
using ferry::detail::textAt;

namespace textattest {

/// Some pages of memory, behind which there is none.
class LastPages {
public:
    LastPages() : size_(2 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
        pages_ = static_cast<char*>(::mmap(nullptr, size_ + size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(static_cast<void*>(pages_) != MAP_FAILED);
        REQUIRE(::mprotect(pages_ + size_, size_, PROT_NONE) == 0);
    }
    LastPages(const LastPages&) = delete;
    LastPages& operator=(const LastPages&) = delete;
    ~LastPages() { ::munmap(pages_, size_ + size_); }

    /// The last bytes before the end.
    char* last(std::size_t count) const { return pages_ + size_ - count; }

private:
    std::size_t size_;
    char* pages_ = nullptr;
};

const char* wildText() { return reinterpret_cast<const char*>(std::uintptr_t{8}); }

}    // namespace textattest

using namespace textattest;

TEST_CASE("textAt: texts of all lengths are read as they are") {
    const std::string text(5000, 'x');
    for (std::size_t length = 0; length <= text.size(); length += 7) {
        const std::string part = text.substr(0, length);
        CHECK(textAt(part.c_str()) == part);
    }
    CHECK(textAt(nullptr) == "null");
}

TEST_CASE("textAt: a text may end with the last byte of the memory") {
    const LastPages pages;
    for (const std::size_t length : {0u, 1u, 1023u, 1024u, 1025u, 5000u}) {
        char* const text = pages.last(length + 1);
        std::memset(text, 'y', length);
        text[length] = '\0';
        CHECK(textAt(text) == std::string(length, 'y'));
    }
}

TEST_CASE("textAt: a text at a wrong address, or without an end, is said and not read") {
    CHECK(textAt(wildText()) == "<a text at address 0x8, where no memory is>");
    const LastPages pages;
    CHECK(textAt(pages.last(0)).find("where no memory is") != std::string::npos);
    std::memset(pages.last(2000), 'z', 2000);
    CHECK(textAt(pages.last(2000)) == std::string(2000, 'z') + " <the text has no end: no memory follows>");
}

TEST_CASE("textAt: a very long text is cut") {
    const std::string text(ferry::detail::longestTextBytes + 10'000, 'x');
    CHECK(textAt(text.c_str()) == text.substr(0, ferry::detail::longestTextBytes) + " <the text has more than 1048576 bytes>");
}

TEST_CASE("copyTextAt: the text is cut to the room, whatever its address") {
    std::array<char, 40> room{};
    CHECK(std::string(copyTextAt("short", room)) == "short");
    CHECK(std::string(copyTextAt(std::string(100, 'x').c_str(), room)) == std::string(39, 'x'));
    CHECK(std::string(copyTextAt(wildText(), room)) == "<a text where no memory is>");
    CHECK(std::string(copyTextAt(nullptr, room)) == "null");
    const LastPages pages;
    std::memset(pages.last(10), 'z', 10);
    CHECK(std::string(copyTextAt(pages.last(10), room)) == "zzzzzzzzzz <the text has no end>");
}
