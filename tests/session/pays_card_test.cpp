// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays/card_fields.h"

#include "ep/session/privacy.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

namespace {

using namespace ep;
using namespace ep::session;
using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

// A card as produced by a measurement of up to this many pairs, with an effect of A over B.
PaysCard madeCard(unsigned seed, int pairs = 8, double effect = 0.8)
{
    std::mt19937 engine(seed);
    const auto noise = [&] {
        return 1.0 + 0.02 * (static_cast<double>(engine() % 10'001) / 5'000.0 - 1.0);
    };
    PaysCard card{
        .machine_class = "Made-up M9, macOS",
        .app_version = "1.0.0",
        .os = "macOS 27.1",
        .torch_version = "2.6",
        .source = "ioreport",
        .provenance = Provenance::Measured,
        .a = {.model = "m", .fingerprint = "f", .dtype = "int8", .device = "cpu", .threads = 8},
        .b = {.model = "m", .fingerprint = "f", .dtype = "f32", .device = "cpu", .threads = 8},
        .prompt_hash = hashedText("Once")};
    std::int64_t now = 1'769'862'896'789 + 10'000'000LL * static_cast<std::int64_t>(seed % 1000);
    bool aFirst = seed % 2 == 0;
    for (int pair = 1; pair <= pairs; ++pair) {
        if (pair % 2 == 0)
            aFirst = !aFirst;
        CardPair made{.pair = pair};
        for (const bool a : {aFirst, !aFirst}) {
            CardRun& run = a ? made.a : made.b;
            run.id = std::to_string(seed) + (a ? "-a-" : "-b-") + std::to_string(pair);
            run.created_at_ms = now;
            run.duration_ns = 2'000'000'000;
            run.output_tokens = 64;
            const double level = noise();
            for (int i = 0; i < 20; ++i) {
                const CardWindow window{.begin_ns = i * 100'000'000LL,
                                        .end_ns = (i + 1) * 100'000'000LL,
                                        .mj = 1000.0 * (a ? effect : 1.0) * level * noise()};
                run.energy_mj += window.mj;
                run.windows.push_back(window);
            }
            now += 2'500;
        }
        card.pairs.push_back(made);
    }
    // The measurement stops with the verdict.
    card.pairs.resize(static_cast<std::size_t>(decide(pairTableOf(card)).test.pairs_used));
    card.hash = cardHash(card);
    return card;
}

std::string refusalOf(const std::string& text)
{
    const auto read = readCard(text, "card.json");
    return read ? std::string() : read.error().message.english();
}

// Seals a card as anyone can who knows how the hash is made.
std::string sealed(json card)
{
    card.erase("hash");
    card["hash"] = hashedText(card.dump());
    return card.dump();
}

TEST(PaysCards, ReadsWhatItWrites)
{
    const PaysCard card = madeCard(1);
    const auto read = readCard(cardJson(card), "card.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, card);
    // The layout of the JSON does not matter.
    EXPECT_EQ(*readCard(json::parse(cardJson(card)).dump(), "card.json"), card);
    EXPECT_EQ(json::parse(cardJson(card)).at("verdict"), "a_cheaper");
}

const std::vector<std::pair<const char*, std::function<void(json&)>>> kForgeries = {
    {"verdict", [](json& c) { c["verdict"] = "b_cheaper"; }},
    {"sentence",
     [](json& c) { c["sentence"] = "A needs 50 % less energy per token than B (49 to 51 %)."; }},
    {"pairs used", [](json& c) { c["pairs_used"] = 4; }},
    {"energy of one run", [](json& c) { c["pairs"][0]["a"]["energy_mj"] = 8000.0; }},
    {"energies of A",
     [](json& c) {
         for (json& pair : c["pairs"])
             pair["a"]["energy_mj"] = pair["a"]["energy_mj"].get<double>() * 0.8;
     }},
    {"energies of B",
     [](json& c) {
         for (json& pair : c["pairs"])
             pair["b"]["energy_mj"] = pair["b"]["energy_mj"].get<double>() * 1.2;
     }},
    {"a window", [](json& c) { c["pairs"][0]["a"]["windows"][3][2] = 9e6; }},
    {"tokens", [](json& c) { c["pairs"][2]["a"]["output_tokens"] = 128; }},
    {"all tokens of A",
     [](json& c) {
         for (json& pair : c["pairs"])
             pair["a"]["output_tokens"] = 80;
     }},
    {"no tokens", [](json& c) { c["pairs"][2]["a"]["output_tokens"] = 0; }},
    {"a pair less", [](json& c) { c["pairs"].erase(4); }},
    {"no pairs", [](json& c) { c["pairs"] = json::array(); }},
    {"a pair twice", [](json& c) { c["pairs"].push_back(c["pairs"].back()); }},
    {"a copied pair",
     [](json& c) {
         json pair = c["pairs"].back();
         pair["pair"] = pair["pair"].get<int>() + 1;
         c["pairs"].push_back(pair);
     }},
    {"copied windows",
     [](json& c) {
         c["pairs"][1]["a"]["windows"] = c["pairs"][0]["a"]["windows"];
         c["pairs"][1]["a"]["energy_mj"] = c["pairs"][0]["a"]["energy_mj"];
     }},
    {"exchanged settings", [](json& c) { std::swap(c["a"], c["b"]); }},
    {"exchanged runs", [](json& c) { std::swap(c["pairs"][0]["a"], c["pairs"][0]["b"]); }},
    {"another machine", [](json& c) { c["machine_class"] = "Other M1, macOS"; }},
    {"no machine", [](json& c) { c["machine_class"] = ""; }},
    {"another source", [](json& c) { c["source"] = "rapl"; }},
    {"another provenance", [](json& c) { c["provenance"] = "modelled"; }},
    {"no provenance", [](json& c) { c["provenance"] = "missing"; }},
    {"overlapping windows", [](json& c) { c["pairs"][0]["a"]["windows"][3][0] = 0; }},
    {"windows outside", [](json& c) { c["pairs"][0]["a"]["windows"][19][0] = 3'000'000'000; }},
    {"no windows", [](json& c) { c["pairs"][3]["b"]["windows"] = json::array(); }},
    {"negative window", [](json& c) { c["pairs"][3]["b"]["windows"][0][2] = -5.0; }},
    {"a run of minutes", [](json& c) { c["pairs"][0]["b"]["duration_ns"] = 200'000'000'000; }},
    {"runs at one time",
     [](json& c) {
         for (json& pair : c["pairs"])
             pair["a"]["created_at_ms"] = pair["b"]["created_at_ms"];
     }},
    {"always the same order",
     [](json& c) {
         for (json& pair : c["pairs"]) {
             auto& a = pair["a"]["created_at_ms"];
             auto& b = pair["b"]["created_at_ms"];
             if (a > b)
                 std::swap(a, b);
         }
     }},
    {"another smallest difference", [](json& c) { c["smallest_difference"] = 0.5; }},
    {"a note", [](json& c) { c["note"] = "independently confirmed"; }},
    {"another prompt", [](json& c) { c["prompt_hash"] = "sha256:0"; }},
    {"a later version", [](json& c) { c["version"] = 2; }},
};

TEST(PaysCards, FindsForgeries)
{
    // A change goes unnoticed if the verdict does not depend on it and the card is sealed again.
    const std::set<std::string> kUnsigned{"exchanged settings", "another machine", "another source",
                                          "another provenance"};
    int found = 0;
    int foundSealed = 0;
    for (const auto& [name, forge] : kForgeries) {
        SCOPED_TRACE(name);
        json card = json::parse(cardJson(madeCard(2, 40, 0.98)));
        ASSERT_GE(card.at("pairs").size(), 9U);
        forge(card);
        EXPECT_NE(refusalOf(card.dump()), "");
        found += refusalOf(card.dump()).empty() ? 0 : 1;
        const bool caught = !refusalOf(sealed(card)).empty();
        foundSealed += caught ? 1 : 0;
        EXPECT_EQ(caught, !kUnsigned.contains(name));
    }
    EXPECT_GE(found, 30);
    EXPECT_GE(foundSealed, 29);
    EXPECT_NE(refusalOf(""), "");
    EXPECT_NE(refusalOf("{}"), "");
    std::string text = cardJson(madeCard(2));
    EXPECT_NE(refusalOf(text.substr(0, text.size() / 2)), "");
}

// A run that is shorter than a window gets its share of the window.
TEST(PaysCards, ChecksTheEnergiesOfShortRuns)
{
    const struct {
        std::vector<CardWindow> windows; // of each run of 40 ms
        double of_share; // the energy, as a part of the run's share of the windows
        bool fits;
    } kCases[] = {
        {{{-30'000'000, 70'000'000, 1000.0}}, 1.0, true},
        {{{-30'000'000, 70'000'000, 1000.0}}, 1.05, true}, // joined timestamps
        {{{-30'000'000, 70'000'000, 1000.0}}, 2.5, false}, // the whole window
        {{{-30'000'000, 70'000'000, 1000.0}}, 1.3, false},
        {{{-30'000'000, 70'000'000, 1000.0}}, 0.5, false},
        {{{-80'000'000, 20'000'000, 1000.0}, {20'000'000, 120'000'000, 500.0}}, 1.0, true},
        {{{-80'000'000, 20'000'000, 1000.0}, {20'000'000, 120'000'000, 500.0}}, 1.3, false},
        // One window is whole; the windows at the ends may have worked for the run alone.
        {{{-8'000'000, 12'000'000, 200.0},
          {12'000'000, 32'000'000, 200.0},
          {32'000'000, 52'000'000, 200.0}},
         1.4,
         true},
        {{{-8'000'000, 12'000'000, 200.0},
          {12'000'000, 32'000'000, 200.0},
          {32'000'000, 52'000'000, 200.0}},
         2.0,
         false},
    };
    for (const auto& one : kCases) {
        SCOPED_TRACE(one.of_share);
        PaysCard card = madeCard(4, 40, 0.98);
        int number = 0;
        for (CardPair& pair : card.pairs) {
            for (CardRun* run : {&pair.a, &pair.b}) {
                const double scale = run->energy_mj * (1.0 + 1e-9 * ++number);
                run->duration_ns = 40'000'000;
                run->windows = one.windows;
                double share = 0.0;
                for (CardWindow& window : run->windows) {
                    window.mj *= scale;
                    const Nanoseconds inside = std::min<Nanoseconds>(window.end_ns, 40'000'000)
                        - std::max<Nanoseconds>(window.begin_ns, 0);
                    share += window.mj * static_cast<double>(inside)
                        / static_cast<double>(window.end_ns - window.begin_ns);
                }
                constexpr double kKeepsBelowTheLimit = 1e-4;
                for (CardWindow& window : run->windows)
                    window.mj *= kKeepsBelowTheLimit;
                run->energy_mj = share * kKeepsBelowTheLimit * one.of_share;
            }
        }
        card.hash = cardHash(card);
        EXPECT_EQ(refusalOf(cardJson(card)).empty(), one.fits) << refusalOf(cardJson(card));
    }
}

TEST(PaysCards, MergesInAnyOrder)
{
    std::vector<PaysCard> cards;
    for (unsigned i = 0; i < 100; ++i) {
        PaysCard card = madeCard(i, 4 + static_cast<int>(i % 5), 0.97);
        if (i % 3 == 1) // another machine class
            card.machine_class = "Made-up M8, macOS";
        if (i % 4 == 0) // the settings swapped
            for (CardPair& pair : card.pairs)
                std::swap(pair.a, pair.b);
        if (i % 4 == 0)
            std::swap(card.a, card.b);
        card.hash = cardHash(card);
        cards.push_back(std::move(card));
    }
    const MergedCards merged = mergeCards(cards);
    ASSERT_THAT(merged.groups, SizeIs(2));
    EXPECT_EQ(merged.groups[0].cards + merged.groups[1].cards, 100);
    for (const PooledCards& group : merged.groups) {
        // f32 is sorted before int8, so A is f32 here.
        EXPECT_EQ(group.a.dtype, "f32");
        EXPECT_EQ(group.decision.test.verdict, energy::PairedVerdict::BCheaper);
        EXPECT_NEAR(*group.decision.test.relative, -0.03, 0.003);
        EXPECT_FALSE(group.contradicting);
    }
    std::mt19937 engine(7);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(cards.begin(), cards.end(), engine);
        EXPECT_EQ(mergeCards(cards), merged);
        EXPECT_EQ(mergedJson(mergeCards(cards)), mergedJson(merged));
    }
    cards.push_back(cards.front());
    const MergedCards twice = mergeCards(cards);
    EXPECT_EQ(twice.groups, merged.groups);
    ASSERT_THAT(twice.notes, SizeIs(1));
    EXPECT_THAT(twice.notes[0], HasSubstr("is there twice"));
}

TEST(PaysCards, SaysWhereCardsContradict)
{
    const std::vector<PaysCard> cards{madeCard(1, 10, 0.8), madeCard(2, 10, 1.3)};
    const MergedCards merged = mergeCards(cards);
    ASSERT_THAT(merged.groups, SizeIs(1));
    EXPECT_TRUE(merged.groups[0].contradicting);
    EXPECT_THAT(mergedText(merged), HasSubstr("contradict each other"));
    EXPECT_THAT(mergedText(merged), HasSubstr("times as much as B"));
    const energy::SideTest& test = merged.groups[0].decision.test;
    EXPECT_EQ(test.a_first + test.b_first, merged.groups[0].pairs) << "each pair has both times";
}

} // namespace
