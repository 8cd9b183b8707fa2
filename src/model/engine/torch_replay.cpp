// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch_replay.h"

#include "guarded.h"
#include "kernel_measurement.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace ep::model {

namespace {

Matrix copyOf(const Matrix& matrix)
{
    Matrix copy;
    if (!matrix.data) {
        copy = matrix;
        copy.tensor = matrix.tensor.clone();
        return copy;
    }
    copy.resize(matrix.rows, matrix.columns);
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        std::copy_n(matrix.row(row), matrix.columns, copy.row(row));
    return copy;
}

RotaryAngles copyOf(const RotaryAngles& angles)
{
    return {copyOf(angles.cosines), copyOf(angles.sines)};
}

template <typename T>
std::vector<T> copyOf(std::span<const T> values)
{
    return {values.begin(), values.end()};
}

// A matrix that an operation changes in place. Its values keep their size for a few repetitions;
// then they are restored, so that they neither grow nor vanish.
class InPlace {
public:
    explicit InPlace(const Matrix& matrix)
        : m_kept(copyOf(matrix))
        , m_used(copyOf(matrix))
    {
    }

    Matrix& next()
    {
        constexpr int kUses = 8;
        if (++m_uses % kUses != 0)
            return m_used;
        if (m_kept.data)
            std::memcpy(m_used.data, m_kept.data,
                        static_cast<std::size_t>(m_kept.rows * m_kept.columns) * sizeof(float));
        else
            m_used.tensor.copy_(m_kept.tensor);
        return m_used;
    }

private:
    Matrix m_kept;
    Matrix m_used;
    int m_uses = 0;
};

std::shared_ptr<InPlace> inPlace(const Matrix& matrix)
{
    return std::make_shared<InPlace>(matrix);
}

// Rows of sequences, with the lengths that their caches had.
class KeptSequences {
public:
    explicit KeptSequences(std::span<const SequenceRows> sequences)
        : m_rows(sequences.begin(), sequences.end())
    {
        for (const SequenceRows& rows : m_rows)
            m_lengths.push_back(rows.cache->length());
    }

    std::span<const SequenceRows> placed() const
    {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_rows[i].cache->advance(m_lengths[i] - m_rows[i].cache->length());
        return m_rows;
    }

    // Size of the keys and values that attention reads.
    std::int64_t bytes(const AttentionShape& shape, const at::TensorOptions& options) const
    {
        std::int64_t positions = 0;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const std::int64_t seen = m_lengths[i] + m_rows[i].count;
            positions += shape.window ? std::min<std::int64_t>(seen, *shape.window) : seen;
        }
        return positions * shape.kv_heads * (shape.head_dim + shape.values())
            * static_cast<std::int64_t>(options.dtype().itemsize());
    }

private:
    std::vector<SequenceRows> m_rows;
    std::vector<std::int64_t> m_lengths;
};

// Makes an argument of a repeated operation from what the tape kept for it.
template <typename Kept>
const Kept& given(const Kept& kept)
{
    return kept;
}

Matrix& given(const std::shared_ptr<InPlace>& kept)
{
    return kept->next();
}

const Matrix* given(const std::optional<Matrix>& kept)
{
    return kept ? &*kept : nullptr;
}

std::span<const SequenceRows> given(const KeptSequences& kept)
{
    return kept.placed();
}

std::int64_t bytesOf(const Weight& weight)
{
    std::int64_t bytes = bytesOf(weight.dtype, weight.rows * weight.columns);
    for (const at::Tensor* const factors : {&weight.scales, &weight.biases, &weight.row_scales})
        bytes += factors->defined() ? static_cast<std::int64_t>(factors->nbytes()) : 0;
    return bytes;
}

std::int64_t bytesOf(const WeightVector& vector)
{
    return vector.tensor.defined() ? vector.tensor.numel() * 4 : 0;
}

std::string nameOf(const Tap& tap)
{
    return std::string(tap.level == SpanLevel::Component ? ep::name(tap.component)
                                                         : ep::name(tap.section));
}

// Repeats the operations of a part after each of its components, taking those of layers that are
// evenly spaced over the model (for one repetition: half of the model away), so that the weights
// of a layer have left the caches before they are used again.
class ExtraWork final : public Observer {
public:
    ExtraWork(const Tape& tape, const ExtraPasses& extra, const TapedToken& token, int layers,
              Ops& ops)
        : m_tape(tape)
        , m_extra(extra)
        , m_token(token)
        , m_layers(layers)
        , m_ops(ops)
    {
    }

