// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/verify.h"

#include "ep/core/activation_stats.h"
#include "ep/core/format.h"
#include "ep/json/document.h"
#include "ep/model/observer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

using Json = json::Json;

// Compares figures with a reference and keeps the largest difference.
class Comparison {
public:
    // A figure passes if it differs by at most tolerance x max(1, |expected|).
    explicit Comparison(double tolerance)
        : m_tolerance(tolerance)
    {
    }

    // Has no effect if the reference object has no such number.
    void add(const std::string& what, const char* key, double actual, const Json& reference);
    void add(const std::string& what, double actual, double expected);

    int count() const { return m_count; }
    bool passed() const { return m_worst <= m_tolerance; }
    std::string detail() const; // "120 figures, worst 1.2e-06 (layer 2 std)"

private:
    double m_tolerance;
    int m_count = 0;
    double m_worst = 0.0;
    std::string m_where;
};

constexpr const char* kSparsityKey = "frac_abs_below_0.01";
constexpr float kSparsityThreshold = 0.01F;

// HuggingFace's module names; residual additions and caches are not modules there.
constexpr std::array<std::pair<std::string_view, Component>, 85> kModules{
    {{"input_layernorm", Component::InputLayernorm},
     {"self_attn.q_proj", Component::QProj},
     {"self_attn.k_proj", Component::KProj},
     {"self_attn.v_proj", Component::VProj},
     {"self_attn.qkv_proj", Component::QkvProj},
     {"self_attn.o_proj", Component::OProj},
     {"self_attn.dense", Component::OProj},
     {"post_attention_layernorm", Component::PostAttentionLayernorm},
     {"mlp.gate_proj", Component::GateProj},
     {"mlp.up_proj", Component::UpProj},
     {"mlp.gate_up_proj", Component::GateUpProj},
     {"mlp.down_proj", Component::DownProj},
     {"mlp.fc1", Component::Fc1},
     {"mlp.fc2", Component::Fc2},
     {"self_attn.q_norm", Component::QNorm},
     {"self_attn.k_norm", Component::KNorm},
     {"self_attn.q_layernorm", Component::QNorm},
     {"self_attn.k_layernorm", Component::KNorm},
     {"pre_feedforward_layernorm", Component::PreFeedforwardLayernorm},
     {"post_feedforward_layernorm", Component::PostFeedforwardLayernorm},
     {"block_sparse_moe.gate", Component::Router},
     {"mlp.gate", Component::Router},
     {"mlp.router", Component::Router},
     {"router.proj", Component::Router},
     {"mlp.shared_expert", Component::SharedExpert},
     {"linear_attn.in_proj_qkv", Component::InProjQkv},
     {"linear_attn.in_proj_z", Component::InProjZ},
     {"linear_attn.in_proj_qkvz", Component::InProj},
     {"linear_attn.norm", Component::GatedNorm},
     {"linear_attn.out_proj", Component::OutProj},
     {"linear_attn", Component::OutProj},
     {"self_attn", Component::OProj},
     {"conv.in_proj", Component::InProj},
     {"conv.out_proj", Component::OutProj},
     {"operator_norm", Component::InputLayernorm},
     {"ffn_norm", Component::PostAttentionLayernorm},
     {"self_attn.out_proj", Component::OProj},
     {"feed_forward.w2", Component::DownProj},
     {"mamba.in_proj", Component::InProj},
     {"mamba.norm", Component::GatedNorm},
     {"mamba.out_proj", Component::OutProj},
     {"pre_ff_layernorm", Component::PostAttentionLayernorm},
     {"feed_forward.up_proj", Component::UpProj},
     {"feed_forward.gate_proj", Component::GateProj},
     {"feed_forward.down_proj", Component::DownProj},
     {"mlp.shared_experts", Component::SharedExpert},
     {"self_attn.q_a_proj", Component::QAProj},
     {"self_attn.q_a_layernorm", Component::QANorm},
     {"self_attn.q_b_proj", Component::QBProj},
     {"self_attn.kv_a_proj_with_mqa", Component::KvAProj},
     {"self_attn.kv_a_layernorm", Component::KvANorm},
     {"self_attn.v_norm", Component::VNorm},
     {"self_attn.query_layernorm", Component::QNorm},
     {"self_attn.key_layernorm", Component::KNorm},
     {"post_self_attn_layernorm", Component::PostAttentionLayernorm},
     {"post_mlp_layernorm", Component::PostFeedforwardLayernorm},
     {"post_feedforward_layernorm_1", Component::PostFeedforwardLayernorm1},
     {"pre_feedforward_layernorm_2", Component::PreFeedforwardLayernorm2},
     {"post_feedforward_layernorm_2", Component::PostFeedforwardLayernorm2},
     {"per_layer_input_gate", Component::PerLayerInputGate},
     {"post_per_layer_input_norm", Component::PostPerLayerInputNorm},
     {"per_layer_projection", Component::PerLayerProjection},
     {"shared_mlp", Component::SharedExpert},
     {"norm", Component::InputLayernorm},
     {"mixer.in_proj", Component::InProj},
     {"mixer.norm", Component::GatedNorm},
     {"mixer.out_proj", Component::OutProj},
     {"mixer.q_proj", Component::QProj},
     {"mixer.k_proj", Component::KProj},
     {"mixer.v_proj", Component::VProj},
     {"mixer.o_proj", Component::OProj},
     {"mixer.up_proj", Component::Fc1},
     {"mixer.down_proj", Component::Fc2},
     {"mixer.shared_experts", Component::SharedExpert},
     {"mixer.gate", Component::Router},
     {"ln_1", Component::InputLayernorm},
     {"attn.c_attn", Component::QkvProj},
     {"attn.c_proj", Component::OProj},
     {"ln_2", Component::PostAttentionLayernorm},
     {"mlp.c_fc", Component::Fc1},
     {"mlp.c_proj", Component::Fc2},
     {"attention.query_key_value", Component::QkvProj},
     {"attention.dense", Component::OProj},
     {"mlp.dense_h_to_4h", Component::Fc1},
     {"mlp.dense_4h_to_h", Component::Fc2}}};

