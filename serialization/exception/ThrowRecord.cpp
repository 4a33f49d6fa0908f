#include <ferry/serialization/exception/ThrowRecord.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/exception/stack/Symbols.hpp>
#include <ferry/serialization/exception/stack/dropGuardFrames.hpp>

namespace ferry {

namespace {

/// Records, by the address of the exception object. Divided into parts, so that threads that throw at the same time rarely wait for each
/// other.
class Records {
public:
    using Map = std::unordered_map<const void*, std::shared_ptr<const detail::ThrowRecord>>;

    static Records& global() {
        // Never destroyed, because exceptions are thrown and destroyed until the very end of the program. Not on the heap, because the
        // first throw may be a std::bad_alloc.
        alignas(Records) static std::array<std::byte, sizeof(Records)> memory;
        static Records& records = *new (memory.data()) Records;
        return records;
    }

    void note(const void* object, std::shared_ptr<const detail::ThrowRecord> record) {
        Part& part = partOf(object);
        const std::lock_guard lock(part.mutex);
        part.map.insert_or_assign(object, std::move(record));
    }

    std::shared_ptr<const detail::ThrowRecord> find(const void* object) {
        Part& part = partOf(object);
        const std::lock_guard lock(part.mutex);
        const auto entry = part.map.find(object);
        return entry != part.map.end() ? entry->second : nullptr;
    }

    std::shared_ptr<const detail::ThrowRecord> forget(const void* object) {
        Part& part = partOf(object);
        const std::lock_guard lock(part.mutex);
        auto entry = part.map.extract(object);
        return entry.empty() ? nullptr : std::move(entry.mapped());
    }

private:
    struct Part {
        std::mutex mutex;
        Map map;
    };

    Part& partOf(const void* object) {
        const auto address = reinterpret_cast<std::uintptr_t>(object);
        return parts_[(address / 64 ^ address / 4096) % parts_.size()];
    }

    std::array<Part, 64> parts_;
};

std::atomic<bool>& recordingSwitch() {
    static std::atomic<bool> isOn = [] {
        const char* wish = std::getenv("FERRY_STACKS");
        return wish == nullptr || std::string_view(wish) != "off";
    }();
    return isOn;
}

thread_local int pauses = 0;

const detail::StackFrame* innermostOwnLine(const std::vector<detail::StackFrame>& stack) {
    const auto frame = std::find_if(stack.begin(), stack.end(), [](const detail::StackFrame& candidate) {
        return !candidate.file.empty() && candidate.line > 0 && !detail::isOfSystem(candidate) && !detail::isInFerry(candidate);
    });
    return frame != stack.end() ? &*frame : nullptr;
}

}    // namespace

namespace detail {

void noteThrow(const void* object, ThrowRecord record) {
    Records::global().note(object, std::make_shared<const ThrowRecord>(std::move(record)));
}

std::shared_ptr<const ThrowRecord> throwRecordOf(const void* object) noexcept { return Records::global().find(object); }

std::shared_ptr<const ThrowRecord> forgetThrow(const void* object) noexcept { return Records::global().forget(object); }

const void* objectOf(const std::exception_ptr& exception) noexcept {
    // With every standard library that follows the Itanium ABI, an exception_ptr contains only the pointer.
    static_assert(sizeof(exception) == sizeof(void*));
    const void* object = nullptr;
    std::memcpy(&object, &exception, sizeof(object));
    return object;
}

Origin readableOrigin(Origin origin, const ThrowRecord& record) {
    if (record.frames.empty()) return origin;
    origin.stack = symbolise(record.frames);
    dropGuardFrames(origin.stack);
    if (!origin.file.empty()) return origin;
    if (const StackFrame* frame = innermostOwnLine(origin.stack)) {
        origin.file = frame->file;
        origin.line = frame->line;
    }
    return origin;
}

}    // namespace detail

void setStackRecording(bool isOn) noexcept { recordingSwitch().store(isOn, std::memory_order_relaxed); }

namespace detail {

bool isStackRecording() noexcept { return recordingSwitch().load(std::memory_order_relaxed) && isThrowHookLinked(); }

ThrowRecordingPause::ThrowRecordingPause() noexcept { ++pauses; }

ThrowRecordingPause::~ThrowRecordingPause() { --pauses; }

bool ThrowRecordingPause::isActive() noexcept { return pauses > 0; }

}    // namespace detail

}    // namespace ferry
