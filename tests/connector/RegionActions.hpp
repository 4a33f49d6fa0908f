#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/tests/connector/ThrowPoints.hpp>

namespace ferry::test {

/// What ranks can do together in a guarded region, each with every verb of the connector that fits.
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
    LargeInPlace,    ///< the receiver waits before the array is sent
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

/// One rank's part in the actions. Whatever is sent says to which action it belongs, and has throw points where it is written, read and
/// combined; so have the places before and after each call.
///
/// Errors: what throw points and the connector throw. What came back and is not right goes to the function that notes problems.
class RegionActions {
public:
    using Note = std::function<void(const char* what, int mark)>;

    /// All ranks together.
    RegionActions(Connector& connector, Note note)
        : c_(connector),
          note_(std::move(note)),
          group_(connector.split(connector.rank() % 2, -connector.rank())) {}

    /// All ranks with the same arguments; the mark is of this action alone.
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
    std::unique_ptr<Connector> group_;    ///< of some of the ranks
};

}    // namespace ferry::test
