#pragma once

#include <cxxabi.h>
#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/exception/ThrowRecord.hpp>

// Exceptions of classes that do not know Ferry are thrown again with a record beside the object. The record says where they come from.

namespace ferry::detail {

/// An exception in which the exception being handled is nested, as std::throw_with_nested makes it.
template <class E>
class WithCause : public E, public std::nested_exception {
public:
    explicit WithCause(E&& rebuilt) : E(std::move(rebuilt)) {}
};

template <class E>
void destroyNoted(void* object) {
    const auto record = forgetThrow(object);    // the cause is released after the object, which may hold the cause too
    std::destroy_at(static_cast<E*>(object));
}

/// Throws as `throw exception` does, but with a destructor that also removes the record.
template <class E>
[[noreturn]] void throwNoted(E exception, ThrowRecord record) {
    static_assert(alignof(E) <= alignof(std::max_align_t), "the C++ runtime aligns exceptions for the fundamental types only");
    void* object = abi::__cxa_allocate_exception(sizeof(E));
    E* thrown = nullptr;
    try {
        thrown = std::construct_at(static_cast<E*>(object), std::move(exception));
        noteThrow(object, std::move(record));
    } catch (...) {
        if (thrown != nullptr) std::destroy_at(thrown);
        abi::__cxa_free_exception(object);
        throw;
    }
    abi::__cxa_throw(object, const_cast<std::type_info*>(&typeid(E)), destroyNoted<E>);
}

/// Throws the exception with this record. The cause is nested, so that std::rethrow_if_nested finds it. Nothing can be nested in a final
/// class: causeOf() finds its cause in the record.
template <class E>
[[noreturn]] void throwRebuilt(E exception, ThrowRecord record) {
    const std::exception_ptr cause = record.cause.get();
    if constexpr (!std::is_final_v<E> && !std::is_base_of_v<std::nested_exception, E>) {
        if (cause) {
            try {
                std::rethrow_exception(cause);
            } catch (...) {
                throwNoted(WithCause<E>(std::move(exception)), std::move(record));
            }
        }
    }
    throwNoted(std::move(exception), std::move(record));
}

}    // namespace ferry::detail
