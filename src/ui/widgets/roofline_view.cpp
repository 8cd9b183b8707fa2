// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/roofline_view.h"

#include "report/why_section.h"

#include <QMouseEvent>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr double kDragged = 6.0; // minimum drag in pixels for a brush

} // namespace

RooflineView::RooflineView(QWidget* parent)
    : SceneView(parent)
    , m_chart(std::make_shared<viz::RooflineChart>())
{
    setAccessibleName(tr("Energy roofline"));
}

void RooflineView::clear()
{
    *m_chart = {};
    rebuild();
}

void RooflineView::addRun(const energy::Diagnosis& diagnosis, const std::string& label)
{
    if (m_chart->series.empty() || m_chart->of_time != diagnosis.of_time)
        *m_chart = rooflineOf(diagnosis, label, {});
    else
        addToRoofline(*m_chart, diagnosis, label);
    rebuild();
}

void RooflineView::rebuild()
{
    if (m_chart->series.empty()) {
        setBuilder(nullptr);
        return;
    }
    setBuilder([chart = m_chart](double width, double height) {
        viz::RooflineChart sized = *chart;
        sized.frame.width = width;
        sized.frame.height = height;
        return viz::layoutRoofline(sized);
    });
}

void RooflineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_pressed = event->position().x();
    SceneView::mousePressEvent(event);
}

void RooflineView::mouseReleaseEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (m_pressed && std::fabs(x - *m_pressed) > kDragged)
        brush(std::min(x, *m_pressed), std::max(x, *m_pressed));
    else
        SceneView::mouseReleaseEvent(event);
    m_pressed.reset();
}

void RooflineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_chart->brushed.reset();
    rebuild();
    event->accept();
}

// Selects the parts whose dots lie between the two positions.
void RooflineView::brush(double left, double right)
{
    std::optional<std::pair<double, double>> range;
    for (const viz::SceneMark& mark : scene().marks) {
        const double centre = mark.area.x + mark.area.width / 2.0;
        if (centre < left || centre > right)
            continue;
        for (const viz::RooflineDot& dot : m_chart->dots) {
            if (dot.link != mark.link || !(dot.bytes > 0.0))
                continue;
            const double intensity = dot.flops / dot.bytes;
            range = {std::min(range ? range->first : intensity, intensity),
                     std::max(range ? range->second : intensity, intensity)};
        }
    }
    if (!range)
        return;
    m_chart->brushed = range;
    rebuild();
}

} // namespace ep::ui
