#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <ferry/framework/slave/Ref.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// One result on a slave, as the Refs of the slave's tasks see it. A result consists of ints. The object is read from the ints when a
/// handler first asks for it.
///
/// Ownership: shared by the KeptStore and by Refs, which keep it in memory. Threads: here() on any; the others on the slave's.
class KeptValue final : public RefTarget {
public:
    /// The factory must outlive the object.
    KeptValue(std::int32_t number, const ObjectFactory& factory) : number_(number), factory_(factory) {}

    std::int32_t number() const noexcept override { return number_; }
    const Message& here(ClassId id, Make make) override;
    std::shared_ptr<const Message> bring(Make make, Deadline deadline) override;

    bool isHere() const noexcept { return ints_ != nullptr; }
    /// A letter that begins with an envelope, and then has the class ID and the ints of the result.
    const std::shared_ptr<const IntBuffer>& ints() const noexcept { return ints_; }
    void setInts(std::shared_ptr<const IntBuffer> ints) noexcept { ints_ = std::move(ints); }
    /// Sets the object whose ints these are.
    void setObject(std::shared_ptr<const Message> object) noexcept;
    bool hasObject() const noexcept { return read_.load(std::memory_order_acquire) != nullptr; }
    /// Frees the object, or all memory of the result. No Ref may refer to it.
    void dropObject() noexcept { setObject(nullptr); }
    void dropAll() noexcept;

    /// The memory of the result, about: an object counts as its ints.
    std::size_t bytes() const noexcept;

private:
    const std::int32_t number_;
    const ObjectFactory& factory_;
    std::shared_ptr<const IntBuffer> ints_;    ///< null: the result is not in memory
    std::mutex reading_;
    std::shared_ptr<const Message> object_;
    std::atomic<const Message*> read_{nullptr};    ///< object_, for readers without a lock
};

}    // namespace ferry::detail
