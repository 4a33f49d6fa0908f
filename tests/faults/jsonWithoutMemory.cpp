// Should: whatever allocation fails while JSON or XML is read or written, the program goes on: std::bad_alloc, or a right result. Prints "ok".
#include <ferry/json.hpp>
#include <ferry/objects.hpp>
#include <ferry/xml.hpp>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <ferry/tests/support/ScarceMemory.hpp>

namespace {

using ferry::test::ScarceMemory;

struct Room {
    std::string name;
    std::vector<std::vector<int>> seats;
    std::map<std::string, std::optional<std::string>> notes;
    FERRY_FIELDS(name, seats, notes)
};

struct House {
    std::list<Room> rooms;
    std::deque<std::string> doors;
    std::unordered_map<std::string, std::shared_ptr<Room>> byName;
    std::variant<int, std::vector<double>> sizes;
    std::set<std::string> names;
    FERRY_FIELDS(rooms, doors, byName, sizes, names)
};

long wrong = 0;

/// Calls work again and again, until no allocation fails. work returns whether its result is right.
template <class Work>
void sweep(const char* name, const Work& work) {
    constexpr std::uint64_t Limit = 10'000;
    std::uint64_t n = 1;
    for (; n < Limit; ++n) {
        const std::uint64_t failuresBefore = ScarceMemory::failureCount();
        try {
            const ScarceMemory scarce(n, 1);
            const bool isRight = work();
            if (!isRight) ++wrong;
        } catch (const std::bad_alloc&) {}
        if (ScarceMemory::failureCount() == failuresBefore) break;
    }
    if (n < 10 || n == Limit) {
        std::printf("%s: %llu allocations\n", name, static_cast<unsigned long long>(n));
        ++wrong;
    }
}

}    // namespace

int main() {
    const std::string longText(60, 'x');
    const Room room{longText, {{1, 2}, {}, {3}}, {{longText, longText}, {"empty", std::nullopt}}};
    const House house{
        {room, room}, {longText, "left"}, {{"one", std::make_shared<Room>(room)}}, std::vector<double>{0.5, 1e300}, {longText}};
    const std::string text = ferry::toJson(house);

    sweep("toJson", [&] { return ferry::toJson(house) == text; });
    sweep("fromJson", [&] {
        const auto made = ferry::fromJson<House>(text);
        return made.rooms.back().notes == room.notes && made.byName.at("one")->seats == room.seats && made.names == house.names;
    });
    for (const std::string& refused :
         {text.substr(0, text.size() - 1), std::string(R"({"rooms":[{"name":[[[1]]]}]})"), std::string("{\"a\":[1e999]}"),
          R"({"rooms":[],"rooms":[]})" + longText, std::string(R"({"rooms":[{"name":"","name":""}]})"), std::string(R"({"rooms":7})")}) {
        sweep(refused.c_str(), [&] {
            try {
                static_cast<void>(ferry::fromJson<House>(refused));
                return false;
            } catch (const ferry::SerializationError&) {
                return true;
            }
        });
    }
    const std::string xml = ferry::toXml(house);
    sweep("toXml", [&] { return ferry::toXml(house) == xml; });
    sweep("fromXml", [&] { return ferry::toJson(ferry::fromXml<House>(xml)) == text; });
    sweep("damaged XML", [&] {
        try {
            static_cast<void>(ferry::fromXml<House>(xml.substr(0, xml.size() - 1)));
            return false;
        } catch (const ferry::SerializationError&) {
            return true;
        }
    });
    if (wrong == 0) std::puts("ok");
    return wrong == 0 ? 0 : 1;
}
