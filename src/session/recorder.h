// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chunked_buffer.h"
#include "current_operation.h"

#include "ep/core/run.h"
#include "ep/model/observer.h"
#include "ep/session/events.h"

#include <array>
#include <functional>

namespace ep::session {

struct RecorderOptions {
    Depth depth = Depth::Module;
    float sparsity_threshold = 0.01F;
    std::size_t expected_spans = 0; // memory made ready before the run
};

// Writes down what the engine announces: one time stamp at each end of a span, the second one taken
// before the statistics, so that they count as the parent's remainder and not as the span.
// Belongs to the inference thread; only the published operation is read elsewhere.
class Recorder final : public model::Observer {
public:
    struct SectionListener {
        std::function<void(const SectionEvent&)> began;
        std::function<void(const SectionEvent&)> ended;
    };

    Recorder(const RecorderOptions& options, PublishedOperation& published,
             SectionListener listener);

    // Spans that follow belong to this phase and token (kNoToken outside steps). Spans left open by
    // a step that broke off are forgotten.
    void enter(Phase phase, std::int32_t token);

    bool wants(const model::Tap& tap) override;
    void began(const model::Tap& tap) override;
    void ended(const model::Tap& tap, const model::TensorProbe* output) override;

    // Layers and components since the last enter().
    void currentStep(std::vector<LayerSpan>& layers, std::vector<ComponentSpan>& components) const;
    // Everything, without the steps that produced no token (index >= completedTokens): they have no
    // parent, their time is their phase's remainder.
    void appendTo(RunTrace& trace, std::int32_t completedTokens) const;

    std::size_t spanCount() const { return m_spans.size(); }
    // Time the recording took: statistics as measured, stamps at the price found at the start.
    Nanoseconds selfTime() const;

private:
    struct Span {
        Nanoseconds begin_ns = 0;
        Nanoseconds end_ns = 0; // 0: never ended
        std::int32_t token = kNoToken;
        std::int32_t stats = -1; // index into m_stats
        std::int16_t layer = kNoLayer;
        model::TapKind kind = model::TapKind::Section;
        Phase phase = Phase::Idle;
        std::uint8_t part = 0; // the section, or the component
        Operation operation = Operation::Rotary;
    };
    static_assert(sizeof(Span) <= 40);

    Span makeSpan(const model::Tap& tap) const;
    void publish(const model::Tap& tap);
    void announce(const std::function<void(const SectionEvent&)>& heard, const Span& span) const;
    std::optional<ActivationStats> statsOf(const Span& span) const;
    void append(const Span& span, RunTrace& trace) const;

    RecorderOptions m_options;
    PublishedOperation& m_published;
    SectionListener m_listener;
    ChunkedBuffer<Span> m_spans;
    ChunkedBuffer<ActivationStats> m_stats;
    std::array<std::size_t, 16> m_open = {}; // indices of spans that have not ended, innermost last
    std::size_t m_openCount = 0;
    std::size_t m_stepBegin = 0; // first span since enter()
    CurrentOperation m_current;
    Nanoseconds m_statsTime = 0;
    Nanoseconds m_stampCost = 0;
};

} // namespace ep::session
