// SPDX-License-Identifier: GPL-3.0-or-later
// Downloading again only helps if the bytes of a file contradict themselves. This checks every
// message that advises a new download, with bytes that justify it, and fails when such a message
// is added that is not listed here.
#include "checkpoint.h"
#include "safetensors.h"
#include "support/folders.h"
#include "support/gguf_writer.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/json/document.h"
#include "ep/model/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

constexpr const char* kJson = "json/document.cpp";
constexpr const char* kGgufHeader = "json/gguf.cpp";
constexpr const char* kGgufFile = "model/gguf/gguf_file.cpp";
constexpr const char* kSafetensors = "model/safetensors.cpp";

struct Row {
    const char* source; // source of the message
    std::string reason; // what is wrong with the bytes
    std::string bytes;
};

test::GgufWriter smallFile()
{
    test::GgufWriter writer = test::smallGguf("llama", 1);
    writer.texts("words", {"a", "b"});
    return writer;
}

std::string changed(const std::function<void(test::GgufWriter&)>& change)
{
    test::GgufWriter writer = smallFile();
    change(writer);
    return writer.bytes();
}

// The small file with a number written after the first `after`, or with its first bytes replaced.
std::string patched(const std::string& after, std::size_t skip, std::uint64_t value,
                    std::size_t size)
{
    std::string file = smallFile().bytes();
    const std::size_t place = file.find(after) + after.size() + skip;
    std::memcpy(file.data() + place, &value, size);
    return file;
}

std::string safetensors(const std::string& header, std::size_t dataBytes,
                        std::uint64_t promised = 0)
{
    const std::uint64_t length = promised ? promised : header.size();
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    return file + header + std::string(dataBytes, '\0');
}

