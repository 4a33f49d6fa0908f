#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ferry {

/// Some of the slaves, each with a key: says which has the least, and of several of these the first. Pure logic.
///
/// A tournament: each slave meets its neighbour, the winners meet, and so on; a key that changes plays again the few games up from its
/// slave (log2 of the number of slaves).
template <class Key>
class SlaveRanking {
public:
    /// For slaves numbered from 0; none has a key.
    explicit SlaveRanking(int slaveCount)
        : leafCount_(std::bit_ceil(static_cast<std::size_t>(slaveCount > 0 ? slaveCount : 1))),
          keys_(leafCount_),
          winners_(2 * leafCount_, nobody) {}

    /// Makes room for more slaves; those that come new have no key.
    void grow(int slaveCount) {
        SlaveRanking grown(slaveCount);
        for (std::size_t slave = 0; slave < keys_.size(); ++slave) {
            if (keys_[slave]) grown.set(static_cast<int>(slave), *keys_[slave]);
        }
        *this = std::move(grown);
    }

    void set(int slave, const Key& key) {
        std::optional<Key>& own = keys_[static_cast<std::size_t>(slave)];
        if (own == key) return;
        own = key;
        play(slave, slave);
    }
    void clear(int slave) {
        std::optional<Key>& own = keys_[static_cast<std::size_t>(slave)];
        if (!own) return;
        own.reset();
        play(slave, nobody);
    }
    /// With a key or without one.
    void assign(int slave, const std::optional<Key>& key) {
        if (key) {
            set(slave, *key);
        } else {
            clear(slave);
        }
    }

    /// The key of a slave that has one.
    const Key& keyOf(int slave) const { return *keys_[static_cast<std::size_t>(slave)]; }

    /// None when no slave has a key.
    std::optional<int> first() const { return slaveOrNone(winners_[1]); }
    /// The first of all but this slave; that may be a number that no slave has.
    std::optional<int> firstBut(int slave) const {
        const int best = winners_[1];
        if (best != slave || best == nobody) return slaveOrNone(best);
        int other = nobody;
        for (std::size_t place = leafCount_ + static_cast<std::size_t>(slave); place > 1; place /= 2)
            other = better(winners_[place ^ 1u], other);
        return slaveOrNone(other);
    }

private:
    static constexpr int nobody = -1;

    static std::optional<int> slaveOrNone(int slave) { return slave == nobody ? std::nullopt : std::optional(slave); }

    int better(int left, int right) const {
        if (left == nobody || right == nobody) return left == nobody ? right : left;
        const Key& leftKey = keyOf(left);
        const Key& rightKey = keyOf(right);
        if (leftKey < rightKey) return left;
        if (rightKey < leftKey) return right;
        return left < right ? left : right;
    }

    void play(int slave, int entrant) {
        std::size_t place = leafCount_ + static_cast<std::size_t>(slave);
        winners_[place] = entrant;
        for (place /= 2; place > 0; place /= 2) {
            const int winner = better(winners_[2 * place], winners_[2 * place + 1]);
            if (winner == winners_[place] && winner != slave) return;    // nothing changes further up
            winners_[place] = winner;
        }
    }

    std::size_t leafCount_;
    std::vector<std::optional<Key>> keys_;    ///< by slave
    std::vector<int> winners_;                ///< at 1 the first of all, at i that of 2 i and 2 i + 1; the slaves from leafCount_ on
};

}    // namespace ferry
