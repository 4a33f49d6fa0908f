#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::test {

/// How a message ended.
enum class Outcome {
    Refused,
    ReadWhole,
};

/// What one kind of message took of memory, at most, and what it may take.
struct MemoryUse {
    std::string name;
    std::size_t largestPerByte = 0;    ///< allowed: a single block of so many bytes for each byte of the message, and slackBytes
    std::size_t peakPerByte = 0;       ///< allowed: all memory in use at once, in the same way
    std::size_t slackBytes = 0;
    double measuredLargest = 0;    ///< bytes for each byte of a long message of the most costly elements
    double measuredPeak = 0;
};

/// Something that reads messages. Whatever the ints are, run() returns; where a promise is broken it prints which, and aborts.
class FuzzTarget {
public:
    FuzzTarget() = default;
    FuzzTarget(const FuzzTarget&) = delete;
    FuzzTarget& operator=(const FuzzTarget&) = delete;
    virtual ~FuzzTarget() = default;

    virtual std::string_view name() const = 0;
    /// Messages that are read whole, from which others are made.
    virtual std::vector<IntBuffer> seeds() const = 0;
    virtual Outcome run(std::span<const std::int32_t> ints) = 0;
    /// Reads long messages of the most costly elements, and says what they took.
    virtual std::vector<MemoryUse> measureMemory() { return {}; }
};

/// The names of all targets.
std::vector<std::string> fuzzTargetNames();
/// Null for a name that no target has.
std::unique_ptr<FuzzTarget> makeFuzzTarget(std::string_view name);

std::unique_ptr<FuzzTarget> makeReaderTarget();
std::unique_ptr<FuzzTarget> makePolymorphicTarget();
std::unique_ptr<FuzzTarget> makeMessagesTarget();
std::unique_ptr<FuzzTarget> makeCheckpointTarget();
std::unique_ptr<FuzzTarget> makeGraphTarget();
std::unique_ptr<FuzzTarget> makeJobsTarget();

}    // namespace ferry::test