std::string oneTensor(const char* type, const char* shape, const char* offsets)
{
    return std::string(R"({"w": {"dtype": ")") + type + R"(", "shape": )" + shape
        + R"(, "data_offsets": )" + offsets + "}}";
}

std::vector<std::byte> zeroBytes(std::size_t count)
{
    return std::vector<std::byte>(count);
}

std::vector<Row> damagedJson()
{
    return {{kJson, "not valid JSON at", ""},
            {kJson, "not valid JSON at", R"({"architectures": ["LlamaForCausalLM"], "hidden)"},
            {kJson, "not valid JSON at", R"({"a": [1, 2)"},
            {kJson, "not valid JSON at", R"({"a": Infinity, "b": tr)"},
            {kJson, "not valid JSON at", std::string(R"({"a": 1})") + std::string(40, '\0')}};
}

std::vector<Row> damagedGguf()
{
    const std::string whole = smallFile().bytes();
    const std::size_t lastName = whole.find("token_embd.weight");
    const std::size_t afterShape = lastName + std::strlen("token_embd.weight") + 20;
    return {
        {kGgufHeader, "it ends in the middle of its header", ""},
        {kGgufHeader, "it ends in the middle of its header", whole.substr(0, lastName)},
        {kGgufHeader, "more than its bytes can hold", patched("GGUF", 4, 1 << 20, 8)},
        {kGgufHeader, "more than its bytes can hold", patched("GGUF", 12, 60'000, 8)},
        {kGgufHeader, "one of its keys is no text", changed([](auto& w) { w.number("", 1); })},
        {kGgufHeader, " is in it twice",
         changed([](auto& w) { w.number("llama.block_count", 1); })},
        {kGgufHeader, "the tensor \"x\" is in it twice", changed([](auto& w) {
             w.tensor("x", {8}, std::vector<float>(8));
             w.tensor("x", {8}, std::vector<float>(8));
         })},
        {kGgufHeader, "promises 4294967296 entries", patched("words", 8, 1ULL << 32U, 8)},
        {kGgufHeader, "the name of one of its tensors is no text",
         changed([](auto& w) { w.tensor("", {8}, std::vector<float>(8)); })},
        {kGgufHeader, "promises 1048576 dimensions", patched("token_embd.weight", 0, 1 << 20, 4)},
        {kGgufHeader, "is impossible", changed([](auto& w) {
             w.tensor("x", 0, {1LL << 40, 1LL << 40}, {});
         })},
        {kGgufHeader, "its alignment is no whole number above 0",
         changed([](auto& w) { w.number("general.alignment", 0); })},
        {kGgufHeader, "its alignment is no whole number above 0",
         changed([](auto& w) { w.text("general.alignment", "32"); })},
        {kGgufHeader, "is not aligned", changed([](auto& w) {
             w.number("general.alignment", 64);
             w.tensor("x", {8}, std::vector<float>(8));
             w.tensor("y", {8}, std::vector<float>(8));
         })},
        {kGgufHeader, "it ends before its tensors begin", whole.substr(0, afterShape + 12)},
        {kGgufFile, "which are no blocks of Q4_K", changed([](auto& w) {
             w.tensor("x", 12, {128, 2}, zeroBytes(144));
         })},
        {kGgufFile, "which is therefore incomplete", whole.substr(0, whole.size() - 1)},
        {kGgufFile, "two of its tensors overlap", changed([](auto& w) {
             w.tensor("x", 0, {16}, zeroBytes(32)); // needs twice as many bytes
             w.tensor("y", 0, {8}, zeroBytes(32));
         })},
    };
}

std::vector<Row> damagedSafetensors()
{
    return {
        {kSafetensors, "it has only 3 bytes", "abc"},
        {kSafetensors, "it has only 0 bytes", ""},
        {kSafetensors, "it promises a header of 99 bytes", safetensors("{}", 4, 99)},
        {kSafetensors, "its header is not valid JSON", safetensors(R"({"w": )", 8)},
        {kSafetensors, "its header is not valid JSON", safetensors(std::string(64, '\0'), 8)},
        {kSafetensors, "holds the key \"w\" twice",
         safetensors(R"({"w": {"dtype": "I8", "shape": [1], "data_offsets": [0, 1]},
                         "w": {"dtype": "I8", "shape": [1], "data_offsets": [1, 2]}})",
                     8)},
        {kSafetensors, "in its header, the document must be an object", safetensors("[1]", 8)},
        {kSafetensors, "w.dtype is missing",
         safetensors(R"({"w": {"shape": [2], "data_offsets": [0, 8]}})", 8)},
        {kSafetensors, "w.shape is impossible",
         safetensors(oneTensor("F32", "[4611686018427387904, 8]", "[0, 8]"), 8)},
        {kSafetensors, "must hold a begin and an end",
         safetensors(oneTensor("F32", "[2]", "[0]"), 8)},
        {kSafetensors, "ends before it begins", safetensors(oneTensor("F32", "[2]", "[8, 0]"), 8)},
        {kSafetensors, "is beyond the end of the file, which is therefore incomplete",
         safetensors(oneTensor("F32", "[2]", "[0, 8]"), 7)},
        {kSafetensors, "does not end at the end of a byte",
         safetensors(oneTensor("F4", "[3]", "[0, 1]"), 8)},
        {kSafetensors, "takes 4 bytes, but its shape is [0]",
         safetensors(oneTensor("U4", "[0]", "[0, 4]"), 8)},
        {kSafetensors, "takes 8 bytes, but its shape [3] of F32 needs 12",
         safetensors(oneTensor("F32", "[3]", "[0, 8]"), 8)},
        {kSafetensors, "the tensor w overlaps another one",
         safetensors(R"({"v": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
                         "w": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}})",
                     12)},
    };
}

std::vector<Row> allRows()
{
    std::vector<Row> rows = damagedJson();
    for (std::vector<Row> (*more)() : {damagedGguf, damagedSafetensors}) {
        auto added = more();
        std::move(added.begin(), added.end(), std::back_inserter(rows));
    }
    return rows;
}

class DownloadsTest : public testing::Test {
protected:
    // The error when a file with these bytes is opened as in that source; empty if it is sound.
    std::string problemOf(const char* source, const std::string& bytes) const
    {
        const bool isJson = source == kJson;
        const bool isSafetensors = source == kSafetensors;
        const fs::path file = m_folder
            / (isJson              ? "config.json"
                   : isSafetensors ? "model.safetensors"
                                   : "model.gguf");
        test::writeText(file, bytes);
        if (isJson) {
            const auto read = json::readFile(file, 1 << 20);
            return read ? "" : read.error().message.english();
        }
        if (isSafetensors) {
            const auto opened = SafetensorsFile::open(file);
            return opened ? "" : opened.error().message.english();
        }
        const auto config = readModelConfig(file);
        return config ? "" : config.error().message.english();
    }

