#include <ferry/serialization/text/Xml.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace xmltest {

struct XmlRoom {
    std::string name;
    std::vector<int> seats;
    std::map<std::string, std::optional<double>> notes;
    FERRY_FIELDS(name, seats, notes)
    friend bool operator==(const XmlRoom&, const XmlRoom&) = default;
};

struct XmlNested {
    std::vector<XmlNested> inner;
    FERRY_FIELDS(inner)
};

/// The text of the error by which reading ends.
template <class T>
std::string xmlRefusal(const std::string& text, const ReadLimits& limits = ReadLimits::getDefault()) {
    try {
        static_cast<void>(fromXml<T>(text, limits));
    } catch (const SerializationError& error) {
        return error.what();
    }
    return "no error";
}

bool xmlHolds(const std::string& text, const std::string& part) {
    INFO(text, " lacks ", part);
    return text.find(part) != std::string::npos;
}

}    // namespace xmltest

using namespace xmltest;

TEST_CASE("XML: the form is that of W3C for JSON") {
    const XmlRoom room{"Aula <1> & \"2\"", {30, -2}, {{"left", 0.5}, {"", std::nullopt}}};
    const std::string text = toXml(room);
    CHECK(text ==
          "<map xmlns=\"http://www.w3.org/2005/xpath-functions\"><string key=\"name\">Aula &lt;1&gt; &amp; &quot;2&quot;</string>"
          "<array key=\"seats\"><number>30</number><number>-2</number></array>"
          "<map key=\"notes\"><null key=\"\"/><number key=\"left\">0.5</number></map></map>");
    CHECK(fromXml<XmlRoom>(text) == room);
    CHECK(toXml(true) == "<boolean xmlns=\"http://www.w3.org/2005/xpath-functions\">true</boolean>");
}

TEST_CASE("XML: each character goes there and back, in texts and in keys") {
    std::string all("\0\x7f\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\xa2\xef\xbf\xbe\xef\xbf\xbf\r\n\r\t ]]> \\u0041", 32);
    for (char each = 1; each < ' '; ++each) all += each;
    using Texts = std::map<std::string, std::string>;
    const Texts texts{{all, all}, {" \r\n\t", "\r\n\t "}, {"\\", "\\\""}, {"", ""}};
    CHECK(fromXml<Texts>(toXml(texts)) == texts);
    for (const char each : toXml(texts)) CHECK(static_cast<unsigned char>(each) >= ' ');
    CHECK_THROWS_AS(toXml(std::string("a\xff")), UsageError);
}

TEST_CASE("XML: what other programs write is read") {
    const XmlRoom room{"a b", {1}, {}};
    CHECK(fromXml<XmlRoom>(
              "\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8' standalone=\"yes\"?>\r\n<!-- a -- b -->\n<?pi x?>\n"
              "<map xmlns:j = 'other' j:note='1' >\n  <array key='seats'> <!-- one -->\n<number> 1 </number ></array>\n"
              "<map key='notes' />  <string key=\"n&#x61;m&#101;\"><![CDATA[a]]>&#32;<!-- x -->b</string>\n</map>\n<!-- end -->\n") ==
          room);
    CHECK(fromXml<std::string>("<string>a\r\nb\rc</string>") == "a\nb\nc");
    CHECK(fromXml<std::string>("<string escaped='1'>\"\\u00e4\\\\\"\n</string>") == "\"\xc3\xa4\\\"\n");
    CHECK(fromXml<std::vector<bool>>("<array><boolean>1</boolean><boolean> false </boolean></array>") == std::vector<bool>{true, false});
    CHECK(fromXml<std::string>("<string/>").empty());
}

