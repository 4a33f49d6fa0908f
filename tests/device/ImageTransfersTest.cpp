#include <ferry/device/runtime/ImageTransfers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/benchmarks/device/Scenarios.hpp>
#include <ferry/device/image/ImageArena.hpp>
#include <ferry/device/image/ImageWalk.hpp>
#include <ferry/device/runtime/PagedTransfers.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

// Large transfers with several threads, for a device whose transfers happen as late as a driver may do them. So memory that is used again
// too early has wrong values.

namespace {

using namespace ferry::bench;
using ferry::detail::CopyThreads;
using ferry::detail::DeviceBlock;
using ferry::detail::DevicePiece;
using ferry::detail::ImageArena;
using ferry::detail::ImageTransfers;
using ferry::detail::imageTypeOf;
using ferry::detail::PagedTransfers;
using ferry::detail::TransferLane;

/// A device whose memory is memory of the host. Transfers happen when the caller waits for a fence behind them.
class LateRuntime final : public ferry::detail::Runtime, private TransferLane {
public:
    explicit LateRuntime(std::size_t threads) : threads_(threads), paged_(*this, threads_), images_(*this, threads_) {}
    ~LateRuntime() override { doTransfers(begun_); }

    std::string name() const override { return "late"; }
    void release(DeviceBlock block) noexcept override {
        doTransfers(begun_);
        delete[] block.address;
    }
    void releaseStaging(std::byte* memory, std::size_t) noexcept override {
        paged_.removeStaging(memory);
        delete[] memory;
    }
    void wait() override { doTransfers(begun_); }
    ImageTransfers* imageTransfers() noexcept override { return &images_; }
    void seeFailures() override {
        if (hasFailure) throw ferry::UsageError("a kernel failed");
    }

    std::size_t buffers() const noexcept { return buffers_; }
    std::size_t largestTransfer = 0;
    std::size_t transfersLeft = ~std::size_t{0};    // before one fails; the highest number again after it
    bool hasFailure = false;

private:
    struct Transfer {
        void* to;
        const void* from;
        std::size_t bytes;
    };

    DeviceBlock doReserve(std::size_t bytes) override { return {new std::byte[bytes], bytes}; }
    std::byte* doReserveStaging(std::size_t bytes) override {
        auto* memory = new std::byte[bytes];
        paged_.addStaging(memory, bytes);
        return memory;
    }
    void doCopyTo(std::byte* device, const void* host, std::size_t bytes) override { add(device, host, bytes); }
    void doCopyFrom(void* host, const std::byte* device, std::size_t bytes) override {
        add(host, device, bytes);
        wait();
    }
    void doCopyWithin(std::byte*, const std::byte*, std::size_t) override {}
    void doCopyManyTo(std::span<const DevicePiece> pieces) override { require(paged_.copyTo(pieces), "to"); }
    void doCopyManyFrom(std::span<const DevicePiece> pieces) override { require(paged_.copyFrom(pieces), "from"); }

    std::byte* makeBuffer(std::size_t bytes) noexcept override {
        ++buffers_;
        return new std::byte[bytes];
    }
    void freeBuffer(std::byte* buffer) noexcept override { delete[] buffer; }
    bool isPaged(const void*) noexcept override { return true; }
    int beginCopyTo(std::byte* device, const void* host, std::size_t bytes) noexcept override { return add(device, host, bytes); }
    int beginCopyFrom(void* host, const std::byte* device, std::size_t bytes) noexcept override { return add(host, device, bytes); }
    int setFence(std::size_t number) noexcept override {
        fences_[number] = begun_;
        return 0;
    }
    int waitForFence(std::size_t number) noexcept override {
        doTransfers(fences_[number]);
        return 0;
    }
    int waitForAll() noexcept override {
        wait();
        return 0;
    }
    void require(int code, std::string_view action) override {
        if (code != 0) throw ferry::UsageError("the transfer failed: " + std::string(action));
    }

    int add(void* to, const void* from, std::size_t bytes) {
        if (transfersLeft != ~std::size_t{0} && transfersLeft-- == 0) return 1;
        largestTransfer = std::max(largestTransfer, bytes);
        queue_.push_back({to, from, bytes});
        ++begun_;
        return 0;
    }
    void doTransfers(std::size_t end) {
        for (; done_ < end; ++done_) {
            std::memcpy(queue_.front().to, queue_.front().from, queue_.front().bytes);
            queue_.pop_front();
        }
    }

