#pragma once

#include <unordered_map>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>

namespace ferry::pmpi {

/// The files and windows of the program, from the call that makes them until they are closed or freed, in regions and outside of them.
///
/// Each has a communicator of the guard, with the same ranks, on which these meet before its collective calls: that of the program, on
/// which it was made, may be freed before.
///
/// Threads: one at a time.
class FilesAndWindows {
public:
    static FilesAndWindows& ofProcess();

    /// Takes in what a call on the communicator has made, if it was successful on all ranks: collective there, whatever it returned.
    void addFile(MPI_Comm parent, int result, MPI_File file);
    void addWindow(MPI_Comm parent, int result, MPI_Win window);

    /// The guard's communicator; null when it is not known.
    Communicator* ofFile(MPI_File file) const { return find(files_, file); }
    Communicator* ofWindow(MPI_Win window) const { return find(windows_, window); }

    /// Closes the file, or frees the window, of this communicator, unless that was done before; what MPI says. Collective.
    int end(Communicator& communicator);

private:
    template <class Handle>
    using ByHandle = std::unordered_map<Handle, Communicator*>;

    template <class Handle>
    static Communicator* find(const ByHandle<Handle>& all, Handle handle) {
        const auto found = all.find(handle);
        return found != all.end() ? found->second : nullptr;
    }

    ByHandle<MPI_File> files_;
    ByHandle<MPI_Win> windows_;
};

/// For calls on it; MPI_COMM_NULL when it is not known.
MPI_Comm communicatorOfFile(MPI_File file);
MPI_Comm communicatorOfWindow(MPI_Win window);

/// An epoch of locks, or of post and start, has begun on the window (+1) or is over (-1).
void noteEpoch(MPI_Win window, int change);

}    // namespace ferry::pmpi
