#include <ferry/serialization/file/FileError.hpp>

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>

FERRY_EXCEPTION_DEFINED(ferry::FileError)

namespace ferry {

FileError::FileError(FileProblem problem, const detail::PathName& path, std::string_view text, std::size_t chunk)
    : Exception(fmt::format("{}{}{}", detail::printable(path.text()), path.text().empty() ? "" : ": ", detail::printable(text))),
      problem_(problem),
      path_(path),
      chunk_(chunk) {}

FileError FileError::ofSystem(FileProblem problem, const detail::PathName& path, std::string_view action, int errorNumber) {
    FileError error(problem, path, fmt::format("{} failed: {}", action, std::generic_category().message(errorNumber)), NoChunk);
    error.errorNumber_ = errorNumber;
    return error;
}

FileError FileError::ofOtherKind(FileProblem problem, const detail::PathName& path, bool isFolder) {
    return FileError(problem, path,
                     fmt::format("expected a regular file, found {} under this name", isFolder ? "a folder" : "something else"), NoChunk);
}

void FileError::requireName(FileProblem problem, const detail::PathName& path) {
    if (path.text().empty()) throw FileError(problem, path, "expected the name of a file, found an empty path", NoChunk);
    if (path.text().find('\0') == std::string::npos) return;
    throw FileError(problem, path.text().c_str(), "expected a path without zero bytes, found one behind these characters", NoChunk);
}

ErrorKind FileError::kind() const noexcept {
    switch (problem_) {
        case FileProblem::NotFerry:
        case FileProblem::Truncated:
        case FileProblem::Damaged: return ErrorKind::BadData;
        default: return ErrorKind::Unsupported;
    }
}

void FileError::writeToInts(IntWriter& out) const { out << problem_ << path() << chunk_ << errorNumber_; }

void FileError::readFromInts(IntReader& in) {
    in >> problem_;
    if (problem_ < FileProblem::CannotRead || problem_ > FileProblem::OtherType) {
        in.rewind(in.position() - 1);
        in.fail("a problem of a file (0 to 6)", fmt::format("{}", static_cast<std::int32_t>(problem_)));
    }
    std::filesystem::path path;
    in >> path >> chunk_ >> errorNumber_;
    path_ = detail::HeldPath(path);
}

}    // namespace ferry
