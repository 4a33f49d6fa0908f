#include <ferry/framework/master/CallJournal.hpp>

#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/master/KeptResults.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::detail {

/// Calls the journal. Its first failure stops the job.
template <class Use>
void CallJournal::use(Use&& use) {
    if (hasFailed_) throw Terminated("its journal has failed", exitStatus::exception);
    try {
        use();
    } catch (const Exception&) {
        hasFailed_ = true;
        if (stopJob_) stopJob_(std::current_exception());
        throw;
    }
}

bool CallJournal::answer(Call& call, const Parcel& task, int masterRank) {
    if (journal_ == nullptr) return false;
    call.journalKey = std::make_unique<const JournalKey>(journal_->keyOf(task.key, task.body));
    if (call.kept && call.kept->makes) call.kept->makes->result()->journalKey = *call.journalKey;
    std::optional<Journal::Reply> reply;
    use([&] { reply = journal_->take(*call.journalKey); });
    if (!reply) return false;
    call.answeringRank = masterRank;
    call.letter = std::make_shared<const Letter>(Letter{masterRank, Envelope{JobKind::Response}, std::move(reply->ints)});
    call.reply = {reply->replyClass, call.number, 0, call.letter->body()};
    return true;
}

void CallJournal::add(const Call& call) noexcept {
    if (journal_ == nullptr || !call.journalKey) return;
    try {
        journal_->add(*call.journalKey, call.reply.key, call.reply.body);
    } catch (...) {
        failure_ = std::current_exception();
    }
}

void CallJournal::writeAdded(TimePoint now) {
    use([&] { journal_->write(now); });
}

CallJournal::TimePoint CallJournal::nextFlush() const noexcept { return journal_ != nullptr ? journal_->nextFlush() : TimePoint::max(); }

}    // namespace ferry::detail
