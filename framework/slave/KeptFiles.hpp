#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The results for which a slave has no memory. They lie in one file without a name, which only this process can open. The system frees the
/// file with the process, however the process ends.
///
/// Errors: FileError.
class KeptFiles {
public:
    /// folder: whose disk the file is on, from the first result on; empty: the folder for temporary files of the system.
    explicit KeptFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
    KeptFiles(const KeptFiles&) = delete;
    KeptFiles& operator=(const KeptFiles&) = delete;

    /// Changes nothing when it throws.
    void write(std::int32_t number, const IntBuffer& ints);
    std::shared_ptr<const IntBuffer> read(std::int32_t number) const;
    void remove(std::int32_t number) noexcept;

    bool has(std::int32_t number) const noexcept { return places_.contains(number); }
    /// The number of results in the file.
    std::size_t count() const noexcept { return places_.size(); }

private:
    using Bytes = std::uint64_t;
    struct Place {
        Bytes begin = 0;
        Bytes size = 0;    ///< whole blocks
        std::size_t intCount = 0;
    };

    void open();
    Bytes takeGap(Bytes size) noexcept;
    void addGap(Bytes begin, Bytes size) noexcept;
    void writeAt(Bytes begin, const IntBuffer& ints) const;

    std::filesystem::path folder_;
    FileDescriptor file_;
    std::map<std::int32_t, Place> places_;    ///< by the number of the result
    std::map<Bytes, Bytes> gaps_;             ///< sizes of the parts without a result, by their begins; none is at the end
    Bytes end_ = 0;                           ///< of the last result
};

}    // namespace ferry::detail
