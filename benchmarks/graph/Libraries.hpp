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

/// A way to copy a graph: what tables call it, and the class that does it.
template <class LibraryClass, auto... Arguments>
struct LibraryEntry {
    using Library = LibraryClass;

    static std::shared_ptr<Library> make(const GraphCase& graph) { return std::make_shared<Library>(graph, Arguments...); }

    std::string name;
};

/// Calls visit(LibraryEntry) for each way to copy a graph that this build knows. What a library cannot do, it lacks the function for.
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

/// Throws when a copy is not the same as the original.
template <class Library>
void requireSame(const Library& library, const typename Library::Copy& copy, const std::string& name) {
    const auto original = library.original();
    if (!graphs::areSame(std::to_address(original), Library::rootOf(copy)))
        throw std::runtime_error(name + " did not copy the graph as it is");
}

}    // namespace bench
