#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <ferry/serialization/exception/debug/DwarfReader.hpp>

namespace ferry::detail {

/// A program or a shared library, mapped from its file.
///
/// Threads: safe from any thread once made.
class ElfFile {
public:
    using Bytes = DwarfReader::Bytes;

    /// Null: the file cannot be read, or is none of this kind of machine.
    static std::shared_ptr<const ElfFile> open(const std::string& path);

    /// Without sections if the file cannot be read. Use open().
    explicit ElfFile(const std::string& path);

    /// The contents of a section. Empty: it does not exist, or is compressed.
    Bytes section(std::string_view name) const;
    bool hasSection(std::string_view name) const;
    /// Calls the visitor with address, size and name of each function, those without a size left out.
    void visitFunctions(const std::function<void(std::uint64_t, std::uint64_t, std::string_view)>& visit) const;

private:
    struct Mapping;

    struct Section {
        std::string_view name{};
        Bytes bytes{};
        bool isCompressed = false;
        bool isThere = false;
    };
    Section sectionAt(std::size_t index) const;
    Section find(std::string_view name) const;

    std::shared_ptr<const Mapping> mapping_;
    Bytes bytes_;
    std::uint64_t headers_ = 0;
    std::size_t sectionCount_ = 0;
    Bytes names_{};
};

}    // namespace ferry::detail
