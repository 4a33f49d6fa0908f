#include <ferry/benchmarks/graph/Limits.hpp>

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <ferry/examples/graph/DirectedGraph.hpp>
#include <ferry/examples/graph/GraphWalk.hpp>

namespace bench {

namespace {

void check(bool isGood, const std::string& what) {
    if (!isGood) throw std::system_error(errno, std::generic_category(), what);
}

}    // namespace

void CollectingSink::put(ferry::IntBuffer chunk, bool /*isLast*/) {
    const std::size_t before = ints.size();
    ints.resize(before + chunk.size());
    chunk.copyTo(ints.data() + before);
}

GraphLimits::GraphLimits(const GraphCase& graph) {
    const graphs::DirectedGraph<PlainNode> original(graph.shape, graph.nodeCount);
    for (const PlainNode* node : graphs::nodesFrom(original.root())) edgeCounts_.push_back(node->edges.size());
    ints_ = streamOf(original.root());
    copy_.resize(ints_.size());
}

std::vector<std::unique_ptr<PlainNode>> GraphLimits::allocate() const {
    std::vector<std::unique_ptr<PlainNode>> nodes;
    nodes.reserve(edgeCounts_.size());
    for (const std::size_t edgeCount : edgeCounts_) {
        nodes.push_back(std::make_unique<PlainNode>());
        nodes.back()->edges.resize(edgeCount);
    }
    return nodes;
}

void GraphLimits::copyBytes() { std::memcpy(copy_.data(), ints_.data(), ints_.size() * sizeof(std::int32_t)); }

void GraphLimits::writeFile(const std::string& path) const {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    check(file >= 0, path);
    const char* next = reinterpret_cast<const char*>(ints_.data());
    for (std::size_t left = ints_.size() * sizeof(std::int32_t); left != 0;) {
        const ssize_t written = write(file, next, left);
        check(written > 0, path);
        next += written;
        left -= static_cast<std::size_t>(written);
    }
    check(fsync(file) == 0, path);
    close(file);
}

}    // namespace bench
