// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/gguf_writer.h"
#include "support/temp_folder.h"

#include "ep/json/document.h"
#include "ep/json/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace ep::json {
namespace {

using testing::HasSubstr;

std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

Result<GgufHeader> readText(const std::string& text, std::size_t longest = kAnyGgufList)
{
    return readGgufHeader(bytesOf(text), "m.gguf", longest);
}

test::GgufWriter sample()
{
    test::GgufWriter writer;
    writer.text("general.architecture", "llama");
    writer.number("llama.block_count", 3);
    writer.real("llama.rope.freq_base", 0.5F);
    writer.flag("flag", true);
    writer.texts("words", {"a", "é", ""});
    writer.numbers("types", {1, -2});
    writer.tensor("x", {2, 3}, std::vector<float>(6, 1.0F));
    writer.tensor("y", {4}, std::vector<float>(4, 2.0F));
    return writer;
}

TEST(Gguf, ReadsKeysAndPlaces)
{
    const std::string file = sample().bytes();
    const auto header = readText(file);
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(header->metadata,
              Json::parse(R"({"general.architecture": "llama", "llama.block_count": 3,
                  "llama.rope.freq_base": 0.5, "flag": true, "words": ["a", "é", ""],
                  "types": [1, -2]})"));
    ASSERT_EQ(header->tensors.size(), 2U);
    EXPECT_EQ(header->tensors[0].name, "x");
    EXPECT_EQ(header->tensors[0].extents, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(header->tensors[1].offset, 32U);
    EXPECT_EQ(header->data_begin + 32 + 16, file.size());
    float value = 0.0F;
    std::memcpy(&value, file.data() + header->data_begin + 32, sizeof value);
    EXPECT_EQ(value, 2.0F);
}

TEST(Gguf, LeavesOutLongLists)
{
    const auto header = readText(sample().bytes(), 2);
    ASSERT_TRUE(header);
    EXPECT_FALSE(header->metadata.contains("words"));
    EXPECT_TRUE(header->metadata.contains("types"));
}

// The limit applies to all lists together, so that no number of keys takes more memory.
TEST(Gguf, KeepsNoMoreThanAnyVocabularyNeeds)
{
    const std::vector<std::int32_t> half((kMaxValues + 2) / 2);
    test::GgufWriter writer;
    writer.numbers("first", half);
    EXPECT_TRUE(readText(writer.bytes()));
    writer.numbers("second", half);
    EXPECT_TRUE(readText(writer.bytes(), 4096)); // neither is kept
    const auto header = readText(writer.bytes());
    ASSERT_FALSE(header);
    EXPECT_THAT(header.error().message, HasSubstr("its lists have more than 4194304 entries"));
}

TEST(Gguf, RefusesWhatIsNotOne)
{
    const auto with = [](const std::function<void(test::GgufWriter&)>& change) {
        test::GgufWriter writer = sample();
        change(writer);
        return writer.bytes();
    };
    const auto patched = [](std::size_t place, std::uint64_t value, std::size_t size) {
        std::string file = sample().bytes();
        std::memcpy(file.data() + place, &value, size);
        return file;
    };
    const struct {
        std::string file;
        const char* problem;
    } kCases[] = {
        {"", "ends in the middle of its header"},
        {"GGUF", "ends in the middle of its header"},
        {patched(8, 1ULL << 40U, 8), "promises 1099511627776 tensors"},
        {patched(16, 1ULL << 40U, 8), "and 1099511627776 keys, more than its bytes can hold"},
        {patched(24, 1ULL << 62U, 8), "ends in the middle of its header"}, // length of a key
        {with([](auto& w) { w.number("flag", 1); }), "the key \"flag\" is in it twice"},
        {with([](auto& w) { w.number("", 1); }), "one of its keys is no text"},
        {with([](auto& w) { w.tensor("x", {4}, std::vector<float>(4)); }),
         "the tensor \"x\" is in it twice"},
        {with([](auto& w) {
             w.tensor("z", 0, {1LL << 40, 1LL << 40}, {});
         }),
         "the shape of the tensor \"z\" is impossible"},
        {with([](auto& w) { w.number("general.alignment", 0); }), "no whole number above 0"},
        {with([](auto& w) { w.number("general.alignment", 64); }), "is not aligned"},
    };
    for (const auto& c : kCases) {
        const auto header = readText(c.file);
        ASSERT_FALSE(header) << c.problem;
        EXPECT_EQ(header.error().code, ErrorCode::InvalidInput);
        EXPECT_THAT(header.error().message, HasSubstr(c.problem));
        EXPECT_THAT(header.error().message, HasSubstr("m.gguf is not a usable GGUF file"));
    }
}

TEST(Gguf, ASoundFileThatItDoesNotKnowIsNotCalledBroken)
{
    std::string old = sample().bytes();
    old[4] = 1;
    std::string swapped = sample().bytes();
    swapped.replace(4, 4, std::string("\0\0\0\3", 4));
    std::string newer = sample().bytes();
    const std::size_t type = newer.find("flag") + 4;
    newer[type] = 99;
    test::GgufWriter deep = sample();
    deep.tensor("z", 0, {1, 1, 1, 1, 1}, {});
    test::GgufWriter aligned = sample();
    aligned.number("general.alignment", 48);
    const struct {
        std::string file;
        const char* problem;
    } kCases[] = {{old, "of version 1"},
                  {swapped, "big endian"},
                  {newer, "has the unknown type 99"},
                  {deep.bytes(), "has 5 dimensions"},
                  {aligned.bytes(), "its alignment is 48, which is no power of two"}};
    for (const auto& c : kCases) {
        const auto header = readText(c.file);
        ASSERT_FALSE(header) << c.problem;
        EXPECT_EQ(header.error().code, ErrorCode::Unsupported);
        EXPECT_THAT(header.error().message, HasSubstr(c.problem));
        EXPECT_THAT(header.error().message, HasSubstr("m.gguf cannot be read: "));
        EXPECT_THAT(header.error().message, HasSubstr("convert it with a current llama.cpp"));
    }
    const auto foreign = readText("GGML and more");
    ASSERT_FALSE(foreign);
    EXPECT_EQ(foreign.error().message,
              "m.gguf is no GGUF file: it does not begin with \"GGUF\"; choose a GGUF file, or the "
              "folder of a model with safetensors files.");
    const auto pointer = readText("version https://git-lfs.github.com/spec/v1\noid sha256:00\n");
    ASSERT_FALSE(pointer);
    EXPECT_THAT(pointer.error().message, HasSubstr("run \"git lfs pull\""));
}

TEST(Gguf, ReadsWhatIsUnusualButSound)
{
    test::GgufWriter writer = sample();
    writer.number("\xFF", 1);
    writer.text("t", "a\xC3");
    writer.real("nan", std::numeric_limits<float>::quiet_NaN());
    writer.tensor("empty", 0, {0, 4}, {});
    const auto header = readText(writer.bytes());
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(header->metadata.at("\uFFFD"), 1);
    EXPECT_EQ(header->metadata.at("t"), "a\uFFFD");
    EXPECT_TRUE(std::isnan(header->metadata.at("nan").get<double>()));
    EXPECT_EQ(header->tensors.back().extents, (std::vector<std::int64_t>{0, 4}));
}

// Wherever the file is cut, the result is an error, not a read beyond its end.
TEST(Gguf, SurvivesEveryLength)
{
    const std::string file = sample().bytes();
    const auto whole = readText(file);
    ASSERT_TRUE(whole);
    for (std::size_t size = 0; size < whole->data_begin; ++size) {
        const std::string part = file.substr(0, size);
        const std::vector<std::byte> exact(bytesOf(part).begin(), bytesOf(part).end());
        EXPECT_FALSE(readGgufHeader(exact, "m.gguf", kAnyGgufList)) << size;
    }
}

TEST(Gguf, ReadsTheMetadataOfAFile)
{
    const test::TempFolder folder;
    sample().write(folder / "m.gguf");
    const auto metadata = readGgufMetadata(folder / "m.gguf", kShortGgufList);
    ASSERT_TRUE(metadata);
    EXPECT_EQ(metadata->at("llama.block_count"), 3);
    EXPECT_EQ(readGgufMetadata(folder / "none", kShortGgufList).error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace ep::json
