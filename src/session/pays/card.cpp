// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays/card_fields.h"
#include "stored/side_json.h"

#include "ep/core/format.h"
#include "ep/core/power_limits.h"
#include "ep/core/power_sample.h"
#include "ep/core/user_file.h"
#include "ep/json/record.h"
#include "ep/session/environment.h"
#include "ep/session/pays_card.h"
#include "ep/session/privacy.h"
#include "ep/session/run_settings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ep::session {

constexpr const char* kCardFormat = "energy-profiler-pays-card";
constexpr int kCardVersion = 1;
constexpr Nanoseconds kMaxNs = 1'000'000'000'000'000; // 11.6 days
constexpr double kMaxMj = 1e15;
constexpr std::size_t kMaxPairs = 100'000;

// The fields of a card: visit(name, field), or visit(name, field, least, most).

template <MaybeConst<CardRun> Fields, typename Visit>
void visitFields(Fields& run, Visit&& visit)
{
    constexpr Nanoseconds kFirst = 1;
    visit("id", run.id);
    visit("created_at_ms", run.created_at_ms, Nanoseconds{0}, kMaxNs);
    visit("duration_ns", run.duration_ns, kFirst, kMaxNs);
    visit("output_tokens", run.output_tokens, kFirst, kMaxNs);
    visit("energy_mj", run.energy_mj, 0.0, kMaxMj);
    visit("windows", run.windows);
}

