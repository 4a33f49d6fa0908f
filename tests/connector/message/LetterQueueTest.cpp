#include <ferry/connector/message/LetterQueue.hpp>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

Letter letterFrom(int from, MessageKind kind, std::int32_t key, std::int32_t number) {
    return Letter{from, Envelope{kind, key, number}, IntBuffer()};
}

}    // namespace

TEST_CASE("Filter: kind, sender, key and number must all match; what is not named matches anything") {
    const Letter letter = letterFrom(3, MessageKind::Response, 77, 5);
    CHECK(Filter({MessageKind::Response}).matches(letter));
    CHECK(Filter({MessageKind::Exception, MessageKind::Response}, 3).matches(letter));
    CHECK(Filter({MessageKind::Response}, 3).withKey(77).withNumber(5).matches(letter));
    CHECK_FALSE(Filter({MessageKind::Request}).matches(letter));
    CHECK_FALSE(Filter({MessageKind::Response}, 2).matches(letter));
    CHECK_FALSE(Filter({MessageKind::Response}).withKey(78).matches(letter));
    CHECK_FALSE(Filter({MessageKind::Response}).withNumber(0).matches(letter));
}

TEST_CASE("LetterQueue: the oldest letter that matches is taken, the others keep their order") {
    LetterQueue queue;
    queue.add(letterFrom(1, MessageKind::Object, 10, 0));
    queue.add(letterFrom(2, MessageKind::Object, 20, 0));
    queue.add(letterFrom(1, MessageKind::Object, 20, 1));
    queue.add(letterFrom(1, MessageKind::Object, 20, 2));
    CHECK(queue.take(Filter({MessageKind::Object}, 1).withKey(20))->envelope.number == 1);
    CHECK(queue.take(Filter({MessageKind::Object}))->envelope.key == 10);
    CHECK(queue.take(Filter({MessageKind::Object}))->from == 2);
    CHECK(queue.size() == 1);
    CHECK_FALSE(queue.take(Filter({MessageKind::Value})).has_value());
    CHECK(queue.size() == 1);
}
