// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/document.h"

#include "ep/core/format.h"
#include "ep/core/lfs_pointer.h"
#include "ep/core/user_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep::json {
namespace {

// Builds a document from the events of nlohmann's parser. Unlike the library's own builder with a
// callback, which visits all children of an object after each of them, an event takes at most the
// logarithm of the object's size, or kMaxOrderedMembers if the order of members is kept. Value:
// Json or OrderedJson.
template <typename Value>
class DocumentBuilder {
public:
    using Keep = typename Value::parser_callback_t;
    using Event = typename Value::parse_event_t;
    enum class Keys : std::uint8_t { LastCounts, Unique };
    // keep may be empty; it is called with keys, values and the ends of lists and objects, and
    // values for which it returns false are left out (see parser_callback_t).
    DocumentBuilder(Keys keys, Keep keep, std::string_view except = {})
        : m_keys(keys)
        , m_keep(std::move(keep))
        , m_except(except)
    {
    }
    // If memory runs out, the partial document is taken apart here: the library's own destructor
    // allocates memory, and ends the program if there is none.
    ~DocumentBuilder() { takeApart(m_root); }
    DocumentBuilder(DocumentBuilder&&) = default;
    DocumentBuilder& operator=(DocumentBuilder&&) = delete;

    Value takeDocument() { return std::move(m_root); }
    // The reason for a failure: what the builder refused; otherwise the position of a syntax error;
    // with neither, a number is out of range.
    const Message& refusal() const { return m_refusal; }
    std::optional<std::size_t> position() const { return m_position; }

    // Called by the parser.
    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_float(double value, const std::string& /*text*/) { return add(value); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(typename Value::binary_t& /*value*/) { return false; }
    bool start_object(std::size_t /*size*/) { return open(Value::object()); }
    bool start_array(std::size_t /*size*/) { return open(Value::array()); }
    bool key(std::string& key);
    bool end_object() { return close(Event::object_end); }
    bool end_array() { return close(Event::array_end); }
    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error);

private:
    struct Open {
        Value* value; // stays valid: its parent does not grow until it is closed
        typename Value::object_t::iterator member{}; // of an object: the member being read
    };

    bool tell(Event event, std::size_t depth, Value& value) const
    {
        return !m_keep || m_keep(static_cast<int>(depth), event, value);
    }
    static void takeApart(Value& value) noexcept;
    bool add(Value value);
    bool open(Value value);
    bool close(Event event);
    Value* put(Value value);
    void dropLast(); // of the innermost open value