// GLM-4's names differ: its norm before the MLP has the name of others' norm after attention.
Component componentOf(std::string_view module, Component usual, const Json& modules)
{
    return module == "post_attention_layernorm" && modules.contains("post_self_attn_layernorm")
        ? Component::PreFeedforwardLayernorm
        : usual;
}

void Comparison::add(const std::string& what, const char* key, double actual, const Json& reference)
{
    const auto found = reference.find(key);
    if (found != reference.end() && found->is_number())
        add(what + " " + key, actual, found->get<double>());
}

void Comparison::add(const std::string& what, double actual, double expected)
{
    const double off = std::abs(actual - expected) / std::max(1.0, std::abs(expected));
    ++m_count;
    const bool worse = !(off <= m_worst) && !std::isnan(m_worst); // NaN counts as the worst
    if (m_count == 1 || worse) {
        m_worst = off;
        m_where = what;
    }
}

std::string Comparison::detail() const
{
    return std::to_string(m_count) + " figures, worst off by " + formatSignificant(m_worst) + " ("
        + m_where + ")";
}

// Collects statistics of every component in the first step of a generation.
class StatsObserver final : public Observer {
public:
    bool wants(const Tap& tap) override
    {
        return m_firstStep
            && (tap.level == SpanLevel::Component
                || (tap.level == SpanLevel::Section && tap.section == Section::Sampling));
    }

    void began(const Tap&) override { }

    void ended(const Tap& tap, const TensorProbe* output) override
    {
        if (tap.level == SpanLevel::Section) {
            m_firstStep = false;
            return;
        }
        m_stats[{tap.layer, tap.component}] = output->statsOfAllRows(kSparsityThreshold);
        const bool activated = tap.component == Component::GateProj
            || tap.component == Component::GateUpProj || tap.component == Component::Fc1;
        if (activated)
            m_gates[tap.layer] = {output->negativeFraction(), output->count()};
    }

