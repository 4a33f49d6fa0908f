#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include <ferry/benchmarks/graph/FerryGraphs.hpp>
#ifdef FERRY_BENCH_BOOST
#include <ferry/benchmarks/graph/BoostGraphs.hpp>
#endif
#ifdef FERRY_BENCH_CEREAL
#include <ferry/benchmarks/graph/CerealGraphs.hpp>
#endif
#ifdef FERRY_BENCH_MEL
#include <ferry/benchmarks/graph/MelGraphs.hpp>
#endif
#include <ferry/examples/graph/GraphWalk.hpp>

namespace bench {

/// A way to copy a graph: its name in the tables, and its class.
template <class LibraryClass, auto... Arguments>
struct LibraryEntry {
    using Library = LibraryClass;

    static std::shared_ptr<Library> make(const GraphCase& graph) { return std::make_shared<Library>(graph, Arguments...); }

    std::string name;
};

/// Calls visit(LibraryEntry) for each way to copy a graph that is part of this build. A library has no function for an operation that it
/// does not support.
template <class Visitor>
void visitLibraries(Visitor visit) {
    constexpr auto arena = ferry::GraphMemory::Arena;
    visit(LibraryEntry<FerryGraphs<PlainNode>>{"ferry"});
    visit(LibraryEntry<FerryGraphs<PlainNode>, arena>{"arena"});
    visit(LibraryEntry<FerryGraphs<MarkedNode>>{"mark"});
    visit(LibraryEntry<FerryGraphs<MarkedNode>, arena>{"arena, mark"});
#ifdef FERRY_BENCH_BOOST
    visit(LibraryEntry<BoostGraphs>{"Boost"});
#endif
#ifdef FERRY_BENCH_CEREAL
    visit(LibraryEntry<CerealGraphs>{"cereal"});
#endif
#ifdef FERRY_BENCH_MEL
    visit(LibraryEntry<MelGraphs<MelWay::Direct>>{"MEL"});
    visit(LibraryEntry<MelGraphs<MelWay::Buffered>>{"MEL buffered"});
#endif
}

/// Throws when a copy differs from the original.
template <class Library>
void requireSame(const Library& library, const typename Library::Copy& copy, const std::string& name) {
    const auto original = library.original();
    if (!graphs::areSame(std::to_address(original), Library::rootOf(copy)))
        throw std::runtime_error(name + " did not copy the graph as it is");
}

}    // namespace bench
