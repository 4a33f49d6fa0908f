#include <ferry/tests/fuzz/Corpus.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace ferry::test {

std::vector<std::pair<std::filesystem::path, std::vector<std::int32_t>>> readCorpus(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::pair<std::filesystem::path, std::vector<std::int32_t>>> corpus;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        if (!file) throw std::runtime_error("cannot read " + path.string());
        std::vector<std::int32_t> ints(bytes.size() / sizeof(std::int32_t));
        if (!ints.empty()) std::memcpy(ints.data(), bytes.data(), ints.size() * sizeof(std::int32_t));
        corpus.emplace_back(path, std::move(ints));
    }
    return corpus;
}

void writeCorpusFile(const std::filesystem::path& path, std::span<const std::int32_t> ints) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(ints.data()), static_cast<std::streamsize>(ints.size_bytes()));
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

}    // namespace ferry::test
