#include <ferry/tests/fuzz/FuzzTarget.hpp>

namespace ferry::test {

std::vector<std::string> fuzzTargetNames() { return {"reader", "polymorphic", "messages", "checkpoint", "graph", "jobs", "json", "xml"}; }

std::unique_ptr<FuzzTarget> makeFuzzTarget(std::string_view name) {
    if (name == "reader") return makeReaderTarget();
    if (name == "polymorphic") return makePolymorphicTarget();
    if (name == "messages") return makeMessagesTarget();
    if (name == "checkpoint") return makeCheckpointTarget();
    if (name == "graph") return makeGraphTarget();
    if (name == "jobs") return makeJobsTarget();
    if (name == "json") return makeJsonTarget();
    if (name == "xml") return makeXmlTarget();
    return nullptr;
}

}    // namespace ferry::test
