// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/session/pays_runner.h"
#include "ep/store/store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A card stores the result of `pays` in one small JSON file to pass on, with everything that the
// verdict is based on, so that a reader can check it. Nothing is sent anywhere.
namespace ep::session {

// A window of power; its time is relative to the start of its run.
struct CardWindow {
    Nanoseconds begin_ns = 0;
    Nanoseconds end_ns = 0;
    double mj = 0.0;

    bool operator==(const CardWindow&) const = default;
};

struct CardRun {
    std::string id;
    std::int64_t created_at_ms = 0; // wall clock, UTC
    Nanoseconds duration_ns = 0;
    std::int64_t output_tokens = 0;
    double energy_mj = 0.0; // energy of the run, as stored
    std::vector<CardWindow> windows{}; // all windows that overlap the run

    bool operator==(const CardRun&) const = default;
};

struct CardPair {
    int pair = 0;
    CardRun a{};
    CardRun b{};

    bool operator==(const CardPair&) const = default;
};

// One side of the comparison. Cards of the same question can be pooled within a machine class.
struct CardSide {
    std::string model; // name of the model
    std::string fingerprint{}; // identifies its weights; empty: a server's model
    std::string server{}; // dialect and address; empty: our engine
    std::string dtype{};
    std::string device{};
    int threads = 0;
    int batch_size = 1;
    std::optional<std::string> settings{}; // others, as text: "KV cache q8_0, draft by ngram"

    bool operator==(const CardSide&) const = default;
    auto operator<=>(const CardSide&) const = default;
    std::string label() const; // "demo-llama-5m, int8, cpu, 2 threads"
};

struct PaysCard {
    std::string machine_class{}; // "Apple M2 Pro, macOS"
    std::string app_version{};
    std::string os{};
    std::string torch_version{};
    std::string source{}; // power source
    Provenance provenance = Provenance::Missing;
    CardSide a{};
    CardSide b{};
    std::string prompt_hash{}; // hash of the prompt, which itself is not on the card
    double smallest_difference = 0.02;
    std::vector<CardPair> pairs{};
    std::string hash{}; // hash of everything else

    bool operator==(const PaysCard&) const = default;
};

// Makes the card of a finished measurement from its runs in the database, which is only read. The
// error is one sentence.
Result<PaysCard> makeCard(const PaysSpec& spec, const PaysResult& result,
                          const std::filesystem::path& database);
std::string cardJson(const PaysCard& card); // see resources/schema/pays_card.schema.json

// Reads a card and checks that makeCard() could have written it: the hash, the energies against
// their windows, the verdict against the pairs, the order of the runs. A card recomputed from
// invented windows is not detected, since there is no signature. The error is one sentence.
Result<PaysCard> readCard(std::string_view text, const std::string& name);
Result<PaysCard> readCard(const std::filesystem::path& file);

powerlog::PairTable pairTableOf(const PaysCard& card);

// The cards of one machine class and one question, pooled.
struct PooledCards {
    std::string machine_class{};
    CardSide a{}; // the side that sorts first; cards with swapped sides are swapped back
    CardSide b{};
    std::int64_t cards = 0;
    std::vector<std::string> hashes{}; // hashes of the cards, in ascending order
    std::int64_t pairs = 0;
    PaysDecision decision{};
    // The largest and the smallest ratio of a single card.
    double lowest_ratio = 0.0;
    double highest_ratio = 0.0;
    bool contradicting = false; // the intervals of two cards do not overlap

    bool operator==(const PooledCards&) const = default;
};

struct MergedCards {
    std::vector<PooledCards> groups{}; // by class, then by the two sides
    std::vector<Message> notes{}; // duplicate cards, one sentence each

    bool operator==(const MergedCards&) const = default;
};

// The result does not depend on the order of the cards. smallestDifference: see PairedTestOptions.
MergedCards mergeCards(std::span<const PaysCard> cards, double smallestDifference = 0.02);
std::string mergedText(const MergedCards& merged);
std::string mergedJson(const MergedCards& merged); // See resources/schema/pays_merged.schema.json.

} // namespace ep::session
