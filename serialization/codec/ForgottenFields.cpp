#include <ferry/serialization/codec/ForgottenFields.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

namespace {

std::size_t alignedTo(std::size_t alignment, std::size_t offset) { return (offset + alignment - 1) / alignment * alignment; }

/// The offset behind a pointer of the compiler that stands at this offset, where a further base class with virtual functions begins.
std::size_t behindPointer(std::size_t offset) { return alignedTo(alignof(void*), offset) + sizeof(void*); }

}    // namespace

std::size_t unexplainedGap(FieldPlace* begin, FieldPlace* end, std::size_t objectBytes, std::size_t objectAlignment, bool isPolymorphic) {
    if (begin == end) return 0;
    std::sort(begin, end, [](const FieldPlace& left, const FieldPlace& right) { return left.begin < right.begin; });
    std::size_t greatest = isPolymorphic ? alignof(void*) : 1;
    for (const FieldPlace* each = begin; each != end; ++each) greatest = std::max(greatest, each->alignment);
    if (objectAlignment > greatest) return 0;    // a member may have an alignas of its own
    std::size_t covered = 0;
    bool isAfterBase = isPolymorphic;
    for (const FieldPlace* each = begin; each != end; ++each) {
        const std::size_t expected = alignedTo(each->alignment, covered);
        const bool isInFurtherBase = isPolymorphic && each->begin == alignedTo(each->alignment, behindPointer(covered));
        if (each->begin > expected && !isAfterBase && !isInFurtherBase) return each->begin - expected;
        covered = std::max(covered, each->begin + each->bytes);
        isAfterBase = each->isBase && isPolymorphic;
    }
    if (isPolymorphic && objectBytes == alignedTo(objectAlignment, behindPointer(covered))) return 0;
    covered = alignedTo(objectAlignment, covered);
    return objectBytes > covered ? objectBytes - covered : 0;
}

void failForgottenField(const std::type_info& type, const char* names, std::size_t bytes) {
    failUsage(
        fmt::format("{} has room of {} bytes for members that FERRY_FIELDS({}) leaves out: list them, or write "
                    "FERRY_FIELDS_SOME({}), which says that they are meant to stay behind",
                    typeName(type), bytes, names, names));
}

}    // namespace ferry::detail
