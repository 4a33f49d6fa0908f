#pragma once

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

    /// Whether no function is due.
    bool isEmpty() const noexcept { return due_.empty(); }
    /// Runs the first function that is due. False: there is none. The function may wait, and so run the next ones.
    bool runFirst();

    /// Marks the completion as done. Its followers are due then. Logs the failure of a completion that no caller will ask for.
    void complete(Completion& completion, std::exception_ptr failure);
    /// Makes the follower due when the completion is done.
    void add(std::shared_ptr<Completion> completion, Completion::Follower follower);

    /// Sets the function that gets the submitted calls of the class.
    void onSubmitted(std::int32_t classId, Adopter adopter) { adopters_[classId] = std::move(adopter); }
    /// Prepares to hand a submitted call to the adopter of its class; handOver() makes that due. Without an adopter the call is marked as
    /// dropped, and the list is empty.
    std::list<Completion::Following> adoptionOf(const std::shared_ptr<Call>& call) const;
    void handOver(std::list<Completion::Following>& adoption) noexcept { due_.splice(due_.end(), adoption); }

    /// The end of maps.
    const std::shared_ptr<DroppedMaps>& droppedMaps() const noexcept { return droppedMaps_; }

private:
    const std::shared_ptr<DroppedMaps> droppedMaps_;
    std::list<Completion::Following> due_;
    std::unordered_map<std::int32_t, Adopter> adopters_;    ///< by class ID
};

}    // namespace ferry::detail
