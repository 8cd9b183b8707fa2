// SPDX-License-Identifier: GPL-3.0-or-later
#include "spans/packed_records.h"

#include "ep/spans/reader.h"
#include "ep/spans/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace ep::test {
namespace {

using spans::ByteBudget;
using spans::Reader;
using spans::Record;
using spans::RecordKind;

struct Heard {
    std::vector<std::string> lines; // kind, name, layer, token, start, duration
    std::int64_t malformed = 0;
};

std::string lineOf(const Record& r)
{
    return std::to_string(static_cast<int>(r.kind)) + ' ' + std::string(r.name) + ' '
        + std::to_string(r.layer) + ' ' + std::to_string(r.token) + ' ' + std::to_string(r.start_ns)
        + ' ' + std::to_string(r.duration_ns) + ' ' + std::string(r.text);
}

Heard heardOf(const std::string& bytes, std::size_t piece)
{
    Heard heard;
    ByteBudget budget(1'000'000);
    Reader reader([&](const Record& record) { heard.lines.push_back(lineOf(record)); }, budget);
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        reader.feed(std::string_view(bytes).substr(at, piece));
    reader.finish();
    heard.malformed = reader.malformed();
    return heard;
}

Record one(const std::string& line, bool good = true)
{
    Record record;
    // A record refers to its line and to the memory for its decoded texts.
    static std::deque<std::string> lines;
    static std::deque<std::string> texts;
    EXPECT_EQ(spans::readJsonRecord(lines.emplace_back(line), record, texts.emplace_back()), good)
        << line;
    return record;
}

TEST(SpanReader, ReadsEveryField)
{
    const Record span = one(
        R"({"kind":"component","name":"q_proj","layer":3,"token":7,"sequence":1,"start_ns":1000,)"
        R"("duration_ns":20,"bytes":4096,"flops":8192,"mean_abs":0.5,"std":1.5,"max_abs":4,)"
        R"("sparsity":0.25})");
    EXPECT_EQ(span.kind, RecordKind::Component);
    EXPECT_EQ(span.name, "q_proj");
    EXPECT_EQ(span.layer, 3);
    EXPECT_EQ(span.token, 7);
    EXPECT_EQ(span.sequence, 1);
    EXPECT_EQ(span.start_ns, 1000);
    EXPECT_EQ(span.duration_ns, 20);
    EXPECT_EQ(span.bytes, 4096);
    EXPECT_EQ(span.flops, 8192);
    EXPECT_EQ(span.stats, (ActivationStats{0.5F, 1.5F, 4.0F, 0.25F}));
    const Record facts = one(R"({"kind":"facts","engine":"mlx 1","model":"m","device":"gpu",)"
                             R"("dtype":"f16","clock":"device","clock_ns":5,"layers":4,)"
                             R"("input_tokens":12})");
    EXPECT_EQ(facts.engine, "mlx 1");
    EXPECT_EQ(facts.clock, "device");
    EXPECT_EQ(facts.clock_ns, 5);
    EXPECT_EQ(facts.layers, 4);
    EXPECT_EQ(facts.input_tokens, 12);
    EXPECT_EQ(one(R"({"kind":"dropped","count":9})").count, 9);
    EXPECT_EQ(one(R"({"kind":"token","start_ns":1.5e9,"duration_ns":1})").start_ns, 1'500'000'000);
}

TEST(SpanReader, ReadsTextsWithEscapes)
{
    EXPECT_EQ(one(R"({"kind":"token","text":"a\"\\\n\u00e9\ud83d\ude00","name":"\u0041"})").text,
              "a\"\\\n\xC3\xA9\xF0\x9F\x98\x80");
    EXPECT_EQ(one(R"({"kind":"token","text":"\ud83d"})").text, "\xEF\xBF\xBD");
}

TEST(SpanReader, SkipsFieldsOfLaterVersions)
{
    EXPECT_EQ(
        one(R"( { "new" : {"a":[1,"}"]} , "kind" : "layer", "layer" : 2, "x": null } )").layer, 2);
}

