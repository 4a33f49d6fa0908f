#include <ferry/connector/exception/ErrorCodes.hpp>

#include <future>
#include <ios>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <ferry/serialization/Codec.hpp>

namespace ferry {

namespace {

/// Stands for a category that exists only on the rank that threw.
class NamedCategory final : public std::error_category {
public:
    explicit NamedCategory(std::string name) : name_(std::move(name)) {}
    const char* name() const noexcept override { return name_.c_str(); }
    std::string message(int value) const override { return name_ + " error " + std::to_string(value); }

private:
    std::string name_;
};

class Categories {
public:
    static Categories& global() {
        // The list is never destroyed: an error code may outlive every other object of the program.
        static Categories& categories = *new Categories;
        return categories;
    }

    void add(const std::error_category& category) {
        const std::lock_guard lock(mutex_);
        known_[category.name()] = &category;
    }

    const std::error_category& named(const std::string& name) {
        const std::lock_guard lock(mutex_);
        const auto known = known_.find(name);
        if (known != known_.end()) return *known->second;
        // Names come over the wire. Very long names, and new names beyond a bound, share one category, so that memory stays bounded.
        constexpr std::size_t maxNames = 256;
        constexpr std::size_t maxNameBytes = 256;
        const bool isKept = madeHere_.contains(name) || (madeHere_.size() < maxNames && name.size() <= maxNameBytes);
        const auto [place, isNew] = madeHere_.try_emplace(isKept ? name : "other");
        if (isNew) place->second = std::make_unique<NamedCategory>(place->first);
        return *place->second;
    }

private:
    Categories() {
        for (const std::error_category* category :
             {&std::generic_category(), &std::system_category(), &std::iostream_category(), &std::future_category()})
            known_[category->name()] = category;
    }

    std::mutex mutex_;
    std::map<std::string, const std::error_category*> known_;
    std::map<std::string, std::unique_ptr<NamedCategory>> madeHere_;
};

}    // namespace

namespace detail {

void writeErrorCode(IntWriter& out, const std::error_code& code) {
    out << std::string(code.category().name());
    out.writeInt(code.value());
}

std::error_code readErrorCode(IntReader& in) {
    std::string name;
    in >> name;
    const int value = in.readInt();
    return std::error_code(value, Categories::global().named(name));
}

}    // namespace detail

void addErrorCategory(const std::error_category& category) { Categories::global().add(category); }

}    // namespace ferry
