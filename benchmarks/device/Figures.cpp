#include <ferry/benchmarks/device/Figures.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace ferry::bench {

namespace {

struct Line {
    std::string name;
    std::string colour;
    std::vector<std::pair<double, double>> points;
};
struct Panel {
    std::string title;
    std::vector<Line> lines;
};

constexpr double PanelWidth = 300, PanelHeight = 220, Left = 60, Top = 50, Gap = 60;

/// One panel: both axes are logarithms.
std::string drawPanel(const Panel& panel, double x, double y, double low, double high) {
    double first = 1e300, last = 0;
    for (const Line& line : panel.lines) {
        for (const auto& [n, value] : line.points) {
            first = std::min(first, n);
            last = std::max(last, n);
        }
    }
    if (first >= last) last = 10 * first;    // one size alone
    const auto xOf = [&](double n) { return x + PanelWidth * (std::log(n) - std::log(first)) / (std::log(last) - std::log(first)); };
    const auto yOf = [&](double value) {
        return y + PanelHeight * (1 - (std::log(value) - std::log(low)) / (std::log(high) - std::log(low)));
    };
    std::string svg = fmt::format("<text x='{:.0f}' y='{:.0f}' font-weight='bold'>{}</text>\n", x, y - 10, panel.title);
    for (double value = low; value <= high * 1.001; value *= 10) {
        svg += fmt::format("<path d='M{:.1f} {:.1f}h{}' stroke='#ddd'/><text x='{:.1f}' y='{:.1f}' text-anchor='end'>{:g}</text>\n", x,
                           yOf(value), PanelWidth, x - 5, yOf(value) + 4, value);
    }
    for (double n = first; n <= last * 1.001; n *= 10) {
        svg += fmt::format("<path d='M{:.1f} {:.1f}v{}' stroke='#ddd'/><text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:g}</text>\n",
                           xOf(n), y, PanelHeight, xOf(n), y + PanelHeight + 15, n);
    }
    for (const Line& line : panel.lines) {
        std::string path;
        for (const auto& [n, value] : line.points) {
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", xOf(n), yOf(value));
            svg += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>\n", xOf(n), yOf(value), line.colour);
        }
        svg += fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='2'/>\n", path, line.colour);
    }
    return svg;
}

void draw(const std::string& file, const std::string& title, const std::vector<Panel>& panels) {
    if (panels.empty()) return;
    double least = 1e300, most = 0;
    for (const Panel& panel : panels) {
        for (const Line& line : panel.lines) {
            for (const auto& point : line.points) {
                least = std::min(least, point.second);
                most = std::max(most, point.second);
            }
        }
    }
    const double low = std::pow(10, std::floor(std::log10(least))), high = std::pow(10, std::ceil(std::log10(most)));
    const std::size_t columns = std::min<std::size_t>(panels.size(), 3), rows = (panels.size() + columns - 1) / columns;
    const double width = Left + static_cast<double>(columns) * (PanelWidth + Gap);
    const double height = Top + 40 + static_cast<double>(rows) * (PanelHeight + Gap) + 30;
    std::string svg = fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' height='{1:.0f}' "
        "font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n<text x='{2}' y='20' "
        "font-size='15'>{3}</text>\n",
        width, height, Left, title);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        svg += drawPanel(panels[i], Left + static_cast<double>(i % columns) * (PanelWidth + Gap),
                         Top + 20 + static_cast<double>(i / columns) * (PanelHeight + Gap), low, high);
    }
    double x = Left;
    for (const Line& line : panels.front().lines) {
        svg += fmt::format("<path d='M{0:.0f} {1:.0f}h20' stroke='{2}' stroke-width='2'/><text x='{3:.0f}' y='{4:.0f}'>{5}</text>\n", x,
                           height - 20, line.colour, x + 25, height - 16, line.name);
        x += 60 + 7 * static_cast<double>(line.name.size());
    }
    std::ofstream out(file);
    out << svg << "</svg>\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

/// A panel for each device and size. times: the columns of Measured::us. base: the column that each time is divided by, or none (-1).
std::vector<Panel> panelsOf(const std::vector<Measured>& all, const std::string& scenario, const std::set<std::size_t>& sizes,
                            const std::vector<std::pair<std::string, std::size_t>>& times, int base) {
    static constexpr const char* Colours[] = {"#0b6", "#c33", "#e90", "#84c", "#27b"};
    std::map<std::pair<std::string, std::size_t>, Panel> panels;
    for (const Measured& each : all) {
        if (each.scenario != scenario || sizes.count(each.size) == 0) continue;
        Panel& panel = panels[{each.device, each.size}];
        panel.title = fmt::format("{}, {} {}", each.device, each.scenario, each.size);
        panel.lines.resize(times.size());
        for (std::size_t i = 0; i < times.size(); ++i) {
            panel.lines[i].name = times[i].first;
            panel.lines[i].colour = Colours[times[i].second == 7 ? 4 : times[i].second % 6];    // a way has one colour in all figures
            const double by = base < 0 ? 1 : each.us[static_cast<std::size_t>(base)];
            panel.lines[i].points.emplace_back(static_cast<double>(each.n), each.us[times[i].second] / by);
        }
    }
    std::vector<Panel> list;
    for (auto& [key, panel] : panels) list.push_back(std::move(panel));
    return list;
}

}    // namespace

void drawFigures(const std::vector<Measured>& all, const std::string& folder) {
    const std::vector<std::pair<std::string, std::size_t>> cycles{
        {"image", 0}, {"marshalling", 1}, {"marshalling, one batch", 2}, {"member by member", 3}, {"pointerchain", 4}};
    draw(folder + "/deviceLinear.svg", "Linear: whole cycle / the same bytes as one block there and back, over n",
         panelsOf(all, "Linear k =", {2, 6, 10}, cycles, 5));
    draw(folder + "/deviceKernels.svg", "Linear: microseconds of the kernel, over n",
         panelsOf(all, "Linear k =", {2, 6, 10}, {{"image", 6}, {"pointerchain", 7}}, -1));
    draw(folder + "/deviceDense.svg", "Dense: whole cycle / the same bytes as one block there and back, over n",
         panelsOf(all, "Dense q =", {2, 8, 16}, cycles, 5));
}

}    // namespace ferry::bench
