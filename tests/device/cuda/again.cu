// Copies of one object again and again, while the host changes what its pointers lead to: small ones, and ones of megabytes, which several
// threads gather. again SEEDS (3)
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <ferry/device.hpp>
#include <ferry/tests/device/Tangle.hpp>

using ferry::test::Knot;
using ferry::test::sumOf;
using ferry::test::Tangle;

namespace {

constexpr int Depth = 5;
constexpr std::size_t StackBytes = 8192;    // sumOf calls itself

__global__ void sum(const Knot* root, std::uint64_t* out) { *out = sumOf(root, Depth); }
__global__ void add(Knot* root) {
    root->value += 1000;
    for (std::size_t i = 0; i < root->numbers.size(); ++i) root->numbers.data()[i] += 7;
}

int wrong = 0;
void check(bool isRight) { wrong += isRight ? 0 : 1; }

std::uint64_t sumThere(ferry::Device& device, const Knot* root) {
    std::uint64_t result = 0;
    auto out = device.copyArray(&result, 1);
    device.launch({1, 1}, sum, root, out);
    out.fetch();
    return result;
}

void changeAndCopy(ferry::Device& device, std::uint32_t seed) {
    Tangle tangle(seed, seed % 2 == 0 ? 400'000 : 2'000);
    Knot& root = tangle.root();
    tangle.change();
    auto kept = device.copy(root);
    for (int round = 0; round < 30; ++round) {
        if (tangle.below(4) == 0)
            tangle.change();
        else if (tangle.below(4) == 0)
            tangle.changeValues();
        else
            tangle.removeOne();
        const std::uint64_t here = sumOf(&root, Depth);
        {
            auto there = device.copy(root);
            check(sumThere(device, there.get()) == here);
            there.fetch();
            check(sumOf(&root, Depth) == here);
        }
        kept.update();
        check(sumThere(device, kept.get()) == here);
        const int value = root.value;
        const int last = root.numbers.empty() ? 0 : root.numbers.back();
        device.launch({1, 1}, add, kept);
        kept.fetch();
        check(root.value == value + 1000);
        check(root.numbers.empty() || root.numbers.back() == last + 7);
    }
}

void repeat(ferry::Device& device) {
    Tangle tangle(99);
    tangle.change();
    std::size_t allocations = 0;
    for (int cycle = 0; cycle < 10'000; ++cycle) {
        auto there = device.copy(tangle.root());
        device.launch({1, 1}, add, there);
        there.fetch();
        if (cycle == 2) allocations = device.transfers().allocations;
    }
    check(device.transfers().allocations == allocations);
}

}    // namespace

int main(int count, char** arguments) {
    const int seeds = count > 1 ? std::atoi(arguments[1]) : 3;
    try {
        ferry::Device device = ferry::Device::cuda();
        cudaDeviceSetLimit(cudaLimitStackSize, StackBytes);
        for (int seed = 1; seed <= seeds; ++seed) changeAndCopy(device, static_cast<std::uint32_t>(seed));
        repeat(device);
    } catch (const ferry::DeviceError& e) {
        std::printf("%s\n", e.what());
        return e.problem() == ferry::DeviceProblem::NoDevice ? 0 : 1;
    }
    std::printf("%d wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
