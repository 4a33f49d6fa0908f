#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <ferry/benchmarks/device/Scenarios.hpp>
#include <ferry/device/runtime/Runtime.hpp>

// The ways of the paper to bring a structure to a device and back, by the calls of a runtime.

namespace ferry::bench {

/// A scheme: there, one kernel, back.
struct Cycle {
    std::string name;
    std::function<void()> run;
    bool hasResult = true;    ///< else it moves bytes alone
    // For a scheme that has the numbers in memory of its own:
    std::function<void()> takeValues = {};    ///< from the structure
    std::function<void()> giveValues = {};    ///< to the structure
};

/// One structure or array of structures or numbers, and the pointer that leads to it.
struct Piece {
    std::byte* host = nullptr;
    std::size_t bytes = 0;
    std::size_t parent = 0;    ///< index of the piece with the pointer
    std::size_t place = 0;     ///< of the pointer in that piece
    bool isArray = false;      ///< of numbers, which come back
};

class Pieces {
public:
    explicit Pieces(Linear& root) {
        add(&root, sizeof root, 0, nullptr, false);
        std::size_t own = 0;
        for (Linear* node = &root; node != nullptr; node = node->next) {
            if (node->array != nullptr)
                add(node->array, sizeof(double) * static_cast<std::size_t>(node->arrayCount), own, &node->array, true);
            if (node->next != nullptr) own = add(node->next, sizeof(Linear), own, &node->next, false);
        }
    }
    template <int D>
    explicit Pieces(Dense<D>& root) {
        addChildren(root, add(&root, sizeof root, 0, nullptr, false));
    }

    const std::vector<Piece>& all() const noexcept { return pieces_; }

private:
    std::size_t add(void* host, std::size_t bytes, std::size_t parent, const void* place, bool isArray) {
        const std::size_t offset =
            place == nullptr ? 0 : static_cast<std::size_t>(static_cast<const std::byte*>(place) - pieces_[parent].host);
        pieces_.push_back({static_cast<std::byte*>(host), bytes, parent, offset, isArray});
        return pieces_.size() - 1;
    }
    template <int D>
    void addChildren(Dense<D>& node, std::size_t own) {
        add(node.array, sizeof(double) * static_cast<std::size_t>(node.arrayCount), own, &node.array, true);
        if constexpr (D > 0) {
            const std::size_t children =
                add(node.children, sizeof(Dense<D - 1>) * static_cast<std::size_t>(node.childCount), own, &node.children, false);
            for (int i = 0; i < node.childCount; ++i) addChildren(node.children[i], children);
        }
    }

    std::vector<Piece> pieces_;
};

/// Each structure and each array is allocated and copied alone, and each pointer is written on the device.
template <class Root>
class MemberByMember {
public:
    MemberByMember(detail::Runtime& runtime, Root& root) : runtime_(runtime), pieces_(root) {
        for (const Piece& piece : pieces_.all()) {
            blocks_.push_back(runtime_.reserve(piece.bytes));
            std::byte* address = blocks_.back().address;
            runtime_.copyTo(address, piece.host, piece.bytes);
            if (blocks_.size() > 1) runtime_.copyTo(blocks_[piece.parent].address + piece.place, &address, sizeof address);
        }
    }
    ~MemberByMember() {
        for (const detail::DeviceBlock& block : blocks_) runtime_.release(block);
    }

    Root* get() const { return reinterpret_cast<Root*>(blocks_.front().address); }
    void fetch() {
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const Piece& piece = pieces_.all()[i];
            if (piece.isArray) runtime_.copyFrom(piece.host, blocks_[i].address, piece.bytes);
        }
    }

private:
    detail::Runtime& runtime_;
    Pieces pieces_;
    std::vector<detail::DeviceBlock> blocks_;
};

/// Algorithm 1 of the paper: one buffer for all, one transfer, and one call that attaches each pointer. The way back is the reverse.
/// The memory of device and host is kept between copies, which favours this way over that of the paper.
/// InOneBatch: the pointers travel in one batch, which the paper's way does not do.
template <class Root, bool InOneBatch = false>
class Marshalling {
public:
    Marshalling(detail::Runtime& runtime, Root& root, detail::DeviceBlock block, std::byte* buffer)
        : runtime_(runtime),
          pieces_(root),
          block_(block),
          buffer_(buffer) {
        std::size_t end = 0;
        for (const Piece& piece : pieces_.all()) {
            offsets_.push_back(end);
            std::memcpy(buffer_ + end, piece.host, piece.bytes);
            end += (piece.bytes + 15) / 16 * 16;
        }
        runtime_.copyTo(block_.address, buffer_, end);
        setPointers();
    }

    static std::size_t bytesFor(Root& root) {
        const Pieces pieces(root);
        std::size_t bytes = 0;
        for (const Piece& piece : pieces.all()) bytes += (piece.bytes + 15) / 16 * 16;
        return bytes;
    }
    Root* get() const { return reinterpret_cast<Root*>(block_.address); }
    void fetch() {
        setPointers();    // detaches
        runtime_.copyFrom(buffer_, block_.address, offsets_.back() + pieces_.all().back().bytes);
        for (std::size_t i = 0; i < offsets_.size(); ++i) {
            const Piece& piece = pieces_.all()[i];
            if (piece.isArray) std::memcpy(piece.host, buffer_ + offsets_[i], piece.bytes);
        }
    }

private:
    void setPointers() {
        addresses_.clear();
        pointers_.clear();
        for (std::size_t offset : offsets_) addresses_.push_back(block_.address + offset);
        for (std::size_t i = 1; i < offsets_.size(); ++i) {
            const Piece& piece = pieces_.all()[i];
            std::byte* place = addresses_[piece.parent] + piece.place;
            if constexpr (InOneBatch)
                pointers_.push_back({place, &addresses_[i], sizeof(std::byte*)});
            else
                runtime_.copyTo(place, &addresses_[i], sizeof(std::byte*));
        }
        runtime_.copyManyTo(pointers_);
    }

    detail::Runtime& runtime_;
    Pieces pieces_;
    detail::DeviceBlock block_;
    std::byte* buffer_;
    std::vector<std::size_t> offsets_;
    std::vector<std::byte*> addresses_;
    std::vector<detail::DevicePiece> pointers_;
};

}    // namespace ferry::bench
