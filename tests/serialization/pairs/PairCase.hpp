#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/serialization/pairs/PairKinds.hpp>

// One pair of kinds: the objects have a member of each kind. Only this file generates code for each pair, so there is little code in it.

namespace ferry::test::pairs {

using Ints = std::vector<std::int32_t>;

/// A node of a graph. The nodes of one graph form a ring.
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

/// An element of a value, for pairs of kinds that travel outside of graphs too.
template <class First, class Second>
struct Cell : Counted {
    int number = 0;
    typename First::Type first{};
    typename Second::Type second{};
    FERRY_FIELDS(number, first, second)
};
template <class First, class Second>
struct Cells : Counted {
    std::vector<Cell<First, Second>> cells;
    FERRY_FIELDS(cells)
};

/// A graph or value of any type.
class AnyObjects {
public:
    AnyObjects() = default;
    AnyObjects(const AnyObjects&) = delete;
    AnyObjects& operator=(const AnyObjects&) = delete;
    virtual ~AnyObjects() = default;
    virtual std::string text() const = 0;
    virtual Ints ints() const = 0;
    virtual std::unique_ptr<AnyObjects> copy(GraphMemory memory) const = 0;
    virtual void save(const std::filesystem::path& path) const = 0;
    virtual void send(Connector& connector, int to) const = 0;
};

/// A pair of kinds, without the types in its interface. Values ignore the kind of memory.
struct PairCase {
    std::string name;
    bool isGraph = true;
    bool owns = false;
    bool isOrdered = true;    ///< the objects have an order that does not depend on their addresses
    bool isWhole = true;      ///< a copy holds all objects; false: of a value, it loses those that only weak_ptr reaches

    std::unique_ptr<AnyObjects> (*make)() = nullptr;    ///< makes the objects by hand
    std::unique_ptr<AnyObjects> (*read)(std::span<const std::int32_t> ints, GraphMemory memory) = nullptr;
    std::unique_ptr<AnyObjects> (*load)(const std::filesystem::path& path, GraphMemory memory) = nullptr;
    std::unique_ptr<AnyObjects> (*receive)(Connector& connector, int from, GraphMemory memory) = nullptr;
    /// Every rank calls this function. The root's objects are made by hand.
    std::unique_ptr<AnyObjects> (*broadcast)(Connector& connector, int root, GraphMemory memory) = nullptr;
};

/// Collects the pieces of a graph.
class IntsSink final : public detail::ChunkSink {
public:
    IntBuffer begin() override { return {}; }
    void put(IntBuffer chunk, bool) override { ints.insert(ints.end(), chunk.ints().begin(), chunk.ints().end()); }
    Ints ints;
};

template <class First, class Second>
struct GraphOf {
    using NodeOf = Node<First, Second>;
    using RootOf = Root<NodeOf>;

    static constexpr std::size_t PieceBytes = 64;    // so small that the graph has many pieces

    static Ints intsOf(const RootOf* root) {
        IntsSink sink;
        detail::GraphWriter(sink).write(graph(root));
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

    /// The objects of one graph, as the test cases use them, whether built here or read.
    class Objects : public AnyObjects {
    public:
        std::string text() const override { return textOf(root()); }
        Ints ints() const override { return intsOf(root()); }
        std::unique_ptr<AnyObjects> copy(GraphMemory memory) const override {
            return std::make_unique<Read>(copyGraph(graph(root(), PieceBytes), memory));
        }
        void save(const std::filesystem::path& path) const override { saveGraph(path, graph(root(), PieceBytes)); }
        void send(Connector& connector, int to) const override { connector.send(to, graph(root(), PieceBytes)); }
        virtual const RootOf* root() const = 0;
    };
    class Made final : public Objects {
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
        const RootOf* root() const override { return &root_; }

    private:
        RootOf root_;
        World world_{root_.items};
        std::vector<std::unique_ptr<NodeOf>> nodes_;
    };
    class Read final : public Objects {
    public:
        explicit Read(Graph<RootOf> graph) : graph_(std::move(graph)) {}
        const RootOf* root() const override { return graph_.root(); }

    private:
        Graph<RootOf> graph_;
    };

    static std::unique_ptr<AnyObjects> make() { return std::make_unique<Made>(); }
    static std::unique_ptr<AnyObjects> read(std::span<const std::int32_t> ints, GraphMemory memory) {
        detail::GraphReader<RootOf> reader(memory);
        reader.read(ints, true);
        return std::make_unique<Read>(reader.take());
    }
    static std::unique_ptr<AnyObjects> load(const std::filesystem::path& path, GraphMemory memory) {
        return std::make_unique<Read>(loadGraph<RootOf>(path, memory));
    }
    static std::unique_ptr<AnyObjects> receive(Connector& connector, int from, GraphMemory memory) {
        return std::make_unique<Read>(connector.receiveGraph<RootOf>(from, memory));
    }
    static std::unique_ptr<AnyObjects> broadcast(Connector& connector, int root, GraphMemory memory) {
        auto made = connector.rank() == root ? std::make_unique<Made>() : nullptr;
        auto received = connector.broadcastGraph(graph(made != nullptr ? made->root() : nullptr), root, memory);
        if (made != nullptr) return made;
        return std::make_unique<Read>(std::move(received));
    }
    static PairCase get() {
        constexpr bool isOrdered = !std::is_same_v<First, kinds::PointerSet> && !std::is_same_v<Second, kinds::PointerSet>;
        return {std::string(First::name) + " and " + Second::name,
                true,
                First::owns || Second::owns,
                isOrdered,
                true,
                &make,
                &read,
                &load,
                &receive,
                &broadcast};
    }
};

template <class First, class Second>
struct ValueOf {
    using Value = Cells<First, Second>;

