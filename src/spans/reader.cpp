// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/reader.h"

#include "ep/core/number_text.h"
#include "ep/json/stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace ep::spans {
namespace {

constexpr std::size_t kHead = 4; // bytes: mark, type, length of the body
constexpr std::size_t kPlainSpan = 32; // bytes without the optional parts

enum Has : std::uint8_t { HasBytes = 1, HasFlops = 2, HasText = 4, HasStats = 8 };

// Reads little-endian values on any machine.
template <typename T>
T numberAt(std::string_view bytes, std::size_t at)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return static_cast<T>(value);
}

float realAt(std::string_view bytes, std::size_t at)
{
    const auto bits = numberAt<std::uint32_t>(bytes, at);
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// u16 name, u8 kind, u8 what else it has, i32 layer, i32 token, i32 sequence, i64 start,
// i64 duration, and what else it has in the order of its bits.
bool readSpan(std::string_view body, const std::vector<std::string>& names, Record& record)
{
    if (body.size() < kPlainSpan)
        return false;
    const auto name = numberAt<std::uint16_t>(body, 0);
    const auto kind = numberAt<std::uint8_t>(body, 2);
    const auto has = numberAt<std::uint8_t>(body, 3);
    if (kind >= kSpanKinds || name >= names.size())
        return false;
    record = {};
    record.kind = static_cast<RecordKind>(kind);
    record.name = names[name];
    record.layer = numberAt<std::int32_t>(body, 4);
    record.token = numberAt<std::int32_t>(body, 8);
    record.sequence = numberAt<std::int32_t>(body, 12);
    record.start_ns = numberAt<std::int64_t>(body, 16);
    record.duration_ns = numberAt<std::int64_t>(body, 24);
    std::size_t at = kPlainSpan;
    const auto room = [&](std::size_t size) { return body.size() - at >= size; };
    for (const auto& [bit, field] :
         {std::pair{HasBytes, &Record::bytes}, std::pair{HasFlops, &Record::flops}}) {
        if ((has & bit) == 0)
            continue;
        if (!room(sizeof(std::int64_t)))
            return false;
        record.*field = numberAt<std::int64_t>(body, at);
        if (*(record.*field) < 0)
            return false;
        at += sizeof(std::int64_t);
    }
    if ((has & HasStats) != 0) {
        if (!room(4 * sizeof(float)))
            return false;
        record.stats = ActivationStats{realAt(body, at), realAt(body, at + 4), realAt(body, at + 8),
                                       realAt(body, at + 12)};
        at += 4 * sizeof(float);
        for (const float value : {record.stats->mean_abs, record.stats->std, record.stats->max_abs,
                                  record.stats->sparsity}) {
            if (!std::isfinite(value))
                return false;
        }
    }
    if ((has & HasText) != 0)
        record.text = body.substr(at);
    return record.duration_ns >= 0 && record.layer >= kNoLayer && record.token >= kNoToken;
}

constexpr std::array<std::string_view, kRecordKinds> kKindWords{
    "phase", "section", "token", "layer", "component", "operation", "facts", "dropped"};

// A value of the object: a text, a number, or anything else, which no field accepts.
struct Value {
    std::string_view text{};
    bool is_text = false;
    bool is_number = false;
};

bool toInteger(const Value& value, std::int64_t& out)
{
    const auto read = value.is_number ? readWhole(value.text) : std::nullopt;
    out = read.value_or(0);
    return read.has_value();
}

bool setInteger(const Value& value, std::int64_t& field)
{
    return toInteger(value, field);
}

bool setInteger(const Value& value, std::optional<std::int64_t>& field)
{
    std::int64_t number = 0;
    if (!toInteger(value, number) || number < 0)
        return false;
    field = number;
    return true;
}

bool setInteger(const Value& value, std::int32_t& field)
{
    std::int64_t number = 0;
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    if (!toInteger(value, number) || number < -1 || number > kMax)
        return false;
    field = static_cast<std::int32_t>(number);
    return true;
}

bool setStat(const Value& value, Record& record, float ActivationStats::*member)
{
    const auto read = value.is_number ? readNumber(value.text) : std::nullopt;
    if (!read)
        return false;
    if (!record.stats)
        record.stats.emplace();
    (*record.stats).*member = static_cast<float>(*read);
    return std::isfinite((*record.stats).*member);
}

bool setText(const Value& value, std::string_view& field)
{
    field = value.text;
    return value.is_text;
}

bool setKind(const Value& value, Record& record)
{
    for (std::size_t i = 0; i < kKindWords.size(); ++i) {
        if (value.is_text && value.text == kKindWords[i]) {
            record.kind = static_cast<RecordKind>(i);
            return true;
        }
    }
    return false;
}

struct Field {
    std::string_view name;
    bool (*set)(const Value&, Record&);
};

constexpr Field kFields[] = {
    {"kind", setKind},
    {"name", [](const Value& v, Record& r) { return setText(v, r.name); }},
    {"start_ns", [](const Value& v, Record& r) { return setInteger(v, r.start_ns); }},
    {"duration_ns", [](const Value& v, Record& r) { return setInteger(v, r.duration_ns); }},
    {"layer", [](const Value& v, Record& r) { return setInteger(v, r.layer); }},
    {"token", [](const Value& v, Record& r) { return setInteger(v, r.token); }},
    {"sequence", [](const Value& v, Record& r) { return setInteger(v, r.sequence); }},
    {"bytes", [](const Value& v, Record& r) { return setInteger(v, r.bytes); }},
    {"flops", [](const Value& v, Record& r) { return setInteger(v, r.flops); }},
    {"text", [](const Value& v, Record& r) { return setText(v, r.text); }},
    {"mean_abs",
     [](const Value& v, Record& r) { return setStat(v, r, &ActivationStats::mean_abs); }},
    {"std", [](const Value& v, Record& r) { return setStat(v, r, &ActivationStats::std); }},
    {"max_abs", [](const Value& v, Record& r) { return setStat(v, r, &ActivationStats::max_abs); }},
    {"sparsity",
     [](const Value& v, Record& r) { return setStat(v, r, &ActivationStats::sparsity); }},
    {"engine", [](const Value& v, Record& r) { return setText(v, r.engine); }},
    {"model", [](const Value& v, Record& r) { return setText(v, r.model); }},
    {"device", [](const Value& v, Record& r) { return setText(v, r.device); }},
    {"dtype", [](const Value& v, Record& r) { return setText(v, r.dtype); }},
    {"clock", [](const Value& v, Record& r) { return setText(v, r.clock); }},
    {"clock_ns", [](const Value& v, Record& r) { return setInteger(v, r.clock_ns); }},
    {"sender", [](const Value& v, Record& r) { return setInteger(v, r.sender); }},
    {"layers", [](const Value& v, Record& r) { return setInteger(v, r.layers); }},
    {"input_tokens", [](const Value& v, Record& r) { return setInteger(v, r.input_tokens); }},
    {"count", [](const Value& v, Record& r) { return setInteger(v, r.count); }},
};

// Receives a record, which is one flat JSON object. Building a tree of values would take several
// times longer, which decides how many spans per second can be received.
class RecordHandler final : public json::StreamHandler {
public:
    RecordHandler(Record& record, std::string& texts)
        : m_record(record)
        , m_texts(texts)
    {
    }
    bool good() const { return m_good && m_kind; }

    void begin(bool object) override
    {
        m_good = m_good && (m_depth > 0 || object);
        take({}); // no field is an object
        ++m_depth;
    }
    void end(bool /*object*/) override { --m_depth; }
    void key(std::string_view text) override
    {
        if (m_depth != 1)
            return;
        m_kind = m_kind || text == "kind";
        const auto* const field = std::ranges::find(kFields, text, &Field::name);
        m_field = field == std::end(kFields) ? nullptr : field; // fields of later versions
    }
    void string(std::string_view text) override
    {
        const std::size_t first = m_texts.size();
        m_texts += text;
        take({.text = std::string_view(m_texts).substr(first), .is_text = true});
    }
    void number(std::string_view text) override { take({.text = text, .is_number = true}); }
    void literal(std::string_view word) override { take({.text = word}); }
    bool wantsText() const override { return m_depth == 1 && m_field; }

private:
    void take(const Value& value)
    {
        if (m_depth == 1 && m_field)
            m_good = m_good && m_field->set(value, m_record);
    }

    Record& m_record;
    std::string& m_texts; // never moves
    const Field* m_field = nullptr; // the current one
    int m_depth = 0;
    bool m_kind = false;
    bool m_good = true;
};

} // namespace

