#include <ferry/framework/master/Bundles.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>

namespace ferry::detail {

namespace {

// A larger task is a call of its own: its letter costs the master more than the call.
constexpr std::size_t mostIntsOfTask = 256;

void logUnseen(const std::exception_ptr& failure) {
    ifMemory([&] { logLine(spdlog::level::warn, "nobody waits for a task that failed: {}", report(failure)); });
}

}    // namespace

Bundles::Bundles(Connector& connector, Schedule& schedule, OpenCalls& calls, JobEvents& events, KeptResults& kept)
    : connector_(connector),
      schedule_(schedule),
      calls_(calls),
      events_(events),
      kept_(kept) {}

std::shared_ptr<Bundle> Bundles::make(const TaskOptions& options) {
    auto bundle = std::make_shared<Bundle>();
    bundle->slots.reserve(OpenCalls::mostInBundle);
    bundle->starts.reserve(OpenCalls::mostInBundle);
    bundle->slavesAtMost = options.isRepeatable ? options.slavesAtMost : 1;
    bundle->call = calls_.makeForBundle();
    bundle->call->facts.priority = options.priority;
    bundle->number = bundle->call->number;
    return bundle;
}

bool Bundles::add(Bundle& bundle, std::int32_t classId, IntBuffer parcel) {
    if (parcel.size() > mostIntsOfTask) return false;
    IntBuffer& letter = bundle.call->request;
    const bool isFirst = letter.isEmpty();
    const std::size_t start = isFirst ? Envelope::sizeInts : letter.size();
    if (isFirst) {
        letter = std::move(parcel);
    } else {
        appendParcels(letter, parcel);
        detail::mailboxOf(connector_).transport().buffers().giveBack(std::move(parcel));
    }
    bundle.call->facts.kind = classId;
    bundle.starts.push_back(start);    // make() has reserved the room
    bundle.slots.emplace_back();
    ++bundle.heldCount;
    return true;
}

void Bundles::addFailed(Bundle& bundle, std::exception_ptr failure) {
    bundle.starts.push_back(0);
    Bundle::Slot& slot = bundle.slots.emplace_back();
    slot.failure = std::move(failure);
    slot.state = Bundle::State::Over;
    if (bundle.onOver) bundle.onOver(bundle.slots.size() - 1);
}

void Bundles::fail(Bundle& bundle, const std::exception_ptr& failure) {
    for (std::size_t place = 0; place < bundle.slots.size(); ++place) {
        if (bundle.slots[place].state != Bundle::State::Open) continue;
        bundle.slots[place].failure = failure;
        end(bundle, place);
    }
    bundle.heldCount = 0;
}

void Bundles::submit(const std::shared_ptr<Bundle>& bundle) {
    if (bundle->heldCount == 0) return;
    const std::shared_ptr<Call> call = bundle->call;
    call->bundle = bundle;
    call->slavesAtMost = bundle->slavesAtMost;
    call->facts.taskCount = bundle->heldCount;
    call->facts.ints = call->request.size();
    try {
        calls_.add(call);
        try {
            schedule_.add(call->number, call->facts);
        } catch (...) {
            calls_.remove(*call);
            throw;
        }
    } catch (...) {
        call->bundle.reset();    // call and bundle would keep each other
        throw;
    }
    for (std::size_t i = 0; i < bundle->heldCount; ++i) events_.added();
    bundle->call.reset();
}

/// The place of a task in the bundle of its call. The place may not exist: the number of the task comes from a letter.
std::size_t Bundles::placeOf(const Call& call, std::int32_t task) noexcept { return static_cast<std::size_t>(task - call.number) - 1; }

bool Bundles::takeInReply(LetterInHand& hand, const Parcel& reply, TimePoint now) {
    const std::shared_ptr<Call> call = calls_.findBundleOf(reply.number);
    if (!call || call->place != Call::Place::AtSlave || call->slaveRank != hand.from()) return false;
    Bundle& bundle = *call->bundle;
    const std::size_t place = placeOf(*call, reply.number);
    if (place >= bundle.slots.size() || bundle.slots[place].state != Bundle::State::Open) return false;
    Bundle::Slot& slot = bundle.slots[place];
    const bool isFailure = reply.key == 0;
    slot.letter = hand.shared();
    if (isFailure) slot.failure = failureIn(reply, connector_.factory());
    slot.reply = reply;
    slot.answeringRank = hand.answeringRank();
    const std::chrono::nanoseconds taken(std::max(reply.detail, 0));
    events_.answered(slot.answeringRank, reply.number, taken, isFailure, now);
    events_.ended(isFailure);
    schedule_.finishedTask(slaveOfRank(hand.from()), call->number, taken, now);
    --bundle.heldCount;
    end(bundle, place);
    if (bundle.isDropped && isFailure) logUnseen(slot.failure);
    closeIfEmpty(*call);
    return true;
}

/// Notes that a task is over. Its slot holds the reply or the failure.
void Bundles::end(Bundle& bundle, std::size_t place) noexcept {
    bundle.slots[place].state = Bundle::State::Over;
    if (bundle.onOver) bundle.onOver(place);
}

/// Ends the call of a bundle when all its tasks are over or have become calls of their own.
void Bundles::closeIfEmpty(Call& call) {
    if (call.bundle->heldCount > 0) return;
    if (call.place == Call::Place::AtSlave) schedule_.takenAway(slaveOfRank(call.slaveRank), call.number);
    const std::shared_ptr<Call> removed = calls_.remove(call);
    removed->request = IntBuffer();
    removed->isDone = true;
}

std::shared_ptr<Call> Bundles::callAt(int rank, std::int32_t number) {
    std::shared_ptr<Call> call = calls_.findAt(rank, number);
    if (!calls_.hasBundles()) return call;
    if (call) return call->bundle ? nullptr : call;
    const std::shared_ptr<Call> whole = calls_.findBundleOf(number);
    if (!whole || whole->place != Call::Place::AtSlave || whole->slaveRank != rank) return nullptr;
    const std::size_t place = placeOf(*whole, number);
    const std::vector<Bundle::Slot>& slots = whole->bundle->slots;
    return place < slots.size() && slots[place].state == Bundle::State::Open ? split(whole, place) : nullptr;
}

/// Makes an open task of a bundle, which a slave has, a call of its own.
std::shared_ptr<Call> Bundles::split(const std::shared_ptr<Call>& whole, std::size_t place) {
    const std::shared_ptr<Bundle> bundle = whole->bundle;
    auto alone = std::make_shared<Call>();
    alone->number = whole->number + 1 + static_cast<std::int32_t>(place);
    alone->facts = whole->facts;
    alone->facts.taskCount = 1;
    alone->place = Call::Place::AtSlave;
    alone->slaveRank = whole->slaveRank;
    alone->handOutCount = whole->handOutCount;
    alone->slavesAtMost = bundle->slavesAtMost;
    alone->isDropped = bundle->isDropped;
    if (!whole->request.isEmpty()) {
        const std::span<const std::int32_t> ints = whole->request.ints().subspan(bundle->starts[place]);
        IntReader in(ints);
        Parcel parcel{in.readInt(), in.readInt(), in.readInt()};
        parcel.body = ints.subspan(parcelHeadInts, static_cast<std::size_t>(in.readInt64()));
        alone->request =
            packParcel(detail::mailboxOf(connector_), JobKind::Request, parcel, [&parcel](IntWriter& out) { out.writeInts(parcel.body); });
        alone->facts.ints = alone->request.size();
    }
    alone->followers.push_back({[bundle, place](Completion& done) {
        Call& call = static_cast<Call&>(done);
        Bundle::Slot& slot = bundle->slots[place];
        slot.letter = std::move(call.letter);
        slot.reply = call.reply;
        slot.answeringRank = call.answeringRank;
        slot.failure = call.failure;
        slot.isSeen = call.isLookedAt;
        slot.state = Bundle::State::Over;
        if (bundle->onOver) bundle->onOver(place);
    }});
    calls_.add(alone);
    try {
        schedule_.splitOff(slaveOfRank(whole->slaveRank), whole->number, alone->number, alone->facts);
    } catch (...) {
        calls_.remove(*alone);
        throw;
    }
    bundle->slots[place].state = Bundle::State::Alone;
    bundle->slots[place].alone = alone;
    --bundle->heldCount;
    closeIfEmpty(*whole);
    return alone;
}

void Bundles::breakUpAt(int slave) {
    if (!calls_.hasBundles()) return;
    for (const std::int32_t number : schedule_.callsAt(slave)) {
        const std::shared_ptr<Call> whole = calls_.at(number);
        if (!whole->bundle) continue;
        whole->place = Call::Place::AtSlave;    // a batch that was not sent counts, too
        whole->slaveRank = rankOfSlave(slave);
        const std::size_t count = whole->bundle->slots.size();
        for (std::size_t place = 0; place < count; ++place) {
            if (whole->bundle->slots[place].state == Bundle::State::Open) split(whole, place);
        }
    }
}

bool Bundles::isAnyIn(const Schedule::Assignment& batch) const {
    return calls_.hasBundles() && std::any_of(batch.calls.begin(), batch.calls.end(), [this](int call) { return calls_.at(call)->bundle; });
}

void Bundles::takeBack(Schedule::Assignment& batch) {
    const auto now = connector_.now();
    for (; !batch.calls.empty(); batch.calls.pop_back()) {
        const std::shared_ptr<Call> call = calls_.at(batch.calls.back());
        if (!call->bundle) {
            schedule_.givenBack(batch.slave, call->number, now);
            continue;
        }
        call->place = Call::Place::AtSlave;
        call->slaveRank = rankOfSlave(batch.slave);
        for (std::size_t place = call->bundle->slots.size(); place-- > 0;) {
            const Bundle::Slot& slot = call->bundle->slots[place];
            if (slot.state == Bundle::State::Open) split(call, place);
            const std::shared_ptr<Call> alone = slot.alone.lock();
            if (!alone || alone->place != Call::Place::AtSlave) continue;
            schedule_.givenBack(batch.slave, alone->number, now);
            alone->place = Call::Place::Waiting;
        }
    }
}

std::vector<std::int32_t> Bundles::tasksOf(const std::vector<std::int32_t>& calls) const {
    if (!calls_.hasBundles()) return calls;
    std::vector<std::int32_t> tasks;
    for (const std::int32_t number : calls) {
        const Call& call = *calls_.at(number);
        if (!call.bundle) {
            tasks.push_back(number);
            continue;
        }
        for (std::size_t place = 0; place < call.bundle->slots.size(); ++place) {
            if (call.bundle->slots[place].state == Bundle::State::Open) tasks.push_back(number + 1 + static_cast<std::int32_t>(place));
        }
    }
    return tasks;
}

std::vector<std::shared_ptr<Call>> Bundles::drop(Bundle& bundle) {
    bundle.isDropped = true;
    bundle.onOver = nullptr;
    std::vector<std::shared_ptr<Call>> open;
    for (const Bundle::Slot& slot : bundle.slots) {
        if (slot.state == Bundle::State::Over && slot.failure && !slot.isSeen) logUnseen(slot.failure);
        if (const std::shared_ptr<Call> alone = slot.alone.lock()) {
            alone->isDropped = true;
            open.push_back(alone);
        }
    }
    const std::shared_ptr<Call> whole = calls_.findBundleOf(bundle.number);
    if (whole && whole->bundle.get() == &bundle) open.push_back(whole);
    return open;
}

void Bundles::endAll(Call& call, const std::exception_ptr& failure) {
    Bundle& bundle = *call.bundle;
    for (std::size_t place = 0; place < bundle.slots.size(); ++place) {
        if (bundle.slots[place].state != Bundle::State::Open) continue;
        bundle.slots[place].failure = failure;
        bundle.slots[place].isSeen = call.isLookedAt;
        if (--bundle.heldCount > 0) events_.ended(failure != nullptr);    // the call itself has counted once
        end(bundle, place);
    }
}

}    // namespace ferry::detail
