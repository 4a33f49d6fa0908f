#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/framework/master/Bundle.hpp>
#include <ferry/framework/master/Completion.hpp>
#include <ferry/framework/master/TaskDesk.hpp>

namespace ferry::detail {

/// A task of a map, or a bundle of tasks.
struct MapTask {
    std::list<MapTask>::iterator place{};
    std::shared_ptr<Completion> task{};    ///< null for the tasks of a bundle
    std::shared_ptr<Bundle> bundle{};      ///< set: the tasks of a bundle
    std::size_t takenCount = 0;            ///< number of tasks of the bundle whose replies were used
};

/// Takes back the tasks of maps that have ended. The tasks of a map that ended on another thread than the master's wait for the master's
/// next step.
///
/// Ownership: shared by the master and its maps, which may outlive it. Threads: drop() on any, the others on the master's.
class DroppedMaps {
public:
    /// thread: the check of the master's connector.
    explicit DroppedMaps(std::shared_ptr<OneThread> thread) noexcept : thread_(std::move(thread)) {}
    DroppedMaps(const DroppedMaps&) = delete;
    DroppedMaps& operator=(const DroppedMaps&) = delete;

    /// Takes over the tasks of a map, and the number of its announced tasks that are still to come. Sends nothing.
    void drop(const TaskDesk& desk, std::list<MapTask>& tasks, std::ptrdiff_t announcedCount) noexcept;

    bool isAny() const noexcept { return isAny_.load(std::memory_order_relaxed); }
    /// Takes back the tasks of all maps that ended elsewhere.
    void withdrawAll(const TaskDesk& desk);

private:
    const std::shared_ptr<OneThread> thread_;
    std::atomic<bool> isAny_{false};
    std::mutex mutex_;    ///< guards the members below
    std::list<MapTask> tasks_;
    std::ptrdiff_t announcedCount_ = 0;
};

}    // namespace ferry::detail
