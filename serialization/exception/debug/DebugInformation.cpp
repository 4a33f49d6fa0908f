#include <ferry/serialization/exception/debug/DebugInformation.hpp>

#include <algorithm>
#include <utility>

namespace ferry::detail {

namespace {

/// A function that contains an address, or an inlined call that does.
struct Scope {
    DebugEntry entry;
    bool isInlined = false;
};

bool isType(std::uint64_t tag) {
    return tag == DebugEntry::Class || tag == DebugEntry::Structure || tag == DebugEntry::Union || tag == DebugEntry::Enumeration;
}

/// The functions and inlined calls that contain each address, the outermost first. False: the unit has a form that is not known.
bool findScopes(const DebugUnit& unit, DwarfReader::Bytes info, const std::vector<std::uint64_t>& addresses, bool isAllSearched,
                std::vector<std::vector<Scope>>& scopes) {
    scopes.assign(addresses.size(), {});
    DwarfReader in(info.first(unit.end()), unit.firstEntry());
    int depth = 0;
    while (in.isGood() && !in.isAtEnd()) {
        const DebugEntry entry = unit.entryAt(in);
        if (!in.isGood()) return false;
        if (entry.tag == 0) {
            if (--depth <= 0) break;
            continue;
        }
        const bool isFunction = entry.tag == DebugEntry::Function || entry.tag == DebugEntry::Inlined;
        bool isNeeded = !isType(entry.tag) || isAllSearched;
        if (isFunction) {
            const bool isCovering = unit.visitCovered(entry, addresses, [&](std::size_t place) {
                scopes[place].push_back({entry, entry.tag == DebugEntry::Inlined});
            });
            isNeeded = isCovering || isAllSearched;
        }
        if (!entry.hasChildren) continue;
        if (!isNeeded && entry.sibling.kind == DebugValue::Kind::Reference && entry.sibling.number > entry.place)
            in.goTo(entry.sibling.number);
        else
            ++depth;
    }
    return in.isGood();
}

}    // namespace

DebugInformation::DebugInformation(std::shared_ptr<const ElfFile> file) : file_(std::move(file)), sections_(*file_) {}

std::optional<std::vector<std::vector<SourceFrame>>> DebugInformation::framesAt(const std::vector<std::uint64_t>& addresses) const {
    Stacks stacks(addresses.size());
    std::vector<bool> isFound(addresses.size(), false);
    for (std::size_t place = 0; place < sections_.info.size();) {
        DebugUnit unit(sections_, place);
        place = unit.end();
        if (!unit.isGood()) continue;
        std::vector<std::size_t> ofUnit;
        unit.visitCovered(unit.head(), addresses, [&](std::size_t one) {
            if (!isFound[one]) ofUnit.push_back(one);
            isFound[one] = true;
        });
        if (ofUnit.empty()) continue;
        if (unit.head().splitName.kind != DebugValue::Kind::None) return std::nullopt;    // the rest is in another file
        std::sort(ofUnit.begin(), ofUnit.end());
        if (!addFrames(unit, ofUnit, addresses, stacks)) return std::nullopt;
    }
    return stacks;
}

bool DebugInformation::addFrames(DebugUnit& unit, const std::vector<std::size_t>& places, const std::vector<std::uint64_t>& addresses,
                                 Stacks& stacks) const {
    std::vector<std::uint64_t> wanted;
    for (const std::size_t place : places) wanted.push_back(addresses[place]);
    unit.readAbbreviations();
    const LineTable table(sections_, unit);
    std::vector<SourceLine> lines;
    if (!unit.isGood() || !table.isGood() || !table.find(wanted, lines)) return false;
    std::vector<std::vector<Scope>> scopes;
    if (!findScopes(unit, sections_.info, wanted, false, scopes)) return false;
    const bool isMissing = std::any_of(scopes.begin(), scopes.end(), [](const std::vector<Scope>& some) { return some.empty(); });
    if (isMissing && !findScopes(unit, sections_.info, wanted, true, scopes)) return false;
    for (std::size_t one = 0; one < places.size(); ++one) {
        SourceLine line = lines[one];
        std::vector<SourceFrame>& stack = stacks[places[one]];
        for (auto scope = scopes[one].rbegin(); scope != scopes[one].rend(); ++scope) {
            stack.push_back({nameOf(unit, scope->entry, 0), std::move(line)});
            line = {};
            if (!scope->isInlined) break;
            line = {table.fileAt(scope->entry.callFile.number), static_cast<int>(scope->entry.callLine.number)};
        }
        if (scopes[one].empty()) stack.push_back({std::string(), std::move(line)});
    }
    return true;
}

std::string DebugInformation::nameAt(const DebugUnit& unit, std::size_t place, int depth) const {
    if (place >= unit.firstEntry() && place < unit.end()) {
        DwarfReader in(sections_.info.first(unit.end()), place);
        return nameOf(unit, unit.entryAt(in), depth);
    }
    for (std::size_t begin = 0; begin < sections_.info.size();) {
        DebugUnit other(sections_, begin);
        if (place < other.end()) {
            other.readAbbreviations();
            return other.isGood() && place >= other.firstEntry() ? nameAt(other, place, depth) : std::string();
        }
        begin = other.end();
    }
    return {};
}

std::string DebugInformation::nameOf(const DebugUnit& unit, const DebugEntry& entry, int depth) const {
    constexpr int maxDepth = 8;
    if (!entry.linkageName.text.empty()) return std::string(entry.linkageName.text);
    if (entry.origin.kind == DebugValue::Kind::Reference && depth < maxDepth) {
        std::string name = nameAt(unit, static_cast<std::size_t>(entry.origin.number), depth + 1);
        if (!name.empty()) return name;
    }
    return std::string(entry.name.text);
}

std::vector<std::string> DebugInformation::symbolsAt(const std::vector<std::uint64_t>& addresses) const {
    struct Found {
        std::uint64_t begin = 0;
        std::string_view name{};
    };
    std::vector<Found> found(addresses.size());
    file_->visitFunctions([&](std::uint64_t begin, std::uint64_t byteCount, std::string_view name) {
        auto one = std::lower_bound(addresses.begin(), addresses.end(), begin);
        for (; one != addresses.end() && *one - begin < byteCount; ++one) {
            Found& best = found[static_cast<std::size_t>(one - addresses.begin())];
            // The shortest of several names of one function is the one that its users know, such as MPI_Recv beside PMPI_Recv.
            const bool isBetter = begin > best.begin || (begin == best.begin && name.size() < best.name.size());
            if (!name.empty() && (best.name.empty() || isBetter)) best = {begin, name};
        }
    });
    std::vector<std::string> names;
    for (const Found& one : found) names.emplace_back(one.name);
    return names;
}

}    // namespace ferry::detail
