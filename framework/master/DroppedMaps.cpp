#include <ferry/framework/master/DroppedMaps.hpp>

#include <utility>

#include <ferry/framework/master/BundleDesk.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>

namespace ferry::detail {

namespace {

void withdraw(const TaskDesk& desk, const std::list<MapTask>& tasks, std::ptrdiff_t announcedCount) {
    for (const MapTask& one : tasks) {
        if (one.bundle) {
            desk.bundles().drop(*one.bundle);
        } else if (one.task) {
            ifMemory([&] { desk.withdraw(*one.task); });    // without memory the slaves do the task in vain
            one.task->isDropped = true;
            if (one.task->isDone && one.task->failure && !one.task->isLookedAt.exchange(true)) logUnseenFailure(*one.task);
        }
    }
    desk.announce(-announcedCount);
}

}    // namespace

void DroppedMaps::drop(const TaskDesk& desk, std::list<MapTask>& tasks, std::ptrdiff_t announcedCount) noexcept {
    if (thread_->isOfThisThread()) return withdraw(desk, tasks, announcedCount);
    const std::lock_guard lock(mutex_);
    tasks_.splice(tasks_.end(), tasks);
    announcedCount_ += announcedCount;
    isAny_.store(true, std::memory_order_relaxed);
}

void DroppedMaps::withdrawAll(const TaskDesk& desk) {
    std::list<MapTask> tasks;
    std::ptrdiff_t announcedCount = 0;
    {
        const std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
        announcedCount = std::exchange(announcedCount_, 0);
        isAny_.store(false, std::memory_order_relaxed);
    }
    withdraw(desk, tasks, announcedCount);
}

}    // namespace ferry::detail
