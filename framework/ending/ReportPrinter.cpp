#include <ferry/framework/ending/ReportPrinter.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace ferry {

namespace {

using Printer = std::function<void(const std::string&)>;

struct PlaceOfPrinter {
    std::mutex mutex;
    std::shared_ptr<const Printer> printer;    ///< null: standard error
};

PlaceOfPrinter& placeOfPrinter() {
    static PlaceOfPrinter& place = *new PlaceOfPrinter;    // never destroyed, because reports are written until the very end of the program
    return place;
}

}    // namespace

void setReportPrinter(std::function<void(const std::string& report)> printer) {
    std::shared_ptr<const Printer> made = printer ? std::make_shared<const Printer>(std::move(printer)) : nullptr;
    PlaceOfPrinter& place = placeOfPrinter();
    const std::lock_guard lock(place.mutex);
    place.printer.swap(made);
}

bool detail::printElsewhere(const std::string& report) noexcept {
    try {
        std::shared_ptr<const Printer> printer;
        {
            PlaceOfPrinter& place = placeOfPrinter();
            const std::lock_guard lock(place.mutex);
            printer = place.printer;
        }
        if (!printer) return false;
        (*printer)(report);
        return true;
    } catch (...) {
        return false;
    }
}

}    // namespace ferry
