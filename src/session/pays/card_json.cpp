// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays/card_fields.h"

#include "ep/core/text_file.h"
#include "ep/json/document.h"
#include "ep/json/value.h"
#include "ep/session/privacy.h"

#include <algorithm>

namespace ep::session {

namespace {

using CardJson = nlohmann::json;
using json::Value;

constexpr int kCardVersion = 1;
constexpr std::int64_t kMaxNs = 1'000'000'000'000'000; // 11.6 days
constexpr double kMaxMj = 1e15;
constexpr std::size_t kMaxPairs = 100'000;

CardJson runToJson(const CardRun& run)
{
    CardJson windows = CardJson::array();
    for (const CardWindow& window : run.windows)
        windows.push_back({window.begin_ns, window.end_ns, window.mj});
    return {{"id", run.id},
            {"created_at_ms", run.created_at_ms},
            {"duration_ns", run.duration_ns},
            {"output_tokens", run.output_tokens},
            {"energy_mj", run.energy_mj},
            {"windows", std::move(windows)}};
}

CardJson sideToJson(const CardSide& side)
{
    CardJson json{{"model", side.model},     {"fingerprint", side.fingerprint},
                  {"server", side.server},   {"dtype", side.dtype},
                  {"device", side.device},   {"threads", side.threads},
                  {"batch", side.batch_size}};
    if (!side.settings.empty()) // cards of earlier versions have the same text and hash
        json["settings"] = side.settings;
    return json;
}

// Keys in alphabetical order and numbers in their shortest form, so that equal cards have equal
// texts.
CardJson bodyOf(const PaysCard& card)
{
    CardJson pairs = CardJson::array();
    for (const CardPair& pair : card.pairs)
        pairs.push_back({{"pair", pair.pair}, {"a", runToJson(pair.a)}, {"b", runToJson(pair.b)}});
    const PaysDecision decision =
        decide(pairTableOf(card), {.smallest_difference = card.smallest_difference});
    return {{"format", "energy-profiler-pays-card"},
            {"version", kCardVersion},
            {"machine_class", card.machine_class},
            {"app_version", card.app_version},
            {"os", card.os},
            {"torch_version", card.torch_version},
            {"source", card.source},
            {"provenance", name(card.provenance)},
            {"a", sideToJson(card.a)},
            {"b", sideToJson(card.b)},
            {"prompt_hash", card.prompt_hash},
            {"smallest_difference", card.smallest_difference},
            {"pairs", std::move(pairs)},
            {"verdict", energy::name(decision.test.verdict)},
            {"pairs_used", decision.test.pairs_used},
            {"sentence", verdictSentence(decision)}};
}

CardRun runFrom(const Value& json)
{
    CardRun run{.id = json.string("id")};
    run.created_at_ms = json.at("created_at_ms").asInteger(0, kMaxNs);
    run.duration_ns = json.at("duration_ns").asInteger(1, kMaxNs);
    run.output_tokens = json.at("output_tokens").asInteger(1, kMaxNs);
    run.energy_mj = json.at("energy_mj").asNumber(0.0, kMaxMj);
    for (const Value& window : json.at("windows").elements()) {
        constexpr std::size_t kNumbers = 3;
        if (window.requireArray().size() != kNumbers)
            window.fail("must be a list of begin, end and energy");
        run.windows.push_back({.begin_ns = window.at(0).asInteger(-kMaxNs, kMaxNs),
                               .end_ns = window.at(1).asInteger(-kMaxNs, kMaxNs),
                               .mj = window.at(2).asNumber(0.0, kMaxMj)});
    }
    return run;
}

CardSide sideFrom(const Value& json)
{
    constexpr int kMax = 100'000;
    return {.model = json.string("model"),
            .fingerprint = json.string("fingerprint"),
            .server = json.string("server"),
            .dtype = json.string("dtype"),
            .device = json.string("device"),
            .threads = json.integer("threads", std::nullopt, 0, kMax),
            .batch_size = json.integer("batch", std::nullopt, 1, kMax),
            .settings = json.has("settings") ? json.string("settings") : std::string()};
}

PaysCard cardFrom(const Value& json)
{
    if (json.string("format") != "energy-profiler-pays-card")
        json.fail("format", "is not that of a card");
    if (json.integer("version", std::nullopt, 1, 1'000'000) != kCardVersion)
        json.unsupported("is of a later version; use a newer version of this program");
    PaysCard card{.machine_class = json.string("machine_class"),
                  .app_version = json.string("app_version"),
                  .os = json.string("os"),
                  .torch_version = json.string("torch_version"),
                  .source = json.string("source")};
    const auto provenance = provenanceFromName(json.string("provenance"));
    if (!provenance)
        json.fail("provenance", "is none");
    card.provenance = *provenance;
    card.a = sideFrom(json.at("a"));
    card.b = sideFrom(json.at("b"));
    card.prompt_hash = json.string("prompt_hash");
    card.smallest_difference = json.at("smallest_difference").asNumber(1e-6, 0.999);
    const Value pairs = json.at("pairs");
    if (pairs.requireArray().size() > kMaxPairs || pairs.size() == 0)
        pairs.fail("must be 1 to 100,000 pairs");
    for (const Value& pair : pairs.elements())
        card.pairs.push_back({.pair = pair.integer("pair", std::nullopt, 1, 1'000'000'000),
                              .a = runFrom(pair.at("a")),
                              .b = runFrom(pair.at("b"))});
    card.hash = json.string("hash");
    return card;
}

} // namespace

std::string cardHash(const PaysCard& card)
{
    return hashedText(bodyOf(card).dump(-1, ' ', false, CardJson::error_handler_t::replace));
}

std::string cardJson(const PaysCard& card)
{
    CardJson json = bodyOf(card);
    json["hash"] = card.hash;
    return json.dump(1, ' ', false, CardJson::error_handler_t::replace) + '\n';
}

Result<PaysCard> readCard(std::string_view text, const std::string& name)
{
    const auto refuse = [&](const std::string& problem) {
        return Error{ErrorCode::InvalidInput, {"The card %1 is not valid: %2", name, problem}};
    };
    const auto document = json::parseUniqueKeys(text);
    if (!document)
        return refuse(Message("%1.", document.error().message));
    auto card = json::read("The card " + name + " is not valid", *document, cardFrom);
    if (!card)
        return card.error();
    // Compares the whole text, so that nothing can be added and the verdict must be that of the
    // pairs.
    CardJson body = *document;
    body.erase("hash");
    if (hashedText(body.dump(-1, ' ', false, CardJson::error_handler_t::replace)) != card->hash)
        return refuse("its hash is another one, so it was changed.");
    if (body != bodyOf(*card))
        return refuse("its verdict does not follow from its pairs, or it holds more than a card "
                      "does.");
    if (const std::string problem = cardProblem(*card); !problem.empty())
        return refuse(problem);
    return card;
}

Result<PaysCard> readCard(const std::filesystem::path& file)
{
    const auto text = readTextFile(file);
    if (!text)
        return text.error();
    return readCard(*text, file.filename().string());
}

} // namespace ep::session
