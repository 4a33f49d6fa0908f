#include <ferry/connector/exception/PackedException.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <tuple>
#include <typeinfo>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::ExceptionLink)

namespace ferry::detail {

namespace {

constexpr int triesWithoutMemory = 16;

/// Writes the data of the exception; false when the writing throws.
template <class Write>
bool packData(ExceptionLink& link, Write write) {
    for (int tries = 0; tries < triesWithoutMemory; ++tries) {
        try {
            IntBuffer buffer;
            IntWriter out(buffer);
            write(out);
            out.finish();
            link.data.assign(buffer.ints().begin(), buffer.ints().end());
            return true;
        } catch (const std::bad_alloc&) {
        } catch (...) {
            break;
        }
    }
    return false;    // the exception still travels, without its data
}

void packOwn(ExceptionLink& link, const Exception& exception) {
    if (!packData(link, [&](IntWriter& out) { exception.writeToInts(out); })) return;
    link.form = ExceptionLink::Form::Own;
    link.classId = exception.classId();
    link.name = exception.className();
}

/// Packs the exception as its nearest class that is known and can be written.
void packForeign(ExceptionLink& link, const Thrown& exception, const Translator& translator) {
    for (const auto& entry : translator.fitting(exception)) {
        if (!packData(link, [&](IntWriter& out) { entry->write(out, exception); })) continue;
        link.form = ExceptionLink::Form::Foreign;
        link.name = entry->name;
        link.text = entry->text(exception);
        return;
    }
}

/// Whether the exception is a stand-in for one that could not be rebuilt. A stand-in is packed as the exception that it stands for, so that
/// it is the same failure after every hop.
bool isStandIn(const Thrown& thrown) { return thrown.own() != nullptr && thrown.type() == typeid(UnknownException); }

ExceptionLink pack(const std::exception_ptr& exception, const Translator& translator) {
    const Thrown thrown(exception);
    ExceptionLink link;
    link.typeName = thrown.typeName();
    link.text = thrown.text();
    link.origin = thrown.origin();
    if (isStandIn(thrown)) return link;
    if (thrown.own() != nullptr) {
        packOwn(link, *thrown.own());
    } else {
        packForeign(link, thrown, translator);
    }
    return link;
}

/// The exception with its data; null when this rank cannot read its class or its data.
std::unique_ptr<Exception> readOwn(const ExceptionLink& link, const ObjectFactory& factory) {
    for (int tries = 0; tries < triesWithoutMemory; ++tries) {
        try {
            std::unique_ptr<Exception> exception = factory.createAs<Exception>(link.classId);
            IntReader in(link.data, factory);
            exception->readFromInts(in);
            in.expectEnd();
            exception->restore(link.text, link.origin, link.typeName != link.name ? link.typeName : std::string());
            return exception;
        } catch (const std::bad_alloc&) {
        } catch (...) {
            break;
        }
    }
    return nullptr;    // an exception of the class while it reads is dropped: the failure that was sent must not get lost
}

/// The exception with its cause. Null when it cannot be thrown with its class, because its copying throws.
std::exception_ptr thrownWithCause(Exception& exception, const std::exception_ptr& cause) {
    exception.setCause(cause);
    for (int tries = 0; tries < triesWithoutMemory; ++tries) {
        std::exception_ptr thrown = raised(exception);
        const Thrown copy(thrown);
        if (copy.own() != nullptr && copy.own()->classId() == exception.classId()) return thrown;
        if (copy.as<std::bad_alloc>() == nullptr) break;
    }
    return nullptr;
}

std::exception_ptr rebuildUnknown(const ExceptionLink& link, const std::exception_ptr& cause) {
    UnknownException exception(link.typeName, link.text);
    exception.restore(link.text, link.origin);
    return thrownWithCause(exception, cause);
}

std::exception_ptr rebuildForeign(const ExceptionLink& link, const std::exception_ptr& cause, const ObjectFactory& factory,
                                  const Translator& translator) {
    const auto entry = translator.find(link.name);
    if (!entry) return nullptr;
    for (int tries = 0; tries < triesWithoutMemory; ++tries) {
        std::exception_ptr exception;
        try {
            IntReader in(link.data, factory);
            entry->raise(in, RemoteInformation(link.origin, link.text, link.typeName), cause);
        } catch (...) {
            exception = std::current_exception();
        }
        const Thrown thrown(exception);
        if (thrown.record() != nullptr && thrown.record()->isRemote) return exception;
        if (thrown.as<std::bad_alloc>() == nullptr) break;
    }
    return nullptr;    // the data cannot be read here, or the class throws while it is made
}

std::exception_ptr rebuildLink(const ExceptionLink& link, const std::exception_ptr& cause, const ObjectFactory& factory,
                               const Translator& translator) {
    std::exception_ptr thrown;
    if (link.form == ExceptionLink::Form::Own) {
        if (const std::unique_ptr<Exception> exception = readOwn(link, factory)) thrown = thrownWithCause(*exception, cause);
    } else if (link.form == ExceptionLink::Form::Foreign) {
        thrown = rebuildForeign(link, cause, factory, translator);
    }
    return thrown ? thrown : rebuildUnknown(link, cause);    // arrives with the parts that could be saved
}

bool areAlike(const ExceptionLink& left, const ExceptionLink& right) {
    const auto identity = [](const ExceptionLink& link) {
        return std::tie(link.form, link.classId, link.name, link.typeName, link.text, link.origin.file, link.origin.line, link.data);
    };
    return identity(left) == identity(right);
}

}    // namespace

PackedException::PackedException(const std::exception_ptr& exception, const Translator& translator) {
    for (const std::exception_ptr& link : chainOf(exception)) links_.push_back(pack(link, translator));
}

void PackedException::writeToInts(IntWriter& out) const { out << links_; }

void PackedException::readFromInts(IntReader& in) {
    const std::int32_t count = in.peekInt();
    if (count < 1 || static_cast<std::size_t>(count) > maxChainLength)
        in.failAt(in.cursor(), fmt::format("a chain of 1 to {} exceptions", maxChainLength), count);
    in >> links_;
}

std::exception_ptr PackedException::rebuild(const ObjectFactory& factory, const Translator& translator) const {
    const ThrowRecordingPause pause;    // the place of the throw is known already
    std::exception_ptr exception;
    for (auto link = links_.rbegin(); link != links_.rend(); ++link) exception = rebuildLink(*link, exception, factory, translator);
    return exception;
}

bool PackedException::tellsTheSameAs(const PackedException& other) const {
    return std::equal(links_.begin(), links_.end(), other.links_.begin(), other.links_.end(), areAlike);
}

}    // namespace ferry::detail
