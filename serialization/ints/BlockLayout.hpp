#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace ferry::detail {

/// The place of an array's ints in memory when they do not lie in one piece. The array has elementCount elements at equal distances. Each
/// element holds the same runs of bytes. In the stream the elements follow each other in order, and within an element its runs.
///
/// Offsets are counted from the address of the first element. The bytes of a run are a multiple of four.
struct BlockLayout {
    struct Run {
        std::ptrdiff_t offset = 0;    ///< from the address of an element, in bytes
        std::size_t bytes = 0;
    };

    std::vector<Run> runs;
    std::size_t elementCount = 0;
    std::size_t strideBytes = 0;

    /// Number of bytes of an element in the stream.
    std::size_t bytesPerElement() const noexcept {
        std::size_t bytes = 0;
        for (const Run& run : runs) bytes += run.bytes;
        return bytes;
    }
    std::size_t byteCount() const noexcept { return bytesPerElement() * elementCount; }
    std::size_t intCount() const noexcept { return byteCount() / sizeof(std::int32_t); }
    /// Average number of bytes that lie in one piece.
    std::size_t bytesPerRun() const noexcept { return runs.empty() ? 0 : bytesPerElement() / runs.size(); }

    /// Adds the next run of each element. A run that begins where the last one ends is joined to it.
    void addRun(std::ptrdiff_t offset, std::size_t bytes) {
        if (!runs.empty() && runs.back().offset + static_cast<std::ptrdiff_t>(runs.back().bytes) == offset) {
            runs.back().bytes += bytes;
        } else {
            runs.push_back({offset, bytes});
        }
    }

    /// Copies all ints to one place.
    void gather(const std::byte* firstElement, std::byte* target) const noexcept {
        forEachRun([&](std::ptrdiff_t offset, std::size_t bytes) {
            std::memcpy(target, firstElement + offset, bytes);
            target += bytes;
        });
    }

    /// Calls visit(offset, bytes) for each run of each element in the order of the stream. offset: in bytes from the first element.
    template <class Visit>
    void forEachRun(Visit&& visit) const {
        for (std::size_t i = 0; i < elementCount; ++i) {
            for (const Run& run : runs) visit(static_cast<std::ptrdiff_t>(i * strideBytes) + run.offset, run.bytes);
        }
    }
};

}    // namespace ferry::detail
