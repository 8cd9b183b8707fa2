// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/painted_view.h"
#include "ep/viz/geometry.h"

#include <QRectF>

#include <cstddef>
#include <optional>

namespace ep::ui {

// Base of painted charts that consist of items: hover, a cursor moved by arrow, Page, Home and End
// keys, click (which also fills the details pane), double click and Enter, tool tips and the
// accessible description. GUI thread only.
class ItemView : public PaintedView {
    Q_OBJECT

public:
    explicit ItemView(QWidget* parent = nullptr);

    int currentItem() const { return m_current ? static_cast<int>(*m_current) : -1; }
    void setCurrentItem(int item); // -1: none
    void setEmptyText(const QString& text);

    virtual QString describeItem(std::size_t item) const = 0;
    virtual QRectF itemRect(std::size_t item) const = 0; // in widget coordinates
    virtual std::size_t itemCount() const = 0;
    bool isDimmed(std::size_t item) const; // whether the search does not match it

Q_SIGNALS:
    void itemClicked(int item);
    void itemActivated(int item); // double click or Enter

protected:
    virtual std::optional<std::size_t> itemAt(viz::Point point) const = 0;
    virtual void choose(std::size_t item); // called on a click, or when a key moves to it
    virtual void activate(std::size_t item); // called on a double click or Enter
    virtual QString summary() const = 0; // description while there is no cursor
    // Lays out for the current size and font; must end with itemsChanged().
    virtual void relayout() = 0;
    virtual bool isHoverShown() const { return true; }
    virtual void hoverChanged() { }
    // The searchable text of an item; empty: the search does not apply to it. In English, like the
    // words of a run.
    virtual QString searchableText(std::size_t item) const;
    void dimUnmatched(QPainter& painter) const; // paints over the items painted so far

    void itemsChanged(); // call it if the items have changed: resets hover and cursor, repaints
    const QString& emptyText() const { return m_emptyText; }
    std::optional<std::size_t> hovered() const { return m_hover; }

    void themeChanged() override { relayout(); }
    void searchChanged() override { contentChanged(); }
    void resizeEvent(QResizeEvent* event) override;
    void paintOverlay(QPainter& painter) override;
    QString toolTipAt(const QPointF& position) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void moveTo(std::optional<std::size_t> item);
    void pinItem(std::size_t item) const;
    void setHover(std::optional<std::size_t> item);

    std::optional<std::size_t> m_current;
    std::optional<std::size_t> m_hover;
    std::optional<std::size_t> m_pressed;
    QString m_emptyText;
};

} // namespace ep::ui