template <MaybeConst<CardPair> Fields, typename Visit>
void visitFields(Fields& pair, Visit&& visit)
{
    visit("pair", pair.pair, 1, 1'000'000'000);
    visit("a", pair.a);
    visit("b", pair.b);
}

template <MaybeConst<CardSide> Fields, typename Visit>
void visitFields(Fields& side, Visit&& visit)
{
    constexpr int kMax = 100'000;
    visit("model", side.model);
    visit("fingerprint", side.fingerprint);
    visit("server", side.server);
    visit("dtype", side.dtype);
    visit("device", side.device);
    visit("threads", side.threads, 0, kMax);
    visit("batch", side.batch_size, 1, kMax);
    visit("settings", side.settings); // cards of earlier versions have none
}

template <MaybeConst<PaysCard> Fields, typename Visit>
void visitFields(Fields& card, Visit&& visit)
{
    visit("machine_class", card.machine_class);
    visit("app_version", card.app_version);
    visit("os", card.os);
    visit("torch_version", card.torch_version);
    visit("source", card.source);
    visit("provenance", card.provenance);
    visit("a", card.a);
    visit("b", card.b);
    visit("prompt_hash", card.prompt_hash);
    visit("smallest_difference", card.smallest_difference, 1e-6, 0.999);
    visit("pairs", card.pairs);
    visit("hash", card.hash);
}

std::tuple<Nanoseconds, Nanoseconds, double> elementsOf(const CardWindow& window)
{
    return {window.begin_ns, window.end_ns, window.mj};
}

namespace {

// "macOS 15.1 (24B83)" becomes "macOS": a class holds cards of different releases, and each card
// states its own.
std::string familyOf(const std::string& os)
{
    std::string family = os.substr(0, os.find_first_of("0123456789("));
    while (!family.empty() && family.back() == ' ')
        family.pop_back();
    return family.empty() ? os : family;
}

CardSide cardSide(const RunRequest& side, const RunInfo& run)
{
    const std::string settings = settingsText(side);
    return {.model = run.model.name,
            .fingerprint = run.model.fingerprint,
            .server = side.server ? side.server->label() : std::string(),
            .dtype = run.dtype,
            .device = run.device,
            .threads = side.server ? 0 : run.environment.threads,
            .batch_size = side.batch_size,
            .settings = settings.empty() ? std::nullopt : std::optional(settings)};
}

// Windows as the run's energy was computed from them: moved by the offset that was found.
std::vector<CardWindow> cardWindows(const Run& run)
{
    const RunTrace& trace = run.trace;
    const auto& attribution = run.info.power.attribution;
    const Nanoseconds offset =
        attribution && attribution->offset_applied ? attribution->offset_ns : 0;
    const Nanoseconds zero = trace.time.begin_ns + offset;
    std::vector<CardWindow> windows;
    for (const PowerSample& sample : trace.samples) {
        if (sample.window.end_ns <= zero || sample.window.begin_ns >= trace.time.end_ns + offset)
            continue;
        // As in the timeline: the counter's difference if there is one, otherwise power x time.
        PerRail<Millijoules> energies;
        for (const Rail rail : kRails) {
            if (sample.energy_mj[rail])
                energies[rail] = sample.energy_mj[rail];
            else if (sample.power_mw[rail])
                energies[rail] = Millijoules{sample.power_mw[rail]->value
                                             * toSeconds(sample.window.duration_ns())};
        }
        auto total = totalOf(energies);
        if (!total && sample.total_mw)
            total = Millijoules{sample.total_mw->value * toSeconds(sample.window.duration_ns())};
        if (total)
            windows.push_back({.begin_ns = sample.window.begin_ns - zero,
                               .end_ns = sample.window.end_ns - zero,
                               .mj = total->value});
    }
    return windows;
}

Result<CardRun> cardRun(const store::Store& store, const std::string& id, Run& read)
{
    auto overview = store.overview(id);
    if (!overview)
        return overview.error();
    read = std::move(overview->run);
    if (!read.metrics.energy.total_mj)
        return Error{ErrorCode::InvalidInput, {"The run %1 has no energy for a card.", id}};
    return CardRun{.id = id,
                   .created_at_ms = read.info.created_at_ms,
                   .duration_ns = read.metrics.duration_ns,
                   .output_tokens = read.info.output_tokens,
                   .energy_mj = read.metrics.energy.total_mj->value,
                   .windows = cardWindows(read)};
}

std::string runName(const CardPair& pair, bool a)
{
    return std::string("the run of ") + (a ? "A" : "B") + " in pair " + std::to_string(pair.pair);
}

bool isHash(const std::string& text)
{
    constexpr std::string_view kStart = "sha256:";
    constexpr std::size_t kDigits = 64;
    return text.size() == kStart.size() + kDigits && text.starts_with(kStart)
        && text.find_first_not_of("0123456789abcdef", kStart.size()) == std::string::npos;
}

// Describes impossible values in the windows of one run; empty if there are none.
std::string windowProblem(const CardRun& run)
{
    if (run.windows.empty())
        return " has no windows.";
    constexpr Milliwatts kMost = mostPower(Rail::System).machine;
    std::vector<PowerSample> samples;
    for (const CardWindow& window : run.windows) {
        if (window.end_ns <= window.begin_ns || window.end_ns <= 0
            || window.begin_ns >= run.duration_ns)
            return " has a window outside of it.";
        const TimeRange time{window.begin_ns, window.end_ns};
        samples.emplace_back().window = time;
        if (meanPower(Millijoules{window.mj}, time.duration_ns()) > kMost)
            return " has a window above " + formatPower(kMost) + '.';
    }
    const Nanoseconds tolerance = timestampTolerance(samples);
    for (std::size_t i = 1; i < run.windows.size(); ++i) {
        if (run.windows[i - 1].end_ns - run.windows[i].begin_ns > tolerance)
            return " has windows that overlap.";
    }
    return {};
}

// The energy of a run without a whole window inside is its share of its windows by time: there is
// nothing to divide them by work with. Otherwise it lies between that share and all of its windows,
// since the work of a window at its ends may lie inside.
bool energyFits(const CardRun& run)
{
    double share = 0.0;
    double all = 0.0;
    bool whole = false;
    for (const CardWindow& window : run.windows) {
        const Nanoseconds inside =
            std::min(window.end_ns, run.duration_ns) - std::max<Nanoseconds>(window.begin_ns, 0);
        const Nanoseconds length = window.end_ns - window.begin_ns;
        share += window.mj * static_cast<double>(inside) / static_cast<double>(length);
        all += window.mj;
        whole = whole || inside == length;
    }
    // Timestamps are joined, which moves an end of a window by up to a tenth.
    constexpr double kJoined = 0.1;
    constexpr double kRounding = 0.01;
    const double edge = kJoined * std::ranges::max(run.windows, {}, &CardWindow::mj).mj;
    const double least = whole ? share * (1.0 - kRounding) - edge : share * (1.0 - kJoined);
    const double most = whole ? all * (1.0 + kRounding) + edge : share * (1.0 + kJoined);
    return run.energy_mj >= least && run.energy_mj <= most;
}

std::string runProblem(const CardRun& run)
{
    if (run.id.empty())
        return " has no id.";
    if (!(run.energy_mj > 0.0))
        return " has no energy.";
    const std::string problem = windowProblem(run);
    if (!problem.empty())
        return problem;
    return energyFits(run) ? std::string() : " has an energy that its windows do not have.";
}

// Runs must follow each other, and every two pairs must have run in both orders.
std::string orderProblem(const PaysCard& card)
{
    constexpr std::int64_t kToleranceMs = 1000; // the wall clock may be set
    std::int64_t end = 0;
    const CardPair* odd = nullptr;
    for (const CardPair& pair : card.pairs) {
        const bool aFirst = pair.a.created_at_ms <= pair.b.created_at_ms;
        for (const CardRun* run : {aFirst ? &pair.a : &pair.b, aFirst ? &pair.b : &pair.a}) {
            if (run->created_at_ms + kToleranceMs < end)
                return "pair " + std::to_string(pair.pair)
                    + " began before the runs before it had ended.";
            end = run->created_at_ms + run->duration_ns / kNsPerMs;
        }
        if (pair.pair % 2 == 0 && odd != nullptr && odd->pair == pair.pair - 1
            && aFirst == (odd->a.created_at_ms <= odd->b.created_at_ms))
            return "pairs " + std::to_string(odd->pair) + " and " + std::to_string(pair.pair)
                + " ran in the same order.";
        odd = pair.pair % 2 == 1 ? &pair : nullptr;
    }
    return {};
}

// Keys in alphabetical order and numbers in their shortest form, so that equal cards have equal
// texts.
json::Json bodyOf(const PaysCard& card)
{
    const PaysDecision decision =
        decide(pairTableOf(card), {.smallest_difference = card.smallest_difference});
    json::Json body = json::MemberWriter::valueOf(card);
    body.update({{"format", kCardFormat},
                 {"version", kCardVersion},
                 {"verdict", energy::name(decision.test.verdict)},
                 {"pairs_used", decision.test.pairs_used},
                 {"sentence", verdictSentence(decision)}});
    body.erase("hash");
    return body;
}

// Every field except optional ones must be present, and within its range.
struct CardParts {
    template <HasFields Fields>
    void operator()(const json::OrderedValue& value, Fields& record) const
    {
        visitFields(record, Members{value});
    }
    void operator()(const json::OrderedValue& value, CardWindow& window) const
    {
        constexpr std::size_t kNumbers = 3;
        if (value.requireArray().size() != kNumbers)
            value.fail("must be a list of begin, end and energy");
        window = {.begin_ns = value.at(0).asInteger(-kMaxNs, kMaxNs),
                  .end_ns = value.at(1).asInteger(-kMaxNs, kMaxNs),
                  .mj = value.at(2).asNumber(0.0, kMaxMj)};
    }

    struct Members {
        const json::OrderedValue& object;

        void operator()(const char* name, auto& field) const
        {
            using Field = std::remove_cvref_t<decltype(field)>;
            if (!kIsA<Field, std::optional> || object.has(name))
                json::readField(object.at(name), field, CardParts());
        }
        template <typename Number>
        void operator()(const char* name, Number& field, Number least, Number most) const
        {
            if constexpr (std::is_integral_v<Number>)
                field = static_cast<Number>(object.at(name).asInteger(least, most));
            else
                field = object.at(name).asNumber(least, most);
        }
    };
};

PaysCard cardFrom(const json::OrderedValue& json)
{
    if (json.string("format") != kCardFormat)
        json.fail("format", "is not that of a card");
    if (json.integer("version", std::nullopt, 1, 1'000'000) != kCardVersion)
        json.unsupported("is of a later version; use a newer version of this program");
    PaysCard card;
    CardParts()(json, card);
    if (card.pairs.empty() || card.pairs.size() > kMaxPairs)
        json.fail("pairs", "must be 1 to 100,000 pairs");
    return card;
}

using json::OrderedJson;

// Cards with equal questions are pooled.
using Question = std::tuple<std::string, std::string, std::string, CardSide, CardSide, std::string>;

struct Asked {
    Question question{};
    std::string hash{}; // hash of the card
    std::vector<energy::PairedRatio> ratios{}; // from the smaller side to the larger
    energy::PairedEstimate estimate{};
};

Asked askedBy(const PaysCard& card, const energy::PairedTestOptions& options)
{
    const bool turned = card.b < card.a;
    Asked asked{.question = {card.machine_class, card.source,
                             card.provenance == Provenance::Modelled ? "modelled" : "measured",
                             turned ? card.b : card.a, turned ? card.a : card.b, card.prompt_hash},
                .hash = card.hash};
    asked.ratios = pairTableOf(card).ratios(0);
    if (turned) {
        for (energy::PairedRatio& ratio : asked.ratios) {
            ratio.log_ratio = -ratio.log_ratio;
            ratio.order = ratio.order == energy::PairOrder::AFirst ? energy::PairOrder::BFirst
                                                                   : energy::PairOrder::AFirst;
        }
    }
    asked.estimate = energy::estimatePairs(asked.ratios, options);
    return asked;
}

PooledCards pooled(const std::vector<Asked>& cards, const energy::PairedTestOptions& options)
{
    const Question& question = cards.front().question;
    PooledCards group{.machine_class = std::get<0>(question) + ", " + std::get<1>(question),
                      .a = std::get<3>(question),
                      .b = std::get<4>(question)};
    std::vector<std::vector<energy::PairedRatio>> all;
    double highestLow = 0.0;
    double lowestHigh = std::numeric_limits<double>::infinity();
    for (const Asked& card : cards) {
        all.push_back(card.ratios);
        const double ratio = card.estimate.ratio;
        group.lowest_ratio = group.cards == 0 ? ratio : std::min(group.lowest_ratio, ratio);
        group.highest_ratio = std::max(group.highest_ratio, ratio);
        ++group.cards;
        group.hashes.push_back(card.hash);
        group.pairs += static_cast<std::int64_t>(card.ratios.size());
        if (card.estimate.interval) {
            highestLow = std::max(highestLow, card.estimate.interval->low);
            lowestHigh = std::min(lowestHigh, card.estimate.interval->high);
        }
    }
    group.contradicting = highestLow > lowestHigh;
    const energy::PairedResult result = energy::poolPairs(all, options);
    group.decision.test = energy::testOf(result, options.smallest_difference);
    for (const std::vector<energy::PairedRatio>& ratios : all) {
        group.decision.test.a_first +=
            std::ranges::count(ratios, energy::PairOrder::AFirst, &energy::PairedRatio::order);
        group.decision.test.b_first +=
            std::ranges::count(ratios, energy::PairOrder::BFirst, &energy::PairedRatio::order);
    }
    group.decision.figures.push_back({std::string(powerlog::kPairEnergy), group.decision.test});
    if (group.contradicting)
        group.decision.cautions.emplace_back(
            "Cards of this class contradict each other, so the pooled figure describes none of "
            "them; look for what differs between them.");
    return group;
}

} // namespace

std::string CardSide::label() const
{
    std::string text = model;
    const auto add = [&](const std::string& part) { text += part.empty() ? "" : ", " + part; };
    add(server);
    add(dtype);
    add(device);
    add(threads > 0 ? std::to_string(threads) + (threads == 1 ? " thread" : " threads") : "");
    add(batch_size > 1 ? "batch " + std::to_string(batch_size) : "");
    add(settings.value_or(""));
    return text;
}

Result<PaysCard> makeCard(const PaysSpec& spec, const PaysResult& result,
                          const std::filesystem::path& database)
{
    const auto opened = store::Store::openToRead(database);
    if (!opened)
        return opened.error();
    const store::Store& store = **opened;
    PaysCard card{.app_version = applicationVersion()};
    card.provenance = result.pairs.provenance;
    card.prompt_hash = hashedText(spec.a.run.prompt);
    card.smallest_difference = spec.test.smallest_difference;
    const auto& pairs = result.pairs.table.pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!pairs[i].values.front().a || !pairs[i].values.front().b)
            continue;
        // A measurement that was resumed with another setting may have more pairs.
        if (static_cast<std::int64_t>(card.pairs.size()) >= result.decision.test.pairs_used)
            break;
        Run a;
        Run b;
        auto runA = cardRun(store, result.pairs.runs.at(2 * i), a);
        auto runB = cardRun(store, result.pairs.runs.at(2 * i + 1), b);
        if (!runA || !runB)
            return runA ? runB.error() : runA.error();
        card.machine_class = a.info.environment.cpu + ", " + familyOf(a.info.environment.os);
        card.os = a.info.environment.os;
        card.torch_version = a.info.environment.torch_version;
        card.source = a.info.power.source;
        card.a = cardSide(spec.a.run, a.info);
        card.b = cardSide(spec.b.run, b.info);
        card.pairs.push_back({.pair = static_cast<int>(pairs[i].number),
                              .a = *std::move(runA),
                              .b = *std::move(runB)});
    }
    if (card.pairs.empty())
        return Error{ErrorCode::InvalidInput, "There is no pair with energies for a card."};
    card.hash = cardHash(card);
    if (const std::string problem = cardProblem(card); !problem.empty())
        return Error{ErrorCode::InvalidInput,
                     {"A card of this result could not be checked by others: %1 Let the runs take "
                      "several intervals of the power source.",
                      problem}};
    return card;
}

