#include <ferry/serialization/exception/stack/Symbols.hpp>

#include <dlfcn.h>
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <boost/core/demangle.hpp>

#ifdef FERRY_HAS_BACKTRACE
#include <backtrace.h>
#endif

#include <ferry/serialization/exception/debug/DebugInformation.hpp>
#include <ferry/serialization/exception/debug/ElfFile.hpp>
#include <ferry/serialization/exception/stack/OriginLimits.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

using Frames = std::vector<StackFrame>;
using Addresses = std::vector<std::uint64_t>;

std::string withinLimit(std::string text) {
    text.resize(std::min(text.size(), originLimits::textBytes));
    return text;
}

/// Returns the name without the compiler's suffixes for parts of functions, such as ".cold".
std::string readableName(const char* symbol) {
    if (symbol == nullptr) return std::string();
    const std::string name(symbol, std::strcspn(symbol, "."));
    return withinLimit(readableTypeName(boost::core::demangle(name.c_str())));
}

/// Sets the module of all frames. Sets the function of the outermost frame if it is unknown and exported.
void addModule(Frames& frames, std::uintptr_t address) {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(address), &info) == 0) return;
    for (StackFrame& frame : frames) {
        frame.module = withinLimit(info.dli_fname != nullptr ? info.dli_fname : "");
        frame.offset = address - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    }
    if (frames.back().function.empty()) frames.back().function = readableName(info.dli_sname);
}

#ifdef FERRY_HAS_BACKTRACE

void ignoreError(void*, const char*, int) {}

/// Null if the debug information of the program cannot be read.
backtrace_state* debugInformation() {
    static backtrace_state* const state = ::backtrace_create_state(nullptr, 1, ignoreError, nullptr);
    return state;
}

int addFrame(void* frames, std::uintptr_t, const char* file, int line, const char* function) {
    static_cast<Frames*>(frames)->push_back(
        StackFrame{readableName(function), withinLimit(file != nullptr ? file : ""), line, std::string(), 0});
    return 0;
}

void setFunction(void* frame, std::uintptr_t, const char* symbol, std::uintptr_t, std::uintptr_t) {
    // Only the symbol has the whole signature. But it belongs to the surrounding function, not to a function inlined into it.
    if (symbol != nullptr) static_cast<StackFrame*>(frame)->function = readableName(symbol);
}

/// The frames at an address by libbacktrace, which reads the debug information of all modules when it is called first.
Frames slowFrames(std::uintptr_t address) {
    Frames frames;
    if (backtrace_state* state = debugInformation()) {
        ::backtrace_pcinfo(state, address, addFrame, ignoreError, &frames);
        if (frames.empty()) frames.emplace_back();
        ::backtrace_syminfo(state, address, setFunction, ignoreError, &frames.back());
    }
    return frames;
}

#else

Frames slowFrames(std::uintptr_t) { return {}; }

#endif

/// Finds the names in one loaded file.
class NamesOfFile {
public:
    explicit NamesOfFile(const platform::LoadedFile& file) : base_(file.base) {
        const auto own = ElfFile::open(file.path);
        if (own == nullptr) return;
        if (own->hasSection(".debug_info")) {
            // Compressed information, and a part in another file, are left to libbacktrace.
            if (own->section(".debug_info").empty() || own->hasSection(".gnu_debugaltlink")) return;
            names_.emplace(own);
            return;
        }
        const std::string separate = separateFileOf(*own, file.path);
        if (separate.empty()) {
            names_.emplace(own);
        } else if (isOfSystemFolder(file.path)) {
            // Lines of the system's libraries say little, and their files are compressed. The names of functions are not.
            const auto other = ElfFile::open(separate);
            names_.emplace(other != nullptr && !other->section(".symtab").empty() ? other : own);
        }
    }

    /// The frames at addresses of this process, which are sorted. Frames that libbacktrace has to find are empty.
    std::vector<Frames> framesAt(const Addresses& addresses) {
        std::vector<Frames> all(addresses.size());
        if (!names_ || ++readCount_ > maxReads) return all;
        Addresses ofFile;
        for (const std::uint64_t address : addresses) ofFile.push_back(address - base_);
        const auto found = names_->framesAt(ofFile);
        if (!found) return all;
        const std::vector<std::string> symbols = names_->symbolsAt(ofFile);
        for (std::size_t one = 0; one < all.size(); ++one) {
            if (found) {
                for (const SourceFrame& frame : (*found)[one])
                    all[one].push_back(
                        StackFrame{readableName(frame.function.c_str()), withinLimit(frame.line.file), frame.line.line, {}, 0});
            }
            if (all[one].empty()) all[one].emplace_back();
            // Only the symbol has the whole signature. But it belongs to the surrounding function, not to a function inlined into it.
            if (!symbols[one].empty()) all[one].back().function = readableName(symbols[one].c_str());
        }
        return all;
    }

private:
    static bool isOfSystemFolder(std::string_view path) {
        return path.starts_with("/lib/") || path.starts_with("/lib64/") || path.starts_with("/usr/lib/") || path.starts_with("/usr/lib64/");
    }

