#include <ferry/device/failure/KernelFailure.hpp>

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>

namespace ferry::detail {

namespace {

std::string_view fileOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string textOfCurrent() {
    try {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

}    // namespace

void throwKernelFailure(std::exception_ptr failure, std::string_view device, const LaunchPlace& launch, std::size_t item,
                        std::string_view block, std::string_view thread) {
    const std::string place = fmt::format("{}:{}", fileOf(launch.file), launch.line);
    try {
        std::rethrow_exception(failure);
    } catch (const AssertionFailure& thrown) {
        AssertionFailure assertion(thrown);
        Origin origin = assertion.origin();
        const Origin launcher = Origin::here();
        origin.rank = launcher.rank;
        origin.task = launcher.task;
        origin.taskNumber = launcher.taskNumber;
        std::vector<ContextEntry> context = launcher.context;
        context.push_back({"device", std::string(device)});
        if (!launch.kernel.empty()) context.push_back({"kernel", std::string(launch.kernel)});
        if (*launch.file != 0) context.push_back({"kernel launched at", place});
        if (!block.empty()) context.push_back({"block", std::string(block)});
        if (!thread.empty()) context.push_back({"thread", std::string(thread)});
        context.push_back({"work item", std::to_string(item)});
        // The kernel of item 0 may run on the launching thread, whose context is then there already.
        if (origin.context.size() > launcher.context.size())
            context.insert(context.end(), origin.context.begin() + static_cast<std::ptrdiff_t>(launcher.context.size()),
                           origin.context.end());
        origin.context = std::move(context);
        assertion.setOrigin(std::move(origin));
        throw assertion;
    } catch (...) {
        DeviceError error(DeviceProblem::KernelFault, device,
                          fmt::format("the kernel launched at {} failed in work item {}: {}", place, item, textOfCurrent()));
        error.setOrigin(Origin::here(launch.file, launch.line));
        error.setCause(std::move(failure));
        error.raise();
    }
}

}    // namespace ferry::detail
