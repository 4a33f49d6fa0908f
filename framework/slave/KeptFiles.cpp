#include <ferry/framework/slave/KeptFiles.hpp>

#include <stdlib.h>
#include <cerrno>
#include <new>
#include <span>
#include <string>
#include <system_error>

#include <ferry/serialization/checkpoint/FileError.hpp>
#include <ferry/serialization/checkpoint/InputFile.hpp>
#include <ferry/serialization/checkpoint/ReplacementFile.hpp>

namespace ferry::detail {

KeptFiles::~KeptFiles() {
    if (own_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove_all(own_, ignored);
}

std::filesystem::path KeptFiles::pathOf(std::int32_t number) const { return own_ / ("result" + std::to_string(number)); }

void KeptFiles::makeFolder() {
    if (!own_.empty()) return;
    std::string name = ((around_.empty() ? std::filesystem::temp_directory_path() : around_) / "ferry-kept-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)    // rights 0700
        throw std::filesystem::filesystem_error("making a folder for results", name, std::error_code(errno, std::generic_category()));
    own_ = name;
}

void KeptFiles::write(std::int32_t number, const IntBuffer& ints) {
    makeFolder();
    ReplacementFile file(pathOf(number), ReplacementFile::Flush::ToSystem);
    file.write(ints.ints());
    file.commit();
    std::filesystem::permissions(pathOf(number), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);    // 0600
    numbers_.insert(number);
}

std::shared_ptr<const IntBuffer> KeptFiles::read(std::int32_t number) const {
    InputFile file(pathOf(number));
    auto ints = std::make_shared<IntBuffer>();
    ints->resizeUninitialized(file.byteCount() / sizeof(std::int32_t));
    file.read(std::as_writable_bytes(std::span(ints->data(), ints->ownSize())), FileError::NoChunk, "a result");
    return ints;
}

void KeptFiles::remove(std::int32_t number) noexcept {
    if (numbers_.erase(number) == 0) return;
    try {
        std::error_code ignored;
        std::filesystem::remove(pathOf(number), ignored);
    } catch (const std::bad_alloc&) {
        // The file goes with the folder.
    }
}

}    // namespace ferry::detail
