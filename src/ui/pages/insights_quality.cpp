// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/insights_quality.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/energy/comparison.h"
#include "ep/viz/axis.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace ep::ui {

namespace {

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

viz::Scene qualityChart(const RunsInView& runs, const Qualities& qualities, double width,
                        double height)
{
    const QualityPoints all = qualityPoints(runs, qualities);
    double largest = 0.0;
    for (const QualityPoint& point : all.points)
        largest = std::max(largest, point.joules * 1e3);
    const viz::DisplayUnit unit = viz::displayUnit("mJ", largest);
    viz::ScatterChart chart;
    chart.frame.width = width;
    chart.frame.height = height;
    chart.frame.title = said("Quality and energy per token");
    chart.frame.x_title =
        all.text.empty() ? said("Perplexity") : said("Perplexity on %1", all.text);
    chart.frame.y_title = unit.suffix + formatUnit("/token");
    chart.frame.empty = said("Quality not measured: no run in the list has a perplexity.");
    for (const QualityPoint& point : all.points) {
        const RunInfo& info = point.run->info;
        const auto series =
            std::find(chart.series.begin(), chart.series.end(), info.dtype) - chart.series.begin();
        if (series == std::ssize(chart.series))
            chart.series.push_back(info.dtype);
        chart.points.push_back({point.perplexity, point.joules * 1e3 * unit.factor,
                                info.model.name + ", " + info.dtype + ": "
                                    + formatFigure(RunFigure::JoulesPerToken, point.joules)
                                    + ", perplexity " + formatSignificant(point.perplexity, 4),
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

std::vector<session::QualityRequest> qualityRequests(const RunsInView& runs,
                                                     const Qualities& qualities)
{
    std::vector<session::QualityRequest> requests;
    const auto add = [&](const RunInfo& info) {
        session::QualityRequest request{.model = info.model.path,
                                        .device = info.device,
                                        .dtype = info.dtype,
                                        .threads = info.environment.threads};
        const bool known = std::any_of(requests.begin(), requests.end(), [&](const auto& other) {
            return other.model == request.model && other.dtype == request.dtype;
        });
        if (!known && !request.model.empty())
            requests.push_back(std::move(request));
    };
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
