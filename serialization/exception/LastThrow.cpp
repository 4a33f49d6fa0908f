#include <ferry/serialization/exception/LastThrow.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/platform/TextAt.hpp>

namespace ferry::detail {

namespace {

struct Kept {
    std::atomic<bool> isOn{false};
    std::atomic<bool> isThere{false};
    std::mutex mutex;
    LastThrow last;
    std::array<char, LastThrow::shortTextBytes> shortText{};    // the last byte stays zero
};

Kept& kept() {
    // Never destroyed, since exceptions are thrown until the end of the program; and made without an allocation, which could throw.
    alignas(Kept) static std::array<std::byte, sizeof(Kept)> memory;
    static Kept& one = *new (memory.data()) Kept;
    return one;
}

/// The text of an exception; empty for a class that is no std::exception, and where the C++ runtime is not that of GCC.
std::string textOf([[maybe_unused]] const std::type_info& type, [[maybe_unused]] void* object) {
#ifdef __GLIBCXX__
    void* base = object;
    if (!typeid(std::exception).__do_catch(&type, &base, 1)) return {};
    const char* what = static_cast<std::exception*>(base)->what();
    return what != nullptr ? textAt(what) : "";
#else
    return {};
#endif
}

void keepThis(LastThrow last) {
    Kept& one = kept();
    const std::string summary = last.summary();
    const std::lock_guard lock(one.mutex);
    one.last = std::move(last);
    one.shortText.fill('\0');
    summary.copy(one.shortText.data(), one.shortText.size() - 1);
    one.isThere = true;
}

}    // namespace

void LastThrow::keep() noexcept { kept().isOn = true; }

void LastThrow::note(const std::type_info& type, void* object) noexcept {
    if (!kept().isOn.load(std::memory_order_relaxed)) return;
    try {
        keepThis({detail::typeName(type), textOf(type, object), throwRecordOf(object)});
    } catch (...) {    // the throw is more important than its note
    }
}

void LastThrow::noteOfInterpreter(const std::string& typeName, const std::string& text, const Origin& origin,
                                  const std::string& story) noexcept {
    if (!kept().isOn.load(std::memory_order_relaxed)) return;
    try {
        ThrowRecord record;
        record.origin = origin;
        keepThis({typeName, text, std::make_shared<ThrowRecord>(std::move(record)), story});
    } catch (...) {    // the exception is more important than its note
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
    if (one.last.record == nullptr) return std::nullopt;
    return one.last;
}

}    // namespace ferry::detail
