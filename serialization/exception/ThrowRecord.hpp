#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <ferry/serialization/exception/Cause.hpp>
#include <ferry/serialization/exception/LogicalClock.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry {

/// Facts about an exception beside the exception itself, kept from the throw until the object is destroyed. Only an exception object has
/// one, not a copy of it.
struct ThrowRecord {
    Origin origin;                       ///< of a local one without stack: frames holds it
    std::vector<void*> frames;           ///< return addresses at the throw, innermost first
    bool isRemote = false;               ///< thrown elsewhere, and rebuilt here
    std::string typeName;                ///< of a remote one: the class that was thrown
    Cause cause;                         ///< of a remote one
    void (*destroy)(void*) = nullptr;    ///< the destructor of the object that the record's owner calls; null: none
    LogicalTime time{};                  ///< when it was thrown, of a local one in a guarded region
};

/// Notes or replaces the record of the exception object at this address. Whoever notes one must forget it when the object is destroyed.
/// Threads: all three are safe from any thread.
void noteThrow(const void* object, ThrowRecord record);

/// The record of the exception object at this address; null when it has none.
std::shared_ptr<const ThrowRecord> throwRecordOf(const void* object) noexcept;

/// Returns the record of the exception object at this address, and takes it away from the object. Null when it has none.
std::shared_ptr<const ThrowRecord> forgetThrow(const void* object) noexcept;

/// The address of the exception object that is held.
const void* objectOf(const std::exception_ptr& exception) noexcept;

/// The origin of the record with the stack made readable and, where the thrower named no file, the innermost line of the program that is
/// known. Costs milliseconds the first time.
Origin readableOrigin(Origin origin, const ThrowRecord& record);

/// Switches the recording of stacks off and on again, for the whole process. It begins on, unless the environment has FERRY_STACKS=off.
void setStackRecording(bool isOn) noexcept;
/// Never without the hook (ThrowHook.hpp).
bool isStackRecording() noexcept;

/// As long as it lives, nothing that is thrown on this thread is recorded. For what is thrown only to be held, such as rebuilt exceptions.
class ThrowRecordingPause {
public:
    ThrowRecordingPause() noexcept;
    ThrowRecordingPause(const ThrowRecordingPause&) = delete;
    ThrowRecordingPause& operator=(const ThrowRecordingPause&) = delete;
    ~ThrowRecordingPause();

    static bool isActive() noexcept;
};

}    // namespace ferry
