#include <ferry/serialization/file/HeldPath.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <new>

namespace ferry::detail {

HeldPath::HeldPath(const PathName& path) : path_(std::make_shared<const std::filesystem::path>(path.text())) {}

const std::filesystem::path& HeldPath::path() const noexcept {
    // Never destroyed, since exit() on one rank leaves the others at work. Made in place, since memory may be short when a file fails.
    alignas(std::filesystem::path) static std::byte room[sizeof(std::filesystem::path)];
    static const std::filesystem::path& none = *::new (static_cast<void*>(room)) std::filesystem::path();
    return path_ != nullptr ? *path_ : none;
}

const std::string& HeldPath::native() const noexcept { return path().native(); }

}    // namespace ferry::detail