    // Compares the statistics with [layer]{module: {std, abs_mean, min, max, frac_abs_below_0.01}}.
    void compare(const Json& modules, Comparison& comparison) const
    {
        for (const auto& [place, stats] : m_stats) {
            const auto layer = static_cast<std::size_t>(place.first);
            if (!modules.is_array() || layer >= modules.size())
                continue;
            for (const auto& [module, component] : kModules) {
                const auto found = modules[layer].find(std::string(module));
                if (componentOf(module, component, modules[layer]) != place.second
                    || found == modules[layer].end())
                    continue;
                const std::string what =
                    "layer " + std::to_string(place.first) + " " + std::string(module);
                comparison.add(what, "std", static_cast<double>(stats.std), *found);
                comparison.add(what, "abs_mean", static_cast<double>(stats.mean_abs), *found);
                comparison.add(what, kSparsityKey, static_cast<double>(stats.sparsity), *found);
                if (found->contains("min") && found->contains("max")) {
                    const double expected = std::max(std::abs((*found)["min"].get<double>()),
                                                     std::abs((*found)["max"].get<double>()));
                    comparison.add(what + " largest", static_cast<double>(stats.max_abs), expected);
                }
            }
        }
    }

    // Compares the shares of negative activation inputs, one per layer.
    void compareGates(const Json& fractions, Comparison& comparison) const
    {
        for (const auto& [layer, gate] : m_gates) {
            const auto index = static_cast<std::size_t>(layer);
            if (!fractions.is_array() || index >= fractions.size() || !fractions[index].is_number())
                continue;
            // Up to two values near zero may have the other sign.
            const double off = std::abs(gate.first - fractions[index].get<double>());
            const double allowed = 2.0 / static_cast<double>(gate.second);
            comparison.add("layer " + std::to_string(layer), off <= allowed ? 0.0 : off, 0.0);
        }
    }

private:
    std::map<std::pair<int, Component>, ActivationStats> m_stats; // by layer and component
    std::map<int, std::pair<double, std::int64_t>> m_gates; // share and number of values
    bool m_firstStep = true;
};

using ExpertLayers = std::vector<ForwardResult::Experts>;

using Gate = ForwardResult::Experts::Gate;

// Calls visit(layer, entry) for every entry of the reference, for either kind of list.
template <typename Visit>
void eachLayer(const Json& reference, const ExpertLayers& layers, const Visit& visit)
{
    if (!reference.is_array())
        return;
    std::vector<std::size_t> listed;
    const bool all = reference.size() >= layers.size();
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        if (all || !layers[layer].gates.empty())
            listed.push_back(layer);
    }
    for (std::size_t i = 0; i < std::min(listed.size(), reference.size()); ++i)
        visit(listed[i], reference[i]);
}

// Up to two values may have the other sign.
void compareGate(const std::string& what, const Gate& actual, const Json& expected,
                 Comparison& comparison)
{
    if (!expected.is_number())
        return;
    const double off = std::abs(actual.negative_fraction - expected.get<double>());
    const bool within = actual.count > 0 && off <= 2.0 / static_cast<double>(actual.count);
    comparison.add(what, within ? 0.0 : off, 0.0);
}

Gate gateOf(const ForwardResult::Experts& layer, const std::string& key)
{
    if (key.starts_with("shared"))
        return layer.shared;
    std::size_t expert = layer.gates.size();
    std::from_chars(key.data(), key.data() + key.size(), expert);
    return expert < layer.gates.size() ? layer.gates[expert] : Gate{std::nan(""), 0};
}

Gate together(const std::vector<Gate>& gates)
{
    double negative = 0.0;
    Gate sum;
    for (const Gate& gate : gates) {
        negative += gate.negative_fraction * static_cast<double>(gate.count);
        sum.count += gate.count;
    }
    sum.negative_fraction = negative / static_cast<double>(std::max<std::int64_t>(1, sum.count));
    return sum;
}

// Compares the experts chosen by routers with [layer][position][choice]: indices of experts in any
// order, for all positions or only the last. A list with as many entries as the model has layers
// contains null for layers without experts; a shorter one has only layers with experts.
class RouterComparison {
public:
    // An expert counts as chosen if its logit is at most tolerance x the range of the position's
    // logits below that of the last chosen one.
    RouterComparison(const ExpertLayers& layers, double tolerance)
        : m_layers(layers)
        , m_tolerance(tolerance)
    {
    }

    void compare(const Json& reference)
    {
        eachLayer(reference, m_layers, [this](std::size_t layer, const Json& expected) {
            if (expected.is_array())
                compareLayer(layer, expected);
        });
    }

    int count() const { return m_count; }
    bool passed() const { return m_same == m_count; }

