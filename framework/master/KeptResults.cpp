#include <ferry/framework/master/KeptResults.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/exception/LostResult.hpp>
#include <ferry/framework/master/Teams.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/KeptParcel.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/framework/parcel/TeamRoster.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

/// Why a result is away that an earlier run of the job has made.
std::exception_ptr goneWithEarlierRun() {
    return std::make_exception_ptr(LostRank("the slave that made the result has ended with an earlier run of the job"));
}

/// Writes each Ref of a task as its place in a list of results, from 1 on.
class Places final : public RefScope {
public:
    explicit Places(const std::vector<std::shared_ptr<KeptUse>>& uses) {
        std::int32_t place = 0;
        for (const std::shared_ptr<KeptUse>& use : uses) places_.emplace(use.get(), ++place);
    }

private:
    std::int32_t noteWritten(const std::shared_ptr<RefTarget>& target) override { return places_.at(target.get()); }
    std::shared_ptr<RefTarget> noteRead(std::int32_t) override { return nullptr; }

    boost::unordered_flat_map<const RefTarget*, std::int32_t> places_;
};

/// Whether the failure of a team's task says that a slave was lost.
bool isOfLoss(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const LostRank&) {
        return true;
    } catch (const ExceptionList& list) {
        return !list.of<LostRank>().empty();
    } catch (...) {
        return false;
    }
}

/// Why a result is away that was removed. Another result may still need it, to be made again.
std::exception_ptr goneWithRefs() {
    return std::make_exception_ptr(UsageError("the last Ref to the result was gone, so that its slave has removed it"));
}

}    // namespace

// Uses.

void KeptPool::release(std::shared_ptr<KeptResult> result) noexcept {
    const std::lock_guard lock(mutex_);
    if (results_ == nullptr) return;
    if (std::exchange(result->lists.isReleased, true)) return;    // in the list already, of an earlier use
    result->lists.nextReleased = std::move(released_);
    released_ = std::move(result);
    isAnyReleased_.store(true, std::memory_order_relaxed);
}

std::vector<std::shared_ptr<KeptResult>> KeptPool::takeReleased() {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const KeptResult* each = released_.get(); each != nullptr; each = each->lists.nextReleased.get()) ++count;
    std::vector<std::shared_ptr<KeptResult>> taken;
    taken.reserve(count);
    while (std::shared_ptr<KeptResult> first = std::move(released_)) {
        first->lists.isReleased = false;
        released_ = std::move(first->lists.nextReleased);
        taken.push_back(std::move(first));
    }
    isAnyReleased_.store(false, std::memory_order_relaxed);
    return taken;
}

void KeptPool::end() noexcept {
    std::shared_ptr<KeptResult> released;
    {
        const std::lock_guard lock(mutex_);
        results_ = nullptr;
        released = std::move(released_);
    }
    // Without the lock: the end of a result may destroy objects of the user that have a Ref.
    while (const std::shared_ptr<KeptResult> first = std::move(released)) released = std::move(first->lists.nextReleased);
}

KeptUse::~KeptUse() { pool_->release(std::move(result_)); }

const Message& KeptUse::here(ClassId, Make) {
    throw UsageError("a Ref gives its result in a handler: on the master, get() brings the result");
}

std::shared_ptr<const Message> KeptUse::bring(Make make, Deadline deadline) {
    KeptResults* const results = pool_->results();
    if (results == nullptr) throw UsageError("the master of this Ref has ended, and the result with it");
    const std::shared_ptr<const Letter> letter = results->bring(result_, deadline);
    return make(letter->body(), results->factory());
}

std::int32_t KeptResults::Written::noteWritten(const std::shared_ptr<RefTarget>& target) {
    std::shared_ptr<KeptUse> use = std::dynamic_pointer_cast<KeptUse>(target);
    if (!use || !use->isOf(pool_)) throw UsageError("a task has a Ref of another master: its result is in another job");
    if (!known_.contains(use.get())) {
        uses_.push_back(use);    // first: the set names only uses that are kept, also when there is no memory
        known_.insert(use.get());
    }
    return target->number();
}

std::shared_ptr<RefTarget> KeptResults::Written::noteRead(std::int32_t) { return nullptr; }

