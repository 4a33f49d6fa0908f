#pragma once

#include <concepts>
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
#include <ferry/connector/exception/Rethrow.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/platform/TextAt.hpp>

namespace ferry {

/// The list of foreign exception classes that can travel: classes that are no ferry::Exception, of the standard library, other libraries or
/// the program itself. A program can add classes.
///
/// Threads: adding and looking up are safe from any thread.
class Translator {
public:
    /// One foreign class, and how it travels.
    struct Entry {
        std::string name;    ///< name on the wire; frozen once released
        std::type_index type;
        std::size_t depth;    ///< distance from std::exception, so that the most derived class that fits is chosen
        std::function<bool(const detail::Thrown&)> fits;
        std::function<std::string(const detail::Thrown&)> text;
        std::function<void(IntWriter&, const detail::Thrown&)> write;
        /// Throws the exception again, with its cause nested.
        std::function<void(IntReader&, RemoteInformation, const std::exception_ptr&)> raise;
        /// The fields of FERRY_FIELDS as texts, for reports.
        std::function<std::vector<detail::ContextEntry>(const detail::Thrown&)> fieldTexts;
    };

    /// The list of this process; it holds the standard exception classes from the beginning.
    static Translator& global();

    /// An empty list.
    Translator() = default;

    /// Adds class E, whose nearest base class in the list is Base (std::exception for a class that has none). write puts E's own data on
    /// the stream: `void(IntWriter&, const E&)`. make reads the data back: `E(IntReader&, const RemoteInformation&)`. Where a new E cannot
    /// have the same what(), make is `Remote<E>(IntReader&, RemoteInformation)`. A second call for the same class changes nothing.
    /// Errors: UsageError when another class has that name.
    template <class E, class Base = std::exception, class Write, class Make>
    void add(std::string name, Write write, Make make) {
        addEntry<E, Base>(std::move(name), std::move(write),
                          [make](IntReader& in, RemoteInformation information, const std::exception_ptr& cause) {
                              detail::ThrowRecord record = recordOf(information, cause);
                              auto made = make(in, std::move(information));
                              in.expectEnd();
                              detail::throwRebuilt(std::move(made), std::move(record));
                          });
    }

    /// Adds a class that is made from its text, or by its default constructor. If the class has FERRY_FIELDS, its fields travel. The
    /// exception arrives as an E when its what() is the same again, else as a Remote<E>. A final class always arrives as an E.
    template <class E, class Base = std::exception>
    void add(std::string name) {
        const auto write = [](IntWriter& out, const E& exception) {
            if constexpr (hasFields<E>) exception.writeToInts(out);
        };
        addEntry<E, Base>(std::move(name), write, raiseFromText<E>);
    }

    /// The entries that fit the exception, the nearest class first.
    std::vector<std::shared_ptr<const Entry>> fitting(const detail::Thrown& exception) const;

    /// The fields of an exception as texts, for reports. For a foreign exception those of the nearest class in the list.
    std::vector<detail::ContextEntry> fieldTexts(const detail::Thrown& exception) const;

    /// The entry of that name; null when there is none.
    std::shared_ptr<const Entry> find(std::string_view name) const;

private:
    template <class E>
    static constexpr bool hasFields = requires(const E& constant, E& value, IntWriter& out, IntReader& in) {
        constant.writeToInts(out);
        value.readFromInts(in);
    };

    template <class E>
    static constexpr bool hasText = requires(const E& exception) {
        { exception.what() } -> std::convertible_to<const char*>;
    };

    template <class E, class Base, class Write, class Raise>
    void addEntry(std::string name, Write write, Raise raise) {
        static_assert(std::is_class_v<E>, "a thrown value that is no object of a class arrives as an UnknownException");
        static_assert(std::is_same_v<Base, std::exception> || std::is_base_of_v<Base, E>, "Base must be a base class of E");
        insert(Entry{std::move(name), typeid(E), 0, isA<E>, textOf<E>,
                     [write](IntWriter& out, const detail::Thrown& exception) { write(out, *exception.as<E>()); }, std::move(raise),
                     [](const detail::Thrown& exception) { return detail::fieldTextsOf(*exception.as<E>()); }},
               typeid(Base));
    }

    template <class E>
    static bool isA(const detail::Thrown& exception) {
        if constexpr (std::is_same_v<E, std::exception>) {
            return exception.standard() != nullptr;
        } else {
            return exception.as<E>() != nullptr;
        }
    }

    template <class E>
    static std::string textOf(const detail::Thrown& exception) {
        if constexpr (hasText<E>) {
            if (const char* text = exception.as<E>()->what()) return detail::textAt(text);
        }
        return exception.text();
    }

    static detail::ThrowRecord recordOf(const RemoteInformation& information, const std::exception_ptr& cause);

    template <class E>
    static void raiseFromText(IntReader& in, RemoteInformation information, const std::exception_ptr& cause) {
        detail::ThrowRecord record = recordOf(information, cause);
        E exception = [&] {
            if constexpr (std::is_constructible_v<E, std::string>) {
                return E(information.text());
            } else {
                return E();
            }
        }();
        if constexpr (hasFields<E>) exception.readFromInts(in);
        in.expectEnd();
        if constexpr (hasText<E> && !std::is_final_v<E>) {
            if (information.text() != exception.what())
                detail::throwRebuilt(Remote<E>(std::move(information), std::move(exception)), std::move(record));
        }
        detail::throwRebuilt(std::move(exception), std::move(record));
    }

    void insert(Entry entry, std::type_index base);

    mutable std::shared_mutex mutex_;
    std::vector<std::shared_ptr<const Entry>> entries_;    ///< most derived first
};

}    // namespace ferry