    std::deque<Transfer> queue_;
    std::size_t begun_ = 0;
    std::size_t done_ = 0;
    std::size_t fences_[Fences] = {};
    std::size_t buffers_ = 0;
    CopyThreads threads_;
    PagedTransfers paged_;
    ImageTransfers images_;
};

template <class Root>
void send(ImageArena& arena, Root& root) {
    arena.send(&root, 1, imageTypeOf<Root, ferry::Whole>(), true);
}

/// The work of a kernel on the image, when all of it is there.
template <class Root>
void scaleThere(LateRuntime& runtime, ImageArena& arena, std::size_t n) {
    runtime.wait();
    for (std::size_t i = 0; i < n; ++i) scaleItem(reinterpret_cast<Root*>(arena.root()), i, 2);
}

}    // namespace

TEST_CASE("PagedTransfers: pieces of all sizes go there and back, also when they need more memory than there are buffers") {
    for (const std::size_t threads : {1, 2, 4}) {
        LateRuntime runtime(threads);
        const std::size_t sizes[] = {1, 100'000, std::size_t{40} << 20, 65'536, 3'000'001, 64};
        std::vector<std::vector<std::byte>> sent, received;
        std::vector<DevicePiece> there, back;
        std::size_t all = 0;
        for (const std::size_t size : sizes) all += size;
        const DeviceBlock block = runtime.reserve(all);
        std::size_t place = 0;
        for (const std::size_t size : sizes) {
            sent.emplace_back(size);
            for (std::size_t i = 0; i < size; ++i) sent.back()[i] = static_cast<std::byte>((i * 2654435761u + size) >> 13);
            received.emplace_back(size);
            there.push_back({block.address + place, sent.back().data(), size});
            back.push_back({block.address + place, received.back().data(), size});
            place += size;
        }
        for (int round = 0; round < 2; ++round) {
            for (auto& each : received) std::fill(each.begin(), each.end(), std::byte{0});
            runtime.copyManyTo(there);
            runtime.copyManyFrom(back);
            CHECK(sent == received);
        }
        CHECK(runtime.buffers() == 2 * threads);
        CHECK(runtime.largestTransfer <= std::size_t{1} << 20);
        runtime.release(block);
    }
}

TEST_CASE("ImageTransfers: a large image goes in parts, and each round brings new values there and back") {
    for (const std::size_t threads : {1, 2, 4}) {
        LateRuntime runtime(threads);
        ImageArena arena(runtime);
        constexpr std::size_t n = 100;
        DenseTree tree(16, n);
        double sum = sumOf(tree.root());
        const ferry::DeviceTransfers before = runtime.transfers();
        for (int round = 1; round <= 4; ++round) {
            send(arena, tree.root());
            CHECK(runtime.transfers().toDevice == before.toDevice + static_cast<std::size_t>(round));
            CHECK(runtime.transfers().batches == before.batches);
            scaleThere<DenseTree::Root>(runtime, arena, n);
            arena.fetch();
            CHECK(runtime.transfers().fromDevice == before.fromDevice + static_cast<std::size_t>(round));
            sum += static_cast<double>(4 * n * (std::size_t{1} << (round - 1)));    // the kernel doubles four arrays
            CHECK(sumOf(tree.root()) == sum);
        }
        CHECK(runtime.transfers().fromDeviceBytes == runtime.transfers().toDeviceBytes);
        if (threads == 1) CHECK(runtime.largestTransfer < arena.plan().stagedBytes());    // else all parts may be ready at once
    }
}

TEST_CASE("ImageTransfers: an image whose shape changes between two copies is right") {
    LateRuntime runtime(4);
    ImageArena arena(runtime);
    constexpr std::size_t n = 100;
    DenseTree tree(16, n);
    send(arena, tree.root());
    runtime.wait();
    // The last leaf gets another array, which only the end of the walk sees.
    std::vector<double> longer(n + 5000, 3.0);
    Dense<0>& leaf = tree.root().children[15].children[15].children[15];
    leaf.array = longer.data();
    leaf.arrayCount = static_cast<int>(longer.size());
    const double sum = sumOf(tree.root());
    send(arena, tree.root());
    scaleThere<DenseTree::Root>(runtime, arena, n);
    arena.fetch();
    CHECK(sumOf(tree.root()) == sum + 3 * n + 3.0 * n);
}

