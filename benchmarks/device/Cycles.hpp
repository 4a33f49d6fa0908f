#pragma once

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

// The schemes as whole cycles: there, one kernel, back. Each cycle must give the result of the host.

namespace ferry::bench {

/// The arrays that the kernel uses, as an author of a pointer chain would list them.
inline std::vector<std::pair<double*, std::size_t>> chainsOf(Linear& root) {
    std::vector<std::pair<double*, std::size_t>> chains;
    for (Linear* node = &root; node != nullptr; node = node->next) {
        if (node->array != nullptr) chains.emplace_back(node->array, static_cast<std::size_t>(node->arrayCount));
    }
    return chains;
}
inline std::vector<std::pair<double*, std::size_t>> chainsOf(Dense<3>& root) {
    auto& second = root.children[root.childCount - 1];
    auto& third = second.children[second.childCount - 1];
    auto& last = third.children[third.childCount - 1];
    const auto n = static_cast<std::size_t>(root.arrayCount);
    return {{root.array, n}, {second.array, n}, {third.array, n}, {last.array, n}};
}

/// The schemes that every device has. block and buffer: for the bytes of the structure, on the device and on the host, as long as the
/// cycles live. aroundKernel(i, run) runs the kernel: 0 of the image, 1 of the chains.
template <class Platform, class Root>
std::vector<Cycle> cyclesOf(Platform& on, Root& root, std::size_t n, detail::DeviceBlock block, std::byte* buffer,
                            std::function<void(int, const std::function<void()>&)> aroundKernel) {
    const std::size_t bytes = Marshalling<Root>::bytesFor(root);
    return {
        {"image",
         [&on, &root, n, aroundKernel] {
             auto there = on.device.copy(root);
             aroundKernel(0, [&] { on.run(there.get(), n); });
             there.fetch();
         }},
        {"marshalling",
         [&on, &root, n, block, buffer] {
             Marshalling<Root> there(on.byHand, root, block, buffer);
             on.runByHand(there.get(), n);
             there.fetch();
         }},
        {"marshalling in one batch",
         [&on, &root, n, block, buffer] {
             Marshalling<Root, true> there(on.byHand, root, block, buffer);
             on.runByHand(there.get(), n);
             there.fetch();
         }},
        {"member by member",
         [&on, &root, n] {
             MemberByMember<Root> there(on.byHand, root);
             on.runByHand(there.get(), n);
             there.fetch();
         }},
        {"pointerchain",
         [&on, &root, n, aroundKernel] {
             std::vector<DeviceArray<double>> arrays;
             for (const auto& [first, count] : chainsOf(root)) arrays.push_back(on.device.copyArray(first, count));
             aroundKernel(1, [&] { on.runChains(arrays, n); });
             for (auto& array : arrays) array.fetch();
         }},
        {"the bytes as one block",
         [&on, bytes, block, buffer] {
             on.byHand.copyTo(block.address, buffer, bytes);
             on.byHand.copyFrom(buffer, block.address, bytes);
         },
         false},
    };
}

/// Runs each cycle once, and compares all numbers with the result of the host. The numbers are as before in the end.
/// Returns the names of the schemes with another result.
template <class Root>
std::vector<std::string> wrongCycles(const std::vector<Cycle>& cycles, Root& root, std::size_t n) {
    const Pieces pieces(root);
    const auto values = [&pieces] {
        std::vector<std::vector<std::byte>> all;
        for (const Piece& piece : pieces.all()) {
            if (piece.isArray) all.emplace_back(piece.host, piece.host + piece.bytes);
        }
        return all;
    };
    const auto before = values();
    const auto reset = [&pieces, &before] {
        std::size_t next = 0;
        for (const Piece& piece : pieces.all()) {
            if (piece.isArray) std::memcpy(piece.host, before[next++].data(), piece.bytes);
        }
    };
    for (std::size_t i = 0; i < n; ++i) scaleItem(&root, i, Factor);
    const auto expected = values();
    reset();
    std::vector<std::string> wrong;
    for (const Cycle& cycle : cycles) {
        if (!cycle.hasResult) continue;
        if (cycle.takeValues) cycle.takeValues();
        cycle.run();
        if (cycle.giveValues) cycle.giveValues();
        if (values() != expected) wrong.push_back(cycle.name);
        reset();
    }
    return wrong;
}

/// Errors: std::runtime_error that names the schemes with a wrong result.
template <class Root>
void requireRightCycles(const std::vector<Cycle>& cycles, Root& root, std::size_t n) {
    std::string text;
    for (const std::string& name : wrongCycles(cycles, root, n)) text += (text.empty() ? "" : ", ") + name;
    if (!text.empty()) throw std::runtime_error("schemes with another result than the host: " + text);
}

}    // namespace ferry::bench
