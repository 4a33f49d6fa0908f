#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/parallel/Messages.hpp>
#include <ferry/apps/timetabling/parallel/ProgressLine.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/search/BestOffer.hpp>
#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>
#include <ferry/apps/timetabling/search/Population.hpp>
#include <ferry/apps/timetabling/serve/LiveState.hpp>

namespace timetabling {

/// Evolves timetables on the master: selects parents, crosses them, has slaves improve the children, and keeps the good children.
///
/// With a number of iterations, answers are taken in the order of the tasks, not in the order of arrival.
/// So the result depends on the options and the number of slaves only. With a time limit, answers are taken as they arrive.
/// Ownership: refers to the master, the instance, the problem, the progress line and the live state.
class Evolution {
public:
    /// 'problem' is the problem of 'instance'. 'live' is told about the progress of the search; it may be null.
    Evolution(ferry::Master& master, const AnyInstance& instance, const SearchProblem& problem, const EvolutionOptions& options,
              ProgressLine& progress, LiveState* live = nullptr);

    /// Sets the hook that gets each new best individual, at most once a second.
    void onNewBest(OfferHook hook) { offerBest_ = std::move(hook); }

    /// Sets the hook that gets the seconds since the start, once a second.
    void onSecond(std::function<void(double seconds)> hook) { tellSecond_ = std::move(hook); }

    /// Sets the hook that is asked whether the run should end early. Without a timetable, the run then ends with NoFeasibleTimetable.
    void onStop(std::function<bool()> hook) { isStopWanted_ = std::move(hook); }

    /// Begins with this individual, beside those that are built.
    void beginWith(Individual individual);

    /// Runs until the plan is done or the target is reached. Call run() once only.
    /// Errors: NoFeasibleTimetable from a slave, when it is proven or when no slave has found a timetable; ferry::Terminated when the job
    /// is
    ///         stopped, and best() then holds the best individual so far. After a normal return, best() is not empty.
    void run();

    /// The best individual so far; empty when there is none yet.
    const std::optional<Individual>& best() const { return best_; }

private:
    using Clock = std::chrono::steady_clock;
    using Answer = ferry::Future<ImprovedIndividual>;

    double elapsedSeconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool isOver() const;
    void takeInAll();
    void dropAnswers();
    bool submitNext();
    Answer submit(const PlannedTask& planned);
    std::optional<std::size_t> findAnswer();
    void takeIn(Answer answer);
    void takeIn(ImprovedIndividual reply);
    void takeInReports();
    void noteBest(const Individual& individual);
    void offerBest();
    void tickSecond();

    ferry::Master& master_;
    const AnyInstance& instance_;
    const SearchProblem& problem_;
    EvolutionOptions options_;
    ProgressLine& progress_;
    LiveState* live_;
    EvolutionPlan plan_;
    Population population_;
    std::optional<Individual> best_;
    Random random_;
    int conflictWeight_;
    Clock::time_point start_ = Clock::now();
    std::uint64_t submitted_ = 0;
    int failedBuilds_ = 0;
    std::deque<Answer> answers_;           ///< answers of the tasks under way, the oldest first
    ferry::Pending<WorkReport> report_;    ///< the next report
    OfferHook offerBest_;
    bool isBestNew_ = false;
    std::function<void(double seconds)> tellSecond_;
    std::function<bool()> isStopWanted_;
    int version_ = 0;            ///< version of the shared instance: reports about an earlier one are ignored
    double nextSecond_ = 0;      ///< earliest time of the next call of that hook
    double offerSeconds_ = 0;    ///< earliest time of the next offer, in seconds since the start
};

}    // namespace timetabling