    class Objects final : public AnyObjects {
    public:
        explicit Objects(Value value) : value_(std::move(value)) {}
        std::string text() const override {
            const std::vector<Item> none;
            Teller teller(none);
            for (const auto& cell : value_.cells) {
                teller(cell.number);
                First::tell(teller, cell.first);
                Second::tell(teller, cell.second);
            }
            return teller.text();
        }
        Ints ints() const override {
            IntBuffer buffer;
            IntWriter out(buffer);
            out << value_;
            out.requireReadable();
            out.finish();
            return {buffer.ints().begin(), buffer.ints().end()};
        }
        std::unique_ptr<AnyObjects> copy(GraphMemory memory) const override { return read(ints(), memory); }
        void save(const std::filesystem::path& path) const override { ferry::save(path, value_); }
        void send(Connector& connector, int to) const override { connector.send(to, value_); }

    private:
        Value value_;
    };

    static Value makeValue() {
        std::vector<Item> items;
        World world{items};
        Value value;
        value.cells.resize(4);
        for (int i = 0; i < 4; ++i) {
            auto& cell = value.cells[static_cast<std::size_t>(i)];
            cell.number = i;
            First::fill(cell.first, world, i);
            Second::fill(cell.second, world, i);
        }
        return value;
    }
    static std::unique_ptr<AnyObjects> make() { return std::make_unique<Objects>(makeValue()); }
    static std::unique_ptr<AnyObjects> read(std::span<const std::int32_t> ints, GraphMemory) {
        Value value;
        IntReader in(ints);
        in >> value;
        in.expectEnd();
        return std::make_unique<Objects>(std::move(value));
    }
    static std::unique_ptr<AnyObjects> load(const std::filesystem::path& path, GraphMemory) {
        return std::make_unique<Objects>(ferry::load<Value>(path));
    }
    static std::unique_ptr<AnyObjects> receive(Connector& connector, int from, GraphMemory) {
        return std::make_unique<Objects>(connector.receive<Value>(from));
    }
    static std::unique_ptr<AnyObjects> broadcast(Connector& connector, int root, GraphMemory) {
        return std::make_unique<Objects>(connector.broadcast(connector.rank() == root ? makeValue() : Value(), root));
    }
    static PairCase get() {
        constexpr bool isWhole = !std::is_same_v<First, kinds::Weak> && !std::is_same_v<Second, kinds::Weak>;
        return {std::string(First::name) + " and " + Second::name + ", value",
                false,
                false,
                true,
                isWhole,
                &make,
                &read,
                &load,
                &receive,
                &broadcast};
    }
};

/// Adds the pairs of kind Row with each kind for which isIncluded is true.
template <std::size_t Row, class IsIncluded>
void addRow(std::vector<PairCase>& cases, IsIncluded) {
    [&]<std::size_t... Column>(std::index_sequence<Column...>) {
        const auto add = [&]<std::size_t At>(std::integral_constant<std::size_t, At>) {
            if constexpr (IsIncluded::isIncluded(Row, At)) {
                using First = std::tuple_element_t<Row, Kinds>;
                using Second = std::tuple_element_t<At, Kinds>;
                cases.push_back(GraphOf<First, Second>::get());
                if constexpr (!First::needsGraph && !Second::needsGraph) cases.push_back(ValueOf<First, Second>::get());
            }
        };
        (add(std::integral_constant<std::size_t, Column>()), ...);
    }
    (std::make_index_sequence<kindCount>());
}

/// Returns all pairs. The rows are compiled in several sources.
std::vector<PairCase> allPairs();

}    // namespace ferry::test::pairs
