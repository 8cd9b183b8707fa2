// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/properties.h"

#include "ep/core/joined.h"
#include "ep/core/matmul_kind.h"
#include "ep/core/stated_tokens.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ep::energy {

namespace {

using Weight = ComparisonWarning::Weight;

// Names may contain commas, and "and" would need translation.
constexpr std::string_view kBetween = " / ";

class Warnings {
public:
    explicit Warnings(const std::vector<RunGroup>& groups)
        : m_groups(groups)
    {
    }

    void add(Weight weight, Message text) { m_found.push_back({weight, std::move(text)}); }
    void addIfDifferent(Weight weight, const std::vector<std::string>& texts, const char* pattern)
    {
        if (texts.size() > 1)
            add(weight, {pattern, joined(texts, kBetween)});
    }
    // A warning about the runs that the condition is true of, if there are any.
    template <typename Condition>
    void addAbout(Weight weight, const Condition& condition, const char* ofOne, const char* ofMany)
    {
        const std::size_t found = count(condition);
        if (found > 0)
            add(weight,
                {found == 1 ? ofOne : ofMany,
                 found == 1 ? Message("1 run") : Message("%1 runs", found)});
    }
    template <typename Condition>
    void addAbout(Weight weight, const Condition& condition, const char* pattern)
    {
        addAbout(weight, condition, pattern, pattern);
    }

    // The distinct texts of all runs, in order.
    template <typename Text>
    std::vector<std::string> distinct(const Text& text, bool ofServers = true) const
    {
        std::vector<std::string> found;
        forEach([&](const Run& run) {
            if (run.info.profiling.server && !ofServers)
                return;
            const std::string one = text(run.info);
            if (run.info.profiling.command && !ofServers && one.empty())
                return; // the command did not state it
            if (std::find(found.begin(), found.end(), one) == found.end())
                found.push_back(one);
        });
        return found;
    }

    // Leaves out runs of servers, for which this setting is unknown.
    template <typename Text>
    std::vector<std::string> distinctOfOurs(const Text& text) const
    {
        return distinct(text, false);
    }

    template <typename Use>
    void forEach(const Use& use) const
    {
        for (const RunGroup& group : m_groups) {
            for (const ComparedRun& run : group.runs)
                use(*run.run);
        }
    }

    template <typename Condition>
    std::size_t count(const Condition& condition) const
    {
        std::size_t found = 0;
        forEach([&](const Run& run) { found += condition(run) ? 1U : 0U; });
        return found;
    }

