#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/stack/StackFrame.hpp>

namespace ferry {

class IntReader;
class IntWriter;

/// The place and time of an event, and the work of its thread at that time.
struct Origin {
    int rank = -1;    ///< rank of the thread, else the rank of the process; -1 if neither is known
    std::string host;
    std::int32_t pid = 0;
    std::uint64_t thread = 0;    ///< the operating system's thread number
    std::int64_t timeUs = 0;     ///< UTC, microseconds since 1970
    std::string file;            ///< empty when unknown
    int line = 0;                ///< 0 when unknown
    std::string task{};          ///< class of the task that the thread handled; empty outside of tasks
    std::int32_t taskNumber = 0;
    std::vector<detail::ContextEntry> context{};    ///< the active ferry::context entries, outermost first
    std::vector<detail::StackFrame> stack{};        ///< the stack of the throw, innermost first; empty if unknown

    /// The origin of the calling thread at this time, with its task and its context. The stack stays empty, because only a throw records
    /// it.
    static Origin here(const char* file = "", int line = 0);

    void writeToInts(IntWriter& out) const;
    /// Errors: SerializationError, also for more data than OriginLimits allow.
    void readFromInts(IntReader& in);

    friend bool operator==(const Origin&, const Origin&) = default;
};

namespace detail {

/// Sets the rank of this thread. -1: no rank.
void setRankOfThisThread(int rank) noexcept;
int rankOfThisThread() noexcept;

/// Sets the rank of this process. The threads of a program without a rank of their own use it as the rank of their exceptions. -1: no rank.
void setRankOfProcess(int rank) noexcept;
int rankOfProcess() noexcept;

/// The operating system's number of this thread.
std::uint64_t numberOfThisThread() noexcept;

/// One line, for example "rank 2 (host node7, pid 4711) at assertion.cpp:57". Only the last part of the file's path is shown. Unknown data
/// is left out.
std::string describe(const Origin& origin);

}    // namespace detail

}    // namespace ferry