Reader::Reader(Sink sink, ByteBudget& budget)
    : m_sink(std::move(sink))
    , m_budget(budget)
{
}

Reader::~Reader()
{
    m_budget.giveBack(m_charged);
}

void Reader::feed(std::string_view bytes)
{
    constexpr std::size_t kPart = 4096; // so that little is kept, and its memory is used again
    while (!m_rest.empty() && !bytes.empty()) {
        const std::size_t before = m_rest.size();
        const std::string_view part = bytes.substr(0, kPart);
        m_rest.append(part);
        const std::size_t read = take(m_rest, false);
        if (read >= before) { // the record that had begun is over
            bytes.remove_prefix(read - before);
            m_rest.clear();
        } else {
            bytes.remove_prefix(part.size());
            m_rest.erase(0, read);
        }
    }
    if (bytes.empty())
        return;
    const std::size_t read = take(bytes, false);
    m_rest.assign(bytes.substr(read));
}

void Reader::finish()
{
    take(m_rest, true);
    m_rest.clear();
}

std::size_t Reader::take(std::string_view bytes, bool last)
{
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::string_view rest = bytes.substr(at);
        const bool binary = !m_skipping && static_cast<unsigned char>(rest[0]) == kBinaryMark;
        const std::size_t read = binary ? takeBinary(rest) : takeLine(rest, last);
        if (read == 0)
            break;
        at += read;
    }
    if (last && at < bytes.size())
        ++m_malformed; // a binary record that was cut off
    return at;
}

