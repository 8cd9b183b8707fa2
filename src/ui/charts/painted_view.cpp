// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/painted_view.h"

#include "accessible_chart.h"
#include "chart_paint.h"

#include "ep/ui/charts/chart_export.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

namespace ep::ui {

namespace {

constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.2; // fraction of the visible range

} // namespace

bool handleChartKey(const QKeyEvent& event, SelectionController& controller)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    const TimeRange visible = controller.visible();
    // Zooms around the crosshair if that is visible.
    const auto cursor = controller.cursor();
    const Nanoseconds anchor = cursor && visible.contains(*cursor)
        ? *cursor
        : visible.begin_ns + visible.duration_ns() / 2;
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: // plus without Shift
        controller.zoomAt(anchor, 1.0 / kKeyZoom);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        controller.zoomAt(anchor, kKeyZoom);
        return true;
    case Qt::Key_A:
        controller.panBy(-kKeyPan);
        return true;
    case Qt::Key_D:
        controller.panBy(kKeyPan);
        return true;
    case Qt::Key_0:
        controller.zoomToFit();
        return true;
    case Qt::Key_F:
        controller.zoomToSelection();
        return true;
    case Qt::Key_Escape:
        return controller.clearLevel();
    default:
        return false;
    }
}

PaintedView::PaintedView(QWidget* parent)
    : QWidget(parent)
    , m_theme(Theme::fromPalette(palette()))
    , m_often(kLiveIntervalMs, [this] { contentChanged(); })
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    installChartAccessibility();
}

void PaintedView::setController(SelectionController* controller)
{
    if (m_controller)
        m_controller->disconnect(this);
    m_controller = controller;
    if (!controller)
        return;
    using Controller = SelectionController;
    connect(controller, &Controller::runChanged, this, [this] { runChanged(); });
    connect(controller, &Controller::selectionChanged, this, [this] { selectionChanged(); });
    connect(controller, &Controller::visibleChanged, this, [this] { visibleTimeChanged(); });
    connect(controller, &Controller::metricChanged, this, [this] { metricChanged(); });
    connect(controller, &Controller::cursorChanged, this, [this] { cursorTimeChanged(); });
    connect(controller, &Controller::searchChanged, this, [this] { searchChanged(); });
    connect(controller, &Controller::answerEndChanged, this, [this] { update(); });
    connect(controller, &Controller::annotationsChanged, this, [this] { update(); });
    runChanged();
    selectionChanged();
    visibleTimeChanged();
    metricChanged();
    cursorTimeChanged();
    searchChanged();
}

void PaintedView::paintOverlay(QPainter& painter)
{
    if (hasFocus())
        paintFocusRing(painter, rect(), m_theme);
}

void PaintedView::contentChanged()
{
    m_stale = true;
    update();
}

void PaintedView::paintEmptyText(QPainter& painter, const QString& text) const
{
    paintEmpty(painter, rect(), m_theme, text);
}

bool PaintedView::matchesSearch(const QString& text) const
{
    return !m_controller || m_controller->searchText().isEmpty()
        || text.contains(m_controller->searchText(), Qt::CaseInsensitive);
}

std::string PaintedView::powerSource() const
{
    const RunPtr run = m_controller ? m_controller->run() : nullptr;
    return run ? run->info.power.source : m_powerSource;
}

QString PaintedView::energyWord(Provenance provenance) const
{
    return energyLabel(powerSource(), provenance);
}

void PaintedView::pin(const ChartDetails& details) const
{
    if (m_controller)
        m_controller->pin(details);
}

void PaintedView::contentChangedOften()
{
    m_stale = true;
    m_often.request();
}

bool PaintedView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void PaintedView::paintEvent(QPaintEvent*)
{
    QElapsedTimer timer;
    timer.start();
    QPainter painter(this);
    painter.setFont(font());
    if (isBeingExported(*this)) { // at the resolution of the exported image
        painter.fillRect(rect(), m_theme.surface);
        paintContent(painter);
        return;
    }
    const double ratio = devicePixelRatioF();
    if (m_stale || m_cache.isNull() || m_cache.devicePixelRatio() != ratio) {
        if (m_cache.size() != size() * ratio || m_cache.devicePixelRatio() != ratio) {
            m_cache = QPixmap(size() * ratio);
            m_cache.setDevicePixelRatio(ratio);
        }
        m_cache.fill(m_theme.surface);
        QPainter content(&m_cache);
        content.setFont(font());
        paintContent(content);
        m_stale = false;
    }
    painter.drawPixmap(0, 0, m_cache);
    paintOverlay(painter);
    m_lastPaintMs = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    if (paintTimesShown)
        paintTime(painter);
}

void PaintedView::paintTime(QPainter& painter) const
{
    const QString text = tr("%1 ms").arg(m_lastPaintMs, 0, 'f', 1);
    const QFontMetricsF metrics(font());
    const QRectF box(width() - metrics.horizontalAdvance(text) - 10.0, 2.0,
                     metrics.horizontalAdvance(text) + 8.0, metrics.height());
    painter.fillRect(box, m_theme.surface);
    painter.setPen(m_theme.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void PaintedView::resizeEvent(QResizeEvent* event)
{
    m_cache = QPixmap();
    QWidget::resizeEvent(event);
}

void PaintedView::changeEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::StyleChange:
        m_theme = Theme::fromPalette(palette());
        themeChanged();
        contentChanged();
        break;
    default:
        break;
    }
    QWidget::changeEvent(event);
}

void PaintedView::keyPressEvent(QKeyEvent* event)
{
    if (!m_controller || !handleChartKey(*event, *m_controller))
        QWidget::keyPressEvent(event);
}

} // namespace ep::ui
