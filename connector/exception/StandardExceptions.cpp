#include <ferry/connector/exception/StandardExceptions.hpp>

#include <any>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <ios>
#include <memory>
#include <new>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <utility>
#include <variant>
#include <version>
#ifdef __cpp_lib_format
#include <format>
#endif
#if __cpp_lib_chrono >= 201907L
#include <chrono>
#endif

#include <ferry/connector/exception/ErrorCodes.hpp>
#include <ferry/connector/exception/Translator.hpp>
#include <ferry/serialization/Codec.hpp>

namespace ferry::detail {

namespace {

template <class E>
void writeCode(IntWriter& out, const E& exception) {
    writeErrorCode(out, exception.code());
}

std::regex_constants::error_type readRegexCode(IntReader& in) {
    // Standard libraries add codes of their own behind the standard ones. A value that needs more bits is no value of the enum.
    constexpr std::int32_t maxCode = 15;
    const std::int32_t code = in.readInt();
    if (code < 0 || code > maxCode) in.failAt(in.cursor() - 1, "the code of a std::regex_error", code);
    return static_cast<std::regex_constants::error_type>(code);
}

#if __cpp_lib_chrono >= 201907L
/// E is std::chrono::nonexistent_local_time or ambiguous_local_time. The constructors of both take a local time and its information. Their
/// text holds all that matters, so the time is left empty here.
template <class E>
void addLocalTimeError(Translator& translator, const char* name, int result) {
    translator.add<E, std::runtime_error>(
        name, [](IntWriter&, const E&) {},
        [result](IntReader&, RemoteInformation information) {
            std::chrono::local_info about{};
            about.result = result;
            return Remote<E>(std::move(information), std::chrono::local_seconds{}, about);
        });
}
#endif

}    // namespace

void addStandardExceptions(Translator& translator) {
    translator.add<std::exception, std::exception>("std::exception");

    translator.add<std::logic_error, std::exception>("std::logic_error");
    translator.add<std::domain_error, std::logic_error>("std::domain_error");
    translator.add<std::invalid_argument, std::logic_error>("std::invalid_argument");
    translator.add<std::length_error, std::logic_error>("std::length_error");
    translator.add<std::out_of_range, std::logic_error>("std::out_of_range");
    translator.add<std::future_error, std::logic_error>(
        "std::future_error", writeCode<std::future_error>, [](IntReader& in, RemoteInformation information) {
            return Remote<std::future_error>(std::move(information), static_cast<std::future_errc>(readErrorCode(in).value()));
        });

    translator.add<std::runtime_error, std::exception>("std::runtime_error");
    translator.add<std::range_error, std::runtime_error>("std::range_error");
    translator.add<std::overflow_error, std::runtime_error>("std::overflow_error");
    translator.add<std::underflow_error, std::runtime_error>("std::underflow_error");
    translator.add<std::regex_error, std::runtime_error>(
        "std::regex_error",
        [](IntWriter& out, const std::regex_error& exception) { out.writeInt(static_cast<std::int32_t>(exception.code())); },
        [](IntReader& in, RemoteInformation information) { return Remote<std::regex_error>(std::move(information), readRegexCode(in)); });
    translator.add<std::system_error, std::runtime_error>(
        "std::system_error", writeCode<std::system_error>,
        [](IntReader& in, RemoteInformation information) { return Remote<std::system_error>(std::move(information), readErrorCode(in)); });
    translator.add<std::ios_base::failure, std::system_error>("std::ios_base::failure", writeCode<std::ios_base::failure>,
                                                              [](IntReader& in, RemoteInformation information) {
                                                                  const std::error_code code = readErrorCode(in);
                                                                  const std::string text = information.text();
                                                                  return Remote<std::ios_base::failure>(std::move(information), text, code);
                                                              });
    translator.add<std::filesystem::filesystem_error, std::system_error>(
        "std::filesystem::filesystem_error",
        [](IntWriter& out, const std::filesystem::filesystem_error& exception) {
            writeErrorCode(out, exception.code());
            out << exception.path1() << exception.path2();
        },
        [](IntReader& in, RemoteInformation information) {
            const std::error_code code = readErrorCode(in);
            std::filesystem::path path1;
            std::filesystem::path path2;
            in >> path1 >> path2;
            const std::string text = information.text();
            return Remote<std::filesystem::filesystem_error>(std::move(information), text, path1, path2, code);
        });

#ifdef __cpp_lib_format
    translator.add<std::format_error, std::runtime_error>("std::format_error");
#endif
#if __cpp_lib_chrono >= 201907L
    addLocalTimeError<std::chrono::nonexistent_local_time>(translator, "std::chrono::nonexistent_local_time",
                                                           std::chrono::local_info::nonexistent);
    addLocalTimeError<std::chrono::ambiguous_local_time>(translator, "std::chrono::ambiguous_local_time",
                                                         std::chrono::local_info::ambiguous);
#endif

    translator.add<std::bad_alloc, std::exception>("std::bad_alloc");
    translator.add<std::bad_array_new_length, std::bad_alloc>("std::bad_array_new_length");
    translator.add<std::bad_cast, std::exception>("std::bad_cast");
    translator.add<std::bad_any_cast, std::bad_cast>("std::bad_any_cast");
    translator.add<std::bad_typeid, std::exception>("std::bad_typeid");
    translator.add<std::bad_exception, std::exception>("std::bad_exception");
    translator.add<std::bad_function_call, std::exception>("std::bad_function_call");
    translator.add<std::bad_weak_ptr, std::exception>("std::bad_weak_ptr");
    translator.add<std::bad_optional_access, std::exception>("std::bad_optional_access");
    translator.add<std::bad_variant_access, std::exception>("std::bad_variant_access");
}

}    // namespace ferry::detail
