#include <ferry/connector/message/Probed.hpp>

#include <cstdint>
#include <string>

#include <ferry/connector/message/letter/ValueName.hpp>
#include <ferry/connector/message/state/Remarks.hpp>

namespace ferry::detail {

namespace {

/// The name of the type in the letter, without the part that says that a graph travels.
std::string typeInWords(const Envelope& envelope, const ObjectFactory& factory) {
    if (envelope.kind == MessageKind::Object) return factory.nameOf(envelope.key);
    const std::string name = nameOfValue(envelope.key);
    return envelope.kind == MessageKind::Graph ? "graph of " + rootOfGraph(name) : name;
}

}    // namespace

Probed describeLetter(const Letter& letter, const ObjectFactory& factory) {
    const Envelope& envelope = letter.envelope;
    const std::size_t bodyInts = letter.ints.size() + letter.missingInts - Envelope::sizeInts;
    return {.type = typeInWords(envelope, factory),
            .from = letter.from,
            .tag = envelope.kind == MessageKind::Graph ? Tag() : Tag(envelope.number),
            .bytes = bodyInts * sizeof(std::int32_t),
            .contents = {envelope.kind, envelope.key}};
}

}    // namespace ferry::detail
