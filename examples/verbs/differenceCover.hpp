#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include <ferry/connector.hpp>
#include <ferry/examples/verbs/Blocks.hpp>

namespace verbs {

/// A number for a position of a text: a letter, or the rank of the suffix that begins there.
struct Numbered {
    long position = 0;
    long number = 0;
};

/// Three letters from a position on.
struct Triple {
    long position = -1;
    std::array<long, 3> letters{};
};

/// A suffix as it is compared. At two of three positions the rank is known; and of two suffixes, 0, 1 or 2 positions later both are.
struct RankedSuffix {
    long position = 0;
    std::array<long, 2> letters{};
    std::array<long, 3> ranks{};    ///< of the suffixes 0, 1 and 2 positions later

    friend bool operator<(const RankedSuffix& one, const RankedSuffix& other) noexcept {
        const long here = one.position % 3, there = other.position % 3;
        if (here != 0 && there != 0) return one.ranks[0] < other.ranks[0];
        if (here != 2 && there != 2) return std::tie(one.letters[0], one.ranks[1]) < std::tie(other.letters[0], other.ranks[1]);
        return std::tie(one.letters, one.ranks[2]) < std::tie(other.letters, other.ranks[2]);
    }
};

/// Brings the numbers to the owners of their positions. Returns those of this rank's block; 0 where there is none.
inline std::vector<long> placed(ferry::Connector& c, const Blocks& blocks, const std::vector<Numbered>& numbers) {
    std::vector<std::vector<Numbered>> outgoing(c.size());
    for (const Numbered& one : numbers)
        if (one.position >= 0 && one.position < blocks.count()) outgoing[blocks.ownerOf(one.position)].push_back(one);
    std::vector<long> own(blocks.end(c.rank()) - blocks.begin(c.rank()));
    for (const Numbered& one : ferry::flat(c.allToAll(outgoing))) own[one.position - blocks.begin(c.rank())] = one.number;
    return own;
}

/// Returns, for each position of this rank's block, the number that stands a distance behind; 0 behind the end.
inline std::vector<long> later(ferry::Connector& c, const Blocks& blocks, const std::vector<long>& own, long distance) {
    std::vector<Numbered> numbers;
    for (std::size_t i = 0; i < own.size(); ++i) numbers.push_back({blocks.begin(c.rank()) + static_cast<long>(i) - distance, own[i]});
    return placed(c, blocks, numbers);
}

/// Names the triples of all ranks, so that a smaller name means smaller letters, and equal names mean equal letters.
inline std::vector<Numbered> namesOf(ferry::Connector& c, std::vector<Triple> triples) {
    triples = c.sort(triples, [](const Triple& one, const Triple& other) noexcept { return one.letters < other.letters; });
    const auto later = [](const Triple& one, const Triple& other) { return other.position < 0 ? one : other; };
    Triple before = c.exclusiveScan(triples.empty() ? Triple() : triples.back(), later);
    std::vector<Numbered> names;
    long name = 0;
    for (const Triple& triple : triples) {
        name += before.position < 0 || before.letters != triple.letters ? 1 : 0;
        names.push_back({triple.position, name});
        before = triple;
    }
    const long smaller = c.exclusiveScan(name, ferry::Sum{});
    for (Numbered& one : names) one.number += smaller;
    return names;
}

/// Returns the positions of all suffixes in order; each rank gets a part of them. The text ends with its only 0. By the difference cover
/// of Kaerkkaeinen and Sanders (DC3): suffixes at two of three positions are ranked first, those of a text of two thirds of the length.
inline std::vector<long> sortedSuffixes(ferry::Connector& c, const Blocks& blocks, const std::vector<long>& text) {
    const long begin = blocks.begin(c.rank()), oneCount = (blocks.count() + 1) / 3, sampleCount = oneCount + blocks.count() / 3;
    const std::vector<long> second = later(c, blocks, text, 1), third = later(c, blocks, text, 2);
    std::vector<Triple> triples;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const long position = begin + static_cast<long>(i);
        if (position % 3 != 0) triples.push_back({position, {text[i], second[i], third[i]}});
    }
    std::vector<Numbered> ranked = namesOf(c, triples);
    if (c.allReduce(ranked.empty() ? 0 : ranked.back().number, ferry::Max{}) < sampleCount) {    // some triples are equal
        for (Numbered& one : ranked) one.position = one.position / 3 + (one.position % 3 == 1 ? 0 : oneCount);
        const Blocks shorter(sampleCount + 1, c.size());
        const std::vector<long> order = sortedSuffixes(c, shorter, placed(c, shorter, ranked));
        long rank = c.exclusiveScan(static_cast<long>(order.size()), ferry::Sum{});
        ranked.clear();
        for (const long at : order)
            ranked.push_back({at < oneCount ? 3 * at + 1 : at < sampleCount ? 3 * (at - oneCount) + 2 : -1, rank++});
    }
    const std::vector<long> ranks = placed(c, blocks, ranked), next = later(c, blocks, ranks, 1), overnext = later(c, blocks, ranks, 2);
    std::vector<RankedSuffix> suffixes;
    for (std::size_t i = 0; i < text.size(); ++i)
        suffixes.push_back({begin + static_cast<long>(i), {text[i], second[i]}, {ranks[i], next[i], overnext[i]}});
    std::vector<long> positions;
    for (const RankedSuffix& suffix : c.sort(suffixes)) positions.push_back(suffix.position);
    return positions;
}

/// Returns the positions of the suffixes of a text in alphabetical order. Each rank has a block of the text and gets a part of the
/// positions.
inline std::vector<long> suffixArrayByCover(ferry::Connector& c, const Blocks& blocks, const std::string& ownText) {
    std::vector<Numbered> letters;
    for (const char letter : ownText)
        letters.push_back({blocks.begin(c.rank()) + static_cast<long>(letters.size()), 1 + static_cast<unsigned char>(letter)});
    const Blocks withEnd(blocks.count() + 1, c.size());    // a 0 comes behind the text
    std::vector<long> positions = sortedSuffixes(c, withEnd, placed(c, withEnd, letters));
    std::erase(positions, blocks.count());
    return positions;
}

}    // namespace verbs
