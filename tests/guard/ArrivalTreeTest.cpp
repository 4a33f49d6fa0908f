#include <ferry/guard/known/ArrivalTree.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using ferry::pmpi::ArrivalTree;
using ferry::pmpi::HostMemory;

namespace {

/// A memory page for each rank, in this process.
class Pages {
public:
    explicit Pages(int count) {
        for (int i = 0; i < count; ++i) pages_.push_back(owned_.emplace_back(std::make_unique<HostMemory::Page>()).get());
    }
    ArrivalTree treeOf(int rank, int slot) const { return {rank, pages_, slot}; }

private:
    std::vector<std::unique_ptr<HostMemory::Page>> owned_;
    std::vector<HostMemory::Page*> pages_;
};

bool haveAllArrived(const ArrivalTree& tree, std::uint64_t number) { return ArrivalTree::countOf(tree.root()) >= tree.target(number); }

}    // namespace

TEST_CASE("ArrivalTree: a meeting is over for all ranks when the last one has come, whatever the order") {
    std::mt19937 random(5);
    for (const int size : {1, 2, 3, 7, 8, 9, 16, 17, 63, 64, 65, 100, 449, 512}) {
        CAPTURE(size);
        const Pages pages(size);
        std::vector<ArrivalTree> trees;
        for (int rank = 0; rank < size; ++rank) trees.push_back(pages.treeOf(rank, 5));
        std::vector<std::size_t> order(trees.size());
        std::iota(order.begin(), order.end(), 0U);
        for (std::uint64_t number = 1; number <= 20; ++number) {
            std::shuffle(order.begin(), order.end(), random);
            for (const std::size_t rank : order) {
                REQUIRE_FALSE(haveAllArrived(trees[order.front()], number));
                REQUIRE_FALSE(haveAllArrived(trees[order.back()], number));
                trees[rank].arrive(number);
            }
            for (const ArrivalTree& tree : trees) REQUIRE(haveAllArrived(tree, number));
        }
    }
}

TEST_CASE("ArrivalTree: each rank learns whether all ranks have come with equal hashes") {
    std::mt19937 random(11);
    for (const int size : {2, 3, 8, 9, 17, 64, 65, 100, 512}) {
        CAPTURE(size);
        const Pages pages(size);
        std::vector<ArrivalTree> trees;
        for (int rank = 0; rank < size; ++rank) trees.push_back(pages.treeOf(rank, 5));
        for (std::uint64_t number = 1; number <= 40; ++number) {
            const auto hash = static_cast<std::uint32_t>(random());
            const std::size_t odd = random() % trees.size();
            const bool isAgreed = random() % 2 == 0;
            for (std::size_t rank = 0; rank < trees.size(); ++rank) trees[rank].arrive(number, hash + (!isAgreed && rank == odd ? 77 : 0));
            for (const ArrivalTree& tree : trees) {
                const std::uint64_t value = tree.root();
                REQUIRE(ArrivalTree::countOf(value) == tree.target(number));
                REQUIRE(tree.isAgreed(value) == isAgreed);
            }
            if (isAgreed) continue;
            for (ArrivalTree& tree : trees) tree.accept();
        }
    }
}

TEST_CASE("ArrivalTree: a tree that goes on from another one knows its sums") {
    const Pages pages(3);
    std::vector<ArrivalTree> trees;
    for (int rank = 0; rank < 3; ++rank) trees.push_back(pages.treeOf(rank, 5));
    for (std::uint32_t rank = 0; rank < 3; ++rank) trees[rank].arrive(1, rank);
    for (ArrivalTree& tree : trees) tree.accept();
    for (ArrivalTree& tree : trees) tree.arrive(2, 9);
    ArrivalTree later = pages.treeOf(1, 5);
    later.continueFrom(trees[1]);
    CHECK(later.isAgreed(later.root()));
}

TEST_CASE("ArrivalTree: communicators with slots of their own do not disturb each other") {
    const Pages pages(20);
    std::vector<ArrivalTree> first;
    std::vector<ArrivalTree> second;
    for (int rank = 0; rank < 20; ++rank) {
        first.push_back(pages.treeOf(rank, 0));
        second.push_back(pages.treeOf(rank, HostMemory::slotCount - 1));
    }
    for (ArrivalTree& tree : first) tree.arrive(1);
    CHECK(haveAllArrived(first[3], 1));
    CHECK_FALSE(haveAllArrived(second[3], 1));
    for (ArrivalTree& tree : second) tree.arrive(1);
    CHECK(haveAllArrived(second[19], 1));
    CHECK_FALSE(haveAllArrived(first[19], 2));
}

TEST_CASE("ArrivalTree: more ranks than its levels hold get no tree") {
    CHECK(Pages(ArrivalTree::mostRanks).treeOf(0, 0).isThere());
    CHECK_FALSE(Pages(ArrivalTree::mostRanks + 1).treeOf(0, 0).isThere());
    CHECK_FALSE(ArrivalTree().isThere());
}

TEST_CASE("ArrivalTree: what ranks have written before a meeting is there for all behind it") {
    for (const int size : {2, 11}) {
        const Pages pages(size);
        std::vector<std::uint64_t> written(static_cast<std::size_t>(size));    // plain integers, so that the thread sanitizer sees a
                                                                               // missing order
        std::vector<int> wrongCounts(written.size());
        std::vector<std::thread> threads;
        for (int rank = 0; rank < size; ++rank) {
            threads.emplace_back([&, rank] {
                ArrivalTree tree = pages.treeOf(rank, 1);
                const auto place = static_cast<std::size_t>(rank);
                std::uint64_t number = 0;
                const auto meet = [&] {
                    tree.arrive(++number);
                    while (!haveAllArrived(tree, number)) std::this_thread::yield();
                };
                for (std::uint64_t round = 1; round <= 300; ++round) {
                    written[place] = round;
                    meet();
                    for (const std::uint64_t value : written) wrongCounts[place] += value != round ? 1 : 0;
                    meet();
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        CHECK(std::accumulate(wrongCounts.begin(), wrongCounts.end(), 0) == 0);
    }
}
