#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>

namespace ferry {

namespace detail {

/// Keeps a graph as one piece.
class WholeGraph final : public ChunkSink {
public:
    IntBuffer begin() override { return std::move(ints_); }
    void put(IntBuffer chunk, bool) override { ints_ = std::move(chunk); }
    std::span<const std::int32_t> ints() const { return ints_.ints(); }

private:
    IntBuffer ints_;
};

/// Writes a graph into a value: the number of its ints, then its one piece. The objects are others than those of the value around, even
/// when both reach the same object. viewed: the objects of its class travel by it; null: all objects travel whole.
template <class T>
void writeWholeGraph(IntWriter& out, const T* root, const PointeeType* viewed = nullptr) {
    const IntWriter::Nesting nesting(out);
    WholeGraph whole;
    GraphWriter(whole).write(GraphRoot<T>{root, std::numeric_limits<std::size_t>::max()}, viewed);
    out.writeCount(whole.ints().size());
    out.writeInts(whole.ints());
}

/// A graph of objects that belong to the caller.
template <class T>
Graph<T> borrowedGraph(const GraphRoot<T>& graph) {
    return Graph<T>(const_cast<T*>(graph.root), nullptr);
}

template <class T>
Graph<T> readWholeGraph(IntReader& in, const PointeeType* viewed = nullptr) {
    const IntReader::Nesting nesting(in);
    const std::size_t count = in.readCount(1);
    std::span<const std::int32_t> ints(in.take(count), count);    // graphs inside graphs are read in place, without copies
    std::vector<std::int32_t> fetched;
    if (count != 0 && in.isAbsent(ints.data())) {
        fetched.resize(count);
        in.fetchAbsent(ints.data(), fetched.data(), ints.size_bytes());
        ints = fetched;
    }
    GraphReader<T> reader(in, viewed);
    reader.read(ints, true);
    return reader.take();
}

}    // namespace detail

template <class T>
void Codec<Graph<T>>::write(IntWriter& out, const Graph<T>& graph) {
    detail::writeWholeGraph<T>(out, graph.root());
}

template <class T>
void Codec<Graph<T>>::read(IntReader& in, Graph<T>& graph) {
    graph = detail::readWholeGraph<T>(in);
}

}    // namespace ferry
