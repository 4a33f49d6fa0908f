#include <ferry/guard/meeting/EntryTree.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace ferry::pmpi {

namespace {

constexpr int entryTag = 4;    // on the channel

}    // namespace

EntryTree::EntryTree(MPI_Comm communicator, int size) : letters_(communicator, size, entryTag) {}

void EntryTree::beginRegion(std::int32_t region) {
    letters_.beginRegion(region);
    trees_.clear();
}

std::uint64_t EntryTree::enter(const Communicator& communicator) {
    Tree& tree = trees_[communicator.id];
    if (++tree.own == 1) place(tree, communicator);
    handOn(communicator.id, tree);
    return tree.own;
}

std::uint64_t EntryTree::enteredOn(std::int32_t communicator) const {
    const auto found = trees_.find(communicator);
    return found != trees_.end() ? found->second.own : 0;
}

std::uint64_t EntryTree::enteredByAll(const Communicator& communicator) const {
    const auto found = trees_.find(communicator.id);
    return found != trees_.end() ? found->second.all : 0;
}

void EntryTree::look() {
    while (const std::optional<Letters::Letter> letter = letters_.next()) {
        const auto [communicator, number, direction, unused] = letter->contents;
        const auto id = static_cast<std::int32_t>(communicator);
        Tree& tree = trees_[id];
        if (direction == Up) {
            tree.below[letter->from] = static_cast<std::uint64_t>(number);
            handOn(id, tree);
        } else {
            tellAll(id, tree, static_cast<std::uint64_t>(number));
        }
    }
}

void EntryTree::place(Tree& tree, const Communicator& communicator) const {
    const auto rankAt = [&](int rank) { return communicator.regionRanks[static_cast<std::size_t>(rank)]; };
    if (communicator.rank > 0) tree.parent = rankAt((communicator.rank - 1) / 2);
    for (const int child : {2 * communicator.rank + 1, 2 * communicator.rank + 2}) {
        if (child < communicator.size) tree.children.push_back(rankAt(child));
    }
}

/// Passes on the number of calls to which all ranks of this rank's subtree have come.
void EntryTree::handOn(std::int32_t communicator, Tree& tree) {
    std::uint64_t common = tree.own;
    for (const int child : tree.children) {
        const auto found = tree.below.find(child);
        common = std::min(common, found != tree.below.end() ? found->second : 0);
    }
    if (common <= tree.toldUp) return;
    tree.toldUp = common;
    if (tree.parent < 0)
        tellAll(communicator, tree, common);
    else
        letters_.send(tree.parent, {communicator, static_cast<std::int64_t>(common), Up, 0});
}

void EntryTree::tellAll(std::int32_t communicator, Tree& tree, std::uint64_t all) {
    tree.all = all;
    for (const int child : tree.children) letters_.send(child, {communicator, static_cast<std::int64_t>(all), Down, 0});
}

}    // namespace ferry::pmpi
