#include <ferry/connector/exception/Thrown.hpp>

#include <cxxabi.h>
#include <string_view>

#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/platform/TextAt.hpp>

namespace ferry::detail {

namespace {

/// The name without std::_Nested_exception. std::throw_with_nested throws this class of the library, which derives from the author's class.
std::string nameWithoutNesting(const std::type_info& type) {
    constexpr std::string_view prefix = "std::_Nested_exception<";
    std::string name = typeName(type);
    if (name.compare(0, prefix.size(), prefix) != 0 || name.back() != '>') return name;
    return name.substr(prefix.size(), name.size() - prefix.size() - 1);
}

/// The wire name. For a class that derives from a class with FERRY_EXCEPTION and has none itself, the name of the derived class.
std::string nameOf(const Exception& exception, const std::type_info& type) {
    if (!exception.remoteTypeName().empty()) return exception.remoteTypeName();
    if (type == exception.classType()) return exception.className();
    std::string thrown = nameWithoutNesting(type);
    return thrown == typeName(exception.classType()) ? exception.className() : thrown;
}

}    // namespace

Thrown::Thrown(const std::exception_ptr& exception) : pointer_(exception), record_(throwRecordOf(objectOf(exception))) {
    try {
        std::rethrow_exception(exception);
    } catch (const Exception& own) {
        own_ = &own;
        look(own);    // look() needs the std::exception within it: its class may have others as bases
    } catch (const std::exception& standard) {
        look(standard);
    } catch (const std::nested_exception& nesting) {
        nesting_ = &nesting;
        lookAtType();
    } catch (const char* text) {
        lookAtType();
        text_ = textAt(text);
    } catch (const char8_t* text) {
        lookAtType();
        text_ = textAt(reinterpret_cast<const char*>(text));
    } catch (const std::string& text) {
        lookAtType();
        text_ = text;
    } catch (...) {
        lookAtType();
    }
}

Thrown::Thrown(const std::exception& exception) : record_(throwRecordOf(dynamic_cast<const void*>(&exception))) {
    own_ = dynamic_cast<const Exception*>(&exception);
    look(exception);
}

void Thrown::look(const std::exception& exception) {
    standard_ = &exception;
    nesting_ = dynamic_cast<const std::nested_exception*>(&exception);
    type_ = &typeid(exception);
    const char* const text = exception.what();
    const bool isOwnText = own_ != nullptr && text == own_->Exception::what();
    text_ = text == nullptr ? "" : isOwnText ? text : textAt(text);
}

/// To be called within the handler of an exception that is neither a ferry::Exception nor a std::exception.
void Thrown::lookAtType() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    type_ = type != nullptr ? type : &typeid(void);
    text_ = "an exception of type " + typeName();
}

std::string Thrown::typeName() const {
    if (own_ != nullptr) {
        if (const auto* unknown = dynamic_cast<const UnknownException*>(own_)) return unknown->typeName();
        return nameOf(*own_, *type_);
    }
    if (const auto* remote = dynamic_cast<const RemoteInformation*>(standard_)) return remote->typeName();
    if (record_ != nullptr && record_->isRemote) return record_->typeName;
    return nameWithoutNesting(*type_);
}

bool Thrown::isRemote() const noexcept {
    if (own_ != nullptr) return own_->isRemote();
    return dynamic_cast<const RemoteInformation*>(standard_) != nullptr || (record_ != nullptr && record_->isRemote);
}

Origin Thrown::origin() const {
    if (own_ != nullptr && own_->isRemote()) return own_->origin();
    if (const auto* remote = dynamic_cast<const RemoteInformation*>(standard_)) return remote->origin();
    if (record_ != nullptr && record_->isRemote) return record_->origin;
    // An exception that was made without a text has no origin of its own yet.
    const bool knowsItself = own_ != nullptr && !own_->origin().host.empty();
    if (record_ == nullptr) return knowsItself ? own_->origin() : Origin::here();
    return readableOrigin(knowsItself ? own_->origin() : record_->origin, *record_);
}

std::exception_ptr Thrown::cause() const {
    if (nesting_ != nullptr && nesting_->nested_ptr()) return nesting_->nested_ptr();
    if (own_ != nullptr) return own_->cause();
    return record_ != nullptr ? record_->cause.get() : nullptr;
}

}    // namespace ferry::detail
