#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Wakes a rank because the job ends before its time; thrown from whatever call of Ferry the rank is in or makes next.
///
/// Let it pass, so that destructors run; what must be saved may be saved in a handler that ends with `throw;`.
class Terminated : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::Terminated)
    FERRY_FIELDS(exitStatus_)

    Terminated() = default;
    Terminated(const std::string& reason, int exitStatus) : Exception("the job was stopped: " + reason), exitStatus_(exitStatus) {}

    /// With which status every rank of the job will exit; 0 when the job is done, and its program's own status counts.
    int exitStatus() const noexcept { return exitStatus_; }

private:
    int exitStatus_ = 0;
};

}    // namespace ferry
