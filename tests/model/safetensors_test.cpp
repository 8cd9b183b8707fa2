// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint.h"
#include "safetensors.h"
#include "support/folders.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using testing::HasSubstr;

class SafetensorsTest : public testing::Test {
protected:
    // The error for a file with this header and that many bytes of data.
    std::string problemOf(const std::string& header, std::size_t dataBytes,
                          std::int64_t headerLength = -1)
    {
        const auto path = m_folder / "model.safetensors";
        test::writeSafetensorsRaw(path, header, std::vector<std::byte>(dataBytes), headerLength);
        const auto file = SafetensorsFile::open(path);
        if (file)
            return "no problem";
        EXPECT_EQ(file.error().code, ErrorCode::InvalidInput);
        EXPECT_THAT(file.error().message, HasSubstr(path.string()));
        return file.error().message.english();
    }

    test::TempFolder m_folder;
};

TEST_F(SafetensorsTest, FindsTensorsInPlace)
{
    const auto path = m_folder / "model.safetensors";
    test::writeSafetensors(path,
                           {test::makeTensor("a", {2, 3}, {1, 2, 3, 4, 5, 6}),
                            test::makeTensor("b", {2}, {0.5F, -2}, "BF16"),
                            test::makeTensor("empty", {0, 7}, {})});
    const auto file = SafetensorsFile::open(path);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_EQ(file->tensors().size(), 3U);
    const StoredTensor& a = file->tensors().at("a");
    EXPECT_EQ(a.dtype, "F32");
    EXPECT_EQ(a.shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(a.elements(), 6);
    std::vector<float> values(6);
    std::memcpy(values.data(), a.bytes.data(), a.bytes.size());
    EXPECT_EQ(values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(file->tensors().at("b").bytes.size(), 4U);
    EXPECT_EQ(file->tensors().at("empty").elements(), 0);
}

TEST_F(SafetensorsTest, HeadersThatLieAreRefused)
{
    const auto entry = [](const char* dtype, const char* shape, const char* offsets) {
        return std::string(R"({"w": {"dtype": ")") + dtype + R"(", "shape": )" + shape
            + R"(, "data_offsets": )" + offsets + "}}";
    };
    struct Case {
        std::string header;
        std::size_t data_bytes;
        std::string message;
    };
    const std::vector<Case> cases{
        {entry("F32", "[2]", "[0, 8]"), 8, "no problem"},
        {entry("F32", "[2]", "[0, 8]"), 7, "incomplete (8 bytes of data promised, 7 there)"},
        {entry("F32", "[2]", "[8, 0]"), 8, "ends before it begins"},
        {entry("F32", "[3]", "[0, 8]"), 8, "takes 8 bytes, but its shape [3] of F32 needs 12"},
        {entry("F4", "[2]", "[0, 8]"), 8, "takes 8 bytes, but its shape [2] of F4 needs 1"},
        {entry("F4", "[3]", "[0, 1]"), 8, "does not end at the end of a byte"},
        {entry("U4", "[0]", "[0, 4]"), 8, "takes 4 bytes, but its shape is [0]"},
        {entry("U4", "[2]", "[4, 4]"), 8, "takes 0 bytes, but its shape is [2]"},
        {entry("F32", "[-2]", "[0, 8]"), 8, "w.shape[0] must be a whole number from 0"},
        {entry("F32", "[2.5]", "[0, 8]"), 8, "w.shape[0] must be a whole number from 0"},
        {entry("F32", "2", "[0, 8]"), 8, "w.shape must be a list, not 2; download it again."},
        {entry("F32", "[2]", "[0]"), 8, "w.data_offsets must hold a begin and an end"},
        {entry("F32", "[2]", "[0, 18446744073709551615]"), 8, "w.data_offsets[1] must be"},
        {entry("F32", "[2]", "[0, 9223372036854775807]"), 8, "incomplete"},
        {entry("F32", "[4611686018427387904, 8]", "[0, 8]"), 8, "w.shape is impossible"},
        {entry("F32", "[18446744073709551615]", "[0, 8]"), 8, "w.shape[0] must be"},
        {R"({"w": 3})", 8, "w must be an object, not 3"},
        {R"({"w": {"shape": [2], "data_offsets": [0, 8]}})", 8, "w.dtype is missing"},
        {R"([1])", 8, "must be an object, not a list"},
        {R"({"w": )", 8, "not valid JSON"},
        {std::string(1'000'000, '['), 8, "nested more than 200 levels deep"},
        {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
             "w": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})",
         8, "holds the key \"w\" twice"},
        {R"({"v": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
             "w": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}})",
         12, "the tensor w overlaps another one"},
        {R"({"__metadata__": {"format": "pt"}})", 0, "no problem"},
    };
    for (const Case& c : cases)
        EXPECT_THAT(problemOf(c.header, c.data_bytes), HasSubstr(c.message)) << c.header;
}

