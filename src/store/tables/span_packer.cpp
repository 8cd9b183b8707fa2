// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/span_packer.h"

#include "sqlite/statement.h"
#include "tables/trace_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace ep::store {

namespace {

// Spans. Three or four such rows fill a page; larger ones would leave parts of pages empty, and
// each value of a row is slower to read through the views the longer the row is.
constexpr std::size_t kMaxPack = 24;

// Few different lengths, so that the packs of a run share few shapes.
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

template <typename T>
void describeByte(std::string& text, const std::optional<T>& word)
{
    text += word ? static_cast<char>(*word) : '\xff';
}

void describeNumber(std::string& text, std::int64_t number)
{
    for (int shift = 0; shift < 32; shift += 8)
        text += static_cast<char>(number >> shift);
}

std::array<std::int32_t, 3> headsOf(const PackedSpan& span)
{
    if (!span.extras)
        return {};
    const auto count = [](const std::vector<float>& heads) {
        return static_cast<std::int32_t>(heads.size());
    };
    return {count(span.extras->attention_entropy), count(span.extras->max_attention_weight),
            count(span.extras->attention_sparsity)};
}

// Whether a span has a field, other than those that all spans of a pack have.
bool has(const PackedSpan& span, PackField field)
{
    switch (field) {
    case PackField::Start:
    case PackField::Duration:
        return span.time.has_value();
    case PackField::Attention:
        return span.attention_ns.has_value();
    case PackField::Mlp:
        return span.mlp_ns.has_value();
    case PackField::Stats:
        return span.stats.has_value();
    case PackField::Killed:
        return span.extras && span.extras->activation_kill_ratio;
    case PackField::Variance:
        return span.extras && span.extras->variance_ratio;
    case PackField::Expert:
        return span.extras && span.extras->expert;
    case PackField::Rows:
        return span.extras && span.extras->rows;
    case PackField::Entropy:
        return headsOf(span)[0] > 0;
    case PackField::Weight:
        return headsOf(span)[1] > 0;
    case PackField::Sparsity:
        return headsOf(span)[2] > 0;
    default:
        return false;
    }
}

// Writes the fields of one span at their places; fields without a place are left out.
class Encoder {
public:
    Encoder(std::string& bytes, const PackedPlace& place)
        : m_bytes(bytes)
        , m_place(place)
    {
    }

    void integer(PackField field, std::uint64_t value, std::int32_t bytes)
    {
        for (std::size_t i = 0, at = placeOf(field); at > 0 && i < static_cast<std::size_t>(bytes);
             ++i)
            m_bytes[at - 1 + i] = static_cast<char>(value >> (8 * i));
    }
    void count(PackField field, std::optional<std::int64_t> value)
    {
        integer(field, static_cast<std::uint64_t>(value.value_or(0)), m_place.count_bytes);
    }
    void real(PackField field, double value)
    {
        integer(field, std::bit_cast<std::uint64_t>(value), 8);
    }
    void real(PackField field, const std::optional<Millijoules>& value)
    {
        real(field, value ? value->value : std::numeric_limits<double>::quiet_NaN());
    }
    void single(PackField field, float value, std::size_t index = 0)
    {
        const std::size_t at = placeOf(field);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (std::size_t i = 0; at > 0 && i < 4; ++i)
            m_bytes[at - 1 + 4 * index + i] = static_cast<char>(bits >> (8 * i));
    }
    void singles(PackField field, const std::vector<float>& values)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            single(field, values[i], i);
    }

private:
    std::size_t placeOf(PackField field) const { return static_cast<std::size_t>(m_place[field]); }

    std::string& m_bytes;
    const PackedPlace& m_place;
};

void encodeExtras(Encoder& to, const OperationExtras& extras)
{
    to.single(PackField::Killed, extras.activation_kill_ratio.value_or(0.0F));
    to.single(PackField::Variance, extras.variance_ratio.value_or(0.0F));
    to.count(PackField::Expert, extras.expert);
    to.count(PackField::Rows, extras.rows);
    to.singles(PackField::Entropy, extras.attention_entropy);
    to.singles(PackField::Weight, extras.max_attention_weight);
    to.singles(PackField::Sparsity, extras.attention_sparsity);
}