    bool wants(const Tap& tap) override { return m_tape.isPart(tap, m_extra.part); }
    void began(const Tap& /*tap*/) override { }
    void ended(const Tap& tap, const TensorProbe* /*output*/) override
    {
        const bool inLayer = tap.level == SpanLevel::Component;
        for (int i = 1; i <= m_extra.times; ++i) {
            const int away = i * m_layers / (m_extra.times + 1);
            const int layer = inLayer ? (tap.layer + away) % m_layers : -1;
            for (const TapedCall& call : m_token.calls) {
                if (call.part == m_extra.part && call.layer == layer)
                    call.run(m_ops);
            }
        }
    }
    std::optional<float> statisticsThreshold() override { return std::nullopt; }

private:
    const Tape& m_tape;
    ExtraPasses m_extra;
    const TapedToken& m_token;
    int m_layers;
    Ops& m_ops;
};

Error replayCancelled()
{
    return {ErrorCode::Cancelled, "The replay was cancelled."};
}

} // namespace

Tape::Tape(Ops& ops)
    : m_ops(ops)
{
}

void Tape::beginToken()
{
    m_tokens.emplace_back();
    m_open.clear();
}

bool Tape::isPart(const Tap& tap, std::size_t part) const
{
    const Tap& own = m_taps[part];
    return tap.level == own.level
        && (tap.level == SpanLevel::Component ? tap.component == own.component
                                              : tap.section == own.section);
}

bool Tape::wants(const Tap& tap)
{
    return tap.level == SpanLevel::Component || tap.level == SpanLevel::Section;
}

void Tape::began(const Tap& tap)
{
    m_open.push_back(tap);
}

void Tape::ended(const Tap& /*tap*/, const TensorProbe* /*output*/)
{
    m_open.pop_back();
}

void Tape::record(std::int64_t bytes, std::function<void(Ops&)> run)
{
    if (m_tokens.empty() || m_open.empty())
        return;
    const Tap& tap = m_open.back();
    std::size_t part = 0;
    while (part < m_parts.size() && !isPart(tap, part))
        ++part;
    if (part == m_parts.size()) {
        m_parts.push_back({.name = nameOf(tap)});
        m_taps.push_back(tap);
    }
    if (m_tokens.size() == 1) {
        ++m_parts[part].calls;
        m_parts[part].bytes += bytes;
    }
    m_tokens.back().calls.push_back({.part = part,
                                     .layer = tap.level == SpanLevel::Component ? tap.layer : -1,
                                     .run = std::move(run)});
}

template <typename Result, typename... Parameters, typename... Kept>
void Tape::keep(std::int64_t bytes, Result (Ops::*operation)(Parameters...), Kept... kept)
{
    record(bytes, [operation, ... kept = std::move(kept)](Ops& ops) {
        static_cast<void>((ops.*operation)(given(kept)...));
    });
}

void Tape::embed(const Weight& table, std::span<const text::TokenId> ids, Matrix& out)
{
    keep(static_cast<std::int64_t>(ids.size()) * table.columns * rowOf(table.dtype).bytes,
         &Ops::embed, std::cref(table), copyOf(ids), std::ref(m_scratch));
    m_ops.embed(table, ids, out);
}

void Tape::scale(Matrix& x, float factor)
{
    keep(0, &Ops::scale, inPlace(x), factor);
    m_ops.scale(x, factor);
}

void Tape::angles(const Rope& rope, std::span<const RotaryRows> rows, RotaryAngles& out)
{
    keep(0, &Ops::angles, std::cref(rope), copyOf(rows), std::ref(m_scratchAngles));
    m_ops.angles(rope, rows, out);
}

void Tape::linear(const Matrix& x, const Linear& layer, Matrix& out)
{
    keep(bytesOf(layer.weight) + bytesOf(layer.bias), &Ops::linear, copyOf(x), std::cref(layer),
         std::ref(m_scratch));
    m_ops.linear(x, layer, out);
}

void Tape::norm(const Matrix& x, const Norm& norm, Matrix& out)
{
    keep(bytesOf(norm.weight) + bytesOf(norm.bias), &Ops::norm, copyOf(x), std::cref(norm),
         std::ref(m_scratch));
    m_ops.norm(x, norm, out);
}

void Tape::normHeads(Matrix& x, const Norm& norm, std::int64_t heads)
{
    keep(bytesOf(norm.weight) + bytesOf(norm.bias), &Ops::normHeads, inPlace(x), std::cref(norm),
         heads);
    m_ops.normHeads(x, norm, heads);
}

void Tape::add(Matrix& x, const Matrix& y)
{
    keep(0, &Ops::add, inPlace(x), copyOf(y));
    m_ops.add(x, y);
}

