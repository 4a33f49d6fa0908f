#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <ferry/benchmarks/device/Platforms.hpp>
#include <ferry/benchmarks/device/Schemes.hpp>
#include <ferry/device/cuda/CudaRuntime.hpp>

// The CUDA device of the benchmark, for a source of nvcc: kernels, and schemes with unified memory, which only this device has.

namespace ferry::bench {

inline void must(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

constexpr std::size_t BlockThreads = 256;
constexpr unsigned blocksFor(std::size_t n) { return static_cast<unsigned>((n + BlockThreads - 1) / BlockThreads); }

__device__ inline std::size_t itemHere() { return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

template <class Root>
__global__ void scaleRoot(Root* root, std::size_t n) {
    if (const std::size_t i = itemHere(); i < n) scaleItem(root, i, Factor);
}

/// The addresses that an author of pointer chains hands to a kernel.
struct Chains {
    static constexpr std::size_t Most = 10;
    double* arrays[Most];
    std::size_t count;
};
static __global__ void scaleChains(Chains chains, std::size_t n) {
    const std::size_t i = itemHere();
    if (i >= n) return;
    for (std::size_t chain = 0; chain < chains.count; ++chain) chains.arrays[chain][i] *= Factor;
}

/// The structure in unified memory, as a program that calls cudaMallocManaged in the place of malloc has it. The host has the pages in the
/// beginning.
template <class Root>
class InUnifiedMemory {
public:
    /// isOneBlock: one allocation for all, which a program gets by an allocator of its own; else one for each piece.
    InUnifiedMemory(Root& root, bool isOneBlock) : pieces_(root) {
        std::size_t bytes = 0;
        for (const Piece& piece : pieces_.all()) bytes += rounded(piece.bytes);
        if (isOneBlock) reserve(bytes);
        std::size_t offset = 0;
        for (const Piece& piece : pieces_.all()) {
            if (isOneBlock)
                addresses_.push_back(blocks_.front().address + offset);
            else
                addresses_.push_back(reserve(piece.bytes));
            offset += rounded(piece.bytes);
        }
        for (std::size_t i = 0; i < addresses_.size(); ++i) {
            const Piece& piece = pieces_.all()[i];
            std::memcpy(addresses_[i], piece.host, piece.bytes);
            if (i > 0) std::memcpy(addresses_[piece.parent] + piece.place, &addresses_[i], sizeof addresses_[i]);
        }
        bringBack();
    }
    InUnifiedMemory(const InUnifiedMemory&) = delete;
    InUnifiedMemory& operator=(const InUnifiedMemory&) = delete;
    ~InUnifiedMemory() {
        for (const detail::DeviceBlock& block : blocks_) static_cast<void>(cudaFree(block.address));
    }

    Root* get() const { return reinterpret_cast<Root*>(addresses_.front()); }

    /// The numbers of the structure, to here and back.
    void takeValues() {
        forEachArray([](std::byte* there, const Piece& piece) { std::memcpy(there, piece.host, piece.bytes); });
    }
    void giveValues() {
        forEachArray([](std::byte* there, const Piece& piece) { std::memcpy(piece.host, there, piece.bytes); });
    }
    void bringThere() { prefetch({cudaMemLocationTypeDevice, 0}); }
    void bringBack() { prefetch({cudaMemLocationTypeHost, 0}); }
    /// Reads a number of each page on the host.
    double touch() const {
        double sum = 0;
        forEachArray([&sum](const std::byte* first, const Piece& piece) {
            for (std::size_t at = 0; at < piece.bytes; at += 4096) sum += *reinterpret_cast<const double*>(first + at);
        });
        return sum;
    }

private:
    template <class Call>
    void forEachArray(Call call) const {
        for (std::size_t i = 0; i < addresses_.size(); ++i) {
            if (pieces_.all()[i].isArray) call(addresses_[i], pieces_.all()[i]);
        }
    }
    static std::size_t rounded(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
    std::byte* reserve(std::size_t bytes) {
        void* memory = nullptr;
        must(cudaMallocManaged(&memory, bytes));
        blocks_.push_back({static_cast<std::byte*>(memory), bytes});
        return blocks_.back().address;
    }
    void prefetch(cudaMemLocation to) {
        for (const detail::DeviceBlock& block : blocks_) must(cudaMemPrefetchAsync(block.address, block.bytes, to, 0, nullptr));
        must(cudaStreamSynchronize(nullptr));
    }

    Pieces pieces_;
    std::vector<std::byte*> addresses_;    // by piece
    std::vector<detail::DeviceBlock> blocks_;
};

class OnCuda {
public:
    static constexpr const char* name = "CUDA";
    static constexpr const char* moreColumns =
        " image, update of a kept copy | cudaMemcpy of the bytes from ordinary memory | unified memory, on demand | unified memory, "
        "prefetch | "
        "unified memory, one block and prefetch |";
    static constexpr const char* moreLines = "---|---|---|---|---|";

    Device device = Device::cuda();
    detail::CudaRuntime byHand;

    template <class Root>
    void run(Root* root, std::size_t n) {
        device.launch({blocksFor(n), BlockThreads}, scaleRoot<Root>, root, n);
        device.wait();
    }
    template <class Root>
    void runByHand(Root* root, std::size_t n) {
        scaleRoot<<<blocksFor(n), BlockThreads>>>(root, n);
        must(cudaGetLastError());
        must(cudaStreamSynchronize(nullptr));
    }
    void runChains(const std::vector<DeviceArray<double>>& arrays, std::size_t n) {
        Chains chains{};
        for (const auto& array : arrays) chains.arrays[chains.count++] = array.get();
        device.launch({blocksFor(n), BlockThreads}, scaleChains, chains, n);
        device.wait();
    }

    template <class Root>
    std::vector<Cycle> moreCycles(Root& root, std::size_t n, std::size_t bytes) {
        auto kept = std::make_shared<DeviceCopy<Root>>(device.copy(root));
        auto block = std::make_shared<std::vector<std::byte>>(bytes);
        auto reserved = byHand.reserve(bytes);
        std::shared_ptr<std::byte> there(reserved.address, [this, reserved](std::byte*) { byHand.release(reserved); });
        auto pieces = std::make_shared<InUnifiedMemory<Root>>(root, false);
        auto one = std::make_shared<InUnifiedMemory<Root>>(root, true);
        const auto unified = [this, n](InUnifiedMemory<Root>& memory) {
            memory.bringThere();
            runByHand(memory.get(), n);
            memory.bringBack();
        };
        const auto unifiedCycle = [](const char* name, auto memory, auto run) {
            return Cycle{name, run, true, [memory] { memory->takeValues(); }, [memory] { memory->giveValues(); }};
        };
        return {
            {"image, update of a kept copy",
             [this, kept, n] {
                 kept->update();
                 run(kept->get(), n);
                 kept->fetch();
             }},
            {"cudaMemcpy of the bytes",
             [block, there] {
                 must(cudaMemcpy(there.get(), block->data(), block->size(), cudaMemcpyHostToDevice));
                 must(cudaMemcpy(block->data(), there.get(), block->size(), cudaMemcpyDeviceToHost));
             },
             false},
            unifiedCycle("unified memory, on demand", pieces,
                         [this, pieces, n] {
                             runByHand(pieces->get(), n);
                             static volatile double sum;
                             sum = pieces->touch();
                         }),
            unifiedCycle("unified memory, prefetch", pieces, [pieces, unified] { unified(*pieces); }),
            unifiedCycle("unified memory, one block and prefetch", one, [one, unified] { unified(*one); }),
        };
    }
};

}    // namespace ferry::bench
