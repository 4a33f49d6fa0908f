#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// An MPI call that returned an error: which call, the code, the class, and the MPI library's own text.
class MpiError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::MpiError)
    FERRY_FIELDS(call_, code_, errorClass_)

    MpiError() = default;
    MpiError(std::string call, int code, int errorClass, const std::string& explanation);

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }

    /// The name of the call, for example "MPI_Isend".
    const std::string& call() const noexcept { return call_; }
    int code() const noexcept { return code_; }
    int errorClass() const noexcept { return errorClass_; }

private:
    std::string call_;
    int code_ = 0;
    int errorClass_ = 0;
};

/// Throws MpiError unless the result of the named call is MPI_SUCCESS.
void checkMpi(int result, const char* call);

}    // namespace ferry
