#include <ferry/framework/journal/JournalRecord.hpp>

#include <ferry/serialization/checkpoint/FileFormat.hpp>

namespace ferry::detail {

std::array<std::int32_t, JournalRecord::headInts> JournalRecord::head() const noexcept {
    using fileFormat::highHalf, fileFormat::lowHalf;
    return {key.kind,   lowHalf(key.content), highHalf(key.content), lowHalf(key.occurrence), highHalf(key.occurrence),
            replyClass, lowHalf(replyInts),   highHalf(replyInts)};
}

JournalRecord JournalRecord::of(std::span<const std::int32_t, headInts> head) noexcept {
    using fileFormat::joined;
    return {{head[0], joined(head[1], head[2]), joined(head[3], head[4])}, head[5], joined(head[6], head[7])};
}

}    // namespace ferry::detail
