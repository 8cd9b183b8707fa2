// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify_stats.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace ep::model {
namespace {

using Json = nlohmann::json;

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

} // namespace

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

bool StatsObserver::wants(const Tap& tap)
{
    return m_firstStep
        && (tap.kind == TapKind::Component
            || (tap.kind == TapKind::Section && tap.section == Section::Sampling));
}

void StatsObserver::ended(const Tap& tap, const TensorProbe* output)
{
    if (tap.kind == TapKind::Section) {
        m_firstStep = false;
        return;
    }
    m_stats[{tap.layer, tap.component}] = output->statsOfAllRows(kSparsityThreshold);
    const bool activated = tap.component == Component::GateProj
        || tap.component == Component::GateUpProj || tap.component == Component::Fc1;
    if (activated)
        m_gates[tap.layer] = {output->negativeFraction(), output->count()};
}

void StatsObserver::compareGates(const Json& fractions, Comparison& comparison) const
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

void StatsObserver::compare(const Json& modules, Comparison& comparison) const
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

} // namespace ep::model
