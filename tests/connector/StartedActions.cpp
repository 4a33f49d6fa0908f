#include <ferry/tests/connector/StartedActions.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/tests/connector/Parcel.hpp>

namespace ferry::test {

void StartedActions::takeInOrder() {
    const int size = c_.size();
    const std::vector<Parcel> own(static_cast<std::size_t>(size), Parcel(mark_ + c_.rank()));
    expect_(c_.startBroadcast(Parcel(c_.rank() == root_ ? mark_ : 0), root_).get().mark == mark_, "started broadcast");
    expect_(c_.startAllToAll(own).get() == parcelsFrom(mark_, size), "started allToAll");
    const int total = c_.startReduce(Parcel(mark_), add, root_).get().mark;
    expect_(total == (c_.rank() == root_ ? size * mark_ : 0), "started reduce");
    expect_(c_.startReduceScatter(own, add).get().front().mark == size * mark_ + size * (size - 1) / 2, "started reduceScatter");
    c_.startBarrier().get();
}

void StartedActions::takeInDisorder() {
    const int size = c_.size();
    const bool isRoot = c_.rank() == root_;
    Pending<Parcel> total = c_.startAllReduce(Parcel(mark_), add);
    Pending<std::vector<Parcel>> all = c_.startAllGather(Parcel(mark_ + c_.rank()));
    throwPoint();
    expect_(c_.allReduce(mark_, Max{}) == mark_, "blocking between started");
    Pending<std::vector<Parcel>> gathered = c_.startGather(Parcel(mark_ + c_.rank()), root_);
    Pending<Parcel> part = c_.startScatter(isRoot ? parcelsFrom(mark_, size) : std::vector<Parcel>(), root_);
    Pending<Parcel> before = c_.startExclusiveScan(Parcel(mark_), add);
    static_cast<void>(all.ready());
    expect_(before.get().mark == mark_ * c_.rank(), "started exclusive scan");
    expect_(part.get().mark == mark_ + c_.rank(), "started scatter");
    expect_(gathered.get() == (isRoot ? parcelsFrom(mark_, size) : std::vector<Parcel>()), "started gather");
    expect_(all.get() == parcelsFrom(mark_, size), "started allGather");
    expect_(total.get().mark == size * mark_, "started allReduce");
}

void StartedActions::dropSome() {
    Pending<Parcel> total = c_.startAllReduce(Parcel(mark_), add);
    Pending<Parcel> prefix = c_.startScan(Parcel(mark_), add);
    throwPoint();
    if (c_.rank() % 2 == root_ % 2) total.cancel();
    if (c_.rank() % 3 == root_ % 3) prefix = Pending<Parcel>();
    throwPoint();
    if (total.isUnderWay()) expect_(total.get().mark == c_.size() * mark_, "started allReduce that others dropped");
    if (prefix.isUnderWay()) expect_(prefix.get().mark == mark_ * (c_.rank() + 1), "started scan that others dropped");
}

void StartedActions::exchangeWithNeighbours() {
    const CartesianNeighbourhood ring = c_.cartesian({c_.size()}, {true});
    throwPoint();
    const std::vector<Parcel> own(2, Parcel(mark_));
    Pending<std::vector<Parcel>> parcels = ring.startAllToAll(own);
    expect_(ring.allGather(Parcel(mark_)) == own, "allGather of a neighbourhood");
    expect_(ring.allToAll(own) == own, "allToAll of a neighbourhood");
    expect_(parcels.get() == own, "started allToAll of a neighbourhood");
}

}    // namespace ferry::test
