#pragma once

#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/exception/FieldTexts.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/ThrowPlace.hpp>
#include <ferry/serialization/ints/IntSerializableObject.hpp>

namespace ferry {

/// The possible reaction of a handler to an exception.
enum class ErrorKind {
    Bug,            ///< a mistake in a program: report it
    BadData,        ///< a message or file is damaged or hostile: drop it
    Transport,      ///< a peer or the network failed: stop or reconnect
    Unsupported,    ///< something is not registered or not available here: fix the set-up
    Application,    ///< as the application decides
};

/// Root class of all exceptions that travel with their own type and data.
///
/// A subclass has FERRY_EXCEPTION(Name) in its public part, and FERRY_FIELDS for its own data. Text and origin travel separately.
/// writeToInts writes only the data of subclasses.
/// Ownership: copies share text, origin and cause, so that copying does not throw.
class Exception : public std::exception, public IntSerializableObject {
public:
    /// Makes an exception without text and origin, into which a reader can read.
    Exception() noexcept = default;
    /// The origin is this thread at this time, without a line. FERRY_THROW adds the line.
    explicit Exception(std::string text);

    static constexpr const char* ferryClassName() noexcept { return "ferry::Exception"; }
    detail::ClassId classId() const override { return detail::classIdFor<Exception>; }
    const char* className() const override { return ferryClassName(); }
    const std::type_info& classType() const override { return typeid(Exception); }
    void writeToInts(IntWriter&) const override {}
    void readFromInts(IntReader&) override {}

    /// The text of the thrower.
    const char* what() const noexcept override;
    const Origin& origin() const noexcept;
    /// Whether the exception was thrown in another process and rebuilt here.
    bool isRemote() const noexcept;
    void setOrigin(Origin origin);
    /// For the receiving side: sets text and origin and marks the exception as remote. typeName: the class that was thrown, if it is not
    /// this class.
    void restore(std::string text, Origin origin, std::string typeName = {});
    /// The name of the thrown class, if that class could not be rebuilt. Empty otherwise.
    const std::string& remoteTypeName() const noexcept;

    /// The exception that led to this one, or null.
    std::exception_ptr cause() const noexcept;
    void setCause(std::exception_ptr cause);

    virtual ErrorKind kind() const noexcept { return ErrorKind::Application; }
    /// Whether the process that threw can do no more of such work, for example because its device is lost. A slave whose handler throws
    /// such an exception ends as by a death, where the job survives deaths: its task goes to another slave. Elsewhere the task fails with
    /// the exception.
    virtual bool costsProcess() const noexcept { return false; }

    /// The fields of FERRY_FIELDS as names and texts, for reports. FERRY_EXCEPTION makes it.
    virtual std::vector<detail::ContextEntry> ferryFieldTexts() const { return {}; }

    /// Throws a copy with the dynamic type. If there is a cause, std::rethrow_if_nested finds it in the thrown object.
    [[noreturn]] virtual void raise() const;

protected:
    void setText(std::string text);

private:
    struct State;

    State& ownState();

    std::shared_ptr<const State> state_;    // null: no text, no origin; copies share it; never changed while shared
};

namespace detail {

template <class T>
[[noreturn]] void raiseCopy(const T& exception) {
    const std::exception_ptr cause = exception.cause();
    if (cause == nullptr) throw T(exception);
    try {
        std::rethrow_exception(cause);
    } catch (...) {
        std::throw_with_nested(T(exception));
    }
}

/// Returns the exception with the place of the throw in it. For a foreign exception class, the following throw notes the place in its
/// record.
template <class T>
std::remove_cvref_t<T> withThrowPoint(T&& exception, const char* file, int line) {
    if constexpr (std::is_base_of_v<Exception, std::remove_cvref_t<T>>) {
        std::remove_cvref_t<T> located(std::forward<T>(exception));
        located.setOrigin(Origin::here(file, line));
        return located;
    } else {
        announceThrow({file, line});
        return std::forward<T>(exception);
    }
}

}    // namespace detail

}    // namespace ferry

/// FERRY_EXCEPTION(TooBig), in the public part of a class derived from ferry::Exception. Does the work of FERRY_CLASS, and lets the
/// exception be rethrown with its type.
#define FERRY_EXCEPTION(Class_) \
    FERRY_CLASS(Class_)         \
    FERRY_EXCEPTION_IMPLEMENTATION

#define FERRY_EXCEPTION_IMPLEMENTATION                                              \
    [[noreturn]] void raise() const override { ::ferry::detail::raiseCopy(*this); } \
    ::std::vector<::ferry::detail::ContextEntry> ferryFieldTexts() const override { return ::ferry::detail::fieldTextsOf(*this); }

/// FERRY_EXCEPTION with a wire name of its own, like FERRY_CLASS_NAMED.
#define FERRY_EXCEPTION_NAMED(Class_, wireName_) \
    FERRY_CLASS_NAMED(Class_, wireName_)         \
    FERRY_EXCEPTION_IMPLEMENTATION

/// FERRY_EXCEPTION in two parts, like FERRY_CLASS_DECLARED and FERRY_CLASS_DEFINED.
#define FERRY_EXCEPTION_DECLARED(Class_)      \
    FERRY_CLASS_DECLARED(Class_)              \
    [[noreturn]] void raise() const override; \
    ::std::vector<::ferry::detail::ContextEntry> ferryFieldTexts() const override;

/// FERRY_EXCEPTION_NAMED in two parts. The second part is FERRY_EXCEPTION_DEFINED(TooBig).
#define FERRY_EXCEPTION_NAMED_DECLARED(Class_, wireName_) \
    FERRY_CLASS_NAMED_DECLARED(Class_, wireName_)         \
    [[noreturn]] void raise() const override;             \
    ::std::vector<::ferry::detail::ContextEntry> ferryFieldTexts() const override;

#define FERRY_EXCEPTION_DEFINED(Class_)                               \
    FERRY_CLASS_DEFINED(Class_)                                       \
    void Class_::raise() const { ::ferry::detail::raiseCopy(*this); } \
    ::std::vector<::ferry::detail::ContextEntry> Class_::ferryFieldTexts() const { return ::ferry::detail::fieldTextsOf(*this); }

/// Throws an exception of any class, with this file and line as its origin: FERRY_THROW(TooBig(30)). Used like throw.
#define FERRY_THROW(...) throw ::ferry::detail::withThrowPoint((__VA_ARGS__), __FILE__, __LINE__)
