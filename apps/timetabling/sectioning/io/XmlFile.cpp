#include <ferry/apps/timetabling/sectioning/io/XmlFile.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#ifdef TIMETABLING_WITH_PUGIXML
#include <pugixml.hpp>
#endif

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::sectioning {

#ifdef TIMETABLING_WITH_PUGIXML

struct XmlFile::Tree {
    pugi::xml_document document;
};

namespace {

pugi::xml_node nodeOf(void* node) { return pugi::xml_node(static_cast<pugi::xml_node_struct*>(node)); }

}    // namespace

XmlFile::XmlFile(std::string name, const std::string& text) : name_(std::move(name)), tree_(std::make_unique<Tree>()) {
    // The memory for an element and an attribute is known, so the numbers are limited before any memory is asked for.
    const auto countOf = [&text](char mark) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), mark)); };
    if (countOf('<') > 2 * mostElements) throw InputError(name_, fmt::format("expected at most {} elements, found more", mostElements));
    if (countOf('=') > mostAttributes) throw InputError(name_, fmt::format("expected at most {} attributes, found more", mostAttributes));
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) lineEnds_.push_back(at);
    const pugi::xml_parse_result result = tree_->document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
        throw InputError(name_, lineAt(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset))),
                         fmt::format("expected XML: {}", result.description()));
}

XmlElement XmlFile::root() { return {*this, tree_->document.document_element().internal_object()}; }

std::string_view XmlElement::name() const { return nodeOf(node_).name(); }

std::size_t XmlElement::line() const {
    return file_->lineAt(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, nodeOf(node_).offset_debug())));
}

void XmlElement::forEach(std::initializer_list<std::string_view> names, const std::function<void(const XmlElement&)>& function) const {
    for (const pugi::xml_node child : nodeOf(node_).children()) {
        if (child.type() != pugi::node_element) continue;
        const XmlElement element(*file_, child.internal_object());
        if (std::find(names.begin(), names.end(), element.name()) != names.end()) {
            function(element);
        } else {
            file_->noteLeftOut(fmt::format("<{}> in <{}>", element.name(), name()), element.line());
        }
    }
}

void XmlElement::knows(std::initializer_list<std::string_view> attributes) const {
    for (const pugi::xml_attribute one : nodeOf(node_).attributes()) {
        if (std::find(attributes.begin(), attributes.end(), std::string_view(one.name())) == attributes.end())
            file_->noteLeftOut(fmt::format("attribute {} of <{}>", one.name(), name()), line());
    }
}

std::optional<std::string_view> XmlElement::attribute(const char* name) const {
    const pugi::xml_attribute found = nodeOf(node_).attribute(name);
    if (!found) return std::nullopt;
    return found.value();
}

#else

struct XmlFile::Tree {};

XmlFile::XmlFile(std::string name, const std::string& /*text*/) : name_(std::move(name)) {
    throw InputError(name_,
                     "is an XML file, and this program was built without pugixml, which reads such files; build it again after "
                     "'apt-get install libpugixml-dev'");
}

XmlElement XmlFile::root() { return {*this, nullptr}; }
std::string_view XmlElement::name() const { return {}; }
std::size_t XmlElement::line() const { return 0; }
void XmlElement::forEach(std::initializer_list<std::string_view>, const std::function<void(const XmlElement&)>&) const {}
void XmlElement::knows(std::initializer_list<std::string_view>) const {}
std::optional<std::string_view> XmlElement::attribute(const char*) const { return std::nullopt; }

#endif

XmlFile XmlFile::load(const std::string& path) { return {path, TextFile::load(path).text()}; }

XmlFile::XmlFile(XmlFile&&) noexcept = default;
XmlFile::~XmlFile() = default;

std::size_t XmlFile::lineAt(std::size_t offset) const {
    return 1 + static_cast<std::size_t>(std::lower_bound(lineEnds_.begin(), lineEnds_.end(), offset) - lineEnds_.begin());
}

void XmlFile::noteLeftOut(const std::string& what, std::size_t line) {
    constexpr std::size_t mostKinds = 20;
    if (leftOut_.size() >= mostKinds && !leftOut_.contains(what)) return;
    LeftOut& noted = leftOut_[what];
    if (noted.count++ == 0) noted.firstLine = line;
}

std::vector<std::string> XmlFile::leftOut() const {
    std::vector<std::string> texts;
    for (const auto& [what, noted] : leftOut_) {
        const std::string more = noted.count > 1 ? fmt::format(" and {} more", noted.count - 1) : std::string();
        texts.push_back(fmt::format("{}:{}{}: {} is not known and was left out", name_, noted.firstLine, more, what));
    }
    return texts;
}

std::string XmlElement::text(const char* name) const {
    const std::optional<std::string_view> found = attribute(name);
    if (!found || found->empty())
        fail(fmt::format("expected attribute {} of <{}>, found {}", name, this->name(), found ? "an empty text" : "none"));
    return std::string(*found);
}

int XmlElement::number(const char* name, int least, int most) const {
    const std::string found = text(name);
    int value = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (error != std::errc() || end != found.data() + found.size() || value < least || value > most)
        fail(fmt::format("expected attribute {} of <{}>: a whole number from {} to {}, {}", name, this->name(), least, most,
                         foundInWords(found)));
    return value;
}

int XmlElement::number(const char* name, int least, int most, int otherwise) const {
    return attribute(name) ? number(name, least, most) : otherwise;
}

void XmlElement::fail(const std::string& text) const { throw InputError(file_->name_, line(), text); }

bool looksLikeXml(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '<';
}

}    // namespace timetabling::sectioning
