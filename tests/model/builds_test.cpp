// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_config.h"
#include "gguf/gguf_file.h"
#include "support/folders.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"
#include "ep/model/dtype.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

// Which of the builds in tests/data/builds load.
namespace ep::model {
namespace {

using Json = nlohmann::json;

Json builds()
{
    std::ifstream file(test::dataPath("builds/builds.json"));
    return Json::parse(file);
}

// Why the build is refused; empty if it loads.
std::string refusal(const Json& build)
{
    const test::TempFolder folder;
    Json config;
    if (build.contains("metadata")) {
        GgufFile file;
        file.path = "the file";
        file.metadata = build.at("metadata");
        if (build.contains("vocabulary")) {
            StoredTensor table;
            table.shape = {build.at("vocabulary").get<std::int64_t>(), 1};
            file.tensors["token_embd.weight"] = {table, nullptr, "the file"};
        }
        const auto translated = ggufConfig(file);
        if (!translated)
            return translated.error().message.english();
        config = *translated;
    } else {
        config = build.at("config");
    }
    test::writeText(folder / "config.json", config.dump());
    const auto read = readModelConfig(folder.path());
    if (!read)
        return read.error().message.english();
    const Status supported = checkSupported(*read);
    return supported ? std::string() : supported.error().message.english();
}

std::string joined(const Json& words)
{
    std::string text;
    for (const Json& word : words)
        text += (text.empty() ? "" : ", ") + word.get<std::string>();
    return text;
}

// "by a kernel of its own", for the slowest of its types.
std::string productsOf(const Json& types)
{
    bool inMatmul = false;
    bool own = false;
    for (const Json& type : types) {
        const MatmulKind kind = rowOf(*dtypeFromStored(type.get<std::string>())).matmul;
        inMatmul = inMatmul || kind == MatmulKind::Dequantized;
        own = own || kind == MatmulKind::Own;
    }
    return inMatmul ? "some dequantized in the product" : own ? "own kernels" : "plain";
}

TEST(BuildsTest, TypesFitTheRows)
{
    const Json all = builds();
    EXPECT_EQ(all.size(), 50U);
    for (const Json& build : all) {
        for (const Json& word : build.at("types")) {
            const auto dtype = dtypeFromStored(word.get<std::string>());
            ASSERT_TRUE(dtype) << build.at("name") << ": " << word;
            bool fits = build.at("rows").empty();
            for (const Json& row : build.at("rows"))
                fits = fits || row.get<std::int64_t>() % rowOf(*dtype).block == 0;
            EXPECT_TRUE(fits) << build.at("name") << " has no row for " << word;
        }
        // For each row, one of the types in a file has to fit.
        for (const Json& row : build.at("rows")) {
            bool fits = false;
            for (const Json& word : build.at("types")) {
                const auto block = rowOf(*dtypeFromStored(word.get<std::string>())).block;
                fits = fits || row.get<std::int64_t>() % block == 0;
            }
            EXPECT_TRUE(fits) << build.at("name") << ": rows of " << row;
        }
    }
}

TEST(BuildsTest, TheDocumentationSaysWhichLoad)
{
    std::string text =
        "# Models that people run\n\n"
        "Fifty popular builds and whether this version loads them, judged by their "
        "description and types; made from\n`tests/data/builds/` by `builds_test.cpp` "
        "(`EP_WRITE_DOCS=1 build/bin/model_test --gtest_filter='BuildsTest.*'` writes "
        "this page).\n\n"
        "| build | from | types of its matrices | loads | multiplied |\n"
        "| --- | --- | --- | --- | --- |\n";
    int loads = 0;
    for (const Json& build : builds()) {
        const std::string problem = refusal(build);
        loads += problem.empty() ? 1 : 0;
        const std::string reason = problem.substr(0, problem.find("; supported are"));
        text += "| " + build.at("name").get<std::string>() + " | "
            + build.at("from").get<std::string>() + " | " + joined(build.at("types")) + " | "
            + (problem.empty() ? "yes" : "no: " + reason + "; attach to the server that runs it")
            + " | " + (problem.empty() ? productsOf(build.at("types")) : "") + " |\n";
        // A refusal names what is missing.
        EXPECT_TRUE(problem.empty() || problem.find("not supported") != std::string::npos)
            << build.at("name") << ": " << problem;
    }
    text += "\n" + std::to_string(loads) + " of 50 load.\n";
    EXPECT_GE(loads, 42);
    const std::string page = std::string(EP_DOCS_DIR) + "/models.md";
    if (std::getenv("EP_WRITE_DOCS"))
        std::ofstream(page) << text;
    std::ifstream file(page);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
}

} // namespace
} // namespace ep::model
