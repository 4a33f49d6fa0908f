#include <ferry/serialization/exception/stack/Symbols.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/support/Together.hpp>

TEST_CASE("symbolise: threads that ask at the same time, for the same addresses and for others, get the names that one gets") {
    constexpr int addressCount = 400;
    const auto begin = reinterpret_cast<std::uintptr_t>(&ferry::detail::symbolise);
    const auto namesAt = [begin](int place) {
        const std::array<void*, 1> address{reinterpret_cast<void*>(begin + static_cast<std::uintptr_t>(place) + 1)};
        std::string names;
        for (const ferry::detail::StackFrame& frame : ferry::detail::symbolise(address)) names += frame.function + ";";
        return names;
    };
    std::array<std::vector<std::string>, 4> found;
    ferry::test::runTogether(static_cast<int>(found.size()), [&](int thread) {
        for (int place = 0; place < addressCount; ++place) found[static_cast<std::size_t>(thread)].push_back(namesAt(place));
    });
    int wrongCount = 0;
    for (int place = 0; place < addressCount; ++place) {
        for (const auto& names : found) wrongCount += names[static_cast<std::size_t>(place)] == namesAt(place) ? 0 : 1;
    }
    CHECK(wrongCount == 0);
}