std::shared_ptr<KeptPart> KeptResults::Written::partThatMakes(std::shared_ptr<KeptUse> makes) {
    if (!makes && uses_.empty()) return nullptr;
    auto part = std::make_shared<KeptPart>();
    part->reads = std::move(uses_);
    part->makes = std::move(makes);
    return part;
}

KeptResults::KeptResults(Mailbox& mailbox, bool hasJournal, Actions actions)
    : mailbox_(mailbox),
      actions_(std::move(actions)),
      makesAgain_(hasJournal || mailbox.transport().survivesLosses()),
      pool_(std::make_shared<KeptPool>(*this)),
      lastNumber_(mailbox.hooks().numbers().result) {}

KeptResults::~KeptResults() {
    pool_->end();
    for (auto& [number, result] : results_) {    // a Ref of the program may keep the result, but not those before it
        for (std::shared_ptr<KeptResult>& source : result->recipe.sources) destroy(std::move(source));
        result->recipe.sources.clear();
    }
}

std::shared_ptr<KeptUse> KeptResults::makeUse() {
    auto result = std::make_shared<KeptResult>();
    do {
        lastNumber_ = lastNumber_ == 0x7fffffffu ? 1 : lastNumber_ + 1;
    } while (results_.contains(static_cast<std::int32_t>(lastNumber_)));
    result->number = static_cast<std::int32_t>(lastNumber_);
    auto use = std::make_shared<KeptUse>(pool_, result);
    result->use = use;
    results_.emplace(result->number, std::move(result));
    return use;
}

std::shared_ptr<KeptUse> KeptResults::useOf(const std::shared_ptr<KeptResult>& result) const {
    std::shared_ptr<KeptUse> use = result->use.lock();
    if (use) return use;
    use = std::make_shared<KeptUse>(pool_, result);
    result->use = use;
    return use;
}

// Calls.

bool KeptResults::isRecognizable(const Call& call) {
    if (!call.kept) return true;
    const std::vector<std::shared_ptr<KeptUse>>& reads = call.kept->reads;
    return std::all_of(reads.begin(), reads.end(), [](const auto& use) { return use->result()->journalKey.has_value(); });
}

IntBuffer KeptResults::recognizable(const Message& task, const Call& call) const {
    Places places(call.kept->reads);
    const RefScope::Active active(places);
    const std::int32_t key = call.kept->makes ? keepTaskKey : task.classId();
    return packParcel(mailbox_, JobKind::Request, {key, call.number, call.tryNumber}, [&](IntWriter& out) {
        out.writeInt(task.classId());
        out << task;
        for (const std::shared_ptr<KeptUse>& use : call.kept->reads) {
            const JournalKey& source = use->result()->journalKey.value();
            out.writeInt(source.kind);
            out.writeInt64(static_cast<std::int64_t>(source.content));
            out.writeInt64(static_cast<std::int64_t>(source.occurrence));
        }
    });
}

void KeptResults::noteDoneBefore(Call& call) {
    if (call.kept->makes) {
        remember(call);
        goAway(call.kept->makes->result(), goneWithEarlierRun());
    }
    call.kept->reads.clear();
}

bool KeptResults::admits(Call& call) {
    std::map<int, std::size_t> intsAt;    // by rank
    for (const std::shared_ptr<KeptUse>& use : call.kept->reads) {
        const std::shared_ptr<KeptResult>& result = use->result();
        if (result->state == KeptResult::State::There) {
            for (const auto& [rank, holder] : result->holders) {
                if (holder.canGive) intsAt[rank] += result->intCount + 1;
            }
            continue;
        }
        const std::weak_ptr<Call> held = std::static_pointer_cast<Call>(call.shared_from_this());
        if (result->state == KeptResult::State::Away && !canBeMade(*result)) {
            due_.push_back({held, lostResult(*result)});
        } else {
            result->waiting.push_back(held);
            makeIfNeeded(result);
        }
        return false;    // asked again when this result is there
    }
    const auto most =
        std::max_element(intsAt.begin(), intsAt.end(), [](const auto& left, const auto& right) { return left.second < right.second; });
    call.facts.preferred = most != intsAt.end() ? slaveOfRank(most->first) : CallFacts::noSlave;
    return true;
}

bool KeptResults::areThereFor(const Call& call) {
    return std::all_of(call.kept->reads.begin(), call.kept->reads.end(),
                       [](const auto& use) { return use->result()->state == KeptResult::State::There; });
}

