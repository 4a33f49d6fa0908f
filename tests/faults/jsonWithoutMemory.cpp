// Should: whatever allocation fails while JSON is read or written, the program goes on: std::bad_alloc, or a right result. Prints "ok".
#include <ferry/json.hpp>
#include <ferry/objects.hpp>

#include <cstdio>
#include <cstdlib>
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

#include <ferry/tests/faults/replacedNew.hpp>

namespace {

long countdown = 0;
bool hasFailed = false;

void* allocate(std::size_t bytes) {
    if (countdown > 0 && --countdown == 0) {
        hasFailed = true;
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

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
    constexpr long Limit = 10'000;
    long n = 1;
    for (; n < Limit; ++n) {
        hasFailed = false;
        countdown = n;
        try {
            const bool isRight = work();
            if (!isRight) ++wrong;
        } catch (const std::bad_alloc&) {}
        countdown = 0;
        if (!hasFailed) break;
    }
    if (n < 10 || n == Limit) {
        std::printf("%s: %ld allocations\n", name, n);
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
    if (wrong == 0) std::puts("ok");
    return wrong == 0 ? 0 : 1;
}
