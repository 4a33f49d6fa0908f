#include <ferry/guard/region/WokenCalls.hpp>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

namespace {

enum class Handler { Fatal, Returning, OfProgram };

Handler handlerOf(MPI_Comm communicator) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (PMPI_Comm_get_errhandler(communicator, &handler) != MPI_SUCCESS) return Handler::Fatal;
    Handler kind = Handler::OfProgram;
    if (handler == MPI_ERRORS_RETURN) kind = Handler::Returning;
    if (handler == MPI_ERRORS_ARE_FATAL) kind = Handler::Fatal;
#ifdef MPI_ERRORS_ABORT    // since MPI 4
    if (handler == MPI_ERRORS_ABORT) kind = Handler::Fatal;
#endif
    must(PMPI_Errhandler_free(&handler), "MPI_Errhandler_free");
    return kind;
}

/// Makes the code at the first call. A class of its own, so that no program takes it for another error.
int errorCode(const std::string& text) {
    static int code = MPI_SUCCESS;
    if (code != MPI_SUCCESS) return code;
    int errorClass = MPI_ERR_OTHER;
    must(PMPI_Add_error_class(&errorClass), "MPI_Add_error_class");
    must(PMPI_Add_error_code(errorClass, &code), "MPI_Add_error_code");
    const std::string shown = text.substr(0, MPI_MAX_ERROR_STRING - 1);
    must(PMPI_Add_error_string(errorClass, shown.c_str()), "MPI_Add_error_string");
    must(PMPI_Add_error_string(code, shown.c_str()), "MPI_Add_error_string");
    return code;
}

}    // namespace

std::optional<int> errorCodeFor(WokenCalls way, MPI_Comm communicator, const std::string& text) {
    if (way == WokenCalls::Throw) return std::nullopt;
    const Handler handler = handlerOf(communicator);
    if (way == WokenCalls::AskHandler && handler == Handler::Fatal) return std::nullopt;
    const int code = errorCode(text);
    if (handler == Handler::OfProgram) PMPI_Comm_call_errhandler(communicator, code);
    return code;
}

}    // namespace ferry::pmpi
