#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/Fields.hpp>

// The values that the tests of started collectives send.

namespace ferry::test {

/// A class whose combination is associative but not commutative.
struct Train {
    std::string cars;
    long weight = 0;
    FERRY_FIELDS(cars, weight)
    friend bool operator==(const Train&, const Train&) = default;
};

inline Train coupled(const Train& front, const Train& rear) { return {front.cars + rear.cars, front.weight + rear.weight}; }

inline Train trainOf(int firstRank, int lastRank) {
    Train train;
    for (int rank = firstRank; rank <= lastRank; ++rank) train = coupled(train, {std::string(1, static_cast<char>('a' + rank)), rank});
    return train;
}

inline Train carOf(int rank) { return trainOf(rank, rank); }

/// Makes one element for each rank.
template <class Make>
auto forEachRank(const Connector& c, Make make) {
    std::vector<decltype(make(0))> values;
    for (int rank = 0; rank < c.size(); ++rank) values.push_back(make(rank));
    return values;
}

inline std::vector<int> allRanks(const Connector& c) {
    return forEachRank(c, [](int rank) { return rank; });
}

/// Returns `rank` elements with the value `rank`.
inline std::vector<int> runOf(int rank) { return std::vector<int>(static_cast<std::size_t>(rank), rank); }

inline std::vector<int> allRuns(const Connector& c) {
    std::vector<int> all;
    for (int rank = 0; rank < c.size(); ++rank) all.insert(all.end(), static_cast<std::size_t>(rank), rank);
    return all;
}

/// Whether a step of a started collective has arrived and was not taken. Call this behind a barrier that all ranks enter after get().
inline bool hasStepsLeft(Connector& c) {
    c.poll();
    const auto isStarted = [](const detail::Letter& letter) {
        return letter.envelope.kind == detail::MessageKind::Collective && detail::describeCall(letter.envelope.key).starts_with("started ");
    };
    return detail::mailboxOf(c).arrived().find(isStarted) != nullptr;
}

inline int sumOfRanks(const Connector& c) { return c.size() * (c.size() - 1) / 2; }

}    // namespace ferry::test
