#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ferry/benchmarks/device/Scenarios.hpp>
#include <ferry/benchmarks/device/Schemes.hpp>
#include <ferry/device/runtime/HostRuntime.hpp>
#ifdef FERRY_BENCH_OPENCL
#include <ferry/device/opencl/OpenClRuntime.hpp>
#endif

// The devices of the benchmark, each with the same kernels.

namespace ferry::bench {

constexpr double Factor = 1.5;    // by which the kernels scale

/// A device without schemes of its own.
struct CommonSchemes {
    static constexpr const char* moreColumns = "";
    static constexpr const char* moreLines = "";

    template <class Root>
    std::vector<Cycle> moreCycles(Root&, std::size_t, std::size_t) {
        return {};
    }
};

class OnHost : public CommonSchemes {
public:
    static constexpr const char* name = "host";

    Device device = Device::host({.threads = 1});
    detail::HostRuntime byHand{1, 0};

    template <class Root>
    void run(Root* root, std::size_t n) {
        device.run(n, [root](std::size_t i) { scaleItem(root, i, Factor); });
    }
    template <class Root>
    void runByHand(Root* root, std::size_t n) {
        auto function = [root](std::size_t i) { scaleItem(root, i, Factor); };
        using Function = decltype(function);
        const detail::HostKernel kernel{&function, [](void* f, std::size_t begin, std::size_t end, std::size_t& item) {
                                            for (item = begin; item < end; ++item) (*static_cast<Function*>(f))(item);
                                        }};
        byHand.run(n, kernel, {__FILE__, __LINE__});
    }
    void runChains(const std::vector<DeviceArray<double>>& arrays, std::size_t n) {
        for (const auto& array : arrays) device.run(n, [a = array.get()](std::size_t i) { a[i] *= Factor; });
    }
};

#ifdef FERRY_BENCH_OPENCL
class OnOpenCl : public CommonSchemes {
public:
    static constexpr const char* name = "OpenCL";
    static constexpr const char* text = R"(
        kernel void scaleLinear(global Linear* root) {
            size_t i = get_global_id(0);
            for (global Linear* node = root; node != 0; node = node->next) {
                if (node->array != 0) node->array[i] *= 1.5;
            }
        }
        kernel void scaleDense(global Dense_3* root) {
            size_t i = get_global_id(0);
            global Dense_2* second = &root->children[root->childCount - 1];
            global Dense_1* third = &second->children[second->childCount - 1];
            global Dense_0* last = &third->children[third->childCount - 1];
            root->array[i] *= 1.5;
            second->array[i] *= 1.5;
            third->array[i] *= 1.5;
            last->array[i] *= 1.5;
        }
        kernel void scaleArray(global double* array) { array[get_global_id(0)] *= 1.5; })";

    Device device = Device::openCl();
    DeviceProgram program = device.program<Linear, Dense<3>>(text);
    detail::OpenClRuntime byHand;
    std::unique_ptr<detail::RuntimeProgram> programByHand =
        byHand.build(detail::makeKernelText(detail::kernelTypesOf<Linear, Dense<3>>(), text, __FILE__, __LINE__));

    static const char* kernelFor(const Linear*) { return "scaleLinear"; }
    static const char* kernelFor(const Dense<3>*) { return "scaleDense"; }

    template <class Root>
    void run(Root* root, std::size_t n) {
        program.launch(kernelFor(root), {n}, root);
        device.wait();
    }
    template <class Root>
    void runByHand(Root* root, std::size_t n) {
        const void* address = root;
        const detail::KernelArgument argument{&address, sizeof address, true};
        programByHand->launch(detail::QueueNumber::First, kernelFor(root), {n}, {&argument, 1});
        byHand.wait();
    }
    void runChains(const std::vector<DeviceArray<double>>& arrays, std::size_t n) {
        for (const auto& array : arrays) program.launch("scaleArray", {n}, array);
        device.wait();
    }
};
#endif

}    // namespace ferry::bench
