#include <ferry/device/program/KernelText.hpp>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include <fmt/args.h>
#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// Declares KernelRecord and KernelRecords, and the functions that fill them.
constexpr std::string_view Prelude = R"(
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef struct { uint launch; uint assertion; ulong item; ulong bits[6]; uchar kinds[8]; uint line; uint unused; } FerryRecord;
typedef struct { volatile uint count; uint unused; FerryRecord kept[64]; } FerryRecords;
static inline global FerryRecord* ferryFail(global FerryRecords* records, uint launch, uint assertion, uint line) {
    uint place = atomic_inc((volatile global uint*)&records->count);
    if (place >= 64) return 0;
    global FerryRecord* record = &records->kept[place];
    record->launch = launch;
    record->assertion = assertion;
    record->item = get_global_id(0);
    record->line = line;
    for (int i = 0; i < 8; ++i) record->kinds[i] = 0;
    return record;
}
#define FERRY_PUT(type_, kind_, bits_) \
    static inline __attribute__((overloadable)) void ferryPut(global FerryRecord* record, int place, type_ value) { \
        record->kinds[place] = kind_; \
        record->bits[place] = bits_; \
    }
FERRY_PUT(int, 1, as_ulong((long)value))
FERRY_PUT(long, 1, as_ulong(value))
FERRY_PUT(uint, 2, value)
FERRY_PUT(ulong, 2, value)
FERRY_PUT(global const void*, 4, (ulong)value)
#ifdef cl_khr_fp64
FERRY_PUT(float, 3, as_ulong((double)value))
FERRY_PUT(double, 3, as_ulong(value))
#endif
)";

bool isWordPart(char character) noexcept { return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_'; }

std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return text;
}

