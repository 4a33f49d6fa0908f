#include <ferry/device/image/ImageArena.hpp>

#include <algorithm>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/image/ImageActions.hpp>
#include <ferry/device/image/ImagePartReturn.hpp>
#include <ferry/device/runtime/Poison.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

ImageArena::ImageArena(Runtime& runtime) : runtime_(runtime) { runtime_.add(*this); }

ImageArena::~ImageArena() {
    runtime_.remove(*this);
    if (device_.address != nullptr) runtime_.release(device_);
    if (staging_ != nullptr) runtime_.releaseStaging(staging_, stagingBytes_);
}

void ImageArena::forget() noexcept {
    plan_.clear();
    root_ = nullptr;
    if (device_.address != nullptr) runtime_.setInUse(device_, false);
}

void ImageArena::send(void* root, std::size_t count, const ImageType& type, bool isMutable) {
    root_ = root;
    lastRoot_ = root;
    count_ = count;
    type_ = &type;
    isMutable_ = isMutable;
    runtime_.wait();    // the memory for gathering may still be on its way to the device
    try {
        plan_.build(root_, count_, *type_, isMutable_);
        reserve();
        static_cast<void>(ImageWriter::writeAll(plan_, staging_, device_.address));
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
    runtime_.wait();
    if (ImageWriter::writeAll(plan_, staging_, device_.address))
        sendImage();
    else
        send(root_, count_, *type_, isMutable_);
}

// Memory grows by doubling, so that a series of growing copies asks for memory seldom.
void ImageArena::reserve() {
    if (device_.bytes < plan_.imageBytes()) {
        const std::size_t wanted = std::max(plan_.imageBytes(), std::min(2 * device_.bytes, plan_.imageBytes() + (std::size_t{64} << 20)));
        if (device_.address != nullptr) runtime_.release(device_);
        device_ = {};
        device_ = runtime_.reserve(wanted);
    }
    runtime_.setInUse(device_, true);
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
    if (plan_.stagedBytes() != 0) pieces_.push_back({device_.address, staging_, plan_.stagedBytes()});
    for (const ImageBlock& block : plan_.blocks()) {
        if (block.isDirect && !block.isAbsorbed) pieces_.push_back({device_.address + block.offset, block.host, block.bytes()});
    }
    runtime_.countStaged(plan_.stagedBytes());
    if (pieces_.size() == 1)
        runtime_.copyTo(pieces_[0].device, pieces_[0].host, pieces_[0].bytes);
    else
        runtime_.copyManyTo(pieces_);
}

void ImageArena::fetchStaged() {
    requireCopy();
    runtime_.wait();
    runtime_.copyFrom(staging_, device_.address, plan_.stagedBytes());
}

// The arrays come after the walk, which finds out whether the host's pointers still lead to them.
void ImageArena::fetch() {
    fetchStaged();
    ImageReturn::giveBackAll(plan_, staging_, device_.address, runtime_.name());
    pieces_.clear();
    for (const ImageBlock& block : plan_.blocks()) {
        if (block.isDirect && !block.isAbsorbed && block.isMutable)
            pieces_.push_back({device_.address + block.offset, block.host, block.bytes()});
    }
    runtime_.copyManyFrom(pieces_);
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

std::byte* ImageArena::root() const noexcept { return device_.address + (plan_.blocks().empty() ? 0 : plan_.blocks().front().offset); }

void ImageArena::setForbidden(bool isForbidden) noexcept {
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
