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

    /// what() of the exception as it was thrown.
    const std::string& text() const noexcept { return text_; }

    /// The class that was thrown, which may be a derived one that this rank does not know.
    const std::string& typeName() const noexcept { return typeName_; }

private:
    Origin origin_;
    std::string text_;
    std::string typeName_;
};

/// An exception of class E that was thrown on another rank, for classes that do not say the same again when they are made anew, such as
/// std::system_error: `catch (const E&)` catches it, what() is what the thrower wrote.
template <class E>
class Remote : public E, public RemoteInformation {
public:
    template <class... Arguments>
    explicit Remote(RemoteInformation information, Arguments&&... arguments)
        : E(std::forward<Arguments>(arguments)...),
          RemoteInformation(std::move(information)) {}

    const char* what() const noexcept override { return text().c_str(); }
};

/// Where an exception came from: null for one that was thrown on this rank, and for a copy of a foreign exception.
const Origin* originOf(const std::exception& exception) noexcept;

/// The name of the class that was thrown, as its author wrote it.
std::string typeNameOf(const std::exception& exception);

}    // namespace ferry
