// ranks: threads(2), 2. Two classes have one wire name, which is found when the program starts: one fixes the name of the other, or both
// are in unnamed namespaces of two sources. Should print one line that names both with their places and the cure, and exit with status 2.
// Kind: an exception of the start that nobody catches ("terminate called").
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
struct Hall : ferry::Message {
    FERRY_CLASS_NAMED(Hall, "one::Room")
    FERRY_FIELDS(name)
    std::string name;
};
}    // namespace two
namespace {
struct Ask : ferry::Message {
    FERRY_CLASS(Ask)
    FERRY_FIELDS(number)
    int number = 0;
};
}    // namespace
int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{2});
    return app.runOnAll([](ferry::Connector& c) {
        if (c.rank() == 0) c.send(1, one::Room()), c.send(1, two::Hall()), c.send(1, Ask());
        std::printf("the job has begun\n");
    });
}
