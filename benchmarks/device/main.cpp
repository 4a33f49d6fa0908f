// Deep copies: the scenarios of the paper by its schemes on the host device and on OpenCL, and the cost of packing.
// `benchDevice --short` takes seconds, and `--packing` measures packing alone. `--pictures FOLDER` writes the figures of the paper too.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ferry/benchmarks/device/Figures.hpp>
#include <ferry/benchmarks/device/Platforms.hpp>
#include <ferry/benchmarks/device/WholeCycles.hpp>
#include <ferry/device/image/ImageActions.hpp>
#include <ferry/device/image/ImageWalk.hpp>
#include <ferry/objects.hpp>

namespace {

using namespace ferry::bench;
using ferry::detail::ImagePlan;
using ferry::detail::ImageReturn;
using ferry::detail::ImageWriter;

/// Packing alone: the objects to an image, the values again, and back.
template <class Root>
void measurePacking(const char* name, Root& root, const std::function<void()>& otherCopy = {}) {
    const auto& type = ferry::detail::imageTypeOf<Root, ferry::Whole>();
    ImagePlan plan;
    plan.build(&root, 1, type, true);
    std::vector<std::byte> image(plan.stagedBytes() + 64), copy(plan.stagedBytes() + 64);
    const auto* device = reinterpret_cast<const std::byte*>(std::uintptr_t{1} << 40);
    std::vector<std::function<void()>> contenders{
        [&] {
            plan.build(&root, 1, type, true);
            static_cast<void>(ImageWriter::writeAll(plan, image.data(), device));
        },
        [&] { static_cast<void>(ImageWriter::writeAll(plan, image.data(), device)); },
        [&] { ImageReturn::giveBackAll(plan, image.data(), device, "none"); },
        [&] { std::memcpy(copy.data(), image.data(), plan.stagedBytes()); },
    };
    if (otherCopy) contenders.push_back(otherCopy);
    const std::vector<double> us = contest(contenders);
    const auto beyond = [&](double time, double copies, std::size_t count) {
        return (time - copies * us[3]) * 1000 / static_cast<double>(count);
    };
    const std::size_t pointers = plan.slots().size();
    std::printf("| %s | %zu | %zu | %zu | %.2f | %.1f | %.1f | %.1f |", name, plan.objectCount(), pointers, plan.stagedBytes(), us[3],
                beyond(us[0], 1.15, plan.objectCount()), beyond(us[1], 1.1, pointers), beyond(us[2], 1.1, pointers));
    if (otherCopy)
        std::printf(" %.2fx |\n", us[0] / us[4]);
    else
        std::printf(" |\n");
    std::fflush(stdout);
}

struct Node {
    int value = 0;
    std::vector<Node*> edges;
    FERRY_FIELDS(value, edges)
};

std::vector<std::unique_ptr<Node>> makeGraph(const std::string& shape, std::size_t count) {
    std::vector<std::unique_ptr<Node>> nodes;
    for (std::size_t i = 0; i < count; ++i) nodes.push_back(std::make_unique<Node>());
    std::size_t random = 12345;
    for (std::size_t i = 0; i < count; ++i) {
        if (shape == "tree") {
            if (i > 0) nodes[(i - 1) / 2]->edges.push_back(nodes[i].get());
            continue;
        }
        nodes[i]->edges.push_back(nodes[(i + 1) % count].get());
        for (int edge = 0; shape == "random" && edge < 4; ++edge) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            nodes[i]->edges.push_back(nodes[(random >> 33) % count].get());
        }
    }
    return nodes;
}

}    // namespace

int main(int argumentCount, char** arguments) {
    std::string folder;
    bool isShort = false, isPackingAlone = false;
    for (int i = 1; i < argumentCount; ++i) {
        if (std::strcmp(arguments[i], "--short") == 0) isShort = true;
        if (std::strcmp(arguments[i], "--packing") == 0) isPackingAlone = true;
        if (std::strcmp(arguments[i], "--pictures") == 0 && i + 1 < argumentCount) folder = arguments[++i];
    }
    if (isShort) roundsNs() = 5e6;
    std::vector<Measured> all;
    if (!isPackingAlone) {
        OnHost host;
        measureAll(host, isShort, all);
#ifdef FERRY_BENCH_OPENCL
        OnOpenCl openCl;
        measureAll(openCl, isShort, all);
#endif
    }
    if (!folder.empty()) drawFigures(all, folder);
    std::printf(
        "\nPacking: microseconds of memcpy of the image; nanoseconds an object beyond 1.15 memcpy (goal: 25), and nanoseconds a pointer "
        "beyond "
        "1.1 memcpy (goal: 5).\n\n");
    std::printf(
        "| case | objects | pointers | bytes | memcpy | pack | refresh | back | pack / Ferry's graph copy |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    for (const std::size_t n : {10, 100}) {
        DenseTree tree(16, n);
        measurePacking(("Dense q=16, n=" + std::to_string(n)).c_str(), tree.root());
    }
    for (const char* shape : {"ring", "tree", "random"}) {
        for (const std::size_t count : {std::size_t{1} << 10, std::size_t{1} << 17}) {
            if (isShort && count > 2000) continue;
            const auto nodes = makeGraph(shape, count);
            measurePacking((std::string(shape) + " of " + std::to_string(count)).c_str(), *nodes[0],
                           [&] { static_cast<void>(ferry::copyGraph(ferry::graph(nodes[0].get()))); });
        }
    }
    return 0;
}
