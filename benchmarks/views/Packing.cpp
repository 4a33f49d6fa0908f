#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <ferry/benchmarks/support/RatioTable.hpp>
#ifdef FERRY_BENCH_BOOST
#include <ferry/benchmarks/views/BoostPacked.hpp>
#endif
#include <ferry/benchmarks/views/FerryPacked.hpp>
#include <ferry/benchmarks/views/HandWritten.hpp>
#include <ferry/benchmarks/views/Measurements.hpp>
#include <ferry/benchmarks/views/MpiPacked.hpp>
#include <ferry/benchmarks/views/PartDatatype.hpp>

namespace bench {

namespace {

/// The cases of one sample: packing it, unpacking it into an existing object, and unpacking it into a new object.
class PackingCases {
public:
    PackingCases(std::string sample, std::vector<Goal> packGoals, std::vector<Goal> freshGoals)
        : pack_("pack " + sample),
          reused_("unpack " + sample + " in place"),
          fresh_("unpack " + sample + " anew") {
        suite_.declare(pack_, "", std::move(packGoals));
        suite_.declare(reused_, "");
        suite_.declare(fresh_, "", std::move(freshGoals));
    }

    /// Packs the value, and unpacks it into other objects. The result must be equal to the value.
    template <class Library, class T, class MakeEmpty>
    void add(T& value, const MakeEmpty& makeEmpty) {
        const auto library = std::make_shared<Library>();
        library->pack(value);
        auto target = std::make_shared<decltype(makeEmpty())>(makeEmpty());
        library->unpack(partIn(*target));
        if (bytesOf(partIn(*target)) != bytesOf(value))
            throw std::logic_error(fmt::format("{} has not read what it has packed", Library::name));
        suite_.add(pack_, Library::name, [library, &value] {
            library->pack(value);
            benchmark::ClobberMemory();
        });
        suite_.add(reused_, Library::name, [library, target] {
            library->unpack(partIn(*target));
            benchmark::ClobberMemory();
        });
        if constexpr (std::is_same_v<T, std::remove_reference_t<decltype(makeEmpty())>>) {
            suite_.add(fresh_, Library::name, [library, makeEmpty] {
                auto made = makeEmpty();
                library->unpack(made);
                benchmark::DoNotOptimize(&made);
                benchmark::ClobberMemory();
            });
        }
    }

    Suite& suite() { return suite_; }

private:
    template <class Target>
    static auto& partIn(Target& target) {
        if constexpr (requires { target.part; })
            return target.part;
        else
            return target;
    }

    std::string pack_, reused_, fresh_;
    Suite suite_;
};

/// A part of masses, together with the masses.
template <class Part>
struct OwnMasses {
    explicit OwnMasses(std::size_t count) : masses(std::make_unique<std::vector<space::Mass>>(count)), part{*masses} {}
    std::unique_ptr<std::vector<space::Mass>> masses;
    Part part;
};

const RatioTable& table() {
    static const RatioTable columns("ferry", "ns", 1,
                                    {{"hand", "ferry / by hand (goal)", "ferry", HandWritten::name, RatioColumn::Goal::AtMost},
                                     {"Boost", "Boost / ferry (goal)", "Boost", "ferry"},
                                     {"MPI_Pack", "MPI_Pack / ferry (goal)", MpiPacked::name, "ferry"},
                                     {"MPI_Datatype", "MPI_Datatype / ferry", "MPI_Datatype", "ferry"}});
    return columns;
}

void measure(PackingCases& cases, const ViewsBenchOptions& options) {
    for (Case& one : cases.suite().cases()) {
        if (!options.hasCase(one.name) || one.contenders.empty()) continue;
        Suite::measure(one, options.rounds);
        table().printRow(one);
    }
}

/// Adds the libraries that support all operations.
template <class T, class MakeEmpty>
void addLibraries(PackingCases& cases, T& value, const MakeEmpty& makeEmpty) {
    cases.add<FerryPacked>(value, makeEmpty);
    cases.add<HandWritten>(value, makeEmpty);
    cases.add<MpiPacked>(value, makeEmpty);
#ifdef FERRY_BENCH_BOOST
    cases.add<BoostPacked>(value, makeEmpty);
#endif
}

template <class Part>
void measureBounded(std::size_t count, double goal, const ViewsBenchOptions& options) {
    auto masses = makeMasses(count);
    Part part{masses};
    PackingCases cases(fmt::format("{} {}", count, Part::name), {{"hand", goal}}, {});
    const auto makeEmpty = [count] { return OwnMasses<Part>(count); };
    addLibraries(cases, part, makeEmpty);
    cases.add<PartDatatype<Part>>(part, makeEmpty);
    measure(cases, options);
}

void measureUnbounded(std::size_t count, const ViewsBenchOptions& options) {
    space::Mass mass = makeCrowdedMass(count);
    PackingCases cases(fmt::format("a mass with {} neighbours", count), {{"Boost", 6}, {"MPI_Pack", 5}}, {{"Boost", 3}});
    addLibraries(cases, mass, [] { return space::Mass(); });
    measure(cases, options);
}

}    // namespace

void measurePacking(const ViewsBenchOptions& options) {
    table().printHead();
    for (const std::size_t count : massCounts) measureBounded<AdjacentPart>(count, FERRY_BENCH_HAND_GOAL, options);
    for (const std::size_t count : massCounts) measureBounded<HoledPart>(count, FERRY_BENCH_HAND_GOAL, options);
    for (const std::size_t count : massCounts) measureUnbounded(count, options);
    auto population = makePopulation();
    PackingCases networks("64 networks", {}, {});
    addLibraries(networks, population, [] { return std::vector<growing::Network>(); });
    measure(networks, options);
    homology::Results found = makeResults();
    PackingCases results(fmt::format("results of {} hits", found.hits().size()), {}, {});
    addLibraries(results, found, [] { return homology::Results(); });
    measure(results, options);
}

}    // namespace bench
