#include <ferry/framework/master/Call.hpp>

#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/KeptParcel.hpp>
#include <ferry/framework/parcel/TeamRoster.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

Awaited Call::awaited() const {
    if (slaveRank == 0) return {{}, fmt::format("the reply to task {}, which no slave has yet", number)};
    return {{slaveRank}, fmt::format("the reply to task {} from rank {}", number, slaveRank)};
}

Awaited Call::task() const {
    if (place == Place::AtSlave) return {{slaveRank}, fmt::format("task {}, which rank {} has", number, slaveRank)};
    return {{}, fmt::format("task {}, which no slave has begun", number)};
}

void Call::setDeadline(const Deadline& end, const Connector& connector) {
    if (end.isNever()) return;
    submitted = connector.now();
    deadline = end.forStart(submitted);
}

std::exception_ptr Call::timeOut(TimePoint now) const {
    return std::make_exception_ptr(TimeoutError(task(), std::chrono::duration_cast<std::chrono::microseconds>(now - submitted)));
}

int Call::noteLost(int rank) {
    if (lostRanks == nullptr) lostRanks = std::make_unique<std::vector<int>>();
    lostRanks->push_back(rank);
    return static_cast<int>(lostRanks->size());
}

std::exception_ptr Call::poisoned(const ObjectFactory& factory) const {
    const std::string limit = isRepeatable
                                  ? fmt::format(
                                        "TaskOptions::slavesAtMost is {}: look for what ends the slaves in the handler, or "
                                        "raise the limit when the task is not the cause",
                                        slavesAtMost)
                                  : std::string("TaskOptions::isRepeatable is false: submit it again if it may be begun once more");
    return std::make_exception_ptr(PoisonTask(number, factory.nameOf(facts.kind), lostRanks ? *lostRanks : std::vector<int>(), limit));
}

IntBuffer packTask(Mailbox& mailbox, const Call& call, const Message& task, bool isOfTeam, std::int32_t keptNumber) {
    const bool keeps = keptNumber != 0;
    std::int32_t key = keeps ? keepTaskKey : task.classId();
    if (isOfTeam) key = keeps ? keepTeamTaskKey : teamTaskKey;
    return packParcel(mailbox, JobKind::Request, {key, call.number, call.tryNumber}, [&](IntWriter& out) {
        if (keeps || isOfTeam) out.writeInt(task.classId());
        if (keeps) out.writeInt(keptNumber);
        out << task;
    });
}

const Call& callOf(const Completion& completion) {
    if (const auto* const call = dynamic_cast<const Call*>(&completion)) return *call;
    throw UsageError("rank() and knownRank() ask for the slave of one task: this future depends on several, or on a function");
}

Call& callOf(Completion& completion) { return const_cast<Call&>(callOf(std::as_const(completion))); }

bool isCancellation(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        return true;
    } catch (const ExceptionList& list) {
        return list.of<Cancelled>().size() == list.size();
    } catch (...) {
        return false;
    }
}

}    // namespace ferry::detail
