#include <ferry/device/layout/StandardLayout.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

template <class T>
std::array<std::uintptr_t, sizeof(T) / sizeof(std::uintptr_t)> wordsOf(const T& object) noexcept {
    std::array<std::uintptr_t, sizeof(T) / sizeof(std::uintptr_t)> words;
    std::memcpy(words.data(), static_cast<const void*>(&object), sizeof(words));
    return words;
}

std::uintptr_t number(const void* pointer) noexcept { return reinterpret_cast<std::uintptr_t>(pointer); }

StandardLayout find() {
    StandardLayout layout;
    std::vector<int> vector{1, 2, 3};
    vector.reserve(8);
    if constexpr (sizeof(vector) == 24) {
        const auto words = wordsOf(vector);
        layout.vectorIsKnown = words[0] == number(vector.data()) && words[1] == number(vector.data() + vector.size()) &&
                               words[2] == number(vector.data() + vector.capacity());
    }
    const std::string large(100, 'x');
    const std::string small = "abc";
    if constexpr (sizeof(std::string) == 32) {
        const auto largeWords = wordsOf(large);
        const auto smallWords = wordsOf(small);
        layout.textIsKnown = largeWords[0] == number(large.data()) && largeWords[1] == large.size() && largeWords[2] == large.capacity() &&
                             smallWords[0] == number(small.data()) && number(small.data()) == number(&small) + 16 &&
                             smallWords[1] == small.size();
    }
    const std::span<const int> span(vector);
    const std::span<const int, 3> fixedSpan(vector);
    if constexpr (sizeof(span) == 16 && sizeof(fixedSpan) == 8) {
        const auto words = wordsOf(span);
        layout.spanIsKnown = words[0] == number(span.data()) && words[1] == span.size() && wordsOf(fixedSpan)[0] == words[0];
    }
    const std::string_view view(large);
    if constexpr (sizeof(view) == 16) {
        const auto words = wordsOf(view);
        layout.textViewPointer = words[0] == number(view.data()) ? 0 : 1;
        layout.textViewIsKnown = words[layout.textViewPointer] == number(view.data()) && words[1 - layout.textViewPointer] == view.size();
    }
    const auto unique = std::make_unique<int>(1);
    if constexpr (sizeof(unique) == 8) layout.uniqueIsKnown = wordsOf(unique)[0] == number(unique.get());
    return layout;
}

}    // namespace

const StandardLayout& StandardLayout::get() noexcept {
    static const StandardLayout& layout = *new StandardLayout(find());
    return layout;
}

void requireLayout(bool isKnown, const char* type) {
    if (isKnown) return;
    throw UsageError(std::string("an image holds objects of the standard library as they lie in memory, and the layout of ") + type +
                     " in this library is unknown: use a C array with ferry::arrayOf");
}

}    // namespace ferry::detail
