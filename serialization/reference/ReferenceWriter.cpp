#include <ferry/serialization/reference/ReferenceWriter.hpp>

#include <fmt/format.h>

#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

std::uint32_t assignTypeIndex(std::atomic<std::uint32_t>& index) noexcept {
    static std::atomic<std::uint32_t> last{0};
    const std::uint32_t assigned = ++last;
    std::uint32_t none = 0;
    return index.compare_exchange_strong(none, assigned) ? assigned : none;
}

void ReferenceWriter::writeElement(IntWriter& out, const ElementRanges::Element& element) {
    out.writeInt(-static_cast<std::int32_t>(element.vector));
    out.writeCount(element.index);
}

void ReferenceWriter::forgetWritten() {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(nextWaiting_ - RememberedCount));
    nextWaiting_ = RememberedCount;
}

void ReferenceWriter::failTooMany() { failUsage(fmt::format("more than {} objects in one graph", MaxObjects)); }

void ReferenceWriter::failLateElements(const std::type_info& type) {
    failUsage(
        fmt::format("a pointer to an element of a vector of {}, or to its end, was met before the vector: in one class list the vector "
                    "before the pointers to its elements; if the vector is in another object, let an earlier field of the root lead there; "
                    "or send an index instead of the pointer",
                    typeName(type)));
}

void ReferenceWriter::failEndOfOwned(const std::type_info& type) {
    failUsage(
        fmt::format("a pointer to the end of a vector or array of {} leads to an object as well, which a unique_ptr, shared_ptr "
                    "or weak_ptr of the graph "
                    "holds: list the owner before the pointer, or send a count instead of the pointer to the end",
                    typeName(type)));
}

void ReferenceWriter::failEmptyArray(const std::type_info& type) {
    failUsage(
        fmt::format("a pointer to {} leads to an array without elements (ferry::arrayOf), so it is unknown whether an object is there: set "
                    "the pointers to the begin and the end of such an array to null",
                    typeName(type)));
}

void ReferenceWriter::failSpareMemory(const std::type_info& type) {
    failUsage(
        fmt::format("a pointer leads into the memory that a vector of {} has for further elements (its capacity), where no object is: let the "
                    "pointer end at the last element",
                    typeName(type)));
}

void ReferenceWriter::failUnknownEnd(const std::type_info& type) {
    failUsage(fmt::format(
        "a pointer leads to the end of elements of {} that a graph does not number (of a std::array, C array or deque, of a vector that "
        "a part shows, or of a type with a codec of its own): send an index or a count instead of the pointer, or hold the elements in a "
        "std::vector of a class with FERRY_FIELDS",
        typeName(type)));
}

void ReferenceWriter::failArrayLengths(const std::type_info& type, std::size_t first, std::size_t second) {
    failUsage(fmt::format(
        "an array of {} behind two pointers to its first element has {} elements by one and {} by the other: give both the same "
        "length, or list one of them only",
        typeName(type), first, second));
}

}    // namespace ferry::detail
