#include <ferry/framework/master/LetterInHand.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace letterinhandtest {

/// A letter from rank 3 with an empty parcel for each number.
detail::LetterInHand letterOf(detail::MessageKind kind, std::initializer_list<std::int32_t> numbers) {
    const std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(1);
    detail::Mailbox mailbox(*transports[0], ObjectFactory::global());
    IntBuffer ints = mailbox.pack(detail::Envelope{kind, 0, 0}, [&](IntWriter& out) {
        for (const std::int32_t number : numbers) detail::writeParcel(out, {5, number, 1});
    });
    return detail::LetterInHand(detail::Letter{3, detail::Envelope{kind}, std::move(ints)});
}

/// Takes in the rest of the letter. Returns the numbers of its parcels.
std::vector<std::int32_t> numbersOf(detail::LetterInHand& hand) {
    std::vector<std::int32_t> numbers;
    for (; hand.next() != nullptr; hand.passNext()) numbers.push_back(hand.next()->number);
    return numbers;
}

using Numbers = std::vector<std::int32_t>;

}    // namespace letterinhandtest

using namespace letterinhandtest;

TEST_CASE("LetterInHand: replies come in their order, and a later step goes on at the same parcel") {
    detail::LetterInHand hand = letterOf(detail::JobKind::Response, {4, 2, 9});
    CHECK_FALSE(hand.isCut());
    hand.cut();
    CHECK(hand.isCut());
    CHECK(hand.areReplies());
    CHECK_FALSE(hand.areGivenBack());
    REQUIRE(hand.next() != nullptr);
    CHECK(hand.next()->number == 4);
    CHECK(hand.next()->number == 4);
    hand.passNext();
    CHECK(numbersOf(hand) == Numbers{2, 9});
    CHECK(hand.next() == nullptr);
}

TEST_CASE("LetterInHand: tasks that are given back come in reverse order, and submitted tasks in their order") {
    detail::LetterInHand givenBack = letterOf(detail::JobKind::Request, {4, 2, 9});
    givenBack.cut();
    CHECK(givenBack.areGivenBack());
    CHECK(numbersOf(givenBack) == Numbers{9, 2, 4});
    detail::LetterInHand none = letterOf(detail::JobKind::Request, {});
    none.cut();
    CHECK(none.areGivenBack());
    CHECK(none.next() == nullptr);
    detail::LetterInHand submitted = letterOf(detail::JobKind::Request, {detail::newCall, detail::newCall});
    submitted.cut();
    CHECK_FALSE(submitted.areGivenBack());
    CHECK(numbersOf(submitted) == Numbers{detail::newCall, detail::newCall});
}

TEST_CASE("LetterInHand: the sender answers, until the letter names a slave of its group") {
    detail::LetterInHand hand = letterOf(detail::JobKind::Response, {4});
    CHECK(hand.answeringRank() == 3);
    hand.setAnsweringRank(5);
    CHECK(hand.answeringRank() == 5);
    CHECK(hand.from() == 3);
}

TEST_CASE("LetterInHand: the calls share the letter, which outlives the object") {
    std::shared_ptr<const detail::Letter> kept;
    {
        detail::LetterInHand hand = letterOf(detail::JobKind::Response, {4});
        kept = hand.shared();
        CHECK(&hand.letter() == kept.get());
        CHECK(hand.shared() == kept);
    }
    CHECK(detail::parcelsIn(*kept).size() == 1);
}

TEST_CASE("LetterInHand: a damaged letter is refused") {
    IntBuffer ints(std::vector<std::int32_t>(detail::Envelope::sizeInts + 2, 1));
    detail::LetterInHand hand(detail::Letter{3, detail::Envelope{detail::JobKind::Response}, std::move(ints)});
    CHECK_THROWS_AS(hand.cut(), SerializationError);
    CHECK_FALSE(hand.isCut());
}
