// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/insights_charts.h"

#include "report/report_charts.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/energy/comparison.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace ep::ui {

namespace {

using energy::RunFeature;
using energy::RunGrouping;

constexpr int kCurvePoints = 48;
constexpr std::size_t kMaxBars = 12;

std::string runCount(std::int64_t runs)
{
    return countText(static_cast<qsizetype>(runs)).toStdString();
}

// Energies in a unit that suits the largest of them, other figures in their own.
viz::DisplayUnit unitFor(RunFigure metric, double largest)
{
    const std::string_view unit = factsOf(metric).unit;
    return unit == "J/token" || unit == "J" ? axisUnit(unit, largest)
                                            : viz::DisplayUnit{1.0, formatUnit(unit)};
}

// Each of the models with the most runs has a series; the others share the last one.
struct Series {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> places;

    std::size_t of(const RunInfo& info) const
    {
        const auto found = places.find(energy::modelAndEngine(info));
        return found == places.end() ? names.size() - 1 : found->second;
    }
};

Series seriesOf(const RunsInView& runs)
{
    std::map<std::string, std::size_t> counts;
    for (const RunSummary* run : runs)
        ++counts[energy::modelAndEngine(run->info)];
    std::vector<std::pair<std::size_t, std::string>> order;
    for (const auto& [model, count] : counts)
        order.emplace_back(count, model);
    std::sort(order.rbegin(), order.rend());
    const bool others = order.size() > viz::kSeriesCount;
    order.resize(std::min(order.size(), others ? viz::kSeriesCount - 1 : viz::kSeriesCount));
    Series series;
    for (const auto& [count, model] : order) {
        series.places[model] = series.names.size();
        series.names.push_back(model.empty() ? said("(no name)") : model);
    }
    if (others)
        series.names.push_back(said("other models"));
    return series;
}

std::string pointText(const RunSummary& run, RunFigure metric, double value)
{
    return said(
        "%1, %2 on %3: %4 (%5)", energy::modelAndEngine(run.info), run.info.dtype, run.info.device,
        formatFigure(metric, value),
        needsEnergy(metric)
            ? energyLabel(run.info.power.source, run.metrics.energy.provenance).toStdString()
            : said("timed"));
}

struct Pairs {
    std::vector<double> x;
    std::vector<double> y;
    RunsInView runs;
};

Pairs pairsOf(const RunsInView& runs, RunFeature feature, RunFigure metric)
{
    Pairs pairs;
    for (const RunSummary* run : alikeBut(differingWith(feature), runs)) {
        const auto x = valueOf(feature, run->info);
        const auto y = valueOf(metric, *run);
        if (!x || !y)
            continue;
        pairs.x.push_back(*x);
        pairs.y.push_back(*y);
        pairs.runs.push_back(run);
    }
    return pairs;
}

// The law that chart and text show; absent if the runs do not support one.
std::optional<energy::PowerLaw> lawOf(const Pairs& pairs)
{
    std::vector<std::string> models;
    for (const RunSummary* run : pairs.runs)
        models.push_back(run->info.model.name);
    const auto fit = energy::fitPowerLaw(pairs.x, pairs.y, models);
    return fit && fit->holds() ? fit : std::nullopt;
}

// One point for each setting, at the means of its repeats: with single runs, their scatter would
// determine the front.
struct SettingPoints : Pairs { // the first run of each point
    std::vector<std::int64_t> repeats;
    std::int64_t all = 0;
};

SettingPoints throughputOf(const RunsInView& runs)
{
    RunsInView known;
    std::vector<const RunInfo*> infos;
    for (const RunSummary* run : energy::alikeBut({.format = true}, runs)) {
        if (!valueOf(RunFigure::TokensPerSecond, *run) || !valueOf(RunFigure::JoulesPerToken, *run))
            continue;
        known.push_back(run);
        infos.push_back(&run->info);
    }
    SettingPoints settings;
    for (const std::vector<std::size_t>& group : energy::groupRepeats(infos)) {
        double tokens = 0.0;
        double seconds = 0.0;
        double joules = 0.0;
        for (const std::size_t index : group) {
            const auto made = static_cast<double>(known[index]->info.output_tokens);
            tokens += made;
            seconds += made / *valueOf(RunFigure::TokensPerSecond, *known[index]);
            joules += made * *valueOf(RunFigure::JoulesPerToken, *known[index]);
        }
        settings.all += std::ssize(group);
        if (!(tokens > 0.0) || !(seconds > 0.0))
            continue;
        settings.x.push_back(tokens / seconds);
        settings.y.push_back(joules / tokens);
        settings.runs.push_back(known[group.front()]);
        settings.repeats.push_back(std::ssize(group));
    }
    return settings;
}

double largestOf(const std::vector<double>& values)
{
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

std::string titleText(std::string_view title)
{
    return term(title).toStdString();
}

// The title in lower case, for use inside a sentence; translations may keep capitals.
std::string lower(std::string_view title)
{
    std::string text = titleText(title);
    if (!text.empty() && text == title)
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text;
}

std::string number(double value, int digits = 2)
{
    return formatSignificant(value, digits);
}

struct QualityPoint {
    const RunSummary* run = nullptr;
    double perplexity = 0.0;
    double joules = 0.0; // per token
};

struct QualityPoints {
    std::vector<QualityPoint> points;
    std::string text; // name of the common text
    std::size_t unknown = 0; // runs without a record for that text
};

using Subject = std::tuple<std::string_view, std::string_view, std::string_view>;
using TextId = std::tuple<std::string_view, std::int64_t, std::int64_t>;

QualityPoints qualityPoints(const RunsInView& runs, const Qualities& qualities)
{
    std::map<Subject, RunsInView> bySubject; // model and format
    for (const RunSummary* run : runs)
        bySubject[{run->info.model.name, run->info.model.fingerprint, run->info.dtype}].push_back(
            run);
    std::map<TextId, std::map<Subject, const QualityRecord*>> byText;
    for (const QualityRecord& record : qualities) { // records are ordered newest first
        const Subject subject{record.model, record.fingerprint, record.dtype};
        if (bySubject.contains(subject))
            byText[{record.text_hash, record.context, record.stride}].try_emplace(subject, &record);
    }
    QualityPoints best;
    best.unknown = runs.size();
    for (const auto& [text, records] : byText) {
        QualityPoints points;
        points.unknown = runs.size();
        for (const auto& [subject, record] : records) {
            points.text = record->text_name;
            points.unknown -= bySubject[subject].size();
            for (const RunSummary* run : bySubject[subject]) {
                if (const auto joules = valueOf(RunFigure::JoulesPerToken, *run))
                    points.points.push_back({run, record->perplexity, *joules});
            }
        }
        if (points.points.size() > best.points.size())
            best = std::move(points);
    }
    return best;
}

std::vector<std::size_t> frontOf(const QualityPoints& all)
{
    std::vector<double> better; // negated, since less perplexity is better
    std::vector<double> joules;
    for (const QualityPoint& point : all.points) {
        better.push_back(-point.perplexity);
        joules.push_back(point.joules);
    }
    return energy::paretoFront(better, joules);
}

} // namespace

viz::Scene scalingChart(const RunsInView& runs, RunFeature feature, RunFigure metric, double width,
                        double height)
{
    const Pairs pairs = pairsOf(runs, feature, metric);
    const viz::DisplayUnit scale = unitFor(metric, largestOf(pairs.y));
    const Series series = seriesOf(runs); // the same in both charts
    viz::ScatterChart chart;
    chart.frame = frameOf({width, height},
                          said("%1 against %2", titleText(title(metric)), lower(title(feature))));
    chart.frame.x_title = titleText(title(feature));
    chart.frame.y_title = scale.suffix;
    chart.frame.empty = said("No run in the list has both figures.");
    if (!pairs.x.empty() && std::ranges::count(pairs.x, pairs.x.front()) == std::ssize(pairs.x)) {
        chart.frame.empty =
            said("Nothing to compare yet: only one value of %1.", lower(title(feature)));
        return layoutScatter(chart);
    }
    chart.log_x = chart.log_y = true;
    chart.series = series.names;
    for (std::size_t i = 0; i < pairs.x.size(); ++i) {
        chart.points.push_back({pairs.x[i], pairs.y[i] * scale.factor,
                                pointText(*pairs.runs[i], metric, pairs.y[i]),
                                pairs.runs[i]->info.id, series.of(pairs.runs[i]->info)});
    }
    if (const auto fit = lawOf(pairs)) {
        const auto [low, high] = std::minmax_element(pairs.x.begin(), pairs.x.end());
        for (int i = 0; i < kCurvePoints; ++i) {
            const double x =
                *low * std::pow(*high / *low, static_cast<double>(i) / (kCurvePoints - 1));
            chart.curve.push_back({x, fit->at(x) * scale.factor});
            if (const auto band = fit->bandAt(x)) {
                chart.band_low.push_back({x, band->low * scale.factor});
                chart.band_high.push_back({x, band->high * scale.factor});
            }
        }
    }
    return layoutScatter(chart);
}

std::string scalingText(const RunsInView& runs, RunFeature feature, RunFigure metric)
{
    const Pairs pairs = pairsOf(runs, feature, metric);
    const std::set<double> different(pairs.x.begin(), pairs.x.end());
    const auto fit = lawOf(pairs);
    if (!fit)
        return {};
    std::string text = said("%1 scales with %2 to the power of %3", titleText(title(metric)),
                            lower(title(feature)), number(fit->exponent));
    if (fit->exponent_ci95) {
        text += said(" (95 % interval %1 to %2)", number(fit->exponent_ci95->low),
                     number(fit->exponent_ci95->high));
    }
    const std::string models =
        fit->clusters == 1 ? said("1 model") : said("%1 models", std::to_string(fit->clusters));
    return text
        + said(", R² %1; based on %2 of %3 with %4 different values. Other differences between the "
               "runs widen the interval or distort the fit.",
               number(fit->r2), runCount(fit->n), models, std::to_string(different.size()));
}

viz::Scene paretoChart(const RunsInView& runs, double width, double height)
{
    const SettingPoints pairs = throughputOf(runs);
    const viz::DisplayUnit scale = unitFor(RunFigure::JoulesPerToken, largestOf(pairs.y));
    const Series series = seriesOf(runs); // the same in both charts
    viz::ScatterChart chart;
    chart.frame = frameOf({width, height}, said("Throughput and energy per token"));
    chart.frame.x_title = titleText("Tokens per second");
    chart.frame.y_title = scale.suffix;
    chart.frame.empty = said("No run in the list has both an energy per token and a speed.");
    chart.series = series.names;
    for (std::size_t i = 0; i < pairs.x.size(); ++i) {
        chart.points.push_back({pairs.x[i], pairs.y[i] * scale.factor,
                                pointText(*pairs.runs[i], RunFigure::JoulesPerToken, pairs.y[i])
                                    + ", " + number(pairs.x[i], 3) + formatUnit(" tokens/s, ")
                                    + runCount(pairs.repeats[i]),
                                pairs.runs[i]->info.id, series.of(pairs.runs[i]->info)});
    }
    const auto front = energy::paretoFront(pairs.x, pairs.y);
    for (const std::size_t i : front) {
        chart.points[i].marked = true;
        chart.front.push_back({pairs.x[i], pairs.y[i] * scale.factor});
    }
    if (const auto knee = energy::kneeOf(front, pairs.x, pairs.y)) {
        const std::size_t i = front[*knee];
        chart.knee = {{pairs.x[i], pairs.y[i] * scale.factor}, said("knee")};
    }
    return layoutScatter(chart);
}

std::string paretoText(const RunsInView& runs)
{
    const SettingPoints pairs = throughputOf(runs);
    const auto front = energy::paretoFront(pairs.x, pairs.y);
    if (pairs.x.size() < 2) // a single setting has nothing to beat
        return {};
    std::string text =
        said("Circled: %1 of %2 settings that no other beats in both speed and "
             "energy per token (Pareto front); %3, repeats averaged.",
             std::to_string(front.size()), std::to_string(pairs.x.size()), runCount(pairs.all));
    if (const auto knee = energy::kneeOf(front, pairs.x, pairs.y)) {
        const RunInfo& info = pairs.runs[front[*knee]]->info;
        text += said(" Beyond the knee (%1, %2, %3, %4 tokens/s), more speed costs "
                     "disproportionately more energy.",
                     energy::modelAndEngine(info), info.dtype,
                     formatFigure(RunFigure::JoulesPerToken, pairs.y[front[*knee]]),
                     number(pairs.x[front[*knee]], 3));
    }
    return text;
}

viz::Scene groupChart(const RunsInView& runs, RunGrouping grouping, RunFigure metric, double width,
                      double height)
{
    auto groups = groupBy(grouping, metric, alikeBut(differingWith(grouping), runs));
    if (groups.size() > kMaxBars)
        groups.resize(kMaxBars);
    viz::BarChart chart;
    chart.frame = frameOf({width, height},
                          said("%1 by %2", titleText(title(metric)), lower(title(grouping))));
    chart.frame.x_title = titleText(title(metric));
    chart.frame.empty = said("No run in the list has this figure.");
    for (const energy::InsightGroup& group : groups) {
        viz::Bar bar;
        bar.label = group.name;
        bar.value = group.statistics.mean;
        if (const auto& ci = group.statistics.ci95)
            bar.interval = {ci->low, ci->high};
        bar.text = formatFigure(metric, group.statistics.mean) + ", " + runCount(group.statistics.n)
            + (needsEnergy(metric)
                   ? ", " + energyLabel(group.source, group.provenance).toStdString()
                   : std::string());
        chart.bars.push_back(std::move(bar));
    }
    return layoutBars(chart);
}

std::string groupText(const RunsInView& runs, RunGrouping grouping, RunFigure metric)
{
    const auto groups = groupBy(grouping, metric, alikeBut(differingWith(grouping), runs));
    std::int64_t all = 0;
    for (const energy::InsightGroup& group : groups)
        all += group.statistics.n;
    if (groups.size() < 2) // there is nothing to rank
        return {};
    const auto& best = groups.front().statistics.ci95;
    const auto& last = groups.back().statistics.ci95;
    if (!best || !last || (best->low <= last->high && last->low <= best->high))
        return said("The order of these %1 groups may be chance; based on %2.",
                    std::to_string(groups.size()), runCount(all));
    return said("%1 comes first and %2 last of %3 groups; based on %4. The groups may also differ "
                "in other respects: compare runs to find the cause.",
                groups.front().name, groups.back().name, std::to_string(groups.size()),
                runCount(all));
}

viz::Scene tokenCostChart(const RunsInView& runs, double width, double height)
{
    viz::BarChart chart;
    chart.frame = frameOf({width, height}, said("Energy per input token and per decoded token"));
    chart.frame.x_title = formatUnit("J/token");
    chart.frame.empty = said("No run in the list has energies for both prefill and decode.");
    if (const auto costs = energy::tokenCosts(energy::alikeBut({}, runs))) {
        const auto add = [&](const std::string& label, const energy::SampleStatistics& s,
                             std::size_t series) {
            viz::Bar bar;
            bar.label = label;
            bar.value = s.mean;
            if (s.ci95)
                bar.interval = {s.ci95->low, s.ci95->high};
            bar.text = formatFigure(RunFigure::JoulesPerToken, s.mean);
            bar.series = series;
            chart.bars.push_back(std::move(bar));
        };
        add(said("Input token"), costs->input, 0);
        add(said("Decoded token"), costs->decoded, 1);
    }
    return layoutBars(chart);
}

std::string tokenCostText(const RunsInView& runs)
{
    const auto costs = energy::tokenCosts(energy::alikeBut({}, runs));
    if (!costs)
        return {};
    const std::string text = said("A decoded token costs %1 times an input token (%2)",
                                  number(costs->ratio(), 3), runCount(costs->input.n));
    return text
        + said(". The literature's figure, for other models and machines, is about %1 times.",
               number(energy::kLiteratureTokenCostRatio));
}

viz::Scene qualityChart(const RunsInView& runs, const Qualities& qualities, double width,
                        double height)
{
    const QualityPoints all = qualityPoints(runs, qualities);
    double largest = 0.0;
    for (const QualityPoint& point : all.points)
        largest = std::max(largest, point.joules);
    const viz::DisplayUnit unit = axisUnit("J/token", largest);
    viz::ScatterChart chart;
    chart.frame = frameOf({width, height}, said("Quality and energy per token"));
    chart.frame.x_title =
        all.text.empty() ? said("Perplexity") : said("Perplexity on %1", all.text);
    chart.frame.y_title = unit.suffix;
    chart.frame.empty = said("Quality not measured: no run in the list has a perplexity.");
    for (const QualityPoint& point : all.points) {
        const RunInfo& info = point.run->info;
        const auto series =
            std::find(chart.series.begin(), chart.series.end(), info.dtype) - chart.series.begin();
        if (series == std::ssize(chart.series))
            chart.series.push_back(info.dtype);
        chart.points.push_back({point.perplexity, point.joules * unit.factor,
                                info.model.name + ", " + info.dtype + ": "
                                    + formatFigure(RunFigure::JoulesPerToken, point.joules)
                                    + ", perplexity " + formatPerplexity(point.perplexity),
                                info.id, static_cast<std::size_t>(series)});
    }
    for (const std::size_t i : frontOf(all)) {
        chart.points[i].marked = true;
        chart.front.push_back({chart.points[i].x, chart.points[i].y});
    }
    return layoutScatter(chart);
}

std::string qualityFrontText(const RunsInView& runs, const Qualities& qualities)
{
    const QualityPoints all = qualityPoints(runs, qualities);
    if (all.points.empty())
        return {};
    std::string text =
        said("Circled: %1 of %2 runs that no other run beats in both energy per "
             "token and perplexity on %3.",
             std::to_string(frontOf(all).size()), std::to_string(all.points.size()), all.text);
    if (all.unknown > 0)
        text +=
            said(" Quality not measured for %1 of the listed runs.", std::to_string(all.unknown));
    return text;
}

void addQualityRequest(const RunInfo& info, std::vector<session::QualityRequest>& requests)
{
    const bool known = std::ranges::any_of(requests, [&](const session::QualityRequest& other) {
        return other.model == info.model.path && other.dtype == info.dtype;
    });
    if (!known && !info.model.path.empty())
        requests.push_back({.model = info.model.path,
                            .device = info.device,
                            .dtype = info.dtype,
                            .threads = info.environment.threads});
}

std::vector<session::QualityRequest> qualityRequests(const RunsInView& runs,
                                                     const Qualities& qualities)
{
    std::vector<session::QualityRequest> requests;
    const auto add = [&](const RunInfo& info) { addQualityRequest(info, requests); };
    for (const RunSummary* run : runs) {
        if (energy::qualityOf(qualities, run->info).empty())
            add(run->info);
    }
    if (requests.empty()) { // all are known, but on another text
        for (const RunSummary* run : runs)
            add(run->info);
    }
    return requests;
}

} // namespace ep::ui
