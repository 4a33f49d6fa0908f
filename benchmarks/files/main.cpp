// Measures the cost of saving and loading objects of several sizes. The comparison is write(2) of the same bytes over an old file with
// fsync(2), and read(2).
//     benchFiles [FOLDER]      (default: the current folder; the file system has the largest effect on the times)
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int RoundCount = 15;

struct Grid {
    int width = 0;
    std::vector<double> values;
};

void require(bool holds, const char* what) {
    if (!holds) throw std::system_error(errno, std::generic_category(), what);
}

void writeAndFlush(const std::string& path, const std::vector<char>& bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    require(file >= 0, "open");
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
        require(count > 0, "write");
        done += static_cast<std::size_t>(count);
    }
    require(::fsync(file) == 0, "fsync");
    ::close(file);
}

void readAll(const std::string& path, std::vector<char>& bytes) {
    const int file = ::open(path.c_str(), O_RDONLY);
    require(file >= 0, "open");
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::read(file, bytes.data() + done, bytes.size() - done);
        require(count > 0, "read");
        done += static_cast<std::size_t>(count);
    }
    ::close(file);
}

double millisecondsOf(const std::function<void()>& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Interleaved rounds of two contenders. Reports the fastest time of each, their ratio, and the median of the ratios within a round.
class Comparison {
public:
    void add(double limitMs, double ferryMs) {
        limitMs_ = std::min(limitMs_, limitMs);
        ferryMs_ = std::min(ferryMs_, ferryMs);
        ratios_.push_back(ferryMs / limitMs);
    }
    std::string text() const {
        char text[100];
        std::snprintf(text, sizeof(text), "%.2f | %.2f | %.2f, %.2f", limitMs_, ferryMs_, ferryMs_ / limitMs_, medianOf(ratios_));
        return text;
    }

private:
    double limitMs_ = 1e9, ferryMs_ = 1e9;
    std::vector<double> ratios_;
};

template <class T>
void measure(const char* name, const std::filesystem::path& folder, const T& object) {
    const std::string path = (folder / "benchFiles.saved").native();
    const std::string plainPath = (folder / "benchFiles.plain").native();
    ferry::save(path, object);
    std::vector<char> bytes(std::filesystem::file_size(path));
    readAll(path, bytes);
    Comparison saving, loading;
    for (int round = 0; round <= RoundCount; ++round) {
        const double writeMs = millisecondsOf([&] { writeAndFlush(plainPath, bytes); });
        const double saveMs = millisecondsOf([&] { ferry::save(path, object); });
        std::vector<char> target(bytes.size());
        const double readMs = millisecondsOf([&] { readAll(plainPath, target); });
        const double loadMs = millisecondsOf([&] { ferry::load<T>(path); });
        if (round == 0) continue;    // warm-up
        saving.add(writeMs, saveMs);
        loading.add(readMs, loadMs);
    }
    std::filesystem::remove(plainPath);
    std::filesystem::remove(path);
    std::printf("| %s | %.2f | %s | %s |\n", name, static_cast<double>(bytes.size()) / 1e6, saving.text().c_str(), loading.text().c_str());
    std::fflush(stdout);
}

Grid gridOf(std::size_t valueCount) { return {1000, std::vector<double>(valueCount, 0.5)}; }

}    // namespace

int main(int argc, char** argv) {
    const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
    try {
        std::printf(
            "| object | MB | write + fsync, ms | save, ms | ratio | read, ms | load, ms | ratio |\n|---|---|---|---|---|---|---|---|\n");
        measure("8,000 doubles", folder, gridOf(8'000));
        measure("1,000,000 doubles", folder, gridOf(1'000'000));
        measure("16,000,000 doubles", folder, gridOf(16'000'000));
        std::vector<std::string> texts;
        for (int i = 0; i < 1'000'000; ++i) texts.push_back("text " + std::to_string(i));
        measure("1,000,000 strings", folder, texts);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "benchFiles: %s\n", error.what());
        return 1;
    }
    return 0;
}
