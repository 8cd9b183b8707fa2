// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/recorder.h"

#include "ep/core/clock.h"

#include <gtest/gtest.h>

#include <vector>

// Visits the parts of a model like the engine, for tests of the recorder.
namespace ep::session::recorder_test {

using model::Tap;

// Records when it was asked, so that the order of timestamp and statistics is visible.
class Probe final : public model::TensorProbe {
public:
    ActivationStats stats(float threshold) const override
    {
        asked_ns = monotonicNow();
        while (monotonicNow() - asked_ns < busy_ns) { }
        return {.mean_abs = 1.0F, .std = 2.0F, .max_abs = 3.0F, .sparsity = threshold};
    }
    std::int64_t count() const override { return 1; }
    double negativeFraction() const override { return 0.0; }

    mutable Nanoseconds asked_ns = 0;
    Nanoseconds busy_ns = 0;
};

inline void visit(Recorder& recorder, const Tap& tap, const model::TensorProbe* probe)
{
    if (!recorder.wants(tap))
        return;
    recorder.began(tap);
    recorder.ended(tap, probe);
}

// A step of one layer with two components and an operation, nested as in a decoder.
inline void step(Recorder& recorder, const model::TensorProbe* probe)
{
    const Tap layers = Tap::ofSection(Section::Layers);
    const Tap layer = Tap::ofLayer(0);
    const Tap attention = Tap::ofComponent(0, Component::Attention);
    recorder.began(layers);
    if (recorder.wants(layer))
        recorder.began(layer);
    if (recorder.wants(attention))
        recorder.began(attention);
    visit(recorder, Tap::ofOperation(0, Component::Attention, Operation::Softmax), probe);
    if (recorder.wants(attention))
        recorder.ended(attention, probe);
    visit(recorder, Tap::ofComponent(0, Component::OProj), probe);
    if (recorder.wants(layer))
        recorder.ended(layer, probe);
    recorder.ended(layers, nullptr);
}

class RecorderTest : public testing::Test {
protected:
    Recorder make(Depth depth)
    {
        return Recorder({.depth = depth, .sparsity_threshold = 0.125F, .expected_spans = 10},
                        m_published,
                        {.began = [this](const SectionEvent& e) { m_begun.push_back(e); },
                         .ended = [this](const SectionEvent& e) { m_ended.push_back(e); }});
    }

    PublishedOperation m_published = 0;
    std::vector<SectionEvent> m_begun;
    std::vector<SectionEvent> m_ended;
    Probe m_probe;
};

} // namespace ep::session::recorder_test