void KeptResults::makeIfNeeded(const std::shared_ptr<KeptResult>& result) {
    if (result->state == KeptResult::State::Away) makeAgain(result);
}

/// A call that makes the result again. rankInTeam: the slave of the team whose call it is; 0 for a task of one slave.
std::shared_ptr<Call> KeptResults::callAgain(const std::shared_ptr<KeptResult>& result, int rankInTeam) {
    const std::shared_ptr<Call> call = actions_.make();
    const Parcel before = onlyParcelIn(*result->recipe.request);
    const std::int32_t key = rankInTeam == 0 ? before.key : teamTaskKey;
    call->request = packParcel(mailbox_, JobKind::Request, {key, call->number, call->tryNumber}, [&](IntWriter& out) {
        if (rankInTeam == 0) return out.writeInts(before.body);
        out.writeInt(before.body.front());
        out.writeInts(before.body.subspan(2));    // without the number of the result, which stays with the team's rank 0
    });
    call->facts = result->recipe.facts;
    call->retry = result->recipe.retry;
    call->slavesAtMost = result->recipe.slavesAtMost;
    call->place = Call::Place::Held;
    call->isLookedAt = true;
    call->kept = std::make_shared<KeptPart>();
    call->kept->isAgain = true;
    if (rankInTeam == 0) call->kept->makes = useOf(result);
    for (const std::shared_ptr<KeptResult>& source : result->recipe.sources) call->kept->reads.push_back(useOf(source));
    return call;
}

/// Opens calls that make the result again. The results that they read are made again when the calls ask for them.
void KeptResults::makeAgain(const std::shared_ptr<KeptResult>& result) {
    const int teamSize = result->recipe.teamSize;
    const auto team = teamSize > 0 ? std::make_shared<TeamCalls>(TeamCalls{.size = teamSize}) : nullptr;
    const std::shared_ptr<Call> call = callAgain(result, 0);
    if (team) team->calls.push_back(call);
    for (int rank = 1; rank < teamSize; ++rank) team->calls.push_back(callAgain(result, rank));
    results_.emplace(result->number, result);
    due_.push_back({call, nullptr});
    try {
        team ? actions_.openTeam(team) : actions_.open(call);
    } catch (...) {
        due_.pop_back();
        throw;
    }
    result->state = KeptResult::State::Making;
    logLine(spdlog::level::info, "the result of task {} is made again, by task {}", result->task, call->number);
}

std::exception_ptr KeptResults::flawOf(const Call& call, const Parcel& reply) {
    const bool keeps = call.kept && call.kept->makes;
    if (!keeps && reply.key != keptReplyKey && reply.key != absentReplyKey) return nullptr;
    if (keeps && reply.key == keptReplyKey && reply.body.size() == 2) return nullptr;
    return std::make_exception_ptr(SerializationError(fmt::format("expected {} of task {}, found another reply",
                                                                  keeps ? "the number of ints of the result" : "the result", call.number)));
}

void KeptResults::noteEnded(Call& call, const std::exception_ptr& failure) {
    KeptPart& part = *call.kept;
    if (part.makes) {
        insist([&] {    // without memory nothing is done twice
            if (failure) return noteNotMade(call, failure);
            noteMade(call);
        });
    }
    for (const std::shared_ptr<KeptUse>& use : part.reads) {
        std::map<int, KeptResult::Holder>& holders = use->result()->holders;
        if (const auto reader = holders.find(call.answeringRank); reader != holders.end() && !failure) reader->second.canGive = true;
    }
    part.reads.clear();
    if (part.isAgain || failure) part.makes.reset();
}

void KeptResults::noteMade(Call& call) {
    KeptResult& result = *call.kept->makes->result();
    remember(call);
    const bool isLost = !actions_.isThere(call.answeringRank);    // its sub-master has handed on the reply after the loss
    if (!isLost) result.holders[call.answeringRank] = {call.answeringRank, true};
    result.state = isLost ? KeptResult::State::Away : KeptResult::State::There;
    result.loss = isLost ? std::make_exception_ptr(LostRank(Loss{call.answeringRank, "is lost"})) : nullptr;
    result.recipe.brokenTeams = 0;
    wakeWaiting(result, nullptr);
    if (result.bringing.wantCount > 0) ask(call.kept->makes->result());
}

