#pragma once

#include <cstdint>
#include <string>

namespace ferry {

class IntReader;
class IntWriter;

/// Where and when something happened: which process, which thread, which line of the source.
struct Origin {
    int rank = -1;    ///< rank of the thread, -1 when it has none
    std::string host;
    std::int32_t pid = 0;
    std::uint64_t thread = 0;    ///< the operating system's number of the thread
    std::int64_t timeUs = 0;     ///< UTC, microseconds since 1970
    std::string file;            ///< empty when unknown
    int line = 0;                ///< 0 when unknown

    /// The calling thread, now.
    static Origin here(const char* file = "", int line = 0);

    void writeToInts(IntWriter& out) const;
    void readFromInts(IntReader& in);

    friend bool operator==(const Origin&, const Origin&) = default;
};

/// Tells this thread which rank it is. -1: none.
void setRankOfThisThread(int rank) noexcept;
int rankOfThisThread() noexcept;

/// One line such as "rank 2 (host node7, pid 4711) at assertion.cpp:57". The path of the file is cut to its last part; what is
/// unknown is left out.
std::string describe(const Origin& origin);

}    // namespace ferry
