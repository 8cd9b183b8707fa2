// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_mapping.h"

#include "ep/core/time_range.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace ep::spans {
namespace {

// Finds which forward passes of a trace begin a generation, from how many positions they read and
// attend to. This needs shapes (record_shapes=True); without them a trace is one generation. A
// prompt of a single token looks like any other step.
class TraceGenerations {
public:
    // events: not kept after the call
    explicit TraceGenerations(const TraceEvents& events)
    {
        for (const TraceEvent& event : events.operators) {
            if (event.positions == 0)
                continue;
            auto& list = events.names[event.name] == "aten::embedding" ? m_read : m_seen;
            list.push_back({event.begin_ns, event.end_ns, event.positions});
        }
        for (auto* list : {&m_read, &m_seen})
            std::ranges::stable_sort(*list, {}, &Positions::begin_ns);
    }

    // Call it for all passes, in order of time. 0: begins a generation; -1: continues one.
    std::int32_t tokenOf(const TimeRange& pass)
    {
        const std::uint32_t read = firstIn(m_read, pass);
        const std::uint32_t seen = firstIn(m_seen, pass);
        // Several positions after single ones are a prompt, unless the pass attends to more
        // positions than it reads: then it checks drafted tokens. A cache of fixed size does not
        // show this.
        const bool begins =
            read > 1 && m_lastRead == 1 && (seen == 0 || seen == read || seen == m_lastSeen);
        m_lastRead = read;
        m_lastSeen = seen;
        return begins ? 0 : -1;
    }

private:
    struct Positions {
        Nanoseconds begin_ns = 0;
        Nanoseconds end_ns = 0;
        std::uint32_t count = 0;
    };

    static std::uint32_t firstIn(const std::vector<Positions>& all, const TimeRange& pass)
    {
        const auto first = std::ranges::lower_bound(all, pass.begin_ns, {}, &Positions::begin_ns);
        return first != all.end() && first->end_ns <= pass.end_ns ? first->count : 0;
    }

    std::vector<Positions> m_read; // by embedding lookups, in order of time
    std::vector<Positions> m_seen; // found by attention
    std::uint32_t m_lastRead = 0;
    std::uint32_t m_lastSeen = 0;
};

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

// Matmuls of a layer in order, for each usual number of matmuls.
constexpr std::string_view kSeven[] = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                                       "self_attn.o_proj", "mlp.gate_proj",    "mlp.up_proj",
                                       "mlp.down_proj"};
constexpr std::string_view kSix[] = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                                     "self_attn.o_proj", "mlp.fc1",          "mlp.fc2"};
constexpr std::string_view kFive[] = {"self_attn.qkv_proj", "self_attn.o_proj", "mlp.gate_proj",
                                      "mlp.up_proj", "mlp.down_proj"};
constexpr std::string_view kFourGated[] = {"self_attn.qkv_proj", "self_attn.o_proj",
                                           "mlp.gate_up_proj", "mlp.down_proj"};
constexpr std::string_view kFourPlain[] = {"self_attn.qkv_proj", "self_attn.o_proj", "mlp.fc1",
                                           "mlp.fc2"};

using Products = std::span<const std::string_view>;

class OrderMapper {
public:
    explicit OrderMapper(const TraceEvents& events)
        : m_events(events)
        , m_generations(events)
    {
        for (const TraceEvent& event : events.operators) {
            const std::string& name = events.names[event.name];
            if (name == "aten::embedding" || name == "aten::linear" || name == "aten::addmm"
                || name == "aten::mm")
                m_marks.push_back(&event);
        }
        std::ranges::stable_sort(m_marks, [](const TraceEvent* a, const TraceEvent* b) {
            return a->begin_ns != b->begin_ns ? a->begin_ns < b->begin_ns : a->end_ns > b->end_ns;
        });
        // If a product calls another (linear calls addmm), the outer one counts.
        Nanoseconds until = std::numeric_limits<Nanoseconds>::min();
        std::erase_if(m_marks, [&](const TraceEvent* event) {
            if (event->begin_ns < until)
                return true;
            until = event->end_ns;
            return false;
        });
    }

    Mapping take()
    {
        auto begin = std::ranges::find_if(m_marks, isLookup());
        while (begin != m_marks.end()) {
            // Further lookups right after the first are of positions.
            auto first = begin;
            while (first != m_marks.end() && isLookup()(*first))
                ++first;
            const auto end = std::find_if(first, m_marks.end(), isLookup());
            mapPass(**begin, {first, end});
            begin = end;
        }
        return std::move(m_mapping);
    }

private:
    std::function<bool(const TraceEvent*)> isLookup() const
    {
        return [this](const TraceEvent* event) {
            return m_events.names[event->name] == "aten::embedding";
        };
    }

