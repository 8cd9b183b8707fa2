// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_generations.h"
#include "trace_mapping.h"

#include <algorithm>
#include <map>
#include <span>

namespace ep::spans {

namespace {

enum class Role : std::uint8_t {
    Other,
    Causal, // the model with its head, which runs a forward pass
    Model,
    Layer,
    Attention,
    Mlp,
    Norm,
    Rotary,
    Embedding,
    Linear,
    Act,
};

struct ClassWord {
    std::string_view word; // in the name of a class
    Role role;
};

// The first matching word decides.
constexpr ClassWord kClassWords[] = {
    {"ForCausalLM", Role::Causal},
    {"LMHeadModel", Role::Causal},
    {"RotaryEmbedding", Role::Rotary},
    {"DecoderLayer", Role::Layer},
    {"Block", Role::Layer},
    {"Attention", Role::Attention},
    {"MLP", Role::Mlp},
    {"FeedForward", Role::Mlp},
    {"Norm", Role::Norm},
    {"Embedding", Role::Embedding},
    {"Linear", Role::Linear},
    {"Conv1D", Role::Linear},
    {"SiLU", Role::Act},
    {"GELU", Role::Act},
    {"Gelu", Role::Act},
    {"ReLU", Role::Act},
    {"Activation", Role::Act},
    {"Model", Role::Model},
};

Role roleOf(std::string_view name)
{
    for (const ClassWord& one : kClassWords) {
        if (name.find(one.word) != std::string_view::npos)
            return one.role;
    }
    return Role::Other;
}

// A module call, with the calls inside it.
struct Call {
    const TraceEvent* event = nullptr;
    Role role = Role::Other;
    std::vector<std::size_t> children{};
};

constexpr std::size_t kDeepest = 1000; // modules within each other; mapping them is recursive

// Names of the matmuls in execution order, by the number of matmuls.
using Names = std::span<const std::string_view>;

Names productsOf(Role holder, std::size_t count)
{
    static constexpr std::string_view kFour[] = {"q_proj", "k_proj", "v_proj", "o_proj"};
    static constexpr std::string_view kFused[] = {"qkv_proj", "o_proj"};
    static constexpr std::string_view kGated[] = {"gate_proj", "up_proj", "down_proj"};
    static constexpr std::string_view kPlain[] = {"fc1", "fc2"};
    if (holder == Role::Attention)
        return count == 4 ? Names(kFour) : count == 2 ? Names(kFused) : Names();
    return count == 3 ? Names(kGated) : count == 2 ? Names(kPlain) : Names();
}

class ModuleMapper {
public:
    explicit ModuleMapper(const TraceEvents& events)
        : m_events(events)
        , m_generations(events)
    {
        std::map<std::uint32_t, std::vector<const TraceEvent*>> threads;
        for (const TraceEvent& event : events.modules)
            threads[event.thread].push_back(&event);
        for (auto& [thread, list] : threads)
            nest(list);
    }

    Mapping take()
    {
        std::ranges::sort(m_roots, {}, [&](std::size_t i) { return m_calls[i].event->begin_ns; });
        for (const std::size_t root : m_roots)
            mapRoot(root);
        return std::move(m_mapping);
    }

private:
    // Parents begin before their children and end after them.
    void nest(std::vector<const TraceEvent*>& list)
    {
        std::ranges::stable_sort(list, [](const TraceEvent* a, const TraceEvent* b) {
            return a->begin_ns != b->begin_ns ? a->begin_ns < b->begin_ns : a->end_ns > b->end_ns;
        });
        std::vector<std::size_t> open;
        for (const TraceEvent* event : list) {
            while (!open.empty() && m_calls[open.back()].event->end_ns <= event->begin_ns)
                open.pop_back();
            if (!open.empty() && m_calls[open.back()].event->end_ns < event->end_ns)
                continue; // overlaps its parent
            if (open.size() == kDeepest)
                continue;
            const std::size_t index = m_calls.size();
            m_calls.push_back({event, roleOf(m_events.names[event->name]), {}});
            (open.empty() ? m_roots : m_calls[open.back()].children).push_back(index);
            open.push_back(index);
        }
    }

