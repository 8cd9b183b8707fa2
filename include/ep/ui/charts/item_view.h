// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/painted_view.h"
#include "ep/viz/geometry.h"

#include <QRectF>

#include <cstddef>
#include <optional>

namespace ep::ui {

// The item that the keys have reached, the one under the pointer, and the one under its button.
struct ItemCursor {
    std::optional<std::size_t> current{};
    std::optional<std::size_t> hovered{};
    std::optional<std::size_t> pressed{};

    void press(const QMouseEvent& event, std::optional<std::size_t> item);
    // The item that was pressed and is now released, if it is the same.
    std::optional<std::size_t> release(const QMouseEvent& event, std::optional<std::size_t> item);
    // Where an arrow, Page, Home or End key moves in a row of items; absent: another key.
    std::optional<std::size_t> moved(int key, std::size_t count) const;
};

// Base of painted charts that consist of items: hover, a cursor moved by arrow, Page, Home and End
// keys, click (which also fills the details pane), double click and Enter, tool tips and the
// accessible description. GUI thread only.
class ItemView : public PaintedView {
    Q_OBJECT

public:
    // name: for assistive technology; exportName: of saved pictures.
    ItemView(const QString& name, const QString& exportName, QWidget* parent);

    int currentItem() const { return m_at.current ? static_cast<int>(*m_at.current) : -1; }
    void setCurrentItem(int item); // -1: none
    void setEmptyText(const QString& text);

    virtual QString describeItem(std::size_t item) const = 0;
    virtual QRectF itemRect(std::size_t item) const = 0; // in widget coordinates
    virtual std::size_t itemCount() const = 0;
    bool isDimmed(std::size_t item) const; // whether the item does not match the search

Q_SIGNALS:
    void itemClicked(int item);
    void itemActivated(int item); // double click or Enter

protected:
    virtual std::optional<std::size_t> itemAt(viz::Point point) const = 0;
    virtual void choose(std::size_t) { } // called on a click, or when a key moves to it
    bool choosing() const { return m_choosing; } // whether choose() changes the selection
    virtual void activate(std::size_t) { } // called on a double click or Enter
    virtual void currentMoved() { } // called when the cursor is on another item, or on none
    virtual QString summary() const = 0; // description while there is no cursor
    // For the details pane: by default, the lines of the description.
    virtual ChartDetails detailsOf(std::size_t item) const;
    // The item that a key moves the cursor to; absent: the key does not move it.
    virtual std::optional<std::size_t> itemFor(int key) const
    {
        return m_at.moved(key, itemCount());
    }
    virtual void paintMark(QPainter& painter, std::size_t item, bool current) const;
    // Paints a frame around the item under the cursor, or the one under the pointer.
    void paintRing(QPainter& painter, const QRectF& area, bool current,
                   Qt::PenJoinStyle join = Qt::BevelJoin) const;
    // Lays out for the current size and font; must end with itemsChanged().
    virtual void relayout() = 0;
    virtual bool isHoverShown() const { return true; }
    virtual void hoverChanged() { }
    // The searchable text of an item; empty: the search does not apply to it. In English, like the
    // words of a run.
    virtual QString searchableText(std::size_t) const { return {}; }
    void dimUnmatched(QPainter& painter) const; // paints over the items painted so far

    void itemsChanged(); // call it if the items have changed: resets hover and cursor, repaints
    void resetItems(std::optional<std::size_t> kept); // without repainting; kept: the new cursor
    const QString& emptyText() const { return m_emptyText; }
    const ItemCursor& at() const { return m_at; }

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
    void chooseQuietly(std::size_t item);
    void setHover(std::optional<std::size_t> item);

    ItemCursor m_at;
    bool m_choosing = false;
    QString m_emptyText;
};

// An ItemView that finds its items by the hit() of its geometry.
template <class Geometry>
class GeometryView : public ItemView {
public:
    using ItemView::ItemView;

    const Geometry& geometryForTests() const { return m_geometry; }

protected:
    std::optional<std::size_t> itemAt(viz::Point point) const override
    {
        return m_geometry.hit(point);
    }

    Geometry m_geometry;
};

} // namespace ep::ui
