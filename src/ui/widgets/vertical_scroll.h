// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

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

    QSize minimumSizeHint() const override
    {
        QSize least = QScrollArea::minimumSizeHint();
        if (widget()) // a splitter asks before there is a widget
            least.setWidth(widget()->minimumSizeHint().width()
                           + verticalScrollBar()->sizeHint().width());
        return least;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry(); // the content may need another width
        return QScrollArea::eventFilter(watched, event);
    }
};

} // namespace ep::ui
