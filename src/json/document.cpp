// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/document.h"

#include "document_builder.h"

#include "ep/core/format.h"
#include "ep/core/lfs_pointer.h"
#include "ep/core/user_file.h"
#include "ep/json/value_count.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace ep::json {
namespace {

constexpr const char* kMistake = "not valid JSON at %1";

// What a text must not be, whatever is in it; found before it takes memory.
Status checkShape(std::string_view text)
{
    const TextShape shape = shapeOf(text);
    if (shape.depth > kMaxDepth)
        return tooDeep();
    if (shape.values > kMaxValues) {
        return Error{ErrorCode::InvalidInput,
                     {"too large: it holds more than %1 values", kMaxValues}};
    }
    return {};
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

// Iterates over a stream and knows its position.
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

    PlacedCharacters() = default; // end of the stream
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

// The library takes a NUL for the end of the text, even if more follows.
Error endsEarly(const std::string& place)
{
    return {ErrorCode::InvalidInput, {kMistake, place}};
}

std::optional<std::string> afterNulIn(std::string_view text)
{
    const std::size_t nul = text.find('\0');
    return nul == std::string_view::npos ? std::nullopt : std::optional(placeIn(text, nul + 1));
}

Error numberTooLarge() // "1e999"
{
    return {ErrorCode::InvalidInput, "not valid JSON: a number in it is too large"};
}

// Parses the text with the builder; placeOf(position) gives the place of a mistake, and afterNul()
// the place after a NUL, if the text contains one.
template <typename Value, typename Begin, typename End, typename PlaceOf, typename AfterNul>
Result<Value> built(DocumentBuilder<Value> builder, Begin begin, End end, const PlaceOf& placeOf,
                    const AfterNul& afterNul)
{
    const bool read = Value::sax_parse(begin, end, &builder);
    if (!builder.refusal().empty())
        return Error{ErrorCode::InvalidInput, builder.refusal()};
    if (const auto position = builder.position())
        return Error{ErrorCode::InvalidInput, {kMistake, placeOf(*position)}};
    if (!read)
        return numberTooLarge();
    if (const std::optional<std::string> place = afterNul())
        return endsEarly(*place);
    return builder.takeDocument();
}

template <typename Value>
Result<Value> built(DocumentBuilder<Value> builder, std::string_view text)
{
    return built(
        std::move(builder), text.begin(), text.end(),
        [&](std::size_t position) { return placeIn(text, position); },
        [&] { return afterNulIn(text); });
}

// A number that Python writes but JSON does not have, as a JSON string of the same length, so that
// positions in messages stay right.
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

// Restores the numbers, and those that transformers 5 writes as {"__float__": "Infinity"}.
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

// Parses what Python's json module accepts.
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

// Whether an invalid text stops before its value is complete, or continues with the NULs that a
// file system leaves in place of unwritten data.
bool isCutOff(const std::string& text)
{
    if (text.find('\0') != std::string::npos)
        return true;
    try {
        return Json::parse(withQuotedNumbers(text)).is_discarded();
    } catch (const Json::parse_error& problem) {
        return problem.byte > text.size();
    } catch (const Json::exception&) { // a number out of range
    }
    return false;
}

} // namespace

Result<Json> parse(std::string_view text)
{
    if (const Status shape = checkShape(text); !shape)
        return shape.error();
    try {
        Json json = Json::parse(text.begin(), text.end());
        if (const std::optional<std::string> place = afterNulIn(text))
            return endsEarly(*place);
        return json;
    } catch (const Json::parse_error& problem) {
        return Error{ErrorCode::InvalidInput, {kMistake, placeIn(text, problem.byte)}};
    } catch (const Json::out_of_range&) {
        return numberTooLarge();
    }
}

Result<OrderedJson> parseOrdered(std::string_view text)
{
    using Builder = DocumentBuilder<OrderedJson>;
    return built(Builder(Builder::Keys::LastCounts, nullptr), text);
}

Result<Json> parseUniqueKeys(std::string_view text, std::string_view except)
{
    if (const Status shape = checkShape(text); !shape)
        return shape.error();
    using Builder = DocumentBuilder<Json>;
    return built(Builder(Builder::Keys::Unique, nullptr, except), text);
}

Result<OrderedJson> parse(std::istream& text, const OrderedJson::parser_callback_t& keep)
{
    using Builder = DocumentBuilder<OrderedJson>;
    PlacedCharacters::Place place;
    const auto here = [&place] { return lineAndColumn(place.line, place.column); };
    return built(
        Builder(Builder::Keys::LastCounts, keep), PlacedCharacters(text, place), PlacedCharacters(),
        [&](std::size_t) { return here(); },
        [&] { return place.afterNul ? std::optional(here()) : std::nullopt; });
}

Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    std::error_code problem;
    const auto size = std::filesystem::file_size(file, problem);
    if (problem == std::errc::no_such_file_or_directory || problem == std::errc::not_a_directory) {
        return Error{ErrorCode::NotFound, {"There is no file %1.", file.string()}};
    }
    if (problem) {
        return Error{ErrorCode::Io, {"Cannot read %1 (%2).", file.string(), problem.message()}};
    }
    if (size > maxBytes) {
        return Error{
            ErrorCode::InvalidInput,
            {"%1 is %2 large, too large for a file of this kind: check that it is the right one.",
             file.string(), formatBytes(static_cast<std::int64_t>(size))}};
    }
    auto opened = UserFile::open(file);
    if (!opened)
        return opened.error();
    std::string text(static_cast<std::size_t>(size), '\0');
    UserFileStream stream(*std::move(opened));
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream || static_cast<std::uint64_t>(stream.gcount()) != size) {
        return Error{ErrorCode::Io,
                     {"Cannot read %1: check that you have permission to read it.", file.string()}};
    }
    if (auto pointer = lfsPointer(file, text))
        return *std::move(pointer);
    return text;
}

Result<Json> readFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    const Result<std::string> text = readTextFile(file, maxBytes);
    return text ? parseFile(file, *text) : text.error();
}

Result<Json> parseFile(const std::filesystem::path& file, const std::string& text)
{
    auto json = parsePython(text);
    if (!json) {
        // Depth and size are our own limits, and texts written by hand contain mistakes, so only a
        // text that stops in the middle is called damaged.
        const char* const pattern = json.error().message.pattern() != kMistake
            ? "%1 is %2: check that it is the right file."
            : isCutOff(text) ? "%1 is %2: download it again."
                             : "%1 is %2: correct it there.";
        return Error{ErrorCode::InvalidInput, {pattern, file.string(), json.error().message}};
    }
    if (!json->is_object()) {
        return Error{
            ErrorCode::InvalidInput,
            {"%1 does not contain a JSON object: check that it is the right file.", file.string()}};
    }
    return json;
}

} // namespace ep::json
