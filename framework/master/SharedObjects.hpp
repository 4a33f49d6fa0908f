#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>

namespace ferry::detail {

/// The master's part in sharing objects. It numbers the versions of each type's object and gets each version to every slave.
///
/// A large object goes through a tree of slaves when all slaves are idle: the master sends it to a few, and they pass it on.
/// The master also tells every slave directly from which message on a version counts. The slave waits for that version there.
/// Slaves that join later get the objects that are shared at that time.
/// Threads: the master's. Errors: all exceptions of the mailbox.
class SharedObjects {
public:
    using Write = std::function<void(IntWriter&)>;

    /// Objects of fewer ints never go through the tree: its steps would cost more than they save.
    static constexpr std::size_t treeIntsAtLeast = 4096;
    /// With fewer slaves no object goes through the tree.
    static constexpr int treeSlavesAtLeast = 4;
    /// Where slaves may be lost, this number of objects that some slave may lack is kept. Further objects do not go through the tree.
    static constexpr std::size_t mostPassedOn = 4;

    /// The mailbox is rank 0's and must outlive the object; the other ranks are the slaves. Slaves in groups get everything from their
    /// sub-master. mayJoin: slaves may join later, so a copy of each shared object is kept here.
    SharedObjects(Mailbox& mailbox, const SlaveGroups& groups, bool mayJoin);

    /// Gives every slave the written object under this key, ahead of all later messages. areIdle: no slave has a task.
    /// Returns the version: 1 for the first object of the key, then one more for each further object.
    std::int32_t share(std::int32_t key, const Write& write, bool areIdle);

    /// Notes that a slave has answered a task, and so has received all objects that were shared before.
    void noteReply(int rank) {
        if (lackCount_ > 0) noteHas(rank);
    }

    /// Handles the loss of a slave. The master sends the objects that it may not have passed on to the slaves behind it in the tree.
    void lose(int rank);

    /// Handles new ranks, from firstRank on: each gets the shared objects.
    void join(int firstRank);
    /// Handles the loss of the rank's sub-master. The slave gets the present and all later shared objects from the master.
    void serve(int rank);
    /// Handles a slave that has answered all its tasks and leaves: it gets no further objects.
    void dismiss(int rank);

    /// Drops the object of this key for all messages that are sent later. False: no object of this key is shared now.
    bool drop(std::int32_t key);

private:
    struct State {
        std::int32_t version = 0;    ///< version of the last object
        bool isShared = false;       ///< false: the last object was dropped
        IntBuffer kept{};            ///< copy that is kept while the object is shared, if slaves may join or change their master
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
    const bool keeps_;                        ///< whether State::kept is used
    const int treeSize_;                      ///< number of ranks in the tree; ranks from this one on have joined later
    std::vector<bool> isLeftOut_;             ///< by rank: true for a rank that is dismissed or in a group
    bool isTreeWhole_;                        ///< no rank is left out
    std::map<std::int32_t, State> states_;    ///< by key
    std::vector<IntBuffer> passedOn_;         ///< objects that some slave may lack, if slaves may be lost; in the order of their sending
    std::vector<bool> mayLack_;               ///< by rank: the slave has not answered since an object was sent through the tree
    std::size_t lackCount_ = 0;
};

}    // namespace ferry::detail