    // "94 of 96 choices the same, first other in layer 2 position 7"
    std::string detail() const
    {
        return std::to_string(m_same) + " of " + std::to_string(m_count) + " choices the same"
            + (m_where.empty() ? "" : ", the first that differs in " + m_where);
    }

private:
    void compareLayer(std::size_t layer, const Json& expected)
    {
        const std::size_t positions = m_layers[layer].chosen.size();
        if (!expected.empty() && expected.front().is_number()) {
            comparePosition(layer, positions == 0 ? 0 : positions - 1, expected);
            return;
        }
        for (std::size_t position = 0; position < expected.size(); ++position)
            comparePosition(layer, position, expected[position]);
    }

    void comparePosition(std::size_t layer, std::size_t position, const Json& expected)
    {
        const ForwardResult::Experts& actual = m_layers[layer];
        const bool known = position < actual.chosen.size() && expected.is_array();
        if (!known || expected.size() != actual.chosen[position].size()) {
            add(false, layer, position);
            return;
        }
        const std::vector<float>& logits = actual.logits[position];
        const auto [least, most] = std::minmax_element(logits.begin(), logits.end());
        const auto weakest = static_cast<std::size_t>(actual.chosen[position].back());
        const double bound = static_cast<double>(logits[weakest])
            - m_tolerance * static_cast<double>(*most - *least);
        std::set<std::size_t> seen;
        for (const Json& choice : expected) {
            const std::size_t expert =
                choice.is_number_unsigned() ? choice.get<std::size_t>() : logits.size();
            const bool same = expert < logits.size() && seen.insert(expert).second
                && static_cast<double>(logits[expert]) >= bound;
            add(same, layer, position);
        }
    }

    void add(bool same, std::size_t layer, std::size_t position)
    {
        ++m_count;
        m_same += same ? 1 : 0;
        if (!same && m_where.empty())
            m_where = "layer " + std::to_string(layer) + " position " + std::to_string(position);
    }

    const ExpertLayers& m_layers;
    double m_tolerance;
    int m_count = 0;
    int m_same = 0;
    std::string m_where; // where the first difference is
};

// Compares the shares of the experts' activation inputs below zero. A layer's entry is one number
// for all values together, a list with one per expert (null if no position chose it), or an object
// by expert index, in which "shared" may be the shared expert's. Numbers of layers without experts
// are compared elsewhere.
void compareExpertGates(const Json& reference, const ExpertLayers& layers, Comparison& comparison)
{
    eachLayer(reference, layers, [&](std::size_t index, const Json& expected) {
        const ForwardResult::Experts& layer = layers[index];
        const std::string where = "layer " + std::to_string(index);
        if (expected.is_number() && !layer.gates.empty())
            compareGate(where, together(layer.gates), expected, comparison);
        if (!expected.is_structured())
            return;
        for (const auto& [key, value] : expected.items())
            compareGate(where + " expert " + key, gateOf(layer, key), value, comparison);
    });
}

constexpr std::uint64_t kMaxReferenceBytes = 1'000'000'000;
constexpr double kLogitTolerance = 1e-4; // share of the range of the reference's logits, for f32
constexpr double kNarrowLogitTolerance = 3e-2; // if weights were rounded to 16 bits
// Scripts that write references use different names.
constexpr std::array kRouterKeys{"router_choices", "router_topk", "router_top_k",
                                 "selected_experts"};
constexpr std::array kExpertGateKeys{"expert_gate_negative_fraction", "expert_negative_fraction",
                                     "expert_activation_kill_ratio", "mlp_gate_negative_fraction"};
constexpr double kStatTolerance = 1e-3; // relative to a statistic or 1, whichever is larger

std::optional<std::vector<double>> numbers(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()
        || !std::all_of(found->begin(), found->end(),
                        [](const Json& value) { return value.is_number(); }))
        return std::nullopt;
    return found->get<std::vector<double>>();
}

// The numbers of an array, or an empty vector.
std::vector<double> rowOf(const Json& json)
{
    std::vector<double> row;
    if (!json.is_array())
        return row;
    for (const Json& value : json) {
        if (value.is_number())
            row.push_back(value.get<double>());
    }
    return row;
}

