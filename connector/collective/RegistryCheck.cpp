#include <ferry/connector/collective/RegistryCheck.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/exception/RegistryMismatch.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

namespace {

// Steps of the comparison, as numbers of the envelopes.
constexpr std::int32_t fingerprintStep = 1;
constexpr std::int32_t verdictStep = 2;
constexpr std::int32_t classesStep = 3;
constexpr std::int32_t differenceStep = 4;
constexpr std::int32_t belowStep = 5;
constexpr std::int32_t allEqualStep = 6;

constexpr std::size_t maxNamedClasses = 5;
constexpr int conflictStatus = 2;    // exitStatus::usage of jobs

Envelope envelopeOf(std::int32_t step) { return Envelope{MessageKind::Registry, 0, step}; }

template <class T>
void sendStep(Mailbox& mailbox, int to, std::int32_t step, const T& value) {
    mailbox.post(to, Channel::Data, envelopeOf(step), [&](IntWriter& out) { out << value; });
}

/// Takes a letter of this step. The wait throws nothing that is due. A rank that is connected already may throw on this one, which throws
/// that at its first use of the connector.
template <class T>
T takeStep(Mailbox& mailbox, int from, std::int32_t step) {
    const Filter filter = Filter({MessageKind::Registry}, from).withNumber(step);
    std::optional<Letter> letter;
    mailbox.pumpUntil([&] { return (letter = mailbox.arrived().take(filter)).has_value(); }, Mailbox::Clock::time_point::max());
    IntReader in(letter->body());
    T value{};
    in >> value;
    mailbox.giveBack(std::move(*letter));
    return value;
}

std::vector<std::string> sortedNames(const ObjectFactory& factory) {
    std::vector<std::string> names;
    for (const auto& entry : factory.classes()) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    return names;
}

/// Adds sentences such as "class Room is known on rank 0 but not on rank 2", for the classes that only `here` has.
void describeMissing(std::vector<std::string>& sentences, const std::vector<std::string>& here, int hereRank,
                     const std::vector<std::string>& there, int thereRank) {
    std::vector<std::string> missing;
    std::set_difference(here.begin(), here.end(), there.begin(), there.end(), std::back_inserter(missing));
    for (std::size_t i = 0; i < std::min(missing.size(), maxNamedClasses); ++i)
        sentences.push_back(fmt::format("class {} is known on rank {} but not on rank {}", missing[i], hereRank, thereRank));
    if (missing.size() > maxNamedClasses) sentences.push_back(fmt::format("and {} more", missing.size() - maxNamedClasses));
}

std::string askForDifference(Mailbox& mailbox, const std::vector<int>& differingRanks) {
    const std::vector<std::string> own = sortedNames(mailbox.factory());
    std::vector<std::string> sentences;
    for (const int rank : differingRanks) {
        const auto theirs = takeStep<std::vector<std::string>>(mailbox, rank, classesStep);
        if (sentences.size() >= 2 * maxNamedClasses) continue;
        describeMissing(sentences, own, 0, theirs, rank);
        describeMissing(sentences, theirs, rank, own, 0);
    }
    return fmt::format("the ranks run different builds: {}", fmt::join(sentences, "; "));
}

/// Whether all ranks know the same classes. The question goes along a tree, so that no rank has more than log2(ranks) letters to send and
/// to take in.
bool areAllEqual(Mailbox& mailbox) {
    const int rank = mailbox.transport().rank();
    const std::uint64_t own = mailbox.factory().fingerprint();
    const TreePlace place = placeInTree(rank, mailbox.transport().size(), 0);
    bool areEqual = true;
    for (const int child : place.children) {
        const auto [fingerprint, areEqualBelow] = takeStep<std::pair<std::uint64_t, bool>>(mailbox, child, belowStep);
        areEqual = areEqual && areEqualBelow && fingerprint == own;
    }
    if (rank != 0) {
        sendStep(mailbox, place.parent, belowStep, std::pair(own, areEqual));
        areEqual = takeStep<bool>(mailbox, place.parent, allEqualStep);
    }
    for (const int child : place.children) sendStep(mailbox, child, allEqualStep, areEqual);
    return areEqual;
}

/// Finds the ranks that differ from rank 0, and tells all ranks in what.
void compareOnMaster(Mailbox& mailbox) {
    const int size = mailbox.transport().size();
    const std::uint64_t own = mailbox.factory().fingerprint();
    std::vector<int> differingRanks;
    for (int rank = 1; rank < size; ++rank) {
        if (takeStep<std::uint64_t>(mailbox, rank, fingerprintStep) != own) differingRanks.push_back(rank);
    }
    const bool allEqual = differingRanks.empty();
    for (int rank = 1; rank < size; ++rank) {
        const bool isAsked = std::binary_search(differingRanks.begin(), differingRanks.end(), rank);
        sendStep(mailbox, rank, verdictStep, allEqual ? 0 : isAsked ? 2 : 1);
    }
    if (allEqual) return;
    const std::string difference = askForDifference(mailbox, differingRanks);
    for (int rank = 1; rank < size; ++rank) sendStep(mailbox, rank, differenceStep, difference);
    mailbox.flush();
    throw RegistryMismatch(difference);
}

void compareWithMaster(Mailbox& mailbox) {
    sendStep(mailbox, 0, fingerprintStep, mailbox.factory().fingerprint());
    const int verdict = takeStep<int>(mailbox, 0, verdictStep);
    if (verdict == 0) return;
    if (verdict == 2) sendStep(mailbox, 0, classesStep, sortedNames(mailbox.factory()));
    throw RegistryMismatch(takeStep<std::string>(mailbox, 0, differenceStep));
}

}    // namespace

void compareRegistries(Mailbox& mailbox) {
    if (!areAllEqual(mailbox)) compareRegistriesWithMaster(mailbox);
}

void compareRegistriesWithMaster(Mailbox& mailbox) {
    if (mailbox.transport().rank() == 0) {
        compareOnMaster(mailbox);
    } else {
        compareWithMaster(mailbox);
    }
}

void requireNoConflicts(const ObjectFactory& factory) {
    if (&factory != &ObjectFactory::global()) {
        factory.verify();
        return;
    }
    try {
        factory.verify();
    } catch (const UsageError& error) {
        fmt::print(stderr, "ferry: the program does not start: {}\n", printable(error.what(), Lines::Several));
        std::fflush(nullptr);
        std::_Exit(conflictStatus);    // destructors could wait for other ranks, which end like this one
    }
}

}    // namespace ferry::detail
