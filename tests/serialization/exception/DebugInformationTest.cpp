#include <ferry/serialization/exception/debug/DebugInformation.hpp>

#include <dlfcn.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/stack/Symbols.hpp>
#include <ferry/serialization/platform/System.hpp>
#include <ferry/tests/support/FileBytes.hpp>

using namespace ferry;

namespace debuginformation {

namespace {

std::string modulePath() { return test::besideProgram("ferryFramesOfModule200.so").string(); }

void storeReturnAddress(void* place) { *static_cast<void**>(place) = __builtin_return_address(0); }

/// A return address in the module of the tests, and where it lies in the file.
struct Place {
    void* module = nullptr;
    void* returnAddress = nullptr;
    std::uint64_t inFile = 0;

    Place() {
        module = ::dlopen(modulePath().c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module == nullptr) return;
        using CallBack = void (*)(void (*)(void*), void*);
        const auto callBack = reinterpret_cast<CallBack>(::dlsym(module, "ferryTestCallBack"));
        callBack(storeReturnAddress, &returnAddress);
        if (const auto file = detail::platform::loadedFileAt(reinterpret_cast<std::uintptr_t>(returnAddress)))
            inFile = reinterpret_cast<std::uintptr_t>(returnAddress) - 1 - file->base;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
        if (module != nullptr) ::dlclose(module);
    }
};

std::vector<char> contentsOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A file that exists as long as the object.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::vector<char>& contents) : path_("debugInformation." + std::to_string(::getpid()) + ".so") {
        std::ofstream(path_, std::ios::binary).write(contents.data(), static_cast<std::streamsize>(contents.size()));
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { std::remove(path_.c_str()); }

    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

/// Asks a file for everything, whatever is in it.
std::size_t askAll(const std::string& path, const std::vector<std::uint64_t>& addresses) {
    const auto file = detail::ElfFile::open(path);
    if (file == nullptr) return 0;
    const detail::DebugInformation information(file);
    std::size_t frameCount = information.symbolsAt(addresses).size();
    if (const auto frames = information.framesAt(addresses)) {
        for (const auto& stack : *frames) frameCount += stack.size();
    }
    return frameCount;
}

}    // namespace

}    // namespace debuginformation

using namespace debuginformation;

TEST_CASE("symbols: a library that is loaded late has names, and none after it was unloaded") {
    void* returnAddress = nullptr;
    {
        const Place place;
        REQUIRE(place.module != nullptr);
        returnAddress = place.returnAddress;
        void* const addresses[] = {returnAddress};
        const auto frames = detail::symbolise(addresses);
        REQUIRE(frames.size() == 1);
        CHECK(frames.front().function == "ferryTestCallBack");
        CHECK(frames.front().module == modulePath());
        CHECK(frames.front().line > 0);
        CHECK(frames.front().file.find("framesOfModule.cpp") != std::string::npos);
    }
    void* const addresses[] = {returnAddress};
    const auto frames = detail::symbolise(addresses);
    REQUIRE(frames.size() == 1);
    CHECK(frames.front().function.empty());
    CHECK(frames.front().module.empty());
}

TEST_CASE("symbols: addresses outside of all files have frames without names") {
    int variable = 0;
    void* const addresses[] = {nullptr, &variable, reinterpret_cast<void*>(~std::uintptr_t{0})};
    const auto frames = detail::symbolise(addresses);
    REQUIRE(frames.size() == 3);
    for (const auto& frame : frames) CHECK(frame.function.empty());
}

TEST_CASE("debug information: files that are none, or are not there, are refused") {
    CHECK(detail::ElfFile::open("/nowhere/at/all") == nullptr);
    CHECK(detail::ElfFile::open("/") == nullptr);
    CHECK(detail::ElfFile::open(TemporaryFile(std::vector<char>{}).path()) == nullptr);
    CHECK(detail::ElfFile::open(TemporaryFile(std::vector<char>(5'000, 'x')).path()) == nullptr);
}

TEST_CASE("debug information: a damaged or shortened file is read without harm") {
    const Place place;
    REQUIRE(place.inFile != 0);
    const std::vector<std::uint64_t> addresses{1, place.inFile, place.inFile + 4'000};
    const std::vector<char> whole = contentsOf(modulePath());
    REQUIRE(whole.size() > 1'000);
    const std::size_t frameCount = askAll(modulePath(), addresses);
    CHECK(frameCount > addresses.size());
    std::minstd_rand random(7);
    for (int round = 0; round < 1'500; ++round) {
        std::vector<char> damaged = whole;
        if (round % 3 == 0) damaged.resize(random() % whole.size());
        for (std::uint32_t change = 0; change < 1 + random() % 40 && !damaged.empty(); ++change) {
            // The second half has the debug information and the list of sections.
            const std::size_t begin = change % 2 == 0 ? 0 : damaged.size() / 2;
            damaged[begin + random() % (damaged.size() - begin)] = static_cast<char>(random());
        }
        const TemporaryFile file(damaged);
        CHECK(askAll(file.path(), addresses) < 10'000);
    }
}
