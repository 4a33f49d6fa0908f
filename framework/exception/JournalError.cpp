#include <ferry/framework/exception/JournalError.hpp>

#include <filesystem>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>

FERRY_EXCEPTION_DEFINED(ferry::JournalError)

namespace ferry {

JournalError::JournalError(JournalProblem problem, const detail::PathName& path, std::string_view text, std::uint64_t offset)
    : Exception(fmt::format("{}: {}", detail::printable(path.text()), detail::printable(text))),
      problem_(problem),
      path_(path),
      offset_(offset) {}

ErrorKind JournalError::kind() const noexcept {
    const bool isBad = problem_ == JournalProblem::NotJournal || problem_ == JournalProblem::Damaged;
    return isBad ? ErrorKind::BadData : ErrorKind::Unsupported;
}

void JournalError::writeToInts(IntWriter& out) const { out << problem_ << path() << offset_; }

void JournalError::readFromInts(IntReader& in) {
    in >> problem_;
    if (problem_ < JournalProblem::NotJournal || problem_ > JournalProblem::InUse) {
        in.rewind(in.position() - 1);
        in.fail("a problem of a journal (0 to 4)", fmt::format("{}", static_cast<std::int32_t>(problem_)));
    }
    std::filesystem::path path;
    in >> path >> offset_;
    path_ = detail::HeldPath(path);
}

}    // namespace ferry
