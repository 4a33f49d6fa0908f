#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/connector/measurement/Timers.hpp>

namespace ferry {

/// A timer or counter on all ranks (Measurements).
struct Measurement {
    enum class Kind { Timer, Counter };

    Kind kind = Kind::Timer;
    std::string name;
    std::string path;           ///< the names of the timers around it and its own, with '/' between; a '/' of a name is written as "\/"
    std::size_t depth = 0;      ///< number of timers around it
    std::uint64_t calls = 0;    ///< on all ranks: runs of the timer, or calls of count()

    /// By rank: the seconds of a timer, the sum of a counter; none on a rank that lacks the name. Sums are exact up to 2^53.
    std::vector<std::optional<double>> values;
    std::vector<int> missing;    ///< the ranks that lack the name, in ascending order
    std::vector<int> atLimit;    ///< the ranks whose sum has left the range of 64 bits: their values are too small in size

    // Figures of the ranks that have the name.
    double min = 0;
    double mean = 0;
    double max = 0;
    int minRank = 0;         ///< the first rank with the smallest value
    int maxRank = 0;         ///< the first rank with the greatest value
    double imbalance = 1;    ///< max / mean: 1 when all ranks have the same; 1 when the mean is 0
};

/// The timers and counters of all ranks: connector.measurements().
class Measurements {
public:
    Measurements() = default;
    /// byRank: the timers and counters of each rank. Errors: SerializationError for a list in which a parent does not come first.
    explicit Measurements(const std::vector<std::vector<detail::MeasuredEntry>>& byRank);

    /// All entries: behind a timer come the entries inside it, in the order in which the lowest rank that has them made them. Empty on
    /// other ranks than the root.
    const std::vector<Measurement>& entries() const noexcept { return entries_; }
    bool isEmpty() const noexcept { return entries_.empty(); }
    /// The first entry with this path, such as "solve/step"; null: there is none.
    const Measurement* find(std::string_view path) const noexcept;
    /// The timer or the counter with this path: a timer and a counter of one name may stand in one place. Null: there is none.
    const Measurement* find(std::string_view path, Measurement::Kind kind) const noexcept;

    /// A table for people, a line for each entry. The line behind it names the ranks that lack the name, if there are any.
    std::string text() const;
    /// An object with "ranks" and "entries"; each entry has the fields of Measurement. Times are in seconds.
    std::string json() const;

private:
    std::size_t rankCount_ = 0;
    std::vector<Measurement> entries_;
};

}    // namespace ferry
