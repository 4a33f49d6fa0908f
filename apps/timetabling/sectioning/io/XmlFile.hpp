#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace timetabling::sectioning {

class XmlFile;

/// An element of an XML file.
///
/// Ownership: refers to the file.
/// Errors: InputError with the file and the line of the element.
class XmlElement {
public:
    XmlElement(XmlFile& file, void* node) : file_(&file), node_(node) {}

    std::string_view name() const;
    /// Counted from 1.
    std::size_t line() const;
    /// Calls the function for each element inside. An element whose name is not in the list is noted as left out.
    void forEach(std::initializer_list<std::string_view> names, const std::function<void(const XmlElement&)>& function) const;
    /// Notes attributes that are not in the list as left out.
    void knows(std::initializer_list<std::string_view> attributes) const;

    std::optional<std::string_view> attribute(const char* name) const;
    /// The text of an attribute that has to be there, and not to be empty.
    std::string text(const char* name) const;
    /// The whole number of an attribute that has to be there.
    int number(const char* name, int least, int most) const;
    /// The whole number of an attribute, or `otherwise` where there is none.
    int number(const char* name, int least, int most, int otherwise) const;

    [[noreturn]] void fail(const std::string& text) const;

private:
    XmlFile* file_;
    void* node_;
};

/// An XML file in memory. Entities of a document type are not resolved, and no other file is read.
///
/// Errors: InputError for a file that is no XML, or that has more elements and attributes than this program takes; for each file where the
/// program was built without pugixml.
class XmlFile {
public:
    static constexpr std::size_t mostElements = 2'000'000;
    static constexpr std::size_t mostAttributes = 10'000'000;

    static XmlFile load(const std::string& path);
    XmlFile(std::string name, const std::string& text);
    XmlFile(XmlFile&&) noexcept;
    XmlFile& operator=(XmlFile&&) = delete;
    ~XmlFile();

    const std::string& name() const { return name_; }
    /// The outermost element.
    XmlElement root();
    /// Says what was left out, in words: one text for each kind of element and attribute.
    std::vector<std::string> leftOut() const;

private:
    friend class XmlElement;
    struct Tree;

    std::size_t lineAt(std::size_t offset) const;
    void noteLeftOut(const std::string& what, std::size_t line);

    struct LeftOut {
        std::size_t firstLine = 0;
        std::size_t count = 0;
    };

    std::string name_;
    std::vector<std::size_t> lineEnds_;    ///< where the lines end, in bytes
    std::unique_ptr<Tree> tree_;
    std::map<std::string, LeftOut> leftOut_;
};

/// Whether the text begins like an XML file.
bool looksLikeXml(std::string_view text);

}    // namespace timetabling::sectioning
