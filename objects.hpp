#pragma once

/// Objects as ints, files and graphs; exceptions that travel. Needs no MPI.
///
///     #include <ferry/objects.hpp>
///
///     struct Room {
///         std::string name;
///         std::vector<int> seats;
///     };
///
///     int main() {
///         ferry::save("rooms.ferry", std::vector<Room>{{"Aula", {30, 2}}});
///         const auto rooms = ferry::load<std::vector<Room>>("rooms.ferry");
///         return rooms.size() == 1 ? 0 : 1;
///     }

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/PrivateMember.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/checkpoint/SeriesFile.hpp>
#include <ferry/serialization/codec/Strided.hpp>
#include <ferry/serialization/codec/Subarray.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/TextOutput.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/PartGraph.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/version.hpp>
