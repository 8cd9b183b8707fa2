// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/repeat_course.h"

#include "report/report_charts.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/energy/totals.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/viz/charts.h"

#include <QLabel>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kCourseHeight = 20 * kGrid;

QString fractionText(double fraction)
{
    return toQString(formatPercent(fraction));
}

// "60.1 mJ per output token ± 1.9 %"
QString knownText(const session::EnergyKnown& known)
{
    const QString energy = energyPerTokenText(known.joules_per_token);
    return known.half_width
        ? RepeatCourse::tr("%1 per output token ± %2").arg(energy, fractionText(*known.half_width))
        : RepeatCourse::tr("%1 per output token").arg(energy);
}

QString millionText(const session::EnergyKnown& known, const energy::Tariff& tariff)
{
    const double joules = known.joules_per_token;
    energy::PerToken figure{.joules = joules, .runs = known.runs};
    if (const auto& half = known.half_width)
        figure.ci95 = {.low = joules * (1.0 - *half), .high = joules * (1.0 + *half)};
    return term(millionTokensText("these runs", figure, tariff));
}

viz::Scene courseScene(const std::vector<session::EnergyKnown>& course, double goal, double width,
                       double height)
{
    viz::CourseChart chart;
    chart.frame =
        frameOf({width, height}, said("Energy per token after each run, with its 95 % interval"));
    chart.frame.x_title = said("Runs");
    chart.frame.counts = true;
    chart.frame.empty = said("No run has ended yet.");
    double largest = 0.0;
    for (const session::EnergyKnown& known : course)
        largest = std::max(largest, known.joules_per_token);
    const viz::DisplayUnit unit = axisUnit("J/token", largest);
    chart.frame.y_title = unit.suffix;
    for (const session::EnergyKnown& known : course) {
        const double y = known.joules_per_token * unit.factor;
        viz::CourseStep& step = chart.steps.emplace_back();
        step = {static_cast<double>(known.runs), y, knownText(known).toStdString()};
        if (known.half_width)
            step.interval = {y * (1.0 - *known.half_width), y * (1.0 + *known.half_width)};
    }
    if (!chart.steps.empty()) {
        const double mean = chart.steps.back().y;
        chart.guides = {mean * (1.0 - goal), mean * (1.0 + goal)};
    }
    return viz::layoutCourse(chart);
}

} // namespace

RepeatCourse::RepeatCourse(QWidget* parent)
    : QWidget(parent)
    , m_sentence(wrapped(named(new QLabel(this), u"repeatSentence"_s)))
    , m_chart(named(new SceneView(this), u"repeatChart"_s, tr("Energy per token after each run")))
{
    setObjectName(u"repeatCourse"_s);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setToolTip(
        tr("Repeating narrows the scatter of the runs. Errors that all of them have in "
           "common remain; the interval of their mean in History and Analysis includes "
           "these."));
    setType(*m_sentence, TypeSize::Body, true);
    m_chart->setFixedHeight(kCourseHeight);
    addExportActions(*m_chart, u"repeats"_s);
    auto* column = flush(inColumn(this, {m_sentence, m_chart}));
    column->setSpacing(kHalfGrid);
    hide();
}

void RepeatCourse::begin(double goal)
{
    m_goal = goal;
    m_asked = std::exchange(m_question, RepeatQuestion::Energy);
    m_course.clear();
    m_sentence->setText(tr("Repeating the run until its energy per token is known to ± %1.")
                            .arg(fractionText(goal)));
    draw();
    show();
}

void RepeatCourse::add(const std::optional<session::EnergyKnown>& known, const QString& origin)
{
    if (!known || known->runs == 0)
        return;
    m_course.push_back(*known);
    m_origin = origin;
    m_sentence->setText(
        tr("So far %1 (%2, 95 % by the scatter of %3); the goal is ± %4.")
            .arg(knownText(*known), m_origin, countText(known->runs), fractionText(m_goal)));
    draw();
}

void RepeatCourse::finish()
{
    if (m_course.empty()) {
        hide();
        return;
    }
    const session::EnergyKnown& known = m_course.back();
    const QString answer =
        m_asked == RepeatQuestion::Million ? millionText(known, m_tariff) : knownText(known);
    const bool reached = known.half_width && *known.half_width <= m_goal;
    m_sentence->setText(
        (reached ? tr("%1 (%2, 95 % by the scatter of %3). The goal of ± %4 is reached.")
                 : tr("%1 (%2, 95 % by the scatter of %3). The goal of ± %4 was not reached: other "
                      "programs disturb the runs, or they are too short."))
            .arg(answer, m_origin, countText(known.runs), fractionText(m_goal)));
}

QString RepeatCourse::sentence() const
{
    return m_sentence->text();
}

void RepeatCourse::draw()
{
    m_chart->setBuilder([course = m_course, goal = m_goal](double width, double height) {
        return courseScene(course, goal, width, height);
    });
    setExportFacts(*m_chart, m_sentence->text());
}

} // namespace ep::ui