    test::TempFolder m_folder;
};

TEST_F(DownloadsTest, BytesThatContradictThemselvesAreToBeDownloadedAgain)
{
    for (const Row& row : allRows()) {
        const std::string message = problemOf(row.source, row.bytes);
        EXPECT_THAT(message, HasSubstr(row.reason)) << row.source;
        EXPECT_THAT(message, EndsWith("download it again.")) << row.source;
    }
    EXPECT_EQ(problemOf(kJson, R"({"a": 1})"), "");
    EXPECT_EQ(problemOf(kGgufFile, smallFile().bytes()), "");
    EXPECT_EQ(problemOf(kSafetensors, safetensors(oneTensor("F32", "[2]", "[0, 8]"), 8)), "");
}

TEST_F(DownloadsTest, WhatIsSoundButNotSupportedIsNamedWithTheWayOut)
{
    std::string old = smallFile().bytes();
    old[4] = 1;
    std::string swapped = smallFile().bytes();
    swapped.replace(4, 4, std::string("\0\0\0\3", 4));
    const struct {
        const char* source;
        const char* says; // null: it opens
        std::string bytes;
    } kCases[] = {
        {kJson, "line 1, column 11: correct it there.", R"({"a": 1 "b": 2})"},
        {kJson, "column 8: correct it there.", R"({"a":1,})"},
        {kJson, "a number in it is too large: check that", R"({"a": 1e999})"},
        {kJson, nullptr, R"({"a": NaN, "b": -Infinity})"},
        {kGgufHeader, "version 1, and known are 2 and 3; convert it", old},
        {kGgufHeader, "its numbers are big endian; convert it", swapped},
        {kGgufHeader, "its alignment is 48, which is no power of two",
         changed([](auto& w) { w.number("general.alignment", 48); })},
        {kGgufHeader, "has 5 dimensions; convert it", changed([](auto& w) {
             w.tensor("x", 0, {1, 1, 1, 1, 1}, zeroBytes(4));
         })},
        {kGgufHeader, "has the unknown type 99; convert it", patched("words", 4, 99, 4)},
        {kGgufHeader, "it does not begin with \"GGUF\"; choose a GGUF file", "GGML and more"},
        {kGgufHeader, "it does not begin with \"GGUF\"; choose a GGUF file",
         safetensors(oneTensor("F32", "[2]", "[0, 8]"), 8)},
        {kGgufFile, "has the type 99 of ggml, which is not known; use another file",
         changed([](auto& w) { w.tensor("blk.0.x", 99, {32}, zeroBytes(32)); })},
        {kGgufFile, nullptr, changed([](auto& w) { w.tensor("x", 99, {32}, zeroBytes(32)); })},
        {kSafetensors, nullptr, safetensors(oneTensor("F8_E8M0", "[8]", "[0, 8]"), 8)},
        {kSafetensors, nullptr, safetensors(oneTensor("F4", "[16]", "[0, 8]"), 8)},
        {kSafetensors, nullptr, safetensors(oneTensor("F3_OF_2030", "[8]", "[0, 8]"), 8)},
        {kSafetensors, nullptr, safetensors("{}", 0)},
    };
    for (const auto& c : kCases) {
        const std::string message = problemOf(c.source, c.bytes);
        if (!c.says)
            EXPECT_EQ(message, "");
        else
            EXPECT_THAT(message, HasSubstr(c.says));
        EXPECT_THAT(message, Not(HasSubstr("download")));
    }
}

TEST_F(DownloadsTest, FilesOfTwoModelsAreNotDamaged)
{
    const auto part = [&](const char* name, std::uint32_t number) {
        test::GgufWriter writer = smallFile();
        writer.number("split.no", number);
        writer.number("split.count", 2);
        writer.write(m_folder / name);
    };
    part("m-00001-of-00002.gguf", 0);
    const fs::path first = m_folder / "m-00001-of-00002.gguf";
    const fs::path second = m_folder / "m-00002-of-00002.gguf";
    EXPECT_EQ(readModelConfig(first).error().message,
              second.string() + " is missing: put it beside the other files of the model.");
    part("m-00002-of-00002.gguf", 1);
    EXPECT_EQ(readModelConfig(first).error().message,
              second.string()
                  + " and m-00001-of-00002.gguf are parts of different models, for the tensor "
                    "token_embd.weight is in both: put the parts of one model together.");
    test::writeSafetensors(m_folder / "model-00001-of-00002.safetensors",
                           {test::makeTensor("a", {2}, {1, 2})});
    EXPECT_THAT(Checkpoint::open(m_folder.path()).error().message.english(),
                EndsWith("model-00002-of-00002.safetensors is missing: put it beside the other "
                         "files of the model."));
}