/// Remembers what the call has made, and the way to make it again.
void KeptResults::remember(Call& call) {
    KeptResult& result = *call.kept->makes->result();
    IntReader in(call.reply.body);
    result.intCount = static_cast<std::size_t>(std::max<std::int64_t>(in.readInt64(), 0));
    result.task = call.number;
    result.taskClass = call.facts.kind;
    const bool isRepeatable = call.team ? call.team->isRepeatable : call.isRepeatable;
    result.origin = isRepeatable ? KeptResult::Origin::Repeatable : KeptResult::Origin::Unrepeatable;
    if (!makesAgain_ || result.origin != KeptResult::Origin::Repeatable || result.recipe.request) return;
    std::vector<std::shared_ptr<KeptResult>> sources;
    for (const std::shared_ptr<KeptUse>& use : call.kept->reads) sources.push_back(use->result());
    result.recipe.sources = std::move(sources);
    result.recipe.facts = call.facts;
    result.recipe.facts.isSuspect = call.team != nullptr;    // the calls of a team travel alone
    result.recipe.facts.avoided = result.recipe.facts.preferred = CallFacts::noSlave;
    result.recipe.retry = call.retry;
    result.recipe.slavesAtMost = call.slavesAtMost;
    result.recipe.teamSize = call.team ? call.team->size : 0;
    auto request = std::make_shared<IntBuffer>();
    *request = std::move(call.request);
    result.recipe.request = std::move(request);
}

void KeptResults::noteNotMade(Call& call, const std::exception_ptr& failure) {
    KeptResult& result = *call.kept->makes->result();
    result.state = KeptResult::State::Away;
    const int answering = call.answeringRank;    // without memory for its reply, the slave may have kept the result
    if (answering > 0 && actions_.isThere(answering)) result.holders[answering] = {answering, false};
    if (result.task == 0) return;    // only its future knows of it
    result.loss = failure;
    if (makeWithOtherTeam(call, failure)) return;
    const std::exception_ptr lost = lostResult(result);
    wakeWaiting(result, lost);
    if (result.bringing.wantCount > 0) result.bringing.failure = lost;
}

/// Makes the result again whose team was broken by a loss, if somebody waits for the result. False: nobody waits, or too many teams were
/// broken.
bool KeptResults::makeWithOtherTeam(const Call& call, const std::exception_ptr& failure) {
    const std::shared_ptr<KeptResult>& result = call.kept->makes->result();
    if (!call.kept->isAgain || !call.team) return false;
    const bool isBroken = !call.team->reason && (call.team->loss || isOfLoss(failure));    // by a loss, while it worked
    if (!isBroken) return false;
    if (result->waiting.empty() && result->bringing.wantCount == 0) return false;
    if (result->recipe.brokenTeams + 1 >= result->recipe.slavesAtMost) return false;
    makeAgain(result);
    ++result->recipe.brokenTeams;
    return true;
}

void KeptResults::wakeWaiting(KeptResult& result, const std::exception_ptr& failure) {
    for (const std::weak_ptr<Call>& call : result.waiting) due_.push_back({call, failure});
    result.waiting.clear();
}

std::exception_ptr KeptResults::lostResult(const KeptResult& result) const {
    const char* reason = "the task was done again, and has failed: submit it again if it may succeed now";
    if (result.origin == KeptResult::Origin::Unrepeatable) {
        reason = "TaskOptions::isRepeatable is false: bring results of such a task to the master in time, or submit it again";
    } else if (!canBeMade(result)) {
        reason = "this job does no task again (it does not survive losses): submit it again";
    }
    return std::make_exception_ptr(LostResult(result.task, factory().nameOf(result.taskClass), reason, result.loss));
}

// Losses.

