#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <ferry/serialization/file/InputFile.hpp>

namespace ferry::detail {

/// Looks behind a damaged record of a journal for a whole chunk that claims the record. Without such a claim, nobody was promised that the
/// record is on the disk.
///
/// Memory: a window, and one chunk. Errors: FileError: CannotRead, Truncated.
class JournalScan {
public:
    struct Claim {
        std::uint64_t offset = 0;          ///< of the chunk that claims
        std::uint64_t flushedBytes = 0;    ///< the bytes that it claims
    };

    explicit JournalScan(const std::filesystem::path& path) : file_(path) {}

    /// The first chunk behind this offset that claims bytes behind it.
    std::optional<Claim> claimOf(std::uint64_t offset);

private:
    void moveWindow(std::uint64_t offset);
    bool isWhole(std::uint64_t offset, std::size_t intCount);
    std::uint64_t byteCount() const noexcept;

    InputFile file_;
    std::vector<std::int32_t> window_{};
    std::uint64_t windowOffset_ = 0;
    std::uint64_t bytesCompared_ = 0;
};

}    // namespace ferry::detail
