#include <ferry/ferry.hpp>
struct PluginRoom : ferry::Message {
    FERRY_CLASS(PluginRoom)
    FERRY_FIELDS(seats)
    int seats = 0;
};
extern "C" int seatsOfPluginRoom() { return PluginRoom().seats; }
