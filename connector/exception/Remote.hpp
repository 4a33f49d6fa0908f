#pragma once

#include <exception>
#include <string>
#include <utility>

#include <ferry/serialization/exception/Origin.hpp>

namespace ferry {

/// The facts that an exception of a foreign class (no ferry::Exception) brings along from the rank that threw it.
class RemoteInformation {
public:
    RemoteInformation(Origin origin, std::string text, std::string typeName)
        : origin_(std::move(origin)),
          text_(std::move(text)),
          typeName_(std::move(typeName)) {}
    RemoteInformation(const RemoteInformation&) = default;
    RemoteInformation& operator=(const RemoteInformation&) = default;
    virtual ~RemoteInformation() = default;

    const Origin& origin() const noexcept { return origin_; }

    /// The text of what() at the throw.
    const std::string& text() const noexcept { return text_; }

    /// The name of the class that was thrown. The class may be derived from E, and unknown on this rank.
    const std::string& typeName() const noexcept { return typeName_; }

private:
    Origin origin_;
    std::string text_;
    std::string typeName_;
};

/// An exception of class E that was thrown on another rank. `catch (const E&)` catches the exception, and what() is the text of the
/// throwing rank. For classes whose what() changes when an object is made again, such as std::system_error.
template <class E>
class Remote : public E, public RemoteInformation {
public:
    template <class... Arguments>
    explicit Remote(RemoteInformation information, Arguments&&... arguments)
        : E(std::forward<Arguments>(arguments)...),
          RemoteInformation(std::move(information)) {}

    const char* what() const noexcept override { return text().c_str(); }
};

/// The place where an exception was thrown on another rank. Null for an exception of this rank, and for a copy of a foreign exception.
const Origin* originOf(const std::exception& exception) noexcept;

/// The name of the class that was thrown, as its author wrote it.
std::string typeNameOf(const std::exception& exception);

}    // namespace ferry
