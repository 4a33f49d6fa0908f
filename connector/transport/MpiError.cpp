#include <ferry/connector/transport/MpiError.hpp>

#include <utility>

#include <fmt/format.h>
#include <mpi.h>

FERRY_EXCEPTION_DEFINED(ferry::MpiError)

namespace ferry {

MpiError::MpiError(std::string call, int code, int errorClass, const std::string& explanation)
    : Exception(fmt::format("{} failed: {} (code {}, class {})", call, explanation, code, errorClass)),
      call_(std::move(call)),
      code_(code),
      errorClass_(errorClass) {}

void checkMpi(int result, const char* call) {
    if (result == MPI_SUCCESS) [[likely]]
        return;
    int errorClass = 0;
    int length = 0;
    char text[MPI_MAX_ERROR_STRING + 1] = {};
    if (MPI_Error_class(result, &errorClass) != MPI_SUCCESS) errorClass = MPI_ERR_UNKNOWN;
    if (MPI_Error_string(result, text, &length) != MPI_SUCCESS) length = 0;
    throw MpiError(call, result, errorClass, std::string(text, static_cast<std::size_t>(length)));
}

}    // namespace ferry
