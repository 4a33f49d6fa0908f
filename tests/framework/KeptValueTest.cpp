#include <ferry/framework/slave/KeptValue.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/tests/support/Together.hpp>

namespace ferry::detail {

namespace keptvaluetest {

std::atomic<int> makeCount{0};

std::shared_ptr<const Message> makeSlowly(std::span<const std::int32_t>, const ObjectFactory&) {
    ++makeCount;
    for (int look = 0; look < 100; ++look) std::this_thread::yield();    // the other threads ask meanwhile
    return std::make_shared<ValueMessage<int>>(std::in_place, 5);
}

/// A value that has only ints.
std::unique_ptr<KeptValue> readable() {
    auto value = std::make_unique<KeptValue>(1, ObjectFactory::global());
    auto ints = std::make_shared<IntBuffer>();
    ints->append(std::vector<std::int32_t>(Envelope::sizeInts, 0));
    value->setInts(std::move(ints));
    makeCount = 0;
    return value;
}

}    // namespace keptvaluetest

using namespace keptvaluetest;

TEST_CASE("KeptValue: threads that ask for a result at the same time get one object, which was read once") {
    for (int round = 0; round < 20; ++round) {
        const auto value = readable();
        std::vector<const Message*> found(4);
        test::runTogether(4, [&](int thread) { found[static_cast<std::size_t>(thread)] = &value->here(resultId<int>(), makeSlowly); });
        CHECK(makeCount == 1);
        for (const Message* each : found) CHECK(each == found.front());
    }
}

}    // namespace ferry::detail
