#include <ferry/framework/ending/ExitStatus.hpp>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RegistryMismatch.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>

namespace ferry::detail {

int exitStatusOf(const std::exception_ptr& cause) {
    if (!cause) return exitStatus::success;
    try {
        std::rethrow_exception(cause);
    } catch (const AssertionFailure&) {
        return exitStatus::assertion;
    } catch (const ExceptionList& failures) {
        // The first failure decides, with one exception: a failed xassert ends a job with its own status on whatever rank it fails.
        if (!failures.of<AssertionFailure>().empty()) return exitStatus::assertion;
        return failures.size() > 0 ? exitStatusOf(failures.front().exception()) : exitStatus::exception;
    } catch (const RegistryMismatch&) {
        return exitStatus::buildMismatch;
    } catch (const LostRank&) {
        return exitStatus::lostRank;
    } catch (const NoSlavesLeft&) {
        return exitStatus::lostRank;
    } catch (const Terminated& terminated) {
        const int status = visibleExitStatus(terminated.exitStatus());
        return status != exitStatus::success ? status : exitStatus::exception;
    } catch (...) {
        return exitStatus::exception;
    }
}

bool isLossFailure(const std::exception_ptr& cause) {
    if (!cause) return false;
    try {
        std::rethrow_exception(cause);
    } catch (const LostRank&) {
        return true;
    } catch (const NoSlavesLeft&) {
        return true;
    } catch (...) {
        return false;
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

}    // namespace ferry::detail
