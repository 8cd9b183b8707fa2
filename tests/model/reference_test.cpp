// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library_impl.h"

#include "ep/model/engine_library.h"
#include "ep/model/tokenizer.h"
#include "ep/model/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

// Every model folder of EP_REFERENCE_DIR that has a golden.json, made with HuggingFace's own
// implementation. Registered by CMake only where the folder exists.
namespace ep::model {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> referenceModels()
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(EP_REFERENCE_DIR)) {
        if (fs::exists(entry.path() / "golden.json") && fs::exists(entry.path() / "config.json"))
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string testName(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

class ReferenceTest : public testing::TestWithParam<std::string> { };

TEST_P(ReferenceTest, numbersAreThoseOfHuggingFace)
{
    const fs::path folder = fs::path(EP_REFERENCE_DIR) / GetParam();
    const auto library = makeEngineLibrary();
    auto engine = library->load({.folder = folder, .device = "cpu"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    const auto tokenizer = Tokenizer::load(folder);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    const auto report = verifyAgainst(**engine, tokenizer->get(), folder / "golden.json", {});
    ASSERT_TRUE(report) << report.error().message;
    for (const VerifyCheck& check : report->checks)
        EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
    EXPECT_GE(report->checks.size(), 8U);
    EXPECT_EQ(report->greedy_matches, 16);
}

INSTANTIATE_TEST_SUITE_P(Models, ReferenceTest, testing::ValuesIn(referenceModels()), testName);

} // namespace
} // namespace ep::model
