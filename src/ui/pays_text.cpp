// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays_text.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/powerlog/pairs.h"
#include "ep/ui/terms.h"
#include "ep/viz/charts.h"

namespace ep::ui {

namespace {

constexpr double kPaysPercent = 100.0;
// Figure of commands that send no tokens.
constexpr std::string_view kEnergyPerRun = "mj_per_run";
constexpr std::string_view kTimePerRun = "ms_per_run";

double percentOf(double ratio)
{
    return kPaysPercent * (ratio - 1.0);
}

} // namespace

std::optional<PaysPoint> pointOf(const session::PaysDecision& decision)
{
    if (decision.figures.empty() || !decision.figures.front().estimate)
        return std::nullopt;
    const energy::PairedEstimate& estimate = *decision.figures.front().estimate;
    PaysPoint point{.pairs = decision.pairs_used, .ratio = estimate.ratio};
    if (estimate.interval)
        point.interval = {estimate.interval->low, estimate.interval->high};
    return point;
}

viz::Scene paysChart(const session::PaysDecision& decision, const std::vector<PaysPoint>& course,
                     double smallestDifference, double width, double height)
{
    viz::CourseChart chart;
    chart.frame.width = width;
    chart.frame.height = height;
    const bool wholeRuns =
        !decision.figures.empty() && decision.figures.front().name == kEnergyPerRun;
    chart.frame.title = wholeRuns ? said("Energy of the runs of A compared with B")
                                  : said("Energy per token of A compared with B");
    chart.frame.x_title = said("Pairs");
    chart.frame.counts = true;
    chart.frame.y_title = "%";
    chart.frame.empty = said("No pair has been measured yet.");
    const double smallest = kPaysPercent * smallestDifference;
    chart.guides = {-smallest, smallest};
    for (const PaysPoint& point : course) {
        const double y = percentOf(point.ratio);
        std::string difference = y > 0.0 ? "+" : "";
        difference += formatPercent(point.ratio - 1.0);
        viz::CourseStep& step = chart.steps.emplace_back();
        step = {static_cast<double>(point.pairs), y,
                said("%1, pairs: %2", difference, std::to_string(point.pairs))};
        if (point.interval)
            step.interval = {percentOf(point.interval->first), percentOf(point.interval->second)};
    }
    return viz::layoutCourse(chart);
}

QString paysVerdictText(const session::PaysResult& result)
{
    return term(session::verdictSentence(result.decision, "A", "B", result.minutes_left));
}

QString paysFigureTitle(const std::string& name)
{
    if (name == powerlog::kPairEnergy)
        return translated("Energy per token");
    if (name == "ms_per_token")
        return translated("Time per token");
    if (name == kEnergyPerRun)
        return translated("Energy of the run");
    if (name == kTimePerRun)
        return translated("Time of the run");
    return name == "perplexity" ? translated("Perplexity") : toQString(name);
}

QString paysFiguresText(const session::PaysDecision& decision)
{
    QStringList lines;
    for (const session::PaysFigure& figure : decision.figures) {
        const QString title = paysFigureTitle(figure.name);
        if (!figure.estimate) {
            lines << title + QStringLiteral(": ") + missingText();
            continue;
        }
        constexpr int kDigits = 4;
        const QString ratio = toQString(formatFixed(figure.estimate->ratio, kDigits));
        QString line = figure.estimate->interval
            ? translated("%1: A / B = %2 (%3 to %4)")
                  .arg(title, ratio,
                       toQString(formatFixed(figure.estimate->interval->low, kDigits)),
                       toQString(formatFixed(figure.estimate->interval->high, kDigits)))
            : translated("%1: A / B = %2").arg(title, ratio);
        if (figure.pairs > 0)
            line += translated(", pairs: %1").arg(figure.pairs);
        lines << line;
    }
    if (const std::string used = session::pairsUsedSentence(decision); !used.empty())
        lines << term(used);
    for (const Message& caution : decision.cautions)
        lines << term(caution);
    return lines.join(u'\n');
}

} // namespace ep::ui
