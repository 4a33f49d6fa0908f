#include <ferry/device/program/SiteFailure.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/program/KernelText.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>

namespace ferry::detail {

namespace {

std::string placeText(const std::uint32_t (&place)[3]) {
    if (place[1] == 0 && place[2] == 0) return std::to_string(place[0]);
    return fmt::format("{},{},{}", place[0], place[1], place[2]);
}

}    // namespace

void throwSiteFailure(const SiteRecords& records, std::string_view device, const LaunchPlace& launch) {
    const std::size_t kept = std::min<std::size_t>(records.count, SiteRecords::Kept);
    const SiteRecord& record = *std::min_element(records.kept, records.kept + kept, [](const auto& left, const auto& right) {
        const auto placeOf = [](const SiteRecord& each) {
            return std::array{each.block[2], each.block[1], each.block[0], each.thread[2], each.thread[1], each.thread[0]};
        };
        return placeOf(left) < placeOf(right);
    });
    const auto isText = [](const auto& text) { return std::find(std::begin(text), std::end(text), '\0') != std::end(text); };
    if (kept == 0 || !isText(record.sign) || !isText(record.arguments) || !isText(record.message) || !isText(record.file))
        throw DeviceError(DeviceProblem::KernelFault, device, "a kernel has overwritten the record of failures");
    const KernelAssertion assertion = kernelAssertionOf(record);
    throwKernelFailure(std::make_exception_ptr(AssertionFailure(assertion.expression, kernelValuesText(assertion, record.values),
                                                                kernelMessageText(assertion, record.values), record.file, record.line)),
                       device, launch, record.values.item, placeText(record.block), placeText(record.thread));
}

}    // namespace ferry::detail