void KeptResults::lose(const Loss& loss) {
    std::vector<std::shared_ptr<KeptResult>> affected;
    for (const auto& [number, result] : results_) {
        const auto comesFrom = [&loss](const auto& holder) { return holder.first == loss.rank || holder.second.source == loss.rank; };
        const bool isAffected = std::any_of(result->holders.begin(), result->holders.end(), comesFrom);
        if (isAffected || (result->bringing.wantCount > 0 && result->bringing.from == loss.rank)) affected.push_back(result);
    }
    for (const std::shared_ptr<KeptResult>& result : affected) {
        result->holders.erase(loss.rank);
        for (auto& [rank, holder] : result->holders) {
            if (holder.source != loss.rank) continue;
            holder.source = 0;    // the copy may have come, or not: a slave that waits for it is told
            sendNotice(mailbox_, rank, TaskNotice::Missing, {}, result->number);
        }
        const bool isThere = giverOf(*result, 0) != 0;
        if (!isThere && result->state == KeptResult::State::There) goAway(result, std::make_exception_ptr(LostRank(loss)));
        if (result->bringing.wantCount > 0 && result->bringing.from == loss.rank && !result->bringing.letter) ask(result);
    }
}

void KeptResults::noteMayHave(const std::vector<int>& slaves, const std::vector<std::shared_ptr<Call>>& calls) {
    for (const std::shared_ptr<Call>& call : calls) {
        if (!call->kept || !call->kept->makes) continue;
        for (const int slave : slaves) call->kept->makes->result()->holders.try_emplace(slave, KeptResult::Holder{0, false});
    }
}

void KeptResults::goAway(const std::shared_ptr<KeptResult>& result, const std::exception_ptr& loss) {
    result->state = KeptResult::State::Away;
    result->loss = loss;
}

bool KeptResults::mayLeave(int rank) const {
    return std::none_of(results_.begin(), results_.end(), [rank](const auto& entry) { return entry.second->holders.contains(rank); });
}

// Notices of slaves.

bool KeptResults::concerns(const Letter& notice) noexcept {
    const TaskNotice kind = noticeIn(notice);
    return kind == TaskNotice::Want || kind == TaskNotice::Absent || kind == TaskNotice::Kept;
}

void KeptResults::takeIn(const std::shared_ptr<const Letter>& notice) {
    switch (noticeIn(*notice)) {
        case TaskNotice::Want: return takeWant(*notice);
        case TaskNotice::Absent: return takeAbsent(*notice);
        default: return takeBrought(notice);
    }
}

std::shared_ptr<KeptResult> KeptResults::find(std::int32_t number) const {
    const auto found = results_.find(number);
    return found != results_.end() ? found->second : nullptr;
}

void KeptResults::takeWant(const Letter& letter) {
    for (const std::int32_t number : numbersIn(letter)) {
        if (const std::shared_ptr<KeptResult> result = find(number)) {
            serve(result, letter.from);
        } else {
            sendNotice(mailbox_, letter.from, TaskNotice::Missing, {}, number);
        }
    }
}

void KeptResults::takeAbsent(const Letter& letter) {
    const std::shared_ptr<KeptResult> result = find(letter.envelope.number);
    if (result) {
        if (const auto holder = result->holders.find(letter.from); holder != result->holders.end()) holder->second.canGive = false;
    }
    for (const std::int32_t reader : numbersIn(letter)) {
        if (reader < 0 || reader >= mailbox_.transport().size())
            throw SerializationError(fmt::format("rank {} has no result for rank {}, which is no rank", letter.from, reader));
        if (result) {
            serve(result, reader);
        } else if (reader != 0) {
            sendNotice(mailbox_, reader, TaskNotice::Missing, {}, letter.envelope.number);
        }
    }
}

void KeptResults::takeBrought(const std::shared_ptr<const Letter>& letter) {
    const std::shared_ptr<KeptResult> result = find(letter->envelope.number);
    if (result && result->bringing.wantCount > 0) result->bringing.letter = letter;
}

/// A slave that can send the result to the reader; 0: none can. A slave that has made it comes first.
int KeptResults::giverOf(const KeptResult& result, int reader) {
    int giver = 0;
    for (const auto& [rank, holder] : result.holders) {
        if (rank == reader || !holder.canGive) continue;
        if (holder.source == rank) return rank;
        giver = rank;
    }
    return giver;
}

