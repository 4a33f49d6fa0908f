#pragma once

#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>

#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace ferry::detail {

/// The properties of an exception of any class, thrown on this rank or elsewhere.
///
/// Ownership: an object made from a pointer keeps the exception alive, one made from a reference does not.
class Thrown {
public:
    /// The pointer must not be null.
    explicit Thrown(const std::exception_ptr& exception);
    explicit Thrown(const std::exception& exception);

    /// The exception as a ferry::Exception; null when it is none.
    const Exception* own() const noexcept { return own_; }
    /// The exception as a std::exception; null when it is none. Also null when its class has std::exception as a base more than once:
    /// `catch (const std::exception&)` does not catch such an exception.
    const std::exception* standard() const noexcept { return standard_; }
    /// The record of the throw; null when there is none.
    const ThrowRecord* record() const noexcept { return record_.get(); }
    const std::type_info& type() const noexcept { return *type_; }

    /// Whether the exception was thrown on another rank, or is a copy that came back from there.
    bool isRemote() const noexcept;
    /// The name of the class that was thrown, as its author wrote it, also when the class could not be rebuilt here.
    std::string typeName() const;
    /// The text of what(); for an exception without what(), a text in its place.
    const std::string& text() const noexcept { return text_; }
    /// The origin of the exception, with all that is known. For a local exception without a record: this place.
    Origin origin() const;
    /// The cause nested in the exception; null when there is none.
    std::exception_ptr cause() const;

    /// The exception as an E; null when a handler for E would not catch it.
    template <class E>
    const E* as() const {
        constexpr bool isRoot = std::is_same_v<E, std::exception>;    // a class with std::exception as a base twice is not caught as one
        if constexpr (std::is_polymorphic_v<E> && !isRoot) {
            if (standard_ != nullptr) return dynamic_cast<const E*>(standard_);
        }
        if (pointer_ == nullptr) {
            if constexpr (isRoot) return standard_;
            return nullptr;
        }
        try {
            std::rethrow_exception(pointer_);
        } catch (const E& exception) {
            return std::addressof(exception);    // the object itself, which the pointer keeps alive
        } catch (...) {
            return nullptr;
        }
    }

private:
    void look(const std::exception& exception);
    void lookAtType();

    std::exception_ptr pointer_;
    const Exception* own_ = nullptr;
    const std::exception* standard_ = nullptr;
    const std::nested_exception* nesting_ = nullptr;
    const std::type_info* type_ = nullptr;
    std::string text_;
    std::shared_ptr<const ThrowRecord> record_;
};

}    // namespace ferry::detail
