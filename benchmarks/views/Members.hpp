#pragma once

#include <tuple>
#include <type_traits>

#include <ferry/benchmarks/views/Mass.hpp>
#include <ferry/benchmarks/views/Samples.hpp>
#include <ferry/examples/population/Networks.hpp>
#include <ferry/examples/results/Results.hpp>
#include <ferry/serialization/PrivateMember.hpp>

// The members that the views name, for the contenders without a generator: the same private members, in the same order.

#define BENCH_MEMBER(Tag_, Member_) \
    namespace bench {               \
    namespace {                     \
    struct Tag_;                    \
    }                               \
    }                               \
    template struct ferry::detail::PrivateMember<bench::Tag_, Member_>

BENCH_MEMBER(MassMass, &space::Mass::mass_);
BENCH_MEMBER(MassX, &space::Mass::x_);
BENCH_MEMBER(MassY, &space::Mass::y_);
BENCH_MEMBER(MassForceX, &space::Mass::forceX_);
BENCH_MEMBER(MassSurrounding, &space::Mass::surrounding_);
BENCH_MEMBER(Slab8Edge, &space::Slab<8>::edge_);
BENCH_MEMBER(Slab32Edge, &space::Slab<32>::edge_);
BENCH_MEMBER(Slab2048Edge, &space::Slab<2048>::edge_);
BENCH_MEMBER(NodeRole, &growing::Node::role_);
BENCH_MEMBER(NodeBias, &growing::Node::bias_);
BENCH_MEMBER(GeneFrom, &growing::Gene::from_);
BENCH_MEMBER(GeneTo, &growing::Gene::to_);
BENCH_MEMBER(GeneWeight, &growing::Gene::weight_);
BENCH_MEMBER(GeneIsOn, &growing::Gene::isOn_);
BENCH_MEMBER(NetworkNodes, &growing::Network::nodes_);
BENCH_MEMBER(NetworkGenes, &growing::Network::genes_);
BENCH_MEMBER(SequenceName, &homology::Sequence::name_);
BENCH_MEMBER(SequenceLetters, &homology::Sequence::letters_);
BENCH_MEMBER(SegmentScore, &homology::Segment::score_);
BENCH_MEMBER(SegmentExpectation, &homology::Segment::expectation_);
BENCH_MEMBER(SegmentQueryBegin, &homology::Segment::queryBegin_);
BENCH_MEMBER(SegmentQueryEnd, &homology::Segment::queryEnd_);
BENCH_MEMBER(SegmentSubjectBegin, &homology::Segment::subjectBegin_);
BENCH_MEMBER(SegmentSubjectEnd, &homology::Segment::subjectEnd_);
BENCH_MEMBER(SegmentIdentities, &homology::Segment::identities_);
BENCH_MEMBER(SegmentGaps, &homology::Segment::gaps_);
BENCH_MEMBER(SegmentQueryLine, &homology::Segment::queryLine_);
BENCH_MEMBER(SegmentMiddleLine, &homology::Segment::middleLine_);
BENCH_MEMBER(SegmentSubjectLine, &homology::Segment::subjectLine_);
BENCH_MEMBER(HitAccession, &homology::Hit::accession_);
BENCH_MEMBER(HitLetters, &homology::Hit::letters_);
BENCH_MEMBER(HitSegments, &homology::Hit::segments_);
BENCH_MEMBER(ResultsQuery, &homology::Results::query_);
BENCH_MEMBER(ResultsHits, &homology::Results::hits_);
BENCH_MEMBER(ResultsLetters, &homology::Results::lettersSearched_);
#undef BENCH_MEMBER

namespace bench {
namespace {

template <class... Tags, class T>
auto membersOf(T& object) {
    return std::tie(object.*memberOf(ferry::detail::MemberSlot<Tags>())...);
}

inline auto partOf(const AdjacentPart&, space::Mass& mass) { return membersOf<MassMass, MassX, MassY>(mass); }
inline auto partOf(const HoledPart&, space::Mass& mass) { return membersOf<MassMass, MassX, MassForceX>(mass); }
inline auto partOf(const EdgePart<8>&, space::Slab<8>& slab) { return membersOf<Slab8Edge>(slab); }
inline auto partOf(const EdgePart<32>&, space::Slab<32>& slab) { return membersOf<Slab32Edge>(slab); }
inline auto partOf(const EdgePart<2048>&, space::Slab<2048>& slab) { return membersOf<Slab2048Edge>(slab); }

inline auto fieldsOf(space::Mass& mass) { return membersOf<MassMass, MassX, MassY, MassSurrounding>(mass); }
inline auto fieldsOf(growing::Node& node) { return membersOf<NodeRole, NodeBias>(node); }
inline auto fieldsOf(growing::Gene& gene) { return membersOf<GeneFrom, GeneTo, GeneWeight, GeneIsOn>(gene); }
inline auto fieldsOf(growing::Network& network) { return membersOf<NetworkNodes, NetworkGenes>(network); }
inline auto fieldsOf(homology::Sequence& sequence) { return membersOf<SequenceName, SequenceLetters>(sequence); }
inline auto fieldsOf(homology::Segment& segment) {
    return membersOf<SegmentScore, SegmentExpectation, SegmentQueryBegin, SegmentQueryEnd, SegmentSubjectBegin, SegmentSubjectEnd,
                     SegmentIdentities, SegmentGaps, SegmentQueryLine, SegmentMiddleLine, SegmentSubjectLine>(segment);
}
inline auto fieldsOf(homology::Hit& hit) { return membersOf<HitAccession, HitLetters, HitSegments>(hit); }
inline auto fieldsOf(homology::Results& results) { return membersOf<ResultsQuery, ResultsHits, ResultsLetters>(results); }

}    // namespace
}    // namespace bench
