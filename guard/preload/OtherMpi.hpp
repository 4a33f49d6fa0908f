#pragma once

#include <optional>
#include <string>

namespace ferry::detail {

/// Another MPI than the one that the guard was built for. The handles of both have nothing in common, so the guard must step aside before
/// it uses a handle.
struct OtherMpi {
    std::string ofGuard;      ///< name and version of the guard's MPI
    std::string ofProgram;    ///< name and version of the program's MPI
    std::string library;      ///< file of the program's MPI

    /// Looks for it where the module of a function finds its functions of MPI. Null: where the program itself finds them. Empty: there is
    /// no other MPI.
    static std::optional<OtherMpi> usedBy(const void* function);

    /// Replaces this process by the same program with the guard for its MPI, if there is one beside this guard or in FERRY_GUARD_LIBRARY.
    /// Otherwise the program gets no guard, and rank 0 says so in one line. Returns only if the process cannot be replaced. hasBegun:
    /// main() runs already, so the process may have read from standard input.
    void stepAside(char** argv, bool hasBegun) const;
};

}    // namespace ferry::detail
