#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <ferry/guard/known/RollNote.hpp>

namespace ferry::pmpi {

/// Where a thread of the program stands.
struct Standing {
    std::string call;     ///< the call of MPI that the program has made; empty: the thread is in none
    std::string place;    ///< the function and line of the program
};

/// Reads a stack. addresses: return addresses, innermost first.
Standing standingAt(std::span<void* const> addresses);
/// The standing of the calling thread, which runs the program. Notes the exception that an interpreter handles there (thrownBefore()).
Standing standingHere();
/// The place in the program of an interpreter that this thread is in, such as a script of Python; empty: it is in none. Null: there is no
/// interpreter.
extern std::string (*placeInInterpreter)() __attribute__((visibility("hidden")));
/// Notes as LastThrow the exception that the interpreter handles in this thread. Null: there is no interpreter.
extern void (*noteHandledInInterpreter)() __attribute__((visibility("hidden")));
/// The last exception that this process has thrown, with its place; empty: none.
std::string thrownBefore();
/// The note of this process, from its standing and its last calls. Calls no function of MPI. seconds: since its last progress.
RollNote noteOf(int rank, const Standing& standing, std::int64_t seconds);

}    // namespace ferry::pmpi
