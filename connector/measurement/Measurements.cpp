#include <ferry/connector/measurement/Measurements.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/report/jsonText.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

namespace {

using Json = nlohmann::ordered_json;

constexpr double nanosecondsPerSecond = 1e9;
// Number of ranks in a line about a missing name. Further ranks are counted.
constexpr std::size_t mostNamedRanks = 8;

/// A name as it stands in a path: '/' and '\' of the name follow a '\', so that two places have two paths.
std::string partOfPath(std::string_view name) {
    std::string part;
    for (const char letter : name) {
        if (letter == '/' || letter == '\\') part += '\\';
        part += letter;
    }
    return part;
}

/// Joins the entries of all ranks. Entries are one when their names, kinds and timers around them are the same.
class Merger {
public:
    explicit Merger(std::size_t rankCount) : rankCount_(rankCount) {}

    void add(std::size_t rank, const std::vector<detail::MeasuredEntry>& entries) {
        std::vector<std::size_t> places;    // by index in the list of this rank: the place among the joined entries
        for (const detail::MeasuredEntry& entry : entries) {
            if (entry.parent < -1 || entry.parent >= static_cast<std::int64_t>(places.size()))
                throw SerializationError(
                    fmt::format("expected the timer around entry {} of rank {} before it, found {}", places.size(), rank, entry.parent));
            const std::size_t around = entry.parent < 0 ? outside : places[static_cast<std::size_t>(entry.parent)];
            places.push_back(placeOf(entry, around));
            Measurement& one = all_[places.back()];
            one.calls += entry.callCount;
            const auto amount = static_cast<double>(entry.amount);
            const bool isNewAtLimit = one.atLimit.empty() || one.atLimit.back() != static_cast<int>(rank);
            if (detail::isAtLimit(entry.amount) && isNewAtLimit) one.atLimit.push_back(static_cast<int>(rank));
            one.values[rank] = one.values[rank].value_or(0) + (entry.isCounter ? amount : amount / nanosecondsPerSecond);
        }
    }

    /// The entries, each timer before the entries inside it.
    std::vector<Measurement> take() {
        std::vector<Measurement> ordered;
        std::vector<std::size_t> waiting(outermost_.rbegin(), outermost_.rend());
        while (!waiting.empty()) {
            const std::size_t place = waiting.back();
            waiting.pop_back();
            waiting.insert(waiting.end(), inside_[place].rbegin(), inside_[place].rend());
            ordered.push_back(std::move(all_[place]));
            summarize(ordered.back());
        }
        return ordered;
    }

private:
    static constexpr std::size_t outside = static_cast<std::size_t>(-1);

    std::size_t placeOf(const detail::MeasuredEntry& entry, std::size_t around) {
        if (around != outside && all_[around].depth + 1 >= Timers::mostNested)
            throw SerializationError(fmt::format("expected timers that lie at most {} deep inside each other", Timers::mostNested));
        const auto [known, isNew] = known_.try_emplace({around, entry.isCounter, entry.name}, all_.size());
        if (!isNew) return known->second;
        Measurement one;
        one.kind = entry.isCounter ? Measurement::Kind::Counter : Measurement::Kind::Timer;
        one.name = entry.name;
        one.path = around == outside ? partOfPath(entry.name) : all_[around].path + "/" + partOfPath(entry.name);
        one.depth = around == outside ? 0 : all_[around].depth + 1;
        one.values.resize(rankCount_);
        all_.push_back(std::move(one));
        inside_.emplace_back();
        (around == outside ? outermost_ : inside_[around]).push_back(known->second);
        return known->second;
    }

    static void summarize(Measurement& one) {
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t rank = 0; rank < one.values.size(); ++rank) {
            const auto number = static_cast<int>(rank);
            if (!one.values[rank]) {
                one.missing.push_back(number);
                continue;
            }
            const double value = *one.values[rank];
            if (count == 0 || value < one.min) std::tie(one.min, one.minRank) = std::pair(value, number);
            if (count == 0 || value > one.max) std::tie(one.max, one.maxRank) = std::pair(value, number);
            sum += value;
            ++count;
        }
        one.mean = sum / static_cast<double>(count);    // at least one rank has the name
        one.imbalance = one.mean != 0 ? one.max / one.mean : 1;
    }

