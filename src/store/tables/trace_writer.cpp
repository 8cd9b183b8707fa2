// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/trace_writer.h"

#include "sqlite/statement.h"
#include "tables/trace_columns.h"

#include "ep/core/component_kinds.h"
#include "ep/core/own_part.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <limits>
#include <utility>

namespace ep::store {
namespace {

// "INSERT INTO table (columns) VALUES (?, ...)"
std::string insertInto(const std::string& table, const std::string& columns)
{
    std::string marks = "?";
    for (const char c : columns) {
        if (c == ',')
            marks += ", ?";
    }
    return "INSERT INTO " + table + " (" + columns + ") VALUES (" + marks + ")";
}

const std::string kInsertSample =
    insertInto("power_samples", "run_id, " + columnNames<PowerSample>());
const std::string kInsertPhase = insertInto("phases", "run_id, " + columnNames<PhaseSpan>());
const std::string kInsertToken = insertInto("tokens", "id, run_id, " + columnNames<TokenSpan>());
const std::string kInsertCutToken = insertInto("tokens", "id, run_id, token_index");

// Row ids are assigned here, so that no query is needed for the ids of parents.
Status claimRowIds(Database& database, const std::string& table, std::int64_t& next)
{
    if (next != 0)
        return {};
    const auto free =
        database.queryInteger("SELECT coalesce(max(id), 0) + 1 FROM " + table, kSavingRun);
    if (!free)
        return free.error();
    next = *free;
    return {};
}

// Writes the fields of one span at their places; leaves out fields without a place.
class PackEncoder {
public:
    PackEncoder(std::string& bytes, const PackedPlace& place)
        : m_bytes(bytes)
        , m_place(place)
    {
    }

    void integer(PackField field, std::uint64_t value, std::int32_t bytes) const
    {
        for (std::size_t i = 0, at = placeOf(field); at > 0 && i < static_cast<std::size_t>(bytes);
             ++i)
            m_bytes[at - 1 + i] = static_cast<char>(value >> (8 * i));
    }

    template <typename Count>
    void operator()(PackField field, const std::optional<Count>& value) const
    {
        integer(field, static_cast<std::uint64_t>(value.value_or(0)), m_place.count_bytes);
    }
    void operator()(PackField field, const std::optional<Millijoules>& value) const
    {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        integer(field, std::bit_cast<std::uint64_t>(value ? value->value : kNan), 8);
    }
    void operator()(PackField field, Provenance value) const
    {
        integer(field, packedCode(value), 1);
    }
    void operator()(PackField field, const std::optional<float>& value) const
    {
        single(field, value.value_or(std::numeric_limits<float>::quiet_NaN()), 0);
    }
    void operator()(PackField field, const std::optional<ActivationStats>& stats) const
    {
        if (stats)
            singles(field,
                    std::array{stats->mean_abs, stats->std, stats->max_abs, stats->sparsity});
    }
    void operator()(PackField field, const std::vector<float>& heads) const
    {
        singles(field, heads);
    }

private:
    std::size_t placeOf(PackField field) const { return static_cast<std::size_t>(m_place[field]); }
    void single(PackField field, float value, std::size_t index) const
    {
        const std::size_t at = placeOf(field);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (std::size_t i = 0; at > 0 && i < 4; ++i)
            m_bytes[at - 1 + 4 * index + i] = static_cast<char>(bits >> (8 * i));
    }
    template <typename Values>
    void singles(PackField field, const Values& values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            single(field, values[i], i);
    }

