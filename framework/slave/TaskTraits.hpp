#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/framework/slave/Done.hpp>

// Compile-time checks of tasks and their handlers. Each mistake gives one error, whose lines name the class in question.

namespace ferry {

class Task;
class Team;

}    // namespace ferry

namespace ferry::detail {

template <class T>
concept NamesItsReply = requires {
    typename T::Reply;
};

/// Whether a task can be sent and received. For a value that cannot, the compiler says why.
template <class T, bool isWhole>
consteval bool isTravellingTask() {
    if constexpr (!isWhole) {
        return false;
    } else if constexpr (std::is_base_of_v<Message, T>) {
        return true;
    } else {
        return isTransportable<T>();
    }
}

/// Checks a class of tasks: a message that can arrive, or a class whose objects travel as values. Either names its reply.
template <class T>
struct TaskTraits {
    static constexpr bool isClass = std::is_class_v<T>;
    static constexpr bool isMessage = std::is_base_of_v<Message, T>;
    static constexpr bool isReceivable = !isMessage || ReceivableMessage<T>;
    static constexpr bool hasReply = NamesItsReply<T>;

    static_assert(isClass, "ferry: a task is an object of a class: a struct that names its Reply, or a ferry::Message");
    static_assert(isReceivable,
                  "ferry: a task needs, in its public part, FERRY_CLASS(...) of its own, FERRY_FIELDS(...), and a default constructor");
    static_assert(!isClass || !isReceivable || hasReply,
                  "ferry: a task names what its handler returns: add `using Reply = SomeMessage;` to the public part of its class, or "
                  "`using Reply = long;` or any other type that travels, or `using Reply = ferry::Done;` when it returns nothing");

    static constexpr bool isWhole = isClass && isReceivable && hasReply;
    static constexpr bool isSound = detail::isTravellingTask<T, isWhole>();
};

/// Checks the Reply of a task. If it cannot travel, the compiler says why.
template <class Reply>
consteval bool isReply() {
    if constexpr (std::is_void_v<Reply>) {
        return true;
    } else if constexpr (std::is_base_of_v<Message, Reply>) {
        static_assert(
            ReceivableMessage<Reply>,
            "ferry: the Reply of a task that is a message needs FERRY_CLASS(...) of its own, FERRY_FIELDS(...) and a default constructor");
        return ReceivableMessage<Reply>;
    } else {
        constexpr bool canBeMoved = std::is_move_constructible_v<Reply>;
        static_assert(canBeMoved, "ferry: the Reply of a task (see Reply) is what get() of its future returns, so it must be movable");
        return isTransportable<Reply>() && canBeMoved;
    }
}

/// The reply of a task class. Done replaces a missing reply, so that no second error follows.
template <class T>
struct ReplyType {
    static constexpr bool isSound = false;
    using Type = Done;
};

template <class T>
    requires(TaskTraits<T>::isSound)
struct ReplyType<T> {
    using Named = std::remove_cv_t<typename T::Reply>;
    static constexpr bool isSound = isReply<Named>();
    using Type = std::conditional_t<isSound, Named, Done>;
};

/// Whether a number of one type holds all values of the other type.
template <class Number, class Other>
consteval bool holdsAll() {
    using To = std::numeric_limits<Number>;
    using From = std::numeric_limits<Other>;
    if constexpr (std::is_same_v<Number, Other>) {
        return true;
    } else if constexpr (std::is_same_v<Number, bool> || (To::is_integer && !From::is_integer)) {
        return false;
    } else {
        return To::digits >= From::digits && (To::is_signed || !From::is_signed) &&
               (From::is_integer || To::max_exponent >= From::max_exponent);
    }
}

/// Whether a handler's result becomes the reply without a loss.
template <class Result, class Reply>
consteval bool isReplyFrom() {
    if constexpr (std::is_void_v<Result>) {
        return std::is_void_v<Reply> || std::is_same_v<Reply, Done>;
    } else if constexpr (std::is_void_v<Reply>) {
        return false;
    } else if constexpr (!std::is_arithmetic_v<Reply>) {
        return std::is_convertible_v<Result, Reply>;
    } else if constexpr (std::is_arithmetic_v<std::remove_cvref_t<Result>>) {
        return holdsAll<Reply, std::remove_cvref_t<Result>>();
    } else {
        return false;
    }
}

/// The type of the replies to a class of tasks. void: the tasks have no result.
template <class T>
using ReplyOf = typename detail::ReplyType<T>::Type;

/// Whether a result of this type can stay with its slave.
template <class Reply>
consteval bool isKeepable() {
    constexpr bool isResult = !std::is_void_v<Reply> && !std::is_same_v<Reply, Done>;
    static_assert(isResult, "ferry: a task without a result has nothing that stays with a slave: submit it without ferry::Keep{}");
    return isResult;
}

/// Checks a handler for a class of tasks. The handler is called as a constant, since with threads all slaves share it.
template <class Request, class Handler>
struct HandlerTraits {
    using Reply = ReplyOf<Request>;

    static constexpr bool takesTask = std::is_invocable_v<const Handler&, const Request&, Task&>;
    static constexpr bool takesTeam = !takesTask && std::is_invocable_v<const Handler&, const Request&, Team&>;
    static constexpr bool isCallable = takesTask || takesTeam || std::is_invocable_v<const Handler&, const Request&>;

    /// team: null for a handler that takes none.
    static decltype(auto) call(const Handler& handler, const Request& request, Task& task, Team* team) {
        if constexpr (takesTask) {
            return handler(request, task);
        } else if constexpr (takesTeam) {
            return handler(request, *team);
        } else if constexpr (isCallable) {
            return handler(request);
        }
    }

    using Result =
        decltype(call(std::declval<const Handler&>(), std::declval<const Request&>(), std::declval<Task&>(), std::declval<Team*>()));

    static constexpr bool returnsNothing = std::is_void_v<Result>;
    static constexpr bool answers = detail::isReplyFrom<Result, Reply>();
    static constexpr bool isSound = detail::ReplyType<Request>::isSound && isCallable && answers;

    // Only the first of several mistakes is reported.
    static constexpr bool isAsked = detail::ReplyType<Request>::isSound && isCallable;
    static_assert(isCallable,
                  "ferry: a handler takes (const Request&), (const Request&, ferry::Task&) or (const Request&, ferry::Team&), and is no "
                  "mutable lambda");
    static_assert(!isAsked || !returnsNothing || answers,
                  "ferry: a handler that returns nothing needs `using Reply = ferry::Done;` in the class of its task");
    static_assert(!isAsked || returnsNothing || answers || std::is_void_v<Reply>,
                  "ferry: a handler returns the Reply of its task (see Request and Handler in the lines near this one)");
    static_assert(!isAsked || returnsNothing || answers || !std::is_void_v<Reply>,
                  "ferry: a handler of a task with `using Reply = void;` returns nothing");
};

}    // namespace ferry::detail
