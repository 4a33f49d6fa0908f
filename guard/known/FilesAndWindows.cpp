#include <ferry/guard/known/FilesAndWindows.hpp>

#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/Turn.hpp>
#include <ferry/guard/known/WindowLocks.hpp>

namespace ferry::pmpi {

namespace {

/// A duplicate of the communicator for the guard; null: the call has failed on a rank, or the guard does not know the ranks.
Communicator* duplicate(MPI_Comm parent, int result, const char* name) {
    if (Communicators::ofProcess().isForeign(parent)) return nullptr;
    const int isMade = result == MPI_SUCCESS ? 1 : 0;
    int isMadeByAll = 0;
    MPI_Comm own = MPI_COMM_NULL;
    {
        const Turn::Pause pause;
        must(PMPI_Allreduce(&isMade, &isMadeByAll, 1, MPI_INT, MPI_MIN, parent), "MPI_Allreduce");
        if (isMadeByAll == 0) return nullptr;
        must(PMPI_Comm_dup(parent, &own), "MPI_Comm_dup");
        must(PMPI_Comm_set_name(own, name), "MPI_Comm_set_name");
    }
    Communicators& communicators = Communicators::ofProcess();
    const Communicator* known = communicators.find(parent);
    communicators.add(own, known != nullptr ? known->id : 0);
    return communicators.find(own);
}

MPI_Comm handleOf(const Communicator* communicator) { return communicator != nullptr ? communicator->handle : MPI_COMM_NULL; }

}    // namespace

FilesAndWindows& FilesAndWindows::ofProcess() {
    static FilesAndWindows& all = *new FilesAndWindows;    // never destroyed: see Communicators
    return all;
}

void FilesAndWindows::addFile(MPI_Comm parent, int result, MPI_File file) {
    Communicator* communicator = duplicate(parent, result, "a file");
    if (communicator == nullptr) return;
    communicator->file = file;
    files_[file] = communicator;
}

void FilesAndWindows::addWindow(MPI_Comm parent, int result, MPI_Win window) {
    Communicator* communicator = duplicate(parent, result, "a window");
    if (communicator == nullptr) return;
    communicator->window = window;
    windows_[window] = communicator;
}

int FilesAndWindows::end(Communicator& communicator) {
    if (communicator.file != MPI_FILE_NULL) {
        files_.erase(communicator.file);
        const Turn::Pause pause;
        return PMPI_File_close(&communicator.file);
    }
    if (communicator.window != MPI_WIN_NULL) {
        windows_.erase(communicator.window);
        WindowLocks::ofProcess().forget(communicator.window);
        const Turn::Pause pause;
        return PMPI_Win_free(&communicator.window);
    }
    return MPI_SUCCESS;
}

MPI_Comm communicatorOfFile(MPI_File file) { return handleOf(FilesAndWindows::ofProcess().ofFile(file)); }

MPI_Comm communicatorOfWindow(MPI_Win window) { return handleOf(FilesAndWindows::ofProcess().ofWindow(window)); }

}    // namespace ferry::pmpi
