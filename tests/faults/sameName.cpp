// ranks: threads(2), 2. Two classes of two namespaces have one name, and travel.
// Should print both. Kind: names of classes without their namespaces, of which the second one is refused at the start.
#include <cstdio>
#include <ferry/ferry.hpp>
namespace one {
struct Room : ferry::Message {
    FERRY_CLASS(Room)
    FERRY_FIELDS(seats)
    int seats = 0;
};
}    // namespace one
namespace two {
struct Room : ferry::Message {
    FERRY_CLASS(Room)
    FERRY_FIELDS(name)
    std::string name;
};
}    // namespace two
int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{2});
    return app.runOnAll([](ferry::Connector& c) {
        one::Room first;
        first.seats = 30;
        two::Room second;
        second.name = "B-12";
        if (c.rank() == 0) c.send(1, first), c.send(1, second);
        if (c.rank() == 1) {
            const auto name = c.receive<two::Room>().name;
            std::printf("%d %s\n", c.receive<one::Room>().seats, name.c_str());
        }
    });
}
