#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <ferry/serialization/exception/Cause.hpp>
#include <ferry/serialization/exception/LogicalClock.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry {

namespace detail {

/// Data about an exception in addition to the exception itself. Exists from the throw until the exception object is destroyed. Only an
/// exception object has a record, not a copy of it.
struct ThrowRecord {
    Origin origin;                       ///< for a local exception without its stack, which is in frames
    std::vector<void*> frames;           ///< return addresses at the throw, innermost first
    bool isRemote = false;               ///< thrown in another process and rebuilt here
    std::string typeName;                ///< for a remote exception: the class that was thrown
    Cause cause;                         ///< for a remote exception: its cause
    void (*destroy)(void*) = nullptr;    ///< the object's destructor, called by the owner of the record; null: none
    LogicalTime time{};                  ///< time of the throw, for a local exception in a guarded region
};

/// Adds or replaces the record of the exception object at this address. The caller must forget the record when the object is destroyed.
/// Threads: noteThrow, throwRecordOf and forgetThrow are safe from any thread.
void noteThrow(const void* object, ThrowRecord record);

/// The record of the exception object at this address. Null if it has none.
std::shared_ptr<const ThrowRecord> throwRecordOf(const void* object) noexcept;

/// Removes the record of the exception object at this address and returns it. Null if it has none.
std::shared_ptr<const ThrowRecord> forgetThrow(const void* object) noexcept;

/// The address of the exception object of an exception_ptr.
const void* objectOf(const std::exception_ptr& exception) noexcept;

/// Returns the origin with a readable stack. If the thrower named no file, the innermost known line of the program is used. The first call
/// takes milliseconds.
Origin readableOrigin(Origin origin, const ThrowRecord& record);

}    // namespace detail

/// Switches the recording of stacks on or off, for the whole process. The default is on, unless the environment has FERRY_STACKS=off.
void setStackRecording(bool isOn) noexcept;
namespace detail {

/// Whether stacks are recorded. Always false without the hook (ThrowHook.hpp).
bool isStackRecording() noexcept;

/// During its lifetime, no throw on this thread is recorded. For exceptions that are thrown only to get an exception_ptr, such as rebuilt
/// ones.
class ThrowRecordingPause {
public:
    ThrowRecordingPause() noexcept;
    ThrowRecordingPause(const ThrowRecordingPause&) = delete;
    ThrowRecordingPause& operator=(const ThrowRecordingPause&) = delete;
    ~ThrowRecordingPause();

    static bool isActive() noexcept;
};

}    // namespace detail

}    // namespace ferry
