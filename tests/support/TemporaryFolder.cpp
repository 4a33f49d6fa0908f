#include <ferry/tests/support/TemporaryFolder.hpp>

#include <stdlib.h>

#include <cerrno>
#include <iterator>
#include <string>
#include <system_error>

namespace ferry::test {

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ferryTest-XXXXXX").native();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::size_t TemporaryFolder::fileCount() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
}

}    // namespace ferry::test
