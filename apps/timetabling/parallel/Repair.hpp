#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/LeastMoves.hpp>
#include <ferry/apps/timetabling/search/MoveFront.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// The options of `timetabling repair` beyond those of `solve`.
struct RepairOptions {
    std::optional<int> mostMoved;    ///< the cheapest timetable with at most this number of moves is wanted
    std::string frontFile;           ///< where to write the least cost for each number of moves; empty: not wanted
};

/// The parts of a repair around the search for few moves: a proof before it, and cheaper timetables with more moves after it.
///
/// Ownership: refers to the problem.
class Repair {
public:
    /// 'options' are those of the whole run: their time or iterations are shared by the parts.
    Repair(const SearchProblem& problem, const RepairOptions& repair, const EvolutionOptions& options);

    /// Looks for the least number of moves, with its proof. The search ends early when 'isStopWanted' says so.
    /// Errors: ferry::Terminated when the job is stopped.
    void prove(ferry::Master& master, const std::function<bool()>& isStopWanted = {});
    /// A timetable with the least number of moves, if the proof has found one.
    std::optional<Slots> begin() const { return least_ ? least_->slots : std::nullopt; }
    /// The options for the search for few moves.
    EvolutionOptions searchOptions() const;
    /// Notes the timetable with the fewest moves that was found. The texts below tell about it.
    void setFewest(const Individual& best) { fewest_ = static_cast<int>(best.moved); }
    /// Searches cheaper timetables with more moves, where they are wanted. Returns the timetable that is the result.
    /// The instance has to be shared with the slaves already. 'onPart' is called after each part of the search.
    Individual widen(ferry::Master& master, const Individual& best, const std::function<void()>& onPart = {});

    /// Says in a sentence how few moves are possible: "19 moved; fewer are impossible".
    std::string sentence() const;
    /// Whether the result has at most the wanted number of moves.
    bool isWithin() const { return !repair_.mostMoved || fewest_ <= *repair_.mostMoved; }
    /// The least cost for each number of moves as a table, or as JSON for a name that ends in .json.
    std::string frontText() const;
    /// The members "forcedMoves", "leastMoves" and "isLeastProven" of a JSON report, each with a comma and an end of line.
    std::string jsonMembers() const;

private:
    bool isWide() const { return repair_.mostMoved || !repair_.frontFile.empty(); }
    bool isProven() const { return least_ && fewest_ == least_->bound; }

    const SearchProblem& problem_;
    RepairOptions repair_;
    EvolutionOptions options_;
    std::optional<LeastMoves> least_;    ///< nothing: the kind of problem has no such proof
    int fewest_ = 0;                     ///< the fewest moves that were found
    MoveFront front_;
};

}    // namespace timetabling
