#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

template <class T>
class Ref;

namespace detail {

/// The class ID by which a result of this type travels.
template <class T>
constexpr ClassId resultId() {
    if constexpr (std::is_base_of_v<Message, T>) {
        return classIdFor<T>;
    } else {
        return ValueIdentity<T>::id;
    }
}

/// The result that a Ref refers to. On the master it is with a slave, on a slave it is here.
///
/// Errors: UsageError on the other side.
class RefTarget {
public:
    /// Makes the result from its class ID and its ints.
    using Make = std::shared_ptr<const Message> (*)(std::span<const std::int32_t> ints, const ObjectFactory& factory);

    RefTarget() = default;
    RefTarget(const RefTarget&) = delete;
    RefTarget& operator=(const RefTarget&) = delete;
    virtual ~RefTarget() = default;

    virtual std::int32_t number() const noexcept = 0;
    /// The result on a slave. Errors: SerializationError for damaged ints.
    virtual const Message& here(ClassId id, Make make) = 0;
    /// Brings the result to the master.
    virtual std::shared_ptr<const Message> bring(Make make, Deadline deadline) = 0;
};

/// The Refs in the task that this thread writes or reads.
///
/// Threads: one scope for each thread.
class RefScope {
public:
    /// Makes a scope the current one of this thread.
    class Active {
    public:
        explicit Active(RefScope& scope) noexcept;
        Active(const Active&) = delete;
        Active& operator=(const Active&) = delete;
        ~Active();

    private:
        RefScope* const before_;
    };

    /// Writes a Ref: takes note of its target, and returns the number to write. Errors: UsageError where no task is submitted.
    static std::int32_t leave(const std::shared_ptr<RefTarget>& target);
    /// Reads a Ref. Null: no task is read, or the Ref was empty.
    static std::shared_ptr<RefTarget> arrive(std::int32_t number);

    RefScope() = default;
    RefScope(const RefScope&) = delete;
    RefScope& operator=(const RefScope&) = delete;

protected:
    ~RefScope() = default;

private:
    /// Returns the number to write in the place of the Ref.
    virtual std::int32_t noteWritten(const std::shared_ptr<RefTarget>& target) = 0;
    virtual std::shared_ptr<RefTarget> noteRead(std::int32_t number) = 0;
};

/// Checks the class ID of a result. Errors: SerializationError.
void requireResultOf(ClassId expected, const char* name, ClassId found);

/// Reads a result from its class ID and its ints.
template <class T>
std::shared_ptr<const Message> makeResult(std::span<const std::int32_t> ints, const ObjectFactory& factory) {
    IntReader in(ints, factory);
    const ClassId id = in.readInt();
    if constexpr (std::is_base_of_v<Message, T>) {
        requireResultOf(resultId<T>(), T::ferryClassName(), id);
        auto result = std::make_shared<T>();
        in >> *result;
        in.expectEnd();
        return result;
    } else {
        requireResultOf(resultId<T>(), ValueIdentity<T>::name(), id);
        auto result = std::make_shared<ValueMessage<T>>();
        in >> result->value;
        in.expectEnd();
        return result;
    }
}

struct RefAccess;
[[noreturn]] void failEmptyRef();

}    // namespace detail

/// A result that stays with the slave that made it (`master.submit(task, ferry::Keep{})`), for tasks that read it. A task that has Refs
/// among its fields runs where its results are, or its slave fetches them before its handler begins. The master moves none of them.
///
/// The result lives while a Ref to it lives, or a task that reads it is open. When its slave dies, the result is made again by its task.
/// Copies refer to the same result. A Ref travels only in a task that the master submits; its master must be the same.
/// Threads: on the master like the master; the destructor on any. In a handler, any.
/// Errors: LostResult from the future of a task, and from get(), when the result is lost and cannot be made again.
template <class T>
class Ref {
public:
    /// A Ref to nothing.
    Ref() = default;

    bool isEmpty() const noexcept { return target_ == nullptr; }

    /// The result, in the handler of a task that has the Ref. Errors: UsageError on the master and for an empty Ref; SerializationError
    /// when the ints of the result are damaged.
    const T& operator*() const { return detail::taskIn<T>(target().here(detail::resultId<T>(), &detail::makeResult<T>)); }
    const T* operator->() const { return std::addressof(**this); }

    /// Brings the result to the master, each time anew. Errors: LostResult; TimeoutError at the deadline; UsageError in a handler, after
    /// the end of the master, and for an empty Ref; all exceptions of a wait of the master. A function of then() that runs in the wait may
    /// assign or destroy this Ref: the call brings the result that it began with.
    T get(Deadline deadline = Deadline::never()) const {
        static_cast<void>(target());
        const std::shared_ptr<detail::RefTarget> kept = target_;    // a function that runs in the wait may change or destroy this Ref
        const std::shared_ptr<const Message> brought = kept->bring(&detail::makeResult<T>, deadline);
        return std::move(const_cast<T&>(detail::taskIn<T>(*brought)));    // made for this call alone
    }

private:
    friend struct detail::RefAccess;

    detail::RefTarget& target() const {
        if (!target_) detail::failEmptyRef();
        return *target_;
    }

    std::shared_ptr<detail::RefTarget> target_;
};

namespace detail {

struct RefAccess {
    template <class T>
    static Ref<T> make(std::shared_ptr<RefTarget> target) {
        Ref<T> ref;
        ref.target_ = std::move(target);
        return ref;
    }
    template <class T>
    static const std::shared_ptr<RefTarget>& targetOf(const Ref<T>& ref) noexcept {
        return ref.target_;
    }
};

template <class T>
struct RefValue {
    static constexpr bool isRef = false;
    using Value = T;
};
template <class T>
struct RefValue<Ref<T>> {
    static constexpr bool isRef = true;
    using Value = T;
};

}    // namespace detail

template <class T>
struct Codec<Ref<T>> {
    static constexpr std::size_t minInts = 2;

    static void write(IntWriter& out, const Ref<T>& ref) {
        out.writeInt(detail::resultId<T>());
        out.writeInt(detail::RefScope::leave(detail::RefAccess::targetOf(ref)));
    }
    static void read(IntReader& in, Ref<T>& ref) {
        detail::requireResultOf(detail::resultId<T>(), "ferry::Ref", in.readInt());
        const std::int32_t number = in.readInt();
        if (number < 0) in.fail("the number of a result", "a negative number");
        ref = detail::RefAccess::make<T>(detail::RefScope::arrive(number));
    }
};

}    // namespace ferry
