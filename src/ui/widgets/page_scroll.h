// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QScrollArea>

namespace ep::ui {

// Shows a page as large as the window; scrolls if the window is below the page's minimum.
class PageScroll : public QScrollArea {
public:
    explicit PageScroll(QWidget* page, QWidget* parent = nullptr)
        : QScrollArea(parent)
    {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);
        setWidget(new Holder(page));
    }

private:
    // Has no layout of its own: a scroll area uses a layout's height for width as its minimum
    // height, which is the preferred height as soon as a text on the page can wrap.
    class Holder : public QWidget {
    public:
        explicit Holder(QWidget* page)
            : m_page(page)
        {
            page->setParent(this);
        }
        QSize sizeHint() const override { return m_page->sizeHint(); }
        QSize minimumSizeHint() const override { return m_page->minimumSizeHint(); }

    protected:
        void resizeEvent(QResizeEvent*) override { m_page->setGeometry(rect()); }
        bool event(QEvent* event) override
        {
            if (event->type() == QEvent::LayoutRequest)
                updateGeometry();
            return QWidget::event(event);
        }

    private:
        QWidget* m_page;
    };
};

} // namespace ep::ui
