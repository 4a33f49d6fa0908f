#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/StackFrame.hpp>

namespace ferry {

class IntReader;
class IntWriter;

/// Where and when something happened, and what was going on there.
struct Origin {
    int rank = -1;    ///< rank of the thread, or of the process where that is one; -1 when neither is known
    std::string host;
    std::int32_t pid = 0;
    std::uint64_t thread = 0;    ///< the operating system's number of the thread
    std::int64_t timeUs = 0;     ///< UTC, microseconds since 1970
    std::string file;            ///< empty when unknown
    int line = 0;                ///< 0 when unknown
    std::string task{};          ///< class of the task that the thread handled, empty outside of tasks
    std::int32_t taskNumber = 0;
    std::vector<ContextEntry> context{};    ///< what ferry::context had said, outermost first
    std::vector<StackFrame> stack{};        ///< of the throw, innermost first; empty when it is not known

    /// The calling thread, now, with its task and its context; without its stack, which only a throw records.
    static Origin here(const char* file = "", int line = 0);

    void writeToInts(IntWriter& out) const;
    /// Errors: SerializationError also for more than OriginLimits allow.
    void readFromInts(IntReader& in);

    friend bool operator==(const Origin&, const Origin&) = default;
};

/// Tells this thread which rank it is. -1: none.
void setRankOfThisThread(int rank) noexcept;
int rankOfThisThread() noexcept;

/// Tells this process, which is one rank, which it is: so is the origin of what threads throw that the program has made itself. -1: none.
void setRankOfProcess(int rank) noexcept;
int rankOfProcess() noexcept;

/// The operating system's number of this thread.
std::uint64_t numberOfThisThread() noexcept;

/// One line such as "rank 2 (host node7, pid 4711) at assertion.cpp:57". The path of the file is cut to its last part; what is
/// unknown is left out.
std::string describe(const Origin& origin);

}    // namespace ferry
