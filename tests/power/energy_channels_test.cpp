// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/ioreport_source.h"
#include "support/folders.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace ep::power {
namespace {

using ::testing::ElementsAreArray;

// Expands patterns: "ANE0_[0-1]" to two names, "PCPUDTL[0-3][0-9a-e]" to sixty.
std::vector<std::string> namesOf(const std::string& pattern)
{
    const std::size_t open = pattern.find('[');
    if (open == std::string::npos)
        return {pattern};
    const std::size_t close = pattern.find(']', open);
    std::vector<std::string> names;
    for (std::size_t i = open + 1; i + 2 < close; i += 3) {
        for (char c = pattern[i]; c <= pattern[i + 2]; ++c) {
            for (const std::string& rest : namesOf(pattern.substr(close + 1)))
                names.push_back(pattern.substr(0, open) + c + rest);
        }
    }
    return names;
}

struct Group {
    const char* pattern;
    const char* unit = "mJ";
    int times = 1; // how often each name is listed
};
struct Chip {
    const char* name;
    std::vector<Group> groups;
    std::size_t count; // number of all channels
    PerRail<std::vector<std::string>> chosen; // "NAME, UNIT"
};

void PrintTo(const Chip& chip, std::ostream* out)
{
    *out << chip.name;
}

PerRail<std::vector<std::string>> rails(std::vector<std::string> cpu, std::vector<std::string> gpu,
                                        std::vector<std::string> ane, std::vector<std::string> dram)
{
    PerRail<std::vector<std::string>> rails;
    rails[Rail::Cpu] = std::move(cpu);
    rails[Rail::Gpu] = std::move(gpu);
    rails[Rail::Ane] = std::move(ane);
    rails[Rail::Dram] = std::move(dram);
    return rails;
}

// What the chips publish according to listings by their owners: every level of the processor
// beside its sum, the GPU twice (in mJ without its memory, in nJ with it), the dies of an Ultra
// with a prefix or a suffix.
using Groups = std::vector<Group>;

// macOS 26.5; SiliconScope, docs/ioreport-channels.md
const Groups kM1Max = {
    {"EACC_CPU[0-1]"}, {"PACC[0-1]_CPU[0-3]"},
    {"EACC_CPM"},      {"PACC[0-1]_CPM"},
    {"EACC_CPU"},      {"PACC[0-1]_CPU"},
    {"CPU Energy"},    {"GPU0"},
    {"GPU SRAM0"},     {"ANE0"},
    {"DRAM0"},         {"DCS0"},
    {"AMCC0"},         {"GPU Energy", "nJ"},
};

// macOS 27.0 (26A428), complete; all-smi, issue 415. It lists the DTL names twice.
const Groups kM1Ultra = {
    {"DIE_[0-1]_EACC_CPU[0-1]"},
    {"DIE_[0-1]_PACC[0-1]_CPU[0-3]"},
    {"DIE_[0-1]_EACC_CPM"},
    {"DIE_[0-1]_PACC[0-1]_CPM"},
    {"DIE_[0-1]_EACC_CPU"},
    {"DIE_[0-1]_PACC[0-1]_CPU"},
    {"DIE_[0-1]_CPU Energy"},
    {"ECPUDTL[0-1][0-4]", "mJ", 2},
    {"PCPUDTL[0-3][0-9a-e]", "mJ", 2},
    {"PCPU1DTL[0-3][0-9a-e]", "mJ", 2},
    {"GPU0_0"},
    {"GPU SRAM0_0"},
    {"ANE0_[0-1]"},
    {"ISP0_[0-1]"},
    {"AVE0_[0-1]"},
    {"MSR0_[0-1]"},
    {"DCS0_[0-1]"},
    {"DRAM0_[0-1]"},
    {"AMCC0_[0-1]"},
    {"apciec[0-5] Energy", "uJ"},
    {"PCIe Port [0-3] Energy", "uJ"},
    {"GPU Energy", "nJ"},
};

// Four efficiency cores, and two clusters of six cores.
const Groups kM3Max = {
    {"EACC_CPU[0-3]"},
    {"PACC[0-1]_CPU[0-5]"},
    {"EACC_CPU"},
    {"EACC_CPU_SRAM"},
    {"PACC[0-1]_CPU"},
    {"CPU Energy"},
    {"GPU0"},
    {"GPU CS0"},
    {"GPU SRAM0"},
    {"ANE0"},
    {"ANE0_SRAM"},
    {"DRAM0"},
    {"DCS0"},
    {"DISP0"},
    {"GPU Energy", "nJ"},
};

// macOS 27.0 (26A428), only the published names; all-smi
const Groups kM5Ultra = {
    {"DIE_[0-1]_PACC_[0-5]"},
    {"DIE_[0-1]_MCPM[0-1]"},
    {"DIE_[0-1]_PCPM"},
    {"DIE_[0-1]_PCPU"},
    {"DIE_[0-1]_CPU Energy"},
    {"PCPUDTL[0-5][0-9a-f]", "mJ", 2},
    {"GPU0_0"},
    {"GPU SRAM0_0"},
    {"ANE0_[0-1]"},
    {"DCS0_[0-1]"},
    {"DRAM0_[0-1]"},
    {"AMCC0_[0-1]"},
    {"apciec[0-5] Energy", "uJ"},
    {"GPU Energy", "nJ"},
};

// The A18 of a MacBook, and an M1 on some systems: they lack the sums of processor and memory.
const Groups kWithoutSums = {{"PACC_[0-1]"}, {"ECPM"}, {"GPU Energy", "nJ"}};

std::vector<Chip> chips()
{
    const auto ofOneDie =
        rails({"CPU Energy, mJ"}, {"GPU Energy, nJ"}, {"ANE0, mJ"}, {"DRAM0, mJ"});
    const auto ofTwoDies =
        rails({"DIE_0_CPU Energy, mJ", "DIE_1_CPU Energy, mJ"}, {"GPU Energy, nJ"},
              {"ANE0_0, mJ", "ANE0_1, mJ"}, {"DRAM0_0, mJ", "DRAM0_1, mJ"});
    return {
        {"M1Max", kM1Max, 24, ofOneDie},
        {"M1Ultra", kM1Ultra, 321, ofTwoDies},
        {"M3Max", kM3Max, 30, ofOneDie},
        {"M5Ultra", kM5Ultra, 231, ofTwoDies},
        {"WithoutSums", kWithoutSums, 4, rails({}, {"GPU Energy, nJ"}, {}, {})},
    };
}

class EnergyChannelsOf : public ::testing::TestWithParam<Chip> { };

void expectChosen(const std::vector<EnergyChannel>& channels,
                  const PerRail<std::vector<std::string>>& expected)
{
    const auto chosen = chooseChannels(channels);
    for (const Rail rail : kPartRails) {
        std::vector<std::string> names;
        for (const std::size_t i : chosen[rail].value_or(std::vector<std::size_t>{}))
            names.push_back(channels[i].name + ", " + channels[i].unit);
        EXPECT_THAT(names, ElementsAreArray(*expected[rail])) << name(rail);
    }
}

TEST_P(EnergyChannelsOf, AreTakenOnce)
{
    std::vector<EnergyChannel> channels;
    for (const Group& group : GetParam().groups) {
        for (int i = 0; i < group.times; ++i) {
            for (const std::string& name : namesOf(group.pattern))
                channels.push_back({name, group.unit});
        }
    }
    EXPECT_EQ(channels.size(), GetParam().count);
    expectChosen(channels, GetParam().chosen);
    // The order in which a system lists them does not matter.
    std::ranges::reverse(channels);
    const auto chosen = chooseChannels(channels);
    for (const Rail rail : kPartRails)
        EXPECT_EQ(chosen[rail].has_value(), !GetParam().chosen[rail]->empty());
}

INSTANTIATE_TEST_SUITE_P(Chips, EnergyChannelsOf, ::testing::ValuesIn(chips()),
                         [](const auto& test) { return std::string(test.param.name); });

// An M5 Max with macOS 27 has 364 channels; the list is not in the repository.
TEST(EnergyChannels, OfAnM5MaxAreTakenOnce)
{
    std::ifstream list(test::referencePath("../traces/J-ioreport-m5max/m5_max_energy_model.tsv"));
    if (!list)
        GTEST_SKIP() << "the list of channels is not there";
    std::vector<EnergyChannel> channels;
    std::string line;
    while (std::getline(list, line)) {
        const std::size_t tab = line.find('\t');
        if (!line.starts_with('#') && tab != std::string::npos)
            channels.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    ASSERT_EQ(channels.size(), 364U);
    expectChosen(channels,
                 rails({"CPU Energy, mJ"}, {"GPU Energy, nJ"}, {"ANE0, mJ"}, {"DRAM0, mJ"}));
}

} // namespace
} // namespace ep::power
