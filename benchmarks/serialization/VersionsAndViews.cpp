// Measures the cost of versions, compared with the same records without versions. Measures the cost of a part of an object, compared with
// the whole object.
#include <array>
#include <vector>

#include <benchmark/benchmark.h>

#include <ferry/benchmarks/serialization/Contenders.hpp>

namespace bench {

namespace {

/// The nested record with a version.
struct VersionedVessel : Vessel {
    FERRY_FIELDS_VERSIONED(1, name, number, kind, flag, position, destination, decks, berths, length, draught, fuelLitres, lastContactUs,
                           isMoored, cabins, engines, auxiliary, track, ports, remark)
};

/// Fifty members of 20 numbers each.
struct Wide {
    using Member = std::vector<double>;
    FERRY_FIELDS(first, others)
    Member first = Member(20, 1.5);
    std::array<Member, 49> others;
    Wide() { others.fill(first); }
};
using FirstOnly = ferry::View<&Wide::first>;

template <class Write>
void addWriting(Suite& suite, const std::string& caseName, const std::string& contender, Write write) {
    suite.add(caseName, contender, [write, buffer = ferry::IntBuffer()]() mutable {
        buffer.clear();
        ferry::IntWriter out(buffer);
        write(out);
        out.finish();
        benchmark::DoNotOptimize(buffer.data());
        benchmark::ClobberMemory();
    });
}

template <class T>
void addReading(Suite& suite, const std::string& caseName, const std::string& contender, const std::vector<T>& original) {
    const ferry::IntBuffer stream = streamOf(original);
    suite.add(caseName, contender, [stream, target = std::vector<T>()]() mutable {
        ferry::IntReader in(stream.ints());
        in >> target;
        in.expectEnd();
        benchmark::ClobberMemory();
    });
    std::vector<T> read;
    ferry::IntReader in(stream.ints());
    in >> read;
    requireEqual(read, original, contender);
}

std::vector<VersionedVessel> versioned(const std::vector<Vessel>& vessels) {
    std::vector<VersionedVessel> copies;
    for (const Vessel& vessel : vessels) static_cast<Vessel&>(copies.emplace_back()) = vessel;
    return copies;
}

}    // namespace

void addVersionsAndViews(Suite& suite, const Samples& samples) {
    const auto vessels = std::make_shared<const std::vector<VersionedVessel>>(versioned(samples.vessels));
    addWriting(suite, writeVersioned, "ferry", [vessels](ferry::IntWriter& out) { out << *vessels; });
    addWriting(suite, writeVersioned, "limit", [&samples](ferry::IntWriter& out) { out << samples.vessels; });
    addReading(suite, readVersioned, "ferry", *vessels);
    addReading(suite, readVersioned, "limit", samples.vessels);

    const auto wide = std::make_shared<const Wide>();
    addWriting(suite, writePart, "ferry", [wide](ferry::IntWriter& out) { out << ferry::part<FirstOnly>(*wide); });
    addWriting(suite, writePart, "limit", [wide](ferry::IntWriter& out) { out << *wide; });
}

}    // namespace bench
