#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <ferry/connector.hpp>
#include <ferry/examples/verbs/Blocks.hpp>
#include <ferry/examples/verbs/sampleSort.hpp>

namespace verbs {

/// A suffix with a number (its name) for its first characters.
/// A smaller name means smaller characters, and equal names mean equal characters.
struct Named {
    long position = 0;
    long name = 0;
};

/// A suffix that is about to get a name for twice as many characters.
struct Suffix {
    long position = 0;
    long name = 0;
    long nameBehind = 0;    ///< name of the suffix that begins behind the characters of `name`; 0: there is none
    friend bool operator<(const Suffix& one, const Suffix& other) {
        return std::tie(one.name, one.nameBehind) < std::tie(other.name, other.nameBehind);
    }
};

/// Returns the suffixes of this rank's block. Each one has the name of the suffix that begins a given number of characters later.
inline std::vector<Suffix> pairedSuffixes(ferry::Connector& c, const Blocks& blocks, const std::vector<Named>& own, long distance) {
    std::vector<Suffix> suffixes;
    std::map<int, std::vector<Named>> wanted;    // indexed by the rank of the earlier suffixes
    for (const Named& one : own) {
        suffixes.push_back({one.position, one.name, 0});
        if (const long before = one.position - distance; before >= 0) wanted[blocks.ownerOf(before)].push_back({before, one.name});
    }
    for (const Named& one : ferry::flat(c.sparseAllToAll(wanted))) suffixes[one.position - blocks.begin(c.rank())].nameBehind = one.name;
    return suffixes;
}

/// Returns the positions of the suffixes of a text in alphabetical order, by prefix doubling (Manber and Myers).
/// Each rank has a block of the text and gets a part of the positions.
inline std::vector<long> suffixArray(ferry::Connector& c, const Blocks& blocks, const std::string& ownText) {
    const long begin = blocks.begin(c.rank());
    std::vector<Named> own(ownText.size());
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = {begin + static_cast<long>(i), 1 + static_cast<unsigned char>(ownText[i])};
    for (long length = 1;; length *= 2) {
        const std::vector<Suffix> sorted = sampleSort(c, pairedSuffixes(c, blocks, own, length));
        const long sortedCount = static_cast<long>(sorted.size());
        const long before = c.scan(sortedCount, ferry::Sum{}) - sortedCount;
        std::map<int, std::vector<Named>> named;    // indexed by owner
        bool areDifferent = true;
        long name = before;
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const bool isNew = i == 0 || sorted[i - 1] < sorted[i];
            areDifferent = areDifferent && isNew;
            if (isNew) name = before + static_cast<long>(i) + 1;
            named[blocks.ownerOf(sorted[i].position)].push_back({sorted[i].position, name});
        }
        if (c.allReduce(areDifferent, ferry::And{})) {
            std::vector<long> positions;
            for (const Suffix& suffix : sorted) positions.push_back(suffix.position);
            return positions;
        }
        for (const Named& one : ferry::flat(c.sparseAllToAll(named))) own[one.position - begin] = one;
    }
}

}    // namespace verbs
