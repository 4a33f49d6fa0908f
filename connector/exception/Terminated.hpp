#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Wakes a rank because the job ends early. The present or next call of Ferry on the rank throws it.
///
/// Do not stop it, so that destructors run. To save data, use a handler that ends with `throw;`.
class Terminated : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::Terminated)
    FERRY_FIELDS_DECLARED(exitStatus_)

    Terminated() = default;
    Terminated(const std::string& reason, int exitStatus) : Exception("the job was stopped: " + reason), exitStatus_(exitStatus) {}

    /// The exit status of every rank of the job. 0 when the job is done; then the program's own status counts.
    int exitStatus() const noexcept { return exitStatus_; }

private:
    int exitStatus_ = 0;
};

}    // namespace ferry
