#include <ferry/connector/LibraryClasses.hpp>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/connector/message/letter/CarrierMessage.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/letter/SimpleMessage.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferry::detail {

namespace {

template <class... Classes>
void registerAll() {
    (Classes::ferryRegister(), ...);
}

}    // namespace

void registerLibraryClasses() {
    registerAll<AssertionFailure, Cancelled, CarrierMessage, CausesCutOff, CollectiveMismatch, Deadlock, ExceptionList, ExceptionMessage,
                FileError, LostRank, RankHasLeft, RegionFailed, SerializationError, SimpleMessage, Terminated, TimeoutError, UnknownClass,
                UnknownException, UsageError>();
}

}    // namespace ferry::detail
