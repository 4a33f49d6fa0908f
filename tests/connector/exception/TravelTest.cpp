// Exceptions between ranks, to the master and from it.
#include <ferry/connector/Connector.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/tests/connector/Carried.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/connector/exception/StandardSamples.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// Returns the exception that another rank throws on this rank. First tells that rank that this one is ready.
/// A barrier would not work here, because the exception would end the barrier.
std::exception_ptr awaited(Connector& c, int from) {
    c.send(from, true);
    return thrownBy([&] { static_cast<void>(c.receive<Letterhead>(AnyRank)); });    // no rank sends one
}

/// Runs `send` on rank 0 and `take` on rank 1, and then the other way round.
template <class Send, class Take>
void bothWays(Send send, Take take) {
    onRanks(
        [&](Connector& c) {
            for (const int sender : {0, 1}) {
                if (c.rank() == sender && c.receive<bool>(1 - sender)) send(c, 1 - sender);
                if (c.rank() == 1 - sender) take(c, sender);
                c.barrier();
            }
        },
        2);
}

}    // namespace

TEST_CASE("exceptions travel: every standard class, both ways, caught by its own handlers only") {
    forEachStandardSample([]<class E>(const E& sample) {
        INFO(typeid(E).name());
        bothWays([&](Connector& c, int to) { c.throwOn(to, sample); },
                 [&](Connector& c, int from) {
                     const std::exception_ptr arrived = awaited(c, from);
                     CHECK(StandardCatchTable::isCaughtLike<E>(arrived));
                     try {
                         std::rethrow_exception(arrived);
                     } catch (const E& caught) {
                         CHECK(std::string(caught.what()) == sample.what());
                         CHECK(haveEqualDetails(caught, sample));
                         const Origin* origin = originOf(caught);
                         CHECK((origin != nullptr && origin->rank == from));
                     } catch (...) {
                         FAIL_CHECK("a handler for the class itself did not catch it");
                     }
                 });
    });
}

TEST_CASE("exceptions travel: the report on another rank tells the fields") {
    bothWays(
        [](Connector& c, int to) {
            c.throwOn(to, Overloaded(30, {"A", "B"}));
        },
        [](Connector& c, int from) {
            const std::exception_ptr arrived = awaited(c, from);
            CHECK(report(arrived).find("\n    field limit = 30\n    field rooms = [\"A\", \"B\"]") != std::string::npos);
            CHECK(reportJson(arrived).find("\"name\": \"limit\"") != std::string::npos);
        });
}

TEST_CASE("exceptions travel: a class with data and a chain of causes, both ways") {
    bothWays(
        [](Connector& c, int to) {
            try {
                try {
                    throw std::out_of_range("inner");
                } catch (...) {
                    std::throw_with_nested(Overloaded(30, {"A", "B"}));
                }
            } catch (const Overloaded& e) {
                c.throwOn(to, e);
            }
        },
        [](Connector& c, int from) {
            const std::vector<std::exception_ptr> chain = detail::chainOf(awaited(c, from));
            REQUIRE(chain.size() == 2);
            const auto* outer = detail::Thrown(chain.front()).as<Overloaded>();
            const auto* inner = detail::Thrown(chain.back()).as<std::out_of_range>();
            REQUIRE(outer != nullptr);
            REQUIRE(inner != nullptr);
            CHECK(outer->rooms == std::vector<std::string>{"A", "B"});
            CHECK(outer->origin().rank == from);
            CHECK(inner->what() == std::string("inner"));
        });
}

TEST_CASE("exceptions travel: one that is caught and passed on keeps the place of its throw and its context") {
    if (!isThrowHookLinked()) return;
    bothWays(
        [](Connector& c, int to) {
            try {
                const auto room = ferry::context("room", "B-12");
                throw std::out_of_range("seat 31");
            } catch (const std::out_of_range& e) {
                c.throwOn(to, e);
            }
        },
        [](Connector& c, int from) {
            const Origin origin = detail::Thrown(awaited(c, from)).origin();
            CHECK(origin.context == std::vector<detail::ContextEntry>{{"room", "B-12"}});
            CHECK(origin.file.find("TravelTest.cpp") != std::string::npos);
            CHECK_FALSE(origin.stack.empty());
        });
}
