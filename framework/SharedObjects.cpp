#include <ferry/framework/SharedObjects.hpp>

#include <utility>

#include <ferry/connector/collective/Tree.hpp>
#include <ferry/framework/SharedNotice.hpp>

namespace ferry {

std::int32_t SharedObjects::share(std::int32_t key, const Write& write, bool areIdle) {
    State& state = states_[key];
    const std::int32_t version = state.version + 1;
    IntBuffer letter = mailbox_.pack(Envelope{MessageKind::Shared, key, version}, [&write](IntWriter& out) {
        out.writeInt(static_cast<std::int32_t>(SharedRoute::Direct));
        write(out);
    });
    const int size = mailbox_.transport().size();
    const bool isPassedOn = areIdle && size > treeSlavesAtLeast && letter.size() >= treeIntsAtLeast;
    if (isPassedOn) letter.data()[Envelope::sizeInts] = static_cast<std::int32_t>(SharedRoute::PassedOn);

    tell(key, version);
    state = {version, true};
    if (isPassedOn) {
        for (const int child : placeInTree(0, size, 0).children) mailbox_.postInts(child, Channel::Data, letter);
    } else {
        for (int slave = 1; slave < size; ++slave) mailbox_.postInts(slave, Channel::Data, letter);
    }
    return version;
}

bool SharedObjects::drop(std::int32_t key) {
    const auto state = states_.find(key);
    if (state == states_.end() || !state->second.isShared) return false;
    tell(key, droppedVersion);
    state->second.isShared = false;
    return true;
}

void SharedObjects::tell(std::int32_t key, std::int32_t version) {
    for (int slave = 1; slave < mailbox_.transport().size(); ++slave)
        mailbox_.post(slave, Channel::Data, Envelope{MessageKind::SharedNotice, key, version}, [](IntWriter&) {});
}

}    // namespace ferry
