#pragma once

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/FilesAndWindows.hpp>

namespace ferry::pmpi {

// The kinds of objects that MPI calls make and that regions have to know. Each struct has three functions. take(): called after the call
// with its result on this rank, collective on the parent communicator. noteUnknown(): called in its place where the guard does not know the
// parent. find(): the guard's data of a made object. none(): the null handle.

struct MadeCommunicator {
    using Handle = MPI_Comm;
    static Handle none() { return MPI_COMM_NULL; }
    static void take(MPI_Comm parent, int result, Handle made) {
        if (result != MPI_SUCCESS) return;
        if (Communicators::ofProcess().isForeign(parent)) return Communicators::ofProcess().noteForeign(made);
        const Communicator* known = parent != MPI_COMM_NULL ? Communicators::ofProcess().find(parent) : nullptr;
        Communicators::ofProcess().add(made, known != nullptr ? known->id : 0);
    }
    static Communicator* find(Handle made) { return made != none() ? Communicators::ofProcess().find(made) : nullptr; }
    /// Calls take() outside of regions, and returns the result.
    static int noted(MPI_Comm parent, int result, const Handle* made) { return take(parent, result, *made), result; }
    /// Notes a communicator that the guard has let a program make from a parent that it does not know.
    static void noteUnknown(MPI_Comm parent, int result, Handle made) {
        if (result == MPI_SUCCESS && Communicators::ofProcess().isForeign(parent)) Communicators::ofProcess().noteForeign(made);
    }
    /// Notes a communicator whose group may come from a session, and returns the result.
    static int notedForeign(int result, const Handle* made) {
        if (result == MPI_SUCCESS) Communicators::ofProcess().noteForeign(*made);
        return result;
    }
    /// For a program that is guarded as a whole: a communicator with processes of other programs stays unknown.
    static int notedInProgram(int result, const Handle* made) {
        if (result == MPI_SUCCESS && *made != none() && Communicators::isWithinWorld(*made)) take(MPI_COMM_NULL, result, *made);
        return result;
    }
};

struct MadeFile {
    using Handle = MPI_File;
    static Handle none() { return MPI_FILE_NULL; }
    static void take(MPI_Comm parent, int result, Handle made) { FilesAndWindows::ofProcess().addFile(parent, result, made); }
    static void noteUnknown(MPI_Comm /*parent*/, int /*result*/, Handle /*made*/) {}
    static Communicator* find(Handle made) { return FilesAndWindows::ofProcess().ofFile(made); }
    static int noted(MPI_Comm parent, int result, const Handle* made) { return take(parent, result, *made), result; }
};

struct MadeWindow {
    using Handle = MPI_Win;
    static Handle none() { return MPI_WIN_NULL; }
    static void take(MPI_Comm parent, int result, Handle made) { FilesAndWindows::ofProcess().addWindow(parent, result, made); }
    static void noteUnknown(MPI_Comm /*parent*/, int /*result*/, Handle /*made*/) {}
    static Communicator* find(Handle made) { return FilesAndWindows::ofProcess().ofWindow(made); }
    static int noted(MPI_Comm parent, int result, const Handle* made) { return take(parent, result, *made), result; }
};

}    // namespace ferry::pmpi
