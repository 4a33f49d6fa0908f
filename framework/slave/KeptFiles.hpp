#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The files of results for which a slave has no memory. They lie in a folder of their own, which only its user can open. The folder goes
/// with the object; a killed process leaves it behind.
///
/// Errors: FileError; std::filesystem::filesystem_error when the folder cannot be made.
class KeptFiles {
public:
    /// folder: where the own folder is made, with the first file; empty: the folder for temporary files of the system.
    explicit KeptFiles(std::filesystem::path folder) : around_(std::move(folder)) {}
    KeptFiles(const KeptFiles&) = delete;
    KeptFiles& operator=(const KeptFiles&) = delete;
    ~KeptFiles();

    void write(std::int32_t number, const IntBuffer& ints);
    std::shared_ptr<const IntBuffer> read(std::int32_t number) const;
    void remove(std::int32_t number) noexcept;

    bool has(std::int32_t number) const noexcept { return numbers_.contains(number); }
    std::size_t count() const noexcept { return numbers_.size(); }
    const std::filesystem::path& folder() const noexcept { return own_; }

private:
    std::filesystem::path pathOf(std::int32_t number) const;
    void makeFolder();

    std::filesystem::path around_;
    std::filesystem::path own_;    ///< empty: no file was written yet
    std::set<std::int32_t> numbers_;
};

}    // namespace ferry::detail