void Tape::activate(Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out)
{
    std::optional<Matrix> other;
    if (multiplier != nullptr)
        other = copyOf(*multiplier);
    keep(0, &Ops::activate, kind, copyOf(x), std::move(other), std::ref(m_scratch));
    m_ops.activate(kind, x, multiplier, out);
}

void Tape::softCap(Matrix& x, float cap)
{
    keep(0, &Ops::softCap, inPlace(x), cap);
    m_ops.softCap(x, cap);
}

void Tape::pick(const Matrix& x, std::span<const ColumnRun> runs, Matrix& out)
{
    keep(0, &Ops::pick, copyOf(x), copyOf(runs), std::ref(m_scratch));
    m_ops.pick(x, runs, out);
}

void Tape::convolve(const Matrix& x, const Convolution& convolution,
                    std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    keep(bytesOf(convolution.weights) + bytesOf(convolution.bias), &Ops::convolve, copyOf(x),
         std::cref(convolution), KeptSequences(sequences), layer, std::ref(m_scratch));
    m_ops.convolve(x, convolution, sequences, layer, out);
}

void Tape::decay(const Matrix& x, const StateDecay& by, Matrix& steps, Matrix& decays)
{
    keep(bytesOf(by.rate) + bytesOf(by.bias), &Ops::decay, copyOf(x), std::cref(by),
         std::ref(m_scratch), std::ref(m_secondScratch));
    m_ops.decay(x, by, steps, decays);
}

// When repeated, the state continues from where it is: with the same inputs it stays bounded,
// because it decays.
void Tape::recur(const StateInputs& inputs, const StateShape& shape,
                 std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    const std::int64_t state = shape.value_heads * shape.key_dim * shape.value_dim
        * static_cast<std::int64_t>(sizeof(float) * sequences.size());
    record(2 * state, // both read and written
           [this, q = copyOf(inputs.queries), k = copyOf(inputs.keys), v = copyOf(inputs.values),
            factors = copyOf(inputs.factors), decays = copyOf(inputs.decays), &shape,
            rows = KeptSequences(sequences), layer](Ops& ops) {
               ops.recur({q, k, v, factors, decays}, shape, rows.placed(), layer, m_scratch);
           });
    m_ops.recur(inputs, shape, sequences, layer, out);
}

void Tape::splitPairs(const Matrix& x, Matrix& even, Matrix& odd)
{
    keep(0, &Ops::splitPairs, copyOf(x), std::ref(m_scratch), std::ref(m_secondScratch));
    m_ops.splitPairs(x, even, odd);
}

void Tape::clamp(Matrix& x, float limit)
{
    keep(0, &Ops::clamp, inPlace(x), limit);
    m_ops.clamp(x, limit);
}

void Tape::clampGates(Matrix& gate, Matrix& up, float limit)
{
    keep(0, &Ops::clampGates, inPlace(gate), inPlace(up), limit);
    m_ops.clampGates(gate, up, limit);
}

void Tape::rotateHeads(Matrix& x, int heads, const AttentionShape& shape,
                       const RotaryAngles& angles)
{
    keep(0, &Ops::rotateHeads, inPlace(x), heads, shape, copyOf(angles));
    m_ops.rotateHeads(x, heads, shape, angles);
}

void Tape::place(const Matrix& x, Matrix& out, std::int64_t column)
{
    const std::int64_t columns = out.columns;
    record(0, [this, kept = copyOf(x), columns, column](Ops& ops) {
        ops.room(kept, columns, m_scratch);
        ops.place(kept, m_scratch, column);
    });
    m_ops.place(x, out, column);
}

void Tape::store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
                 std::span<const SequenceRows> sequences, int layer)
{
    keep(0, &Ops::store, copyOf(keys), copyOf(values), shape, KeptSequences(sequences), layer);
    m_ops.store(keys, values, shape, sequences, layer);
}

void Tape::attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                     std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    KeptSequences rows(sequences);
    const std::int64_t bytes = rows.bytes(shape, m_ops.cacheOptions());
    keep(bytes, &Ops::attention, inPlace(queries), shape, copyOf(angles), std::move(rows), layer,
         std::ref(m_scratch));
    m_ops.attention(queries, shape, angles, sequences, layer, out);
}

void Tape::gather(const Matrix& x, std::span<const std::int64_t> rows, Matrix& out)
{
    keep(0, &Ops::gather, copyOf(x), copyOf(rows), std::ref(m_scratch));
    m_ops.gather(x, rows, out);
}

void Tape::clear(const Matrix& like, Matrix& out)
{
    keep(0, &Ops::clear, copyOf(like), std::ref(m_scratch));
    m_ops.clear(like, out);
}

