#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/tests/connector/ThrowPoints.hpp>

namespace ferry::test {

/// The actions of ranks in a guarded region. Together they use every verb of the connector that fits.
enum class RegionAction {
    Barrier,
    Broadcast,
    Gather,
    Reduce,
    AllReduce,
    Scan,
    AllGather,
    Scatter,
    AllToAll,
    Ring,
    AnyClass,
    FromAny,
    LargeRing,
    LargeInPlace,    ///< the receiver waits before the sender sends the array
    SendReceive,
    ReceiveAny,
    Pool,
    GraphRing,
    GraphBroadcast,
    Pendings,
    Unwinding,
    Confiding,
    Poll,
    Flush,
    ReduceScatter,
    Started,
    StartedInDisorder,
    StartedAndDropped,
    Neighbours,
    InGroup,
    PlainData,
    LargePlainData,
};
constexpr int RegionActionCount = 32;

/// One rank's part in the actions. Each message carries the mark of its action.
/// Messages have throw points in the functions that write, read and combine them. Each call has throw points before and after it.
///
/// Errors: exceptions of throw points and of the connector. Wrong results go to the function that notes problems.
class RegionActions {
public:
    using Note = std::function<void(const char* what, int mark)>;

    /// Collective.
    RegionActions(Connector& connector, Note note)
        : c_(connector),
          note_(std::move(note)),
          group_(connector.split(connector.rank() % 2, -connector.rank())) {}

    /// All ranks pass the same arguments. No other action may have this mark.
    void act(RegionAction action, int mark, int root);

private:
    int next() const { return (c_.rank() + 1) % c_.size(); }
    int previous() const { return (c_.rank() + c_.size() - 1) % c_.size(); }
    void expect(bool isRight, const char* what, int mark);

    void actAlone(RegionAction action);
    void actCollectively(RegionAction action, int mark, int root);
    void actOnNumbers(RegionAction action, int mark, int root);
    void actOnPlainData(std::size_t size, int mark, int root);
    void actInBackground(RegionAction action, int mark, int root);
    void sendRound(RegionAction action, int mark);
    void sendGraphs(RegionAction action, int mark, int root);
    void unwind(int mark);
    void confide(int mark);
    void actInGroup(int mark);

    Connector& c_;
    Note note_;
    std::unique_ptr<Connector> group_;    ///< a group of some of the ranks
};

}    // namespace ferry::test
