#include <ferry/framework/master/SharedObjects.hpp>

#include <exception>
#include <new>
#include <utility>

#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/SharedNotice.hpp>

namespace ferry::detail {

namespace {

void setRoute(IntBuffer& letter, SharedRoute route) { letter.data()[Envelope::sizeInts] = static_cast<std::int32_t>(route); }

}    // namespace

SharedObjects::SharedObjects(Mailbox& mailbox, const SlaveGroups& groups, bool mayJoin)
    : mailbox_(mailbox),
      keeps_(mayJoin || !groups.isEmpty()),
      treeSize_(mailbox.transport().size()),
      isLeftOut_(static_cast<std::size_t>(treeSize_), false),
      isTreeWhole_(groups.isEmpty()),
      mayLack_(static_cast<std::size_t>(treeSize_), false) {
    for (int rank = 1; rank < treeSize_; ++rank) isLeftOut_[static_cast<std::size_t>(rank)] = groups.isInGroup(rank);
}

std::int32_t SharedObjects::share(std::int32_t key, const Write& write, bool areIdle) {
    State& state = states_[key];
    const std::int32_t version = state.version + 1;
    IntBuffer letter = mailbox_.pack(Envelope{JobKind::Shared, key, version}, [&write](IntWriter& out) {
        out.writeInt(static_cast<std::int32_t>(SharedRoute::Direct));
        write(out);
    });
    state = {version, true, keeps_ ? letter : IntBuffer()};
    const bool mayBeLost = mailbox_.transport().survivesLosses();
    if (mayBeLost) passedOn_.reserve(mostPassedOn);
    if (!areIdle || !mayPassOn(letter)) {
        sendToAll(letter);
        tell(key, version);
        return version;
    }
    tell(key, version);
    try {
        sendThroughTree(letter);
    } catch (const std::bad_alloc&) {
        mailbox_.due().stop(std::current_exception());    // the slaves wait for the object that tell() has announced
        throw;
    }
    if (mayBeLost) passedOn_.push_back(std::move(letter));
    return version;
}

/// Whether the letter may go through the tree. Lost or dismissed ranks are gaps in the tree, and ranks that joined later are not in it.
bool SharedObjects::mayPassOn(const IntBuffer& letter) const {
    const bool isWhole = isTreeWhole_ && !mailbox_.departures().hasLosses() && mailbox_.transport().size() == treeSize_;
    return treeSize_ > treeSlavesAtLeast && letter.size() >= treeIntsAtLeast && isWhole && passedOn_.size() < mostPassedOn;
}

void SharedObjects::sendToAll(const IntBuffer& letter) {
    for (int slave = 1; slave < mailbox_.transport().size(); ++slave) {
        if (!isLeftOut_[static_cast<std::size_t>(slave)]) mailbox_.postInts(slave, Channel::Data, letter);
    }
}

void SharedObjects::sendThroughTree(IntBuffer& letter) {
    setRoute(letter, SharedRoute::PassedOn);
    for (const int child : placeInTree(0, treeSize_, 0).children) mailbox_.postInts(child, Channel::Data, letter);
    setRoute(letter, SharedRoute::Direct);
    if (!mailbox_.transport().survivesLosses()) return;
    mayLack_.assign(mayLack_.size(), true);
    mayLack_.front() = false;
    lackCount_ = mayLack_.size() - 1;
}

void SharedObjects::noteHas(int rank) {
    std::vector<bool>::reference mayLack = mayLack_.at(static_cast<std::size_t>(rank));
    if (!mayLack) return;
    mayLack = false;
    if (--lackCount_ == 0) passedOn_.clear();
}

void SharedObjects::lose(int rank) {
    noteHas(rank);
    if (lackCount_ == 0 || rank >= treeSize_) return;
    std::vector<int> behind = placeInTree(rank, treeSize_, 0).children;
    for (std::size_t i = 0; i < behind.size(); ++i) {
        sendAgain(behind[i]);
        const std::vector<int> next = placeInTree(behind[i], treeSize_, 0).children;
        behind.insert(behind.end(), next.begin(), next.end());
    }
}

void SharedObjects::sendAgain(int slave) {
    if (!mayLack_[static_cast<std::size_t>(slave)]) return;
    for (const IntBuffer& letter : passedOn_) mailbox_.postInts(slave, Channel::Data, letter);
}

bool SharedObjects::drop(std::int32_t key) {
    const auto state = states_.find(key);
    if (state == states_.end() || !state->second.isShared) return false;
    tell(key, droppedVersion);
    state->second.kept = IntBuffer();
    state->second.isShared = false;    // passedOn_ keeps it: a slave that lacks the object waits for it before it drops it
    return true;
}

void SharedObjects::join(int firstRank) {
    const int size = mailbox_.transport().size();
    isLeftOut_.resize(static_cast<std::size_t>(size), false);
    mayLack_.resize(static_cast<std::size_t>(size), false);
    for (int slave = firstRank; slave < size; ++slave) giveAllTo(slave);
}

void SharedObjects::serve(int rank) {
    isLeftOut_[static_cast<std::size_t>(rank)] = false;
    giveAllTo(rank);
}

/// Gives the slave the state of all keys. Dropped keys are included: the sub-master that told the slave so far is lost.
void SharedObjects::giveAllTo(int slave) {
    for (const auto& [key, state] : states_) {
        if (state.isShared) mailbox_.postInts(slave, Channel::Data, state.kept);
        tell(slave, key, state.isShared ? state.version : droppedVersion);
    }
}

void SharedObjects::dismiss(int rank) {
    noteHas(rank);
    isLeftOut_[static_cast<std::size_t>(rank)] = true;
    isTreeWhole_ = false;
}

void SharedObjects::tell(std::int32_t key, std::int32_t version) {
    for (int slave = 1; slave < mailbox_.transport().size(); ++slave) {
        if (!isLeftOut_[static_cast<std::size_t>(slave)]) tell(slave, key, version);
    }
}

void SharedObjects::tell(int slave, std::int32_t key, std::int32_t version) {
    mailbox_.post(slave, Channel::Data, Envelope{JobKind::SharedNotice, key, version}, [](IntWriter&) {});
}

}    // namespace ferry::detail