    // The outermost module that is a whole model, otherwise the one that holds the layers.
    void mapRoot(std::size_t root)
    {
        const Call& call = m_calls[root];
        if (call.role != Role::Causal && call.role != Role::Model) {
            for (const std::size_t child : call.children)
                mapRoot(child);
            return;
        }
        if (m_mapping.model.empty()) {
            const std::string& name = m_events.names[call.event->name];
            m_mapping.model = name.substr(0, name.rfind('_'));
        }
        m_layer = 0;
        mapModel(root);
        put(RecordKind::Token, "forward", call);
        m_mapping.parts.back().token =
            m_generations.tokenOf({call.event->begin_ns, call.event->end_ns});
    }

    void mapModel(std::size_t index)
    {
        for (const std::size_t child : m_calls[index].children) {
            const Call& call = m_calls[child];
            switch (call.role) {
            case Role::Model:
                mapModel(child);
                break;
            case Role::Layer:
                mapLayer(child);
                break;
            case Role::Embedding:
                put(RecordKind::Component, "model.embed_tokens", call);
                break;
            case Role::Rotary:
                put(RecordKind::Component, "model.rotary_emb", call);
                break;
            case Role::Norm:
                put(RecordKind::Component, "model.norm", call);
                break;
            case Role::Linear:
                put(RecordKind::Component, "lm_head", call);
                break;
            default:
                put(RecordKind::Component, m_events.names[call.event->name], call);
            }
        }
    }

    void mapLayer(std::size_t index)
    {
        const std::string prefix = "layers." + std::to_string(m_layer++);
        int norms = 0;
        for (const std::size_t child : m_calls[index].children) {
            const Call& call = m_calls[child];
            if (call.role == Role::Norm)
                put(RecordKind::Component,
                    prefix + (norms++ == 0 ? ".input_layernorm" : ".post_attention_layernorm"),
                    call);
            else if (call.role == Role::Attention || call.role == Role::Mlp)
                mapHolder(child, prefix + (call.role == Role::Mlp ? ".mlp" : ".self_attn"));
            else
                put(RecordKind::Component, prefix + '.' + m_events.names[call.event->name], call);
        }
        put(RecordKind::Layer, prefix, m_calls[index]);
    }

    void mapHolder(std::size_t index, const std::string& prefix)
    {
        const Call& holder = m_calls[index];
        const auto isLinear = [&](std::size_t one) { return m_calls[one].role == Role::Linear; };
        const Names names =
            productsOf(holder.role,
                       static_cast<std::size_t>(std::ranges::count_if(holder.children, isLinear)));
        std::size_t product = 0;
        int norms = 0;
        for (const std::size_t child : holder.children) {
            const Call& call = m_calls[child];
            if (call.role == Role::Linear && product < names.size())
                put(RecordKind::Component, prefix + '.' + std::string(names[product++]), call);
            else if (call.role == Role::Norm)
                put(RecordKind::Component, prefix + (norms++ == 0 ? ".q_norm" : ".k_norm"), call);
            else if (call.role == Role::Act)
                put(RecordKind::Component, prefix + ".act_fn", call);
            else
                put(RecordKind::Component, prefix + '.' + m_events.names[call.event->name], call);
        }
        put(RecordKind::Component, prefix, holder);
    }

    void put(RecordKind kind, const std::string& name, const Call& call)
    {
        m_mapping.parts.push_back({.kind = kind,
                                   .name = name,
                                   .begin_ns = call.event->begin_ns,
                                   .end_ns = call.event->end_ns});
    }

    const TraceEvents& m_events;
    TraceGenerations m_generations;
    std::vector<Call> m_calls;
    std::vector<std::size_t> m_roots;
    Mapping m_mapping;
    int m_layer = 0;
};

} // namespace

Mapping mapModules(const TraceEvents& events)
{
    return ModuleMapper(events).take();
}

} // namespace ep::spans