TEST(SpanReader, RefusesWhatIsNoRecord)
{
    for (const char* line : {"",
                             "{}",
                             "[]",
                             "text",
                             R"({"kind":"layer")",
                             R"({"kind":"layer"}x)",
                             R"({"name":"q_proj"})",
                             R"({"kind":"other"})",
                             R"({"kind":3})",
                             R"({"kind":"component"})",
                             R"({"kind":"layer","layer":-2})",
                             R"({"kind":"layer","layer":1.5})",
                             R"({"kind":"layer","layer":99999999999})",
                             R"({"kind":"layer","start_ns":"1"})",
                             R"({"kind":"layer","duration_ns":-1})",
                             R"({"kind":"layer","start_ns":9e99})",
                             R"({"kind":"layer","bytes":-1})",
                             R"({"kind":"layer","mean_abs":1e99})",
                             R"({"kind":"token","text":"\x"})",
                             R"({"kind":"token","text":"\u12"})",
                             R"({"kind":"layer",,})",
                             R"({"kind":"layer","x":[1,2})",
                             R"({"kind":"dropped","count":-1})"}) {
        one(line, false);
    }
}

TEST(SpanReader, HearsTheSameInPiecesOfAnySize)
{
    const std::string bytes = "{\"kind\":\"layer\",\"layer\":1,\"start_ns\":5,\"duration_ns\":6}\n"
        + packedName("model.layers.0.mlp") + packedName("x")
        + packedSpan(RecordKind::Component, 0, 10, 20, 2, 3)
        + packed(spans::BinaryType::Json, R"({"kind":"token","text":"t"})")
        + packedSpan(RecordKind::Component, 9, 1, 1) // there is no name with this number
        + packed(static_cast<spans::BinaryType>(7), "unknown") + "\nnonsense\n"
        + R"({"kind":"layer","layer":2})"; // without the end of its line
    const Heard whole = heardOf(bytes, bytes.size());
    EXPECT_THAT(whole.lines,
                testing::ElementsAre("3  1 -1 5 6 ", "4 model.layers.0.mlp 2 3 10 20 ",
                                     "2  -1 -1 0 0 t", "3  2 -1 0 0 "));
    EXPECT_EQ(whole.malformed, 3);
    for (std::size_t piece = 1; piece < 9; ++piece) {
        const Heard heard = heardOf(bytes, piece);
        EXPECT_EQ(heard.lines, whole.lines) << piece;
        EXPECT_EQ(heard.malformed, whole.malformed) << piece;
    }
}

TEST(SpanReader, SkipsALineWithoutEnd)
{
    const std::string bytes =
        '{' + std::string(Reader::kLongestRecord * 3, 'x') + "\n{\"kind\":\"layer\",\"layer\":2}\n";
    for (const std::size_t piece : {bytes.size(), std::size_t{4096}}) {
        const Heard heard = heardOf(bytes, piece);
        EXPECT_EQ(heard.lines.size(), 1U);
        EXPECT_EQ(heard.malformed, 1);
    }
}

