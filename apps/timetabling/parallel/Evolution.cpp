#include <ferry/apps/timetabling/parallel/Evolution.hpp>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace timetabling {

namespace {

constexpr std::chrono::milliseconds Nap{5};

/// The weight of conflicts rises step by step, for instances on which annealing does not return to a feasible timetable.
constexpr int FirstConflictWeight = 100;
constexpr int ConflictWeightStep = 3;
constexpr int MostConflictWeight = 2700;

}    // namespace

Evolution::Evolution(ferry::Master& master, const AnyInstance& instance, const SearchProblem& problem, const EvolutionOptions& options,
                     ProgressLine& progress, LiveState* live)
    : master_(master),
      instance_(instance),
      problem_(problem),
      options_(options),
      progress_(progress),
      live_(live),
      plan_(options, master.slaveCount()),
      population_(problem, static_cast<std::size_t>(options.populationSize)),
      random_(options.seed),
      conflictWeight_(FirstConflictWeight),
      report_(master.connector().expect<WorkReport>()) {}

void Evolution::run() {
    version_ = master_.share(instance_);
    while (static_cast<int>(answers_.size()) < plan_.tasksAtOnce() && submitNext()) {}
    if (live_) live_->setTasksUnderWay(answers_.size());
    try {
        takeInAll();
    } catch (const ferry::Terminated&) {
        throw;
    } catch (const std::exception&) {
        dropAnswers();
        throw;
    }
    for (Answer& answer : answers_) {
        if (!answer.hasArrived()) answer.cancel();    // the slaves may have other work soon
    }
    answers_.clear();
    progress_.finish(elapsedSeconds());
}

bool Evolution::isOver() const { return best_ && (best_->reaches(options_.targetCost) || plan_.isOver(elapsedSeconds())); }

void Evolution::takeInAll() {
    while (!answers_.empty() && !isOver()) {
        takeInReports();
        const std::optional<std::size_t> found = findAnswer();
        progress_.update(elapsedSeconds());
        offerBest();
        tickSecond();
        if (isStopWanted_ && isStopWanted_()) {
            if (best_) return;
            FERRY_THROW(NoFeasibleTimetable(std::string("the search was stopped before it had a timetable")));
        }
        if (!found) {
            std::this_thread::sleep_for(Nap);    // a nap is far shorter than a task, and leaves the core to a slave
            continue;
        }
        Answer answer = std::move(answers_[*found]);
        answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(*found));
        takeIn(std::move(answer));
        submitNext();
        if (live_) live_->setTasksUnderWay(answers_.size());
    }
}

/// Discards the tasks under way. Errors in answers that have arrived are ignored: when one slave finds that no timetable exists, or fails,
/// the others do the same.
void Evolution::dropAnswers() {
    for (Answer& answer : answers_) {
        if (!answer.hasArrived()) {
            answer.cancel();    // a slave that fails later fails for nobody
            continue;
        }
        try {
            answer.get();
        } catch (const ferry::Terminated&) {
            throw;
        } catch (const std::exception&) {}
    }
    answers_.clear();
}

/// Returns the index of the next answer to take in, if there is one.
std::optional<std::size_t> Evolution::findAnswer() {
    const std::size_t candidates = plan_.isTimed() ? answers_.size() : 1;
    for (std::size_t i = 0; i < candidates; ++i) {
        if (answers_[i].ready()) return i;
    }
    return std::nullopt;
}

bool Evolution::submitNext() {
    const std::optional<PlannedTask> planned = plan_.next(elapsedSeconds());
    if (planned) answers_.push_back(submit(*planned));
    return planned.has_value();
}

Evolution::Answer Evolution::submit(const PlannedTask& planned) {
    const std::uint64_t seed = Random::seedOf(options_.seed, ++submitted_);
    // A plan may ask for a child before the first individual has arrived. A build takes its place.
    if (planned.kind == PlannedTask::Kind::Build || population_.isEmpty()) {
        BuildTask task;
        task.seed = seed;
        task.construction = planned.construction;
        task.annealing = planned.annealing;
        task.conflictWeight = conflictWeight_;
        task.targetCost = options_.targetCost;
        return master_.submit(task);
    }
    const Individual& first = population_.select(random_);
    const Individual& second = population_.selectOther(first, random_);
    ImproveTask task;
    task.seed = seed;
    task.slots = problem_.cross(first.slots, second.slots, random_);
    task.annealing = planned.annealing;
    task.conflictWeight = conflictWeight_;
    task.targetCost = options_.targetCost;
    return master_.submit(task);
}

void Evolution::takeIn(Answer answer) {
    try {
        takeIn(answer.get());
    } catch (const NoFeasibleTimetable& failure) {
        // A failed build on one slave does not stop the others. A proof ends the search, and so does a failure on every slave.
        ++failedBuilds_;
        if (failure.isProven || (!best_ && failedBuilds_ >= master_.slaveCount())) throw;
    }
}

void Evolution::takeIn(ImprovedIndividual reply) {
    problem_.check(reply.individual.slots);
    if (reply.isInVain && reply.conflictWeight == conflictWeight_) {
        conflictWeight_ = std::min(conflictWeight_ * ConflictWeightStep, MostConflictWeight);
    }
    noteBest(reply.individual);
    if (live_) live_->answered(reply.sender(), reply.task, reply.moves, reply.individual);
    population_.add(std::move(reply.individual));
    progress_.count(reply.moves);
}

/// Takes in the reports that slaves send while they work. A repeatable run only shows them, since their time of arrival is random.
void Evolution::takeInReports() {
    for (; report_.ready(); report_ = master_.connector().expect<WorkReport>()) {
        WorkReport report = report_.get();
        if (report.version != version_) continue;    // of a search before this one
        if (report.individual.slots.empty()) {
            if (live_) live_->began(report.sender(), report.task, report.isBuild);
            continue;
        }
        problem_.check(report.individual.slots);
        if (live_) live_->cameTo(report.sender(), report.task, report.individual);
        if (plan_.isTimed()) noteBest(report.individual);
    }
}

void Evolution::noteBest(const Individual& individual) {
    if (best_ && !individual.isBetterThan(*best_)) return;
    best_ = individual;
    isBestNew_ = true;
    if (live_) live_->found(*best_);
    progress_.found(*best_);
}

void Evolution::beginWith(Individual individual) {
    noteBest(individual);
    population_.add(std::move(individual));
}

void Evolution::tickSecond() {
    if (!tellSecond_ || elapsedSeconds() < nextSecond_) return;
    tellSecond_(elapsedSeconds());
    nextSecond_ = elapsedSeconds() + 1;
}

void Evolution::offerBest() {
    constexpr double SecondsBetween = 1;
    if (!isBestNew_ || !offerBest_ || elapsedSeconds() < offerSeconds_) return;
    isBestNew_ = !offerBest_(*best_);
    offerSeconds_ = elapsedSeconds() + SecondsBetween;
}

}    // namespace timetabling
