#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <ferry/connector/message/letter/SequenceForm.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/HeldText.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/TravelsAsText.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

namespace ferry {

namespace detail {

/// The number of bytes that write(IntWriter&) writes. The writer keeps none of them.
template <class Write>
std::size_t countBytes(const Write& write) {
    IntBuffer room;
    IntWriter out(room);
    out.countOnly();
    write(out);
    out.requireReadable();
    return out.position() * sizeof(std::int32_t);
}

}    // namespace detail

/// The number of bytes that a message, a value or a part takes when it is sent: those that probe() tells the receiver. A head of 24
/// bytes comes to that. The object is visited as by send(), and not copied: large arrays of numbers are not
/// looked at.
/// Errors: those of send() for an object that cannot be written.
template <class T>
    requires(!detail::NamedGraph<T>)
std::size_t messageBytes(const T& value) {
    if constexpr (detail::TravelsAsText<T> && !std::is_same_v<T, std::string>) {
        return messageBytes(std::string(detail::heldText(value)));
    } else {
        detail::requireSendable<T>();
        return detail::countBytes([&](IntWriter& out) { out << detail::formOf(value); });
    }
}

/// The number of bytes that a graph takes when it is sent, in all of its pieces. A head of 24 bytes comes to each piece. Needs memory for
/// the table that recognises objects.
template <class T>
std::size_t messageBytes(const detail::GraphRoot<T>& graph) {
    return detail::countBytes([&](IntWriter& out) {
        detail::ReferenceWriter references;
        out.setReferences(&references);
        if constexpr (Codec<const T*>::isWritable) references.setRoot(graph.root);
        Codec<const T*>::write(out, graph.root);
        do {                    // the pieces are those of GraphWriter
            out.writeInt(0);    // the number of the piece
            const std::size_t begin = out.position();
            while (references.hasWaiting()) {
                references.writeNext(out);
                if (out.position() - begin >= graph.chunkBytes / sizeof(std::int32_t)) break;
            }
        } while (references.hasWaiting());
        out.setReferences(nullptr);
    });
}

}    // namespace ferry
