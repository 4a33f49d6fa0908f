#include <ferry/connector/transport/mpi/calls/MpiError.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <mpi.h>

#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>

FERRY_EXCEPTION_DEFINED(ferry::MpiError)

namespace ferry {

namespace {

struct ClassName {
    int errorClass;
    std::string_view name;
};

// The classes of MPI 3.1.
constexpr std::array classNames{
    ClassName{MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},
    ClassName{MPI_ERR_COUNT, "MPI_ERR_COUNT"},
    ClassName{MPI_ERR_TYPE, "MPI_ERR_TYPE"},
    ClassName{MPI_ERR_TAG, "MPI_ERR_TAG"},
    ClassName{MPI_ERR_COMM, "MPI_ERR_COMM"},
    ClassName{MPI_ERR_RANK, "MPI_ERR_RANK"},
    ClassName{MPI_ERR_REQUEST, "MPI_ERR_REQUEST"},
    ClassName{MPI_ERR_ROOT, "MPI_ERR_ROOT"},
    ClassName{MPI_ERR_GROUP, "MPI_ERR_GROUP"},
    ClassName{MPI_ERR_OP, "MPI_ERR_OP"},
    ClassName{MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY"},
    ClassName{MPI_ERR_DIMS, "MPI_ERR_DIMS"},
    ClassName{MPI_ERR_ARG, "MPI_ERR_ARG"},
    ClassName{MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN"},
    ClassName{MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
    ClassName{MPI_ERR_OTHER, "MPI_ERR_OTHER"},
    ClassName{MPI_ERR_INTERN, "MPI_ERR_INTERN"},
    ClassName{MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS"},
    ClassName{MPI_ERR_PENDING, "MPI_ERR_PENDING"},
    ClassName{MPI_ERR_ACCESS, "MPI_ERR_ACCESS"},
    ClassName{MPI_ERR_AMODE, "MPI_ERR_AMODE"},
    ClassName{MPI_ERR_ASSERT, "MPI_ERR_ASSERT"},
    ClassName{MPI_ERR_BAD_FILE, "MPI_ERR_BAD_FILE"},
    ClassName{MPI_ERR_BASE, "MPI_ERR_BASE"},
    ClassName{MPI_ERR_CONVERSION, "MPI_ERR_CONVERSION"},
    ClassName{MPI_ERR_DISP, "MPI_ERR_DISP"},
    ClassName{MPI_ERR_DUP_DATAREP, "MPI_ERR_DUP_DATAREP"},
    ClassName{MPI_ERR_FILE, "MPI_ERR_FILE"},
    ClassName{MPI_ERR_FILE_EXISTS, "MPI_ERR_FILE_EXISTS"},
    ClassName{MPI_ERR_FILE_IN_USE, "MPI_ERR_FILE_IN_USE"},
    ClassName{MPI_ERR_INFO, "MPI_ERR_INFO"},
    ClassName{MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY"},
    ClassName{MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY"},
    ClassName{MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE"},
    ClassName{MPI_ERR_IO, "MPI_ERR_IO"},
    ClassName{MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL"},
    ClassName{MPI_ERR_LOCKTYPE, "MPI_ERR_LOCKTYPE"},
    ClassName{MPI_ERR_NAME, "MPI_ERR_NAME"},
    ClassName{MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM"},
    ClassName{MPI_ERR_NO_SPACE, "MPI_ERR_NO_SPACE"},
    ClassName{MPI_ERR_NO_SUCH_FILE, "MPI_ERR_NO_SUCH_FILE"},
    ClassName{MPI_ERR_NOT_SAME, "MPI_ERR_NOT_SAME"},
    ClassName{MPI_ERR_PORT, "MPI_ERR_PORT"},
    ClassName{MPI_ERR_QUOTA, "MPI_ERR_QUOTA"},
    ClassName{MPI_ERR_READ_ONLY, "MPI_ERR_READ_ONLY"},
    ClassName{MPI_ERR_RMA_ATTACH, "MPI_ERR_RMA_ATTACH"},
    ClassName{MPI_ERR_RMA_CONFLICT, "MPI_ERR_RMA_CONFLICT"},
    ClassName{MPI_ERR_RMA_RANGE, "MPI_ERR_RMA_RANGE"},
    ClassName{MPI_ERR_RMA_SHARED, "MPI_ERR_RMA_SHARED"},
    ClassName{MPI_ERR_RMA_SYNC, "MPI_ERR_RMA_SYNC"},
    ClassName{MPI_ERR_SERVICE, "MPI_ERR_SERVICE"},
    ClassName{MPI_ERR_SIZE, "MPI_ERR_SIZE"},
    ClassName{MPI_ERR_SPAWN, "MPI_ERR_SPAWN"},
    ClassName{MPI_ERR_UNSUPPORTED_DATAREP, "MPI_ERR_UNSUPPORTED_DATAREP"},
    ClassName{MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION"},
    ClassName{MPI_ERR_WIN, "MPI_ERR_WIN"},
};

std::string_view nameOf(int errorClass) noexcept {
    const auto found =
        std::find_if(classNames.begin(), classNames.end(), [=](const ClassName& one) { return one.errorClass == errorClass; });
    return found != classNames.end() ? found->name : std::string_view();
}

std::string inWords(const detail::MpiPlace& place) {
    std::string text;
    if (place.size != 0) text += fmt::format(" on a communicator of {} {}", place.size, place.size == 1 ? "rank" : "ranks");
    if (!place.communicator.empty()) text += fmt::format(" ({})", place.communicator);
    if (place.peer >= 0) text += fmt::format(", with rank {}", place.peer);
    return text;
}

/// Describes a communicator. The description itself cannot fail.
detail::MpiPlace placeOf(MPI_Comm communicator, int peer) {
    detail::MpiPlace place;
    place.peer = peer;
    if (communicator == MPI_COMM_NULL) return place;
    char name[MPI_MAX_OBJECT_NAME + 1] = {};
    int length = 0;
    if (MPI_Comm_size(communicator, &place.size) != MPI_SUCCESS) place.size = 0;
    if (MPI_Comm_get_name(communicator, name, &length) != MPI_SUCCESS) length = 0;
    place.communicator.assign(name, static_cast<std::size_t>(length));
    return place;
}

[[noreturn]] void throwFor(int result, const char* call, detail::MpiPlace place) {
    int errorClass = 0;
    int length = 0;
    char text[MPI_MAX_ERROR_STRING + 1] = {};
    if (MPI_Error_class(result, &errorClass) != MPI_SUCCESS) errorClass = MPI_ERR_UNKNOWN;
    if (MPI_Error_string(result, text, &length) != MPI_SUCCESS) length = 0;
    throw MpiError(call, result, errorClass, std::string(text, static_cast<std::size_t>(length)), std::move(place));
}

}    // namespace

MpiError::MpiError(std::string call, int code, int errorClass, const std::string& explanation, detail::MpiPlace place)
    : Exception(fmt::format("{} failed{}: {} (code {}, class {})", call, inWords(place), explanation, code, errorClass)),
      call_(std::move(call)),
      code_(code),
      errorClass_(errorClass),
      place_(std::move(place)) {}

std::string_view MpiError::errorClassName() const noexcept { return nameOf(errorClass_); }

namespace detail {

void checkMpi(int result, const char* call) {
    if (result != MPI_SUCCESS) [[unlikely]] {
        throwFor(result, call, {});
    }
}

}    // namespace detail

void detail::throwMpiError(int result, const char* call, MPI_Comm communicator, int peer) {
    throwFor(result, call, placeOf(communicator, peer));
}

}    // namespace ferry
