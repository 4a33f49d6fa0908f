#pragma once

#include <cstdint>
#include <string_view>

#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/file/HeldPath.hpp>
#include <ferry/serialization/file/PathName.hpp>

namespace ferry {

/// The reason for which a journal is refused.
enum class JournalProblem : std::int32_t {
    NotJournal,     ///< the file holds other data
    NewerFormat,    ///< written by a later version of Ferry
    OtherJob,       ///< written by another program, by one that knows other classes, or for a job with another name
    Damaged,        ///< the content is not as it was written; offset() tells where
    InUse,          ///< another process writes the journal
};

/// A job cannot go on from a journal. The text names the file and what is wrong with it.
class JournalError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::JournalError)

    JournalError() = default;
    /// text: the problem in words. offset: the byte from which on the file cannot be used; 0 where an offset has no meaning.
    JournalError(JournalProblem problem, const detail::PathName& path, std::string_view text, std::uint64_t offset = 0);

    ErrorKind kind() const noexcept override;
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    JournalProblem problem() const noexcept { return problem_; }
    const std::filesystem::path& path() const noexcept { return path_.path(); }
    /// For Damaged: the offset at which the damaged record begins, in bytes. All records before it are whole.
    std::uint64_t offset() const noexcept { return offset_; }

private:
    JournalProblem problem_ = JournalProblem::NotJournal;
    detail::HeldPath path_;
    std::uint64_t offset_ = 0;
};

}    // namespace ferry
