#include <ferry/framework/schedule/Agenda.hpp>

#include <chrono>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

TEST_CASE("Agenda: calls are due in the order of their times, and not before") {
    const detail::Agenda::TimePoint start{};
    detail::Agenda agenda;
    CHECK(agenda.next() == detail::Agenda::TimePoint::max());
    agenda.add(start + 3s, 1);
    agenda.add(start + 1s, 2);
    agenda.add(start + 2s, 3);
    agenda.remove(start + 2s, 3);
    CHECK(agenda.next() == start + 1s);
    CHECK_FALSE(agenda.due(start).has_value());
    CHECK(agenda.due(start + 9s) == 2);
    CHECK(agenda.due(start + 9s) == 2);
    agenda.remove(start + 1s, 2);
    CHECK(agenda.due(start + 3s) == 1);
    agenda.remove(start + 3s, 1);
    CHECK_FALSE(agenda.due(start + 9s).has_value());
}
