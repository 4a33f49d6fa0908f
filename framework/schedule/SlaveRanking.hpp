#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ferry::detail {

/// A ranking of slaves by a key. It finds the slave with the least key; among equal keys, the slave with the lowest number. Pure logic.
///
/// The ranking is a tournament tree: each slave is compared with its neighbour, then the winners with each other, and so on. A changed key
/// repeats only the comparisons above its slave: log2(number of slaves).
template <class Key>
class SlaveRanking {
public:
    /// For slaves numbered from 0; no slave has a key.
    explicit SlaveRanking(int slaveCount)
        : leafCount_(std::bit_ceil(static_cast<std::size_t>(slaveCount > 0 ? slaveCount : 1))),
          keys_(leafCount_),
          winners_(2 * leafCount_, nobody) {}

    /// Makes room for more slaves. New slaves have no key.
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
    /// Sets the key, or clears it if `key` is empty.
    void assign(int slave, const std::optional<Key>& key) {
        if (key) {
            set(slave, *key);
        } else {
            clear(slave);
        }
    }

    /// The key of a slave. The slave must have a key.
    const Key& keyOf(int slave) const { return *keys_[static_cast<std::size_t>(slave)]; }

    /// The slave with the least key. Empty: no slave has a key.
    std::optional<int> first() const { return slaveOrNone(winners_[1]); }
    /// The first slave other than the given one, which may be a number that no slave has.
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
            if (winner == winners_[place] && winner != slave) return;    // the comparisons further up do not change
            winners_[place] = winner;
        }
    }

    std::size_t leafCount_;
    std::vector<std::optional<Key>> keys_;    ///< by slave
    std::vector<int> winners_;                ///< winners_[1]: the first of all; winners_[i]: winner of 2 i and 2 i + 1; from leafCount_
                                              ///< on: the slaves
};

}    // namespace ferry::detail
