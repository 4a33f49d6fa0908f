#include <ferry/tests/timetabling/support/RealFiles.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace timetabling::test {

std::vector<std::string> realFiles(std::initializer_list<const char*> folders) {
    std::vector<std::string> files;
    const char* const root = std::getenv("TIMETABLING_TEST_DATA");
    if (root == nullptr) return files;
    for (const char* const folder : folders) {
        const std::filesystem::path path = std::filesystem::path(root) / folder;
        if (!std::filesystem::is_directory(path)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}    // namespace timetabling::test
