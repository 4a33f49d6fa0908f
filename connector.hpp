#pragma once

/// Messages, exceptions and collectives between ranks.
///
///     #include <ferry/connector.hpp>
///     #include <ferry/jobs.hpp>
///
///     int main(int argc, char** argv) {
///         ferry::Application app(argc, argv);
///         return app.runOnAll([](ferry::Connector& connector) {
///             const int ranks = connector.allReduce(1, ferry::Sum{});
///             xassert(ranks == connector.size(), "{} ranks answered", ranks);    // fails on one rank: stops all
///         });
///     }

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/collective/shape/flat.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ErrorCodes.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/NoMemoryForMessage.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/RegistryMismatch.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/Translator.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/Probed.hpp>
#include <ferry/connector/message/letter/CarrierMessage.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/connector/message/letter/SimpleMessage.hpp>
#include <ferry/connector/message/messageBytes.hpp>
#include <ferry/connector/saveAll.hpp>
#include <ferry/connector/withSpares.hpp>
#include <ferry/objects.hpp>
