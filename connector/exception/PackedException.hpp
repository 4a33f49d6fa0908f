#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <ferry/connector/exception/Translator.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// One exception of a chain as it travels. Numbers and order are frozen: docs/wire-format.md.
struct ExceptionLink {
    /// How the exception is rebuilt.
    enum class Form : std::int32_t {
        Own = 1,        ///< a ferry::Exception, by class ID
        Foreign = 2,    ///< a class that the Translator knows, by name
        Unknown = 3,    ///< anything else: as UnknownException
    };

    Form form = Form::Unknown;
    std::int32_t classId = 0;
    std::string name;        ///< wire name of the class that is rebuilt
    std::string typeName;    ///< the class that was thrown
    std::string text;
    Origin origin;
    std::vector<std::int32_t> data;    ///< what the exception itself wrote
    FERRY_FIELDS(form, classId, name, typeName, text, origin, data)
};

/// An exception, with the chain of its causes, as it travels.
class PackedException {
public:
    /// Holds no exception: what a reader starts from.
    PackedException() = default;

    /// Packs an exception. Never fails for what the exception does: one whose own writing throws is packed as what could be saved.
    explicit PackedException(const std::exception_ptr& exception, const Translator& translator = Translator::global());

    /// The exception anew, with its class, its data and its causes; null for one that holds none. A class that is not known here, or
    /// that refuses its data, becomes an UnknownException.
    std::exception_ptr rebuild(const ObjectFactory& factory = ObjectFactory::global(),
                               const Translator& translator = Translator::global()) const;

    /// Whether both are the same failure: the same classes with the same texts and data, thrown at the same lines, on whatever rank.
    bool tellsTheSameAs(const PackedException& other) const;

    void writeToInts(IntWriter& out) const;
    /// Errors: SerializationError for no exception, and for more than maxChainLength.
    void readFromInts(IntReader& in);

private:
    std::vector<ExceptionLink> links_;    ///< outermost first
};

}    // namespace ferry
