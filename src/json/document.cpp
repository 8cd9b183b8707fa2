// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/document.h"

#include "document_builder.h"

#include "ep/core/format.h"
#include "ep/core/lfs_pointer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace ep::json {
namespace {

constexpr std::string_view kMistake = "not valid JSON at ";

// Counts brackets outside of strings, byte by byte: a text accepted by the parser so far is never
// nested deeper than this count.
bool isTooDeep(std::string_view text)
{
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxDepth)
                return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

Error tooDeep()
{
    return {ErrorCode::InvalidInput,
            "nested more than " + std::to_string(kMaxDepth)
                + " levels deep, too deep for a file of this kind"};
}

std::string lineAndColumn(std::size_t line, std::size_t column)
{
    return "line " + std::to_string(line) + ", column "
        + std::to_string(std::max<std::size_t>(column, 1));
}

std::string placeIn(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t column =
        before.size() - (newline == std::string_view::npos ? 0 : newline + 1);
    return lineAndColumn(static_cast<std::size_t>(line), column);
}

// Thrown by a callback through the library.
class Refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Refuses an object of too many members, for a callback of the parser.
class MemberLimit {
public:
    void look(int depth, OrderedJson::parse_event_t event)
    {
        const auto level = static_cast<std::size_t>(depth);
        if (event == OrderedJson::parse_event_t::object_start) {
            m_members.resize(std::max(m_members.size(), level + 2));
            m_members[level + 1] = 0; // the depth of its keys
        } else if (event == OrderedJson::parse_event_t::key
                   && ++m_members.at(level) > kMostOrderedMembers) {
            throw Refused("too large: an object in it has more than "
                          + std::to_string(kMostOrderedMembers) + " members");
        }
    }

private:
    std::vector<int> m_members; // of the open object at each depth
};

// parser() returns the value; where(error) gives the position at which the library stopped.
template <typename Value, typename Parser, typename Where>
Result<Value> caught(const Parser& parser, const Where& where)
{
    try {
        return parser();
    } catch (const Refused& problem) {
        return Error{ErrorCode::InvalidInput, problem.what()};
    } catch (const Json::parse_error& problem) {
        return Error{ErrorCode::InvalidInput, std::string(kMistake) + where(problem)};
    } catch (const Json::out_of_range&) { // "1e999"
        return Error{ErrorCode::InvalidInput, "not valid JSON: a number in it is too large"};
    }
}

// Goes through a stream and knows where it is.
class PlacedCharacters {
public:
    struct Place {
        std::size_t line = 1;
        std::size_t column = 0;
        bool afterNul = false;
    };
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    PlacedCharacters() = default; // the end
    PlacedCharacters(std::istream& text, Place& place)
        : m_at(text)
        , m_place(&place)
    {
    }
    char operator*() const { return *m_at; }
    PlacedCharacters& operator++()
    {
        const bool newLine = *m_at == '\n';
        m_place->line += newLine ? 1 : 0;
        m_place->column = newLine ? 0 : m_place->column + 1;
        m_place->afterNul = *m_at == '\0';
        ++m_at;
        return *this;
    }
    bool operator==(const PlacedCharacters& other) const { return m_at == other.m_at; }

private:
    std::istreambuf_iterator<char> m_at;
    Place* m_place = nullptr;
};

// The library takes a NUL for the end of the text, whatever follows it.
Error endsEarly(const std::string& place)
{
    return {ErrorCode::InvalidInput, std::string(kMistake) + place};
}

template <typename Value>
Result<Value> parseText(std::string_view text, const typename Value::parser_callback_t& keep)
{
    if (isTooDeep(text))
        return tooDeep();
    auto json = caught<Value>(
        [&] { return Value::parse(text.begin(), text.end(), keep); },
        [&](const Json::parse_error& problem) { return placeIn(text, problem.byte); });
    if (const std::size_t nul = text.find('\0'); json && nul != std::string_view::npos)
        return endsEarly(placeIn(text, nul + 1));
    return json;
}

// A number that JSON does not have but Python writes, as a JSON text of the same length, so that
// the places in messages stay right.
struct BareNumber {
    std::string_view word;
    std::string_view quoted;
    double value;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array<BareNumber, 3> kBareNumbers{
    {{"-Infinity", "\"\x7f-Infi\x7f\"", -kInfinity},
     {"Infinity", "\"\x7fInfi\x7f\"", kInfinity},
     {"NaN", "\"\x7f\"", std::numeric_limits<double>::quiet_NaN()}}};

// Replaces bare numbers outside of strings.
std::string withQuotedNumbers(std::string text)
{
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted && c == '\\')
            ++i;
        if (quoted || (c != '-' && c != 'I' && c != 'N'))
            continue;
        for (const BareNumber& number : kBareNumbers) {
            if (text.compare(i, number.word.size(), number.word) == 0) {
                text.replace(i, number.word.size(), number.quoted);
                i += number.word.size() - 1;
                break;
            }
        }
    }
    return text;
}

