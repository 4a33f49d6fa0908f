#include <ferry/connector/message/ExceptionMessage.hpp>

#include <memory>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/IntBuffer.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

namespace {

/// What the exception writes of itself; false when its writing throws.
template <class Write>
bool packData(ExceptionLink& link, Write write) {
    try {
        IntBuffer buffer;
        IntWriter out(buffer);
        write(out);
        out.finish();
        link.data.assign(buffer.ints().begin(), buffer.ints().end());
        return true;
    } catch (...) {
        return false;    // the exception still travels, without its data
    }
}

ExceptionLink packOwn(const Exception& exception) {
    ExceptionLink link;
    link.classId = exception.classId();
    link.name = exception.className();
    link.typeName = typeNameOf(exception);
    link.text = exception.what();
    // One that was made without a text has no origin of its own yet.
    link.origin = exception.origin().host.empty() ? Origin::here() : exception.origin();
    if (packData(link, [&](IntWriter& out) { exception.writeToInts(out); })) link.form = ExceptionLink::Form::Own;
    return link;
}

ExceptionLink packForeign(const std::exception& exception, const Translator& translator) {
    ExceptionLink link;
    link.typeName = typeNameOf(exception);
    link.text = exception.what();
    const Origin* origin = originOf(exception);
    link.origin = origin != nullptr ? *origin : Origin::here();
    const auto entry = translator.nearest(exception);
    if (!entry) return link;
    link.name = entry->name;
    if (packData(link, [&](IntWriter& out) { entry->write(out, exception); })) link.form = ExceptionLink::Form::Foreign;
    return link;
}

ExceptionLink packAnything(std::string text) {
    ExceptionLink link;
    link.typeName = currentTypeName();
    link.text = std::move(text);
    link.origin = Origin::here();
    return link;
}

ExceptionLink pack(const std::exception_ptr& exception, const Translator& translator) {
    try {
        std::rethrow_exception(exception);
    } catch (const Exception& own) {
        return packOwn(own);
    } catch (const std::exception& foreign) {
        return packForeign(foreign, translator);
    } catch (const char* text) {
        return packAnything(text != nullptr ? text : "null");
    } catch (const std::string& text) {
        return packAnything(text);
    } catch (...) {
        return packAnything("an exception of type " + currentTypeName());
    }
}

/// The exception with its data; null when its class or its data cannot be read here.
std::unique_ptr<Exception> readOwn(const ExceptionLink& link, const ObjectFactory& factory) {
    try {
        std::unique_ptr<Exception> exception = factory.createAs<Exception>(link.classId);
        IntReader in(link.data, factory);
        exception->readFromInts(in);
        in.expectEnd();
        exception->restore(link.text, link.origin);
        return exception;
    } catch (...) {
        return nullptr;    // whatever its class throws while it reads: the failure that was sent must not get lost for it
    }
}

void raiseForeign(const ExceptionLink& link, const std::exception_ptr& cause, const ObjectFactory& factory, const Translator& translator) {
    const auto entry = translator.find(link.name);
    if (!entry) return;
    IntReader in(link.data, factory);
    entry->raise(in, RemoteInformation(link.origin, link.text, link.typeName), cause);
}

std::exception_ptr thrownWithCause(Exception& exception, const std::exception_ptr& cause) {
    exception.setCause(cause);
    return raised(exception);
}

std::exception_ptr rebuildUnknown(const ExceptionLink& link, const std::exception_ptr& cause) {
    UnknownException exception(link.typeName, link.text);
    exception.restore(link.text, link.origin);
    return thrownWithCause(exception, cause);
}

std::exception_ptr rebuildLink(const ExceptionLink& link, const std::exception_ptr& cause, const ObjectFactory& factory,
                               const Translator& translator) {
    if (link.form == ExceptionLink::Form::Own) {
        if (const std::unique_ptr<Exception> exception = readOwn(link, factory)) return thrownWithCause(*exception, cause);
    } else if (link.form == ExceptionLink::Form::Foreign) {
        try {
            raiseForeign(link, cause, factory, translator);
        } catch (const SerializationError&) {
            return rebuildUnknown(link, cause);    // its data cannot be read here: what could be saved arrives
        } catch (...) {
            return std::current_exception();
        }
    }
    return rebuildUnknown(link, cause);
}

}    // namespace

ExceptionMessage::ExceptionMessage(const std::exception_ptr& exception, const Translator& translator) {
    for (const std::exception_ptr& link : chainOf(exception)) links_.push_back(pack(link, translator));
}

void ExceptionMessage::writeToInts(IntWriter& out) const { out << links_; }

void ExceptionMessage::readFromInts(IntReader& in) {
    // Causes are destroyed one inside the other: a chain of any length would overflow the stack.
    const std::int32_t count = in.peekInt();
    if (count < 1 || static_cast<std::size_t>(count) > maxChainLength)
        in.failAt(in.cursor(), fmt::format("a chain of 1 to {} exceptions", maxChainLength), count);
    in >> links_;
}

std::exception_ptr ExceptionMessage::rebuild(const ObjectFactory& factory, const Translator& translator) const {
    std::exception_ptr exception;
    for (auto link = links_.rbegin(); link != links_.rend(); ++link) exception = rebuildLink(*link, exception, factory, translator);
    return exception;
}

}    // namespace ferry
