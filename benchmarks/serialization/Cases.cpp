#include <fmt/format.h>

#include <ferry/benchmarks/serialization/Contenders.hpp>

namespace bench {

std::string writeInts(std::size_t count) { return fmt::format("write an object of {} ints", count); }
std::string readIntsReused(std::size_t count) { return fmt::format("read {} ints into an object that is there", count); }
std::string readIntsFresh(std::size_t count) { return fmt::format("read {} ints into a new object", count); }

void declareCases(Suite& suite, const Samples& samples) {
    for (const auto& object : samples.ints) {
        const std::size_t count = Samples::valuesOf(object).size();
        std::vector<Goal> goals;
        if (count == 10) goals = {{"limit", 2.5}};
        if (count == 1000) goals = {{"limit", 1.1}};
        suite.declare(writeInts(count), "memcpy", goals);
    }
    for (const auto& object : samples.ints) suite.declare(readIntsReused(Samples::valuesOf(object).size()), "memcpy");
    for (const auto& object : samples.ints) {
        const std::size_t count = Samples::valuesOf(object).size();
        suite.declare(readIntsFresh(count), "copy-construct",
                      count == 1'000'000 ? std::vector<Goal>{{"limit", 1.05}} : std::vector<Goal>());
    }
    suite.declare(writeVessels, "memcpy", {{"cereal", 11}, {"Boost", 20}});
    suite.declare(readVessels, "copy-assign", {{"cereal", 9}, {"Boost", 17}});
    suite.declare(writeShapes, "memcpy", {{"limit", 12}, {"cereal", 10}, {"Boost", 30}});
    suite.declare(readShapes, "allocate + free", {{"limit", 0.9}});
    suite.declare(writeVersioned, "without versions", {{"limit", 1.05}});
    suite.declare(readVersioned, "without versions", {{"limit", 1.05}});
    suite.declare(writePart, "the whole", {{"limit", 0.05}});
#ifdef FERRY_BENCH_BOOST
    suite.declare(writeEngineBridged, "", {});
    suite.declare(readEngineBridged, "", {});
    suite.declare(writeVesselsBridged, "", {});
    suite.declare(readVesselsBridged, "", {});
    suite.declare(writeDoublesBridged, "memcpy", {{"limit", 1.1}});
    suite.declare(readDoublesBridged, "memcpy", {{"limit", 1.1}});
#endif
}

}    // namespace bench
