// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/pairs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ep::powerlog {
namespace {

PairTable read(std::string_view text)
{
    auto table = readPairs(text, "pairs.csv");
    EXPECT_TRUE(table) << (table ? "" : table.error().message);
    return table ? *std::move(table) : PairTable{};
}

std::string refusal(std::string_view text)
{
    const auto table = readPairs(text, "pairs.csv");
    return table ? "" : table.error().message.english();
}

const PairTable kPlain = {.figures = {"mj_per_token"},
                          .pairs = {{.number = 1,
                                     .order = energy::PairOrder::AFirst,
                                     .values = {{.a = 100.0, .b = 120.5}},
                                     .row = 2},
                                    {.number = 2,
                                     .order = energy::PairOrder::BFirst,
                                     .values = {{.a = 101.0, .b = 119.0}},
                                     .row = 3}},
                          .findings = {}};

TEST(Pairs, ReadsAnySpellingOfATable)
{
    for (const std::string_view text : {
             "pair,order,a_mj_per_token,b_mj_per_token\n1,AB,100,120.5\n2,BA,101,119\n",
             "pair,order,a_mj_per_token,b_mj_per_token\n1,AB,100,120.5\n2,BA,101,119",
             "\xEF\xBB\xBFpair,order,a_mj_per_token,b_mj_per_token\r\n1,AB,100,120.5\r\n2,BA,101,"
             "119\r\n",
             "b_mj_per_token,pair,a_mj_per_token,order\n120.5,1,100,AB\n119,2,101,BA\n",
             "\"pair\",\"order\",\"a_mj_per_token\",\"b_mj_per_token\"\n\"1\",\"AB\",\"100\","
             "\"120.5\"\n\"2\",\"BA\",\"101\",\"119\"\n",
             "Pair, Order, A_mJ_per_token, B_mJ_per_token\n 1, a first, 1.00e2, 120.5\n 2, ba, "
             "101.0, 119\n",
             "pair;order;a_mj_per_token;b_mj_per_token\n1;AB;100;120,5\n2;BA;101;119\n",
             "pair\torder\ta_mj_per_token\tb_mj_per_token\n1\tA\t100\t120.5\n2\tB\t101\t119\n",
             "pair,order,note,a_j_per_token,b_j_per_token\n1,AB,\"warm, so "
             "far\",0.1,0.1205\n2,BA,,0.101,0.119\n",
             "pair,order,a_mj_per_token,b_mj_per_token,\n1,AB,100,120.5,\n2,BA,101,119,\n",
         }) {
        SCOPED_TRACE(text);
        const PairTable table = read(text);
        ASSERT_EQ(table.pairs.size(), 2U);
        EXPECT_EQ(table.figures, kPlain.figures);
        EXPECT_TRUE(table.findings.empty());
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(table.pairs[i].number, kPlain.pairs[i].number);
            EXPECT_EQ(table.pairs[i].order, kPlain.pairs[i].order);
            EXPECT_DOUBLE_EQ(*table.pairs[i].values[0].a, *kPlain.pairs[i].values[0].a);
            EXPECT_DOUBLE_EQ(*table.pairs[i].values[0].b, *kPlain.pairs[i].values[0].b);
        }
        EXPECT_NEAR(table.ratios(0)[0].log_ratio, std::log(100.0 / 120.5), 1e-12);
    }
}

TEST(Pairs, FollowsTheNumbersAndNotTheRows)
{
    const PairTable table = read("pair,order,a_mj_per_token,b_mj_per_token\n10,AB,3,1\n-2,BA,1,1\n"
                                 "9,AB,2,1\n");
    ASSERT_EQ(table.pairs.size(), 3U);
    EXPECT_EQ(table.pairs[0].number, -2);
    EXPECT_EQ(table.pairs[1].number, 9);
    EXPECT_EQ(table.pairs[2].number, 10);
    const PairTable unnumbered = read("a_mj_per_token,b_mj_per_token\n3,1\n2,1\n");
    EXPECT_DOUBLE_EQ(*unnumbered.pairs[0].values[0].a, 3.0);
    EXPECT_EQ(unnumbered.pairs[0].order, energy::PairOrder::Unknown);
}

