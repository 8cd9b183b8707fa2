// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_powermetrics_document.h"

#include "ep/power/powermetrics_document.h"

#include <gmock/gmock.h>

#include <clocale>
#include <string>

namespace ep::power {
namespace {

using ep::test::fakeDocument;
using ep::test::FakeSystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string plist(const std::string& body)
{
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
           "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
           "<plist version=\"1.0\">\n<dict>\n"
        + body + "</dict>\n</plist>\n";
}

PowermetricsDocument read(const std::string& xml)
{
    const auto document = readPowermetricsDocument(xml);
    EXPECT_TRUE(document) << document.error().message;
    return document ? *document : PowermetricsDocument{};
}

TEST(PowermetricsDocument, ReadsAnAppleSiliconDocument)
{
    const auto document = read(fakeDocument({.elapsed_ns = 111'800'000,
                                             .cpu_mj = 268,
                                             .gpu_mj = 2617,
                                             .ane_mj = 3,
                                             .busy = 0.25,
                                             .time_s = 1'688'098'528}));
    EXPECT_EQ(document.elapsed_ns, 111'800'000);
    EXPECT_EQ(document.hw_model, "Fake1,1");
    EXPECT_EQ(document.os_build, "24F74");
    EXPECT_EQ(document.timestamp, "2023-06-30T04:15:28Z");
    EXPECT_EQ(document.thermal_pressure, "Nominal");
    EXPECT_TRUE(document.has_processor);
    EXPECT_EQ(document.cpu_energy_mj, 268);
    EXPECT_EQ(document.gpu_energy_mj, 2617) << "from processor, not from gpu";
    EXPECT_EQ(document.gpu_section_energy_mj, 2617 + 32);
    EXPECT_EQ(document.ane_energy_mj, 3);
    EXPECT_EQ(document.dram_energy_mj, std::nullopt);
    EXPECT_EQ(document.package_energy_mj, std::nullopt);
    EXPECT_DOUBLE_EQ(document.cpu_power_mw.value(), 2397.14);
    EXPECT_DOUBLE_EQ(document.gpu_power_mw.value(), 23407.9);
    EXPECT_DOUBLE_EQ(document.combined_power_mw.value(), 25831.8);
    EXPECT_NEAR(document.cores_busy_ratio.value(), 0.25, 1e-12);
    EXPECT_THAT(railsOf(document), ElementsAre(Rail::Cpu, Rail::Gpu, Rail::Ane));
}

TEST(PowermetricsDocument, BecomesASampleWithEnergiesAndTheirMeanPower)
{
    const auto document =
        read(fakeDocument({.elapsed_ns = 200'000'000, .cpu_mj = 300, .gpu_mj = 1000}));
    const auto sample = toPowerSample(document, {5, 200'000'005}, 200'000'009);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->window, (TimeRange{5, 200'000'005}));
    EXPECT_EQ(sample->arrival_ns, 200'000'009);
    EXPECT_EQ(sample->energy_mj[Rail::Cpu], Millijoules{300});
    EXPECT_EQ(sample->energy_mj[Rail::Gpu], Millijoules{1000});
    EXPECT_EQ(sample->energy_mj[Rail::Ane], Millijoules{0});
    EXPECT_EQ(sample->energy_mj[Rail::Dram], std::nullopt);
    EXPECT_EQ(sample->energy_mj[Rail::System], std::nullopt);
    EXPECT_DOUBLE_EQ(sample->power_mw[Rail::Cpu]->value, 1500.0);
    EXPECT_DOUBLE_EQ(sample->power_mw[Rail::Gpu]->value, 5000.0);
    EXPECT_EQ(sample->power_mw[Rail::Dram], std::nullopt);
    EXPECT_DOUBLE_EQ(sample->total_mw->value, 6500.0);
    EXPECT_FALSE(sample->modelled);
}

TEST(PowermetricsDocument, HasMemoryAndPackageOnMacOs12)
{
    const auto document = read(fakeDocument({.elapsed_ns = 1'000'000'000,
                                             .cpu_mj = 1000,
                                             .gpu_mj = 200,
                                             .dram_mj = 120,
                                             .package_mj = 1473},
                                            FakeSystem::MacOs12));
    EXPECT_EQ(document.dram_energy_mj, 120);
    EXPECT_EQ(document.package_energy_mj, 1473);
    EXPECT_THAT(railsOf(document), ElementsAre(Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram));
    const auto sample = toPowerSample(document, {0, 1'000'000'000}, 0);
    ASSERT_TRUE(sample);
    EXPECT_DOUBLE_EQ(sample->total_mw->value, 1320.0) << "the sum of the rails";
}

TEST(PowermetricsDocument, GivesThePackageOfAnIntelMacAsCpu)
{
    const auto document =
        read(fakeDocument({.elapsed_ns = 500'000'000, .package_mj = 4265}, FakeSystem::Intel));
    EXPECT_DOUBLE_EQ(document.package_joules.value(), 4.265);
    const auto sample = toPowerSample(document, {0, 500'000'000}, 0);
    ASSERT_TRUE(sample);
    EXPECT_DOUBLE_EQ(sample->energy_mj[Rail::Cpu]->value, 4265.0);
    EXPECT_DOUBLE_EQ(sample->power_mw[Rail::Cpu]->value, 8530.0);
    EXPECT_EQ(sample->power_mw[Rail::Gpu], std::nullopt);
}

TEST(PowermetricsDocument, TakesTheGpuSectionOnlyWhereTheProcessorHasNoGpu)
{
    const auto xml = plist("<key>elapsed_ns</key><integer>5005449083</integer>\n"
                           "<key>gpu</key>\n<dict>\n<key>idle_ns</key><integer>7</integer>\n"
                           "<key>idle_ratio</key><real>0.9</real>\n"
                           "<key>idle_ns</key><integer>7</integer>\n"
                           "<key>idle_ratio</key><real>0.9</real>\n"
                           "<key>gpu_energy</key><integer>9</integer>\n</dict>\n");
    const auto document = read(xml);
    EXPECT_FALSE(document.has_processor);
    EXPECT_EQ(document.gpu_energy_mj, std::nullopt);
    EXPECT_EQ(document.gpu_section_energy_mj, 9);
    EXPECT_THAT(railsOf(document), ElementsAre(Rail::Gpu));
    const auto sample = toPowerSample(document, {0, 5005449083}, 0);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->energy_mj[Rail::Cpu], std::nullopt);
    EXPECT_NEAR(sample->power_mw[Rail::Gpu]->value, 1.79804, 1e-5);
}

TEST(PowermetricsDocument, ReadsByNestingAndNotByName)
{
    const auto document =
        read(plist("<key>cpu_energy</key><integer>1</integer>\n"
                   "<key>elapsed_ns</key>\n<integer>\n100\n</integer>\n"
                   "<key>tasks</key><array><dict><key>processor</key><dict>"
                   "<key>cpu_energy</key><integer>2</integer></dict>"
                   "<key>elapsed_ns</key><integer>3</integer></dict></array>\n"
                   "<key>processor</key><dict><key>cpu_energy</key><integer>4</integer>"
                   "<key>unknown</key><dict><key>cpu_energy</key><integer>5</integer></dict>"
                   "<key>clusters</key><array><dict><key>cpu_energy</key><integer>6</integer>"
                   "</dict></array></dict>\n"));
    EXPECT_EQ(document.elapsed_ns, 100);
    EXPECT_EQ(document.cpu_energy_mj, 4);
}

TEST(PowermetricsDocument, CountsIn64Bits)
{
    const auto document =
        read(plist("<key>elapsed_ns</key><integer>3600000000000</integer><key>processor</key><dict>"
                   "<key>cpu_energy</key><integer>93642</integer>"
                   "<key>gpu_energy</key><integer>9223372036854775807</integer></dict>"));
    EXPECT_EQ(document.elapsed_ns, 3'600'000'000'000);
    EXPECT_EQ(document.cpu_energy_mj, 93642);
    EXPECT_EQ(document.gpu_energy_mj, INT64_MAX);
}

TEST(PowermetricsDocument, LetsTheLastOfDuplicateKeysWin)
{
    const auto document =
        read(plist("<key>processor</key><dict><key>cpu_energy</key><integer>1</integer>"
                   "<key>cpu_energy</key><integer>2</integer></dict>"));
    EXPECT_EQ(document.cpu_energy_mj, 2);
}

struct BadNumber {
    const char* name;
    const char* element;
};

class PowermetricsBadNumbers : public ::testing::TestWithParam<BadNumber> { };

TEST_P(PowermetricsBadNumbers, AreMissingAndNotZero)
{
    const auto document = read(plist("<key>processor</key><dict><key>cpu_energy</key>"
                                     + std::string(GetParam().element) + "<key>cpu_power</key>"
                                     + GetParam().element + "</dict>"));
    EXPECT_EQ(document.cpu_energy_mj, std::nullopt);
    EXPECT_EQ(document.cpu_power_mw, std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(All, PowermetricsBadNumbers,
                         ::testing::Values(BadNumber{"empty", "<integer></integer>"},
                                           BadNumber{"word", "<integer>many</integer>"},
                                           BadNumber{"trailing", "<real>12x</real>"},
                                           BadNumber{"negative", "<integer>-5</integer>"},
                                           BadNumber{"infinite", "<real>inf</real>"},
                                           BadNumber{"notANumber", "<real>nan</real>"},
                                           BadNumber{"huge", "<real>1e999</real>"},
                                           BadNumber{"grouped", "<real>1,500</real>"},
                                           BadNumber{"hexadecimal", "<integer>0x10</integer>"},
                                           BadNumber{"container", "<dict></dict>"}),
                         [](const auto& test) { return test.param.name; });

TEST(PowermetricsDocument, UsesThePrintedPowerWhereAnEnergyIsNotAWholeNumber)
{
    const auto document =
        read(plist("<key>elapsed_ns</key><integer>100</integer><key>processor</key><dict>"
                   "<key>cpu_energy</key><real>1.5</real>"
                   "<key>cpu_power</key><real>6.93576e-05</real></dict>"));
    const auto sample = toPowerSample(document, {0, 100}, 0);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->energy_mj[Rail::Cpu], std::nullopt);
    EXPECT_DOUBLE_EQ(sample->power_mw[Rail::Cpu]->value, 6.93576e-05);
}

TEST(PowermetricsDocument, ReadsRealsUnderALocaleWithDecimalComma)
{
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where it is not installed the point stays, too
    const auto document =
        read(plist("<key>processor</key><dict><key>cpu_power</key><real>44.0773</real></dict>"));
    std::setlocale(LC_NUMERIC, before.c_str());
    EXPECT_EQ(document.cpu_power_mw, 44.0773);
}

TEST(PowermetricsDocument, ToleratesWhatTheTaskSamplersWriteWrongly)
{
    const auto document =
        read(plist("<key>tasks</key><array><dict><key>name</key><string>Q&A &amp; R\xC3</string>"
                   "<key>name</key><string>bell\x07</string></dict></array>"
                   "<key>processor</key><dict><key>cpu_energy</key><integer>7</integer></dict>"));
    EXPECT_EQ(document.cpu_energy_mj, 7);
}

TEST(PowermetricsDocument, SubtractsTimeInWhichCoresWereDown)
{
    const auto document =
        read(plist("<key>processor</key><dict><key>clusters</key><array><dict><key>cpus</key>"
                   "<array><dict><key>idle_ratio</key><real>0.5</real>"
                   "<key>down_ratio</key><real>0.3</real></dict>"
                   "<dict><key>idle_ratio</key><real>0</real></dict></array>"
                   "</dict></array></dict>"));
    EXPECT_NEAR(document.cores_busy_ratio.value(), 0.6, 1e-12);
}

TEST(PowermetricsDocument, DistinguishesMachinesWithoutEnergies)
{
    const auto vm = read(fakeDocument({}, FakeSystem::VirtualMachine));
    EXPECT_TRUE(vm.has_processor);
    const auto vmSample = toPowerSample(vm, {0, 1}, 0);
    ASSERT_FALSE(vmSample);
    EXPECT_EQ(vmSample.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(vmSample.error().message, HasSubstr("virtual machine"));
    EXPECT_THAT(vmSample.error().message, HasSubstr("Fake1,1 with system 24F74"));

    const auto old = toPowerSample(read(fakeDocument({}, FakeSystem::Unsupported)), {0, 1}, 0);
    ASSERT_FALSE(old);
    EXPECT_EQ(old.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(old.error().message, HasSubstr("no `processor` section"));
}

TEST(PowermetricsDocument, NeedsTheLengthOfTheWindow)
{
    for (const char* elapsed : {"", "<key>elapsed_ns</key><integer>0</integer>"}) {
        const auto document = read(
            plist(std::string(elapsed)
                  + "<key>processor</key><dict><key>cpu_energy</key><integer>7</integer></dict>"));
        const auto sample = toPowerSample(document, {0, 1}, 0);
        ASSERT_FALSE(sample);
        EXPECT_THAT(sample.error().message, HasSubstr("elapsed_ns"));
    }
}

struct BadDocument {
    const char* name;
    std::string xml;
    const char* reason;
};

class PowermetricsBadDocuments : public ::testing::TestWithParam<BadDocument> { };

TEST_P(PowermetricsBadDocuments, AreRefusedWithAReason)
{
    const auto document = readPowermetricsDocument(GetParam().xml);
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().code, ErrorCode::InvalidInput);
    EXPECT_THAT(document.error().message, HasSubstr(GetParam().reason));
}

std::string nested(int depth)
{
    std::string body = "<key>a</key>";
    for (int i = 0; i < depth; ++i)
        body += "<array>";
    for (int i = 0; i < depth; ++i)
        body += "</array>";
    return plist(body);
}

std::string billionLaughs()
{
    return "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"lol\">"
           "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;\">]>"
           "<plist><dict><key>hw_model</key><string>&c;</string></dict></plist>\n";
}

INSTANTIATE_TEST_SUITE_P(
    All, PowermetricsBadDocuments,
    ::testing::Values(BadDocument{"empty", "", "no element found"},
                      BadDocument{"notXml", "hello", "syntax error"},
                      BadDocument{"otherXml", "<html></html>", "not a property list"},
                      BadDocument{"cutOff", "<?xml version=\"1.0\"?><plist><dict>", "line 1"},
                      BadDocument{"mismatched", "<plist><dict></plist>", "mismatched tag"},
                      BadDocument{"entities", billionLaughs(), "declares entities"},
                      BadDocument{"deep", nested(1000), "nested too deeply"}),
    [](const auto& test) { return test.param.name; });

TEST(PowermetricsDocument, AcceptsNestingThatIsReal)
{
    EXPECT_TRUE(readPowermetricsDocument(nested(40)));
}

TEST(PowermetricsDocument, NeverTakesATruncatedDocumentForAWholeOne)
{
    struct Case {
        FakeSystem system;
        std::size_t step;
    };
    for (const auto& [system, step] : {Case{FakeSystem::Unsupported, 1}, Case{FakeSystem::Intel, 1},
                                       Case{FakeSystem::AppleSilicon, 13}}) {
        const auto xml = fakeDocument({.cpu_mj = 5}, system);
        const auto end = xml.find("</plist>") + 8;
        for (std::size_t length = 0; length < end; length += step)
            ASSERT_FALSE(readPowermetricsDocument(std::string_view(xml).substr(0, length)))
                << length;
        EXPECT_TRUE(readPowermetricsDocument(std::string_view(xml).substr(0, end)));
    }
}

} // namespace
} // namespace ep::power
