#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace ferry::pmpi {

/// A text that travels in a fixed place, or lies in memory that processes share. Longer texts lose their ends.
template <std::size_t size>
class ShortText {
public:
    void set(std::string_view text) noexcept {
        const std::size_t count = std::min(text.size(), size - 1);
        std::copy_n(text.begin(), count, characters_.begin());
        characters_[count] = '\0';
    }
    std::string get() const { return {characters_.begin(), std::find(characters_.begin(), characters_.end() - 1, '\0')}; }

private:
    std::array<char, size> characters_{};
};

}    // namespace ferry::pmpi
