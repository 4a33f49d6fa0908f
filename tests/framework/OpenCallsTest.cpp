#include <ferry/framework/master/OpenCalls.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/master/Bundle.hpp>

using namespace ferry;
using namespace std::chrono_literals;

namespace opencallstest {

const detail::OpenCalls::TimePoint firstInstant{};

std::shared_ptr<detail::Call> opened(detail::OpenCalls& calls,
                                     detail::OpenCalls::TimePoint deadline = detail::OpenCalls::TimePoint::max()) {
    std::shared_ptr<detail::Call> call = calls.make();
    call->deadline = deadline;
    calls.add(call);
    return call;
}

}    // namespace opencallstest

using namespace opencallstest;

TEST_CASE("OpenCalls: a call is found by its number and the rank that has it, until it is removed") {
    std::uint32_t lastNumber = 0;
    detail::OpenCalls calls(lastNumber);
    const std::shared_ptr<detail::Call> first = opened(calls);
    const std::shared_ptr<detail::Call> second = opened(calls);
    CHECK(first->number != 0);
    CHECK(first->number != second->number);
    CHECK(calls.count() == 2);
    CHECK(calls.at(second->number) == second);
    CHECK(calls.findAt(3, second->number) == nullptr);
    second->place = detail::Call::Place::AtSlave;
    second->slaveRank = 3;
    CHECK(calls.findAt(3, second->number) == second);
    CHECK(calls.findAt(2, second->number) == nullptr);
    CHECK(calls.findAt(3, 99) == nullptr);
    CHECK(calls.withoutSlave() == std::vector{first});
    CHECK(calls.remove(*second) == second);
    CHECK(calls.findAt(3, second->number) == nullptr);
    CHECK(calls.remove(*first) == first);
    CHECK(calls.isEmpty());
}

TEST_CASE("OpenCalls: a call that was made is not open before it is added") {
    std::uint32_t lastNumber = 0;
    detail::OpenCalls calls(lastNumber);
    const std::shared_ptr<detail::Call> call = calls.make();
    CHECK(calls.isEmpty());
    CHECK_THROWS(calls.at(call->number));
}

TEST_CASE("OpenCalls: calls without a slave come in the order of their numbers") {
    std::uint32_t lastNumber = 0;
    detail::OpenCalls calls(lastNumber);
    std::vector<std::shared_ptr<detail::Call>> all;
    for (int i = 0; i < 100; ++i) all.push_back(opened(calls));
    CHECK(calls.withoutSlave() == all);
}

TEST_CASE("OpenCalls: a call is overdue from its deadline on, until the deadline is dropped or the call is removed") {
    std::uint32_t lastNumber = 0;
    detail::OpenCalls calls(lastNumber);
    opened(calls);
    const std::shared_ptr<detail::Call> late = opened(calls, firstInstant + 2s);
    const std::shared_ptr<detail::Call> early = opened(calls, firstInstant + 1s);
    CHECK(calls.nextDue() == firstInstant + 1s);
    CHECK(calls.overdue(firstInstant) == nullptr);
    CHECK(calls.overdue(firstInstant + 9s) == early);
    CHECK(calls.overdue(firstInstant + 9s) == early);
    calls.dropDeadline(*early);
    CHECK(calls.overdue(firstInstant + 9s) == late);
    calls.remove(*late);
    calls.remove(*early);
    CHECK(calls.overdue(firstInstant + 9s) == nullptr);
    CHECK(calls.nextDue() == detail::OpenCalls::TimePoint::max());
}

TEST_CASE("OpenCalls: a call rests until its next try, unless it is removed before") {
    std::uint32_t lastNumber = 0;
    detail::OpenCalls calls(lastNumber);
    const std::shared_ptr<detail::Call> call = opened(calls);
    const std::shared_ptr<detail::Call> removed = opened(calls);
    calls.rest(*call, firstInstant + 2s);
    calls.rest(*removed, firstInstant + 1s);
    CHECK(call->place == detail::Call::Place::Resting);
    CHECK(calls.nextDue() == firstInstant + 1s);
    CHECK(calls.rested(firstInstant + 1s) == removed);
    calls.remove(*removed);
    CHECK(calls.rested(firstInstant + 1s) == nullptr);
    CHECK(calls.rested(firstInstant + 2s) == call);
    calls.wake(*call);
    CHECK(calls.rested(firstInstant + 2s) == nullptr);
    CHECK(calls.nextDue() == detail::OpenCalls::TimePoint::max());
    CHECK(calls.count() == 1);
}

TEST_CASE("OpenCalls: after the last number the numbers begin again, without those of open calls") {
    std::uint32_t lastNumber = 0x7ffffffdu;
    detail::OpenCalls calls(lastNumber);
    CHECK(opened(calls)->number == 0x7ffffffe);
    CHECK(opened(calls)->number == 0x7fffffff);
    const std::shared_ptr<detail::Call> first = opened(calls);
    CHECK(first->number == 1);
    lastNumber = 0x7ffffffdu;
    const std::shared_ptr<detail::Call> second = opened(calls);
    CHECK(second->number == 2);
    CHECK(calls.count() == 4);
    CHECK(calls.at(1) == first);
    CHECK(calls.remove(*first) == first);
    lastNumber = 0x7fffffffu;
    CHECK(opened(calls)->number == 1);
}

TEST_CASE("OpenCalls: the calls of a later owner have other numbers than those of an earlier one") {
    std::uint32_t lastNumber = 0;
    std::int32_t before = 0;
    {
        detail::OpenCalls calls(lastNumber);
        before = opened(calls)->number;
    }
    detail::OpenCalls calls(lastNumber);
    CHECK(opened(calls)->number > before);
}

TEST_CASE("OpenCalls: numbers that begin again are neither those of open calls nor those of open bundles") {
    std::uint32_t lastNumber = 0;
    detail::OpenCalls calls(lastNumber);
    const std::shared_ptr<detail::Call> single = opened(calls);
    const std::shared_ptr<detail::Call> bundled = calls.makeForBundle();
    bundled->bundle = std::make_shared<detail::Bundle>();
    calls.add(bundled);
    CHECK(single->number == 1);
    CHECK(bundled->number == 64);

    lastNumber = 0x7fffffff;
    for (int number = 2; number < 64; ++number) CHECK(opened(calls)->number == number);
    CHECK(opened(calls)->number == 128);    // 64 to 127 belong to the bundle

    lastNumber = 0x7fffffff - 100;
    CHECK(calls.makeForBundle()->number == 192);    // neither the block of the bundle, nor one with an open call
}
