#include <ferry/framework/slave/KeptValue.hpp>

#include <utility>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

const Message& KeptValue::here(ClassId id, Make make) {
    const Message* object = read_.load(std::memory_order_acquire);
    if (object == nullptr) {
        const std::lock_guard lock(reading_);
        if (!object_) {
            if (!ints_) throw UsageError("a Ref gives its result in the handler of the task that has the Ref among its fields");
            object_ = make(ints_->ints().subspan(Envelope::sizeInts), factory_);
        }
        object = object_.get();
        read_.store(object, std::memory_order_release);
    }
    requireResultOf(id, "of this Ref", object->classId());
    return *object;
}

std::shared_ptr<const Message> KeptValue::bring(Make, Deadline) {
    throw UsageError("get() of a Ref brings a result to the master: a handler reads it by *ref or ref->");
}

void KeptValue::setObject(std::shared_ptr<const Message> object) noexcept {
    const std::lock_guard lock(reading_);
    object_ = std::move(object);
    read_.store(object_.get(), std::memory_order_release);
}

void KeptValue::dropAll() noexcept {
    dropObject();
    ints_.reset();
}

std::size_t KeptValue::bytes() const noexcept {
    if (!ints_) return 0;
    return ints_->size() * sizeof(std::int32_t) * (hasObject() ? 2 : 1);
}

}    // namespace ferry::detail