    std::string& m_bytes;
    const PackedPlace& m_place;
};

// Number of spans. Three or four such rows fill a page; larger rows would leave parts of pages
// empty, and views read each value of a row more slowly the longer the row is.
constexpr std::size_t kMaxPack = 24;

// Only a few different lengths, so that the packs of a run share few shapes.
std::int32_t bytesFor(std::uint64_t value)
{
    for (const std::int32_t bytes : {2, 3, 4}) {
        if (value >> (8 * bytes) == 0)
            return bytes;
    }
    return 8;
}

std::uint64_t unsignedDifference(Nanoseconds later, Nanoseconds earlier)
{
    return static_cast<std::uint64_t>(wrappingDifference(later, earlier));
}

template <std::integral Number>
void describeNumber(std::string& text, Number number)
{
    for (int shift = 0; shift < 32; shift += 8)
        text += static_cast<char>(number >> shift);
}

template <typename T>
bool isThere(const std::optional<T>& value)
{
    return value.has_value();
}
bool isThere(Provenance value)
{
    return value != Provenance::Missing;
}
bool isThere(const std::vector<float>& heads)
{
    return !heads.empty();
}

PackFields fieldsOf(const PackedSpan& span)
{
    PackFields fields;
    for (const PackField field : {PackField::Start, PackField::Duration})
        fields.set(static_cast<std::size_t>(field), !span.interrupted);
    visitPackFields(span, [&](PackField field, const auto& value) {
        fields.set(static_cast<std::size_t>(field), isThere(value));
    });
    return fields;
}

// Energy fields: all spans of a pack have a field if one of them does.
PackFields energyFields()
{
    PackFields fields;
    for (std::size_t i = 0; i < kPackFieldCount; ++i) {
        const PackEncoding encoding = kPackFields[i].encoding;
        fields.set(i,
                   encoding == PackEncoding::Double || encoding == PackEncoding::Deviation
                       || encoding == PackEncoding::Code);
    }
    return fields;
}

HeadCounts headsOf(const PackedSpan& span)
{
    HeadCounts counts{};
    if (!span.span.extras)
        return counts;
    visitExtras(*span.span.extras, [&](PackField field, const char*, const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const std::vector<float>&>)
            counts[headsBefore(static_cast<std::size_t>(field))] =
                static_cast<std::int32_t>(value.size());
    });
    return counts;
}

template <typename T>
std::uint64_t countIn(const T&)
{
    return 0;
}
template <std::integral T>
std::uint64_t countIn(const std::optional<T>& value)
{
    return static_cast<std::uint64_t>(value.value_or(0));
}

} // namespace

std::size_t TraceWriter::PlaceHash::operator()(const Place& place) const
{
    const auto token = static_cast<std::uint64_t>(static_cast<std::uint32_t>(place.token));
    const auto layer = static_cast<std::uint64_t>(static_cast<std::uint32_t>(place.layer));
    const auto component = static_cast<std::uint64_t>(place.component);
    return static_cast<std::size_t>((token << 32) ^ (layer << 8) ^ component)
        * std::size_t{0x9e3779b97f4a7c15U};
}

TraceWriter::TraceWriter(Database& database, std::string runId, Nanoseconds clockStart)
    : m_database(database)
    , m_runId(std::move(runId))
    , m_clockStart(clockStart)
    , m_packer(database, m_runId, clockStart)
{
}

