// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/folders.h"
#include "support/stated_types.h"
#include "tensor_list.h"

#include "ep/model/format.h"
#include "ep/model/tensor_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace ep::model {
namespace {

// In llama.cpp's order.
TensorList sorted(TensorList list)
{
    for (ListedTensor& tensor : list.tensors)
        tensor.matrix = tensor.rows > 1 && mayBeRounded(tensor.own);
    std::ranges::sort(list.tensors, {}, [](const ListedTensor& tensor) {
        return std::tuple(tensor.own.starts_with("blk.") ? std::stoi(tensor.own.substr(4)) : -1,
                          tensor.own);
    });
    return list;
}

DTypePlan all(const std::string& format)
{
    return {.usual = format, .rules = {}};
}

// Every tensor of every shape has the type that llama-quantize gives it.
TEST(TensorTypesTest, AreThoseOfLlamaQuantize)
{
    const auto models = test::statedModels(test::dataPath("formats/shapes.txt"));
    ASSERT_EQ(models.size(), 15U);
    int compared = 0;
    for (const test::StatedModel& model : models) {
        const TensorList list = sorted(model.list);
        for (const FormatRow& format : kFormats) {
            if (format.rule != FormatRule::Ggml)
                continue;
            ASSERT_TRUE(model.formats.contains(std::string(format.name))) << format.name;
            const TensorTypes types = typesIn(list, all(std::string(format.name)));
            for (std::size_t i = 0; i < types.size(); ++i) {
                const std::string& own = list.tensors[i].own;
                ASSERT_EQ(name(types[i].value_or(DType::F32)),
                          model.typeOf(std::string(format.name), own))
                    << model.name << ", " << format.name << ", " << own;
                compared += types[i] ? 1 : 0;
            }
        }
    }
    EXPECT_GT(compared, 50'000);
}

TensorList listOf(std::initializer_list<std::pair<const char*, std::int64_t>> tensors)
{
    TensorList list;
    list.layers = 1;
    for (const auto& [own, columns] : tensors) {
        ListedTensor tensor;
        tensor.name = own;
        tensor.own = own;
        tensor.rows = columns == 0 ? 1 : 256;
        tensor.columns = columns == 0 ? 256 : columns;
        tensor.stored = DType::BF16;
        tensor.bytes = 2 * tensor.rows * tensor.columns;
        list.tensors.push_back(tensor);
    }
    return sorted(std::move(list));
}

std::string typeIn(const TensorList& list, const std::string& text, const std::string& own)
{
    const auto plan = parseDTypePlan(text);
    const TensorTypes types = typesIn(list, *plan);
    const auto found = std::ranges::find(list.tensors, own, &ListedTensor::own);
    const auto& type = types[static_cast<std::size_t>(found - list.tensors.begin())];
    return type ? std::string(name(*type)) : "stored";
}

// A rule that fits nothing is a typing error, which would label the run wrongly.
TEST(TensorTypesTest, EveryRuleOfAPlanFitsAMatrix)
{
    TensorList list;
    list.layers = 2;
    for (const char* name :
         {"lm_head.weight", "model.layers.0.mlp.up_proj.weight", "model.layers.1.fc.weight"})
        list.tensors.push_back({.name = name,
                                .own = name,
                                .rows = 2,
                                .columns = 2,
                                .stored = DType::F32,
                                .bytes = 16,
                                .matrix = true});
    list.tensors.push_back({.name = "model.norm.weight",
                            .own = "",
                            .rows = 1,
                            .columns = 2,
                            .stored = DType::F32,
                            .bytes = 8});
    const auto problem = [&](const char* text) {
        const Status status = checkRules(list, *parseDTypePlan(text));
        return status ? std::string() : status.error().message.english();
    };
    for (const char* possible :
         {"q8_0", "layers.0=q8_0", "layers.1-9=q8_0", "mlp=q8_0,up_proj=f32", "lm_head=q8_0"})
        EXPECT_EQ(problem(possible), "") << possible;
    EXPECT_EQ(problem("lm_head=q8_0,layers.2-9=q8_0"),
              "The types of \"layers.2-9\" cannot be set: the model has 2 layers, counted from 0.");
    EXPECT_EQ(problem("nosuch=q8_0"),
              "The types of \"nosuch\" cannot be set: the model has no matrix of this name; known "
              "are lm_head, mlp, up_proj, fc.");
    EXPECT_EQ(problem("layers.1.mlp=q8_0"),
              "The types of \"layers.1.mlp\" cannot be set: the model has no matrix of this name; "
              "known are fc.");
    EXPECT_NE(problem("norm=q8_0"), "");
}

// Embedding, head, a projection, an expert, a router and a norm under the rules of the other
// makers.
TEST(TensorTypesTest, FollowTheMakersOfOtherFormats)
{
    const TensorList dense = listOf({{"token_embd.weight", 256},
                                     {"output.weight", 256},
                                     {"blk.0.attn_q.weight", 256},
                                     {"blk.0.attn_norm.weight", 0}});
    const TensorList mixture = listOf({{"token_embd.weight", 256},
                                       {"output.weight", 256},
                                       {"blk.0.attn_q.weight", 256},
                                       {"blk.0.ffn_up_exps.weight", 256},
                                       {"blk.0.ffn_gate_inp.weight", 256}});
    for (const char* const format : {"int8", "fp8", "nvfp4", "mxfp4"}) {
        EXPECT_EQ(typeIn(dense, format, "token_embd.weight"), "stored") << format;
        EXPECT_EQ(typeIn(dense, format, "output.weight"), "stored") << format;
        EXPECT_EQ(typeIn(dense, format, "blk.0.attn_q.weight"), format);
        EXPECT_EQ(typeIn(dense, format, "blk.0.attn_norm.weight"), "stored");
        EXPECT_EQ(typeIn(mixture, format, "blk.0.ffn_up_exps.weight"), format);
        EXPECT_EQ(typeIn(mixture, format, "blk.0.ffn_gate_inp.weight"), "stored");
        EXPECT_EQ(typeIn(mixture, format, "blk.0.attn_q.weight"),
                  std::string(format) == "mxfp4" ? "stored" : format);
    }
    for (const char* const own : {"token_embd.weight", "output.weight", "blk.0.attn_q.weight"})
        EXPECT_EQ(typeIn(dense, "mlx4", own), "mlx4") << own;
    EXPECT_EQ(typeIn(mixture, "mlx4", "blk.0.ffn_gate_inp.weight"), "stored");
    EXPECT_EQ(typeIn(listOf({{"blk.0.attn_q.weight", 96}}), "mlx4", "blk.0.attn_q.weight"),
              "stored"); // no whole groups
}

// Llama 3.1 8B has as many bits per weight as its files; figures of llama.cpp's README for
// llama-quantize, which used a calibration text for the formats of "iq".
TEST(TensorTypesTest, BitsPerWeightAreThoseOfFiles)
{
    TensorList list;
    list.layers = 32;
    list.queries_per_key = 4;
    const auto add = [&](const std::string& own, std::int64_t rows, std::int64_t columns) {
        ListedTensor tensor;
        tensor.name = own;
        tensor.own = own;
        tensor.rows = rows;
        tensor.columns = columns;
        tensor.bytes = 4 * rows * columns;
        tensor.stored = DType::F32;
        list.tensors.push_back(tensor);
    };
    add("token_embd.weight", 128256, 4096);
    add("output.weight", 128256, 4096);
    add("output_norm.weight", 1, 4096);
    for (int layer = 0; layer < 32; ++layer) {
        const std::string prefix = "blk." + std::to_string(layer) + '.';
        add(prefix + "attn_norm.weight", 1, 4096);
        add(prefix + "ffn_norm.weight", 1, 4096);
        add(prefix + "attn_q.weight", 4096, 4096);
        add(prefix + "attn_k.weight", 1024, 4096);
        add(prefix + "attn_v.weight", 1024, 4096);
        add(prefix + "attn_output.weight", 4096, 4096);
        add(prefix + "ffn_gate.weight", 14336, 4096);
        add(prefix + "ffn_up.weight", 14336, 4096);
        add(prefix + "ffn_down.weight", 4096, 14336);
    }
    list = sorted(std::move(list));
    std::int64_t weights = 0;
    for (const ListedTensor& tensor : list.tensors)
        weights += tensor.rows * tensor.columns;
    const struct {
        const char* format;
        double bits;
    } kFiles[] = {{"q2_k", 3.1593},   {"q3_k_s", 3.6429}, {"q3_k_m", 3.9960}, {"q3_k_l", 4.2979},
                  {"iq4_xs", 4.4597}, {"iq4_nl", 4.6818}, {"q4_k_s", 4.6672}, {"q4_k_m", 4.8944},
                  {"q5_k_s", 5.5704}, {"q5_k_m", 5.7036}, {"q6_k", 6.5633},   {"q8_0", 8.5008},
                  {"f16", 16.0005}};
    for (const auto& file : kFiles) {
        const auto bytes = static_cast<double>(bytesIn(list, typesIn(list, all(file.format))));
        EXPECT_NEAR(8.0 * bytes / static_cast<double>(weights), file.bits, 0.01 * file.bits)
            << file.format;
    }
}

TEST(TensorTypesTest, RulesOfAPlanComeLast)
{
    const TensorList list = listOf({{"token_embd.weight", 256},
                                    {"output.weight", 256},
                                    {"blk.0.ffn_down.weight", 96},
                                    {"blk.0.attn_norm.weight", 0}});
    EXPECT_EQ(typeIn(list, "q4_k_m,output=q4_k", "output.weight"), "q4_k");
    EXPECT_EQ(typeIn(list, "output=q4_k", "output.weight"), "q4_k");
    EXPECT_EQ(typeIn(list, "output=q4_k", "token_embd.weight"), "stored");
    EXPECT_EQ(typeIn(list, "q8_0,ffn_down=q4_k", "blk.0.ffn_down.weight"), "q5_0"); // fits
    EXPECT_EQ(typeIn(list, "q8_0,attn_norm=q4_k", "blk.0.attn_norm.weight"), "stored");
}

TEST(TensorTypesTest, BytesIncludeScales)
{
    const TensorList list = listOf({{"blk.0.attn_q.weight", 512}, {"blk.0.attn_norm.weight", 0}});
    const ListedTensor& norm = list.tensors.front();
    const ListedTensor& matrix = list.tensors.back();
    const std::int64_t numbers = 256 * 512;
    EXPECT_EQ(bytesIn(matrix, std::nullopt), 2 * numbers);
    EXPECT_EQ(bytesIn(matrix, DType::Q4_K), numbers / 256 * 144);
    EXPECT_EQ(bytesIn(matrix, DType::Int8), numbers + 4 * 256);
    EXPECT_EQ(bytesIn(matrix, DType::Fp8), numbers + 4 * 2 * 4);
    EXPECT_EQ(bytesIn(matrix, DType::Mlx4), numbers / 2 + numbers / 64 * 4);
    EXPECT_EQ(bytesIn(norm, std::nullopt), 4 * 256); // f32 in memory
}

} // namespace
} // namespace ep::model
