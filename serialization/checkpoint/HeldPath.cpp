#include <ferry/serialization/checkpoint/HeldPath.hpp>

#include <filesystem>

namespace ferry::detail {

HeldPath::HeldPath(const PathName& path) : path_(std::make_shared<const std::filesystem::path>(path.text())) {}

const std::filesystem::path& HeldPath::path() const noexcept {
    static const std::filesystem::path& none = *new std::filesystem::path();
    return path_ != nullptr ? *path_ : none;
}

const std::string& HeldPath::native() const noexcept { return path().native(); }

}    // namespace ferry::detail
