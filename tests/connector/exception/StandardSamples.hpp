#pragma once

#include <any>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <ios>
#include <memory>
#include <new>
#include <optional>
#include <regex>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <typeinfo>
#include <variant>
#include <version>
#ifdef __cpp_lib_format
#include <format>
#endif

namespace ferry::test {

/// Returns one object of each exception class of this standard library.
/// C++20 has 28 such classes. GCC 13 has std::format_error, and GCC 14 has the two classes of time zones.
inline auto standardSamples() {
    using std::filesystem::filesystem_error;
    const auto denied = std::make_error_code(std::errc::permission_denied);
    const auto samples = std::make_tuple(
        std::exception(), std::bad_exception(), std::bad_alloc(), std::bad_array_new_length(), std::bad_cast(), std::bad_any_cast(),
        std::bad_typeid(), std::bad_function_call(), std::bad_weak_ptr(), std::bad_optional_access(), std::bad_variant_access(),
        std::logic_error("l"), std::domain_error("d"), std::invalid_argument("stoi"), std::length_error("le"), std::out_of_range("index 7"),
        std::future_error(std::future_errc::broken_promise), std::runtime_error(""), std::range_error("r"), std::overflow_error("o"),
        std::underflow_error("u \xff"), std::regex_error(std::regex_constants::error_brack), std::system_error(denied, "opening x"),
        std::ios_base::failure("stream", std::make_error_code(std::io_errc::stream)), filesystem_error("copy", "/a", "/b", denied));
#ifdef __cpp_lib_format
    return std::tuple_cat(samples, std::make_tuple(std::format_error("f")));
#else
    return samples;
#endif
}

/// Calls the function with each of the samples.
template <class Function>
void forEachStandardSample(Function function) {
    std::apply([&](const auto&... samples) { (function(samples), ...); }, standardSamples());
}

template <class Samples>
struct CatchTable;

/// Says which handlers catch an exception.
template <class... Samples>
struct CatchTable<std::tuple<Samples...>> {
    template <class E>
    static bool isCaughtAs(const std::exception_ptr& exception) {
        try {
            std::rethrow_exception(exception);
        } catch (const E&) {
            return true;
        } catch (...) {
            return false;
        }
    }

    /// Whether handlers for E and its bases catch the exception, and all other handlers do not.
    template <class E>
    static bool isCaughtLike(const std::exception_ptr& exception) {
        return ((isCaughtAs<Samples>(exception) == std::is_base_of_v<Samples, E>)&&...);
    }
};

using StandardCatchTable = CatchTable<decltype(standardSamples())>;

/// Whether code(), paths and similar details of both exceptions are equal.
template <class E>
bool haveEqualDetails(const E& a, const E& b) {
    bool areEqual = true;
    if constexpr (requires { a.code(); }) areEqual = a.code() == b.code();
    if constexpr (requires { a.code().category(); }) areEqual = areEqual && &a.code().category() == &b.code().category();
    if constexpr (requires { a.path1(); }) areEqual = areEqual && a.path1() == b.path1() && a.path2() == b.path2();
    return areEqual;
}

}    // namespace ferry::test