powerlog::PairTable pairTableOf(const PaysCard& card)
{
    powerlog::PairTable table{
        .figures = {std::string(powerlog::kPairEnergy), std::string("ms_per_token")}};
    for (const CardPair& pair : card.pairs) {
        const auto perToken = [](double value, const CardRun& run) {
            return value / static_cast<double>(run.output_tokens);
        };
        const auto milliseconds = [&](const CardRun& run) {
            return perToken(toMilliseconds(run.duration_ns), run);
        };
        table.pairs.push_back({.number = pair.pair,
                               .order = pair.a.created_at_ms <= pair.b.created_at_ms
                                   ? energy::PairOrder::AFirst
                                   : energy::PairOrder::BFirst,
                               .values = {{.a = perToken(pair.a.energy_mj, pair.a),
                                           .b = perToken(pair.b.energy_mj, pair.b)},
                                          {.a = milliseconds(pair.a), .b = milliseconds(pair.b)}}});
    }
    return table;
}

std::string cardProblem(const PaysCard& card)
{
    if (!isHash(card.hash) || (!card.prompt_hash.empty() && !isHash(card.prompt_hash)))
        return "it has a hash of another kind.";
    if (card.machine_class.empty() || card.source.empty() || card.provenance == Provenance::Missing
        || card.provenance == Provenance::Imported)
        return "it does not say what measured its energies.";
    const auto decision =
        decide(pairTableOf(card), {.smallest_difference = card.smallest_difference});
    if (decision.test.pairs_used != static_cast<std::int64_t>(card.pairs.size()))
        return "it goes on after its verdict.";
    std::set<std::string> ids;
    std::set<std::vector<std::pair<Nanoseconds, double>>> known;
    int last = 0;
    for (const CardPair& pair : card.pairs) {
        if (pair.pair <= last)
            return "its pairs are not in order.";
        last = pair.pair;
        for (const bool a : {true, false}) {
            const CardRun& run = a ? pair.a : pair.b;
            if (const std::string problem = runProblem(run); !problem.empty())
                return runName(pair, a) + problem;
            if (!ids.insert(run.id).second)
                return runName(pair, a) + " is there twice.";
            std::vector<std::pair<Nanoseconds, double>> windows;
            for (const CardWindow& window : run.windows)
                windows.emplace_back(window.end_ns, window.mj);
            if (!known.insert(std::move(windows)).second)
                return runName(pair, a) + " has the windows of another run.";
        }
    }
    return orderProblem(card);
}