TEST(Pairs, ReadsFurtherFigures)
{
    const PairTable table =
        read("pair,a_ms_per_token,b_ms_per_token,a_mj_per_token,b_mj_per_token,a_perplexity,"
             "b_perplexity,a_alone\n1,5,4,1,2,7,7.5,0\n");
    EXPECT_EQ(table.figures,
              (std::vector<std::string>{"mj_per_token", "ms_per_token", "perplexity"}));
    EXPECT_EQ(table.pairs[0].values[1], (PairValues{.a = 5.0, .b = 4.0}));
    EXPECT_EQ(table.pairs[0].values[2], (PairValues{.a = 7.0, .b = 7.5}));
}

TEST(Pairs, SaysWhatIsDamagedAndGoesOn)
{
    struct Case {
        const char* row;
        const char* sentence;
        bool kept; // kept as a pair without that energy
    };
    for (const Case& each : {
             Case{"2,AB,-3,4", "row 3: a_mj_per_token is “-3”, which is not above zero", true},
             Case{"2,AB,3,0", "row 3: b_mj_per_token is “0”, which is not above zero", true},
             Case{"2,AB,inf,4", "row 3: a_mj_per_token is “inf” instead of a number", true},
             Case{"2,AB,NaN,4", "row 3: a_mj_per_token is “NaN” instead of a number", true},
             Case{"2,AB,1e999,4", "row 3: a_mj_per_token is “1e999” instead of a number", true},
             Case{"2,AB,,4", "row 3: a_mj_per_token is missing, which is not zero", true},
             Case{"2,AB,3 mJ,4", "row 3: a_mj_per_token is “3 mJ” instead of a number", true},
             Case{"2,AB,3", "row 3: it has 3 columns instead of 4", false},
             Case{"2,AB,3,4,5", "row 3: it has 5 columns instead of 4", false},
             Case{"x,AB,3,4", "row 3: “x” is not the number of a pair", false},
             Case{"1.5,AB,3,4", "row 3: “1.5” is not the number of a pair", false},
             Case{"1,BA,3,4", "row 3: pair 1 was there before", false},
         }) {
        SCOPED_TRACE(each.row);
        const PairTable table = read("pair,order,a_mj_per_token,b_mj_per_token\n1,AB,1,2\n"
                                     + std::string(each.row) + "\n3,BA,1,2\n");
        ASSERT_EQ(table.findings.size(), 1U);
        EXPECT_TRUE(table.findings[0].text.english().starts_with(each.sentence))
            << table.findings[0].text;
        EXPECT_EQ(table.pairs.size(), each.kept ? 3U : 2U);
        EXPECT_EQ(table.ratios(0).size(), 2U);
    }
    const PairTable order = read("pair,order,a_mj_per_token,b_mj_per_token\n1,first,1,2\n");
    EXPECT_EQ(order.ratios(0).size(), 1U);
    EXPECT_EQ(order.findings[0].text,
              "row 2: the order is “first” instead of AB or BA, so drift within the pair is not "
              "removed.");
    const PairTable cut = read("pair,order,a_mj_per_token,b_mj_per_token\n1,AB,1,2\n2,BA");
    EXPECT_EQ(cut.findings[0].text, "row 3: it is cut off and was left out.");
}

TEST(Pairs, RefusesWhatIsNoTableOfPairs)
{
    EXPECT_EQ(refusal(""), "pairs.csv: The file is empty.");
    EXPECT_EQ(refusal("pair,order,a,b\n1,AB,1,2\n"),
              "pairs.csv, row 1: no pairs of energies were found; the table needs the columns "
              "a_mj_per_token and b_mj_per_token.");
    EXPECT_EQ(refusal("pair,order,a_mj_per_token,b_mj_per_token\n"),
              "pairs.csv: It has no pair with the energies of both settings.");
    EXPECT_EQ(refusal("pair,order,a_mj_per_token,b_mj_per_token\n1,AB,0,1\n"),
              "pairs.csv: It has no pair with the energies of both settings; row 2: "
              "a_mj_per_token is “0”, which is not above zero; the pair does not count for it.");
}

} // namespace
} // namespace ep::powerlog
