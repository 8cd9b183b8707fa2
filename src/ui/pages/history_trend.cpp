// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_trend.h"

#include "report/report_charts.h"
#include "text.h"

#include "ep/core/utf8.h"
#include "ep/energy/comparison.h"
#include "ep/energy/insights.h"
#include "ep/ui/theme.h"

#include <QDateTime>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ep::ui {

namespace {

constexpr std::size_t kMaxRuns = 2000;
constexpr int kMaxLabels = 7;

std::vector<std::pair<double, std::string>> dateLabels(qint64 first, qint64 last)
{
    constexpr qint64 kMinuteMs = 60'000;
    std::vector<std::pair<double, std::string>> labels;
    const auto step = (last - first) / kMaxLabels;
    const QString format = last - first > 2 * kMillisecondsPerDay ? QStringLiteral("yyyy-MM-dd")
        : step < kMinuteMs                                        ? QStringLiteral("HH:mm:ss")
                                                                  : QStringLiteral("MM-dd HH:mm");
    for (int i = 0; i <= kMaxLabels; ++i) {
        const qint64 at = first + step * i;
        const QDateTime moment = QDateTime::fromMSecsSinceEpoch(at);
        std::string label = moment.toString(format).toStdString();
        // If the runs span only a few seconds, several labels have the same text; only the first is
        // used.
        if (labels.empty() || labels.back().second != label)
            labels.emplace_back(static_cast<double>(at - first), std::move(label));
        if (step == 0)
            break;
    }
    return labels;
}

// An imported recording may not name a model.
std::string trendModel(const RunSummary& run)
{
    return run.info.model.name.empty() ? said("Without a model") : run.info.model.name;
}

// "SmolLM2, q4_1, “The old man …”"
std::string settingText(const RunSummary& run, bool withOrigin)
{
    constexpr std::size_t kPromptPreview = 16;
    std::string text = trendModel(run);
    if (!run.info.dtype.empty())
        text += ", " + run.info.dtype;
    if (!run.info.prompt.empty())
        text += ", " + said("“%1”", previewUtf8(run.info.prompt, kPromptPreview));
    if (withOrigin)
        text +=
            ", " + energyLabel(run.info.power.source, run.metrics.energy.provenance).toStdString();
    return text;
}

} // namespace

viz::Scene trendOf(const std::vector<const RunSummary*>& runs, double width, double height)
{
    viz::LineChart chart;
    chart.frame = frameOf({width, height}, said("Energy per token over time"));
    chart.frame.empty = said("No run in the list has an energy per token.");
    std::vector<const RunSummary*> shown;
    for (const RunSummary* run : runs) {
        if (run->metrics.joules_per_token)
            shown.push_back(run);
    }
    std::sort(shown.begin(), shown.end(), [](const RunSummary* a, const RunSummary* b) {
        return a->info.created_at_ms < b->info.created_at_ms;
    });
    if (shown.size() > kMaxRuns)
        shown.erase(shown.begin(), shown.end() - kMaxRuns);
    if (shown.empty())
        return layoutLines(chart);

    // Energies of different origins are not joined by a line.
    std::set<std::string_view> origins;
    for (const RunSummary* run : shown)
        origins.insert(energy::energyOrigin(*run));
    // A line shows how the runs of one setting change with time; it has no runs of other settings.
    std::map<std::string, std::pair<std::size_t, std::string>> settings; // runs and label by key
    for (const RunSummary* run : shown) {
        auto& [count, label] = settings[energy::repeatKey(run->info)];
        ++count;
        label = settingText(*run, origins.size() > 1);
    }
    std::vector<std::tuple<std::size_t, std::string, std::string>> lines; // runs, label, key
    for (const auto& [key, setting] : settings)
        lines.emplace_back(setting.first, setting.second, key);
    std::sort(lines.rbegin(), lines.rend());
    const bool others = lines.size() > viz::kSeriesCount;
    lines.resize(std::min(lines.size(), others ? viz::kSeriesCount - 1 : viz::kSeriesCount));
    const qint64 first = shown.front()->info.created_at_ms;
    for (const auto& [count, label, key] : lines)
        chart.series.push_back({.label = label, .points = {}, .markers = true});
    if (others)
        chart.series.push_back(
            {.label = said("other settings"), .points = {}, .markers = true, .joined = false});
    for (const RunSummary* run : shown) {
        std::size_t at = 0;
        const std::string key = energy::repeatKey(run->info);
        while (at < lines.size() && std::get<2>(lines[at]) != key)
            ++at;
        viz::LineSeries& series = chart.series[at];
        series.points.push_back(
            {static_cast<double>(run->info.created_at_ms - first), *run->metrics.joules_per_token});
        series.links.push_back(run->info.id);
        series.texts.push_back(
            trendModel(*run) + ", " + dateText(run->info.created_at_ms).toStdString() + ": "
            + energyPerTokenText(run->metrics.joules_per_token).toStdString()
            + formatUnit("/token, ")
            + energyOriginText(run->info.power.source, run->metrics.energy.provenance)
                  .toStdString());
    }
    chart.x_labels = dateLabels(first, shown.back()->info.created_at_ms);
    return linesIn("J/token", std::move(chart));
}

} // namespace ep::ui