TEST_CASE("XML: a prefix may stand for the namespace, as xml.etree of Python writes it") {
    const std::string bound = " xmlns:n=\"http://www.w3.org/2005/xpath-functions\"";
    CHECK(fromXml<XmlRoom>("<n:map" + bound +
                           "><n:string key=\"name\">a</n:string><n:array key='seats'><n:number>1</n:number></n:array>"
                           "<n:map key='notes' xmlns='other'/></n:map>") == XmlRoom{"a", {1}, {}});
    CHECK(fromXml<int>("<n:number" + bound + ">1</n:number>") == 1);
    using Numbers = std::vector<int>;
    const std::string first = "<n:array" + bound + ">";
    CHECK(xmlHolds(xmlRefusal<Numbers>("<n:array/>"), "an attribute that gives the prefix to http://www.w3.org/2005/xpath-functions"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<n:array xmlns:n='other'/>"), "a prefix for elements of http://"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<n:array xmlns='http://www.w3.org/2005/xpath-functions'/>"), "an attribute that gives the prefix"));
    CHECK(xmlHolds(xmlRefusal<Numbers>(first + "<number>1</number></n:array>"), "one of the elements map, array"));
    CHECK(xmlHolds(xmlRefusal<Numbers>(first + "<n:number xmlns:n='other'>1</n:number></n:array>"), "a prefix for elements of"));
    CHECK(xmlHolds(xmlRefusal<Numbers>(first + "<n:number>1</number></n:array>"), "expected </n:number>"));
    CHECK(xmlHolds(xmlRefusal<Numbers>(first + "</array>"), "expected </n:array>"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array" + bound + "><n:number>1</n:number></array>"), "one of the elements map, array"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<:array xmlns:='http://www.w3.org/2005/xpath-functions'></array>"), "expected </:array>"));
}

TEST_CASE("XML: damaged and hostile texts are refused, with the place") {
    using Numbers = std::vector<int>;
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array><number>1</number><number>x</number></array>"), "at byte 25 of the XML"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array><number>1</number><string>x</string></array>"), "[1]"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array><number>1e999</number></array>"), "not beyond the range of a double"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array><number>3000000000</number></array>"), "from -2147483648 to 2147483647"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<!DOCTYPE a [<!ENTITY a \"&a;&a;\">]><array/>"), "expected no document type"));
    CHECK(xmlHolds(xmlRefusal<std::string>("<string>&a;</string>"), "one of &lt; &gt; &amp; &quot; &apos;"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<?xml version=\"1.0\" encoding=\"UTF-16\"?><array/>"), "XML in UTF-8"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<?xml version=\"1.0\" encoding='iso-8859-1'?><array/>"), "XML in UTF-8"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("\n<?xml\tversion=\"1.0\"\nencoding = 'iso-8859-1'?><array/>"), "XML in UTF-8"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array><![CDATA[1]]></array>"), "one of the elements map, array"));
    CHECK(xmlHolds(xmlRefusal<Numbers>(std::string("\xff\xfe<\0a\0", 6)), "XML in UTF-8"));
    CHECK(xmlHolds(xmlRefusal<std::string>("<string>a\xff</string>"), "text in UTF-8"));
    CHECK(xmlHolds(xmlRefusal<std::string>("<string>\x01</string>"), "a character that XML may have"));
    CHECK(xmlHolds(xmlRefusal<std::string>(std::string("<string>\0</string>", 18)), "a character that XML may have"));
    CHECK(xmlHolds(xmlRefusal<XmlRoom>("<map><null/></map>"), "an attribute key within a map"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array><number key=\"a\">1</number></array>"), "no attribute key but in a map"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array key=\"a\"/>"), "no attribute key but in a map"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array xmlns=\"http://other\"/>"), "elements of http://www.w3.org/2005/xpath-functions"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array/><array/>"), "nothing after the outermost element"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array></map>"), "expected </array>"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<array><number>1]]></number></array>"), "expected ]]&gt;"));
    CHECK(xmlHolds(xmlRefusal<Numbers>("<list/>"), "one of the elements map, array"));
    CHECK(xmlHolds(xmlRefusal<std::string>("<string escaped=\"true\">\\x</string>"), "the escapes of JSON"));
    CHECK(xmlHolds(xmlRefusal<std::string>("<string escaped=\"yes\">x</string>"), "true or false as the value of an attribute"));
    CHECK(xmlHolds(xmlRefusal<std::string>("<string a='1'>x</string>"), "one of the attributes"));
    CHECK(xmlHolds(xmlRefusal<XmlRoom>("<map><null key='a' key='b'/></map>"), "each attribute once"));
    for (const char* code : {"#0", "#1", "#xd800", "#xfffe", "#x110000", "#-1", "#", "#x", "#99999999999", "#12a", "amp "})
        CHECK(xmlHolds(xmlRefusal<std::string>("<string>&" + std::string(code) + ";</string>"), "the number of a character"));
    for (const char* number : {"", "+1", "01", "1.", ".5", "0x10", "NaN", "1 2", "\"1\"", "1,2", "--1"})
        CHECK(xmlHolds(xmlRefusal<double>("<number>" + std::string(number) + "</number>"), "a number as JSON has it"));

    const std::string whole = toXml(XmlRoom{"a", {1, 2}, {{"b", 1.5}}});
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(xmlRefusal<XmlRoom>(whole.substr(0, i)) != "no error");
}

TEST_CASE("XML: memory and time are in proportion to the text") {
    std::string open, close;
    for (int i = 0; i < 200'000; ++i) open += "<array>", close += "</array>";
    CHECK(xmlHolds(xmlRefusal<std::vector<int>>(open + close), "expected an integer, found an array"));
    CHECK(xmlHolds(xmlRefusal<std::vector<int>>(open), "found the end"));
    std::string nested = "<array key=\"inner\"/>";
    for (int i = 0; i < 1000; ++i) nested = "<array key=\"inner\"><map>" + nested + "</map></array>";
    CHECK(xmlHolds(xmlRefusal<XmlNested>("<map>" + nested + "</map>"), "deep"));
    ReadLimits limits;
    limits.memoryBase = 0;
    limits.memoryPerByte = 1;
    CHECK(xmlHolds(xmlRefusal<std::vector<double>>("<array><number>1</number></array>", limits), "memoryPerByte"));
    const std::string longText(100'000, 'x');
    CHECK(xmlRefusal<int>("<" + longText + ":number xmlns:" + longText + "='http://www.w3.org/2005/xpath-functions'>1").size() <= 1500);
    for (const std::string& text : {longText, "<string>" + longText, "<" + longText + ">", "<string " + longText + "='1'/>",
                                    "<number>" + longText + "</number>", "<string>&" + longText + ";</string>"})
        CHECK(xmlRefusal<int>(text).size() <= 1500);
}
