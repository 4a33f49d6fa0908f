// Uses the bridge to Boost.Serialization: prints "kept: 12 cents of Ada".
#include <cstdio>
#include <string>

#include <boost/serialization/string.hpp>

#include <ferry/boost.hpp>

struct Account {
    std::string owner;
    int cents = 0;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & owner & cents;
    }
};

template <>
inline constexpr bool ferry::useBoost<Account> = true;

int main() {
    Account account;
    account.owner = "Ada";
    account.cents = 12;
    ferry::IntBuffer buffer;
    ferry::IntWriter(buffer) << account;

    Account copy;
    ferry::IntReader in(buffer.ints());
    in >> copy;
    in.expectEnd();
    std::printf("kept: %d cents of %s\n", copy.cents, copy.owner.c_str());
}
