// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/painted_view.h"

#include "chart_paint.h"

#include "ep/ui/charts/chart_export.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace ep::ui {

namespace {

constexpr int kLiveIntervalMs = 66;

} // namespace

PaintedView::PaintedView(QWidget* parent)
    : QWidget(parent)
    , m_theme(Theme::fromPalette(palette()))
    , m_often(kLiveIntervalMs, [this] { contentChanged(); })
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void PaintedView::paintOverlay(QPainter& painter)
{
    if (hasFocus())
        paintFocusRing(painter, rect(), m_theme);
}

QString PaintedView::toolTipAt(const QPointF&) const
{
    return {};
}

void PaintedView::contentChanged()
{
    m_cache = QPixmap();
    update();
}

void PaintedView::paintEmptyText(QPainter& painter, const QString& text) const
{
    paintEmpty(painter, rect(), m_theme, text);
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
    if (isBeingExported(*this)) { // at the resolution of the image, not of the screen
        painter.fillRect(rect(), m_theme.surface);
        paintContent(painter);
        return;
    }
    const double ratio = devicePixelRatioF();
    if (m_stale || m_cache.isNull() || m_cache.devicePixelRatio() != ratio) {
        m_cache = QPixmap(size() * ratio);
        m_cache.setDevicePixelRatio(ratio);
        m_cache.fill(m_theme.surface);
        QPainter content(&m_cache);
        content.setFont(font());
        paintContent(content);
        m_stale = false;
    }
    painter.drawPixmap(0, 0, m_cache);
    paintOverlay(painter);
    m_lastPaintMs = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
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

} // namespace ep::ui
