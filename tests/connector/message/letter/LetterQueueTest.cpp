#include <ferry/connector/message/letter/LetterQueue.hpp>

#include <new>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

detail::Letter letterFrom(int from, detail::MessageKind kind, std::int32_t key, std::int32_t number) {
    return detail::Letter{from, detail::Envelope{kind, key, number}, IntBuffer()};
}

}    // namespace

TEST_CASE("Filter: kind, sender, key and number must all match; what is not named matches anything") {
    const detail::Letter letter = letterFrom(3, detail::MessageKind::Agreement, 77, 5);
    CHECK(detail::Filter({detail::MessageKind::Agreement}).matches(letter));
    CHECK(detail::Filter({detail::MessageKind::Exception, detail::MessageKind::Agreement}, 3).matches(letter));
    CHECK(detail::Filter({detail::MessageKind::Agreement}, 3).withKey(77).withNumber(5).matches(letter));
    CHECK_FALSE(detail::Filter({detail::MessageKind::Registry}).matches(letter));
    CHECK_FALSE(detail::Filter({detail::MessageKind::Agreement}, 2).matches(letter));
    CHECK_FALSE(detail::Filter({detail::MessageKind::Agreement}).withKey(78).matches(letter));
    CHECK_FALSE(detail::Filter({detail::MessageKind::Agreement}).withNumber(0).matches(letter));
}

TEST_CASE("LetterQueue: the oldest letter that matches is taken, the others keep their order") {
    detail::LetterQueue queue;
    queue.add(letterFrom(1, detail::MessageKind::Object, 10, 0));
    queue.add(letterFrom(2, detail::MessageKind::Object, 20, 0));
    queue.add(letterFrom(1, detail::MessageKind::Object, 20, 1));
    queue.add(letterFrom(1, detail::MessageKind::Object, 20, 2));
    CHECK(queue.take(detail::Filter({detail::MessageKind::Object}, 1).withKey(20))->envelope.number == 1);
    CHECK(queue.take(detail::Filter({detail::MessageKind::Object}))->envelope.key == 10);
    CHECK(queue.take(detail::Filter({detail::MessageKind::Object}))->from == 2);
    CHECK(queue.size() == 1);
    CHECK_FALSE(queue.take(detail::Filter({detail::MessageKind::Value})).has_value());
    CHECK(queue.size() == 1);
}

TEST_CASE("LetterQueue: letters that are handed over go in their order, and one stays for which there is no memory") {
    detail::LetterQueue queue;
    for (int number = 1; number <= 3; ++number) queue.add(letterFrom(1, detail::MessageKind::Object, 10, number));
    queue.add(letterFrom(1, detail::MessageKind::Object, 20, 4));
    std::vector<std::int32_t> given;
    const auto wants = [](const detail::Letter& letter) { return letter.envelope.key == 10; };
    const auto give = [&given](detail::Letter&& letter) {
        if (given.size() == 1) throw std::bad_alloc();
        given.push_back(detail::Letter(std::move(letter)).envelope.number);
    };
    CHECK_THROWS_AS(queue.handOver(wants, give), std::bad_alloc);
    CHECK(given == std::vector<std::int32_t>{1});
    CHECK(queue.size() == 3);
    queue.handOver(wants, [&given](detail::Letter&& letter) { given.push_back(letter.envelope.number); });
    CHECK(given == std::vector<std::int32_t>{1, 2, 3});
    CHECK(queue.take(detail::Filter({detail::MessageKind::Object}))->envelope.number == 4);
}

TEST_CASE("Letter: one whose end is missing tells its sender and its size when it is read") {
    detail::Letter letter = letterFrom(3, detail::MessageKind::Object, 10, 1);
    letter.ints.resizeUninitialized(detail::Envelope::sizeInts + 2);
    CHECK(letter.body().size() == 2);
    letter.missingInts = 100;
    CHECK(letter.bodyStart().size() == 2);
    CHECK_THROWS_AS(static_cast<void>(letter.wholeInts()), NoMemoryForMessage);
    try {
        static_cast<void>(letter.body());
        FAIL("it was read");
    } catch (const NoMemoryForMessage& failure) {
        CHECK(failure.from() == 3);
        CHECK(failure.bytes() == (detail::Envelope::sizeInts + 102) * sizeof(std::int32_t));
        CHECK(std::string(failure.what()) == "no memory for a message of 432 bytes from rank 3, which was received and dropped");
    }
}
