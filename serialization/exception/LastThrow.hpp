#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>

#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace ferry::detail {

/// The last exception that this process has thrown, with its place and stack. The program may have caught it, and the object may be gone.
///
/// Kept only after keep(). Threads: all functions are safe from any thread, after keep().
struct LastThrow {
    std::string typeName;
    std::string text;    ///< what(); empty for a class without it
    std::shared_ptr<const ThrowRecord> record;
    std::string story{};    ///< of an interpreter: the exception as the interpreter prints it; empty: none

    /// Begins to keep throws of this process.
    static void keep() noexcept;
    /// Notes a throw, for the hook of all throws. Does nothing before keep(), and without memory. object: of this type, and with a record.
    static void note(const std::type_info& type, void* object) noexcept;
    /// Notes an exception of an interpreter, which the hook of all throws does not see. Does nothing before keep(), and without memory.
    static void noteOfInterpreter(const std::string& typeName, const std::string& text, const Origin& origin,
                                  const std::string& story) noexcept;
    /// Whether a throw was noted.
    static bool isThere() noexcept;
    /// Empty: no throw was noted.
    static std::optional<LastThrow> ofProcess();
    /// The beginning of summary() of the last throw, up to the first zero; only zeros: no throw was noted. Safe in handlers of signals.
    static constexpr std::size_t shortTextBytes = 400;
    static void copyShortText(std::span<char, shortTextBytes> text) noexcept;

    /// The class, then the text, as one line.
    std::string summary() const { return text.empty() ? typeName : typeName + ": " + text; }
};

}    // namespace ferry::detail
