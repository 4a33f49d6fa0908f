#include <ferry/serialization/exception/LastThrow.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

struct Kept {
    std::atomic<bool> isOn{false};
    std::atomic<bool> isThere{false};
    std::mutex mutex;
    const std::type_info* type = nullptr;
    std::string text;
    std::shared_ptr<const ThrowRecord> record;
    std::array<char, LastThrow::shortTextBytes> shortText{};    // the last byte stays zero
};

Kept& kept() {
    static Kept& one = *new Kept;    // never destroyed: exceptions are thrown until the end of the program
    return one;
}

/// The text of an exception; empty for a class that is no std::exception, and where the C++ runtime is not that of GCC.
std::string textOf([[maybe_unused]] const std::type_info& type, [[maybe_unused]] void* object) {
#ifdef __GLIBCXX__
    void* base = object;
    if (!typeid(std::exception).__do_catch(&type, &base, 1)) return {};
    const char* what = static_cast<std::exception*>(base)->what();
    return what != nullptr ? what : "";
#else
    return {};
#endif
}

}    // namespace

void LastThrow::keep() noexcept { kept().isOn = true; }

void LastThrow::note(const std::type_info& type, void* object) noexcept {
    Kept& one = kept();
    if (!one.isOn.load(std::memory_order_relaxed)) return;
    try {
        std::string text = textOf(type, object);
        std::shared_ptr<const ThrowRecord> record = throwRecordOf(object);
        const std::lock_guard lock(one.mutex);
        one.type = &type;
        one.text = std::move(text);
        one.record = std::move(record);
        one.shortText.fill('\0');
        LastThrow{detail::typeName(type), one.text, nullptr}.summary().copy(one.shortText.data(), one.shortText.size() - 1);
        one.isThere = true;
    } catch (...) {    // the throw is more important than its note
    }
}

bool LastThrow::isThere() noexcept { return kept().isThere.load(std::memory_order_relaxed); }

void LastThrow::copyShortText(std::span<char, shortTextBytes> text) noexcept {
    // A lock could wait for ever in a handler of a signal. A text that another thread changes meanwhile is still one.
    const auto& shortText = kept().shortText;
    std::copy(shortText.begin(), shortText.end(), text.begin());
    text.back() = '\0';
}

std::optional<LastThrow> LastThrow::ofProcess() {
    Kept& one = kept();
    const std::lock_guard lock(one.mutex);
    if (one.type == nullptr || one.record == nullptr) return std::nullopt;
    return LastThrow{detail::typeName(*one.type), one.text, one.record};
}

}    // namespace ferry::detail