void encodeEnergy(Encoder& to, SpanKind kind, const PackedSpan& span)
{
    to.real(PackField::Energy, span.energy.total_mj);
    if (kind != SpanKind::Section) {
        to.single(PackField::Sd, span.notes.sd_mj);
        to.single(PackField::Alternative, span.notes.alternative_mj);
        return;
    }
    to.integer(PackField::Provenance, packedCode(span.energy.provenance), 1);
    for (std::size_t rail = 0; rail < kRailCount; ++rail)
        to.real(static_cast<PackField>(static_cast<std::size_t>(PackField::Cpu) + rail),
                span.energy.rails_mj.values[rail]);
    to.real(PackField::Sd, span.energy.sd_mj);
    to.real(PackField::Alternative, span.energy.alternative_mj);
}

// The codes of the file, which must not change.
static_assert(static_cast<int>(Rail::Cpu) == 0 && static_cast<int>(Rail::Gpu) == 1
              && static_cast<int>(Rail::Ane) == 2 && static_cast<int>(Rail::Dram) == 3
              && static_cast<int>(Rail::System) == 4);

} // namespace

SpanPacker::SpanPacker(Database& database, std::string runId, Nanoseconds clockStart)
    : m_database(database)
    , m_runId(std::move(runId))
    , m_clockStart(clockStart)
{
}

Status SpanPacker::add(SpanKind kind, std::optional<std::int64_t> tokenRow,
                       std::span<const PackedSpan> spans)
{
    while (!spans.empty()) {
        const auto part = spans.first(std::min(spans.size(), kMaxPack));
        if (const Status done = addPack(kind, tokenRow, part); !done)
            return done;
        spans = spans.subspan(part.size());
    }
    return {};
}

Status SpanPacker::addPack(SpanKind kind, std::optional<std::int64_t> tokenRow,
                           std::span<const PackedSpan> spans)
{
    const Need need = needOf(spans);
    describe(kind, spans, need);
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
    encode(kind, spans, need, *shape);
    Statement insert =
        m_database.prepare("INSERT INTO packs (kind, run_id, token_id, shape_id, origin_ns, data) "
                           "VALUES (?, ?, ?, ?, ?, ?)",
                           kSavingRun);
    insert.bind(kind);
    // The sections of a run are found without its tokens, since some are outside of them.
    if (kind == SpanKind::Section)
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
        if (span.time && (!timed || span.time->begin_ns < need.origin_ns))
            need.origin_ns = span.time->begin_ns;
        timed = timed || span.time;
    }
    std::uint64_t start = 0;
    std::uint64_t duration = 0;
    std::uint64_t count = 0;
    const auto mark = [&](PackField field, bool present) {
        bool& known = need.fields[static_cast<std::size_t>(field)];
        known = known || present;
    };
    const auto take = [&](std::optional<std::int64_t> value) {
        count = std::max(count, static_cast<std::uint64_t>(value.value_or(0)));
    };
    for (const PackedSpan& span : spans) {
        if (span.time) {
            start = std::max(start, unsignedDifference(span.time->begin_ns, need.origin_ns));
            duration =
                std::max(duration, unsignedDifference(span.time->end_ns, span.time->begin_ns));
        }
        const EnergyValue& energy = span.energy;
        mark(PackField::Energy, energy.total_mj.has_value());
        mark(PackField::Provenance, energy.provenance != Provenance::Missing);
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            mark(static_cast<PackField>(static_cast<std::size_t>(PackField::Cpu) + rail),
                 energy.rails_mj.values[rail].has_value());
        mark(PackField::Sd, energy.sd_mj || !std::isnan(span.notes.sd_mj));
        mark(PackField::Alternative,
             energy.alternative_mj || !std::isnan(span.notes.alternative_mj));
        take(span.attention_ns);
        take(span.mlp_ns);
        if (span.work) {
            take(span.work->flops);
            take(span.work->bytes);
        }
        if (span.extras) {
            take(span.extras->expert);
            take(span.extras->rows);
        }
    }
    need.start_bytes = bytesFor(start);
    need.duration_bytes = bytesFor(duration);
    need.count_bytes = bytesFor(count);
    return need;
}

