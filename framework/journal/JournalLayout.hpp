#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <ferry/framework/journal/JournalRecord.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>

namespace ferry::detail {

/// The chunks of a journal, by the version of its format. Frozen: docs/wire-format.md.
///
/// From version 2 on, each chunk begins with a claim: the number of bytes of the file that were on the disk when the chunk was written. A
/// chunk that is nothing but a claim is a mark.
class JournalLayout {
public:
    explicit constexpr JournalLayout(std::int32_t version) noexcept : version_(version) {}

    constexpr bool hasClaims() const noexcept { return version_ >= 2; }
    constexpr std::size_t claimInts() const noexcept { return hasClaims() ? 2 : 0; }
    constexpr std::uint64_t markBytes() const noexcept { return chunkBytes(0); }
    /// Number of bytes of a chunk with this number of ints behind the claim.
    constexpr std::uint64_t chunkBytes(std::size_t intCount) const noexcept {
        return (fileFormat::HeadInts + claimInts() + intCount) * sizeof(std::int32_t);
    }

    /// The number of ints behind the claim of a record's first chunk. replyInts: the number of ints of the whole reply.
    constexpr std::size_t firstChunkInts(std::uint64_t replyInts) const noexcept {
        return JournalRecord::headInts + static_cast<std::size_t>(std::min<std::uint64_t>(
                                             replyInts, fileFormat::MaxChunkInts - claimInts() - JournalRecord::headInts));
    }
    /// The number of ints behind the claim of a further chunk. intsLeft: the number of ints of the reply that are not in a chunk yet.
    constexpr std::size_t furtherChunkInts(std::uint64_t intsLeft) const noexcept {
        return static_cast<std::size_t>(std::min<std::uint64_t>(intsLeft, fileFormat::MaxChunkInts - claimInts()));
    }

    /// The seed of the checksum of a chunk.
    constexpr std::uint64_t seedOf(std::uint64_t chunk, std::uint64_t offset) const noexcept {
        return fileFormat::seedOf(version_, static_cast<std::size_t>(chunk), offset);
    }

private:
    std::int32_t version_;
};

}    // namespace ferry::detail