/// Lets a slave send the result to the reader: a slave that has asked for it, or the master.
void KeptResults::serve(const std::shared_ptr<KeptResult>& result, int reader) {
    if (const auto holder = result->holders.find(reader); holder != result->holders.end()) holder->second.canGive = false;
    const int giver = giverOf(*result, reader);
    if (giver == 0) {
        if (result->state == KeptResult::State::There)
            goAway(result, std::make_exception_ptr(LostRank("the slave that made the result has it no more, and no other slave has it")));
        if (reader != 0) return sendNotice(mailbox_, reader, TaskNotice::Missing, {}, result->number);
        if (result->bringing.wantCount > 0) ask(result);
        return;
    }
    sendNotice(mailbox_, giver, TaskNotice::Give, {reader}, result->number);
    if (reader == 0) {
        result->bringing.from = giver;
    } else {
        result->holders[reader] = {giver, false};    // until a task has read it there
    }
}

// The way to the master.

std::shared_ptr<const Letter> KeptResults::bring(const std::shared_ptr<KeptResult>& result, Deadline deadline) {
    struct Wanted {
        explicit Wanted(KeptResult& one) noexcept : result(one) { ++result.bringing.wantCount; }
        ~Wanted() {
            if (--result.bringing.wantCount > 0) return;
            result.bringing.letter.reset();
            result.bringing.failure = nullptr;
            result.bringing.from = 0;
        }
        KeptResult& result;
    } const wanted(*result);
    const auto begin = [&] {
        if (result->bringing.wantCount == 1) ask(result);
    };
    const auto isOver = [&] { return result->bringing.letter || result->bringing.failure; };
    actions_.await(begin, isOver, deadline, [&result] {
        const std::vector<int> ranks = result->bringing.from != 0 ? std::vector<int>{result->bringing.from} : std::vector<int>{};
        return Awaited{ranks, fmt::format("the result of task {}, which stays with its slave", result->task)};
    });
    if (!result->bringing.letter) std::rethrow_exception(result->bringing.failure);
    return result->bringing.letter;
}

/// Has the result brought here, now or when it is made again.
void KeptResults::ask(const std::shared_ptr<KeptResult>& result) {
    result->bringing.from = 0;
    if (result->state == KeptResult::State::There) return serve(result, 0);
    if (result->state == KeptResult::State::Making) return;
    if (canBeMade(*result)) return makeAgain(result);
    result->bringing.failure = lostResult(*result);
}

// The end of results.

void KeptResults::settle() {
    while (!due_.empty() || pool_->isAnyReleased()) {
        removeReleased();
        if (due_.empty()) continue;
        const Due due = due_.front();
        if (const std::shared_ptr<Call> call = due.call.lock(); call && !call->isDone && call->place == Call::Place::Held) {
            if (due.failure) {
                actions_.stop(*call, due.failure);
            } else {
                actions_.enqueue(*call);
            }
        }
        due_.pop_front();
    }
}

/// Removes the results whose last use has ended, on their slaves and here. Other results may still be made again from them.
void KeptResults::removeReleased() {
    if (!pool_->isAnyReleased()) return;
    std::vector<std::shared_ptr<KeptResult>> over = pool_->takeReleased();
    try {
        std::map<int, std::vector<std::int32_t>> drops;    // by rank
        std::erase_if(over, [](const std::shared_ptr<KeptResult>& result) { return !result->use.expired(); });
        for (const std::shared_ptr<KeptResult>& result : over) {
            for (const auto& [rank, holder] : result->holders) drops[rank].push_back(result->number);
        }
        for (const auto& [rank, numbers] : drops) sendNotice(mailbox_, rank, TaskNotice::Drop, numbers);
    } catch (...) {
        for (std::shared_ptr<KeptResult>& result : over) pool_->release(std::move(result));    // for the next try
        throw;
    }
    for (std::shared_ptr<KeptResult>& result : over) {
        result->holders.clear();
        goAway(result, goneWithRefs());
        results_.erase(result->number);
        destroy(std::move(result));
    }
}

/// Lets go of the result, and without recursion of the results that only it refers to.
void KeptResults::destroy(std::shared_ptr<KeptResult> result) noexcept {
    std::shared_ptr<KeptResult> first = std::move(result);
    while (first) {
        std::shared_ptr<KeptResult> rest = std::move(first->lists.nextDestroyed);
        if (first.use_count() == 1) {
            for (std::shared_ptr<KeptResult>& source : first->recipe.sources) {
                if (source.use_count() != 1 || source->lists.nextDestroyed) continue;
                source->lists.nextDestroyed = std::move(rest);
                rest = std::move(source);
            }
            first->recipe.sources.clear();
        }
        first = std::move(rest);
    }
}

}    // namespace ferry::detail
