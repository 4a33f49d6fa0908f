#include <ferry/serialization/reference/ElementRanges.hpp>

#include <iterator>
#include <map>

#include <boost/unordered/unordered_flat_map.hpp>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

struct ElementRanges::Blocks {
    struct Empty {
        std::uintptr_t end = 0;
        BlockMemory memory = BlockMemory::Anywhere;
        std::uintptr_t memoryEnd = 0;
    };
    struct Edge {
        bool isBegin = false;
        bool isEnd = false;
    };

    std::map<std::uintptr_t, Range> ranges;                   // key: the address of the first element
    std::map<std::uintptr_t, Empty> empty;                    // key: the address of the block
    std::map<std::uintptr_t, Range> unnumbered;               // objects of a class hierarchy without numbers; key: their end
    boost::unordered_flat_map<std::uintptr_t, Edge> edges;    // begins and ends of elements without numbers; key: the address
};

ElementRanges::ElementRanges() noexcept = default;
ElementRanges::~ElementRanges() = default;

ElementRanges::Blocks& ElementRanges::blocks() {
    if (blocks_ == nullptr) blocks_ = SoleOwner<Blocks>::make();
    return *blocks_;
}

void ElementRanges::add(const Range& range) {
    std::map<std::uintptr_t, Range>& ranges = blocks().ranges;
    // Vectors of neighbouring objects usually arrive in the order of their addresses.
    const bool isBehindAll = ranges.empty() || ranges.rbegin()->second.end <= range.begin;
    const auto next = isBehindAll ? ranges.end() : ranges.upper_bound(range.begin);
    const bool overlapsNext = next != ranges.end() && next->first < range.end;
    const Range* last = next != ranges.begin() ? &std::prev(next)->second : nullptr;
    if (overlapsNext || (last != nullptr && last->end > range.begin)) failUsage("two vectors of a graph share elements");
    if (last != nullptr && last->end == range.begin && last->isEndWritten) {
        failUsage(
            "a pointer of a graph leads to the end of one vector or array, and also to the beginning of another one that was met later: "
            "list both before the pointer");
    }
    ranges.emplace_hint(next, range.begin, range);
}

void ElementRanges::addEmpty(const void* first, std::size_t bytes, BlockMemory memory, std::size_t roomBytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    blocks().empty[begin] = {begin + bytes, memory, roomBytes == 0 ? 0 : begin + roomBytes};
}

void ElementRanges::addUnnumbered(const void* first, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    auto& edges = blocks().edges;
    edges[begin].isBegin = true;
    edges[begin + bytes].isEnd = true;
}

void ElementRanges::addUnnumbered(const Range& range) {
    addUnnumbered(reinterpret_cast<const void*>(range.begin), range.end - range.begin);
    blocks().unnumbered[range.end] = range;
}

void ElementRanges::noteMember(const void* address) {
    if (blocks_ == nullptr) return;
    const auto edge = blocks_->edges.find(reinterpret_cast<std::uintptr_t>(address));
    if (edge != blocks_->edges.end()) edge->second.isBegin = true;
}

ElementRanges::Element ElementRanges::elementAt(const Range& range, std::size_t offset) {
    if (offset % range.elementBytes != 0) failUsage("a pointer of a graph leads into the inside of a vector's element");
    return {range.number, offset / range.elementBytes};
}

ElementRanges::Behind ElementRanges::findBehind(const void* address) {
    using Kind = Behind::Kind;
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    Behind behind;
    if (blocks_ == nullptr) return behind;
    Blocks& blocks = *blocks_;
    if (const auto next = blocks.ranges.upper_bound(place); next != blocks.ranges.begin()) {
        Range& range = std::prev(next)->second;
        if (place < range.end) return {Kind::Element, &range, place - range.begin};
        if (place - range.end < range.elementBytes)
            behind = {Kind::End, &range, place - range.end};
        else if (place <= range.memoryEnd)
            behind = {Kind::Spare};
    }
    if (!blocks.edges.empty()) {
        const auto edge = blocks.edges.find(place);
        if (edge != blocks.edges.end()) {
            if (edge->second.isBegin) return {};
            if (behind.kind != Kind::End || behind.offset != 0) return {Kind::UnknownEnd};
        }
    }
    if (behind.kind == Kind::End && behind.offset == 0) return behind;
    if (const auto next = blocks.empty.upper_bound(place); next != blocks.empty.begin()) {
        const Blocks::Empty& empty = std::prev(next)->second;
        const std::size_t offset = place - std::prev(next)->first;
        if (place < empty.end) return {empty.memory == BlockMemory::Spare ? Kind::Nothing : Kind::EmptyArray, nullptr, offset};
        if (place <= empty.memoryEnd) return {Kind::Spare};
    }
    return behind;
}

ElementRanges::Behind ElementRanges::findBehindUnnumbered(const void* address) {
    if (blocks_ == nullptr) return {};
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    const auto next = blocks_->unnumbered.upper_bound(place);
    if (next == blocks_->unnumbered.begin()) return {};
    Range& range = std::prev(next)->second;
    if (place - range.end >= range.elementBytes || blocks_->edges[range.end].isBegin) return {};
    return {Behind::Kind::UnknownEnd, &range, place - range.end};
}

}    // namespace ferry::detail
