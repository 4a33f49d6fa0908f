#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>

namespace ferry {

/// The master's part in sharing objects: numbers the versions of each type's object, and gets each version to every slave.
///
/// A large object goes through a tree of slaves when none of them has anything to do: the master sends it to a few, and they pass it on.
/// Besides, every slave is told by the master itself from when on which version counts, and waits for that version there.
/// Slaves that join later get what is shared then.
/// Threads: the master's. Errors: what the mailbox throws.
class SharedObjects {
public:
    using Write = std::function<void(IntWriter&)>;

    /// Objects of fewer ints never go through the tree: what its steps would save is less than they cost.
    static constexpr std::size_t treeIntsAtLeast = 4096;
    /// Nor do they with fewer slaves.
    static constexpr int treeSlavesAtLeast = 4;

    /// The mailbox is rank 0's and must outlive the object; the other ranks are the slaves. Those in groups get everything by their
    /// sub-masters. mayJoin: slaves may join, so that what is shared is kept here, too.
    SharedObjects(Mailbox& mailbox, const SlaveGroups& groups, bool mayJoin);

    /// Gives every slave what is written, under this key and before anything that is sent to it later. Returns its version: 1, or one more
    /// than that of the key's last object. areIdle: no slave has anything to do.
    std::int32_t share(std::int32_t key, const Write& write, bool areIdle);

    /// A slave has answered a task, so that it has had all that was shared before.
    void noteReply(int rank) {
        if (lackCount_ > 0) noteHas(rank);
    }

    /// A slave is lost: what it may not have passed on goes to those behind it from the master.
    void lose(int rank);

    /// The ranks from this one on have joined: each gets what is shared.
    void join(int firstRank);
    /// A slave whose sub-master is lost gets what is shared, and everything that will be, from here.
    void serve(int rank);
    /// A slave that has answered everything leaves: it gets nothing any more.
    void dismiss(int rank);

    /// No slave has an object of this key any more, for anything that is sent to it later. False: none has one now.
    bool drop(std::int32_t key);

private:
    struct State {
        std::int32_t version = 0;    ///< the last one
        bool isShared = false;       ///< and was not dropped
        IntBuffer passedOn{};        ///< while some slave may lack it, and slaves may be lost
        IntBuffer kept{};            ///< while it is shared, and slaves may join or change their master
    };

    bool mayPassOn(const IntBuffer& letter) const;
    void sendToAll(const IntBuffer& letter);
    void sendThroughTree(IntBuffer& letter);
    void sendAgain(int slave);
    void noteHas(int rank);
    void giveAllTo(int slave);
    void tell(std::int32_t key, std::int32_t version);
    void tell(int slave, std::int32_t key, std::int32_t version);

    Mailbox& mailbox_;
    const bool keeps_;                        ///< what is shared
    const int treeSize_;                      ///< ranks from this one on have joined, and are in no tree
    std::vector<bool> isLeftOut_;             ///< by rank: dismissed, or in a group
    bool isTreeWhole_;                        ///< none is left out
    std::map<std::int32_t, State> states_;    ///< by key
    std::vector<bool> mayLack_;               ///< by rank: it has not answered since an object was sent through the tree
    std::size_t lackCount_ = 0;
};

}    // namespace ferry
