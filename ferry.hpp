#pragma once

/// Everything that a program with messages, jobs and remote exceptions needs. Programs that use MPI themselves include
/// <ferry/connector/transport/MpiTransport.hpp> besides.

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/RegistryMismatch.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/Translator.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/connector/message/CarrierMessage.hpp>
#include <ferry/connector/message/Message.hpp>
#include <ferry/connector/message/SimpleMessage.hpp>
#include <ferry/framework/Application.hpp>
#include <ferry/framework/JournalError.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/framework/LostRank.hpp>
#include <ferry/framework/Master.hpp>
#include <ferry/framework/NoSlavesLeft.hpp>
#include <ferry/framework/PoisonTask.hpp>
#include <ferry/framework/Slave.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ObjectFactory.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
