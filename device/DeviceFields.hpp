#pragma once

#include <ferry/serialization/Fields.hpp>

/// FERRY_DEVICE_FIELDS(name, ferry::arrayOf(samples, count)): FERRY_FIELDS of a class that goes to devices, and in no message. Its fields
/// may be of types that nobody can read from a message, such as std::string_view and std::span.
#define FERRY_DEVICE_FIELDS(...) FERRY_FIELDS_DESCRIPTION(0, #__VA_ARGS__, __VA_ARGS__)