TEST_CASE("ImageTransfers: arrays in the image and arrays that go from where they lie are one copy") {
    LateRuntime runtime(3);
    ImageArena arena(runtime);
    for (const std::size_t n : {1000, 8000, 20'000}) {    // 8 KB, just below 64 KiB, and above
        LinearChain chain(200, n, true);
        for (int round = 1; round <= 2; ++round) {
            send(arena, chain.root());
            scaleThere<Linear>(runtime, arena, n);
            arena.fetch();
            bool isRight = true;
            for (std::size_t level = 0; level < 200; ++level) {
                const double wanted = static_cast<double>((level + 1) << round);
                const double* array = chain.nodes()[level].array;
                isRight &= std::all_of(array, array + n, [&](double value) { return value == wanted; });
            }
            CHECK(isRight);
        }
    }
}

namespace {

struct Element {
    double value = 0;
    FERRY_FIELDS(value)
};
struct Places {
    std::vector<std::vector<Element>> rows;
    std::vector<Element*> chosen;
    FERRY_FIELDS(rows, chosen)
};

}    // namespace

TEST_CASE("ImageTransfers: pointers into the arrays of a large image lead to the same elements") {
    for (const std::size_t threads : {1, 4}) {
        LateRuntime runtime(threads);
        ImageArena arena(runtime);
        Places places;
        for (int row = 0; row < 300; ++row) {
            places.rows.emplace_back(1000);
            places.chosen.push_back(&places.rows.back()[static_cast<std::size_t>(row)]);
        }
        for (int round = 1; round <= 2; ++round) {
            send(arena, places);
            runtime.wait();
            auto* there = reinterpret_cast<Places*>(arena.root());
            for (std::size_t row = 0; row < 300; ++row) {
                there->chosen.data()[row]->value += 1;
                there->rows.data()[row].data()[999].value += 1;
            }
            arena.fetch();
            bool isRight = true;
            for (std::size_t row = 0; row < 300; ++row) {
                const auto& elements = places.rows[row];
                isRight &= places.chosen[row] == &elements[row] && elements[row].value == round && elements[999].value == round;
                isRight &= elements[998].value == 0;
            }
            CHECK(isRight);
        }
    }
}

TEST_CASE("ImageTransfers: a transfer that fails is told, and the next copy is right") {
    constexpr std::size_t n = 100;
    DenseTree tree(16, n);
    const double sum = sumOf(tree.root());
    for (const std::size_t threads : {1, 3}) {
        LateRuntime runtime(threads);
        ImageArena arena(runtime);
        // A part that is ready earlier travels with the next one, so that a later transfer may not be there.
        const auto failingAfter = [&runtime](std::size_t good, auto call) {
            runtime.transfersLeft = good;
            bool isTold = false;
            try {
                call();
            } catch (const ferry::UsageError&) {
                isTold = true;
            }
            CHECK(isTold == (runtime.transfersLeft == ~std::size_t{0}));
            runtime.transfersLeft = ~std::size_t{0};
            return isTold;
        };
        for (std::size_t good = 0; good < 5; ++good) {
            const bool isTold = failingAfter(good, [&] { send(arena, tree.root()); });
            CHECK((isTold || good != 0));
            send(arena, tree.root());
            CHECK(failingAfter(good, [&] { arena.fetch(); }));
            send(arena, tree.root());
            arena.fetch();
            CHECK(sumOf(tree.root()) == sum);
        }
    }
}

TEST_CASE("ImageTransfers: after the failure of a kernel no value comes back") {
    LateRuntime runtime(4);
    ImageArena arena(runtime);
    DenseTree tree(16, 100);
    const double sum = sumOf(tree.root());
    send(arena, tree.root());
    scaleThere<DenseTree::Root>(runtime, arena, 100);
    runtime.hasFailure = true;
    CHECK_THROWS_AS(arena.fetch(), ferry::UsageError);
    CHECK(sumOf(tree.root()) == sum);
    runtime.hasFailure = false;
    arena.fetch();
    CHECK(sumOf(tree.root()) == sum + 400);
}