void SpanPacker::describe(SpanKind kind, std::span<const PackedSpan> spans, const Need& need)
{
    std::string& text = m_description;
    text.clear();
    text += static_cast<char>(kind);
    for (const bool present : need.fields)
        text += present ? '1' : '0';
    for (const PackedSpan& span : spans) {
        describeNumber(text, span.index);
        describeNumber(text, span.parent.value_or(-1));
        describeNumber(text, span.layer.value_or(kNoLayer));
        describeByte(text, span.phase);
        describeByte(text, span.section);
        describeByte(text, span.component);
        describeByte(text, span.operation);
        std::int64_t present = span.work ? 1 : 0;
        for (std::size_t i = 0; i < kPackFieldCount; ++i)
            present = 2 * present + (has(span, static_cast<PackField>(i)) ? 1 : 0);
        describeNumber(text, present);
        if (span.extras) {
            for (const std::int32_t heads : headsOf(span))
                describeNumber(text, heads);
        }
    }
}

bool SpanPacker::fits(const PackShape& shape, std::span<const PackedSpan> spans, const Need& need)
{
    const PackedPlace& any = shape.places.front(); // lengths are the same in all places
    if (any.start_bytes < need.start_bytes || any.duration_bytes < need.duration_bytes
        || any.count_bytes < need.count_bytes)
        return false;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const PackedPlace& place = shape.places[i];
        if (place[PackField::Flops] == 0 && place.what.work != spans[i].work)
            return false;
    }
    return true;
}

// Work that differs from that of an earlier pack of the same description stands in the bytes.
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
        place.what.index = span.index;
        place.what.parent = span.parent;
        place.what.phase = span.phase;
        place.what.section = span.section;
        place.what.layer = span.layer;
        place.what.component = span.component;
        place.what.operation = span.operation;
        const bool varies = span.work && before
            && ((*before)[PackField::Flops] != 0 || before->what.work != span.work);
        if (!varies)
            place.what.work = span.work;
        for (std::size_t j = 0; j < kPackFieldCount; ++j) {
            const auto field = static_cast<PackField>(j);
            const bool isWork = field == PackField::Flops || field == PackField::Bytes;
            if (!need.fields[j] && !has(span, field) && !(isWork && varies))
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
        appendWork(insert, place.what.work);
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

void SpanPacker::encode(SpanKind kind, std::span<const PackedSpan> spans, const Need& need,
                        const PackShape& shape)
{
    m_bytes.assign(static_cast<std::size_t>(shape.size), '\0');
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const PackedSpan& span = spans[i];
        const PackedPlace& place = shape.places[i];
        Encoder to(m_bytes, place);
        if (span.time) {
            to.integer(PackField::Start, unsignedDifference(span.time->begin_ns, need.origin_ns),
                       place.start_bytes);
            to.integer(PackField::Duration,
                       unsignedDifference(span.time->end_ns, span.time->begin_ns),
                       place.duration_bytes);
        }
        encodeEnergy(to, kind, span);
        to.count(PackField::Attention, span.attention_ns);
        to.count(PackField::Mlp, span.mlp_ns);
        if (span.stats) {
            to.single(PackField::Stats, span.stats->mean_abs, 0);
            to.single(PackField::Stats, span.stats->std, 1);
            to.single(PackField::Stats, span.stats->max_abs, 2);
            to.single(PackField::Stats, span.stats->sparsity, 3);
        }
        if (span.work) {
            to.count(PackField::Flops, span.work->flops);
            to.count(PackField::Bytes, span.work->bytes);
        }
        if (span.extras)
            encodeExtras(to, *span.extras);
    }
}

} // namespace ep::store
