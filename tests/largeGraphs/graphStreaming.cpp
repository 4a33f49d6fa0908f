// A structure that takes more than half of the memory that its process may use. The structure is sent, broadcast, or saved and loaded.
//
// usage: mpirun -np 2 ferryGraphStreaming send|broadcast MIB
//        ferryGraphStreaming file MIB [FOLDER]
//
// Each process limits its address space to its size at the start plus 1.3 times the structure. Exit status 0 when the structure arrives.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/tests/largeGraphs/ProcessMemory.hpp>

namespace {

constexpr std::size_t BlockBytes = 64 * 1024;

/// A list of blocks. The last block points back to the first one.
struct Block {
    std::size_t number = 0;
    std::vector<double> values;
    Block* next = nullptr;
    FERRY_FIELDS(number, values, next)
};

using Blocks = std::vector<std::unique_ptr<Block>>;

Blocks makeBlocks(std::size_t count) {
    Blocks blocks;
    for (std::size_t i = 0; i < count; ++i) {
        blocks.push_back(std::make_unique<Block>());
        blocks.back()->number = i;
        blocks.back()->values.assign(BlockBytes / sizeof(double), static_cast<double>(i));
    }
    for (std::size_t i = 0; i < count; ++i) blocks[i]->next = blocks[(i + 1) % count].get();
    return blocks;
}

bool isWhole(const Block* root, std::size_t count) {
    const Block* block = root;
    for (std::size_t i = 0; i < count; ++i, block = block->next) {
        if (block->number != i || block->values.size() != BlockBytes / sizeof(double)) return false;
        if (block->values.front() != static_cast<double>(i) || block->values.back() != static_cast<double>(i)) return false;
    }
    return block == root;
}

void limitTo(double timesStructure, std::size_t count) {
    ferry::test::limitAddressSpace(ferry::test::addressSpaceBytes() +
                                   static_cast<std::size_t>(timesStructure * static_cast<double>(count * BlockBytes)));
}

int report(const char* how, bool isArrived, std::size_t count) {
    std::printf("%s: %.2f GiB, %s; most memory at once %.2f times that\n", how, static_cast<double>(count * BlockBytes) / (1 << 30),
                isArrived ? "arrived whole" : "NOT as it was",
                static_cast<double>(ferry::test::peakResidentBytes()) / static_cast<double>(count * BlockBytes));
    return isArrived ? 0 : 1;
}

int transfer(ferry::Connector& connector, const std::string& how, std::size_t count) {
    limitTo(1.3, count);
    const Blocks blocks = connector.rank() == 0 ? makeBlocks(count) : Blocks();
    const Block* root = blocks.empty() ? nullptr : blocks.front().get();
    ferry::Graph<Block> copy;
    if (how == "broadcast") {
        copy = connector.broadcastGraph(ferry::graph(root));
    } else if (connector.rank() == 0) {
        connector.send(1, ferry::graph(root));
    } else if (connector.rank() == 1) {
        copy = connector.receiveGraph<Block>(0);
    }
    return connector.rank() == 1 ? report(how.c_str(), isWhole(copy.root(), count), count) : 0;
}

int throughFile(const std::filesystem::path& folder, std::size_t count) {
    limitTo(1.3, count);
    const std::filesystem::path path = folder / "ferryGraphStreaming.state";
    {
        const Blocks blocks = makeBlocks(count);
        ferry::saveGraph(path, ferry::graph(blocks.front().get()));
    }
    const ferry::Graph<Block> copy = ferry::loadGraph<Block>(path);
    std::filesystem::remove(path);
    return report("file", isWhole(copy.root(), count), count);
}

}    // namespace

int main(int argc, char** argv) {
    const std::string how = argc >= 3 ? argv[1] : "";
    const std::size_t count = argc >= 3 ? std::strtoull(argv[2], nullptr, 10) * (1 << 20) / BlockBytes : 0;
    if (count == 0 || (how != "send" && how != "broadcast" && how != "file")) {
        std::fprintf(stderr, "usage: ferryGraphStreaming send|broadcast|file MIB [FOLDER]\n");
        return 2;
    }
    if (how == "file") return throughFile(argc >= 4 ? argv[3] : std::filesystem::temp_directory_path().string(), count);
    argc = 1;    // the other arguments are not options of Ferry
    ferry::Application app(argc, argv);
    return app.runOnAll([&](ferry::Connector& connector) { return transfer(connector, how, count); });
}
