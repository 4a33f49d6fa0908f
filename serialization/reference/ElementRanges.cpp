#include <ferry/serialization/reference/ElementRanges.hpp>

#include <iterator>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

void ElementRanges::add(const Range& range) {
    // Vectors of neighbouring objects usually arrive in the order of their addresses.
    const bool isBehindAll = ranges_.empty() || ranges_.rbegin()->second.end <= range.begin;
    const auto next = isBehindAll ? ranges_.end() : ranges_.upper_bound(range.begin);
    const bool overlapsNext = next != ranges_.end() && next->first < range.end;
    const Range* last = next != ranges_.begin() ? &std::prev(next)->second : nullptr;
    if (overlapsNext || (last != nullptr && last->end > range.begin)) failUsage("two vectors of a graph share elements");
    if (last != nullptr && last->end == range.begin && last->isEndWritten) {
        failUsage(
            "a pointer of a graph leads to the end of one vector or array, and also to the beginning of another one that was met later: "
            "list both before the pointer");
    }
    ranges_.emplace_hint(next, range.begin, range);
}

void ElementRanges::addEmpty(const void* first, std::size_t bytes, BlockMemory memory) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    empty_[begin] = {begin + bytes, memory};
}

void ElementRanges::addUnnumbered(const void* first, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    edges_[begin].isBegin = true;
    edges_[begin + bytes].isEnd = true;
}

void ElementRanges::addUnnumbered(const Range& range) {
    addUnnumbered(reinterpret_cast<const void*>(range.begin), range.end - range.begin);
    unnumbered_[range.end] = range;
}

void ElementRanges::noteMember(const void* address) {
    const auto edge = edges_.find(reinterpret_cast<std::uintptr_t>(address));
    if (edge != edges_.end()) edge->second.isBegin = true;
}

ElementRanges::Element ElementRanges::elementAt(const Range& range, std::size_t offset) {
    if (offset % range.elementBytes != 0) failUsage("a pointer of a graph leads into the inside of a vector's element");
    return {range.number, offset / range.elementBytes};
}

ElementRanges::Behind ElementRanges::findBehind(const void* address) {
    using Kind = Behind::Kind;
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    Behind behind;
    if (const auto next = ranges_.upper_bound(place); next != ranges_.begin()) {
        Range& range = std::prev(next)->second;
        if (place < range.end) return {Kind::Element, &range, place - range.begin};
        if (place - range.end < range.elementBytes) behind = {Kind::End, &range, place - range.end};
    }
    if (!edges_.empty()) {
        const auto edge = edges_.find(place);
        if (edge != edges_.end()) {
            if (edge->second.isBegin) return {};
            if (behind.kind != Kind::End || behind.offset != 0) return {Kind::UnknownEnd};
        }
    }
    if (behind.kind == Kind::End && behind.offset == 0) return behind;
    if (const auto next = empty_.upper_bound(place); next != empty_.begin()) {
        const Empty& empty = std::prev(next)->second;
        const std::size_t offset = place - std::prev(next)->first;
        if (place < empty.end) return {empty.memory == BlockMemory::Spare ? Kind::Nothing : Kind::EmptyArray, nullptr, offset};
    }
    return behind;
}

ElementRanges::Behind ElementRanges::findBehindUnnumbered(const void* address) {
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    const auto next = unnumbered_.upper_bound(place);
    if (next == unnumbered_.begin()) return {};
    Range& range = std::prev(next)->second;
    if (place - range.end >= range.elementBytes || edges_[range.end].isBegin) return {};
    return {Behind::Kind::UnknownEnd, &range, place - range.end};
}

}    // namespace ferry::detail
