// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_engine.h"

#include "support/tiny_model.h"

#include <array>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>

namespace ep::test {

namespace {

using model::Tap;

class FakeProbe final : public model::TensorProbe {
public:
    ActivationStats stats(float threshold) const override
    {
        return {.mean_abs = 0.5F, .std = 0.25F, .max_abs = 2.0F, .sparsity = threshold};
    }
    std::int64_t count() const override { return 32; }
    double negativeFraction() const override { return 0.5; }
    model::OperationFigures figures(float /*threshold*/) const override
    {
        static constexpr std::array kHeads{0.5F, 1.5F};
        return {.attention_entropy = kHeads,
                .max_attention_weight = kHeads,
                .attention_sparsity = kHeads,
                .activation_kill_ratio = 0.25F};
    }
};

class FakeGeneration final : public model::Generation {
public:
    FakeGeneration(std::shared_ptr<const EngineScript> script, model::GenerationRequest request,
                   model::Observer* observer, CancelToken cancel)
        : m_script(std::move(script))
        , m_request(std::move(request))
        , m_observer(observer)
        , m_cancel(std::move(cancel))
    {
        m_active.resize(m_request.prompts.size());
        std::iota(m_active.begin(), m_active.end(), 0);
        section(Section::TensorTransfer);
        section(Section::KvCacheInit);
    }

    Result<model::StepResult> prefill() override { return step(EngineStage::PrefillLayer); }
    Result<model::StepResult> decode() override { return step(EngineStage::DecodeLayer); }

    void stop(int sequence) override { std::erase(m_active, sequence); }

    Status finish() override
    {
        stage(EngineStage::Finish);
        section(Section::TensorTransfer);
        section(Section::MemoryCleanup);
        return {};
    }

private:
    void stage(EngineStage stage) const
    {
        if (m_script->on_stage)
            m_script->on_stage(stage);
    }

    bool began(const Tap& tap) const
    {
        if (m_observer == nullptr || !m_observer->wants(tap))
            return false;
        m_observer->began(tap);
        return true;
    }

    void ended(const Tap& tap, bool announced, const model::TensorProbe* output) const
    {
        if (announced)
            m_observer->ended(tap, output);
    }

    void section(Section section) const
    {
        const Tap tap = Tap::ofSection(section);
        ended(tap, began(tap), nullptr);
    }

    void operations(int layer, Component component) const
    {
        for (const Operation operation : m_script->operations) {
            const Tap tap = Tap::ofOperation(layer, component, operation);
            ended(tap, began(tap), &m_probe);
        }
    }

    // Breaks off like a real decoder: taps that have begun never end.
    Status layers(EngineStage where) const
    {
        for (int layer = 0; layer < m_script->layers; ++layer) {
            stage(where);
            const Tap tap = Tap::ofLayer(layer);
            const bool announced = began(tap);
            if (m_cancel.cancelled())
                return Error{ErrorCode::Cancelled, "The generation was cancelled."};
            const bool last = layer + 1 == m_script->layers;
            if (last && m_step == m_script->failing_step) {
                if (m_script->throws_in_step)
                    throw std::runtime_error("scripted exception");
                if (m_script->step_error)
                    return *m_script->step_error;
            }
            for (const Component component : m_script->components) {
                const Tap part = Tap::ofComponent(layer, component);
                const bool heard = began(part);
                if (m_request.decomposed)
                    operations(layer, component);
                ended(part, heard, &m_probe);
            }
            if (m_script->layer_time.count() > 0)
                std::this_thread::sleep_for(m_script->layer_time);
            ended(tap, announced, &m_probe);
        }
        return {};
    }

    Result<model::StepResult> step(EngineStage where)
    {
        section(Section::Embedding);
        section(Section::PositionEmbedding);
        const Tap all = Tap::ofSection(Section::Layers);
        const bool announced = began(all);
        if (const Status status = layers(where); !status)
            return status.error();
        ended(all, announced, &m_probe);
        section(Section::FinalNorm);
        section(Section::LmHead);
        section(where == EngineStage::PrefillLayer ? Section::KvCacheStore
                                                   : Section::KvCacheAppend);
        section(Section::Sampling);
        const int index = m_step++;
        m_tokens.clear();
        for (const int sequence : m_active)
            m_tokens.push_back(next(sequence, index));
        model::StepResult result{.sequences = m_tokens};
        for (const model::SequenceStep& token : m_tokens) {
            if (token.finished())
                std::erase(m_active, token.sequence);
        }
        result.finished = m_active.empty();
        return result;
    }