std::optional<std::vector<text::TokenId>> tokenIds(const Json& json, const char* key)
{
    const auto values = numbers(json, key);
    if (!values)
        return std::nullopt;
    std::vector<text::TokenId> ids;
    for (const double value : *values)
        ids.push_back(static_cast<text::TokenId>(std::clamp(value, -1.0, 2147483647.0)));
    return ids;
}

std::size_t matchingPrefix(std::span<const text::TokenId> a, std::span<const text::TokenId> b)
{
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first
                                    - a.begin());
}

// Compares one engine with one reference, part by part.
class Verifier {
public:
    Verifier(Engine& engine, const text::Tokenizer* tokenizer, const Json& reference,
             CancelToken cancel)
        : m_engine(engine)
        , m_tokenizer(tokenizer)
        , m_reference(reference)
        , m_cancel(std::move(cancel))
    {
    }

    Result<VerifyReport> run()
    {
        const auto ids = tokenIds(m_reference, "input_ids");
        if (ids) {
            if (const Status forward = checkForward(*ids); !forward)
                return forward.error();
            if (const Status greedy = checkGreedy(*ids); !greedy)
                return greedy.error();
        }
        if (const Status cases = checkTextCases(); !cases)
            return cases.error();
        return std::move(m_report);
    }

private:
    void add(std::string name, bool passed, std::string detail)
    {
        m_report.checks.push_back({std::move(name), passed, std::move(detail)});
    }

    double logitTolerance() const
    {
        const auto stored = m_reference.find("stored_dtype");
        const bool narrowed =
            m_engine.dtype() != "f32" && stored != m_reference.end() && *stored == "float32";
        return narrowed ? kNarrowLogitTolerance : kLogitTolerance;
    }

    void checkLogits(const std::string& name, const char* key, std::size_t position,
                     const ForwardResult& forward)
    {
        const auto expected = numbers(m_reference, key);
        if (!expected)
            return;
        const auto vocabulary = static_cast<std::size_t>(forward.vocabulary);
        if (expected->size() != vocabulary || (position + 1) * vocabulary > forward.logits.size()) {
            add(name, false,
                "the reference has " + std::to_string(expected->size()) + " logits, the model "
                    + std::to_string(vocabulary));
            return;
        }
        double difference = 0.0;
        for (std::size_t i = 0; i < vocabulary; ++i) {
            const auto actual = static_cast<double>(forward.logits[position * vocabulary + i]);
            difference = std::max(difference, std::abs(actual - (*expected)[i]));
        }
        const auto [least, most] = std::minmax_element(expected->begin(), expected->end());
        const double relative = difference / std::max(*most - *least, 1e-12);
        m_report.max_abs_logit_difference = std::max(m_report.max_abs_logit_difference, difference);
        m_report.max_rel_logit_difference = std::max(m_report.max_rel_logit_difference, relative);
        add(name, relative <= logitTolerance(),
            "largest difference " + formatSignificant(difference) + ", "
                + formatSignificant(relative) + " of their range");
    }

    Status checkForward(const std::vector<text::TokenId>& ids)
    {
        const Result<ForwardResult> forward = m_engine.forward(ids, m_cancel);
        if (!forward)
            return forward.error();
        checkLogits("logits at the last position", "logits_last", ids.size() - 1, *forward);
        const auto position = m_reference.find("position");
        if (position != m_reference.end() && position->is_number_unsigned())
            checkLogits("logits in the middle", "logits_position", position->get<std::size_t>(),
                        *forward);

        if (const auto expected = tokenIds(m_reference, "argmax_all_positions")) {
            std::vector<text::TokenId> actual;
            const auto vocabulary = static_cast<std::ptrdiff_t>(forward->vocabulary);
            for (auto row = forward->logits.begin(); row != forward->logits.end();
                 row += vocabulary)
                actual.push_back(
                    static_cast<text::TokenId>(std::max_element(row, row + vocabulary) - row));
            const std::size_t same = matchingPrefix(actual, *expected);
            add("largest logit at every position", actual == *expected,
                std::to_string(same) + " of " + std::to_string(expected->size()) + " the same");
        }
        if (const auto hidden = m_reference.find("hidden_states");
            hidden != m_reference.end() && hidden->is_object())
            checkHidden(*hidden, *forward);
        if (const auto entropies = m_reference.find("attention_entropy_last");
            entropies != m_reference.end() && entropies->is_array())
            checkEntropies(*entropies, *forward);
        checkExperts(forward->experts);
        return {};
    }

