#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/tests/support/Ranks.hpp>

// Shared functions of the tests of guarded regions and of collectives.

namespace ferry::test {

/// Whether the ranks use the shared memory of their host for collectives. FERRY_HOST_MEMORY switches it off.
inline bool isOverBoard() { return std::getenv("FERRY_HOST_MEMORY") == nullptr; }

inline int lastRank(const Connector& c) { return c.size() - 1; }

/// Runs the function in a region. Returns the failures that leave the region on this rank, or an empty list.
template <class Function>
ExceptionList failuresOf(Connector& c, Function function) {
    try {
        c.guarded(function);
    } catch (const ExceptionList& failures) {
        return failures;
    }
    return ExceptionList();
}

/// Returns the text of the mismatch on this rank, when the ranks do not agree on the collectives that the function calls.
template <class Function>
std::string mismatchOf(Connector& c, Function function) {
    const ExceptionList failures = failuresOf(c, function);
    REQUIRE(failures.size() > 0);
    const auto* const mismatch = failures.front().as<CollectiveMismatch>();
    REQUIRE(mismatch != nullptr);
    return mismatch->what();
}

inline void checkUsable(Connector& c) {
    CHECK(c.allReduce(c.rank(), Sum{}) == c.size() * (c.size() - 1) / 2);
    c.send(nextRank(c), std::string("usable"));
    CHECK(c.receive<std::string>(previousRank(c)) == "usable");
    CHECK(c.broadcast(c.rank(), lastRank(c)) == lastRank(c));
}

/// Checks that this rank has one failure, which is the failure of the last rank.
inline void checkOneFailure(Connector& c, const ExceptionList& failures, const std::string& text) {
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().rank() == lastRank(c));
    CHECK(failures.front().origin().rank == lastRank(c));
    CHECK(failures.front().ranks() == std::vector<int>{lastRank(c)});
    CHECK(failures.front().what() == text);
    checkUsable(c);
}

inline void throwOnLast(const Connector& c) {
    if (c.rank() == lastRank(c)) throw std::domain_error("matrix is singular");
}

}    // namespace ferry::test
