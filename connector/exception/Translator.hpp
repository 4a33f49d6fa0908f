#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <ferry/connector/exception/Remote.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/IntWriter.hpp>

namespace ferry {

/// Throws the exception; with a cause, such that std::rethrow_if_nested finds it.
template <class E>
[[noreturn]] void throwWithCause(E exception, const std::exception_ptr& cause) {
    if (!cause) throw exception;
    try {
        std::rethrow_exception(cause);
    } catch (...) {
        std::throw_with_nested(std::move(exception));
    }
}

/// Knows how exceptions of foreign classes (the standard library's, other libraries') travel: an open list, to which a program adds.
///
/// Threads: adding and looking up are safe from any thread.
class Translator {
public:
    /// How one foreign class travels.
    struct Entry {
        std::string name;    ///< on the wire; frozen once released
        std::type_index type;
        std::size_t depth;    ///< distance from std::exception, so that the most derived class that fits is chosen
        std::function<bool(const std::exception&)> fits;
        std::function<void(IntWriter&, const std::exception&)> write;
        /// Throws the exception anew, with its cause nested.
        std::function<void(IntReader&, RemoteInformation, const std::exception_ptr&)> raise;
    };

    /// The list of this process; it holds the standard exception classes from the beginning.
    static Translator& global();

    /// An empty list.
    Translator() = default;

    /// Adds class E, derived from Base, which is std::exception or was added before. write puts E's own data on the stream
    /// (`void(IntWriter&, const E&)`), make reads it back (`Remote<E>(IntReader&, RemoteInformation)`). Repeating it changes nothing.
    template <class E, class Base, class Write, class Make>
    void add(std::string name, Write write, Make make) {
        static_assert(std::is_base_of_v<std::exception, E>, "a foreign exception class must derive from std::exception");
        static_assert(std::is_base_of_v<Base, E>, "Base must be a base class of E");
        insert(Entry{std::move(name), typeid(E), 0, isA<E>,
                     [write](IntWriter& out, const std::exception& exception) { write(out, dynamic_cast<const E&>(exception)); },
                     [make](IntReader& in, RemoteInformation information, const std::exception_ptr& cause) {
                         throwWithCause(make(in, std::move(information)), cause);
                     }},
               typeid(Base));
    }

    /// Adds a class that is made from its text alone, or from nothing.
    template <class E, class Base>
    void add(std::string name) {
        add<E, Base>(
            std::move(name), [](IntWriter&, const E&) {},
            [](IntReader&, RemoteInformation information) {
                if constexpr (std::is_constructible_v<E, std::string>) {
                    const std::string text = information.text();
                    return Remote<E>(std::move(information), text);
                } else {
                    return Remote<E>(std::move(information));
                }
            });
    }

    /// The most derived known class that fits the exception; null only in a list without std::exception.
    std::shared_ptr<const Entry> nearest(const std::exception& exception) const;

    /// The entry of that name; null when there is none.
    std::shared_ptr<const Entry> find(std::string_view name) const;

private:
    template <class E>
    static bool isA(const std::exception& exception) {
        if constexpr (std::is_same_v<E, std::exception>) {
            return true;
        } else {
            return dynamic_cast<const E*>(&exception) != nullptr;
        }
    }

    void insert(Entry entry, std::type_index base);

    mutable std::shared_mutex mutex_;
    std::vector<std::shared_ptr<const Entry>> entries_;    ///< most derived first
};

}    // namespace ferry