// Restores the numbers, also those that transformers 5 writes as {"__float__": "Infinity"}.
void restoreNumbers(Json& value)
{
    const bool wrapped =
        value.is_object() && value.size() == 1 && value.begin().key() == "__float__";
    const Json& text = wrapped ? value.front() : value;
    if (text.is_string()) {
        for (const BareNumber& number : kBareNumbers) {
            const auto& written = text.get_ref<const std::string&>();
            if (written
                == (wrapped ? number.word : number.quoted.substr(1, number.quoted.size() - 2))) {
                value = number.value;
                return;
            }
        }
    }
    if (value.is_structured()) {
        for (Json& child : value)
            restoreNumbers(child);
    }
}

// What Python's json module reads.
Result<Json> parsePython(std::string text)
{
    const bool unusual =
        text.find("NaN") != std::string::npos || text.find("Infinity") != std::string::npos;
    if (!unusual)
        return parse(text);
    auto json = parse(withQuotedNumbers(std::move(text)));
    if (json)
        restoreNumbers(*json);
    return json;
}

// Whether a text that is not valid stops before its value is complete, or continues with the NULs
// that a file system leaves where nothing was written.
bool isCutOff(const std::string& text)
{
    if (text.find('\0') != std::string::npos)
        return true;
    try {
        return Json::parse(withQuotedNumbers(text)).is_discarded();
    } catch (const Json::parse_error& problem) {
        return problem.byte > text.size();
    } catch (const Json::exception&) { // a number that is too large
    }
    return false;
}

} // namespace

Result<Json> parse(std::string_view text)
{
    return parseText<Json>(text, nullptr);
}

Result<OrderedJson> parseOrdered(std::string_view text)
{
    MemberLimit limit;
    return parseText<OrderedJson>(
        text, [&limit](int depth, OrderedJson::parse_event_t event, OrderedJson&) {
            limit.look(depth, event);
            return true;
        });
}

Result<Json> parseUniqueKeys(std::string_view text)
{
    DocumentBuilder builder(DocumentBuilder::Keys::Unique, nullptr);
    const bool read = Json::sax_parse(text.begin(), text.end(), &builder);
    if (!builder.refusal().empty())
        return Error{ErrorCode::InvalidInput, builder.refusal()};
    if (const auto position = builder.position())
        return Error{ErrorCode::InvalidInput, "not valid JSON at " + placeIn(text, *position)};
    if (!read)
        return Error{ErrorCode::InvalidInput, "not valid JSON: a number in it is too large"};
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
        return endsEarly(placeIn(text, nul + 1));
    return builder.takeDocument();
}

Result<OrderedJson> parse(std::istream& text, const OrderedJson::parser_callback_t& keep)
{
    using Event = OrderedJson::parse_event_t;
    MemberLimit limit;
    const auto watched = [&](int depth, Event event, OrderedJson& value) {
        const bool opens = event == Event::array_start || event == Event::object_start;
        if (opens && depth >= kMaxDepth)
            throw Refused(tooDeep().message);
        limit.look(depth, event);
        return keep(depth, event, value);
    };
    PlacedCharacters::Place place;
    const auto where = [&place] { return lineAndColumn(place.line, place.column); };
    auto json = caught<OrderedJson>(
        [&] {
            return OrderedJson::parse(PlacedCharacters(text, place), PlacedCharacters(), watched);
        },
        [&](const Json::parse_error&) { return where(); });
    if (json && place.afterNul)
        return endsEarly(where());
    return json;
}

Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    std::error_code problem;
    const auto size = std::filesystem::file_size(file, problem);
    if (problem == std::errc::no_such_file_or_directory || problem == std::errc::not_a_directory) {
        return Error{ErrorCode::NotFound, "There is no file " + file.string() + "."};
    }
    if (problem) {
        return Error{ErrorCode::Io,
                     "Cannot read " + file.string() + " (" + problem.message() + ")."};
    }
    if (size > maxBytes) {
        return Error{ErrorCode::InvalidInput,
                     file.string() + " is " + formatBytes(static_cast<std::int64_t>(size))
                         + " large, too large for a file of this kind: check that it is the "
                           "right one."};
    }
    std::string text(static_cast<std::size_t>(size), '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream || static_cast<std::uint64_t>(stream.gcount()) != size) {
        return Error{ErrorCode::Io,
                     "Cannot read " + file.string()
                         + ": check that you have permission to read it."};
    }
    if (auto pointer = lfsPointer(file, text))
        return *std::move(pointer);
    return text;
}

Result<Json> readFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    Result<std::string> text = readTextFile(file, maxBytes);
    if (!text)
        return text.error();
    auto json = parsePython(*text);
    if (!json) {
        // Depth and size are limits of ours, and what people wrote by hand has mistakes: only a
        // text that stops in the middle is damage.
        const char* const advice = !json.error().message.starts_with(kMistake)
            ? ": check that it is the right file."
            : isCutOff(*text) ? ": download it again."
                              : ": correct it there.";
        return Error{ErrorCode::InvalidInput,
                     file.string() + " is " + json.error().message + advice};
    }
    if (!json->is_object()) {
        return Error{ErrorCode::InvalidInput,
                     file.string()
                         + " does not contain a JSON object: check that it is the right file."};
    }
    return json;
}

} // namespace ep::json