    /// The file into which the debug information was put. Empty: there is none.
    static std::string separateFileOf(const ElfFile& file, const std::string& path) {
        constexpr std::string_view digits = "0123456789abcdef";
        std::vector<std::string> places;
        DwarfReader note(file.section(".note.gnu.build-id"));
        const auto nameBytes = note.fixed<std::uint32_t>();
        const auto idBytes = note.fixed<std::uint32_t>();
        note.fixed<std::uint32_t>();
        note.take((nameBytes + 3) / 4 * 4);
        std::string id;
        for (const std::uint8_t byte : note.take(idBytes)) {
            id += digits[byte >> 4];
            id += digits[byte & 15];
        }
        if (id.size() > 2) places.push_back("/usr/lib/debug/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug");
        const std::string link(DwarfReader(file.section(".gnu_debuglink")).text());
        if (!link.empty()) {
            const std::string folder = path.substr(0, path.find_last_of('/') + 1);
            places.push_back(folder + link);
            places.push_back(folder + ".debug/" + link);
            places.push_back("/usr/lib/debug/" + folder + link);
        }
        const auto found = std::find_if(places.begin(), places.end(),
                                        [&](const std::string& place) { return place != path && ::access(place.c_str(), R_OK) == 0; });
        return found != places.end() ? *found : std::string();
    }

    // Finding few names is fast here, finding many in libbacktrace, which reads everything once.
#ifdef FERRY_HAS_BACKTRACE
    static constexpr std::size_t maxReads = 40;
#else
    static constexpr std::size_t maxReads = std::numeric_limits<std::size_t>::max();
#endif

    std::uintptr_t base_;
    std::size_t readCount_ = 0;
    std::optional<DebugInformation> names_{};    // empty: only libbacktrace knows
};

/// Finds names, and keeps them, because programs that throw often throw from few places.
class Cache {
public:
    /// The frames at each address, which is that of a call.
    std::vector<Frames> at(const Addresses& calls) {
        const std::lock_guard lock(mutex_);
        // Another module may lie at the addresses of one that was unloaded.
        if (const std::uint64_t unloads = platform::countOfUnloads(); unloads != unloads_) {
            known_.clear();
            files_.clear();
            unloads_ = unloads;
        }
        constexpr std::size_t maxAddresses = 20'000;
        if (known_.size() >= maxAddresses) known_.clear();
        std::map<std::string, std::pair<platform::LoadedFile, std::set<std::uint64_t>>> unknown;
        for (const std::uint64_t call : calls) {
            if (known_.find(call) != known_.end()) continue;
            const auto file = platform::loadedFileAt(static_cast<std::uintptr_t>(call));
            if (!file) {
                known_.emplace(call, completed({}, call));
                continue;
            }
            auto& ofFile = unknown[file->path];
            ofFile.first = *file;
            ofFile.second.insert(call);
        }
        for (const auto& [path, ofFile] : unknown) learn(ofFile.first, Addresses(ofFile.second.begin(), ofFile.second.end()));
        std::vector<Frames> all;
        for (const std::uint64_t call : calls) all.push_back(known_[call]);
        return all;
    }

private:
    void learn(const platform::LoadedFile& file, const Addresses& calls) {
        const std::vector<Frames> found = files_.try_emplace(file.path, file).first->second.framesAt(calls);
        for (std::size_t one = 0; one < calls.size(); ++one) known_.emplace(calls[one], completed(found[one], calls[one]));
    }

    static Frames completed(Frames frames, std::uint64_t call) {
        const auto address = static_cast<std::uintptr_t>(call);
        if (frames.empty()) frames = slowFrames(address);
        if (frames.empty()) frames.emplace_back();
        addModule(frames, address);
        return frames;
    }

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Frames> known_;
    std::map<std::string, NamesOfFile> files_;
    std::uint64_t unloads_ = 0;
};

}    // namespace

Frames symbolise(std::span<void* const> returnAddresses) {
    static Cache& cache = *new Cache;    // never destroyed, because reports are written until the very end of the program
    Addresses calls;
    // The call is before its return address. The return address may belong to another line or even another function.
    for (void* const address : returnAddresses) calls.push_back(reinterpret_cast<std::uintptr_t>(address) - 1);
    if (calls.size() > originLimits::frames) calls.resize(originLimits::frames);
    Frames stack;
    for (Frames& frames : cache.at(calls)) {
        for (StackFrame& frame : frames) stack.push_back(std::move(frame));
    }
    stack.resize(std::min(stack.size(), originLimits::frames));
    return stack;
}

}    // namespace ferry::detail
