#pragma once

namespace ferry {

/// How the program of a simulated rank ended.
enum class RankEnd {
    Returned,
    Threw,
    Left,      ///< by a fault of the kind Leave
    Killed,    ///< by a fault of the kind Kill
    Aborted    ///< a rank ended the job by force
};

/// The exception that unwinds a rank of a simulation which ends before its time; derived from nothing, so that only `catch (...)` meets
/// it. Let it pass: the next call of the transport would throw it again.
struct RankEnding {
    RankEnd how;
};

}    // namespace ferry
