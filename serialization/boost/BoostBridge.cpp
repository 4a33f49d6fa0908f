#include <ferry/serialization/boost/BoostBridge.hpp>

#include <exception>
#include <new>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

void rethrowFromBoost(const IntReader& in) {
    try {
        throw;
    } catch (const Exception&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        std::throw_with_nested(
            SerializationError(fmt::format("expected a value that its class accepts, found: {}", error.what()), in.position()));
    }
}

}    // namespace ferry::detail
