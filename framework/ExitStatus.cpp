#include <ferry/framework/ExitStatus.hpp>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/RegistryCheck.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>

namespace ferry {

int exitStatusOf(const std::exception_ptr& cause) {
    if (!cause) return exitStatus::success;
    try {
        std::rethrow_exception(cause);
    } catch (const AssertionFailure&) {
        return exitStatus::assertion;
    } catch (const RegistryMismatch&) {
        return exitStatus::buildMismatch;
    } catch (const Terminated& terminated) {
        const int status = visibleExitStatus(terminated.exitStatus());
        return status != exitStatus::success ? status : exitStatus::exception;
    } catch (...) {
        return exitStatus::exception;
    }
}

std::optional<int> terminationStatusOf(const std::exception_ptr& cause) {
    if (!cause) return std::nullopt;
    try {
        std::rethrow_exception(cause);
    } catch (const Terminated& terminated) {
        return terminated.exitStatus();
    } catch (...) {
        return std::nullopt;
    }
}

}    // namespace ferry