    std::vector<ComparisonWarning> take()
    {
        std::stable_sort(m_found.begin(), m_found.end(), [](const auto& a, const auto& b) {
            return static_cast<int>(a.weight) > static_cast<int>(b.weight);
        });
        return std::move(m_found);
    }

private:
    const std::vector<RunGroup>& m_groups;
    std::vector<ComparisonWarning> m_found;
};

std::vector<std::string> stated(std::vector<std::string> texts)
{
    std::erase(texts, std::string());
    return texts;
}

void warnOfSettings(Warnings& all)
{
    all.addIfDifferent(Weight::Serious,
                       all.distinct([](const RunInfo& i) { return i.power.source; }),
                       "The joules come from different power sources (%1). Differences in energy "
                       "may be due to the sensors; times can be compared.");
    const auto servers = all.distinct([](const RunInfo& i) {
        return i.profiling.server ? i.profiling.server->engine : std::string();
    });
    if (const auto known = stated(servers); !known.empty())
        all.add(Weight::Note,
                Message("The device, number format and layers of %1 are not known here: compare "
                        "whole runs, their phases and tokens.",
                        joined(known, kBetween)));
    const auto devices = all.distinctOfOurs([](const RunInfo& i) { return i.device; });
    all.addIfDifferent(Weight::Caution, devices,
                       "The devices differ (%1). A rail covers only its own device: compare "
                       "energies only if the source covers both.");
    all.addIfDifferent(Weight::Serious, all.distinct([](const RunInfo& i) {
        return i.environment.machine + ", " + i.environment.cpu;
    }),
                       "The runs were made on different machines (%1); differences may not be due "
                       "to the settings.");
    all.addIfDifferent(
        Weight::Serious,
        all.distinctOfOurs([](const RunInfo& i) { return std::string(name(i.depth)); }),
        "The profiling depths differ (%1). Deeper recording costs time and energy; compare runs of "
        "the same depth.");
    const auto dtypes = all.distinctOfOurs([](const RunInfo& i) { return i.dtype; });
    all.addIfDifferent(Weight::Note, dtypes,
                       "The number formats differ (%1), so the texts may differ: measure how well "
                       "each format predicts a text.");
    all.addIfDifferent(
        Weight::Note,
        all.distinctOfOurs([](const RunInfo& i) { return std::to_string(i.model.layers); }),
        "The models have different numbers of layers (%1). Layers are matched by their relative "
        "position; several of the deeper model are added up.");
    // Runs recorded by earlier versions do not name their kernels.
    if (dtypes.size() == 1 && devices.size() == 1)
        all.addIfDifferent(
            Weight::Caution,
            stated(all.distinct([](const RunInfo& i) { return i.profiling.kernels; })),
            "The matrix products were computed by different kernels (%1): part of the difference "
            "may be theirs. Pin them with --kernels.");
    if (dtypes.size() > 1)
        all.addIfDifferent(Weight::Caution, stated(all.distinctOfOurs([](const RunInfo& i) {
                               return matmulKindOf(i.profiling.kernels);
                           })),
                           "The number formats were multiplied in different ways (%1): part of the "
                           "difference is that of this program's kernels, not of the formats.");
    all.addIfDifferent(Weight::Caution, all.distinctOfOurs([](const RunInfo& i) {
        return i.environment.torch_version;
    }),
                       "The LibTorch versions differ (%1).");
}

// The tokens of a run: "200", or "2 × 16 + 2 × 17" of a batch, whose sequences have lengths of
// their own. `length` is the same for a batch whose sequences are all as long as a run of one.
struct StatedLength {
    std::string length;
    std::string text;
};

std::optional<StatedLength> lengthOf(const RunInfo& info, const std::optional<std::int64_t>& tokens,
                                     int BatchSequence::*ofSequence)
{
    if (!tokens)
        return std::nullopt;
    std::map<int, int> sequences; // by length
    std::int64_t sum = 0;
    for (const BatchSequence& sequence : info.batch) {
        ++sequences[sequence.*ofSequence];
        sum += sequence.*ofSequence;
    }
    if (sequences.empty() || sum != *tokens)
        return StatedLength{std::to_string(*tokens), std::to_string(*tokens)};
    std::vector<std::string> parts;
    for (const auto& [length, count] : sequences)
        parts.push_back((count > 1 ? std::to_string(count) + " × " : "") + std::to_string(length));
    const std::string text = joined(parts, " + ");
    return StatedLength{sequences.size() == 1 ? std::to_string(sequences.begin()->first) : text,
                        text};
}

// The texts of the lengths that differ.
std::vector<std::string> differentLengths(const Warnings& all,
                                          std::optional<std::int64_t> (*tokens)(const RunInfo&),
                                          int BatchSequence::*ofSequence)
{
    std::set<std::string> known;
    std::vector<std::string> texts;
    all.forEach([&](const Run& run) {
        const auto one = lengthOf(run.info, tokens(run.info), ofSequence);
        if (one && known.insert(one->length).second)
            texts.push_back(one->text);
    });
    return texts;
}

void warnOfLengths(Warnings& all)
{
    const auto inputs = differentLengths(all, &inputTokens, &BatchSequence::input_tokens);
    all.addIfDifferent(
        Weight::Caution, inputs,
        "The prompts have different lengths (%1 tokens). Energy per output token includes the "
        "prefill: compare energy per input token and per decoded token instead.");
    const auto prompts = all.distinct([](const RunInfo& i) { return i.prompt; });
    if (inputs.size() < 2 && stated(prompts).size() > 1) // recorded commands have none
        all.add(Weight::Note, "The prompts differ, but not in length.");
    const std::size_t commands = all.count([](const Run& run) {
        return run.info.profiling.command.has_value() && run.info.output_tokens > 0;
    });
    if (commands > 0) {
        all.add(Weight::Caution,
                "The energy and time of a recorded command are those of all of it, with loading "
                "the model: compare its prefill and its decoded tokens.");
    }
    const auto outputs = differentLengths(all, &outputTokens, &BatchSequence::output_tokens);
    if (outputs.size() > 1) {
        all.add(Weight::Caution,
                outputs.size() <= 6
                    ? Message("The runs generated different numbers of tokens (%1). Later tokens "
                              "cost more, and the energy of a run is not comparable.",
                              joined(outputs, kBetween))
                    : Message("The runs generated different numbers of tokens. Later tokens cost "
                              "more, and the energy of a run is not comparable."));
    }
}

void warnOfQuality(Warnings& all, const std::vector<RunGroup>& groups)
{
    const auto has = [](Provenance provenance) {
        return [provenance](const Run& run) { return run.metrics.energy.provenance == provenance; };
    };
    all.addAbout(
        Weight::Serious, [](const Run& run) { return run.info.status != RunStatus::Complete; },
        "%1 did not complete.");
    all.addAbout(Weight::Serious, has(Provenance::Modelled),
                 "The joules of %1 are modelled from the load of the machine, not measured. They "
                 "follow processor time: a difference in joules says little more than a difference "
                 "in time.");
    all.addAbout(Weight::Serious, has(Provenance::Imported),
                 "The joules of %1 were read from recordings of other programs: sensor, machine "
                 "and clock are theirs, so a difference from measured runs says nothing.");
    all.addAbout(
        Weight::Caution, [](const Run& run) { return !run.metrics.energy.total_mj.has_value(); },
        "%1 has no energy; only times are compared.",
        "%1 have no energy; only times are compared.");
    all.addAbout(
        Weight::Caution,
        [](const Run& run) {
            return run.info.power.quality
                && run.info.power.quality->verdict == QualityVerdict::Poor;
        },
        "The power samples of %1 are poor; see their quality before you rely on them.");
    const auto methods = all.distinct([](const RunInfo& i) {
        return i.power.attribution ? std::string(name(i.power.attribution->method)) : std::string();
    });
    if (methods.size() > 1) {
        all.add(Weight::Note,
                "Energy was split over layers and components in different ways; "
                "compare totals and phases.");
    }
    const auto fewest =
        std::min_element(groups.begin(), groups.end(), [](const RunGroup& a, const RunGroup& b) {
            return a.runs.size() < b.runs.size();
        });
    if (fewest != groups.end() && fewest->runs.size() < static_cast<std::size_t>(kMinToTest)) {
        all.add(Weight::Caution,
                "There are fewer than 3 repeats on a side: differences describe these runs only, "
                "and may not be reproducible.");
    }
}

} // namespace

std::vector<ComparisonWarning> warningsOf(const std::vector<RunGroup>& groups)
{
    Warnings all(groups);
    warnOfSettings(all);
    warnOfLengths(all);
    warnOfQuality(all, groups);
    return all.take();
}

} // namespace ep::energy
