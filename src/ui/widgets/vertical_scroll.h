// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace ep::ui {

// Scrolls its content up and down only, and is never narrower than the content plus the bar, since
// nothing could reveal what is cut off.
class VerticalScroll : public QScrollArea {
public:
    explicit VerticalScroll(QWidget* content, QWidget* parent = nullptr)
        : QScrollArea(parent)
    {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWidget(content);
    }

    // For a splitter: never taller than the content, so that its other panels get the rest. The
    // minimum height is `least`; in tall windows it grows up to the content's, taking at most a
    // third of the additional height.
    void followContent(int least)
    {
        m_capped = true;
        m_least = least;
        setSizePolicy(sizePolicy().horizontalPolicy(), QSizePolicy::Maximum);
    }

    QSize sizeHint() const override
    {
        QSize hint = QScrollArea::sizeHint();
        if (m_capped && widget()) // the base class limits the height to some lines
            hint.setHeight(widget()->sizeHint().height());
        return hint;
    }

    QSize minimumSizeHint() const override
    {
        QSize least = QScrollArea::minimumSizeHint();
        if (widget()) // a splitter asks before there is a widget
            least.setWidth(widget()->minimumSizeHint().width()
                           + verticalScrollBar()->sizeHint().width());
        if (m_capped && widget())
            least.setHeight(std::max(
                m_least,
                std::min(widget()->sizeHint().height(), (window()->height() - kLowWindow) / 3)));
        return least;
    }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest && m_capped)
            updateGeometry(); // the content's height has changed
        return QScrollArea::event(event);
    }

    void showEvent(QShowEvent* event) override
    {
        QScrollArea::showEvent(event);
        if (m_capped)
            updateGeometry(); // a hidden area is not told of its content's height
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry(); // the content may need another width
        return QScrollArea::eventFilter(watched, event);
    }

private:
    static constexpr int kLowWindow = 600;

    bool m_capped = false;
    int m_least = 0;
};

} // namespace ep::ui