/// The end of a comment or text in quotes that begins here; begin when there is none.
std::size_t endOfQuoted(std::string_view text, std::size_t begin) noexcept {
    const std::string_view rest = text.substr(begin);
    if (rest.starts_with("//")) return std::min(text.find('\n', begin), text.size());
    if (rest.starts_with("/*")) {
        const std::size_t end = text.find("*/", begin + 2);
        return end == text.npos ? text.size() : end + 2;
    }
    if (rest.front() != '"' && rest.front() != '\'') return begin;
    std::size_t end = begin + 1;
    while (end < text.size() && text[end] != text[begin]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

/// Splits at the commas that stand in no parentheses.
std::vector<std::string_view> splitArguments(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t quoted = endOfQuoted(text, i);
        if (quoted != i) {
            i = quoted;
            continue;
        }
        const char character = text[i];
        if (character == '(' || character == '[' || character == '{') ++depth;
        if (character == ')' || character == ']' || character == '}') --depth;
        if (character == ',' && depth == 0) {
            parts.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
        ++i;
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

struct Comparison {
    std::string_view left;
    std::string_view sign;    // empty: the expression is no single comparison
    std::string_view right;
};

Comparison comparisonOf(std::string_view expression) {
    Comparison found;
    int depth = 0;
    for (std::size_t i = 0; i < expression.size();) {
        const std::size_t quoted = endOfQuoted(expression, i);
        if (quoted != i) {
            i = quoted;
            continue;
        }
        const char character = expression[i];
        if (character == '(' || character == '[') ++depth;
        if (character == ')' || character == ']') --depth;
        const std::string_view two = expression.substr(i, 2);
        if (depth != 0) {
            ++i;
        } else if (two == "->" || two == "<<" || two == ">>") {
            i += 2;
        } else if (character == '&' || character == '|' || character == '?' || character == '^') {
            if (character == '&' && two != "&&" && trimmed(expression.substr(0, i)).empty()) {    // an address
                ++i;
                continue;
            }
            return {};
        } else if (two == "==" || two == "!=" || two == "<=" || two == ">=" || character == '<' || character == '>') {
            if (!found.sign.empty()) return {};
            const std::size_t length = two == "==" || two == "!=" || two == "<=" || two == ">=" ? 2 : 1;
            found = {trimmed(expression.substr(0, i)), expression.substr(i, length), trimmed(expression.substr(i + length))};
            i += length;
        } else if (character == '=') {
            return {};
        } else {
            ++i;
        }
    }
    return found;
}

std::string withoutQuotes(std::string_view literal) {
    std::string text;
    for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
        if (literal[i] == '\\' && i + 2 < literal.size()) {
            ++i;
            text += literal[i] == 'n' ? '\n' : literal[i] == 't' ? '\t' : literal[i];
        } else {
            text += literal[i];
        }
    }
    return text;
}

/// Reads the text of kernels once, and writes it for the device.
class Translation {
public:
    Translation(std::string_view text, KernelText& result) : text_(text), result_(result) {}

    void run() {
        result_.text += fmt::format("#line {} \"{}\"\n", result_.line, result_.file.substr(result_.file.rfind('/') + 1));
        while (place_ < text_.size()) step();
    }

private:
    void step() {
        const std::size_t quoted = endOfQuoted(text_, place_);
        if (quoted != place_) return copy(quoted);
        const char character = text_[place_];
        const bool isNewWord = place_ == 0 || !isWordPart(text_[place_ - 1]);
        if (character == '#' && isAtBegin()) return directive();
        if (isNewWord && isWordPart(character)) return word();
        if (braces_ == 0) header(character);
        if (character == '{') ++braces_;
        if (character == '}') --braces_;
        if (braces_ == 0 && (character == ';' || character == '}')) isKernel_ = false;
        copy(place_ + 1);
    }

    void copy(std::size_t end) {
        result_.text += text_.substr(place_, end - place_);
        line_ += static_cast<int>(
            std::count(text_.begin() + static_cast<std::ptrdiff_t>(place_), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        place_ = end;
    }
    bool isAtBegin() const {
        const std::string_view before = text_.substr(0, place_);
        return trimmed(before.substr(before.rfind('\n') + 1)).empty();
    }
    std::size_t endOfDirective() const {
        std::size_t end = place_;
        do end = std::min(text_.find('\n', end + 1), text_.size());
        while (end < text_.size() && text_[end - 1] == '\\');
        return end;
    }

    /// Copies a line for the preprocessor. An xassert in the body of a macro becomes a check, which belongs to the kernel that uses the
    /// macro.
    void directive() {
        const std::size_t end = endOfDirective();
        std::size_t begin = place_ + 1;
        while (begin < end && (text_[begin] == ' ' || text_[begin] == '\t')) ++begin;
        isMacro_ = text_.substr(begin, end - begin).starts_with("define");
        while (place_ < end) {
            const std::size_t quoted = endOfQuoted(text_, place_);
            if (quoted != place_) {
                copy(std::min(quoted, end));
            } else if (isMacro_ && isWordPart(text_[place_]) && !isWordPart(text_[place_ - 1])) {
                word();
            } else {
                copy(place_ + 1);
            }
        }
        isMacro_ = false;
    }

    void word() {
        std::size_t end = place_;
        while (end < text_.size() && isWordPart(text_[end])) ++end;
        const std::string_view name = text_.substr(place_, end - place_);
        if (braces_ == 0 && parentheses_ == 0 && !isMacro_) {
            if (name == "kernel" || name == "__kernel") isKernel_ = true;
            lastWord_ = name;
        }
        if (name == "xassert" || name == "FERRY_ASSERT") {
            const std::size_t open = text_.find_first_not_of(isMacro_ ? " \t" : " \t\n", end);
            if (open != text_.npos && text_[open] == '(') return assertion(open);
        }
        copy(end);
    }

    // The parameters of a kernel stand in the last parentheses before its body that are no attribute's.
    void header(char character) {
        if (character == '(' && parentheses_++ == 0) opened_ = place_;
        if (character == ')' && --parentheses_ == 0 && isKernel_ && lastWord_ != "__attribute__") {
            const std::string_view parameters = trimmed(text_.substr(opened_ + 1, place_ - opened_ - 1));
            if (parameters == "void") result_.text.erase(result_.text.rfind("void"));
            if (!parameters.empty() && parameters != "void") result_.text += ", ";
            result_.text += "global FerryRecords* ferryRecords, uint ferryLaunch";
        }
    }

    void assertion(std::size_t open) {
        const int line = result_.line + line_;
        const auto fail = [&](const char* problem) {
            throw UsageError(fmt::format("{}:{}: an xassert in the text of a kernel {}", result_.file, line, problem));
        };
        std::size_t end = open + 1;
        for (int depth = 1; depth > 0;) {
            if (end >= text_.size()) fail("has no closing parenthesis");
            const std::size_t quoted = endOfQuoted(text_, end);
            if (quoted != end) {
                end = quoted;
                continue;
            }
            if (text_[end] == '(') ++depth;
            if (text_[end] == ')') --depth;
            ++end;
        }
        if (!isMacro_ && (!isKernel_ || braces_ == 0))
            fail("stands in a function that is no kernel: check in the kernel what the function returns");
        const auto parts = splitArguments(text_.substr(open + 1, end - open - 2));
        KernelAssertion assertion;
        assertion.line = line;
        assertion.expression = isMacro_ ? oneLine(parts.front()) : std::string(parts.front());
        if (parts.size() > 1) {
            if (parts[1].size() < 2 || parts[1].front() != '"') fail("has a message that is no text in quotes");
            assertion.message = withoutQuotes(parts[1]);
        }
        if (parts.size() > KernelRecord::Values) fail("has more than four values in its message");
        write(assertion, parts);
        result_.assertions.push_back(std::move(assertion));
        const std::string_view written = text_.substr(place_, end - place_);
        const auto lines = std::count(written.begin(), written.end(), '\n');
        for (auto i = lines; i > 0; --i)
            result_.text += isMacro_ ? "\\\n" : "\n";    // the compiler's messages name the lines of the program
        line_ += static_cast<int>(lines);
        place_ = end;
    }

    static std::string oneLine(std::string_view text) {
        std::string line;
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t quoted = endOfQuoted(text, i);
            if (quoted != i) {
                if (text[i] != '/') line += text.substr(i, quoted - i);
                i = quoted;
            } else {
                const bool isContinued = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n';    // in a macro
                line += text[i] == '\n' || isContinued ? ' ' : text[i];
                i += isContinued ? 2 : 1;
            }
        }
        return line;
    }

    // The condition is evaluated once. "+ 0" makes a value of it, which has no address space.
    void write(KernelAssertion& assertion, const std::vector<std::string_view>& parts) {
        const Comparison comparison = comparisonOf(parts.front());
        std::string& out = result_.text;
        std::string values;
        if (comparison.sign.empty()) {
            out += fmt::format("do {{ if (!({})) {{ ", oneLine(parts.front()));
        } else {
            assertion.comparison = std::string(comparison.sign);
            const std::string left = oneLine(comparison.left);
            const std::string right = oneLine(comparison.right);
            out += fmt::format(
                "do {{ const __typeof__(({0}) + 0) ferryLeft = ({0}); const __typeof__(({1}) + 0) ferryRight = ({1}); "
                "if (!(ferryLeft {2} ferryRight)) {{ ",
                left, right, comparison.sign);
            values = "ferryPut(ferryRecord, 0, ferryLeft); ferryPut(ferryRecord, 1, ferryRight); ";
        }
        for (std::size_t i = 2; i < parts.size(); ++i) values += fmt::format("ferryPut(ferryRecord, {}, ({}) + 0); ", i, oneLine(parts[i]));
        out += fmt::format(
            "global FerryRecord* ferryRecord = ferryFail(ferryRecords, ferryLaunch, {}, {}); if (ferryRecord) {{ {}}} return; }} }} "
            "while (0)",
            result_.assertions.size(), isMacro_ ? "__LINE__" : "0", values);
    }

    std::string_view text_;
    KernelText& result_;
    std::size_t place_ = 0;
    int line_ = 0;    // in the text, from 0
    int braces_ = 0;
    int parentheses_ = 0;    // outside of functions
    std::size_t opened_ = 0;
    std::string_view lastWord_;
    bool isKernel_ = false;
    bool isMacro_ = false;    // in a #define
};

template <class Use>
void withValue(const KernelRecord& record, std::size_t place, Use use) {
    const std::uint64_t bits = record.bits[place];
    double real = 0;
    std::int64_t integer = 0;
    std::memcpy(&real, &bits, sizeof real);
    std::memcpy(&integer, &bits, sizeof integer);
    switch (record.kinds[place]) {
        case KernelValue::Signed: use(integer); break;
        case KernelValue::Unsigned: use(bits); break;
        case KernelValue::Real: use(real); break;
        case KernelValue::Pointer: use(fmt::format("{:#x}", bits)); break;
        default: use("?");
    }
}

std::string valueText(const KernelRecord& record, std::size_t place) {
    std::string text;
    withValue(record, place, [&text](const auto& value) { text = fmt::format("{}", value); });
    return text;
}

}    // namespace

KernelText makeKernelText(const KernelTypes& types, std::string_view kernels, const char* file, int line) {
    KernelText result;
    result.file = file;
    result.line = line;
    result.structs = types.structs();
    result.text = std::string(Prelude) + types.text();
    Translation(kernels, result).run();
    return result;
}

std::string kernelValuesText(const KernelAssertion& assertion, const KernelRecord& record) {
    if (assertion.comparison.empty()) return {};
    std::string values = fmt::format("{} {} {}", valueText(record, 0), assertion.comparison, valueText(record, 1));
    return values == assertion.expression ? std::string() : values;
}

std::string kernelMessageText(const KernelAssertion& assertion, const KernelRecord& record) {
    fmt::dynamic_format_arg_store<fmt::format_context> arguments;
    for (std::size_t i = 2; i < KernelRecord::Values && record.kinds[i] != KernelValue::None; ++i)
        withValue(record, i, [&arguments](const auto& value) { arguments.push_back(value); });
    try {
        return fmt::vformat(assertion.message, arguments);
    } catch (const fmt::format_error& e) {
        return fmt::format("{} (its values do not fit it: {})", assertion.message, e.what());
    }
}

KernelAssertion kernelAssertionOf(const SiteRecord& record) {
    KernelAssertion assertion;
    const auto parts = splitArguments(record.arguments);
    assertion.expression = std::string(parts.front());
    assertion.comparison = record.sign;
    assertion.message = record.message;
    assertion.line = record.line;
    return assertion;
}

}    // namespace ferry::detail
