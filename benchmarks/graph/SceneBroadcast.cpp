#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <mpi.h>

#include <ferry/benchmarks/graph/HandWrittenScene.hpp>
#include <ferry/benchmarks/graph/Limits.hpp>
#include <ferry/benchmarks/graph/Measurements.hpp>
#include <ferry/benchmarks/graph/RankWatch.hpp>
#include <ferry/benchmarks/support/RatioTable.hpp>
#include <ferry/examples/scene/GeneratedScene.hpp>
#ifdef FERRY_BENCH_MEL
#include <ferry/benchmarks/graph/MelScene.hpp>
#endif

namespace bench {

namespace {

using scene::GeneratedScene;
using scene::Scene;

/// Number of triangles of each scene. The tree has twice as many nodes.
constexpr std::array<int, 3> triangleCounts{1000, 8000, 32000};

class SceneCase {
public:
    SceneCase(ferry::Connector& connector, int triangles)
        : connector_(connector),
          generated_(triangles),
          stream_(streamOf(&generated_.scene())),
          name_(
              fmt::format("broadcast a scene of {} nodes, {:.2f} MB", generated_.nodeCount(), static_cast<double>(stream_.size()) * 4e-6)) {
        suite_.declare(name_, "MPI_Bcast", {{"limit", 4}, {"by hand", 5}, {"packed by hand", 5}, {"MEL", 5}, {"MEL buffered", 5}});
    }

    const std::string& name() const { return name_; }

    const Case& measured(const GraphBenchOptions& options) {
        addLimit();
        addFerry("ferry", ferry::GraphMemory::Heap);
        addFerry("arena", ferry::GraphMemory::Arena);
        addByHand("by hand", &broadcastByHand);
        addByHand("packed by hand", &broadcastPackedByHand);
        if (options.hasContender("MEL")) addMel();
        suite_.measure(options.rounds);
        return suite_.cases().front();
    }

private:
    void require(Scene& copy, const std::string& contender) {
        if (streamOf(&copy) != stream_) throw std::runtime_error(contender + " did not copy the scene as it is");
    }

    void addLimit() {
        suite_.addTimed(name_, "limit", [this] {
            return timeOnRanks(
                [this] { return MPI_Bcast(stream_.data(), static_cast<int>(stream_.size()), MPI_INT32_T, 0, MPI_COMM_WORLD); });
        });
    }

    void addFerry(const std::string& contender, ferry::GraphMemory memory) {
        const auto broadcast = [this, memory] {
            return connector_.broadcastGraph(ferry::graph(connector_.isMaster() ? &generated_.scene() : nullptr), 0, memory);
        };
        const auto copy = broadcast();
        if (!connector_.isMaster()) require(*copy.root(), contender);
        suite_.addTimed(name_, contender, [broadcast] { return timeOnRanks(broadcast); });
    }

    void addByHand(const std::string& contender, std::unique_ptr<OwnedScene> (*broadcast)(Scene&)) {
        const auto copy = broadcast(generated_.scene());
        if (copy) require(copy->scene, contender);
        suite_.addTimed(name_, contender, [this, broadcast] { return timeOnRanks([&] { return broadcast(generated_.scene()); }); });
    }

    void addMel() {
#ifdef FERRY_BENCH_MEL
        const auto mel = std::make_shared<MelSceneBroadcast>(generated_.scene());
        suite_.addTimed(name_, "MEL", [this, mel] { return timeOnRanks([&] { return mel->broadcast(connector_.isMaster()); }); });
        suite_.addTimed(name_, "MEL buffered",
                        [this, mel] { return timeOnRanks([&] { return mel->broadcastBuffered(connector_.isMaster()); }); });
#endif
    }

    ferry::Connector& connector_;
    GeneratedScene generated_;
    std::vector<std::int32_t> stream_;
    std::string name_;
    Suite suite_;
};

}    // namespace

void measureScene(ferry::Connector& connector, const GraphBenchOptions& options) {
    const RatioTable table("ferry", "us", 1e3,
                           {{"limit", "ferry / limit (goal)", "ferry", "limit", RatioColumn::Goal::AtMost},
                            {"limit, arena", "arena / limit", "arena", "limit", RatioColumn::Goal::AtMost},
                            {"by hand", "by hand / ferry (goal)", "by hand", "ferry"},
                            {"packed by hand", "packed by hand / ferry (goal)", "packed by hand", "ferry"},
                            {"MEL", "MEL / ferry (goal)", "MEL", "ferry"},
                            {"MEL buffered", "MEL buffered / ferry (goal)", "MEL buffered", "ferry"}},
                           RoundChoice::Least);
    if (connector.isMaster()) table.printHead();
    for (const int triangles : triangleCounts) {
        SceneCase one(connector, triangles);
        if (!options.hasCase(one.name())) continue;
        const Case& measured = one.measured(options);
        if (connector.isMaster()) table.printRow(measured);
    }
}

}    // namespace bench