    model::SequenceStep next(int sequence, int index) const
    {
        const int last = m_script->end_after + sequence * m_script->end_step;
        const bool end = !m_request.eos.empty() && m_script->end_after > 0 && index + 1 == last;
        const std::string& text = m_script->text;
        const auto byte =
            static_cast<unsigned char>(text[static_cast<std::size_t>(index) % text.size()]);
        model::SequenceStep step{.sequence = sequence, .token = byte, .probability = 0.75F};
        if (end) {
            step.token = m_request.eos.front();
            step.finish = model::FinishReason::EndToken;
        } else if (index + 1 == m_request.max_new_tokens) {
            step.finish = model::FinishReason::MaxTokens;
        } else if (static_cast<int>(m_request.prompts[static_cast<std::size_t>(sequence)].size())
                       + index + 1
                   > (m_request.context_length > 0 ? std::min<std::int64_t>(
                          m_request.context_length, m_script->context_length)
                                                   : m_script->context_length)) {
            step.finish = model::FinishReason::Context;
        }
        return step;
    }

    std::shared_ptr<const EngineScript> m_script;
    model::GenerationRequest m_request;
    model::Observer* m_observer;
    CancelToken m_cancel;
    FakeProbe m_probe;
    std::vector<int> m_active; // sequences that have not ended
    std::vector<model::SequenceStep> m_tokens; // tokens of the last step
    int m_step = 0;
};

class FakeEngine final : public model::Engine {
public:
    FakeEngine(std::shared_ptr<const EngineScript> script, const model::LoadRequest& request)
        : m_script(std::move(script))
    {
        m_facts.name = request.folder.filename().string();
        m_facts.path = request.folder.string();
        m_facts.architecture = "LlamaForCausalLM";
        m_facts.parameters = 1000;
        m_facts.layers = m_script->layers;
        m_facts.hidden_size = 32;
        m_facts.vocabulary_size = kTinyVocabulary;
        m_facts.context_length = m_script->context_length;
    }

    const ModelFacts& facts() const override { return m_facts; }
    const std::vector<text::TokenId>& eosTokenIds() const override { return m_eos; }
    std::string device() const override { return m_script->device; }
    std::string dtype() const override { return "f32"; }
    std::string attentionImplementation(bool decomposed) const override
    {
        return decomposed ? "scripted, decomposed" : "scripted";
    }

    std::unique_ptr<model::SpanTimer> makeSpanTimer() override
    {
        return m_script->make_timer ? m_script->make_timer() : nullptr;
    }
    Message clockNote() const override { return m_script->clock_note; }

    Result<std::unique_ptr<model::Generation>> begin(const model::GenerationRequest& request,
                                                     model::Observer* observer,
                                                     CancelToken cancel) override
    {
        if (m_script->on_stage)
            m_script->on_stage(EngineStage::Begin);
        if (m_script->begin_error)
            return *m_script->begin_error;
        return std::unique_ptr<model::Generation>(
            std::make_unique<FakeGeneration>(m_script, request, observer, std::move(cancel)));
    }

    Result<std::unique_ptr<model::Replay>> record(const model::ReplayRequest& request,
                                                  const CancelToken& cancel) override
    {
        return m_script->make_replay ? Result(m_script->make_replay())
                                     : model::Engine::record(request, cancel);
    }

    Result<model::ForwardResult> forward(std::span<const text::TokenId> /*ids*/,
                                         const CancelToken& /*cancel*/) override
    {
        return Error{ErrorCode::Unsupported, "The scripted engine has no logits."};
    }

private:
    std::shared_ptr<const EngineScript> m_script;
    ModelFacts m_facts;
    std::vector<text::TokenId> m_eos = {kTinyEosId};
};

} // namespace

FakeEngineLibrary::FakeEngineLibrary(EngineScript script)
    : m_script(std::make_shared<const EngineScript>(std::move(script)))
{
}

model::EngineVersions FakeEngineLibrary::versions() const
{
    return {.torch = "scripted", .blas = "none"};
}

Result<std::unique_ptr<model::Engine>> FakeEngineLibrary::load(const model::LoadRequest& request,
                                                               const ProgressFn& progress,
                                                               CancelToken cancel)
{
    ++m_loads;
    for (int step = 0; step < m_script->load_steps; ++step) {
        if (m_script->on_stage)
            m_script->on_stage(EngineStage::Load);
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled, "Loading was cancelled."};
        progress(static_cast<double>(step + 1) / m_script->load_steps, "Loading weights");
        std::this_thread::sleep_for(m_script->load_step_time);
    }
    if (m_script->load_error)
        return *m_script->load_error;
    return std::unique_ptr<model::Engine>(std::make_unique<FakeEngine>(m_script, request));
}

} // namespace ep::test
