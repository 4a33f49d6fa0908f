#include <ferry/connector/message/state/Remarks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/message/letter/GraphPiece.hpp>
#include <ferry/connector/message/letter/ValueName.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

namespace {

// Number of lines about letters. Further letters are counted.
constexpr std::size_t mostLines = 3;
// Letters of other connectors of the rank come after all letters of the one that waits.
constexpr int missElsewhere = 10;

/// Letters of one sender that look the same.
struct Unclaimed {
    MessageKind kind;
    std::int32_t key;
    std::int32_t tag;    ///< 0 for graphs
    int from;
    int miss;
    std::string_view place;    ///< which connector they belong to; empty: the one that waits
    std::size_t count = 1;

    bool isLike(const Unclaimed& other) const {
        return kind == other.kind && key == other.key && tag == other.tag && from == other.from && place == other.place;
    }
};

/// Whether a call of the program has sent this: one message or value, or the first piece of one graph.
bool isOfProgram(MessageKind kind, GraphPlace place) {
    return kind == MessageKind::Object || kind == MessageKind::Value || (kind == MessageKind::Graph && place.isFirst());
}
bool isOfProgram(const Letter& letter) { return isOfProgram(letter.envelope.kind, graphPlaceOf(letter)); }

Unclaimed unclaimedOf(const Envelope& envelope, int from, int miss, std::string_view place) {
    return {envelope.kind, envelope.key, envelope.kind == MessageKind::Graph ? 0 : envelope.number, from, miss, place};
}
Unclaimed unclaimedOf(const Letter& letter, int miss, std::string_view place) {
    return unclaimedOf(letter.envelope, letter.from, miss, place);
}

/// The letters with the nearest misses.
class Nearest {
public:
    void add(const Unclaimed& letter) {
        ++count_;
        const auto same = std::find_if(nearest_.begin(), nearest_.end(), [&](const Unclaimed& each) { return each.isLike(letter); });
        if (same != nearest_.end()) {
            ++same->count;
            return;
        }
        const auto place = std::find_if(nearest_.begin(), nearest_.end(), [&](const Unclaimed& each) { return letter.miss < each.miss; });
        if (place == nearest_.end() && nearest_.size() == mostLines) return;
        nearest_.insert(place, letter);
        if (nearest_.size() > mostLines) nearest_.pop_back();
    }

    const std::vector<Unclaimed>& letters() const noexcept { return nearest_; }
    /// The number of letters that letters() does not tell.
    std::size_t others() const noexcept {
        std::size_t rest = count_;
        for (const Unclaimed& each : nearest_) rest -= each.count;
        return rest;
    }

private:
    std::vector<Unclaimed> nearest_;
    std::size_t count_ = 0;
};

std::string counted(std::size_t count, std::string_view noun) {
    return count == 1 ? fmt::format("a {}", noun) : fmt::format("{} {}s", count, noun);
}

std::string contentsInWords(const Unclaimed& letter, const ObjectFactory& factory) {
    if (letter.kind == MessageKind::Object) {
        if (!factory.contains(letter.key))
            return counted(letter.count, "message") + fmt::format(" of class {}, which this rank does not know", letter.key);
        return counted(letter.count, "message") + " of class " + factory.nameOf(letter.key);
    }
    const std::optional<std::string> name = detail::knownNameOfValue(letter.key);
    if (letter.kind == MessageKind::Graph)
        return counted(letter.count, "graph") + " of " + (name ? rootOfGraph(*name) : "a class that this rank does not know");
    return counted(letter.count, "value") + (name ? " of type " + *name : " of a type that this rank does not know");
}

std::string inWords(const Unclaimed& letter, const ObjectFactory& factory) {
    const std::string tag = letter.tag != 0 ? fmt::format(", tag {}", letter.tag) : "";
    return fmt::format("there {} {} from rank {}{}{}, which nobody has received{}", letter.count == 1 ? "is" : "are",
                       contentsInWords(letter, factory), letter.from, tag, letter.place,
                       letter.kind == MessageKind::Graph ? " by receiveGraph()" : "");
}

void add(Nearest& nearest, const LettersOfRank& letters, const Filter* filter) {
    const auto missOf = [&](const Letter& letter) {
        if (!letters.place.empty()) return missElsewhere;
        return filter != nullptr ? filter->missOf(letter) : 0;
    };
    letters.kept.forEach([&](const Letter& letter) {
        if (isOfProgram(letter)) nearest.add(unclaimedOf(letter, missOf(letter), letters.place));
    });
    if (letters.waiting == nullptr) return;
    for (const Packet& packet : *letters.waiting) {
        const std::span<const std::int32_t> ints = packet.ints.ints();
        if (ints.size() < Envelope::sizeInts) continue;
        const Envelope envelope{static_cast<MessageKind>(ints[0]), ints[1], ints[2]};
        const GraphPlace first{ints.size() > Envelope::sizeInts ? ints[Envelope::sizeInts] : 0};
        if (isOfProgram(envelope.kind, first)) nearest.add(unclaimedOf(envelope, packet.from, missElsewhere, letters.place));
    }
}

}    // namespace

std::vector<std::string> remarksOn(Overlooked overlooked, const Filter* filter) {
    const ObjectFactory& factory = overlooked.factory;
    Nearest nearest;
    for (const LettersOfRank& letters : overlooked.letters) add(nearest, letters, filter);

    std::vector<std::string> remarks;
    if (filter != nullptr) {
        if (const Letter* kept = overlooked.letters.front().kept.findExpected(*filter))
            remarks.push_back(fmt::format("{} from rank {} is kept for an earlier expect()",
                                          contentsInWords(unclaimedOf(*kept, 0, ""), factory), kept->from));
    }
    for (const Unclaimed& each : nearest.letters()) remarks.push_back(inWords(each, factory));
    if (const std::size_t others = nearest.others(); others != 0)
        remarks.push_back(others == 1 ? "there is another one that nobody has received"
                                      : fmt::format("there are {} others that nobody has received", others));
    if (!overlooked.work.empty()) remarks.push_back(std::move(overlooked.work));
    return remarks;
}

std::string rootOfGraph(std::string_view name) {
    constexpr std::string_view wrapper = "GraphRoot<";
    const std::size_t begin = name.find(wrapper);
    const bool isWrapped = begin == 0 || (begin != std::string_view::npos && name.substr(0, begin).ends_with("ferry::detail::"));
    if (!isWrapped || name.back() != '>') return std::string(name);
    name.remove_prefix(begin + wrapper.size());
    name.remove_suffix(1);
    return std::string(name);
}

}    // namespace ferry::detail