std::string cardHash(const PaysCard& card)
{
    return hashedText(json::textOf(bodyOf(card)));
}

std::string cardJson(const PaysCard& card)
{
    json::Json json = bodyOf(card);
    json["hash"] = card.hash;
    return json::textOf(json, 1) + '\n';
}

Result<PaysCard> readCard(std::string_view text, const std::string& name)
{
    const auto refuse = [&](const Message& problem) {
        return Error{ErrorCode::InvalidInput, {"The card %1 is not valid: %2", name, problem}};
    };
    const auto document = json::parseUniqueKeys(text);
    if (!document)
        return refuse(Message("%1.", document.error().message));
    auto card = json::read("The card " + name + " is not valid", OrderedJson(*document), cardFrom);
    if (!card)
        return card.error();
    // Compares the whole text, so that nothing can be added and the verdict must follow from the
    // pairs.
    json::Json body = *document;
    body.erase("hash");
    if (hashedText(json::textOf(body)) != card->hash)
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

MergedCards mergeCards(std::span<const PaysCard> cards, double smallestDifference)
{
    const energy::PairedTestOptions options{.smallest_difference = smallestDifference};
    std::vector<const PaysCard*> sorted;
    for (const PaysCard& card : cards)
        sorted.push_back(&card);
    // Floating-point sums depend on their order, so the cards are sorted by hash.
    std::ranges::sort(sorted, {}, [](const PaysCard* card) { return card->hash; });
    MergedCards merged;
    std::map<Question, std::vector<Asked>> groups;
    std::set<std::string> hashes;
    std::set<std::string> runs;
    for (const PaysCard* card : sorted) {
        if (!hashes.insert(card->hash).second) {
            merged.notes.push_back(
                Message("The card %1 is there twice and counts once.", card->hash));
            continue;
        }
        const bool shared = std::ranges::any_of(card->pairs, [&](const CardPair& pair) {
            return runs.contains(pair.a.id) || runs.contains(pair.b.id);
        });
        if (shared) {
            merged.notes.push_back(
                Message("The card %1 has runs of another card and does not count.", card->hash));
            continue;
        }
        for (const CardPair& pair : card->pairs) {
            runs.insert(pair.a.id);
            runs.insert(pair.b.id);
        }
        Asked asked = askedBy(*card, options);
        groups[asked.question].push_back(std::move(asked));
    }
    for (const auto& [question, asked] : groups)
        merged.groups.push_back(pooled(asked, options));
    return merged;
}

std::string mergedText(const MergedCards& merged)
{
    std::string text;
    for (const PooledCards& group : merged.groups) {
        text += group.machine_class + "\n  A: " + group.a.label() + "\n  B: " + group.b.label()
            + "\n  " + verdictSentence(group.decision).english() + "\n  "
            + std::to_string(group.cards) + (group.cards == 1 ? " card, " : " cards, ")
            + std::to_string(group.pairs) + " pairs; A needs " + formatFixed(group.lowest_ratio, 4)
            + (group.cards == 1 ? std::string() : " to " + formatFixed(group.highest_ratio, 4))
            + " times as much as B\n";
        for (const Message& caution : group.decision.cautions)
            text += "  note: " + caution.english() + '\n';
    }
    for (const Message& note : merged.notes)
        text += "note: " + note.english() + '\n';
    return text;
}

std::string mergedJson(const MergedCards& merged)
{
    const auto side = [](const CardSide& of) {
        OrderedJson fields = json::MemberWriter::valueOf(of);
        fields.erase("settings");
        return fields;
    };
    OrderedJson json{{"format", "energy-profiler-pays-merged"},
                     {"version", 1},
                     {"groups", OrderedJson::array()},
                     {"notes", merged.notes}};
    for (const PooledCards& group : merged.groups) {
        json["groups"].push_back(
            {{"machine_class", group.machine_class},
             {"a", side(group.a)},
             {"b", side(group.b)},
             {"cards", group.cards},
             {"pairs", group.pairs},
             {"comparison", sideJson(group.decision.test, group.decision.a, group.decision.b)},
             {"lowest_ratio", group.lowest_ratio},
             {"highest_ratio", group.highest_ratio},
             {"contradicting", group.contradicting},
             {"cautions", group.decision.cautions}});
    }
    return json::textOf(json, 2) + '\n';
}

} // namespace ep::session
