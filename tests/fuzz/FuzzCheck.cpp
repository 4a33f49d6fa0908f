#include <ferry/tests/fuzz/FuzzCheck.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::test {

namespace {

constexpr std::size_t LongBytes = 64 * 1024;

}    // namespace

void failCheck(std::string_view where, std::string_view problem) {
    const std::string text = fmt::format("{}: {}\n", where, problem);
    std::fputs(text.c_str(), stderr);
    std::abort();
}

void requireRefusal(std::string_view where) {
    try {
        throw;
    } catch (const Exception& error) {
        if (error.kind() != ErrorKind::BadData && error.kind() != ErrorKind::Unsupported)
            failCheck(where, fmt::format("refused with an exception of another kind: {}", error.what()));
    } catch (const Refusal&) {
        return;
    } catch (const std::exception& error) {
        failCheck(where, fmt::format("refused with a foreign exception: {}", error.what()));
    } catch (...) {
        failCheck(where, "refused with something that is no exception class");
    }
}

bool isBounded(const MemoryUse& allowed, const AllocationWatch& watch, std::size_t messageBytes) noexcept {
    return watch.largestBytes() <= allowed.largestPerByte * messageBytes + allowed.slackBytes &&
           watch.peakBytes() <= allowed.peakPerByte * messageBytes + allowed.slackBytes;
}

void requireBounded(MemoryUse& allowed, const AllocationWatch& watch, std::size_t messageBytes) {
    const std::size_t mostInBlock = allowed.largestPerByte * messageBytes + allowed.slackBytes;
    if (watch.largestBytes() > mostInBlock)
        failCheck(allowed.name, fmt::format("a block of {} bytes for a message of {} bytes", watch.largestBytes(), messageBytes));
    const std::size_t mostInAll = allowed.peakPerByte * messageBytes + allowed.slackBytes;
    if (watch.peakBytes() > mostInAll)
        failCheck(allowed.name, fmt::format("{} bytes in use for a message of {} bytes", watch.peakBytes(), messageBytes));
    if (messageBytes < LongBytes) return;
    const auto bytes = static_cast<double>(messageBytes);
    allowed.measuredLargest = std::max(allowed.measuredLargest, static_cast<double>(watch.largestBytes()) / bytes);
    allowed.measuredPeak = std::max(allowed.measuredPeak, static_cast<double>(watch.peakBytes()) / bytes);
}

}    // namespace ferry::test
