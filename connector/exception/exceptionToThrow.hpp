#pragma once

#include <exception>
#include <type_traits>
#include <typeinfo>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::detail {

/// Throws a UsageError: the exception is known only by a base class.
[[noreturn]] void refuseBaseOfException();

/// The exception that is to be thrown on another rank, with its dynamic class. A standard exception, or one whose class has no
/// FERRY_EXCEPTION, that is known only by a base class is passed on whole within its handler. Elsewhere it is refused with UsageError.
template <class E>
std::exception_ptr exceptionToThrow(const E& exception) {
    constexpr bool canBeCopied = std::is_base_of_v<Exception, E> || std::is_copy_constructible_v<E>;
    static_assert(canBeCopied, "ferry: an exception that is thrown on another rank is copied, but its class (see E) cannot be copied");
    static_assert(!std::is_pointer_v<E>, "ferry: a pointer (see E) leads to nothing on another rank: pass the exception itself");
    if constexpr (!canBeCopied || std::is_pointer_v<E>) {
        return nullptr;
    } else if constexpr (std::is_base_of_v<Exception, E>) {
        const Exception& own = exception;
        const std::exception_ptr held = handled(own);
        const bool isNested = dynamic_cast<const std::nested_exception*>(&own) != nullptr;    // of a class of std::throw_with_nested
        if (held || isNested || own.classType() == typeid(exception)) return held ? held : raised(own);
        // A class without FERRY_EXCEPTION: raise() would throw its base class.
        if (typeid(exception) != typeid(E)) refuseBaseOfException();
        if constexpr (std::is_copy_constructible_v<E>)
            return std::make_exception_ptr(exception);
        else
            return raised(own);
    } else if constexpr (std::is_convertible_v<const E*, const std::exception*>) {
        const std::exception_ptr held = handled(exception);
        if (!held && typeid(exception) != typeid(E)) refuseBaseOfException();
        return held ? held : std::make_exception_ptr(exception);
    } else {
        return std::make_exception_ptr(exception);
    }
}

}    // namespace ferry::detail
