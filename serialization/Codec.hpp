#pragma once

// Includes all codecs of Ferry: how types become ints and come back. For another type, use FERRY_FIELDS, members writeToInts and
// readFromInts, or a specialisation of ferry::Codec.

#include <ferry/serialization/codec/CodecAdaptor.hpp>
#include <ferry/serialization/codec/CodecAggregate.hpp>
#include <ferry/serialization/codec/CodecAssociative.hpp>
#include <ferry/serialization/codec/CodecClass.hpp>
#include <ferry/serialization/codec/CodecForward.hpp>
#include <ferry/serialization/codec/CodecOwned.hpp>
#include <ferry/serialization/codec/CodecOwnedPointers.hpp>
#include <ferry/serialization/codec/CodecPointedArray.hpp>
#include <ferry/serialization/codec/CodecPointer.hpp>
#include <ferry/serialization/codec/CodecRawPointer.hpp>
#include <ferry/serialization/codec/CodecSequence.hpp>
#include <ferry/serialization/codec/CodecStandard.hpp>
#include <ferry/serialization/codec/CodecTuple.hpp>
#include <ferry/serialization/codec/CodecVariant.hpp>
#include <ferry/serialization/codec/CodecView.hpp>
#include <ferry/serialization/codec/CodecViewArray.hpp>
#include <ferry/serialization/codec/CodecViewPointer.hpp>
#include <ferry/serialization/codec/CodecViewRange.hpp>
#include <ferry/serialization/codec/ForgottenFields.hpp>
#include <ferry/serialization/ints/CodecFixedArray.hpp>
#include <ferry/serialization/ints/CodecScalar.hpp>
