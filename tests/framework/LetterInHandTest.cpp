#include <ferry/framework/master/LetterInHand.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace letterinhandtest {

/// A letter from rank 3 with an empty parcel for each number.
LetterInHand letterOf(MessageKind kind, std::initializer_list<std::int32_t> numbers) {
    const std::vector<std::unique_ptr<Transport>> transports = threadTransports(1);
    Mailbox mailbox(*transports[0], ObjectFactory::global());
    IntBuffer ints = mailbox.pack(Envelope{kind, 0, 0}, [&](IntWriter& out) {
        for (const std::int32_t number : numbers) writeParcel(out, {5, number, 1});
    });
    return LetterInHand(Letter{3, Envelope{kind}, std::move(ints)});
}

/// Takes in the rest of the letter. Returns the numbers of its parcels.
std::vector<std::int32_t> numbersOf(LetterInHand& hand) {
    std::vector<std::int32_t> numbers;
    for (; hand.next() != nullptr; hand.passNext()) numbers.push_back(hand.next()->number);
    return numbers;
}

using Numbers = std::vector<std::int32_t>;

}    // namespace letterinhandtest

using namespace letterinhandtest;

TEST_CASE("LetterInHand: replies come in their order, and a later step goes on at the same parcel") {
    LetterInHand hand = letterOf(MessageKind::Response, {4, 2, 9});
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
    LetterInHand givenBack = letterOf(MessageKind::Request, {4, 2, 9});
    givenBack.cut();
    CHECK(givenBack.areGivenBack());
    CHECK(numbersOf(givenBack) == Numbers{9, 2, 4});
    LetterInHand none = letterOf(MessageKind::Request, {});
    none.cut();
    CHECK(none.areGivenBack());
    CHECK(none.next() == nullptr);
    LetterInHand submitted = letterOf(MessageKind::Request, {newCall, newCall});
    submitted.cut();
    CHECK_FALSE(submitted.areGivenBack());
    CHECK(numbersOf(submitted) == Numbers{newCall, newCall});
}

TEST_CASE("LetterInHand: the sender answers, until the letter names a slave of its group") {
    LetterInHand hand = letterOf(MessageKind::Response, {4});
    CHECK(hand.answeringRank() == 3);
    hand.setAnsweringRank(5);
    CHECK(hand.answeringRank() == 5);
    CHECK(hand.from() == 3);
}

TEST_CASE("LetterInHand: the calls share the letter, which outlives the object") {
    std::shared_ptr<const Letter> kept;
    {
        LetterInHand hand = letterOf(MessageKind::Response, {4});
        kept = hand.shared();
        CHECK(&hand.letter() == kept.get());
        CHECK(hand.shared() == kept);
    }
    CHECK(parcelsIn(*kept).size() == 1);
}

TEST_CASE("LetterInHand: a damaged letter is refused") {
    IntBuffer ints(std::vector<std::int32_t>(Envelope::sizeInts + 2, 1));
    LetterInHand hand(Letter{3, Envelope{MessageKind::Response}, std::move(ints)});
    CHECK_THROWS_AS(hand.cut(), SerializationError);
    CHECK_FALSE(hand.isCut());
}
