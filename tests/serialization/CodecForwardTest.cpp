#include <ferry/serialization/codec/CodecForward.hpp>

#include <array>
#include <complex>
#include <forward_list>
#include <list>
#include <memory>
#include <string>
#include <valarray>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/checkpoint/TypeText.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

namespace codecForwardTest {

struct ForwardEmpty {};

template <class T>
bool areEqualNumbers(const std::valarray<T>& left, const std::valarray<T>& right) {
    bool areEqual = left.size() == right.size();
    for (std::size_t i = 0; areEqual && i < left.size(); ++i) areEqual = left[i] == right[i];
    return areEqual;
}

}    // namespace codecForwardTest

using namespace codecForwardTest;

TEST_CASE("CodecForward: a forward_list travels as a list does") {
    const std::forward_list<int> numbers{3, 4};
    CHECK(checkTravel(numbers, {2, 3, 4}) == numbers);
    const std::forward_list<std::string> texts{"a", "b"};
    CHECK(valueOf<std::forward_list<std::string>>(intsOf(texts)) == texts);
    CHECK(intsOf(texts) == intsOf(std::list<std::string>{"a", "b"}));
    CHECK(ferry::detail::typeTextOf<std::forward_list<int>>() == ferry::detail::typeTextOf<std::list<int>>());

    std::forward_list<std::unique_ptr<int>> owners;
    owners.push_front(std::make_unique<int>(5));
    CHECK(*valueOf<std::forward_list<std::unique_ptr<int>>>(intsOf(owners)).front() == 5);
    const std::forward_list<ForwardEmpty> empties(3);
    CHECK(std::distance(empties.begin(), empties.end()) == 3);
    const auto arrived = valueOf<std::forward_list<ForwardEmpty>>(intsOf(empties));
    CHECK(std::distance(arrived.begin(), arrived.end()) == 3);
    CHECK(errorOf<std::forward_list<ForwardEmpty>>({1 << 30}) != "no error");
}

TEST_CASE("CodecForward: a valarray travels as a vector does") {
    const std::valarray<double> numbers{1, 2};
    CHECK(areEqualNumbers(checkTravel(numbers, intsOf(std::vector<double>{1, 2})), numbers));
    const std::valarray<short> narrow{1, 2, 3};
    CHECK(areEqualNumbers(checkTravel(narrow, {3, 0x20001, 3}), narrow));
    const std::valarray<bool> flags{true, false};
    CHECK(areEqualNumbers(checkTravel(flags, {2, 1, 0}), flags));
    const std::valarray<std::string> texts{"a", "bc"};
    CHECK(areEqualNumbers(checkTravel(texts, intsOf(std::vector<std::string>{"a", "bc"})), texts));
    const std::valarray<std::complex<float>> complex{{1, 2}};
    CHECK(areEqualNumbers(valueOf<std::valarray<std::complex<float>>>(intsOf(complex)), complex));
    CHECK(areEqualNumbers(checkTravel(std::valarray<int>(), {0}), std::valarray<int>()));
    CHECK(ferry::detail::typeTextOf<std::valarray<float>>() == ferry::detail::typeTextOf<std::vector<float>>());
    CHECK(ferry::detail::typeTextOf<std::valarray<short>>() == ferry::detail::typeTextOf<std::vector<short>>());
}