    std::size_t rankCount_;
    std::vector<Measurement> all_;
    std::vector<std::vector<std::size_t>> inside_;    ///< places of the entries inside each
    std::vector<std::size_t> outermost_;
    std::map<std::tuple<std::size_t, bool, std::string>, std::size_t> known_;
};

/// A number of seconds, or a sum, in about twelve characters.
std::string figure(const Measurement& one, double value) {
    if (one.kind == Measurement::Kind::Counter) return fmt::format("{:.12g}", value);
    if (value >= 1) return fmt::format("{:.3f} s", value);
    return value >= 1e-3 ? fmt::format("{:.3f} ms", value * 1e3) : fmt::format("{:.3f} us", value * 1e6);
}

std::string ranksInWords(const std::vector<int>& ranks) {
    const std::size_t named = std::min(ranks.size(), mostNamedRanks);
    std::string text = fmt::format("rank {}", fmt::join(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    if (named < ranks.size()) text += fmt::format(" and {} others", ranks.size() - named);
    return text;
}

}    // namespace

Measurements::Measurements(const std::vector<std::vector<detail::MeasuredEntry>>& byRank) : rankCount_(byRank.size()) {
    Merger merger(byRank.size());
    for (std::size_t rank = 0; rank < byRank.size(); ++rank) merger.add(rank, byRank[rank]);
    entries_ = merger.take();
}

const Measurement* Measurements::find(std::string_view path) const noexcept {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [path](const Measurement& one) { return one.path == path; });
    return found != entries_.end() ? &*found : nullptr;
}

const Measurement* Measurements::find(std::string_view path, Measurement::Kind kind) const noexcept {
    const auto isIt = [path, kind](const Measurement& one) { return one.kind == kind && one.path == path; };
    const auto found = std::find_if(entries_.begin(), entries_.end(), isIt);
    return found != entries_.end() ? &*found : nullptr;
}

std::string Measurements::text() const {
    std::size_t width = 20;
    const auto nameOf = [](const Measurement& one) { return std::string(2 * one.depth, ' ') + detail::printable(one.name); };
    for (const Measurement& one : entries_) width = std::max(width, nameOf(one).size());
    std::string text = fmt::format("{:{}} {:>9} {:>12} {:>12} {:>12} {:>9}\n", fmt::format("timers of {} ranks", rankCount_), width,
                                   "calls", "min", "mean", "max", "imbalance");
    for (const Measurement& one : entries_) {
        text += fmt::format("{:{}} {:>9} {:>12} {:>12} {:>12} {:>9.2f}\n", nameOf(one), width, one.calls, figure(one, one.min),
                            figure(one, one.mean), figure(one, one.max), one.imbalance);
        const std::string indent(2 * one.depth, ' ');
        if (!one.missing.empty()) text += fmt::format("{}  not on {}\n", indent, ranksInWords(one.missing));
        if (!one.atLimit.empty()) text += fmt::format("{}  more than 64 bits hold on {}\n", indent, ranksInWords(one.atLimit));
    }
    return text;
}

std::string Measurements::json() const {
    Json entries = Json::array();
    for (const Measurement& one : entries_) {
        Json values = Json::array();
        for (const std::optional<double>& value : one.values) values.push_back(value ? Json(*value) : Json());
        entries.push_back({{"kind", one.kind == Measurement::Kind::Timer ? "timer" : "counter"},
                           {"name", one.name},
                           {"path", one.path},
                           {"depth", one.depth},
                           {"calls", one.calls},
                           {"min", one.min},
                           {"mean", one.mean},
                           {"max", one.max},
                           {"minRank", one.minRank},
                           {"maxRank", one.maxRank},
                           {"imbalance", one.imbalance},
                           {"missing", one.missing},
                           {"atLimit", one.atLimit},
                           {"values", std::move(values)}});
    }
    return detail::jsonText(Json{{"ranks", rankCount_}, {"entries", std::move(entries)}}, 1) + "\n";
}

}    // namespace ferry
