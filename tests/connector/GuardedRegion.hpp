#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/tests/support/Ranks.hpp>

// What the tests of guarded regions and of collectives have in common.

namespace ferry::test {

/// Whether the ranks, which run on one host, were not told to do without the memory that they share.
inline bool isOverBoard() { return std::getenv("FERRY_HOST_MEMORY") == nullptr; }

inline int lastRank(const Connector& c) { return c.size() - 1; }

/// What leaves the region on this rank; an empty list when nothing does.
template <class Function>
ExceptionList failuresOf(Connector& c, Function function) {
    try {
        c.guarded(function);
    } catch (const ExceptionList& failures) {
        return failures;
    }
    return ExceptionList();
}

/// What is wrong when ranks do not agree on the collectives that the function calls: the text on this rank.
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

/// Every rank has the one failure of the last rank.
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
