#include <ferry/serialization/FieldNames.hpp>

namespace ferry {

std::string_view fieldName(std::string_view names, std::size_t index) noexcept {
    for (std::size_t i = 0;; ++i) {
        const std::size_t comma = names.find(',');
        std::string_view name = names.substr(0, comma);
        while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        if (i == index) return name.empty() ? "?" : name;
        if (comma == std::string_view::npos) return "?";
        names.remove_prefix(comma + 1);
    }
}

}    // namespace ferry
