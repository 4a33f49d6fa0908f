#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/ints/ClassInfo.hpp>
#include <ferry/serialization/ints/CompilersText.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

// Tasks and replies that are values, such as plain structs, in the form of messages. docs/wire-format.md has their IDs.

namespace ferry::detail {

/// The ID of values of this type as tasks and replies. It is no class ID of a class that FERRY_CLASS gives the same name.
template <class T>
consteval ClassId findValueClassId() {
    const ClassId inverted = ~classIdOf(compilersTextOf<T>());
    return inverted != 0 ? inverted : 1;
}

/// A message that stands for a value of type T. Its class ID and its name come from the name of the type.
template <class T>
class ValueIdentity : public Message {
public:
    static constexpr ClassId id = findValueClassId<T>();

    /// The name of the type as a person writes it. Never destroyed: exit() on one rank leaves the others at work.
    static const char* name() {
        static const std::string& text = *new std::string(readableTypeName(compilersTextOf<T>()));
        return text.c_str();
    }

    ClassId classId() const override { return id; }
    const char* className() const override { return name(); }
};

/// A value that has arrived as a task, or leaves as a reply.
template <class T>
class ValueMessage final : public ValueIdentity<T> {
public:
    ValueMessage() = default;
    template <class Made>
    explicit ValueMessage(std::in_place_t, Made&& made) : value(std::forward<Made>(made)) {}

    void writeToInts(IntWriter& out) const override { out << value; }
    void readFromInts(IntReader& in) override { in >> value; }

    T value{};
};

/// A task that leaves from where its value lies. The value must outlive the message.
template <class T>
class BorrowedValue final : public ValueIdentity<T> {
public:
    explicit BorrowedValue(const T& value) : value_(value) {}

    void writeToInts(IntWriter& out) const override { out << value_; }
    void readFromInts(IntReader&) override {}    // never read: a slave makes a ValueMessage

private:
    const T& value_;
};

/// Registers a type of values as tasks before main(), in each program in which a call names the type as a task.
template <class T>
struct TaskRegistration {
    static void run() { registerClass(classInfoAs<ValueMessage<T>>(ValueIdentity<T>::name(), ValueIdentity<T>::id)); }
    static inline const ClassRegistrar registrar{&run};
};

/// Makes ObjectFactory::global() know the task. Calling it again has no effect.
template <class T>
void registerTask() {
    if constexpr (std::is_base_of_v<Message, T>) {
        registerClass(classInfoOf<T>());
    } else {
        TaskRegistration<T>::run();
    }
}

/// The class ID by which tasks of this type travel, be they messages or values.
template <class T>
ClassId taskIdOf() {
    if constexpr (std::is_base_of_v<Message, T>) {
        return classIdFor<T>;
    } else {
        static_cast<void>(&TaskRegistration<T>::registrar);
        return ValueIdentity<T>::id;
    }
}

/// The task as a message: the task itself, or a message that borrows the value.
template <class T>
decltype(auto) asMessage(const T& task) {
    if constexpr (std::is_base_of_v<Message, T>) {
        return (task);
    } else {
        static_cast<void>(&TaskRegistration<T>::registrar);
        return BorrowedValue<T>(task);
    }
}

/// The task in a message that has arrived.
template <class T>
const T& taskIn(const Message& message) {
    if constexpr (std::is_base_of_v<Message, T>) {
        return static_cast<const T&>(message);
    } else {
        return static_cast<const ValueMessage<T>&>(message).value;
    }
}

}    // namespace ferry::detail
