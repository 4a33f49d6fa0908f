#include <ferry/serialization/exception/DrivenOut.hpp>

#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <string_view>

#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/platform/TextAt.hpp>

namespace ferry::detail {

namespace {

using LostText = std::array<char, 301>;

struct LostNote {
    const void* object = nullptr;    ///< the std::bad_alloc; null: no note
    LostText text{};
};

constinit std::mutex lostNotesMutex;
constinit std::array<LostNote, 8> lostNotes{};
constinit std::size_t nextLostNote = 0;

LostNote* lostNoteOf(const void* object) noexcept {
    for (LostNote& note : lostNotes) {
        if (object != nullptr && note.object == object) return &note;
    }
    return nullptr;
}

/// The text of an exception; of a class without a text, the name that the compiler gives the class. False: it has none that tells more than
/// std::bad_alloc.
[[maybe_unused]] bool copyTextOfLost([[maybe_unused]] const std::exception_ptr& exception, [[maybe_unused]] LostText& text) noexcept {
#ifdef __GLIBCXX__
    const std::type_info& type = *exception.__cxa_exception_type();
    const void* const thrown = objectOf(exception);
    void* object = const_cast<void*>(thrown);
    if (type == typeid(std::bad_alloc)) {
        const std::lock_guard lock(lostNotesMutex);
        const LostNote* const before = lostNoteOf(thrown);
        if (before != nullptr) text = before->text;
        return before != nullptr;
    }
    if (typeid(std::exception).__do_catch(&type, &object, 1)) {
        const char* const what = static_cast<std::exception*>(object)->what();
        if (what != nullptr) copyTextAt(what, text);
    } else {
        constexpr std::string_view begin = "an exception of type ";
        begin.copy(text.data(), begin.size());
        copyTextAt(type.name(), std::span(text).subspan(begin.size()));
    }
    return text.front() != '\0';
#else
    return false;
#endif
}

/// Keeps the text of the lost exception, if it has one, for the std::bad_alloc at this address.
void keepTextOf(const std::exception_ptr& lost, const void* object) noexcept {
    LostText text{};
    const bool isKnown = lost && copyTextOfLost(lost, text);
    const std::lock_guard lock(lostNotesMutex);
    if (LostNote* const older = lostNoteOf(object)) older->object = nullptr;    // of an exception that is gone
    if (isKnown) lostNotes[nextLostNote++ % lostNotes.size()] = {object, text};
}

}    // namespace

void DrivenOut::note(const void* object, const std::type_info& type, const std::exception_ptr& inFlight) noexcept {
    if (type != typeid(std::bad_alloc)) return;
    keepTextOf(inFlight ? inFlight : std::current_exception(), object);
}

void DrivenOut::noteUntold(const std::exception_ptr& untold, const std::exception_ptr& failure) noexcept {
    keepTextOf(untold, objectOf(failure));
}

const char* DrivenOut::copyText(const std::exception_ptr& failure, std::span<char> room) noexcept {
    const std::lock_guard lock(lostNotesMutex);
    const LostNote* const note = failure ? lostNoteOf(objectOf(failure)) : nullptr;
    return note != nullptr ? copyTextAt(note->text.data(), room) : nullptr;
}

}    // namespace ferry::detail
