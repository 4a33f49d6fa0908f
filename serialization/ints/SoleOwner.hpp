#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace ferry::detail {

/// Owns an object, as std::unique_ptr does, for private members of classes in headers for users. g++ takes 6 ms to compile a
/// std::unique_ptr of one more class, and next to nothing for this template.
template <class T, class Delete = std::default_delete<T>>
class SoleOwner {
public:
    SoleOwner() noexcept = default;
    SoleOwner(std::nullptr_t) noexcept {}    // implicit: owns nothing
    SoleOwner(SoleOwner&& other) noexcept : object_(other.release()) {}
    SoleOwner& operator=(SoleOwner&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~SoleOwner() { reset(); }

    /// Makes an object of T, or of a class derived from it, from the arguments.
    template <class Made = T, class... Arguments>
    static SoleOwner make(Arguments&&... arguments) {
        SoleOwner owner;
        owner.object_ = std::make_unique<Made>(std::forward<Arguments>(arguments)...).release();
        return owner;
    }

    T* get() const noexcept { return object_; }
    T& operator*() const noexcept { return *object_; }
    T* operator->() const noexcept { return object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }
    bool operator==(std::nullptr_t) const noexcept { return object_ == nullptr; }

    /// Ends the object, and owns the other one from now on.
    void reset(T* object = nullptr) noexcept {
        if (T* const before = std::exchange(object_, object); before != nullptr) Delete()(before);
    }
    T* release() noexcept { return std::exchange(object_, nullptr); }

private:
    T* object_ = nullptr;
};

}    // namespace ferry::detail