// All connections share a budget; closing one gives its names back.
TEST(SpanReader, KeepsNoMoreNamesThanTheBudgetAllows)
{
    ByteBudget budget(100'000);
    std::vector<std::string> names;
    const auto sink = [&](const Record& record) { names.emplace_back(record.name); };
    for (int connection = 0; connection < 3; ++connection) {
        Reader reader(sink, budget);
        names.clear();
        for (int i = 0; i < 10; ++i)
            reader.feed(packedName(std::string(30'000, static_cast<char>('a' + i))));
        for (int i = 0; i < 10; ++i)
            reader.feed(packedSpan(RecordKind::Component, static_cast<std::uint16_t>(i), 1, 2));
        reader.finish();
        EXPECT_EQ(names.size(), 3U);
        EXPECT_EQ(reader.nameless(), 7);
        EXPECT_EQ(reader.malformed(), 0);
    }
    EXPECT_TRUE(budget.exceeded());
    EXPECT_TRUE(budget.take(100'000));
}

using spans::Part;
using spans::PartKind;
using spans::partOf;

struct Known {
    const char* name;
    PartKind kind;
    const char* word; // of our vocabulary
    int layer = -1;
};

std::string wordOf(const Part& part)
{
    switch (part.kind) {
    case PartKind::Section:
        return std::string(name(part.section));
    case PartKind::Component:
    case PartKind::Container:
        return std::string(name(part.component));
    case PartKind::Operation:
        return std::string(name(part.operation));
    default:
        return {};
    }
}

TEST(SpanVocabulary, KnowsTheNamesOfOthers)
{
    constexpr Known kNames[] = {
        // names used by transformers and mlx-lm
        {"model.embed_tokens", PartKind::Section, "embedding"},
        {"model.rotary_emb", PartKind::Section, "position_embedding"},
        {"model.norm", PartKind::Section, "final_norm"},
        {"lm_head", PartKind::Section, "lm_head"},
        {"model", PartKind::Through, ""},
        {"model.layers.3", PartKind::Layer, "", 3},
        {"model.layers.12.self_attn", PartKind::Container, "attention", 12},
        {"model.layers.12.self_attn.q_proj", PartKind::Component, "q_proj", 12},
        {"model.layers.12.self_attn.o_proj", PartKind::Component, "o_proj", 12},
        {"model.layers.0.self_attn.q_norm", PartKind::Component, "q_norm", 0},
        {"model.layers.0.self_attn.rotary_emb", PartKind::Operation, "rotary", 0},
        {"model.layers.0.mlp", PartKind::Container, "activation", 0},
        {"model.layers.0.mlp.act_fn", PartKind::Component, "activation", 0},
        {"model.layers.0.mlp.gate", PartKind::Component, "router", 0},
        {"model.layers.0.input_layernorm", PartKind::Component, "input_layernorm", 0},
        {"model.layers.0.self_attn.dense", PartKind::Component, "o_proj", 0},
        {"transformer.h.5.attn.c_attn", PartKind::Component, "qkv_proj", 5},
        {"transformer.h.5.attn.c_proj", PartKind::Component, "o_proj", 5},
        {"transformer.h.5.mlp.c_proj", PartKind::Component, "fc2", 5},
        {"transformer.h.5.ln_2", PartKind::Component, "post_attention_layernorm", 5},
        {"transformer.wte", PartKind::Section, "embedding"},
        {"backbone.layers.2.norm", PartKind::Component, "input_layernorm", 2},
        {"backbone.layers.2.mixer.norm", PartKind::Component, "gated_norm", 2},
        {"layers.1.feed_forward.w2", PartKind::Component, "down_proj", 1},
        // names used by llama.cpp
        {"Qcur-3", PartKind::Component, "q_proj", 3},
        {"Kcur-29 (reshaped)", PartKind::Component, "k_proj", 29},
        {"attn_norm-0", PartKind::Component, "input_layernorm", 0},
        {"cache_k_l7 (view)", PartKind::Component, "kv_cache", 7},
        {"__fattn__-7", PartKind::Component, "attention", 7},
        {"kqv_out-7", PartKind::Component, "o_proj", 7},
        {"kqv_out-7 [MUL_MAT]", PartKind::Component, "o_proj", 7},
        {"kqv_out-7 [CONT]", PartKind::Component, "attention", 7},
        {"Qcur-3 [MUL_MAT]", PartKind::Component, "q_proj", 3},
        {"Qcur-3 [ROPE]", PartKind::Component, "attention", 3},
        {"node_12 [GET_ROWS]", PartKind::Unknown, ""},
        {"ffn_swiglu-7", PartKind::Component, "activation", 7},
        {"l_out-7", PartKind::Component, "residual", 7},
        {"result_output", PartKind::Section, "lm_head"},
        // our own names
        {"q_proj", PartKind::Component, "q_proj"},
        {"sampling", PartKind::Section, "sampling"},
        // names used by nobody
        {"model.layers.0.whatever", PartKind::Unknown, "", 0},
        {"", PartKind::Unknown, ""},
        {"....", PartKind::Unknown, ""},
        {"layers.-1.mlp", PartKind::Container, "activation"},
        {"Qcur", PartKind::Unknown, ""},
    };
    for (const Known& known : kNames) {
        const Part part = partOf(known.name);
        EXPECT_EQ(part.kind, known.kind) << known.name;
        EXPECT_EQ(wordOf(part), known.word) << known.name;
        EXPECT_EQ(part.layer, known.layer) << known.name;
    }
}

TEST(SpanVocabulary, NamesWhatItDoesNotKnowByItsPlace)
{
    struct Own {
        const char* name;
        LayerBlock block;
        const char* path;
    };
    constexpr Own kNames[] = {
        {"model.layers.0.whatever", LayerBlock::Neither, "whatever"},
        {"model.layers.0.self_attn.conv.1.norm_a", LayerBlock::Attention, "conv.norm_a"},
        {"transformer.h.4.mlp.adapters.0", LayerBlock::Mlp, "adapters"},
        {"model.pooler", LayerBlock::Neither, "pooler"},
        {"model", LayerBlock::Neither, "model"},
        {"Odd-3 (view) [ADD]", LayerBlock::Neither, "Odd"},
        {"node_12 [GET_ROWS]", LayerBlock::Neither, "get_rows"},
        {"", LayerBlock::Neither, ""},
    };
    for (const Own& known : kNames) {
        const spans::OwnPath own = spans::ownPathOf(known.name);
        EXPECT_EQ(own.block, known.block) << known.name;
        EXPECT_EQ(own.path, known.path) << known.name;
    }
}

} // namespace
} // namespace ep::test
