#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/tests/serialization/pairs/PairKinds.hpp>

// One pair of kinds: the objects have a member of each kind. Only this file generates code for each pair, so there is little code in it.

namespace ferry::test::pairs {

using Ints = std::vector<std::int32_t>;

template <class First, class Second>
struct Node : Counted {
    int number = 0;
    typename First::Type first{};
    typename Second::Type second{};
    Node* next = nullptr;
    FERRY_FIELDS(number, first, second, next)
};
template <class AnyNode>
struct Root : Counted {
    std::vector<Item> items;
    std::vector<AnyNode*> nodes;
    FERRY_FIELDS(items, nodes)
};

/// A graph of any type that was read.
class AnyGraph {
public:
    AnyGraph() = default;
    AnyGraph(const AnyGraph&) = delete;
    AnyGraph& operator=(const AnyGraph&) = delete;
    virtual ~AnyGraph() = default;
    virtual std::string text() const = 0;
    virtual Ints ints() const = 0;
};

/// A pair of kinds, without the types in its interface.
struct PairCase {
    std::string name;
    bool owns = false;
    bool isOrdered = true;                            ///< the objects have an order that does not depend on their addresses
    std::unique_ptr<AnyGraph> (*make)() = nullptr;    ///< makes a graph by hand
    std::unique_ptr<AnyGraph> (*read)(std::span<const std::int32_t> ints, std::size_t firstInts, GraphMemory memory) = nullptr;
};

/// Collects the pieces of a graph.
class IntsSink final : public ChunkSink {
public:
    IntBuffer begin() override { return {}; }
    void put(IntBuffer chunk, bool) override { ints.insert(ints.end(), chunk.ints().begin(), chunk.ints().end()); }
    Ints ints;
};

template <class First, class Second>
struct PairOf {
    using NodeOf = Node<First, Second>;
    using RootOf = Root<NodeOf>;

    static Ints intsOf(const RootOf* root) {
        IntsSink sink;
        GraphWriter(sink).write(graph(root));
        return std::move(sink.ints);
    }
    static std::string textOf(const RootOf* root) {
        if (root == nullptr) return "null";
        Teller teller(root->items);
        for (const NodeOf* node : root->nodes) {
            if (node == nullptr) {
                teller("none");
                continue;
            }
            if (!teller.isNew(node)) continue;
            teller(node->number);
            First::tell(teller, node->first);
            Second::tell(teller, node->second);
            if (node->next != nullptr) teller.isNew(&node->next->number);
        }
        return teller.text();
    }

    class Made final : public AnyGraph {
    public:
        Made() {
            root_.items.resize(4);
            root_.items[2].name = "third";
            for (int i = 0; i < 4; ++i) {
                nodes_.push_back(std::make_unique<NodeOf>());
                root_.nodes.push_back(nodes_.back().get());
                nodes_.back()->number = i;
            }
            for (int i = 0; i < 4; ++i) {
                NodeOf& node = *root_.nodes[static_cast<std::size_t>(i)];
                First::fill(node.first, world_, i);
                Second::fill(node.second, world_, i);
                node.next = root_.nodes[static_cast<std::size_t>((i + 1) % 4)];
            }
            root_.nodes.push_back(nullptr);
        }
        std::string text() const override { return textOf(&root_); }
        Ints ints() const override { return intsOf(&root_); }
        const RootOf& root() const { return root_; }

    private:
        RootOf root_;
        World world_{root_.items};
        std::vector<std::unique_ptr<NodeOf>> nodes_;
    };
    class Read final : public AnyGraph {
    public:
        explicit Read(Graph<RootOf> graph) : graph_(std::move(graph)) {}
        std::string text() const override { return textOf(graph_.root()); }
        Ints ints() const override { return intsOf(graph_.root()); }

    private:
        Graph<RootOf> graph_;
    };

    static std::unique_ptr<AnyGraph> make() { return std::make_unique<Made>(); }
    static std::unique_ptr<AnyGraph> read(std::span<const std::int32_t> ints, std::size_t firstInts, GraphMemory memory) {
        GraphReader<RootOf> reader(memory);
        if (firstInts == 0) {
            reader.read(ints, true);
        } else {
            reader.read(ints.first(firstInts), false, ints.size() - firstInts);
            reader.read(ints.subspan(firstInts), true);
        }
        return std::make_unique<Read>(reader.take());
    }
    static PairCase get() {
        constexpr bool isOrdered = !std::is_same_v<First, kinds::PointerSet> && !std::is_same_v<Second, kinds::PointerSet>;
        return {std::string(First::name) + " and " + Second::name, First::owns || Second::owns, isOrdered, &make, &read};
    }
};

/// Adds the pairs of kind Row with each kind for which isIncluded is true.
template <std::size_t Row, class IsIncluded>
void addRow(std::vector<PairCase>& cases, IsIncluded) {
    [&]<std::size_t... Column>(std::index_sequence<Column...>) {
        const auto add = [&]<std::size_t At>(std::integral_constant<std::size_t, At>) {
            if constexpr (IsIncluded::isIncluded(Row, At)) {
                cases.push_back(PairOf<std::tuple_element_t<Row, Kinds>, std::tuple_element_t<At, Kinds>>::get());
            }
        };
        (add(std::integral_constant<std::size_t, Column>()), ...);
    }
    (std::make_index_sequence<kindCount>());
}

/// Returns all pairs. The rows are compiled in several sources.
std::vector<PairCase> allPairs();

}    // namespace ferry::test::pairs
