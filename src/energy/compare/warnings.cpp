// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/properties.h"

#include "ep/core/joined.h"
#include "ep/core/matmul_kind.h"
#include "ep/core/stated_tokens.h"

#include <algorithm>
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

    void add(Weight weight, std::string text) { m_found.push_back({weight, std::move(text)}); }

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

std::string runsText(std::size_t count)
{
    return count == 1 ? "1 run" : std::to_string(count) + " runs";
}

void warnOfSettings(Warnings& all)
{
    const auto sources = all.distinct([](const RunInfo& i) { return i.power.source; });
    if (sources.size() > 1) {
        all.add(Weight::Serious,
                "The joules come from different power sources (" + joined(sources, kBetween)
                    + "). Differences in energy may be due to the sensors; times can be compared.");
    }
    auto servers = all.distinct([](const RunInfo& i) {
        return i.profiling.server ? i.profiling.server->engine : std::string();
    });
    std::erase(servers, std::string());
    if (!servers.empty()) {
        all.add(Weight::Note,
                "The device, number format and layers of " + joined(servers, kBetween)
                    + " are not known here: compare whole runs, their phases and tokens.");
    }
    const auto devices = all.distinctOfOurs([](const RunInfo& i) { return i.device; });
    if (devices.size() > 1) {
        all.add(Weight::Caution,
                "The devices differ (" + joined(devices, kBetween)
                    + "). A rail covers only its own device: compare energies only if the source "
                      "covers both.");
    }
    const auto machines = all.distinct(
        [](const RunInfo& i) { return i.environment.machine + ", " + i.environment.cpu; });
    if (machines.size() > 1) {
        all.add(Weight::Serious,
                "The runs were made on different machines (" + joined(machines, kBetween)
                    + "); differences may not be due to the settings.");
    }
    const auto depths =
        all.distinctOfOurs([](const RunInfo& i) { return std::string(name(i.depth)); });
    if (depths.size() > 1) {
        all.add(Weight::Serious,
                "The profiling depths differ (" + joined(depths, kBetween)
                    + "). Deeper recording costs time and energy; compare runs of the same depth.");
    }
    const auto dtypes = all.distinctOfOurs([](const RunInfo& i) { return i.dtype; });
    if (dtypes.size() > 1) {
        all.add(Weight::Note,
                "The number formats differ (" + joined(dtypes, kBetween)
                    + "), so the texts may differ: measure how well each format predicts a text.");
    }
    const auto layers =
        all.distinctOfOurs([](const RunInfo& i) { return std::to_string(i.model.layers); });
    if (layers.size() > 1) {
        all.add(Weight::Note,
                "The models have different numbers of layers (" + joined(layers, kBetween)
                    + "). Layers are matched by their relative position; several of the deeper "
                      "model are added up.");
    }
    // Runs of earlier versions do not say.
    auto kernels = all.distinct([](const RunInfo& i) { return i.profiling.kernels; });
    std::erase(kernels, std::string());
    if (kernels.size() > 1 && dtypes.size() == 1 && devices.size() == 1) {
        all.add(Weight::Caution,
                "The matrix products were computed by different kernels ("
                    + joined(kernels, kBetween)
                    + "): part of the difference may be theirs. Pin them with --kernels.");
    }
    auto kinds =
        all.distinctOfOurs([](const RunInfo& i) { return matmulKindOf(i.profiling.kernels); });
    std::erase(kinds, std::string());
    if (kinds.size() > 1 && dtypes.size() > 1) {
        all.add(Weight::Caution,
                "The number formats were multiplied in different ways (" + joined(kinds, kBetween)
                    + "): part of the difference is that of this program's kernels, not of the "
                      "formats.");
    }
    const auto versions =
        all.distinctOfOurs([](const RunInfo& i) { return i.environment.torch_version; });
    if (versions.size() > 1)
        all.add(Weight::Caution,
                "The LibTorch versions differ (" + joined(versions, kBetween) + ").");
}

void warnOfLengths(Warnings& all)
{
    const auto perSequence = [](const RunInfo& i, const std::optional<std::int64_t>& tokens) {
        return tokens ? std::to_string(*tokens / static_cast<std::int64_t>(batchSize(i)))
                      : std::string();
    };
    auto inputs = all.distinct([&](const RunInfo& i) { return perSequence(i, inputTokens(i)); });
    std::erase(inputs, std::string()); // not stated
    if (inputs.size() > 1) {
        all.add(Weight::Caution,
                "The prompts have different lengths (" + joined(inputs, kBetween)
                    + " tokens). Energy per output token includes the prefill: compare energy per "
                      "input token and per decoded token instead.");
    } else {
        auto prompts = all.distinct([](const RunInfo& i) { return i.prompt; });
        std::erase(prompts, std::string()); // of recorded commands
        if (prompts.size() > 1)
            all.add(Weight::Note, "The prompts differ, but not in length.");
    }
    const std::size_t commands = all.count([](const Run& run) {
        return run.info.profiling.command.has_value() && run.info.output_tokens > 0;
    });
    if (commands > 0) {
        all.add(Weight::Caution,
                "The energy and time of a recorded command are those of all of it, with loading "
                "the model: compare its prefill and its decoded tokens.");
    }
    auto outputs = all.distinct([&](const RunInfo& i) { return perSequence(i, outputTokens(i)); });
    std::erase(outputs, std::string());
    if (outputs.size() > 1) {
        all.add(Weight::Caution,
                "The runs generated different numbers of tokens"
                    + (outputs.size() <= 6 ? " (" + joined(outputs, kBetween) + ")" : std::string())
                    + ". Later tokens cost more, and the energy of a run is not "
                      "comparable.");
    }
}

void warnOfQuality(Warnings& all, const std::vector<RunGroup>& groups)
{
    const std::size_t unfinished =
        all.count([](const Run& run) { return run.info.status != RunStatus::Complete; });
    if (unfinished > 0)
        all.add(Weight::Serious, runsText(unfinished) + " did not complete.");
    const std::size_t modelled = all.count(
        [](const Run& run) { return run.metrics.energy.provenance == Provenance::Modelled; });
    if (modelled > 0) {
        all.add(
            Weight::Serious,
            "The joules of " + runsText(modelled)
                + " are modelled from the load of the machine, not measured. They follow processor "
                  "time: a difference in joules says little more than a difference in time.");
    }
    const std::size_t imported = all.count(
        [](const Run& run) { return run.metrics.energy.provenance == Provenance::Imported; });
    if (imported > 0)
        all.add(Weight::Serious,
                "The joules of " + runsText(imported)
                    + " were read from recordings of other programs: sensor, machine and clock are "
                      "theirs, so a difference from measured runs says nothing.");
    const std::size_t without =
        all.count([](const Run& run) { return !run.metrics.energy.total_mj.has_value(); });
    if (without > 0)
        all.add(Weight::Caution,
                runsText(without) + (without == 1 ? " has" : " have")
                    + " no energy; only times are compared.");
    const std::size_t poor = all.count([](const Run& run) {
        return run.info.power.quality && run.info.power.quality->verdict == QualityVerdict::Poor;
    });
    if (poor > 0) {
        all.add(Weight::Caution,
                "The power samples of " + runsText(poor)
                    + " are poor; see their quality before you rely on them.");
    }
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
