// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"
#include "block_quantization.h"
#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder_logits.h"
#include "gguf_of_folder.h"
#include "quantized_fixture.h"
#include "safetensors.h"
#include "support/safetensors_writer.h"
#include "thread_pool.h"

#include "ep/model/analytic.h"
#include "ep/model/computed_model.h"
#include "ep/model/describe.h"
#include "ep/model/model_files.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Models with weights in block formats, compared with the same weights dequantized to f32.
namespace ep::model {
namespace {

using testing::HasSubstr;

TEST_F(QuantisedModelTest, GgufIsCloseToItsDequantizedWeights)
{
    for (const DType dtype : {DType::Q8_0, DType::Q4_0, DType::Q4_K}) {
        const auto file = folder() / (std::string(name(dtype)) + ".gguf");
        test::ggufOf(folder(), dtype).write(file);
        const auto narrow = load({.folder = file});
        const auto wide = load({.folder = file, .dtype = "f32"});
        const auto measured = load({.folder = file, .kernels = "measure"});
        ASSERT_TRUE(narrow && wide && measured);
        const bool hasPairs = matmulsFor(kernels(), dtype).pairs.multiply != nullptr;
        EXPECT_EQ(measured->kernelsUsed().find("pairs") != std::string::npos, hasPairs);
        EXPECT_LT(divergence(*measured, *wide, 30), 1e-6) << name(dtype); // pairs of integers
        EXPECT_EQ(narrow->dtype(), name(dtype));
        EXPECT_THAT(narrow->facts().quantization, HasSubstr("as stored"));
        EXPECT_LT(narrow->facts().weight_bytes, wide->facts().weight_bytes / 3);
        EXPECT_EQ(narrow->facts().parameters, wide->facts().parameters);
        EXPECT_LT(divergence(*narrow, *wide, 10), 1e-4) << name(dtype); // 16-bit activations
        EXPECT_LT(divergence(*narrow, *wide, 30), 1e-9) << name(dtype); // panels of f32
        ASSERT_EQ(wide->notes().size(), 1U);
        EXPECT_THAT(wide->notes().front(), HasSubstr("were dequantized to f32 on loading"));
        const GenerationRequest request{.prompts = {someIds(8)}, .max_new_tokens = 200};
        if (dtype == DType::Q8_0) {
            EXPECT_EQ(tokens(generate(*narrow, request)), tokens(generate(*wide, request)));
        }
    }
}

// This also holds for a file with matrices in several types: rows of 288 do not fit Q4_K's blocks.
TEST_F(QuantisedModelTest, TheCountOfBytesIsThatOfTheFile)
{
    for (const int intermediate : {512, 288}) {
        write({.hidden_size = 256, .intermediate_size = intermediate, .layers = 2, .heads = 4});
        const auto file = folder() / "counted.gguf";
        test::ggufOf(folder(), DType::Q4_K).write(file);
        const auto described = describeModel(file);
        ASSERT_TRUE(described) << described.error().message;
        const ComputedModel model = computedIn(*described, "auto");
        const PassCost cost = passCost(model.config, {}, model.sizes);
        // The embedding table is also the head's matrix; a token reads one more row of it.
        EXPECT_NEAR(cost.total().weight_bytes - cost.embedding.weight_bytes,
                    static_cast<double>(described->facts.weight_bytes), 1e-6)
            << intermediate;
        EXPECT_EQ(cost.embedding.weight_bytes, 144.0);
    }
}

// The matrices of the fixture's model in MLX's format, and the same values dequantized.
struct MlxCopies {
    test::TempFolder packed;
    test::TempFolder dequantized;
};

void writeMlx(const std::filesystem::path& folder, const MlxCopies& copies)
{
    const auto file = SafetensorsFile::open(folder / "model.safetensors");
    ASSERT_TRUE(file);
    std::vector<test::StoredTensor> packed;
    std::vector<test::StoredTensor> dequantized;
    for (const auto& [name, tensor] : file->tensors()) {
        std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
        std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
        if (tensor.shape.size() != 2) {
            packed.push_back(test::makeTensor(name, tensor.shape, values));
            dequantized.push_back(packed.back());
            continue;
        }
        const auto count = tensor.elements();
        const auto groups = static_cast<std::size_t>(count / kMlxGroup);
        std::vector<std::byte> numbers(static_cast<std::size_t>(count / 2));
        std::vector<float> scales(groups);
        std::vector<float> biases(groups);
        quantizeToMlx(4, values.data(), count, numbers.data(), scales.data(), biases.data());
        double largest = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto byte = std::to_integer<int>(numbers[i / 2]);
            const int q = i % 2 == 0 ? byte & 15 : byte >> 4;
            const std::size_t group = i / static_cast<std::size_t>(kMlxGroup);
            const float value = std::fma(scales[group], static_cast<float>(q), biases[group]);
            largest = std::max(
                largest,
                static_cast<double>(std::abs(value - values[i]) / std::abs(scales[group])));
            values[i] = value;
        }
        EXPECT_LT(largest, 1.1) << name; // about half a step inside, up to one at the far end
        const auto bytesOf = [](const std::vector<float>& numbers32) {
            std::vector<std::byte> bytes(4 * numbers32.size());
            std::memcpy(bytes.data(), numbers32.data(), bytes.size());
            return bytes;
        };
        const std::string prefix = name.substr(0, name.size() - 7);
        const std::vector<std::int64_t> shape{tensor.shape[0], tensor.shape[1] / kMlxGroup};
        packed.push_back({name, "U32", {tensor.shape[0], tensor.shape[1] / 8}, numbers});
        packed.push_back({prefix + ".scales", "F32", shape, bytesOf(scales)});
        packed.push_back({prefix + ".biases", "F32", shape, bytesOf(biases)});
        dequantized.push_back(test::makeTensor(name, tensor.shape, values));
    }
    nlohmann::json config;
    std::ifstream(folder / "config.json") >> config;
    test::writeSafetensors(copies.dequantized / "model.safetensors", dequantized);
    test::writeText(copies.dequantized / "config.json", config.dump());
    config["quantization"] = {{"group_size", 64}, {"bits", 4}};
    config["quantization_config"] = config["quantization"];
    test::writeSafetensors(copies.packed / "model.safetensors", packed);
    test::writeText(copies.packed / "config.json", config.dump());
}

TEST_F(QuantisedModelTest, MlxIsScaleTimesNumberPlusBias)
{
    const MlxCopies copies;
    writeMlx(folder(), copies);
    const auto exact = load({.folder = copies.dequantized.path(), .dtype = "f32"});
    const auto wide = load({.folder = copies.packed.path(), .dtype = "f32"});
    const auto narrow = load({.folder = copies.packed.path()});
    ASSERT_TRUE(exact && wide && narrow);
    EXPECT_EQ(narrow->dtype(), "mlx4");
    EXPECT_THAT(narrow->notes(), testing::IsEmpty());
    EXPECT_EQ(narrow->facts().parameters, exact->facts().parameters);
    const auto ids = someIds(20);
    EXPECT_EQ(wide->forward(ids)->logits, exact->forward(ids)->logits);
    EXPECT_LT(divergence(*narrow, *exact, 10), 1e-4);
    EXPECT_LT(divergence(*narrow, *exact, 30), 1e-9);
    EXPECT_EQ(narrow->facts().weight_bytes, static_cast<std::int64_t>([&] {
                  std::size_t bytes = 0;
                  const auto file = SafetensorsFile::open(copies.packed / "model.safetensors");
                  for (const auto& [name, tensor] : file->tensors())
                      bytes += tensor.bytes.size();
                  return bytes;
              }()));
}

// A model with weights in block formats, computed with an accelerator's operations and with the
// kernels, which also dequantize the weights for so many rows.
void expectSameOfAccelerators(const std::filesystem::path& model,
                              const std::vector<text::TokenId>& ids)
{
    const c10::InferenceMode noGradients;
    const auto files = openModel(model);
    ASSERT_TRUE(files);
    const auto pool = std::make_shared<ThreadPool>(2);
    WeightLoader weights(*(*files)->weights, at::kCPU, DType::F32, *pool, {}, {});
    weights.keepStoredTypes();
    const Decoder decoder = makeDecoder((*files)->config, weights);
    CpuOps own(pool);
    AtenOps plain(at::kCPU, at::kFloat);
    const auto expected = allLogits(decoder, own, ids);
    const auto found = allLogits(decoder, plain, ids);
    ASSERT_EQ(found.size(), expected.size());
    // f32 sums in another order: our panels, the BLAS and LibTorch's operations differ from each
    // other by up to 6e-6 of the largest logit.
    float largest = 0.0F;
    for (const float logit : expected)
        largest = std::max(largest, std::abs(logit));
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], 1e-5F * largest) << model << ", logit " << i;
}

