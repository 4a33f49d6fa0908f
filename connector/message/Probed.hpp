#pragma once

#include <cstddef>
#include <string>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/message/letter/Tag.hpp>
#include <ferry/connector/message/letter/TypedFilter.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// The description of a message, a value or a graph that has come, and that no call has taken.
struct Probed {
    std::string type;                 ///< its type in words, such as "int", or "graph of Station"
    int from = AnyRank;               ///< its sender
    Tag tag{};                        ///< its tag; Tag() for a graph
    std::size_t bytes = 0;            ///< the size of its contents as they travel; of a graph: of the first piece that waits
    detail::LetterType contents{};    ///< the type as is() and isGraphOf() compare it

    /// Whether receive<T>(from, tag) would take it.
    template <class T>
    bool is() const noexcept {
        return contents.kind == detail::letterTypeOf<T>().kind && contents.key == detail::letterTypeOf<T>().key;
    }
    /// Whether receiveGraph<T>(from) would take it.
    template <class T>
    bool isGraphOf() const noexcept {
        return contents.kind == detail::MessageKind::Graph && contents.key == detail::valueKey<detail::GraphRoot<T>>;
    }
};

namespace detail {

/// The description of a letter of one of the kinds Object, Value and Graph.
Probed describeLetter(const Letter& letter, const ObjectFactory& factory);

}    // namespace detail

}    // namespace ferry
