#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Why a journal is refused.
enum class JournalProblem : std::int32_t {
    NotJournal,     ///< the file holds something else
    NewerFormat,    ///< a later version of Ferry wrote it
    OtherJob,       ///< of another program, of one that knows other classes, or of a job with another name
    Damaged,        ///< what it holds is not what was written; offset() says where
    InUse,          ///< another process writes it
};

/// A job cannot go on from a journal. The text names the file and what is wrong with it.
class JournalError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::JournalError)

    JournalError() = default;
    /// The problem in words, and the byte from which on the file is of no use; 0 where that means nothing.
    JournalError(JournalProblem problem, const std::filesystem::path& path, std::string_view text, std::uint64_t offset = 0);

    ErrorKind kind() const noexcept override;
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    JournalProblem problem() const noexcept { return problem_; }
    const std::filesystem::path& path() const noexcept { return path_; }
    /// Of Damaged: where the damaged record begins. What is before it is whole.
    std::uint64_t offset() const noexcept { return offset_; }

private:
    JournalProblem problem_ = JournalProblem::NotJournal;
    std::filesystem::path path_;
    std::uint64_t offset_ = 0;
};

}    // namespace ferry
