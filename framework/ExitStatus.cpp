#include <ferry/framework/ExitStatus.hpp>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>

namespace ferry {

int exitStatusOf(const std::exception_ptr& cause) {
    if (!cause) return exitStatus::success;
    try {
        std::rethrow_exception(cause);
    } catch (const AssertionFailure&) {
        return exitStatus::assertion;
    } catch (const Terminated& terminated) {
        return terminated.exitStatus();
    } catch (...) {
        return exitStatus::exception;
    }
}

} // namespace ferry