    // Layers are equal, so the shapes of their matmuls repeat; the head is the last one.
    Products layerOf(std::span<const TraceEvent* const> products) const
    {
        for (const Products names :
             {Products(kSeven), Products(kSix), Products(kFive), Products(kFourGated)}) {
            const std::size_t period = names.size();
            if (products.empty() || products.size() % period != 0)
                continue;
            bool repeats = true;
            for (std::size_t i = period; i < products.size(); ++i)
                repeats = repeats && products[i]->shape == products[i - period]->shape;
            if (!repeats)
                continue;
            const auto rows = [&](std::size_t i) { return m_events.shapes[products[i]->shape][0]; };
            const auto columns = [&](std::size_t i) {
                return m_events.shapes[products[i]->shape][1];
            };
            // A fused pair passes on half of its output; two plain matmuls have equal inner sizes.
            if (period == 4)
                return rows(2) == 2 * columns(3) ? names : Products(kFourPlain);
            if (period == 7 || period == 6 || rows(0) > columns(0))
                return names;
        }
        return {};
    }

    void mapPass(const TraceEvent& lookup, std::span<const TraceEvent* const> products)
    {
        if (products.size() < 3)
            return;
        const auto inside = products.first(products.size() - 1);
        const Products names = layerOf(inside);
        if (names.empty())
            return;
        put(RecordKind::Component, "model.embed_tokens", lookup.begin_ns, lookup.end_ns);
        Nanoseconds at = lookup.end_ns;
        const TraceEvent& head = *products.back();
        const std::size_t layers = inside.size() / names.size();
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const std::string prefix = "layers." + std::to_string(layer) + '.';
            const auto own = inside.subspan(layer * names.size(), names.size());
            mapLayer(prefix, own, names, at);
            at = own.back()->end_ns;
        }
        put(RecordKind::Component, "model.norm", at, head.begin_ns);
        put(RecordKind::Component, "lm_head", head.begin_ns, head.end_ns);
        put(RecordKind::Token, "forward", lookup.begin_ns, head.end_ns,
            m_generations.tokenOf({lookup.begin_ns, head.end_ns}));
    }

    // Work between the matmuls is named after what models compute there.
    void mapLayer(const std::string& prefix, std::span<const TraceEvent* const> own, Products names,
                  Nanoseconds at)
    {
        const Nanoseconds begin = at;
        for (std::size_t i = 0; i < own.size(); ++i) {
            const std::string_view name = names[i];
            const char* between = i == 0     ? "input_layernorm"
                : name == "self_attn.o_proj" ? "self_attn"
                : name == "mlp.gate_proj" || name == "mlp.gate_up_proj" || name == "mlp.fc1"
                ? "post_attention_layernorm"
                : name.starts_with("mlp.") ? "mlp"
                                           : "self_attn";
            put(RecordKind::Component, prefix + between, at, own[i]->begin_ns);
            put(RecordKind::Component, prefix + std::string(name), own[i]->begin_ns,
                own[i]->end_ns);
            at = own[i]->end_ns;
        }
        put(RecordKind::Layer, prefix.substr(0, prefix.size() - 1), begin, at);
    }

    void put(RecordKind kind, const std::string& name, Nanoseconds begin, Nanoseconds end,
             std::int32_t token = -1)
    {
        if (begin < end)
            m_mapping.parts.push_back({kind, name, begin, end, token});
    }

    const TraceEvents& m_events;
    TraceGenerations m_generations;
    std::vector<const TraceEvent*> m_marks;
    Mapping m_mapping;
};

std::vector<TimeRange> operatorTimes(const TraceEvents& events)
{
    std::vector<TimeRange> times;
    times.reserve(events.operators.size());
    for (const TraceEvent& event : events.operators)
        times.push_back({event.begin_ns, event.end_ns});
    std::ranges::sort(times, {}, &TimeRange::begin_ns);
    return times;
}

// From the first to the last operator within the gap; empty if there are none.
TimeRange workIn(const std::vector<TimeRange>& operators, const TimeRange& gap)
{
    TimeRange work;
    for (auto at = std::ranges::lower_bound(operators, gap.begin_ns, {}, &TimeRange::begin_ns);
         at != operators.end() && at->begin_ns < gap.end_ns; ++at) {
        if (at->end_ns > gap.end_ns)
            continue;
        if (work.empty())
            work = *at;
        work.end_ns = std::max(work.end_ns, at->end_ns);
    }
    return work;
}

} // namespace

Mapping mapModules(const TraceEvents& events)
{
    return ModuleMapper(events).take();
}

Mapping mapOrder(const TraceEvents& events)
{
    return OrderMapper(events).take();
}

void addSampling(const TraceEvents& events, Mapping& mapping)
{
    const std::vector<TimeRange> operators = operatorTimes(events);
    std::vector<MappedEvent> parts;
    parts.reserve(mapping.parts.size());
    std::size_t held = 0; // size of `parts` up to the last pass
    Nanoseconds end = 0; // end of that pass
    for (MappedEvent& part : mapping.parts) {
        const bool goesOn = part.kind == RecordKind::Token && held > 0 && part.token != 0;
        const TimeRange work = goesOn ? workIn(operators, {end, part.begin_ns}) : TimeRange();
        if (!work.empty())
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(held),
                         {.kind = RecordKind::Component,
                          .name = "sampling",
                          .begin_ns = work.begin_ns,
                          .end_ns = work.end_ns});
        if (part.kind == RecordKind::Token) {
            end = part.end_ns;
            held = parts.size() + 1;
        }
        parts.push_back(std::move(part));
    }
    mapping.parts = std::move(parts);
}

} // namespace ep::spans
