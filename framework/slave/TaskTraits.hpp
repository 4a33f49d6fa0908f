#pragma once

#include <type_traits>
#include <utility>

#include <ferry/connector/message/Message.hpp>
#include <ferry/framework/slave/Done.hpp>
#include <ferry/framework/slave/Task.hpp>

// Compile-time checks of tasks and their handlers. Each mistake gives one error, whose lines name the class in question.

namespace ferry {

template <class T>
concept NamesItsReply = requires {
    typename T::Reply;
};

/// Checks a class of tasks: a message that can arrive and that names its reply.
template <class T>
struct TaskTraits {
    static constexpr bool isMessage = std::is_base_of_v<Message, T>;
    static constexpr bool isReceivable = ReceivableMessage<T>;
    static constexpr bool hasReply = NamesItsReply<T>;
    static constexpr bool isSound = isMessage && isReceivable && hasReply;

    static_assert(isMessage, "ferry: a task must derive from ferry::Message");
    static_assert(!isMessage || isReceivable,
                  "ferry: a task needs, in its public part, FERRY_CLASS(...) of its own, FERRY_FIELDS(...), and a default constructor");
    static_assert(!isMessage || !isReceivable || hasReply,
                  "ferry: a task names what its handler returns: add `using Reply = SomeMessage;` to the public part of its class, or "
                  "`using Reply = ferry::Done;` when it returns nothing");
};

namespace detail {

/// The reply of a task class. Done replaces a missing reply, so that no second error follows.
template <class T>
struct ReplyOf {
    using Type = Done;
};

template <class T>
    requires(TaskTraits<T>::isSound)
struct ReplyOf<T> {
    using Type = typename T::Reply;
    static_assert(
        ReceivableMessage<Type>,
        "ferry: the Reply of a task is a message: derived from ferry::Message, with FERRY_CLASS(...) of its own, FERRY_FIELDS(...) "
        "and a default constructor");
};

}    // namespace detail

/// The class of the replies to a class of tasks.
template <class T>
using ReplyOf = typename detail::ReplyOf<T>::Type;

/// Checks a handler for a class of tasks. The handler is called as a constant, since with threads all slaves share it.
template <class Request, class Handler>
struct HandlerTraits {
    using Reply = ReplyOf<Request>;

    static constexpr bool takesTask = std::is_invocable_v<const Handler&, const Request&, Task&>;
    static constexpr bool isCallable = takesTask || std::is_invocable_v<const Handler&, const Request&>;

    static decltype(auto) call(const Handler& handler, const Request& request, Task& task) {
        if constexpr (takesTask) {
            return handler(request, task);
        } else if constexpr (isCallable) {
            return handler(request);
        }
    }

    using Result = decltype(call(std::declval<const Handler&>(), std::declval<const Request&>(), std::declval<Task&>()));

    static constexpr bool returnsNothing = std::is_void_v<Result>;
    static constexpr bool answers = returnsNothing ? std::is_same_v<Reply, Done> : std::is_convertible_v<Result, Reply>;
    static constexpr bool isSound = TaskTraits<Request>::isSound && isCallable && answers;

    // Only the first of several mistakes is reported.
    static constexpr bool isAsked = TaskTraits<Request>::isSound && isCallable;
    static_assert(isCallable, "ferry: a handler takes (const Request&) or (const Request&, ferry::Task&), and is no mutable lambda");
    static_assert(!isAsked || !returnsNothing || answers,
                  "ferry: a handler that returns nothing needs `using Reply = ferry::Done;` in the class of its task");
    static_assert(!isAsked || returnsNothing || answers, "ferry: a handler returns the Reply of its task");
};

}    // namespace ferry
