#pragma once

namespace ferry::detail {

/// The ways in which the program of a simulated rank can end.
enum class RankEnd {
    Returned,
    Threw,
    Left,      ///< the rank left by a fault of the kind Leave
    Killed,    ///< the rank was killed by a fault of the kind Kill, or by SimulatedTransport::die()
    Aborted    ///< a rank ended the job by force
};

/// The exception that unwinds a rank of a simulation before the end of its program. The class is derived from nothing, so that only `catch
/// (...)` meets the exception. Let it pass: the next call of the transport would throw it again.
struct RankEnding {
    RankEnd how;
};

}    // namespace ferry::detail