void Reader::deliver(const Record& record)
{
    if (record.sender) { // each sender numbers its own names
        m_budget.giveBack(std::exchange(m_charged, 0));
        m_names.clear();
        m_namesEnd = false;
    }
    m_sink(record);
}

std::size_t Reader::takeLine(std::string_view bytes, bool last)
{
    const std::size_t end = bytes.find('\n');
    const bool whole = end != std::string_view::npos;
    if (m_skipping || (!whole && bytes.size() > kLongestRecord)) {
        m_malformed += m_skipping ? 0 : 1;
        m_skipping = !whole;
        return whole ? end + 1 : bytes.size();
    }
    if (!whole && !last)
        return 0;
    const std::string_view line = bytes.substr(0, end);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
        Record record;
        if (line.size() <= kLongestRecord && readJsonRecord(line, record, m_scratch))
            deliver(record);
        else
            ++m_malformed;
    }
    return whole ? end + 1 : bytes.size();
}

std::size_t Reader::takeBinary(std::string_view bytes)
{
    if (bytes.size() < kHead)
        return 0;
    const auto type = numberAt<std::uint8_t>(bytes, 1);
    const std::size_t size = numberAt<std::uint16_t>(bytes, 2);
    if (bytes.size() < kHead + size)
        return 0;
    const std::string_view body = bytes.substr(kHead, size);
    Record record;
    bool good = false;
    if (type == static_cast<std::uint8_t>(BinaryType::Span)) {
        if (m_namesEnd && body.size() >= kPlainSpan
            && numberAt<std::uint16_t>(body, 0) >= m_names.size()) {
            ++m_nameless;
            return kHead + size;
        }
        good = readSpan(body, m_names, record);
    } else if (type == static_cast<std::uint8_t>(BinaryType::Json)) {
        good = readJsonRecord(body, record, m_scratch);
    } else if (type == static_cast<std::uint8_t>(BinaryType::Name)) {
        takeName(body);
        return kHead + size;
    }
    if (good)
        deliver(record);
    else
        ++m_malformed;
    return kHead + size;
}

void Reader::takeName(std::string_view name)
{
    const std::size_t bytes = sizeof(std::string) + name.size();
    m_namesEnd = m_namesEnd || m_names.size() == kMaxNames || !m_budget.take(bytes);
    if (m_namesEnd)
        return;
    m_charged += bytes;
    m_names.emplace_back(name); // its number is the count of names before it
}

bool readJsonRecord(std::string_view line, Record& record, std::string& scratch)
{
    record = {};
    scratch.clear();
    scratch.reserve(line.size());
    RecordHandler handler(record, scratch);
    json::Stream stream(handler, json::Stream::Rules::Strict, line.size());
    return stream.read(line) && handler.good() && record.duration_ns >= 0 && record.count >= 0
        && (!isSpan(record.kind) || record.kind == RecordKind::Layer
            || record.kind == RecordKind::Token || !record.name.empty());
}

} // namespace ep::spans
