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

/// The result of reading a message.
enum class Outcome {
    Refused,
    ReadWhole,
};

/// The greatest memory use of one kind of message, and the limits for it.
struct MemoryUse {
    std::string name;
    std::size_t largestPerByte = 0;    ///< limit for a single block: this number of bytes for each byte of the message, plus slackBytes
    std::size_t peakPerByte = 0;       ///< limit for all memory in use at once, in the same units
    std::size_t slackBytes = 0;
    double measuredLargest = 0;    ///< bytes for each byte of a long message of the most costly elements
    double measuredPeak = 0;
};

/// A reader of messages. run() returns for any ints. For a broken promise, run() prints the promise and aborts.
class FuzzTarget {
public:
    FuzzTarget() = default;
    FuzzTarget(const FuzzTarget&) = delete;
    FuzzTarget& operator=(const FuzzTarget&) = delete;
    virtual ~FuzzTarget() = default;

    virtual std::string_view name() const = 0;
    /// Returns messages that can be read whole. Other messages are derived from them.
    virtual std::vector<IntBuffer> seeds() const = 0;
    virtual Outcome run(std::span<const std::int32_t> ints) = 0;
    /// Reads long messages of the most costly elements. Returns their memory use.
    virtual std::vector<MemoryUse> measureMemory() { return {}; }
};

/// Returns the names of all targets.
std::vector<std::string> fuzzTargetNames();
/// Returns null for a name that no target has.
std::unique_ptr<FuzzTarget> makeFuzzTarget(std::string_view name);

std::unique_ptr<FuzzTarget> makeReaderTarget();
std::unique_ptr<FuzzTarget> makePolymorphicTarget();
std::unique_ptr<FuzzTarget> makeMessagesTarget();
std::unique_ptr<FuzzTarget> makeCheckpointTarget();
std::unique_ptr<FuzzTarget> makeGraphTarget();
std::unique_ptr<FuzzTarget> makeJobsTarget();
std::unique_ptr<FuzzTarget> makeJsonTarget();
std::unique_ptr<FuzzTarget> makeXmlTarget();

}    // namespace ferry::test
