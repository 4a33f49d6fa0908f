#include <ferry/device/image/ImageArena.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/image/ImageActions.hpp>
#include <ferry/device/image/ImagePartReturn.hpp>
#include <ferry/device/runtime/ImageTransfers.hpp>
#include <ferry/device/runtime/Poison.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

constexpr std::ptrdiff_t nowhereStep = std::ptrdiff_t{1} << 41;
constexpr std::uintptr_t nowhereNull = std::uintptr_t{1} << 42;
constexpr std::size_t Word = sizeof(std::uint64_t);

std::size_t wholeWords(std::size_t bytes) noexcept { return (bytes + Word - 1) / Word * Word; }

}    // namespace

ImageArena::ImageArena(Runtime& runtime) : runtime_(runtime) { runtime_.add(*this); }

ImageArena::~ImageArena() {
    runtime_.remove(*this);
    if (device_.address != nullptr) runtime_.release(device_);
    if (staging_ != nullptr) runtime_.releaseStaging(staging_, stagingBytes_);
}

void ImageArena::retire() noexcept {
    root_ = nullptr;
    arrived_ = {};
    arrivedBytes_ = 0;
    if (device_.address != nullptr) runtime_.setInUse(device_, false);
}

void ImageArena::forget() noexcept {
    plan_.clear();
    retire();
}

// The plan of the last copy of this object often still holds. Writing compares each pointer before it follows it.
void ImageArena::send(void* root, std::size_t count, const ImageType& type, bool isMutable) {
    runtime_.waitForStaging();    // a failure of a kernel leaves the copy as it is
    const bool mayFit = !plan_.blocks().empty() && lastRoot_ == root && count_ == count && type_ == &type && isMutable_ == isMutable;
    root_ = root;
    lastRoot_ = root;
    count_ = count;
    type_ = &type;
    isMutable_ = isMutable;
    try {
        if (mayFit) {
            reserve();
            if (writeImage()) {
                plan_.rewired().clear();    // all pointers lead where they led at the copy
                return sendImage();
            }
        }
        plan_.build(root_, count_, *type_, isMutable_);
        reserve();
        static_cast<void>(writeImage());
        sendImage();
    } catch (...) {
        forget();    // a plan without an image would bring wrong values back
        throw;
    }
}

void ImageArena::requireCopy() const {
    if (root_ == nullptr) throw UsageError("the copy on the device ended when an update() failed: copy the object again");
}

void ImageArena::update() {
    requireCopy();
    send(root_, count_, *type_, isMutable_);
}

ImageTransfers* ImageArena::threadsForImage() noexcept {
    return ImageTransfers::isLarge(plan_.stagedBytes()) ? runtime_.imageTransfers() : nullptr;
}

bool ImageArena::writeImage() {
    ImageTransfers* const threads = threadsForImage();
    isUnderWay_ = threads != nullptr;
    if (threads == nullptr) return ImageWriter::writeAll(plan_, staging_, device_.address);
    const std::size_t blocks = plan_.blocks().size();
    threads->beginImage(device_.address, staging_, plan_.stagedBytes(), blocks, !plan_.hasAbsorbed());
    bool isSame = false;
    try {
        isSame = ImageWriter::writeAll(plan_, staging_, device_.address, 0, threads);
        if (isSame) threads->endImage();
    } catch (...) {
        threads->abandonImage();
        throw;
    }
    if (isSame) return true;
    threads->abandonImage();
    runtime_.waitForStaging();    // parts of the image may be on their way
    return false;
}

// Memory grows by doubling, so that a series of growing copies asks for memory seldom.
void ImageArena::reserveDevice(std::size_t bytes) {
    if (device_.bytes < bytes) {
        const std::size_t wanted = std::max(bytes, std::min(2 * device_.bytes, bytes + (std::size_t{64} << 20)));
        if (device_.address != nullptr) runtime_.release(device_);
        device_ = {};
        device_ = runtime_.reserve(wanted);
    }
    runtime_.setInUse(device_, true);
}

