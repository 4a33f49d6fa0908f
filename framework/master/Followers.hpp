#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>

#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/master/DroppedMaps.hpp>

namespace ferry::detail {

/// Completes completions, and keeps the functions that have to run then until the master waits or polls. Pure logic.
///
/// Threads: the master's. Errors: those of the functions.
class Followers {
public:
    /// thread: the check of the master's connector; null: there are no maps.
    explicit Followers(std::shared_ptr<OneThread> thread = nullptr) : droppedMaps_(std::make_shared<DroppedMaps>(std::move(thread))) {}

    /// Function that gets each call of a class that a handler on a slave submits.
    using Adopter = std::function<void(std::shared_ptr<Call>)>;

    /// The greatest number of functions of the program that run inside each other. A wait in the last one calls only the functions on which
    /// the awaited completion depends, and leaves the others to the waits around it.
    static constexpr int mostNested = 100;

    /// Whether no function is due.
    bool isEmpty() const noexcept { return due_.empty(); }
    /// Whether mostNested functions of the program run, so that not all that are due may run.
    bool areNestedMost() const noexcept { return nestedCount_ >= mostNested; }
    /// Whether no function is due, for a wait for all. Errors: UsageError when those that are due may not run, since they are nested most.
    bool haveAllRun() const;
    /// Whether a function is due that a wait for the completion may run. Null: the wait is for no completion.
    bool hasNext(const Completion* awaited) const;
    /// Runs the first such function. False: there is none. The function may wait, and so run the next ones.
    bool runNext(const Completion* awaited = nullptr) { return run(takeNext(awaited)); }
    /// Takes out the first such function; an empty list: there is none. Allocates only while areNestedMost().
    std::list<Completion::Following> takeNext(const Completion* awaited);
    /// Runs the function of a list that takeNext() has made. False: it has none.
    bool run(std::list<Completion::Following> next);

    /// Marks the completion as done. Its followers are due then. Logs the failure of a completion that no caller will ask for.
    void complete(Completion& completion, std::exception_ptr failure);
    /// Makes the follower due when the completion is done.
    void add(std::shared_ptr<Completion> completion, Completion::Follower follower,
             Completion::FunctionOf functionOf = Completion::FunctionOf::Program);

    /// Sets the function that gets the submitted calls of the class.
    void onSubmitted(std::int32_t classId, Adopter adopter) { adopters_[classId] = std::move(adopter); }
    /// Prepares to hand a submitted call to the adopter of its class; handOver() makes that due. Without an adopter the call is marked as
    /// dropped, and the list is empty.
    std::list<Completion::Following> adoptionOf(const std::shared_ptr<Call>& call) const;
    void handOver(std::list<Completion::Following>& adoption) noexcept { due_.splice(due_.end(), adoption); }

    /// The end of maps.
    const std::shared_ptr<DroppedMaps>& droppedMaps() const noexcept { return droppedMaps_; }

private:
    std::list<Completion::Following>::const_iterator findNext(const Completion* awaited) const;

    const std::shared_ptr<DroppedMaps> droppedMaps_;
    std::list<Completion::Following> due_;
    std::size_t dueOfFerryCount_ = 0;                       ///< number of functions in due_ that are not the program's
    int nestedCount_ = 0;                                   ///< number of functions of the program that run
    std::unordered_map<std::int32_t, Adopter> adopters_;    ///< by class ID
};

}    // namespace ferry::detail
