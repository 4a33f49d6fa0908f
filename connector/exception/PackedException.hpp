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

namespace ferry::detail {

/// One exception of a chain as it travels. Numbers and order are frozen: docs/wire-format.md.
struct ExceptionLink {
    /// How the exception is rebuilt.
    enum class Form : std::int32_t {
        Own = 1,        ///< a ferry::Exception, found by class ID
        Foreign = 2,    ///< a class that the Translator knows, found by name
        Unknown = 3,    ///< anything else: becomes an UnknownException
    };

    Form form = Form::Unknown;
    std::int32_t classId = 0;
    std::string name;        ///< wire name of the class that is rebuilt
    std::string typeName;    ///< name of the class that was thrown
    std::string text;
    Origin origin;
    std::vector<std::int32_t> data;    ///< ints that the exception itself wrote
    FERRY_FIELDS_DECLARED(form, classId, name, typeName, text, origin, data)
};

/// An exception and the chain of its causes, as they travel.
class PackedException {
public:
    /// Holds no exception. A reader starts from this state.
    PackedException() = default;

    /// Packs an exception. Does not fail, whatever the exception's functions throw. An exception whose own writing throws is packed with
    /// the parts that could be saved.
    explicit PackedException(const std::exception_ptr& exception, const Translator& translator = Translator::global());

    /// Makes the exception again, with its class, its data and its causes. Null when no exception is held. An exception whose class is not
    /// known here, or refuses its data, becomes an UnknownException.
    std::exception_ptr rebuild(const ObjectFactory& factory = ObjectFactory::global(),
                               const Translator& translator = Translator::global()) const;

    /// Whether both are the same failure: the same classes with the same texts and data, thrown at the same lines, on any ranks.
    bool tellsTheSameAs(const PackedException& other) const;

    void writeToInts(IntWriter& out) const;
    /// Errors: SerializationError for an empty chain, and for more than maxChainLength exceptions.
    void readFromInts(IntReader& in);

private:
    std::vector<ExceptionLink> links_;    ///< outermost first
};

}    // namespace ferry::detail