template <typename Of>
Status TraceWriter::writeRows(const std::string& insertion, std::span<const Of> rows)
{
    Statement insert = m_database.prepare(insertion, kSavingRun);
    for (const Of& row : rows) {
        insert.bind(m_runId);
        appendColumns(insert, row, m_clockStart);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

Status TraceWriter::writeAll(const RunTrace& trace)
{
    Status done = writeSamples(trace.samples);
    if (done)
        done = writeRows(kInsertPhase, std::span(trace.phases));
    if (done)
        done = writeTokens(trace.tokens);
    if (done)
        done = writeSpans(trace);
    return done;
}

Status TraceWriter::writeSamples(std::span<const PowerSample> samples)
{
    return writeRows(kInsertSample, samples);
}

Status TraceWriter::writeTokens(std::span<const TokenSpan> tokens)
{
    if (const Status claimed = claimRowIds(m_database, "tokens", m_nextToken); !claimed)
        return claimed;
    Statement insert = m_database.prepare(kInsertToken, kSavingRun);
    for (const TokenSpan& token : tokens) {
        insert.bind(m_nextToken, m_runId);
        appendColumns(insert, token, m_clockStart);
        if (const Status done = insert.run(); !done)
            return done;
        m_tokens.emplace(token.index, m_nextToken++);
    }
    return {};
}

// Layers and components get their indices before their children.
Status TraceWriter::writeSpans(const RunTrace& trace)
{
    const auto times = partTimes(trace);
    m_layers.indices.reserve(trace.layers.size());
    std::bitset<kComponentSlots> withOperations;
    for (const Span& operation : trace.operations)
        withOperations.set(static_cast<std::size_t>(operation.component));

    std::unordered_map<std::int32_t, std::int32_t> sections;
    std::unordered_map<std::int32_t, std::int32_t> operations;
    Status done = pack(SpanLevel::Section, trace.sections,
                       [&](PackedSpan& packed) { packed.index = sections[packed.span.token]++; });
    if (done) {
        done = pack(SpanLevel::Layer, trace.layers, [&](PackedSpan& packed) {
            const Place place{packed.span.token, packed.span.layer};
            packed.index = m_layers.next[place.token]++;
            m_layers.indices.emplace(place, packed.index);
            if (const auto found = times.find(place); found != times.end()) {
                packed.attention_ns = found->second.attention_ns;
                packed.mlp_ns = found->second.mlp_ns;
            }
        });
    }
    if (done) {
        done = pack(SpanLevel::Component, trace.components, [&](PackedSpan& packed) {
            const Span& span = packed.span;
            packed.parent = indexOfLayer(span);
            packed.index = m_components.next[span.token]++;
            if (withOperations.test(static_cast<std::size_t>(span.component)))
                m_components.indices.emplace(Place{span.token, span.layer, span.component},
                                             packed.index);
        });
    }
    if (done) {
        done = pack(SpanLevel::Operation, trace.operations, [&](PackedSpan& packed) {
            packed.parent = indexOfComponent(packed.span);
            packed.index = operations[packed.span.token]++;
        });
    }
    if (done)
        done = packCut(SpanLevel::Layer, m_layers);
    if (done)
        done = packCut(SpanLevel::Component, m_components);
    return done;
}

template <typename SetPlace>
Status TraceWriter::pack(SpanLevel level, const std::vector<Span>& spans, const SetPlace& place)
{
    std::vector<PackedSpan> step;
    for (std::size_t begin = 0; begin < spans.size();) {
        const std::int32_t token = spans[begin].token;
        step.clear();
        std::size_t end = begin;
        for (; end < spans.size() && spans[end].token == token; ++end)
            place(step.emplace_back(PackedSpan{.span = spans[end]}));
        std::optional<std::int64_t> row;
        if (token != kNoToken) {
            const auto found = tokenRow(token);
            if (!found)
                return found.error();
            row = *found;
        }
        if (const Status done = m_packer.add(level, row, step); !done)
            return done;
        begin = end;
    }
    return {};
}

Status TraceWriter::packCut(SpanLevel level, const Parents& parents)
{
    for (const auto& [token, spans] : parents.cut) {
        const auto row = tokenRow(token);
        if (!row)
            return row.error();
        if (const Status done = m_packer.add(level, *row, spans); !done)
            return done;
    }
    return {};
}

std::unordered_map<TraceWriter::Place, TraceWriter::PartTimes, TraceWriter::PlaceHash>
TraceWriter::partTimes(const RunTrace& trace)
{
    std::unordered_map<Place, PartTimes, PlaceHash> times;
    times.reserve(trace.layers.size());
    for (const Span& component : trace.components) {
        const LayerBlock block = blockOf(component.component);
        if (block == LayerBlock::Neither)
            continue;
        PartTimes& layer = times[{component.token, component.layer}];
        auto& duration = block == LayerBlock::Attention ? layer.attention_ns : layer.mlp_ns;
        duration = duration.value_or(0) + component.time.duration_ns();
    }
    return times;
}

Result<std::int64_t> TraceWriter::tokenRow(std::int32_t token)
{
    const auto [place, isNew] = m_tokens.try_emplace(token, m_nextToken);
    if (isNew) {
        Statement insert = m_database.prepare(kInsertCutToken, kSavingRun);
        if (const Status done = insert.bind(m_nextToken++, m_runId, token).run(); !done)
            return done.error();
    }
    return place->second;
}

std::int32_t TraceWriter::indexOfLayer(const Span& child)
{
    const auto [place, isNew] = m_layers.indices.try_emplace(Place{child.token, child.layer});
    if (isNew) {
        place->second = m_layers.next[child.token]++;
        m_layers.cut[child.token].push_back({.span = Span::ofLayer(child.token, child.layer),
                                             .index = place->second,
                                             .interrupted = true});
    }
    return place->second;
}

std::int32_t TraceWriter::indexOfComponent(const Span& operation)
{
    const std::int32_t token = operation.token;
    const auto [place, isNew] =
        m_components.indices.try_emplace(Place{token, operation.layer, operation.component});
    if (isNew) {
        place->second = m_components.next[token]++;
        m_components.cut[token].push_back(
            {.span = Span::ofComponent(token, operation.layer, operation.component),
             .index = place->second,
             .parent = indexOfLayer(operation),
             .interrupted = true});
    }
    return place->second;
}

SpanPacker::SpanPacker(Database& database, std::string runId, Nanoseconds clockStart)
    : m_database(database)
    , m_runId(std::move(runId))
    , m_clockStart(clockStart)
{
}

Status SpanPacker::add(SpanLevel level, std::optional<std::int64_t> tokenRow,
                       std::span<const PackedSpan> spans)
{
    while (!spans.empty()) {
        const auto part = spans.first(std::min(spans.size(), kMaxPack));
        if (const Status done = addPack(level, tokenRow, part); !done)
            return done;
        spans = spans.subspan(part.size());
    }
    return {};
}

Status SpanPacker::addPack(SpanLevel level, std::optional<std::int64_t> tokenRow,
                           std::span<const PackedSpan> spans)
{
    const Need need = needOf(spans);
    describe(level, spans, need);
    std::vector<PackShape>& known = m_shapes[m_description];
    const auto found = std::find_if(known.rbegin(), known.rend(), [&](const PackShape& shape) {
        return fits(shape, spans, need);
    });
    const PackShape* shape = found != known.rend() ? &*found : nullptr;
    if (shape == nullptr) {
        const auto made = makeShape(spans, need, known);
        if (!made)
            return made.error();
        shape = *made;
    }
    encode(spans, need, *shape);
    Statement insert =
        m_database.prepare("INSERT INTO packs (kind, run_id, token_id, shape_id, origin_ns, data) "
                           "VALUES (?, ?, ?, ?, ?, ?)",
                           kSavingRun);
    insert.bind(level);
    // Sections are looked up without tokens, since some are outside of tokens.
    if (level == SpanLevel::Section)
        insert.append(m_runId);
    else
        insert.append(nullptr);
    insert.append(tokenRow);
    insert.append(shape->id);
    insert.append(wrappingDifference(need.origin_ns, m_clockStart));
    insert.append(Blob{m_bytes});
    return insert.run();
}

SpanPacker::Need SpanPacker::needOf(std::span<const PackedSpan> spans)
{
    Need need;
    bool timed = false;
    for (const PackedSpan& span : spans) {
        if (span.interrupted)
            continue;
        const Nanoseconds begin = span.span.time.begin_ns;
        need.origin_ns = timed ? std::min(need.origin_ns, begin) : begin;
        timed = true;
    }
    std::uint64_t start = 0;
    std::uint64_t duration = 0;
    std::uint64_t count = 0;
    for (const PackedSpan& span : spans) {
        const TimeRange& time = span.span.time;
        if (!span.interrupted) {
            start = std::max(start, unsignedDifference(time.begin_ns, need.origin_ns));
            duration = std::max(duration, unsignedDifference(time.end_ns, time.begin_ns));
        }
        need.fields |= fieldsOf(span);
        visitPackFields(
            span, [&](PackField, const auto& value) { count = std::max(count, countIn(value)); });
    }
    static const PackFields kEnergyFields = energyFields();
    need.fields &= kEnergyFields;
    need.start_bytes = bytesFor(start);
    need.duration_bytes = bytesFor(duration);
    need.count_bytes = bytesFor(count);
    return need;
}

void SpanPacker::describe(SpanLevel level, std::span<const PackedSpan> spans, const Need& need)
{
    std::string& text = m_description;
    text.clear();
    text += static_cast<char>(level);
    describeNumber(text, need.fields.to_ulong());
    for (const PackedSpan& packed : spans) {
        const Span& span = packed.span;
        describeNumber(text, packed.index);
        describeNumber(text, packed.parent.value_or(-1));
        describeNumber(text, span.layer);
        text += static_cast<char>(span.phase);
        text += static_cast<char>(span.section);
        text += static_cast<char>(span.component);
        text += static_cast<char>(span.operation);
        describeNumber(text, (fieldsOf(packed) & ~need.fields).to_ulong());
        if (span.extras) {
            for (const std::int32_t heads : headsOf(packed))
                describeNumber(text, heads);
        }
    }
}

bool SpanPacker::fits(const PackShape& shape, std::span<const PackedSpan> spans, const Need& need)
{
    const PackedPlace& any = shape.places.front(); // all places have the same lengths
    if (any.start_bytes < need.start_bytes || any.duration_bytes < need.duration_bytes
        || any.count_bytes < need.count_bytes)
        return false;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const PackedPlace& place = shape.places[i];
        if (place[PackField::Flops] == 0 && place.what.span.work != spans[i].span.work)
            return false;
    }
    return true;
}

// If the work differs from an earlier pack of the same description, it goes into the bytes.
Result<const PackShape*> SpanPacker::makeShape(std::span<const PackedSpan> spans, const Need& need,
                                               std::vector<PackShape>& known)
{
    const PackShape* earlier = known.empty() ? nullptr : &known.back();
    PackShape shape;
    std::int32_t at = 1;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const PackedSpan& span = spans[i];
        const PackedPlace* before = earlier != nullptr ? &earlier->places[i] : nullptr;
        PackedPlace& place = shape.places.emplace_back();
        place.start_bytes = std::max(need.start_bytes, before ? before->start_bytes : 0);
        place.duration_bytes = std::max(need.duration_bytes, before ? before->duration_bytes : 0);
        place.count_bytes = std::max(need.count_bytes, before ? before->count_bytes : 0);
        place.heads = headsOf(span);
        const auto& work = span.span.work;
        const bool varies =
            work && before && ((*before)[PackField::Flops] != 0 || before->what.span.work != work);
        place.what.index = span.index;
        place.what.parent = span.parent;
        Span& what = place.what.span;
        what.level = span.span.level;
        what.phase = span.span.phase;
        what.section = span.span.section;
        what.layer = span.span.layer;
        what.component = span.span.component;
        what.operation = span.span.operation;
        if (!varies)
            what.work = work;
        const PackFields own = need.fields | fieldsOf(span);
        for (std::size_t j = 0; j < kPackFieldCount; ++j) {
            const auto field = static_cast<PackField>(j);
            const bool isWork = field == PackField::Flops || field == PackField::Bytes;
            if (isWork ? !varies : !own.test(j))
                continue;
            place[field] = at;
            at += lengthOf(place, field);
        }
    }
    shape.size = at - 1;
    if (const Status inserted = insertShape(shape); !inserted)
        return inserted.error();
    const auto id = m_database.queryInteger("SELECT max(id) FROM pack_shapes", kSavingRun);
    if (!id)
        return id.error();
    shape.id = *id;
    known.push_back(std::move(shape));
    return &known.back();
}

