#pragma once

#include <sys/types.h>
#include <optional>

namespace ferry::pmpi {

/// The line to MPICH's launcher (PMI-1, the socket in PMI_FD), on which a rank says that it ends in order.
///
/// The launcher kills all ranks when a line closes without a goodbye, and the job then gets a mixture of statuses. MPICH 5 says goodbye in
/// an exit handler of its own, after MPI_Finalize. The guard finalises MPI in a later handler, or without handlers in quick_exit(), so it
/// says goodbye itself. MPICH 4 closes the line in MPI_Finalize, and other launchers have none: then nothing is said.
class LauncherLine {
public:
    /// Notes the line that the launcher has given to this process, after MPI_Init.
    void note() noexcept;
    /// Forgets the line: nothing is said, and the launcher ends all processes that belong together.
    void forget() noexcept { line_.reset(); }
    /// Says goodbye, and waits up to a second for the answer. MPI must not use the line afterwards.
    void sayGoodbye() noexcept;

private:
    /// A socket of this process, which tells whether its number now belongs to another file.
    struct Line {
        int descriptor;
        dev_t device;
        ino_t file;
    };
    static std::optional<Line> lineAt(int descriptor) noexcept;

    std::optional<Line> line_;
};

}    // namespace ferry::pmpi
