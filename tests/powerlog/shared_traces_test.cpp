// SPDX-License-Identifier: GPL-3.0-or-later
// Other people's recordings with known energies, which are not part of the repository.
#include "support/folders.h"

#include "ep/json/document.h"
#include "ep/powerlog/read.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace ep::powerlog {
namespace {

std::filesystem::path traces()
{
    return std::filesystem::path(ep::test::referencePath()).parent_path() / "traces";
}

ReadOptions optionsFor(const std::string& file)
{
    ReadOptions options;
    if (file == "made/dcgmi-dmon.txt")
        options.period_s = 1.0;
    if (file == "samples/turbostat-60s.out")
        options.period_s = 60.0;
    return options;
}

class SharedTraces : public testing::TestWithParam<std::string> { };

TEST_P(SharedTraces, HasTheExpectedJoules)
{
    const auto expected =
        json::readFile(traces() / "expected.json", 10'000'000).value().at(GetParam());
    const auto recording = readRecording(traces() / GetParam(), optionsFor(GetParam()));
    if (expected["span_s"] == 0.0 && !expected["rails"].begin()->contains("covered_s")) {
        // A single instant has no energy, which differs from 0 J.
        ASSERT_FALSE(recording);
        EXPECT_NE(recording.error().message.english().find("single row"), std::string::npos);
        return;
    }
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_NE(recording->verdict(), Weight::Poor) << testing::PrintToString(recording->notes());
    EXPECT_EQ(recording->rows, expected["rows"].get<std::int64_t>());
    EXPECT_NEAR(static_cast<double>(recording->first_ns) * 1e-9, expected["first"].get<double>(),
                1e-5);
    EXPECT_NEAR(static_cast<double>(recording->last_ns) * 1e-9, expected["last"].get<double>(),
                1e-5);
    for (const auto& [name, values] : expected["rails"].items()) {
        const RailRecording* rail = recording->rail(name);
        ASSERT_NE(rail, nullptr) << name;
        const auto joules = values["J"].get<double>();
        EXPECT_NEAR(rail->joules, joules, 1e-4 * joules + 1e-6) << name;
        EXPECT_EQ(powerlog::name(rail->rule), values["rule"].get<std::string>()) << name;
        EXPECT_EQ(rail->samples, values["n"].get<std::int64_t>()) << name;
        if (values.contains("covered_s")) {
            EXPECT_NEAR(rail->covered_s, values["covered_s"].get<double>(), 1e-4) << name;
        }
        double windows = 0.0;
        for (const Window& window : rail->windows)
            windows += window.joules;
        EXPECT_NEAR(windows, rail->joules, 1e-9 * joules + 1e-9) << name;
    }
}

std::vector<std::string> files()
{
    std::vector<std::string> names;
    std::error_code failed;
    if (!std::filesystem::exists(traces() / "expected.json", failed))
        return names;
    const auto expected = json::readFile(traces() / "expected.json", 10'000'000).value();
    for (const auto& [name, values] : expected.items())
        names.push_back(name);
    return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SharedTraces);
INSTANTIATE_TEST_SUITE_P(Expected, SharedTraces, testing::ValuesIn(files()), [](const auto& one) {
    std::string name = one.param;
    for (char& c : name)
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
});

} // namespace
} // namespace ep::powerlog
