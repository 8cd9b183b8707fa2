// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "library.h"
#include "literals.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <cmath>

namespace ep::text::jinja {

namespace {

// Applies the method of the same name to the value as a string.
template <const char* name>
Value asMethod(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    return call(runtime, methodOf(textLike(value, toText(runtime, value)), name), arguments);
}
constexpr char kStrip[] = "strip";
constexpr char kUpper[] = "upper";
constexpr char kLower[] = "lower";
constexpr char kCapitalize[] = "capitalize";

Value centered(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("center", arguments, {"width"});
    return call(runtime, methodOf(textLike(value, toText(runtime, value)), "center"),
                {{Value(p.integer("width", 80))}, {}});
}

// Words begin after spaces, hyphens and opening brackets.
Value title(Runtime& runtime, const Value& value, const Arguments&)
{
    const std::string text = toText(runtime, value);
    std::string result;
    bool begins = true;
    for (const std::string_view character : charactersOf(text)) {
        const bool separates = character == "-" || character == "(" || character == "{"
            || character == "[" || character == "<" || isSpace(codePointOf(character));
        result += begins ? upper(character) : lower(character);
        begins = separates;
    }
    return Value::text(std::move(result));
}

Value replace(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("replace", arguments, {"old", "new", "count"});
    const bool limited = p.has("count") && !p.at("count").isNone();
    return Value::text(replaced(runtime, toText(runtime, value), toText(runtime, p.at("old")),
                                toText(runtime, p.at("new")), limited ? p.integer("count") : -1));
}

Value string(Runtime& runtime, const Value& value, const Arguments&)
{
    return textLike(value, toText(runtime, value));
}

Value safe(Runtime& runtime, const Value& value, const Arguments&)
{
    return Value::markup(toText(runtime, value));
}

Value escape(Runtime& runtime, const Value& value, const Arguments&)
{
    return Value::markup(toMarkup(runtime, value));
}

// The text on which a filter calls a method.
const std::string& textOf(const Value& value, const char* filter)
{
    value.requireDefined();
    if (!value.isText())
        throw Failure(std::string(filter) + " needs a text, not a " + value.typeName());
    return *value.asText();
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    lines.push_back(text.substr(begin));
    return lines;
}

Value indent(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("indent", arguments, {"width", "first", "blank"});
    const Value width = p.value("width", Value(std::int64_t{4}));
    std::string indentation;
    if (width.isText())
        indentation = *width.asText();
    else
        indentation.assign(
            static_cast<std::size_t>(std::clamp<std::int64_t>(p.integer("width", 4), 0, 1000)),
            ' ');
    const bool blank = p.boolean("blank", false);
    std::string result = p.boolean("first", false) ? indentation : "";
    bool first = true;
    for (const std::string& line : linesOf(textOf(value, "indent"))) {
        if (!first)
            result += "\n" + (line.empty() && !blank ? std::string() : indentation);
        first = false;
        result += line;
        runtime.charge(indentation.size() + line.size());
        if (result.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
    }
    return textLike(value, std::move(result));
}

Value truncate(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("truncate", arguments, {"length", "killwords", "end", "leeway"});
    const std::int64_t leeway = std::clamp<std::int64_t>(p.integer("leeway", 5), 0, 1'000'000);
    // Values other than texts also have a length, and are returned unchanged if they are short.
    if (!value.isText()
        && static_cast<std::int64_t>(lengthOf(value)) <= p.integer("length", 255) + leeway)
        return value;
    const std::string text = textOf(value, "truncate");
    const std::string end = p.text("end", "...");
    const std::int64_t length = p.integer("length", 255);
    const auto endSize = static_cast<std::int64_t>(codePointCount(end));
    if (length < endSize || length > static_cast<std::int64_t>(kMaxTextBytes))
        throw Failure("the length of truncate does not fit");
    const auto size = static_cast<std::int64_t>(codePointCount(text));
    if (size <= length + leeway)
        return value;
    std::string kept =
        *sliceOf(runtime, Value::text(text), Value::none(), Value(length - endSize), Value::none())
             .asText();
    if (!p.boolean("killwords", false))
        kept = kept.substr(0, kept.rfind(' '));
    return textLike(value, kept + (value.isMarkup() ? escapedForPage(end) : end));
}

Value wordCount(Runtime& runtime, const Value& value, const Arguments&)
{
    std::int64_t words = 0;
    bool inWord = false;
    const std::string text = toText(runtime, value);
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        const bool isPart = isLetter(c) || isDigit(c) || c == U'_';
        words += isPart && !inWord ? 1 : 0;
        inWord = isPart;
    }
    return Value(words);
}

Value toInteger(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("int", arguments, {"default", "base"});
    const Value byDefault = p.value("default", Value(std::int64_t{0}));
    value.requireDefined();
    const auto truncated = [&](double number) {
        return std::abs(number) < 9e18 ? Value(static_cast<std::int64_t>(number)) : byDefault;
    };
    if (value.isIntegral())
        return Value(value.integer());
    if (value.isFloat())
        return truncated(value.number());
    const std::string* text = value.asText();
    if (!text)
        return byDefault;
    const auto base = static_cast<int>(std::clamp<std::int64_t>(p.integer("base", 10), 2, 36));
    if (const auto integer = parseInteger(*text, base))
        return Value(*integer);
    const auto number = parseFloat(*text);
    return number ? truncated(*number) : byDefault;
}

Value toFloat(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("float", arguments, {"default"});
    value.requireDefined();
    if (value.isNumber())
        return Value(value.number());
    if (const std::string* text = value.asText()) {
        if (const auto number = parseFloat(*text))
            return Value(*number);
    }
    return p.value("default", Value(0.0));
}

Value absolute(Runtime&, const Value& value, const Arguments&)
{
    value.requireDefined();
    if (!value.isNumber())
        throw Failure("a " + value.typeName() + " has no absolute value");
    if (value.isFloat())
        return Value(std::abs(value.number()));
    return value.integer() < 0 ? negated(value) : Value(value.integer());
}

Value rounded(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("round", arguments, {"precision", "method"});
    const std::int64_t precision = p.integer("precision", 0);
    const std::string method = p.text("method", "common");
    value.requireDefined();
    if (!value.isNumber())
        throw Failure("a " + value.typeName() + " cannot be rounded");
    if (precision < 0 || precision > 15)
        throw Failure("the precision of round must be from 0 to 15");
    const double number = value.number();
    if (method == "common") {
        if (value.isIntegral())
            return Value(value.integer());
        if (!(std::abs(number) < 1e15))
            return value;
        const std::string text =
            formatPercent(runtime, "%." + std::to_string(precision) + "f", value);
        return Value(parseFloat(text).value_or(number));
    }
    if (method != "ceil" && method != "floor")
        throw Failure("the method of round must be common, ceil or floor");
    const double scale = std::pow(10.0, static_cast<double>(precision));
    return Value((method == "ceil" ? std::ceil(number * scale) : std::floor(number * scale))
                 / scale);
}

Value percentFormat(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Value text = textLike(value, toText(runtime, value));
    if (arguments.named.empty())
        return arithmetic(runtime, Binary::Operator::Modulo, text,
                          Value::tuple(arguments.positional));
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& [name, item] : arguments.named)
        entries.emplace_back(Value::text(name), item);
    return arithmetic(runtime, Binary::Operator::Modulo, text, Value::dict(std::move(entries)));
}

// As configured by HuggingFace: plain JSON, without HTML escaping.
Value json(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("tojson", arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
    JsonStyle style;
    style.asciiOnly = p.boolean("ensure_ascii", false);
    style.sortKeys = p.boolean("sort_keys", false);
    const Value indentation = p.value("indent", Value::none());
    if (indentation.isText()) {
        style.indent = *indentation.asText();
    } else if (!indentation.isNone()) {
        style.indent = std::string(
            static_cast<std::size_t>(std::clamp<std::int64_t>(p.integer("indent"), 0, 100)), ' ');
    }
    if (style.indent)
        style.itemSeparator = ",";
    const Value separators = p.value("separators", Value::none());
    if (!separators.isNone()) {
        const Values both = itemsOf(separators);
        if (both.size() != 2 || !both[0].isText() || !both[1].isText())
            throw Failure("the separators of tojson must be two texts");
        style.itemSeparator = *both[0].asText();
        style.keySeparator = *both[1].asText();
    }
    return Value::text(toJson(runtime, value, style));
}

} // namespace

void addTextFilters(FilterTable& table)
{
    table.insert({{"trim", asMethod<kStrip>},
                  {"upper", asMethod<kUpper>},
                  {"lower", asMethod<kLower>},
                  {"capitalize", asMethod<kCapitalize>},
                  {"title", title},
                  {"center", centered},
                  {"replace", replace},
                  {"string", string},
                  {"safe", safe},
                  {"escape", escape},
                  {"e", escape},
                  {"indent", indent},
                  {"truncate", truncate},
                  {"wordcount", wordCount},
                  {"int", toInteger},
                  {"float", toFloat},
                  {"abs", absolute},
                  {"round", rounded},
                  {"format", percentFormat},
                  {"tojson", json}});
}

} // namespace ep::text::jinja
