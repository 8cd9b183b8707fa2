// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine_library.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::test {

// Where the fake engine is right now, for tests that act at that moment.
enum class EngineStage { Load, Begin, PrefillLayer, DecodeLayer, Finish };

// How a scripted engine behaves. It announces its taps like a real decoder and speaks `text` in a
// circle, one byte a token (the ids of the tokenizer that writeTinyModel() writes).
struct EngineScript {
    std::string device = "cpu";
    std::string clock_note = {}; // what it says about the marks of its timers
    std::function<std::unique_ptr<model::SpanTimer>()> make_timer = {}; // absent: it has none
    int layers = 2;
    std::vector<Component> components = {Component::InputLayernorm, Component::QProj,
                                         Component::Attention, Component::DownProj};
    std::vector<Operation> operations = {Operation::Variance, Operation::Softmax}; // of each, deep
    std::string text = "the quick fox. ";
    int end_after = 0; // tokens after which the end of sequence comes; 0: never
    int end_step = 0; // how many tokens later each further sequence of a batch ends
    int context_length = 4096;
    int load_steps = 3;
    std::chrono::microseconds load_step_time{0};
    std::chrono::microseconds layer_time{0};
    std::optional<Error> open_error = {};
    std::optional<Error> load_error = {};
    std::optional<Error> begin_error = {};
    std::optional<Error> step_error = {}; // of the step with the index below, in its last layer
    int failing_step = 0;
    bool throws_in_step = false; // instead of step_error: an exception, as a defect would
    // What is repeated; absent: nothing can be.
    std::function<std::unique_ptr<model::Replay>()> make_replay = {};
    // Called on the inference thread.
    std::function<void(EngineStage)> on_stage = {};
};

// Lives as long as somebody holds it; counts what was asked of it.
class FakeEngineLibrary final : public model::EngineLibrary {
public:
    explicit FakeEngineLibrary(EngineScript script);

    model::EngineVersions versions() const override;
    Result<std::unique_ptr<model::Engine>> load(const model::LoadRequest& request,
                                                const ProgressFn& progress,
                                                CancelToken cancel) override;

    int loads() const { return m_loads.load(); }

private:
    std::shared_ptr<const EngineScript> m_script;
    std::atomic<int> m_loads = 0;
};

} // namespace ep::test
