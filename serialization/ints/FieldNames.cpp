#include <ferry/serialization/ints/FieldNames.hpp>

namespace ferry::detail {

namespace {

/// Finds the first comma outside of all brackets.
std::size_t findComma(std::string_view names) noexcept {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool isArrow = names[i] == '>' && i != 0 && names[i - 1] == '-';
        if (std::string_view("([{<").find(names[i]) != std::string_view::npos) {
            ++depth;
        } else if (std::string_view(")]}>").find(names[i]) != std::string_view::npos) {
            if (!isArrow && depth != 0) --depth;
        } else if (names[i] == ',' && depth == 0) {
            return i;
        }
    }
    return std::string_view::npos;
}

}    // namespace

std::string_view fieldName(std::string_view names, std::size_t index) noexcept {
    for (std::size_t i = 0;; ++i) {
        const std::size_t comma = findComma(names);
        std::string_view name = names.substr(0, comma);
        while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        if (i == index) return name.empty() ? "?" : name;
        if (comma == std::string_view::npos) return "?";
        names.remove_prefix(comma + 1);
    }
}

}    // namespace ferry::detail
