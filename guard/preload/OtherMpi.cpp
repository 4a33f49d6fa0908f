#include <ferry/guard/preload/OtherMpi.hpp>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
constexpr const char* replacedName = "FERRY_GUARD_REPLACED";    // marks a process between its two beginnings

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

/// The function of an MPI in this process that is not the guard's. The guard's MPI may stand before it, where ferryrun preloads both.
GetVersion* otherThan(GetVersion* own) {
    struct Search {
        std::string own;
        std::string found;
    } search{fileOf(reinterpret_cast<const void*>(own)), {}};
    const auto look = [](dl_phdr_info* module, std::size_t, void* place) {
        auto& sought = *static_cast<Search*>(place);
        const std::string path = module->dlpi_name != nullptr ? module->dlpi_name : "";
        const std::string name = std::filesystem::path(path).filename();
        const bool isMpi = name.starts_with("libmpi.so.") || name.starts_with("libmpich.so.") || name.starts_with("libmpi_abi.so.");
        if (isMpi && path != sought.own) sought.found = path;
        return sought.found.empty() ? 0 : 1;
    };
    ::dl_iterate_phdr(look, &search);
    return search.found.empty() ? own : versionFunctionOf(search.found);
}

std::string ownFile() { return fileOf(reinterpret_cast<const void*>(&isFirstRank)); }

/// Takes the guard out of LD_PRELOAD, and its MPI, or puts another library in its place. instead: empty for none. Returns whether the guard
/// was there.
bool replaceGuard(const std::string& instead) {
    const char* preloaded = std::getenv("LD_PRELOAD");
    if (preloaded == nullptr) return false;
    const std::string own = ownFile();
    const std::string ownMpi = fileOf(reinterpret_cast<const void*>(versionFunctionOf(own)));    // ferryrun may name it beside the guard
    std::vector<std::string> others;
    bool wasThere = false;
    for (std::string_view rest = preloaded; !rest.empty();) {
        const std::size_t end = std::min(rest.find_first_of(": "), rest.size());
        const std::string one(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto isFile = [&](const std::string& file) {
            std::error_code ignored;
            return one == file || std::filesystem::equivalent(one, file, ignored);
        };
        const bool isOwn = isFile(own);
        if (isOwn && !instead.empty()) others.push_back(instead);
        if (!isOwn && !one.empty() && !isFile(ownMpi)) others.push_back(one);
        wasThere = wasThere || isOwn;
    }
    if (others.empty())
        ::unsetenv("LD_PRELOAD");
    else
        ::setenv("LD_PRELOAD", fmt::format("{}", fmt::join(others, ":")).c_str(), 1);
    ::unsetenv("FERRY_COPY");    // the mark of this library in this process
    return wasThere;
}

/// The name by which programs need a library, such as libmpi.so.12 for /opt/lib/libmpi.so.12.2.0; empty: the name has no such form.
std::string neededName(const std::string& file) {
    const std::string name = std::filesystem::path(file).filename();
    const std::size_t ending = name.find(".so.");
    if (ending == name.npos) return {};
    const std::size_t end = name.find('.', ending + 4);
    return name.substr(0, end);
}

/// Whether a library needs another one: its names are texts in the file.
bool needs(const std::filesystem::path& library, const std::string& name) {
    std::ifstream file(library, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return bytes.starts_with(
               "\x7f"
               "ELF") &&
           bytes.find('\0' + name + '\0') != bytes.npos;
}

/// The guard library for the MPI in this file: beside this one, or among those that FERRY_GUARD_LIBRARY names; empty: there is none.
std::string guardFor(const std::string& mpi) {
    const std::string name = neededName(mpi);
    if (name.empty()) return {};
    std::vector<std::filesystem::path> candidates;
    const std::filesystem::path own = ownFile();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(own.parent_path(), ignored)) {
        const std::string file = entry.path().filename();
        if (file.starts_with("libferry_guard") && file.ends_with(".so")) candidates.push_back(entry.path());
    }
    const char* named = std::getenv("FERRY_GUARD_LIBRARY");
    for (std::string_view rest = named != nullptr ? named : ""; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        candidates.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const std::filesystem::path& one) {
        return !std::filesystem::equivalent(one, own, ignored) && needs(one, name);
    });
    return found != candidates.end() ? found->string() : "";
}

/// Whether the process was begun again with this guard in the place of another one.
bool hasReplacedAnother() {
    static const bool has = [] {
        const bool isMarked = std::getenv(replacedName) != nullptr;
        ::unsetenv(replacedName);
        return isMarked;
    }();
    return has;
}

/// Whether the program may be an interpreter that has read its program from standard input, which cannot be read again.
bool mayHaveReadItself(char** argv) { return argv[0] == nullptr || argv[1] == nullptr || std::string_view(argv[1]) == "-"; }

}    // namespace

std::optional<OtherMpi> OtherMpi::usedBy(const void* function) {
    hasReplacedAnother();    // the program does not see the mark
    GetVersion* const own = versionFunctionOf(fileOf(reinterpret_cast<const void*>(&OtherMpi::usedBy)));
    GetVersion* used =
        function == nullptr ? reinterpret_cast<GetVersion*>(::dlsym(RTLD_DEFAULT, getVersionName)) : versionFunctionOf(fileOf(function));
    if (own != nullptr && own == used && function == nullptr) used = otherThan(own);
    if (own == nullptr || used == nullptr || own == used || familyOf(own) == familyOf(used)) return std::nullopt;
    return OtherMpi{nameIn(versionText(own)), nameIn(versionText(used)), fileOf(reinterpret_cast<const void*>(used))};
}

void OtherMpi::stepAside(char** argv, bool hasBegun) const {
    const bool isRepeatable = !hasBegun || !mayHaveReadItself(argv);
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    const bool isLoader = program.filename().string().starts_with("ld-");    // its arguments are not those of the program
    const std::string instead = hasReplacedAnother() ? "" : guardFor(library);
    const bool canStart = isRepeatable && !failed && !isLoader && replaceGuard(instead);
    if (canStart && !instead.empty()) {
        ::setenv(replacedName, "1", 1);
    } else if (isFirstRank()) {
        const std::string text = fmt::format(
            "ferry: this program is not guarded: libferry_guard.so is for {}, the program uses {}. Build Ferry with that MPI, and name its "
            "libferry_guard.so with --guard-library\n",
            ofGuard, ofProgram);
        static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));    // in one piece; without a standard error nobody is told
    }
    if (canStart) ::execv(program.c_str(), argv);
    ::unsetenv(replacedName);
}

}    // namespace ferry::detail
