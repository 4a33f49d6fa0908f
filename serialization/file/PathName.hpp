#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace ferry::detail {

/// A class that holds the text of a path, such as std::filesystem::path.
template <class T>
concept HasPathText = requires(const T& path) {
    { path.native() } -> std::convertible_to<std::string_view>;
};
/// A class that holds a path, such as std::filesystem::directory_entry.
template <class T>
concept HasPath = requires(const T& holder) {
    { holder.path().native() } -> std::convertible_to<std::string_view>;
};

/// The path of a file as the parameter of a function. Callers give a text, a std::filesystem::path, or a class that holds one. So the
/// headers of Ferry do without <filesystem>. The constructors are implicit for these callers.
class PathName {
public:
    template <std::convertible_to<std::string_view> Text>
    // NOLINTNEXTLINE(google-explicit-constructor)
    PathName(const Text& text) : text_(std::string_view(text)) {}
    template <std::convertible_to<std::u8string_view> Text>
    // NOLINTNEXTLINE(google-explicit-constructor)
    PathName(const Text& text) {
        for (const char8_t unit : std::u8string_view(text)) text_ += static_cast<char>(unit);
    }
    template <HasPathText Path>
    // NOLINTNEXTLINE(google-explicit-constructor)
    PathName(const Path& path) : text_(path.native()) {}
    template <HasPath Holder>
        requires(!HasPathText<Holder>)
    // NOLINTNEXTLINE(google-explicit-constructor)
    PathName(const Holder& holder) : text_(holder.path().native()) {}

    const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

}    // namespace ferry::detail
