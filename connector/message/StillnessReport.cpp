#include <ferry/connector/message/StillnessReport.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::StillnessReport)