    Keys m_keys;
    Keep m_keep;
    std::string m_except; // a key that may occur again nevertheless
    Value m_root;
    std::vector<Open> m_open;
    Message m_refusal;
    std::optional<std::size_t> m_position;
};

Error tooDeep()
{
    return {ErrorCode::InvalidInput,
            {"nested more than %1 levels deep, too deep for a file of this kind", kMaxDepth}};
}

template <typename Value>
void DocumentBuilder<Value>::takeApart(Value& value) noexcept // at most kMaxDepth levels
{
    if (auto* list = value.template get_ptr<typename Value::array_t*>()) {
        for (Value& one : *list)
            takeApart(one);
        list->clear();
    } else if (auto* object = value.template get_ptr<typename Value::object_t*>()) {
        for (auto& [key, one] : *object)
            takeApart(one);
        object->clear();
    }
}

template <typename Value>
bool DocumentBuilder<Value>::add(Value value)
{
    if (tell(Event::value, m_open.size(), value))
        put(std::move(value));
    else if (!m_open.empty() && m_open.back().value->is_object())
        dropLast();
    return true;
}

template <typename Value>
bool DocumentBuilder<Value>::open(Value value)
{
    if (m_open.size() >= static_cast<std::size_t>(kMaxDepth)) {
        m_refusal = tooDeep().message;
        return false;
    }
    m_open.push_back({put(std::move(value))});
    return true;
}

template <typename Value>
bool DocumentBuilder<Value>::close(Event event)
{
    Value* const value = m_open.back().value;
    m_open.pop_back();
    if (tell(event, m_open.size(), *value))
        return true;
    if (m_open.empty())
        m_root = nullptr;
    else
        dropLast();
    return true;
}

template <typename Value>
bool DocumentBuilder<Value>::key(std::string& key)
{
    if (m_keep) {
        Value text = key;
        static_cast<void>(tell(Event::key, m_open.size(), text));
    }
    auto& object = m_open.back().value->template get_ref<typename Value::object_t&>();
    const auto [member, isNew] = object.emplace(std::move(key), nullptr);
    if (!isNew && m_keys == Keys::Unique && member->first != m_except) {
        m_refusal = Message("ambiguous: it holds the key \"%1\" twice", member->first);
        return false;
    }
    constexpr bool kOrdered = std::is_same_v<Value, OrderedJson>;
    if (kOrdered && object.size() > static_cast<std::size_t>(kMaxOrderedMembers)) {
        m_refusal =
            Message("too large: an object in it has more than %1 members", kMaxOrderedMembers);
        return false;
    }
    m_open.back().member = member;
    return true;
}

template <typename Value>
Value* DocumentBuilder<Value>::put(Value value)
{
    if (m_open.empty()) {
        m_root = std::move(value);
        return &m_root;
    }
    Open& parent = m_open.back();
    if (parent.value->is_object()) {
        parent.member->second = std::move(value);
        return &parent.member->second;
    }
    auto& list = parent.value->template get_ref<typename Value::array_t&>();
    list.push_back(std::move(value));
    return &list.back();
}

template <typename Value>
void DocumentBuilder<Value>::dropLast()
{
    const Open& parent = m_open.back();
    if (parent.value->is_object())
        parent.value->template get_ref<typename Value::object_t&>().erase(parent.member);
    else
        parent.value->template get_ref<typename Value::array_t&>().pop_back();
}

template <typename Value>
bool DocumentBuilder<Value>::parse_error(std::size_t position, const std::string& /*token*/,
                                         const nlohmann::detail::exception& error)
{
    constexpr int kNumberTooLarge = 406; // "1e999"
    if (error.id != kNumberTooLarge)
        m_position = position;
    return false;
}

constexpr const char* kMistake = "not valid JSON at %1";

// Rejects a text that is nested too deeply or holds too many values, before it takes memory.
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
Result<Value> parsed(std::string_view text, typename DocumentBuilder<Value>::Keys keys,
                     std::string_view except = {})
{
    if (const Status shape = checkShape(text); !shape)
        return shape.error();
    return built(
        DocumentBuilder<Value>(keys, nullptr, except), text.begin(), text.end(),
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
    return parsed<Json>(text, DocumentBuilder<Json>::Keys::LastCounts);
}

Result<OrderedJson> parseOrdered(std::string_view text)
{
    return parsed<OrderedJson>(text, DocumentBuilder<OrderedJson>::Keys::LastCounts);
}

OrderedJson parsedOrNull(std::string_view text)
{
    auto json = text.empty() ? Result<OrderedJson>(OrderedJson()) : parseOrdered(text);
    return json ? *std::move(json) : OrderedJson();
}

Result<Json> parseUniqueKeys(std::string_view text, std::string_view except)
{
    return parsed<Json>(text, DocumentBuilder<Json>::Keys::Unique, except);
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

TextShape shapeOf(std::string_view text)
{
    TextShape shape;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        const bool opens = !quoted && (c == '[' || c == '{');
        const bool closes = !quoted && (c == ']' || c == '}');
        shape.values += opens || (!quoted && c == ',') ? 1 : 0;
        depth += opens ? 1 : closes ? -1 : 0;
        shape.depth = std::max(shape.depth, depth);
    }
    return shape;
}

} // namespace ep::json