TEST_F(QuantisedModelTest, AcceleratorsDequantizeForEachProduct)
{
    for (const DType dtype : {DType::Q8_0, DType::Q4_0, DType::Q4_K}) {
        const auto file = folder() / (std::string(name(dtype)) + ".gguf");
        test::ggufOf(folder(), dtype).write(file);
        expectSameOfAccelerators(file, someIds(40));
    }
    const MlxCopies copies;
    writeMlx(folder(), copies);
    expectSameOfAccelerators(copies.packed.path(), someIds(40));
}

// The shapes of the tensors take precedence over what config.json says about MLX's numbers.
TEST_F(QuantisedModelTest, TheShapesOfMlxTensorsCount)
{
    const MlxCopies copies;
    writeMlx(folder(), copies);
    const auto exact = load({.folder = copies.dequantized.path(), .dtype = "f32"});
    ASSERT_TRUE(exact);
    const auto ids = someIds(20);
    const auto expected = exact->forward(ids)->logits;
    const struct {
        const char* quantization;
        const char* problem; // null: it loads
    } kCases[] = {
        {R"({"group_size": 64, "bits": 7})",
         "The model is quantized (MLX, mode affine, 7 bits in groups of 64)"},
        {R"({"group_size": 16, "bits": 4})",
         "The model is quantized (MLX, mode affine, 4 bits in groups of 16)"},
        {R"({"group_size": 32, "bits": 4, "mode": "mxfp5"})",
         "The model is quantized (MLX, mode mxfp5)"},
        {R"({"group_size": 64, "bits": "four"})", "must be a whole number"},
        {R"({"group_size": 32, "bits": 4, "mode": "mxfp4"})", nullptr},
        {R"({"group_size": 64, "bits": 8})", nullptr},
        {R"({"group_size": 64, "bits": 6})", nullptr},
        {R"({"group_size": 32, "bits": 4})", nullptr},
        {R"({"group_size": 64, "bits": 4, "model.layers.0.mlp.down_proj": false})", nullptr},
        {R"({"group_size": 64, "bits": 4,
             "model.layers.0.mlp.down_proj": {"bits": 8, "group_size": 32}})",
         nullptr},
    };
    for (const auto& c : kCases) {
        nlohmann::json json;
        std::ifstream(copies.dequantized / "config.json") >> json;
        json["quantization"] = nlohmann::json::parse(c.quantization);
        test::writeText(copies.packed / "config.json", json.dump());
        const auto engine = tryLoad({.folder = copies.packed.path(), .dtype = "f32"});
        ASSERT_EQ(engine.has_value(), c.problem == nullptr) << c.quantization;
        if (c.problem)
            EXPECT_THAT(engine.error().message, HasSubstr(c.problem));
        else
            EXPECT_EQ((*engine)->forward(ids)->logits, expected) << c.quantization;
    }
}

