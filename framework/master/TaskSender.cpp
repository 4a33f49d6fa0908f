#include <ferry/framework/master/TaskSender.hpp>

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/parcel/Parcel.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>

namespace ferry::detail {

namespace {

// A master that only sends polls its mailbox once in this number of sends.
constexpr std::uint32_t sendsPerLook = 16;
constexpr std::size_t mostPendingSends = 1024;

}    // namespace

TaskSender::TaskSender(Connector& connector, Schedule& schedule, OpenCalls& calls, JobEvents& events, KeptResults& kept, Fail fail)
    : connector_(connector),
      schedule_(schedule),
      calls_(calls),
      events_(events),
      fail_(std::move(fail)),
      survivesLosses_(detail::mailboxOf(connector).transport().survivesLosses()),
      bundles_(connector, schedule, calls, events, kept) {}

void TaskSender::feed(Schedule::Supply supply) {
    for (;;) {
        if (!unsent_) unsent_ = schedule_.next(supply, connector_.now());
        if (!unsent_) return;
        if (schedule_.isThere(unsent_->slave)) {    // the calls of a lost slave have been given to others
            if (bundles_.isAnyIn(*unsent_) && !schedule_.isSubMaster(unsent_->slave)) {
                bundles_.takeBack(*unsent_);    // one slave is not to have the work of a group
            } else {
                send(*unsent_);
            }
        }
        unsent_.reset();
        noteSent();
    }
}

bool TaskSender::takeOut(std::int32_t call) {
    if (!unsent_ || !schedule_.isThere(unsent_->slave) || std::erase(unsent_->calls, call) == 0) return false;
    schedule_.takenAway(unsent_->slave, call);
    if (unsent_->calls.empty()) unsent_.reset();
    return true;
}

/// Sends a batch. After a std::bad_alloc the calls of the batch still wait, and the caller must call send() again for what is left of it.
void TaskSender::send(const Schedule::Assignment& batch) {
    const int rank = rankOfSlave(batch.slave);
    const std::vector<std::int32_t> inBundles = calls_.hasBundles() ? bundles_.tasksOf(batch.calls) : std::vector<std::int32_t>();
    sent_.clear();
    for (const std::int32_t number : batch.calls) sent_.push_back(calls_.at(number).get());
    IntBuffer letter = letterOf(sent_);
    for (Call* const call : sent_) {    // all memory is there: from here on the batch counts as sent
        call->place = Call::Place::AtSlave;
        call->slaveRank = rank;
        ++call->handOutCount;
        call->begunOn = 0;
    }
    events_.sent(rank, inBundles.empty() ? batch.calls : inBundles, letter.size());
    pace_.sent(inBundles.empty() ? batch.calls.size() : inBundles.size());
    setReplyWait(letter, schedule_.batchTime());
    if (sent_.front()->facts.isSuspect) setSuspect(letter);
    try {
        detail::mailboxOf(connector_).postNow(rank, std::move(letter));
    } catch (const std::bad_alloc&) {
        const std::exception_ptr failure = std::current_exception();    // the letter is gone, so its calls fail
        for (const std::int32_t number : batch.calls) {
            const std::shared_ptr<Call> call = calls_.at(number);
            schedule_.takenAway(batch.slave, number);
            fail_(*call, failure);
        }
    }
}

/// Makes the letter of these calls. Allocates room for all calls before it moves any request. Copies the request of a call that may be sent
/// again.
IntBuffer TaskSender::letterOf(std::span<Call* const> calls) {
    Call& first = *calls.front();
    if (calls.size() == 1) return isKept(first) ? IntBuffer(first.request) : std::move(first.request);
    BufferPool& buffers = detail::mailboxOf(connector_).transport().buffers();
    std::size_t intCount = Envelope::sizeInts;
    for (const Call* const call : calls) intCount += call->request.size() - Envelope::sizeInts;
    IntBuffer letter = buffers.take();
    letter.reserve(intCount);
    letter.append(first.request.ints().first(Envelope::sizeInts));
    for (Call* const call : calls) {
        appendParcels(letter, call->request);
        if (!isKept(*call)) buffers.giveBack(std::move(call->request));
    }
    return letter;
}

/// Whether the request of the call is kept, because it may be sent again.
bool TaskSender::isKept(const Call& call) const noexcept { return survivesLosses_ || call.kept || call.tryNumber <= call.retry.times(); }

/// Lets a master that only sends take in letters. Waits for the slaves when too many sends are pending.
void TaskSender::noteSent() {
    if (++sendCount_ % sendsPerLook != 0) return;
    Mailbox& mailbox = detail::mailboxOf(connector_);
    mailbox.poll(Mailbox::PollWork::None);
    const auto hasRoom = [&mailbox] { return mailbox.transport().pendingSends() <= mostPendingSends; };
    mailbox.waitUntil(hasRoom, [] { return Awaited{{}, "slaves to take in their tasks"}; });
}

void TaskSender::recall() {
    while (const auto back = schedule_.recall(connector_.now())) {
        try {
            sendNotice(detail::mailboxOf(connector_), rankOfSlave(back->slave), TaskNotice::GiveBack, bundles_.tasksOf(back->calls));
        } catch (const std::bad_alloc&) {
            schedule_.recallAnswered(back->slave, connector_.now());    // so that the schedule can ask the slave again
            throw;
        }
    }
}

void TaskSender::noteWait(TimePoint begin) {
    const TimePoint end = connector_.now();
    pace_.waited(end - begin);
    events_.waited(begin, end);
}

void TaskSender::findPace(TimePoint now) {
    if (pace_.isDue(now)) schedule_.setBatchTime(pace_.decide(now, schedule_.isAnyIdle()));
}

}    // namespace ferry::detail
