#include <ferry/tests/serialization/exception/linkage/ThrowProbe.hpp>

#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/stack/Symbols.hpp>

int ferry::test::frameCountOf(void (*function)()) {
    std::exception_ptr thrown;
    try {
        function();
    } catch (...) {
        thrown = std::current_exception();
    }
    const auto record = detail::throwRecordOf(detail::objectOf(thrown));
    return record != nullptr ? static_cast<int>(detail::symbolise(record->frames).size()) : -1;
}
