// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays_text.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/powerlog/pairs.h"
#include "ep/ui/terms.h"
#include "ep/viz/charts.h"

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kPaysPercent = 100.0;
// Figure of commands that send no tokens.
constexpr std::string_view kEnergyPerRun = "mj_per_run";
constexpr std::string_view kTimePerRun = "ms_per_run";

} // namespace

std::optional<PaysPoint> pointOf(const session::PaysDecision& decision)
{
    if (!decision.test.relative)
        return std::nullopt;
    PaysPoint point{.pairs = decision.test.pairs_used, .relative = *decision.test.relative};
    if (const auto& interval = decision.test.interval)
        point.interval = {interval->low, interval->high};
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
    const std::string a = term(decision.a).toStdString();
    const std::string b = term(decision.b).toStdString();
    chart.frame.title = wholeRuns ? said("Energy of the runs of %1 compared with %2", b, a)
                                  : said("Energy per token of %1 compared with %2", b, a);
    chart.frame.x_title = said("Pairs");
    chart.frame.counts = true;
    chart.frame.y_title = "%";
    chart.frame.empty = said("No pair has been measured yet.");
    const double smallest = kPaysPercent * smallestDifference;
    chart.guides = {-smallest, smallest};
    // The first intervals are wide, and a few may be without end; the frame cuts them off.
    double most = kPaysPercent;
    for (const PaysPoint& point : course)
        most = std::max(most, 2.0 * kPaysPercent * std::abs(point.relative));
    for (const PaysPoint& point : course) {
        const double y = kPaysPercent * point.relative;
        const std::string difference = withSign(formatPercent(point.relative), point.relative);
        viz::CourseStep& step = chart.steps.emplace_back();
        step = {static_cast<double>(point.pairs), y,
                said("%1, pairs: %2", difference, std::to_string(point.pairs))};
        if (point.interval)
            step.interval = {kPaysPercent * point.interval->first,
                             std::min(most, kPaysPercent * point.interval->second)};
    }
    return viz::layoutCourse(chart);
}

QString paysVerdictText(const session::PaysResult& result)
{
    return term(session::verdictSentence(result.decision, result.minutes_left));
}

QString paysFigureTitle(const std::string& name)
{
    if (name == powerlog::kPairEnergy)
        return translated("Energy per output token");
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
        QString line = translated("%1, %2 against %3: %4")
                           .arg(title, term(decision.b), term(decision.a),
                                term(energy::differenceText(figure.test)));
        if (figure.test.pairs_used > 0)
            line += translated(", pairs: %1").arg(figure.test.pairs_used);
        lines << line;
    }
    if (const std::string used = session::pairsUsedSentence(decision); !used.empty())
        lines << term(used);
    for (const Message& caution : decision.cautions)
        lines << term(caution);
    return lines.join(u'\n');
}

} // namespace ep::ui
