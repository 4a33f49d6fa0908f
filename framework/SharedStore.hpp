#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>

#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/message/ValueKey.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/TypeName.hpp>

namespace ferry {

/// What the master has shared with this slave, by type. An object is read when it is first asked for.
///
/// Threads: the slave's. Errors: UsageError for a type that was not shared.
class SharedStore {
public:
    /// Keeps the letter; a later one of the same type replaces it.
    void keep(Letter letter);

    /// The shared object of this type; valid until it is replaced.
    template <class T>
    const T& get(const ObjectFactory& factory) {
        Entry& entry = find(valueKey<T>, typeName(typeid(T)));
        if (!entry.object) {
            auto object = std::make_shared<T>();
            IntReader in(entry.letter.body(), factory);
            in >> *object;
            in.expectEnd();
            entry.object = std::move(object);
            entry.letter = Letter();
        }
        return *static_cast<const T*>(entry.object.get());
    }

private:
    struct Entry {
        Letter letter;
        std::shared_ptr<void> object;
    };

    Entry& find(std::int32_t key, const std::string& typeName);

    std::map<std::int32_t, Entry> entries_;
};

}    // namespace ferry