    void checkExperts(const ExpertLayers& layers)
    {
        RouterComparison choices(layers, logitTolerance());
        for (const char* const key : kRouterKeys) {
            if (const auto found = m_reference.find(key); found != m_reference.end())
                choices.compare(*found);
        }
        if (choices.count() > 0)
            add("choices of the routers", choices.passed(), choices.detail());
        Comparison comparison(kStatTolerance);
        for (const char* const key : kExpertGateKeys) {
            if (const auto fractions = m_reference.find(key); fractions != m_reference.end())
                compareExpertGates(*fractions, layers, comparison);
        }
        if (comparison.count() > 0)
            add("activation inputs of experts below zero", comparison.passed(),
                comparison.detail());
    }

    void checkEntropies(const Json& reference, const ForwardResult& forward)
    {
        Comparison comparison(kStatTolerance);
        const auto& entropies = forward.attention_entropy_last;
        for (std::size_t layer = 0; layer < std::min(entropies.size(), reference.size()); ++layer) {
            const auto expected = rowOf(reference[layer]);
            for (std::size_t head = 0; head < expected.size(); ++head) {
                const bool there = head < entropies[layer].size();
                comparison.add("layer " + std::to_string(layer) + " head " + std::to_string(head),
                               there ? entropies[layer][head] : std::nan(""), expected[head]);
            }
        }
        if (comparison.count() > 0)
            add("attention entropies", comparison.passed(), comparison.detail());
    }

    void checkHidden(const Json& reference, const ForwardResult& forward)
    {
        Comparison comparison(kStatTolerance);
        const ForwardResult::Hidden* raw = nullptr;
        for (const ForwardResult::Hidden& hidden : forward.hidden) {
            const Json* expected = nullptr;
            if (hidden.name == "token_embedding") {
                raw = &hidden;
            } else if (hidden.name.starts_with("layer ")) {
                const std::size_t layer = std::stoul(hidden.name.substr(6));
                if (reference.contains("layers") && reference["layers"].is_array()
                    && layer < reference["layers"].size())
                    expected = &reference["layers"][layer];
            } else if (reference.contains(hidden.name)) {
                expected = &reference[hidden.name];
            }
            if (!expected)
                continue;
            // Some references contain the output of the embedding module before scaling.
            Comparison plain(kStatTolerance);
            if (raw && hidden.name == "embedding")
                addHidden(plain, *raw, *expected);
            addHidden(comparison, plain.count() > 0 && plain.passed() ? *raw : hidden, *expected);
        }
        if (comparison.count() > 0)
            add("hidden states", comparison.passed(), comparison.detail());
    }

    static void addHidden(Comparison& comparison, const ForwardResult::Hidden& hidden,
                          const Json& expected)
    {
        comparison.add(hidden.name, "mean", hidden.mean, expected);
        comparison.add(hidden.name, "std", hidden.std, expected);
        comparison.add(hidden.name, "abs_mean", hidden.abs_mean, expected);
        comparison.add(hidden.name, "max", hidden.max, expected);
    }

    // The greedy tokens that follow ids; the statistics observer may be null.
    Result<std::vector<text::TokenId>> continuation(const std::vector<text::TokenId>& ids,
                                                    std::size_t count, Observer* observer)
    {
        GenerationRequest request;
        request.prompts = {ids};
        request.max_new_tokens = static_cast<int>(count);
        request.past_context = true;
        auto generation = m_engine.begin(request, observer, m_cancel);
        if (!generation)
            return generation.error();
        std::vector<text::TokenId> tokens;
        Result<StepResult> step = (*generation)->prefill();
        while (step) {
            tokens.push_back(step->sequences.front().token);
            if (step->finished)
                break;
            step = (*generation)->decode();
        }
        const Status end = (*generation)->finish();
        if (!step)
            return step.error();
        if (!end)
            return end.error();
        return tokens;
    }

