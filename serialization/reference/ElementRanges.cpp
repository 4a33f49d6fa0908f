#include <ferry/serialization/reference/ElementRanges.hpp>

#include <iterator>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void ElementRanges::add(const void* first, std::size_t count, std::size_t elementBytes, std::uint32_t number) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    const std::uintptr_t end = begin + count * elementBytes;
    // Vectors of neighbouring objects mostly come in the order of their addresses.
    const bool isBehindAll = ranges_.empty() || ranges_.rbegin()->second.end <= begin;
    const auto next = isBehindAll ? ranges_.end() : ranges_.upper_bound(begin);
    const bool overlapsNext = next != ranges_.end() && next->first < end;
    const bool overlapsLast = !isBehindAll && next != ranges_.begin() && std::prev(next)->second.end > begin;
    if (overlapsNext || overlapsLast) FERRY_THROW(UsageError("two vectors of a graph share elements"));
    ranges_.emplace_hint(next, begin, Range{end, elementBytes, number});
}

std::optional<ElementRanges::Element> ElementRanges::find(const void* address) const {
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    const auto next = ranges_.upper_bound(place);
    if (next == ranges_.begin()) return std::nullopt;
    const auto& [begin, range] = *std::prev(next);
    if (place >= range.end) return std::nullopt;
    const std::uintptr_t offset = place - begin;
    if (offset % range.elementBytes != 0) FERRY_THROW(UsageError("a pointer of a graph leads into the inside of a vector's element"));
    return Element{range.number, offset / range.elementBytes};
}

}    // namespace ferry::detail
