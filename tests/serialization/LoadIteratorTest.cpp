#include <ferry/serialization/LoadIterator.hpp>

#include <array>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("LoadIterator: loads values that are not aligned") {
    std::array<unsigned char, 17> bytes{};
    const std::array<double, 2> values{1.5, -2.5};
    std::memcpy(bytes.data() + 1, values.data(), sizeof(values));
    const ferry::detail::LoadIterator<double> first(bytes.data() + 1);
    const auto last = first + 2;
    CHECK(last - first == 2);
    CHECK(first < last);
    CHECK(first[1] == -2.5);
    CHECK(std::vector<double>(first, last) == std::vector<double>{1.5, -2.5});
}
