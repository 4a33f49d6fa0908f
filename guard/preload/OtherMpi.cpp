#include <ferry/guard/preload/OtherMpi.hpp>

#include <dlfcn.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

namespace ferry::detail {

namespace {

using GetVersion = int(char*, int*);    // MPI_Get_library_version, which takes no handle and may be called before MPI_Init

constexpr const char* getVersionName = "PMPI_Get_library_version";

/// The families of MPI libraries whose programs can use each other's libraries.
enum class Family { OpenMpi, Mpich, Standard, Unknown };

std::string fileOf(const void* address) {
    Dl_info found{};
    return ::dladdr(address, &found) != 0 && found.dli_fname != nullptr ? found.dli_fname : "";
}

/// The function that a module and its libraries bring along; null: none.
GetVersion* versionFunctionOf(const std::string& module) {
    struct Close {
        void operator()(void* handle) const { ::dlclose(handle); }
    };
    const std::unique_ptr<void, Close> handle(::dlopen(module.c_str(), RTLD_LAZY | RTLD_NOLOAD));
    return handle ? reinterpret_cast<GetVersion*>(::dlsym(handle.get(), getVersionName)) : nullptr;
}

std::string versionText(GetVersion* get) {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 8192> text{};    // other libraries may write more than this one
    int length = 0;
    get(text.data(), &length);
    return text.data();
}

/// The first words of a text such as "MPICH Version:      4.0.2\nMPICH Release date: ..." or "Open MPI v4.1.4, package: ...".
std::string nameIn(std::string_view text) {
    text = text.substr(0, text.find_first_of(",\n"));
    std::string name;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (!word.empty() && word != "Version:") name.append(name.empty() ? "" : " ").append(word);
        at = end + 1;
    }
    return name.empty() ? "an MPI without a name" : name;
}

Family familyOf(GetVersion* get) {
    const std::string file = std::filesystem::path(fileOf(reinterpret_cast<const void*>(get))).filename();
    if (file.starts_with("libmpi_abi.")) return Family::Standard;
    const std::string text = versionText(get);
    if (text.starts_with("Open MPI")) return Family::OpenMpi;
    const std::array<std::string_view, 4> relatives{"MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH"};
    const bool isMpich = std::any_of(relatives.begin(), relatives.end(), [&](std::string_view name) { return text.starts_with(name); });
    return isMpich ? Family::Mpich : Family::Unknown;
}

/// Whether this process is rank 0, as far as a launcher says it.
bool isFirstRank() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
        if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
    }
    return true;
}

/// Takes the guard out of LD_PRELOAD. Returns whether it was there.
bool leaveOutGuard() {
    const char* preloaded = std::getenv("LD_PRELOAD");
    const std::string own = fileOf(reinterpret_cast<const void*>(&leaveOutGuard));
    if (preloaded == nullptr) return false;
    std::vector<std::string> others;
    bool wasThere = false;
    for (std::string_view rest = preloaded; !rest.empty();) {
        const std::size_t end = std::min(rest.find_first_of(": "), rest.size());
        const std::string one(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        std::error_code ignored;
        const bool isOwn = one == own || std::filesystem::equivalent(one, own, ignored);
        if (!isOwn && !one.empty()) others.push_back(one);
        wasThere = wasThere || isOwn;
    }
    if (others.empty())
        ::unsetenv("LD_PRELOAD");
    else
        ::setenv("LD_PRELOAD", fmt::format("{}", fmt::join(others, ":")).c_str(), 1);
    ::unsetenv("FERRY_COPY");    // the mark of this library in this process
    return wasThere;
}

/// Whether the program may be an interpreter that has read its program from standard input, which cannot be read again.
bool mayHaveReadItself(char** argv) { return argv[0] == nullptr || argv[1] == nullptr || std::string_view(argv[1]) == "-"; }

}    // namespace

std::optional<OtherMpi> OtherMpi::usedBy(const void* function) {
    GetVersion* const own = versionFunctionOf(fileOf(reinterpret_cast<const void*>(&OtherMpi::usedBy)));
    GetVersion* const used =
        function == nullptr ? reinterpret_cast<GetVersion*>(::dlsym(RTLD_DEFAULT, getVersionName)) : versionFunctionOf(fileOf(function));
    if (own == nullptr || used == nullptr || own == used || familyOf(own) == familyOf(used)) return std::nullopt;
    return OtherMpi{nameIn(versionText(own)), nameIn(versionText(used))};
}

void OtherMpi::stepAside(char** argv, bool hasBegun) const {
    const bool isRepeatable = !hasBegun || !mayHaveReadItself(argv);
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    const bool isLoader = program.filename().string().starts_with("ld-");    // its arguments are not those of the program
    const bool canStart = isRepeatable && !failed && !isLoader && leaveOutGuard();
    if (isFirstRank()) {
        const std::string text = fmt::format(
            "ferry: this program is not guarded: libferry_guard.so is for {}, the program uses {}. Build Ferry with that MPI, and name its "
            "libferry_guard.so with --guard-library\n",
            ofGuard, ofProgram);
        static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));    // in one piece; without a standard error nobody is told
    }
    if (canStart) ::execv(program.c_str(), argv);
}

}    // namespace ferry::detail
