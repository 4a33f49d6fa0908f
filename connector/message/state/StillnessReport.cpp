#include <ferry/connector/message/state/StillnessReport.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::StillnessReport)