Status SpanPacker::insertShape(const PackShape& shape)
{
    {
        Statement insert =
            m_database.prepare("INSERT INTO pack_shapes (run_id) VALUES (?)", kSavingRun);
        if (const Status done = insert.bind(m_runId).run(); !done)
            return done;
    }
    static const std::string kSql = [] {
        const PackedPlace none;
        std::string names = "shape_id";
        visitPlaceNames(std::as_const(none.what), [&](const char* column, const auto&) {
            names.append(", ").append(column);
        });
        names += ", " + placeColumns();
        std::string marks = "(SELECT max(id) FROM pack_shapes)";
        for (auto i = std::count(names.begin(), names.end(), ','); i > 0; --i)
            marks += ", ?";
        return "INSERT INTO pack_spans (" + names + ") VALUES (" + marks + ")";
    }();
    Statement insert = m_database.prepare(kSql, kSavingRun);
    for (const PackedPlace& place : shape.places) {
        insert.bind();
        visitPlaceNames(place.what, [&](const char*, const auto& field) { insert.append(field); });
        appendColumns(insert, place.what.span.work);
        for (const std::int32_t bytes :
             {place.start_bytes, place.duration_bytes, place.count_bytes})
            insert.append(bytes);
        for (const std::int32_t heads : place.heads)
            insert.append(heads);
        for (const std::int32_t at : place.at)
            insert.append(at > 0 ? std::optional(at) : std::nullopt);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

void SpanPacker::encode(std::span<const PackedSpan> spans, const Need& need, const PackShape& shape)
{
    m_bytes.assign(static_cast<std::size_t>(shape.size), '\0');
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const PackedSpan& span = spans[i];
        const PackedPlace& place = shape.places[i];
        const PackEncoder to(m_bytes, place);
        const TimeRange& time = span.span.time;
        if (!span.interrupted) {
            to.integer(PackField::Start, unsignedDifference(time.begin_ns, need.origin_ns),
                       place.start_bytes);
            to.integer(PackField::Duration, unsignedDifference(time.end_ns, time.begin_ns),
                       place.duration_bytes);
        }
        visitPackFields(span, to);
    }
}

} // namespace ep::store
