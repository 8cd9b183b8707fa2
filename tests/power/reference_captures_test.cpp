// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real captures stored next to the checkout; this file is only compiled if they exist.
#include "power/power_test_support.h"
#include "support/folders.h"

#include "ep/power/capture_reader.h"

#include <gmock/gmock.h>

namespace ep::power {
namespace {

using ep::test::readFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFolder = test::referencePath("powermetrics/");

std::vector<PowermetricsDocument> readInTwo(const std::string& stream, std::size_t cut)
{
    PlistSplitter splitter;
    std::vector<PowermetricsDocument> documents;
    const auto drain = [&] {
        while (const auto xml = splitter.next()) {
            const auto document = readPowermetricsDocument(*xml);
            if (document)
                documents.push_back(*document);
        }
    };
    splitter.append(stream.substr(0, cut));
    drain();
    splitter.append(stream.substr(cut));
    drain();
    return documents;
}

TEST(ReferenceCaptures, M1)
{
    const auto stream = readFile(kFolder + "m1-one-document.plist");
    const auto documents = readInTwo(stream, 0);
    ASSERT_EQ(documents.size(), 1u);
    const auto& document = documents[0];
    EXPECT_EQ(document.hw_model, "MacBookPro17,1");
    EXPECT_EQ(document.os_build, "22E252");
    EXPECT_EQ(document.elapsed_ns, 2019178750);
    EXPECT_EQ(document.cpu_energy_mj, 89);
    EXPECT_EQ(document.cpu_power_mw, 44.0773);
    EXPECT_EQ(document.gpu_energy_mj, 31);
    EXPECT_EQ(document.gpu_power_mw, 15.3528);
    EXPECT_EQ(document.ane_energy_mj, 0);
    EXPECT_EQ(document.combined_power_mw, 59.4301);
    const auto sample = toPowerSample(document, {0, 2019178750}, 0);
    ASSERT_TRUE(sample);
    EXPECT_NEAR(sample->power_mw[Rail::Cpu]->value, 44.0773, 5e-5);
    EXPECT_NEAR(sample->power_mw[Rail::Gpu]->value, 15.3528, 5e-5);
    EXPECT_EQ(sample->total_mw, Milliwatts{59.4301});
    EXPECT_EQ(sample->power_mw[Rail::Dram], std::nullopt);
    for (std::size_t cut = 0; cut <= stream.size(); cut += 97)
        ASSERT_EQ(readInTwo(stream, cut), documents) << cut;
}

TEST(ReferenceCaptures, GpuSamplerOnly)
{
    const auto stream = readFile(kFolder + "m4pro-gpu-sampler-only.plist");
    const auto documents = readInTwo(stream, 0);
    ASSERT_EQ(documents.size(), 1u);
    EXPECT_FALSE(documents[0].has_processor);
    EXPECT_EQ(documents[0].elapsed_ns, 5005449083);
    EXPECT_EQ(documents[0].gpu_section_energy_mj, 9);
    EXPECT_THAT(railsOf(documents[0]), ElementsAre(Rail::Gpu));
    for (std::size_t cut = 0; cut <= stream.size(); cut += 7)
        ASSERT_EQ(readInTwo(stream, cut).size(), 1u) << cut;
}

TEST(ReferenceCaptures, OldIntelWithoutEnergies)
{
    CaptureReader reader(kFolder + "intel-no-processor.plist");
    const auto opened = reader.open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(opened.error().message, HasSubstr("MacBookPro5,4 with system 13B42"));
    EXPECT_THAT(opened.error().message, HasSubstr("no `processor` section"));
}

TEST(ReferenceCaptures, OneAfterTheOther)
{
    const auto m1 = readFile(kFolder + "m1-one-document.plist");
    const auto m4 = readFile(kFolder + "m4pro-gpu-sampler-only.plist");
    const auto stream = m1 + std::string(1, '\0') + m4 + std::string(1, '\0') + m1;
    const auto documents = readInTwo(stream, stream.size() / 2);
    ASSERT_EQ(documents.size(), 3u);
    EXPECT_EQ(documents[0], documents[2]);
    EXPECT_EQ(documents[1].hw_model, "Mac16,8");
}

} // namespace
} // namespace ep::power
