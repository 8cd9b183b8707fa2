// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_generations.h"
#include "trace_mapping.h"

#include <algorithm>
#include <limits>
#include <span>

namespace ep::spans {

namespace {

// Matmuls of a layer in order, for each number of them that models have.
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

} // namespace

Mapping mapOrder(const TraceEvents& events)
{
    return OrderMapper(events).take();
}

} // namespace ep::spans
