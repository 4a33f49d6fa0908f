#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ferry::detail {

class Filter;
class Mailbox;

/// Returns clauses for the error that ends a wait. They name what the rank may have overlooked: messages, values and graphs that have come
/// and that nobody has received, the nearest misses of the filter first, and work that such a wait does not do. At most a handful, however
/// many letters there are. filter: the awaited letters; null: the wait is for something else.
std::vector<std::string> remarksOn(Mailbox& mailbox, const Filter* filter);

/// The name of the class of a graph's root. name: the type of the graph's letters, as a compiler spells it.
std::string rootOfGraph(std::string_view name);

}    // namespace ferry::detail