// A source file without its comments, with string literals over several lines joined.
std::string textOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    static const std::regex comment("(^|\\s)//[^\n]*");
    static const std::regex between("\"\\s*\n\\s*\"");
    return std::regex_replace(std::regex_replace(text, comment, "$1"), between, "");
}

// The fixed parts of all literals, between the places of their arguments.
std::vector<std::string> literalsOf(const std::string& text)
{
    static const std::regex literal(R"re("((?:[^"\\\n]|\\.)*)")re");
    static const std::regex place("%[1-9]");
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), literal), end; at != end; ++at) {
        const std::string whole = std::regex_replace((*at)[1].str(), std::regex("\\\\\""), "\"");
        found.insert(found.end(), std::sregex_token_iterator(whole.begin(), whole.end(), place, -1),
                     {});
    }
    return found;
}

TEST_F(DownloadsTest, EveryReasonHasItsBytes)
{
    std::string said;
    for (const Row& row : allRows())
        said += problemOf(row.source, row.bytes) + "\n";
    int reasons = 0;
    for (const char* const source : {kGgufHeader, kGgufFile, kSafetensors}) {
        const std::string text = textOf(fs::path(test::sourcePath("src")) / source);
        static const std::regex thrown(R"((?:Damage|broken|fail)\(([^;]*);)");
        for (std::sregex_iterator at(text.begin(), text.end(), thrown), end; at != end; ++at) {
            const auto literals = literalsOf((*at)[1].str());
            if (literals.empty())
                continue;
            const std::string& longest =
                *std::max_element(literals.begin(), literals.end(),
                                  [](const auto& a, const auto& b) { return a.size() < b.size(); });
            EXPECT_THAT(said, HasSubstr(longest)) << source << " has no row in the table";
            ++reasons;
        }
    }
    EXPECT_GE(reasons, 22);
}

TEST(DownloadMessages, NoOtherMessageAdvisesADownload)
{
    const struct {
        std::string file;
        const char* words;
    } kKnown[] = {
        {kJson, ": download it again."},
        {kGgufHeader, "; download it again."},
        {kGgufFile, "; download it again."},
        {kSafetensors, "; download it again."},
        // A pointer stands in for the file; see Gguf and JsonDocument.
        {"core/lfs_pointer.cpp", "run \"git lfs pull\" in its folder."},
        // A config.json alone, without any weights.
        {"model/library.cpp", ": fetch the weights of the model as well."},
        // These mention downloads, but do not advise one.
        {"core/mapped_file.cpp", "wait until its download or copy is complete"},
        {"model/config.cpp", ": choose the folder of a downloaded HuggingFace model."},
        {"model/checkpoint.cpp", ": choose the folder of a downloaded HuggingFace model."},
        {"ui/dialogs/model_library_dialog.cpp", "nothing is downloaded or changed there"},
    };
    static const std::regex advice("download|git lfs p|fetch|get it again", std::regex::icase);
    std::size_t files = 0;
    std::size_t found = 0;
    const fs::path root(test::sourcePath("src"));
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const std::string ending = entry.path().extension().string();
        if (ending != ".cpp" && ending != ".h" && ending != ".mm")
            continue;
        ++files;
        const std::string name = fs::relative(entry.path(), root).generic_string();
        for (const std::string& literal : literalsOf(textOf(entry.path()))) {
            if (!std::regex_search(literal, advice))
                continue;
            ++found;
            EXPECT_TRUE(std::any_of(std::begin(kKnown), std::end(kKnown),
                                    [&](const auto& row) {
                                        return row.file == name
                                            && literal.find(row.words) != std::string::npos;
                                    }))
                << name << " advises a download: show the bytes that justify it here\n"
                << literal;
        }
    }
    EXPECT_GT(files, 500U);
    EXPECT_GE(found, std::size(kKnown));
}

} // namespace
} // namespace ep::model
