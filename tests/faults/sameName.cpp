// ranks: threads(2), 2. Two classes have one wire name, which is found when the program starts.
// Should print one line that names both, and exit with status 2. Kind: an exception of the start that nobody catches ("terminate called").
#include <ferry/ferry.hpp>
#include <cstdio>
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
        if (c.rank() == 0) c.send(1, one::Room()), c.send(1, two::Room());
        std::printf("the job has begun\n");
    });
}
