#include <ferry/guard/unwinding/CallSiteTable.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <typeinfo>

#include <doctest/doctest.h>

using namespace ferry::pmpi;

namespace {

using SiteKind = CallSiteTable::SiteKind;
using Purpose = CallSiteTable::Purpose;

constexpr std::uintptr_t begin = 0x1000;

/// Returns a table of these bytes. The bytes have to lie in a segment of the program.
template <std::size_t byteCount>
CallSiteTable tableOf(const std::array<std::uint8_t, byteCount>& bytes) {
    FunctionTables function;
    function.begin = begin;
    function.callSites = reinterpret_cast<std::uintptr_t>(bytes.data());
    return CallSiteTable(function);
}

std::runtime_error thrownError("thrown");
const ThrownObject thrown{&typeid(thrownError), &thrownError};

}    // namespace

TEST_CASE("CallSiteTable: calls with and without landing pad, and calls that are left out") {
    static const std::array<std::uint8_t, 13> bytes{0xff, 0xff, 0x01, 8, 0x10, 5, 0x40, 0, 0x20, 0x05, 0, 0, 0};
    const CallSiteTable table = tableOf(bytes);
    CHECK(table.siteAt(begin).kind == SiteKind::LeftOut);
    CHECK(table.siteAt(begin + 0x0f).kind == SiteKind::LeftOut);
    for (const std::uintptr_t place : {0x10, 0x14}) {
        const CallSiteTable::Site site = table.siteAt(begin + place);
        CHECK(site.kind == SiteKind::Entered);
        CHECK(site.landingPad == begin + 0x40);
        CHECK(table.purposeOf(site, thrown) == Purpose::CleanUp);
    }
    CHECK(table.siteAt(begin + 0x15).kind == SiteKind::LeftOut);
    CHECK(table.siteAt(begin + 0x20).kind == SiteKind::Passed);
    CHECK(table.siteAt(begin + 0x25).kind == SiteKind::LeftOut);
    CHECK(table.siteAt(begin - 1).kind == SiteKind::Unreadable);
}

TEST_CASE("CallSiteTable: landing pads elsewhere, and numbers of fixed length") {
    static const std::array<std::uint8_t, 28> bytes{0x04, 0x00, 0x20, 0, 0, 0, 0, 0, 0, 0xff, 0x03, 16, 1, 0,
                                                    0,    0,    4,    0, 0, 0, 8, 0, 0, 0,    0,    0,  0, 0};
    const CallSiteTable::Site site = tableOf(bytes).siteAt(begin + 2);
    CHECK(site.kind == SiteKind::Entered);
    CHECK(site.landingPad == 0x2008);
    CHECK(tableOf(bytes).siteAt(begin + 10).kind == SiteKind::Unreadable);    // the table ends within its second entry
}

TEST_CASE("CallSiteTable: a handler for all, an exception specification that allows nothing, and clean-up behind handlers") {
    // Three calls with the first, second and third action. The type is null, stored in four bytes.
    static const std::array<std::uint8_t, 30> bytes{0xff, 0x03, 26, 0x01, 12,   0x00, 1, 0x40, 1, 0x01, 1, 0x41, 3, 0x02, 1,
                                                    0x42, 5,    1,  0,    0x7f, 0,    0, 0,    0, 0,    0, 0,    0, 0,    0};
    const CallSiteTable table = tableOf(bytes);
    CHECK(table.purposeOf(table.siteAt(begin), thrown) == Purpose::HandlerForAll);
    CHECK(table.purposeOf(table.siteAt(begin + 1), thrown) == Purpose::Refusal);
    CHECK(table.purposeOf(table.siteAt(begin + 2), thrown) == Purpose::CleanUp);
}

TEST_CASE("CallSiteTable: an exception specification that allows the exception is no reason to enter a landing pad") {
    static const std::array<std::uint8_t, 17> bytes{0xff, 0x03, 12, 0x01, 4, 0x00, 1, 0x40, 1, 0x7f, 0, 0, 0, 0, 0, 1, 0};
    const CallSiteTable table = tableOf(bytes);
    CHECK(table.purposeOf(table.siteAt(begin), thrown) == Purpose::Nothing);
}

TEST_CASE("CallSiteTable: a damaged or unknown table is unreadable") {
    static const std::array<std::uint8_t, 8> unknownEncoding{0xff, 0xff, 0x0d, 4, 0x10, 5, 0x40, 0};
    CHECK(tableOf(unknownEncoding).siteAt(begin + 0x10).kind == SiteKind::Unreadable);
    static const std::array<std::uint8_t, 14> endless{0xff, 0xff, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0};
    CHECK(tableOf(endless).siteAt(begin).kind == SiteKind::Unreadable);
    static const std::array<std::uint8_t, 16> longNumber{0xff, 0xff, 0x01, 12,   0x80, 0x80, 0x80, 0x80,
                                                         0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0};
    CHECK(tableOf(longNumber).siteAt(begin).kind == SiteKind::Unreadable);
    // A table with a handler and without types.
    static const std::array<std::uint8_t, 10> noTypes{0xff, 0xff, 0x01, 4, 0x00, 1, 0x40, 1, 1, 0};
    const CallSiteTable table = tableOf(noTypes);
    CHECK(table.purposeOf(table.siteAt(begin), thrown) == Purpose::Unreadable);
    // A table with actions in a circle.
    static const std::array<std::uint8_t, 10> circle{0xff, 0xff, 0x01, 4, 0x00, 1, 0x40, 1, 0, 0x7f};
    CHECK(tableOf(circle).purposeOf(tableOf(circle).siteAt(begin), thrown) == Purpose::Unreadable);
    std::array<std::uint8_t, 8> onTheStack{0xff, 0xff, 0x01, 4, 0x10, 5, 0x40, 0};    // no table can be on the stack
    CHECK(tableOf(onTheStack).siteAt(begin + 0x10).kind == SiteKind::Unreadable);
    FunctionTables none;
    CHECK(CallSiteTable(none).siteAt(1).kind == SiteKind::Unreadable);
}
