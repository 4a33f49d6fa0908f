#pragma once

#include <unordered_map>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/Requests.hpp>

namespace ferry::pmpi {

/// The files and windows of the program, in regions and outside of them, from the call that makes them until they are closed or freed.
///
/// Each file or window has a communicator of the guard with the same ranks. The ranks meet on it before collective calls: the program may
/// free the communicator on which the file or window was made.
///
/// Threads: one at a time.
class FilesAndWindows {
public:
    static FilesAndWindows& ofProcess();

    /// Adds the file or window that a call has made, if the call succeeded on all ranks. Collective on `parent`, whatever the call
    /// returned.
    void addFile(MPI_Comm parent, int result, MPI_File file);
    void addWindow(MPI_Comm parent, int result, MPI_Win window);

    /// The guard's communicator of a file or a window; null: the file or window is not known.
    Communicator* ofFile(MPI_File file) const { return find(files_, file); }
    Communicator* ofWindow(MPI_Win window) const { return find(windows_, window); }

    bool isAnyWindow() const noexcept { return !windows_.empty(); }

    /// Closes the file, or frees the window, of this communicator, unless that was done before. Returns MPI's result. Collective.
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

/// The guard's communicator for calls on a file or a window; MPI_COMM_NULL: the file or window is not known.
MPI_Comm communicatorOfFile(MPI_File file);
MPI_Comm communicatorOfWindow(MPI_Win window);

/// The operation of a request for an access to the window.
inline Operation accessTo(MPI_Win window) { return {RequestKind::Window, MPI_PROC_NULL, MPI_ANY_TAG, communicatorOfWindow(window)}; }

}    // namespace ferry::pmpi
