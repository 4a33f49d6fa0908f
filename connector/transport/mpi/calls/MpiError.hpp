#pragma once

#include <string>
#include <string_view>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

namespace detail {

/// The place of an MPI call, as far as it is known.
struct MpiPlace {
    std::string communicator;    ///< name of the communicator; empty: not known, or there is none
    int size = 0;                ///< ranks of the communicator; 0: not known
    int peer = -1;               ///< the other rank of the call; -1: none, or any
    FERRY_FIELDS(communicator, size, peer)
};

}    // namespace detail

/// An MPI call that returned an error: which call, where, the code, the class, and the MPI library's own text.
class MpiError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::MpiError)
    FERRY_FIELDS(call_, code_, errorClass_, place_)

    MpiError() = default;
    MpiError(std::string call, int code, int errorClass, const std::string& explanation, detail::MpiPlace place = {});

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }

    /// The name of the call, for example "MPI_Isend".
    const std::string& call() const noexcept { return call_; }
    int code() const noexcept { return code_; }
    /// The error class as MPI numbers it, for example MPI_ERR_RANK.
    int errorClass() const noexcept { return errorClass_; }
    /// The name of the error class, for example "MPI_ERR_RANK"; "" for a class that is not one of MPI 3.1.
    std::string_view errorClassName() const noexcept;
    const detail::MpiPlace& place() const noexcept { return place_; }

private:
    std::string call_;
    int code_ = 0;
    int errorClass_ = 0;
    detail::MpiPlace place_;
};

namespace detail {

/// Throws MpiError unless the result of the named call is MPI_SUCCESS.
void checkMpi(int result, const char* call);

}    // namespace detail

}    // namespace ferry
