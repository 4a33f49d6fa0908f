#include <ferry/guard/unwinding/CallSiteTable.hpp>

#include <span>
#include <string_view>

namespace ferry::pmpi {

CallSiteTable::CallSiteTable(const FunctionTables& function) : functionBegin_(function.begin), padsBegin_(function.begin) {
    TableReader reader(function.callSites);
    const TableReader::Encoding padsEncoding = reader.byte();
    if (padsEncoding != TableReader::Omitted) padsBegin_ = reader.pointer(padsEncoding, functionBegin_);
    typeEncoding_ = reader.byte();
    if (typeEncoding_ != TableReader::Omitted) {
        const std::uint64_t distance = reader.unsignedNumber();
        typesEnd_ = reader.place() + distance;
    }
    siteEncoding_ = reader.byte();
    const std::uint64_t byteCount = reader.unsignedNumber();
    sitesBegin_ = reader.place();
    reader.skip(byteCount);
    actionsBegin_ = sitesBegin_ + byteCount;
    isGood_ = reader.isGood();
}

CallSiteTable::Site CallSiteTable::siteAt(std::uintptr_t address) const {
    if (!isGood_ || address < functionBegin_) return {};
    TableReader reader(std::span(reinterpret_cast<const std::uint8_t*>(sitesBegin_), actionsBegin_ - sitesBegin_));
    while (reader.place() < actionsBegin_) {
        const std::uintptr_t begin = functionBegin_ + reader.pointer(siteEncoding_);
        const std::uintptr_t byteCount = reader.pointer(siteEncoding_);
        const std::uintptr_t pad = reader.pointer(siteEncoding_);
        const std::uint64_t action = reader.unsignedNumber();
        if (!reader.isGood()) return {};
        if (address < begin) break;    // the call sites are in ascending order
        if (address >= begin + byteCount) continue;
        if (pad == 0) return {SiteKind::Passed, 0, 0};
        return {SiteKind::Entered, padsBegin_ + pad, action};
    }
    return {SiteKind::LeftOut, 0, 0};
}

CallSiteTable::Purpose CallSiteTable::purposeOf(const Site& site, const ThrownObject& thrown) const {
    if (site.action == 0) return Purpose::CleanUp;
    constexpr int maxActions = 10'000;
    std::uintptr_t place = actionsBegin_ + site.action - 1;
    bool hasCleanUp = false;
    for (int count = 0; count < maxActions; ++count) {
        TableReader reader(place);
        const std::int64_t filter = reader.signedNumber();
        place = reader.place();
        const std::int64_t distance = reader.signedNumber();
        bool isGood = reader.isGood();
        if (filter > 0) {
            const std::type_info* handler = typeAt(static_cast<std::uint64_t>(filter), isGood);
            if (isGood && isTakenBy(handler, thrown)) return handler == nullptr ? Purpose::HandlerForAll : Purpose::Handler;
        } else if (filter < 0) {
            if (!isAllowed(static_cast<std::uint64_t>(-(filter + 1)), thrown, isGood) && isGood) return Purpose::Refusal;
        }
        if (!isGood) return Purpose::Unreadable;
        hasCleanUp = hasCleanUp || filter == 0;
        if (distance == 0) return hasCleanUp ? Purpose::CleanUp : Purpose::Nothing;
        place += static_cast<std::uintptr_t>(distance);
    }
    return Purpose::Unreadable;
}

/// The type at an index of the type table. Null: the type of catch (...).
const std::type_info* CallSiteTable::typeAt(std::uint64_t index, bool& isGood) const {
    const std::size_t bytes = TableReader::bytesOf(typeEncoding_);
    if (typesEnd_ == 0 || bytes == 0 || index > (typesEnd_ - actionsBegin_) / bytes) {
        isGood = false;
        return nullptr;
    }
    TableReader reader(typesEnd_ - index * bytes);
    const std::uintptr_t address = reader.pointer(typeEncoding_, functionBegin_);
    isGood = reader.isGood();
    return reinterpret_cast<const std::type_info*>(address);
}

bool CallSiteTable::isTakenBy(const std::type_info* handler, const ThrownObject& thrown) const {
    if (handler == nullptr) return true;
    constexpr std::string_view probeName =
        "N5ferry4pmpi11UnwindProbeE";    // name of UnwindProbe, which takes no exception and must not be asked yet
    if (handler->name() == probeName) return false;
    void* object = thrown.object;
    return handler->__do_catch(thrown.type, &object, 1);
}

/// Whether the list of types at this place allows the exception. The list ends with 0.
bool CallSiteTable::isAllowed(std::uint64_t place, const ThrownObject& thrown, bool& isGood) const {
    if (typesEnd_ == 0) isGood = false;
    TableReader reader(typesEnd_ + place);
    while (isGood) {
        const std::uint64_t index = reader.unsignedNumber();
        if (!reader.isGood()) isGood = false;
        if (!isGood || index == 0) return false;
        const std::type_info* allowed = typeAt(index, isGood);
        if (isGood && isTakenBy(allowed, thrown)) return true;
    }
    return false;
}

}    // namespace ferry::pmpi