    Status checkGreedy(const std::vector<text::TokenId>& ids)
    {
        const auto expected = tokenIds(m_reference, "greedy_new_ids");
        StatsObserver stats;
        const auto actual =
            continuation(ids, expected && !expected->empty() ? expected->size() : 1, &stats);
        if (!actual)
            return actual.error();
        if (const auto modules = m_reference.find("module_output_stats");
            modules != m_reference.end()) {
            Comparison comparison(kStatTolerance);
            stats.compare(*modules, comparison);
            if (comparison.count() > 0)
                add("component statistics", comparison.passed(), comparison.detail());
        }
        if (const auto fractions = m_reference.find("mlp_gate_negative_fraction");
            fractions != m_reference.end()) {
            Comparison comparison(kStatTolerance);
            stats.compareGates(*fractions, comparison);
            if (comparison.count() > 0)
                add("activation inputs below zero", comparison.passed(), comparison.detail());
        }
        if (expected) {
            m_report.greedy_matches = static_cast<int>(matchingPrefix(*actual, *expected));
            m_report.greedy_total = static_cast<int>(expected->size());
            add("greedy continuation", *actual == *expected,
                std::to_string(m_report.greedy_matches) + " of "
                    + std::to_string(m_report.greedy_total) + " tokens the same");
        }
        return {};
    }

    Status checkTextCases()
    {
        const auto cases = m_reference.find("text_cases");
        if (cases == m_reference.end() || !cases->is_array())
            return {};
        int number = 0;
        for (const Json& item : *cases) {
            const std::string name = "text " + std::to_string(++number);
            const auto ids = tokenIds(item, "ids");
            const auto expected = tokenIds(item, "new_ids");
            if (!ids || !expected || expected->empty())
                continue;
            if (m_tokenizer && item.contains("text") && item["text"].is_string())
                add(name + ": ids", m_tokenizer->encode(item["text"].get<std::string>()) == *ids,
                    std::to_string(ids->size()) + " ids");
            const auto actual = continuation(*ids, expected->size(), nullptr);
            if (!actual)
                return actual.error();
            add(name + ": greedy continuation", *actual == *expected,
                std::to_string(matchingPrefix(*actual, *expected)) + " of "
                    + std::to_string(expected->size()) + " tokens the same");
            if (m_tokenizer && item.contains("decoded_new") && item["decoded_new"].is_string())
                add(name + ": decoded text",
                    m_tokenizer->decode(*actual) == item["decoded_new"].get<std::string>(),
                    std::to_string(m_tokenizer->decode(*actual).size()) + " bytes");
        }
        return {};
    }

    Engine& m_engine;
    const text::Tokenizer* m_tokenizer;
    const Json& m_reference;
    CancelToken m_cancel;
    VerifyReport m_report;
};

} // namespace

bool VerifyReport::passed() const
{
    return !checks.empty()
        && std::all_of(checks.begin(), checks.end(),
                       [](const VerifyCheck& check) { return check.passed; });
}

std::vector<std::string> VerifyReport::lines() const
{
    std::vector<std::string> lines;
    for (const VerifyCheck& check : checks)
        lines.push_back(std::string(check.passed ? "ok      " : "FAILED  ") + check.name + ": "
                        + check.detail);
    const auto failed = std::count_if(checks.begin(), checks.end(),
                                      [](const VerifyCheck& check) { return !check.passed; });
    lines.push_back(failed == 0 ? "The model agrees with the reference."
                                : std::to_string(failed) + " of " + std::to_string(checks.size())
                            + " checks failed.");
    return lines;
}

Result<VerifyReport> verifyAgainst(Engine& engine, const text::Tokenizer* tokenizer,
                                   const std::filesystem::path& reference, CancelToken cancel)
{
    const auto json = json::readFile(reference, kMaxReferenceBytes);
    if (!json)
        return json.error();
    try {
        Result<VerifyReport> report = Verifier(engine, tokenizer, *json, std::move(cancel)).run();
        if (report && report->checks.empty()) {
            return Error{ErrorCode::InvalidInput,
                         {"%1 contains nothing to compare with: it needs input_ids and logits_last "
                          "or greedy_new_ids, or text_cases.",
                          reference.string()}};
        }
        return report;
    } catch (const Json::exception&) {
        return Error{
            ErrorCode::InvalidInput,
            {"%1 is not a reference file: its parts have other types.", reference.string()}};
    }
}

} // namespace ep::model
