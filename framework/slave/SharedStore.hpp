#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/ValueKey.hpp>
#include <ferry/framework/parcel/SharedNotice.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

/// The objects that the master has shared with this slave, by type. An object is read when a handler first asks for it.
///
/// Threads: the slave's. Errors: UsageError for a type that is not shared; SerializationError for a damaged letter.
class SharedStore {
public:
    /// The route on which a letter of kind Shared has come.
    static SharedRoute routeOf(const Letter& letter);

    /// Keeps a letter of kind Shared. It may come before or after the master's notice.
    void keep(Letter letter);

    /// Whether the version that a letter of kind SharedNotice names has arrived. True for a notice that drops an object: nothing has to
    /// arrive.
    bool has(const Envelope& notice) const;

    /// Makes the version of the notice the current one.
    void use(const Envelope& notice);

    /// The shared object of this type; valid until it is replaced or dropped.
    template <class T>
    const T& get(const ObjectFactory& factory) {
        InUse& used = find(valueKey<T>, typeName(typeid(T)));
        if (!used.object) {
            auto object = std::make_shared<T>();
            IntReader in(objectIn(used.letter), factory);
            in >> *object;
            in.expectEnd();
            used.object = std::move(object);
            used.letter = Letter();
        }
        return *static_cast<const T*>(used.object.get());
    }

    /// The version of the shared object of this type.
    template <class T>
    std::int32_t version() {
        return find(valueKey<T>, typeName(typeid(T))).version;
    }

private:
    struct InUse {
        std::int32_t version = 0;
        Letter letter;    ///< kept until the object is read
        std::shared_ptr<void> object;
    };
    using Place = std::pair<std::int32_t, std::int32_t>;    ///< key and version

    static std::span<const std::int32_t> objectIn(const Letter& letter) { return letter.body().subspan(1); }
    InUse& find(std::int32_t key, const std::string& typeName);

    std::map<std::int32_t, InUse> inUse_;    ///< by key
    std::map<Place, Letter> arrived_;
};

}    // namespace ferry::detail
