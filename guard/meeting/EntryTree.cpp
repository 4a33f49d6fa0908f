#include <ferry/guard/meeting/EntryTree.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace ferry::pmpi {

namespace {

constexpr int entryTag = 4;    // on the meeting place

}    // namespace

EntryTree::EntryTree(MPI_Comm communicator, int size) : sideMessages_(communicator, size, entryTag) {}

void EntryTree::beginRegion(std::int32_t region) {
    sideMessages_.beginRegion(region);
    trees_.clear();
    disagreement_.reset();
}

std::uint64_t EntryTree::enter(const Communicator& communicator, std::uint32_t hash) {
    Tree& tree = trees_[communicator.id];
    if (++tree.own == 1) place(tree, communicator);
    tree.hashes[tree.own] = hash;
    compare(communicator.id, tree);
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
    while (const std::optional<SideMessages::SideMessage> sideMessage = sideMessages_.next()) {
        const auto [communicator, number, direction, hash] = sideMessage->contents;
        const auto id = static_cast<std::int32_t>(communicator);
        Tree& tree = trees_[id];
        if (direction == Up) {
            tree.reports.emplace(static_cast<std::uint64_t>(number), std::pair(sideMessage->from, static_cast<std::uint32_t>(hash)));
            compare(id, tree);
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

/// Compares the calls of the ranks below with the own calls of the same numbers, as far as both are there.
void EntryTree::compare(std::int32_t communicator, Tree& tree) {
    while (!tree.reports.empty() && tree.reports.begin()->first <= tree.own) {
        const auto [number, report] = *tree.reports.begin();
        tree.reports.erase(tree.reports.begin());
        const auto own = tree.hashes.find(number);
        if (own == tree.hashes.end()) continue;
        if (own->second == report.second)
            tree.below[report.first] = std::max(tree.below[report.first], number);
        else if (!disagreement_)
            disagreement_ = {communicator, number};
    }
    if (disagreement_ && disagreement_->communicator == communicator) {
        for (auto& [child, number] : tree.below) number = std::min(number, disagreement_->number - 1);
    }
}

/// Passes on the number of calls to which all ranks of this rank's subtree have come, and the hash of each call.
void EntryTree::handOn(std::int32_t communicator, Tree& tree) {
    std::uint64_t common = tree.own;
    for (const int child : tree.children) {
        const auto found = tree.below.find(child);
        common = std::min(common, found != tree.below.end() ? found->second : 0);
    }
    if (common <= tree.toldUp) return;
    for (std::uint64_t number = tree.toldUp + 1; tree.parent >= 0 && number <= common; ++number)
        sideMessages_.send(tree.parent, {communicator, static_cast<std::int64_t>(number), Up, tree.hashes.at(number)});
    tree.toldUp = common;
    if (tree.parent < 0) tellAll(communicator, tree, common);
}

void EntryTree::tellAll(std::int32_t communicator, Tree& tree, std::uint64_t all) {
    tree.all = all;
    tree.hashes.erase(tree.hashes.begin(), tree.hashes.upper_bound(all));
    for (const int child : tree.children) sideMessages_.send(child, {communicator, static_cast<std::int64_t>(all), Down, 0});
}

}    // namespace ferry::pmpi
