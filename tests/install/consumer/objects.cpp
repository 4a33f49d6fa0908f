// Uses the serialization layer alone: prints "kept: 3 seats in B-12".
#include <cstdio>
#include <string>

#include <ferry/objects.hpp>

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(Room)
    FERRY_FIELDS(name, seats)
    std::string name;
    int seats = 0;
};

int main() {
    Room room;
    room.name = "B-12";
    room.seats = 3;
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    out << room;
    out.finish();

    Room copy;
    ferry::IntReader in(buffer.ints());
    in >> copy;
    in.expectEnd();
    std::printf("kept: %d seats in %s\n", copy.seats, copy.name.c_str());
}