TEST_F(SafetensorsTest, HeaderLengthIsCheckedAgainstTheFile)
{
    EXPECT_THAT(problemOf("{}", 0, 3), HasSubstr("promises a header of 3 bytes, but has 2 bytes"));
    EXPECT_THAT(problemOf("{}", 0, 1), HasSubstr("not valid JSON"));
    EXPECT_THAT(problemOf("{}", 0, 0x7FFF'FFFF'FFFF'FFFF), HasSubstr("promises a header of"));
    for (const std::string& text : {std::string(), std::string("1234567")}) {
        test::writeText(m_folder / "short.safetensors", text);
        EXPECT_THAT(SafetensorsFile::open(m_folder / "short.safetensors").error().message,
                    HasSubstr("it has only " + std::to_string(text.size()) + " bytes"));
    }
    EXPECT_EQ(SafetensorsFile::open(m_folder / "none.safetensors").error().code,
              ErrorCode::NotFound);
    EXPECT_THAT(SafetensorsFile::open(m_folder.path()).error().message, HasSubstr("is not a file"));
}

class CheckpointTest : public testing::Test {
protected:
    void shard(const char* file, const std::vector<std::string>& names)
    {
        std::vector<test::StoredTensor> tensors;
        for (const std::string& name : names)
            tensors.push_back(test::makeTensor(name, {2}, {1, 2}));
        test::writeSafetensors(m_folder / file, tensors);
    }
    void index(const std::string& weightMap)
    {
        test::writeText(m_folder / "model.safetensors.index.json",
                        R"({"metadata": {}, "weight_map": )" + weightMap + "}");
    }
    std::string problem()
    {
        const auto checkpoint = Checkpoint::open(m_folder.path());
        return checkpoint ? "no problem" : checkpoint.error().message.english();
    }

    test::TempFolder m_folder;
};

TEST_F(CheckpointTest, JoinsShards)
{
    shard("model-00001-of-00002.safetensors", {"a", "b"});
    shard("model-00002-of-00002.safetensors", {"c"});
    index(R"({"a": "model-00001-of-00002.safetensors", "b": "model-00001-of-00002.safetensors",
              "c": "model-00002-of-00002.safetensors"})");
    const auto checkpoint = Checkpoint::open(m_folder.path());
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    EXPECT_EQ(checkpoint->entries().size(), 3U);
    ASSERT_NE(checkpoint->find("c"), nullptr);
    EXPECT_EQ(checkpoint->find("c")->file, "model-00002-of-00002.safetensors");
    EXPECT_EQ(checkpoint->find("d"), nullptr);
}

TEST_F(CheckpointTest, FindsShardsWithoutAnIndex)
{
    shard("model-00001-of-00002.safetensors", {"a", "b"});
    EXPECT_THAT(problem(), HasSubstr("model-00002-of-00002.safetensors is missing"));
    shard("model-00002-of-00002.safetensors", {"c"});
    shard("consolidated.safetensors", {"c"});
    const auto checkpoint = Checkpoint::open(m_folder.path());
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    EXPECT_EQ(checkpoint->entries().size(), 3U);
}

// MLX: four 4-bit experts, stacked in "switch_mlp" and split without a copy.
TEST_F(CheckpointTest, ExpertsOfMlxAreSplit)
{
    const std::filesystem::path folder = test::dataPath("cases/experts");
    const auto config = readModelConfig(folder);
    ASSERT_TRUE(config) << config.error().message;
    const auto checkpoint = Checkpoint::open(folder, *config);
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    const auto* const entry = checkpoint->find("model.layers.1.mlp.experts.3.down_proj.weight");
    ASSERT_NE(entry, nullptr);
    ASSERT_TRUE(entry->groups);
    ASSERT_EQ(entry->tensor.shape.size(), 2U);
    EXPECT_EQ(entry->tensor.shape.front(), config->hidden_size);
    EXPECT_EQ(entry->tensor.shape.back(), config->moe.intermediate_size);
    for (const auto& [name, one] : checkpoint->entries())
        EXPECT_EQ(name.find("switch_mlp"), std::string::npos) << name;
}

TEST_F(CheckpointTest, SaysWhatIsWrongWithShards)
{
    EXPECT_THAT(problem(), HasSubstr("contains neither model.safetensors nor"));
    test::writeText(m_folder / "pytorch_model.bin", "x");
    EXPECT_THAT(problem(), HasSubstr("pytorch_model.bin: use a copy"));

    shard("one.safetensors", {"a"});
    shard("two.safetensors", {"a"});
    index("{}");
    EXPECT_THAT(problem(), HasSubstr("weight_map is empty"));
    index(R"({"a": "../one.safetensors"})");
    EXPECT_THAT(problem(),
                HasSubstr("weight_map.a must be the name of a file, not \"../one.safetensors\""));
    index(R"({"a": 3})");
    EXPECT_THAT(problem(), HasSubstr("weight_map.a must be a string, not 3"));
    index(R"({"a": "three.safetensors"})");
    EXPECT_THAT(problem(), HasSubstr("three.safetensors is missing"));
    index(R"({"b": "one.safetensors"})");
    EXPECT_EQ(problem(), "no problem"); // as long as b is not needed
    index(R"({"a": "one.safetensors", "model.vision_tower.b": "three.safetensors"})");
    EXPECT_EQ(problem(), "no problem");
    index(R"({"a": "one.safetensors", "b": "two.safetensors"})");
    EXPECT_THAT(problem(), HasSubstr("in both one.safetensors and two.safetensors"));
}

} // namespace
} // namespace ep::model
