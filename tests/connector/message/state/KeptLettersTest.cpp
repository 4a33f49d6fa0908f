#include <ferry/connector/message/state/KeptLetters.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

detail::Letter keptLetter(std::int32_t number) {
    return detail::Letter{0, detail::Envelope{detail::MessageKind::Value, 1, number}, IntBuffer()};
}

const detail::Filter anyKept({detail::MessageKind::Value});

std::shared_ptr<detail::Expectation> expectOne(detail::KeptLetters& letters) {
    const auto expectation = std::make_shared<detail::Expectation>(anyKept, detail::Expectation::Wanted::OneLetter);
    letters.expect(expectation);
    return expectation;
}

/// Gives a letter to the expectations, or keeps it when none wants it.
void takeInKept(detail::KeptLetters& letters, std::int32_t number) {
    detail::Letter letter = keptLetter(number);
    if (!letters.offer(letter)) letters.add(std::move(letter));
}

std::vector<std::int32_t> takeAllKept(detail::KeptLetters& letters) {
    std::vector<std::int32_t> numbers;
    while (const std::optional<detail::Letter> letter = letters.take(anyKept)) numbers.push_back(letter->envelope.number);
    return numbers;
}

}    // namespace

TEST_CASE("KeptLetters: letters are taken in the order of their arrival") {
    detail::OneThread thread(0);
    detail::KeptLetters letters(thread);
    for (const std::int32_t number : {3, 1, 2}) takeInKept(letters, number);
    CHECK(letters.takeIf([](const detail::Letter& letter) { return letter.envelope.number == 1; }).has_value());
    CHECK(takeAllKept(letters) == std::vector<std::int32_t>{3, 2});
}

TEST_CASE("KeptLetters: an expectation gets the oldest letter that is there, otherwise the next one that comes") {
    detail::OneThread thread(0);
    detail::KeptLetters letters(thread);
    takeInKept(letters, 1);
    const auto first = expectOne(letters);
    const auto second = expectOne(letters);
    CHECK(first->take().envelope.number == 1);
    CHECK(letters.isExpected(keptLetter(2)));
    takeInKept(letters, 2);
    takeInKept(letters, 3);
    CHECK(takeAllKept(letters) == std::vector<std::int32_t>{3});
    CHECK(second->take().envelope.number == 2);
}

TEST_CASE("KeptLetters: the letter of a dropped expectation is the oldest one again") {
    detail::OneThread thread(0);
    detail::KeptLetters letters(thread);
    const auto expectation = expectOne(letters);
    takeInKept(letters, 1);
    takeInKept(letters, 2);
    expectation->drop();
    CHECK(takeAllKept(letters) == std::vector<std::int32_t>{1, 2});
}

TEST_CASE("KeptLetters: an expectation whose letter is dropped gets another one that has come") {
    detail::OneThread thread(0);
    detail::KeptLetters letters(thread);
    const auto expectation = expectOne(letters);
    for (const std::int32_t number : {1, 2, 3, 4}) takeInKept(letters, number);
    letters.drop([](const detail::Letter& letter) { return letter.envelope.number <= 2; });
    CHECK(expectation->take().envelope.number == 3);
    CHECK(takeAllKept(letters) == std::vector<std::int32_t>{4});
}

TEST_CASE("KeptLetters: letters of dropped expectations keep their order, whichever expectation is dropped first") {
    for (const bool isSecondFirst : {false, true}) {
        detail::OneThread thread(0);
        detail::KeptLetters letters(thread);
        const auto first = expectOne(letters);
        const auto second = expectOne(letters);
        for (std::int32_t number = 1; number <= 4; ++number) {
            detail::Letter letter = keptLetter(number);
            letter.envelope.clock = 10 * number;
            if (!letters.offer(letter)) letters.add(std::move(letter));
        }
        (isSecondFirst ? second : first)->drop();
        letters.takeBack();
        (isSecondFirst ? first : second)->drop();
        letters.takeBack();
        CHECK(letters.takenBackCount() == 2);
        CHECK(takeAllKept(letters) == std::vector<std::int32_t>{1, 2, 3, 4});
    }
}

TEST_CASE("KeptLetters: the letter of a dropped expectation goes to a later one") {
    detail::OneThread thread(0);
    detail::KeptLetters letters(thread);
    const auto first = expectOne(letters);
    const auto second = expectOne(letters);
    takeInKept(letters, 1);
    first->drop();
    CHECK(!second->hasLetter());
    letters.takeBack();
    REQUIRE(second->hasLetter());
    CHECK(second->take().envelope.number == 1);
    CHECK(letters.size() == 0);
}

TEST_CASE("KeptLetters: no letter passes the letter of a dropped expectation") {
    detail::OneThread thread(0);
    detail::KeptLetters letters(thread);
    const auto first = expectOne(letters);
    const auto second = expectOne(letters);
    takeInKept(letters, 1);
    first->drop();
    takeInKept(letters, 2);
    REQUIRE(second->hasLetter());
    CHECK(second->take().envelope.number == 1);
    CHECK(takeAllKept(letters) == std::vector<std::int32_t>{2});
}
