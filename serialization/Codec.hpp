#pragma once

// How types become ints and come back: all that Ferry knows by itself. A type that is missing gets FERRY_FIELDS, members writeToInts and
// readFromInts, or a specialisation of ferry::Codec.

#include <ferry/serialization/CodecAggregate.hpp>
#include <ferry/serialization/CodecAssociative.hpp>
#include <ferry/serialization/CodecClass.hpp>
#include <ferry/serialization/CodecFixedArray.hpp>
#include <ferry/serialization/CodecPointedArray.hpp>
#include <ferry/serialization/CodecPointer.hpp>
#include <ferry/serialization/CodecRawPointer.hpp>
#include <ferry/serialization/CodecScalar.hpp>
#include <ferry/serialization/CodecSequence.hpp>
#include <ferry/serialization/CodecStandard.hpp>
#include <ferry/serialization/CodecTuple.hpp>
#include <ferry/serialization/CodecVariant.hpp>
#include <ferry/serialization/CodecView.hpp>
#include <ferry/serialization/CodecViewArray.hpp>
#include <ferry/serialization/CodecViewPointer.hpp>
#include <ferry/serialization/CodecViewRange.hpp>
