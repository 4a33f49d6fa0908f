#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/exception/debug/DebugUnit.hpp>
#include <ferry/serialization/exception/debug/ElfFile.hpp>
#include <ferry/serialization/exception/debug/LineTable.hpp>

namespace ferry::detail {

/// A function at an address: the called one, or one of those into which it was inlined.
struct SourceFrame {
    std::string function{};    ///< mangled or plain; empty: unknown
    SourceLine line{};
};

/// The debug information of one file. Reads only the units that contain the addresses asked for.
///
/// Threads: safe from any thread once made.
class DebugInformation {
public:
    explicit DebugInformation(std::shared_ptr<const ElfFile> file);

    /// The frames at addresses of the file, which are sorted; for each the innermost first. Empty: the information
    /// has a form that is not known.
    std::optional<std::vector<std::vector<SourceFrame>>> framesAt(const std::vector<std::uint64_t>& addresses) const;
    /// The names of the functions at addresses, which are sorted, as the linker knows them. Empty where unknown.
    std::vector<std::string> symbolsAt(const std::vector<std::uint64_t>& addresses) const;

private:
    using Stacks = std::vector<std::vector<SourceFrame>>;

    bool addFrames(DebugUnit& unit, const std::vector<std::size_t>& places, const std::vector<std::uint64_t>& addresses,
                   Stacks& stacks) const;
    std::string nameOf(const DebugUnit& unit, const DebugEntry& entry, int depth) const;
    std::string nameAt(const DebugUnit& unit, std::size_t place, int depth) const;

    std::shared_ptr<const ElfFile> file_;
    DebugSections sections_;
};

}    // namespace ferry::detail
