// EXPECT a pointer to a character does not tell how many there are: use ferry::ownedArray(pointer, count)
#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Person {
    char* name = nullptr;
    FERRY_FIELDS(ferry::owned(name))
};

void write(ferry::IntWriter& out, const Person& person) { person.writeToInts(out); }
void read(ferry::IntReader& in, Person& person) { person.readFromInts(in); }

}    // namespace fail