TEST_F(QuantisedModelTest, DamagedMlxFilesAreRefused)
{
    const MlxCopies copies;
    writeMlx(folder(), copies);
    const std::string name = "model.layers.0.mlp.down_proj.";
    const struct {
        std::function<void(std::map<std::string, test::StoredTensor>&)> change;
        const char* problem;
    } kCases[] = {
        {[&](auto& tensors) { tensors.erase(name + "scales"); }, "lacks its tensor"},
        {[&](auto& tensors) { tensors.erase(name + "biases"); }, "lacks its tensor"},
        {[&](auto& tensors) {
             tensors[name + "scales"] =
                 test::makeTensor(name + "scales", {256, 7}, std::vector<float>(256 * 7));
         },
         "has the shape 256 x 8, not 256 x 7"},
        {[&](auto& tensors) {
             tensors[name + "biases"] =
                 test::makeTensor(name + "biases", {8, 8}, std::vector<float>(64));
         },
         "has the shape 8 x 8, not 256 x 8"},
        {[&](auto& tensors) {
             auto& weight = tensors[name + "weight"];
             weight.shape = {static_cast<std::int64_t>(weight.bytes.size() / 4)};
         },
         "not rows x words or experts x rows x words"},
    };
    const auto file = SafetensorsFile::open(copies.packed / "model.safetensors");
    ASSERT_TRUE(file);
    std::map<std::string, test::StoredTensor> whole;
    for (const auto& [own, tensor] : file->tensors())
        whole[own] = {own, tensor.dtype, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}};
    ASSERT_TRUE(whole.contains(name + "weight"));
    for (const auto& c : kCases) {
        auto tensors = whole;
        c.change(tensors);
        std::vector<test::StoredTensor> list;
        for (const auto& [own, tensor] : tensors)
            list.push_back(tensor);
        const test::TempFolder damaged;
        std::filesystem::copy_file(copies.packed / "config.json", damaged / "config.json");
        test::writeSafetensors(damaged / "model.safetensors", list);
        const auto engine = tryLoad({.folder = damaged.path()});
        ASSERT_FALSE(engine) << c.problem;
        EXPECT_THAT(engine.error().message, HasSubstr(name.substr(0, name.size() - 1)));
        EXPECT_THAT(engine.error().message, HasSubstr(c.problem));
    }
}

} // namespace
} // namespace ep::model