void Tape::addRows(const Matrix& x, std::span<const std::int64_t> rows,
                   std::span<const float> factors, Matrix& out)
{
    keep(0, &Ops::addRows, copyOf(x), copyOf(rows), copyOf(factors), inPlace(out));
    m_ops.addRows(x, rows, factors, out);
}

std::span<const float> Tape::host(const Matrix& x, std::int64_t row)
{
    keep(0, &Ops::host, copyOf(x), row);
    return m_ops.host(x, row);
}

TorchReplay::TorchReplay(const Decoder& decoder, Ops& ops, const WeightFiles& files,
                         at::Device device)
    : m_decoder(decoder)
    , m_ops(ops)
    , m_files(files)
    , m_device(device)
    , m_tape(ops)
    , m_sampler(SamplingSettings{})
{
}

std::optional<text::TokenId> TorchReplay::pass(Ops& ops, std::span<const text::TokenId> ids,
                                               std::int64_t position, Observer* observer,
                                               const CancelToken& cancel)
{
    m_cache->advance(position - m_cache->length());
    const std::array rows{SequenceRows{
        .cache = m_cache.get(), .first = 0, .count = static_cast<std::int64_t>(ids.size())}};
    Step step{ops, rows, m_workspace, observer, cancel};
    step.askObserver();
    if (!m_decoder.forward(step, ids, Decoder::Logits::LastRows))
        return std::nullopt;
    text::TokenId next = 0;
    tapSection(observer, Section::Sampling, [&] { next = sample(ops); });
    return next;
}

text::TokenId TorchReplay::sample(Ops& ops)
{
    const std::span<const float> logits = ops.host(m_workspace.logits, 0);
    if (&ops == &m_tape) {
        const std::vector<float> kept(logits.begin(), logits.end());
        m_tape.record(0, [this, kept](Ops&) { static_cast<void>(m_sampler.choose(kept)); });
    }
    return m_sampler.choose(logits).id;
}

Status TorchReplay::record(const ReplayRequest& request, const CancelToken& cancel)
{
    const auto prompt = static_cast<std::int64_t>(request.prompt.size());
    m_cache = std::make_unique<KvCache>(cacheShape(m_decoder.config), m_ops.cacheOptions(),
                                        prompt + request.tokens + 1);
    auto next = pass(m_ops, request.prompt, 0, nullptr, cancel);
    for (int i = 0; next && i < request.tokens; ++i) {
        m_places.push_back({.id = *next, .position = prompt + i});
        const Place& own = m_places.back();
        m_tape.beginToken();
        next = pass(m_tape, {&own.id, 1}, own.position, &m_tape, cancel);
    }
    return next ? m_files.unchanged() : replayCancelled();
}

std::int64_t TorchReplay::cacheBytes() const
{
    return m_device.is_cpu() ? lastCacheBytes() : 0;
}

template <typename Once>
Result<ReplayTimes> TorchReplay::repeat(Nanoseconds duration, const CancelToken& cancel, Once once)
{
    return guarded("the replay", [&]() -> Result<ReplayTimes> {
        synchronizeDevice(m_device);
        ReplayTimes times;
        times.time.begin_ns = monotonicNow();
        do {
            if (cancel.cancelled())
                return replayCancelled();
            once(m_next);
            m_next = (m_next + 1) % m_places.size();
            synchronizeDevice(m_device);
            ++times.repetitions;
            times.time.end_ns = monotonicNow();
        } while (times.time.duration_ns() < duration);
        if (const Status unchanged = m_files.unchanged(); !unchanged)
            return unchanged.error();
        return times;
    });
}

Result<ReplayTimes> TorchReplay::repeatParts(std::span<const int> passes, Nanoseconds duration,
                                             const CancelToken& cancel)
{
    const int most = passes.empty() ? 0 : std::ranges::max(passes);
    return repeat(duration, cancel, [&](std::size_t token) {
        for (int round = 0; round < most; ++round) {
            for (const TapedCall& call : m_tape.tokens()[token].calls) {
                if (passes[call.part] > round)
                    call.run(m_ops);
            }
        }
    });
}

Result<ReplayTimes> TorchReplay::repeatTokens(std::optional<ExtraPasses> extra,
                                              Nanoseconds duration, const CancelToken& cancel)
{
    const CancelToken never; // must complete a token
    return repeat(duration, cancel, [&](std::size_t token) {
        const Place own = m_places[token];
        std::optional<ExtraWork> work;
        if (extra) {
            work.emplace(m_tape, *extra, m_tape.tokens()[token], m_decoder.config.num_hidden_layers,
                         m_ops);
        }
        pass(m_ops, {&own.id, 1}, own.position, work ? &*work : nullptr, never);
    });
}

} // namespace ep::model
