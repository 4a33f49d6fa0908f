#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/framework/master/Bundle.hpp>
#include <ferry/framework/master/TaskDesk.hpp>

namespace ferry::detail {

class DroppedMaps;

/// The bundles of the Dispatcher, as the template of maps uses them. For tasks without a deadline and without further tries.
///
/// Ownership: refers to the dispatcher, and may outlive it. Copied freely.
/// Errors: those of TaskDesk::submit.
class BundleDesk {
public:
    explicit BundleDesk(const TaskDesk& desk) noexcept : desk_(desk) {}

    /// The end of maps. Errors: UsageError when this thread may not use the master now.
    std::shared_ptr<DroppedMaps> droppedMaps() const;
    /// The number of tasks like this one that should travel in one bundle; 1: none should.
    std::size_t sizeFor(const Completion& task) const;
    std::shared_ptr<Bundle> make(const TaskOptions& options) const;

    using TimePoint = Transport::Clock::time_point;
    /// Adds a task. False: the task must be submitted by itself, since it is large or reads a Ref.
    bool add(Bundle& bundle, const Message& task) const;
    /// Adds a task that has failed already.
    void addFailed(Bundle& bundle, const std::exception_ptr& failure) const;
    TimePoint now() const;
    /// Whether a bundle that was begun at that time must not wait for further tasks.
    bool isLate(TimePoint begin) const;
    /// The number of tasks like these that should be under way, and in one bundle.
    struct Wanted {
        std::size_t count = 0;
        std::size_t bundleSize = 1;
    };
    Wanted submit(const std::shared_ptr<Bundle>& bundle) const;
    /// Fails the tasks of a bundle that could not be submitted.
    void fail(Bundle& bundle, const std::exception_ptr& failure) const;

    /// The reply of a task. Valid as long as the slot. Errors: the failure of the task; UsageError for a reply of another class.
    ArrivedReply replyOf(const Bundle::Slot& slot, std::int32_t classId, const char* className) const;
    const ObjectFactory& factory() const;

    /// Takes the tasks back that no slave has. Nobody asks for replies any more. Sends nothing. Does nothing after
    /// the end of the dispatcher.
    void drop(Bundle& bundle) const;

private:
    TaskDesk desk_;
};

}    // namespace ferry::detail
