#include <ferry/tests/fuzz/Mutation.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::test {

namespace {

constexpr std::size_t MaxInts = 1024;

Mutation::Ints::iterator at(Mutation::Ints& ints, std::size_t place) { return ints.begin() + static_cast<std::ptrdiff_t>(place); }

}    // namespace

Mutation::Mutation(std::vector<Ints> good, std::uint64_t seed) : good_(std::move(good)), random_(seed) {
    for (const detail::ClassEntry& entry : ObjectFactory::global().classes()) classIds_.push_back(entry.id);
}

Mutation::Ints Mutation::next() {
    Ints ints = good_[below(good_.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) changeOnce(ints);
    if (ints.size() > MaxInts) ints.resize(MaxInts);
    return ints;
}

std::int32_t Mutation::interestingInt(std::int32_t old) {
    constexpr std::int32_t Least = std::numeric_limits<std::int32_t>::min(), Most = std::numeric_limits<std::int32_t>::max();
    constexpr std::array Values{0,   1,   2,     3,         4,  7,  8,  31,    32,        64,   65,
                                255, 256, 65536, 1'000'000, -1, -2, -3, Least, Least + 1, Most, Most - 1};
    switch (below(6)) {
        case 0: return static_cast<std::int32_t>(random_());
        case 1: return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) ^ 1u << below(32));
        case 2: return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) + static_cast<std::uint32_t>(below(5)) - 2);
        case 3:
            if (!classIds_.empty()) return classIds_[below(classIds_.size())];
            [[fallthrough]];
        default: return Values[below(Values.size())];
    }
}

void Mutation::changeOnce(Ints& ints) {
    if (ints.empty()) {
        ints.push_back(interestingInt(0));
        return;
    }
    const std::size_t place = below(ints.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(ints.size() - place, 24));
    switch (below(9)) {
        case 0: std::swap(ints[place], ints[below(ints.size())]); break;
        case 1: ints.insert(at(ints, place), interestingInt(0)); break;
        case 2: ints.erase(at(ints, place), at(ints, place + 1 + below(std::min<std::size_t>(length, 3)))); break;
        case 3: ints.resize(place); break;
        case 4: {    // splice: keep the front, and append the rear of a good message
            const Ints& other = good_[below(good_.size())];
            const std::size_t from = below(other.size());
            ints.resize(place);
            ints.insert(ints.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
            break;
        }
        case 5: {    // repeat a block
            const Ints block(at(ints, place), at(ints, place + length));
            const std::size_t times = 1 + below(below(8) == 0 ? 100 : 3);
            for (std::size_t i = 0; i < times && ints.size() < MaxInts; ++i) ints.insert(at(ints, place), block.begin(), block.end());
            break;
        }
        default: ints[place] = interestingInt(ints[place]); break;
    }
}

}    // namespace ferry::test
