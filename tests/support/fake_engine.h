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

// The stages of the fake engine at which tests can act.
enum class EngineStage { Load, Begin, PrefillLayer, DecodeLayer, Finish };

// How a scripted engine behaves. It announces its taps like a real decoder and repeats `text`
// endlessly, one byte per token (with the ids of the tokenizer that writeTinyModel() writes).
struct EngineScript {
    std::string device = "cpu";
    std::string clock_note = {}; // the note on its timers' marks
    std::function<std::unique_ptr<model::SpanTimer>()> make_timer = {}; // absent: no timer
    int layers = 2;
    std::vector<Component> components = {Component::InputLayernorm, Component::QProj,
                                         Component::Attention, Component::DownProj};
    std::vector<Operation> operations = {Operation::Variance, Operation::Softmax}; // per component
    std::string text = "the quick fox. ";
    int end_after = 0; // number of tokens before the end of sequence; 0: no end
    int end_step = 0; // each further sequence of a batch ends that many tokens later
    int context_length = 4096;
    int load_steps = 3;
    std::chrono::microseconds load_step_time{0};
    std::chrono::microseconds layer_time{0};
    std::optional<Error> open_error = {};
    std::optional<Error> load_error = {};
    std::optional<Error> begin_error = {};
    std::optional<Error> step_error = {}; // in the last layer of step failing_step
    int failing_step = 0;
    bool throws_in_step = false; // throws instead of returning step_error, as a defect would
    // Makes the replay; absent: nothing can be repeated.
    std::function<std::unique_ptr<model::Replay>()> make_replay = {};
    // Called on the inference thread.
    std::function<void(EngineStage)> on_stage = {};
};

// Exists as long as somebody holds it; counts requests.
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