void ImageArena::reserve() {
    reserveDevice(plan_.imageBytes());
    if (stagingBytes_ < plan_.stagedBytes()) {
        const std::size_t wanted = std::max(plan_.stagedBytes(), 2 * stagingBytes_);
        if (staging_ != nullptr) runtime_.releaseStaging(staging_, stagingBytes_);
        staging_ = nullptr;
        stagingBytes_ = 0;
        staging_ = runtime_.reserveStaging(wanted);
        stagingBytes_ = wanted;
    }
    markObjects();
}

void ImageArena::sendImage() {
    pieces_.clear();
    if (plan_.stagedBytes() != 0 && !isUnderWay_) pieces_.push_back({device_.address, staging_, plan_.stagedBytes()});
    for (const ImageBlock& block : plan_.blocks()) {
        if (block.isDirect && !block.isAbsorbed) pieces_.push_back({device_.address + block.offset, block.host, block.bytes()});
    }
    runtime_.counts().stagedBytes += plan_.stagedBytes();
    if (isUnderWay_) {
        DeviceTransfers& counts = runtime_.counts();
        counts.toDeviceBytes += plan_.stagedBytes();
        counts.toDevice += pieces_.empty() ? 1 : 0;
    }
    if (pieces_.size() == 1 && !isUnderWay_)
        runtime_.copyTo(pieces_[0].device, pieces_[0].host, pieces_[0].bytes);
    else
        runtime_.copyManyTo(pieces_);
}

void ImageArena::fetchStaged() {
    requireCopy();
    runtime_.waitAndCopyFrom(staging_, device_.address, plan_.stagedBytes());
}

// The arrays come after the walk, which finds out whether the host's pointers still lead to them.
void ImageArena::fetch() {
    if (ImageTransfers* const threads = threadsForImage()) {
        requireCopy();
        fetchInParts(*threads);
    } else {
        fetchStaged();
        ImageReturn::giveBackAll(plan_, staging_, device_.address, runtime_.name());
    }
    pieces_.clear();
    for (const ImageBlock& block : plan_.blocks()) {
        if (block.isDirect && !block.isAbsorbed && block.isMutable)
            pieces_.push_back({device_.address + block.offset, block.host, block.bytes()});
    }
    runtime_.copyManyFrom(pieces_);
}

void ImageArena::fetchInParts(ImageTransfers& threads) {
    try {
        threads.beginReturn(staging_, device_.address, plan_.stagedBytes(), plan_.blocks().size(), !plan_.hasAbsorbed());
        threads.awaitArrival(1);
        runtime_.seeFailures();
        ImageReturn::giveBackAll(plan_, staging_, device_.address, runtime_.name(), &threads);
        threads.endImage();
    } catch (...) {
        threads.abandonImage();
        throw;
    }
    DeviceTransfers& counts = runtime_.counts();
    ++counts.fromDevice;
    counts.fromDeviceBytes += plan_.stagedBytes();
}

void ImageArena::fetchPart(const ImageType& type) {
    fetchStaged();
    const std::string name = runtime_.name();
    ImagePartReturn back(plan_, staging_, device_.address, name);
    back.giveBack(root_, count_, type);
    runtime_.copyManyFrom(back.directArrays());
}

std::byte* ImageArena::addressOf(const void* host) const {
    if (host == nullptr) return nullptr;
    const ImageBlock* block = plan_.atHost(host);
    if (block == nullptr) {
        throw DeviceError(
            DeviceProblem::NotCopied, runtime_.name(),
            "address() of an object that is no part of the copy: no pointer of the copied object leads to it, or a View leaves it out");
    }
    return device_.address + block->offset + (static_cast<const std::byte*>(host) - static_cast<const std::byte*>(block->host));
}

std::byte* ImageArena::root() const noexcept {
    return device_.address + (plan_.blocks().empty() ? arrived_.root : plan_.blocks().front().offset);
}

