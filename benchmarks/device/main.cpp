// Deep copies to the host device: the scenarios of the paper by its schemes, and the cost of packing. `benchDevice --short` takes seconds.
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

#include <ferry/benchmarks/device/Schemes.hpp>
#include <ferry/benchmarks/support/Clocks.hpp>
#include <ferry/device/image/ImageActions.hpp>
#include <ferry/device/image/ImageWalk.hpp>
#include <ferry/device/runtime/HostRuntime.hpp>
#include <ferry/objects.hpp>

namespace {

using namespace ferry::bench;
using ferry::detail::HostRuntime;
using ferry::detail::ImagePlan;
using ferry::detail::ImageReturn;
using ferry::detail::ImageWriter;

double roundsNs = 2e8;

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Runs the contenders in turns, twice each, until the time is over. Returns the median of each, in microseconds.
std::vector<double> contest(const std::vector<std::function<void()>>& contenders) {
    std::vector<std::vector<double>> times(contenders.size());
    const double end = bench::wallNs() + roundsNs;
    for (int round = 0; round < 3 || (bench::wallNs() < end && round < 2000); ++round) {
        for (std::size_t i = 0; i < contenders.size(); ++i) {
            contenders[i]();    // finds its own data in the caches, not those of the contender before
            const double begin = bench::wallNs();
            contenders[i]();
            if (round > 0) times[i].push_back((bench::wallNs() - begin) / 1000);
        }
    }
    std::vector<double> medians;
    for (auto& each : times) medians.push_back(median(std::move(each)));
    return medians;
}

template <class Function>
void launch(ferry::detail::Runtime& runtime, std::size_t count, Function function) {
    const ferry::detail::HostKernel kernel{&function, [](void* f, std::size_t begin, std::size_t end, std::size_t& item) {
                                               for (item = begin; item < end; ++item) (*static_cast<Function*>(f))(item);
                                           }};
    runtime.run(count, kernel, {__FILE__, __LINE__});
}

// The kernels scale the array of the last structure of each level.
auto kernelOf(Dense<3>* root) {
    return [root](std::size_t i) {
        auto& second = root->children[root->childCount - 1];
        auto& third = second.children[second.childCount - 1];
        auto& last = third.children[third.childCount - 1];
        root->array[i] *= 1.5;
        second.array[i] *= 1.5;
        third.array[i] *= 1.5;
        last.array[i] *= 1.5;
    };
}
auto kernelOf(Linear* root) {
    return [root](std::size_t i) {
        for (Linear* node = root; node != nullptr; node = node->next) {
            if (node->array != nullptr) node->array[i] *= 1.5;
        }
    };
}

/// The arrays that the kernel uses, as an author of a pointer chain would list them.
std::vector<std::pair<double*, std::size_t>> chainsOf(Linear& root, bool isLastAlone) {
    std::vector<std::pair<double*, std::size_t>> chains;
    for (Linear* node = &root; node != nullptr; node = node->next) {
        if (isLastAlone && node->next != nullptr) continue;
        chains.emplace_back(node->array, static_cast<std::size_t>(node->arrayCount));
    }
    return chains;
}
std::vector<std::pair<double*, std::size_t>> chainsOf(Dense<3>& root, bool) {
    auto& second = root.children[root.childCount - 1];
    auto& third = second.children[second.childCount - 1];
    auto& last = third.children[third.childCount - 1];
    const auto n = static_cast<std::size_t>(root.arrayCount);
    return {{root.array, n}, {second.array, n}, {third.array, n}, {last.array, n}};
}

/// Whole cycle: there, one kernel, back.
template <class Root>
void measureSchemes(const char* name, Root& root, std::size_t n) {
    ferry::Device device = ferry::Device::host({.threads = 1});
    HostRuntime byHand(1, 0);
    const std::size_t bytes = Marshalling<Root>::bytesFor(root);
    const ferry::detail::DeviceBlock block = byHand.reserve(bytes);
    std::byte* buffer = byHand.reserveStaging(bytes);
    std::memset(buffer, 1, bytes);
    const std::vector<double> us = contest({
        [&] {
            auto there = device.copy(root);
            device.run(n, kernelOf(there.get()));
            there.fetch();
        },
        [&] {
            Marshalling<Root> there(byHand, root, block, buffer);
            launch(byHand, n, kernelOf(there.get()));
            there.fetch();
        },
        [&] {
            MemberByMember<Root> there(byHand, root);
            launch(byHand, n, kernelOf(there.get()));
            there.fetch();
        },
        [&] {
            std::vector<ferry::DeviceArray<double>> arrays;
            std::vector<double*> pointers;
            for (const auto& [first, count] : chainsOf(root, false)) {
                arrays.push_back(device.copyArray(first, count));
                pointers.push_back(arrays.back().get());
            }
            device.run(n, [&pointers](std::size_t i) {
                for (double* array : pointers) array[i] *= 1.5;
            });
            for (auto& array : arrays) array.fetch();
        },
        [&] {    // the bytes as one block
            byHand.copyTo(block.address, buffer, bytes);
            byHand.copyFrom(buffer, block.address, bytes);
        },
    });
    std::printf("| %s | %zu | %.1f | %.1f (%.1fx) | %.1f (%.1fx) | %.1f (%.1fx) | %.1f |\n", name, bytes, us[0], us[1], us[1] / us[0],
                us[2], us[2] / us[0], us[3], us[3] / us[0], us[4]);
    std::fflush(stdout);
    byHand.releaseStaging(buffer, bytes);
    byHand.release(block);
}

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
    const auto objects = static_cast<double>(plan.objectCount());
    const auto perObject = [&](double time) { return (time - us[3]) * 1000 / objects; };
    std::printf("| %s | %zu | %zu | %.2f | %.0f | %.0f | %.0f |", name, plan.objectCount(), plan.stagedBytes(), us[3], perObject(us[0]),
                perObject(us[1]), perObject(us[2]));
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
    const bool isShort = argumentCount > 1 && std::strcmp(arguments[1], "--short") == 0;
    if (isShort) roundsNs = 5e6;
    std::printf("Whole cycle: there, one kernel, back. Microseconds, and the ratio to the image.\n\n");
    std::printf(
        "| case | bytes | image | marshalling | member by member | pointerchain | bytes as one block |\n|---|---|---|---|---|---|---|\n");
    for (const std::size_t levels : {2, 6, 10}) {
        for (const std::size_t n : {100, 10'000, 100'000, 1'000'000}) {
            if (isShort && n > 10'000) continue;
            LinearChain chain(levels, n, true);
            measureSchemes(("Linear k=" + std::to_string(levels) + ", n=" + std::to_string(n)).c_str(), chain.root(), n);
        }
    }
    for (const std::size_t q : {2, 4, 8, 16}) {
        for (const std::size_t n : {10, 100, 1000, 10'000}) {
            if (n * q * q * q > (isShort ? 100'000u : 10'000'000u)) continue;
            DenseTree tree(q, n);
            measureSchemes(("Dense q=" + std::to_string(q) + ", n=" + std::to_string(n)).c_str(), tree.root(), n);
        }
    }
    std::printf("\nPacking: microseconds of memcpy of the image, and nanoseconds an object beyond it.\n\n");
    std::printf(
        "| case | objects | bytes | memcpy | pack | refresh | back | pack / Ferry's graph copy |\n|---|---|---|---|---|---|---|---|\n");
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