// Pointers, also null ones, are the words that differ between two images for two addresses.
DeviceImage ImageArena::describe() {
    const auto* nowhere = reinterpret_cast<const std::byte*>(std::uintptr_t{1} << 40);
    DeviceImage image;
    image.type = typeName(*type_->type);
    image.root = plan_.blocks().front().offset;
    std::vector<std::byte> first(wholeWords(plan_.stagedBytes()));
    std::vector<std::byte> second(first.size());
    const auto write = [this](std::vector<std::byte>& bytes, const std::byte* device, std::uintptr_t null) {
        ImageWriter writer(plan_, bytes.data(), device, null);
        writer.setTolerant(!plan_.rewired().isEmpty());
        return writer.writeBlocks(plan_, bytes.data());
    };
    if (!write(first, nowhere, 0) || !write(second, nowhere + nowhereStep, nowhereNull)) {
        throw UsageError(
            "deviceGraph() of a copy: the objects of the host have changed their shape since they were copied to the device; update() "
            "takes a new shape there");
    }
    for (std::size_t place = 0; place < first.size(); place += Word) {
        if (std::memcmp(first.data() + place, second.data() + place, Word) != 0) image.pointers.push_back(place);
    }
    return image;
}

// No pointer lies behind the last one, so that all bytes there are numbers.
DeviceImage ImageArena::leave(bool isWithoutArrays) {
    runtime_.wait();
    const bool hasArrived = plan_.blocks().empty() && arrivedBytes_ != 0;
    if (!hasArrived) requireCopy();
    DeviceImage image = hasArrived ? arrived_ : describe();
    const std::size_t all = hasArrived ? arrivedBytes_ : plan_.imageBytes();
    constexpr std::size_t Step = ImagePlan::DirectAlignment;
    const std::size_t end = image.pointers.empty() ? 0 : (image.pointers.back() + Word + Step - 1) / Step * Step;
    const bool hasArrays = isWithoutArrays && all >= end + ImagePlan::DirectBytes;
    const std::size_t gathered = hasArrays ? end : all;
    image.arrayBytes = all - gathered;
    image.bytes.resize(wholeWords(gathered));
    runtime_.copyFrom(image.bytes.data(), device_.address, gathered);
    const auto base = reinterpret_cast<std::uint64_t>(device_.address);
    for (const std::uint64_t place : image.pointers) {
        std::uint64_t pointer = 0;
        std::memcpy(&pointer, image.bytes.data() + place, Word);
        if (pointer != 0 && (pointer < base || pointer - base > image.allBytes())) {
            throw DeviceError(
                DeviceProblem::StrayPointer, runtime_.name(),
                fmt::format("a kernel left the address {:#x} in a pointer at byte {} of a copy that leaves the device", pointer, place));
        }
        pointer = pointer == 0 ? 0 : pointer - base + 1;
        std::memcpy(image.bytes.data() + place, &pointer, Word);
    }
    return image;
}

void ImageArena::arrive(DeviceImage image) {
    runtime_.wait();
    plan_.clear();
    try {
        reserveDevice(image.allBytes());
        const auto base = reinterpret_cast<std::uint64_t>(device_.address);
        for (const std::uint64_t place : image.pointers) {
            std::uint64_t pointer = 0;
            std::memcpy(&pointer, image.bytes.data() + place, Word);
            if (pointer != 0) pointer += base - 1;
            std::memcpy(image.bytes.data() + place, &pointer, Word);
        }
        if (canPoison() && runtime_.runsOnHost()) {
            poison(device_.address, device_.bytes);
            unpoison(device_.address, image.allBytes());
        }
        runtime_.copyTo(device_.address, image.bytes.data(), image.bytes.size());
        arrivedBytes_ = image.allBytes();
        arrived_ = std::move(image);
        arrived_.bytes = {};
    } catch (...) {
        forget();
        throw;
    }
}

void ImageArena::setForbidden(bool isForbidden) noexcept {
    if (root_ == nullptr) return;
    for (const ImageBlock& block : plan_.blocks()) {
        if (!block.isMutable) continue;    // a constant may be text of the program, which kernels use too
        if (isForbidden)
            poison(block.host, block.bytes());
        else
            unpoison(block.host, block.bytes());
    }
}

// Memory between the objects of the image is forbidden to kernels under the address sanitizer.
void ImageArena::markObjects() noexcept {
    if (!canPoison() || !runtime_.runsOnHost()) return;
    poison(device_.address, device_.bytes);
    for (const ImageBlock& block : plan_.blocks()) {
        if (!block.isAbsorbed) unpoison(device_.address + block.offset, block.bytes());
    }
}

}    // namespace ferry::detail
