// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/time_view.h"
#include "ep/viz/flame.h"
#include "ep/viz/scale_legend.h"

#include <QList>

#include <optional>

namespace ep::ui {

// Every recorded span on the time axis, from phases down to operations; spans too narrow to be
// told apart are merged. Colour is power if the run has energy. A click selects the span and pins
// its figures, a double click zooms to it; Left and Right move to the neighbour, Up and Down to
// the parent or child, Return zooms to it. GUI thread only.
class FlameView : public TimeView {
    Q_OBJECT

public:
    explicit FlameView(QWidget* parent = nullptr);

    void addStep(int token, const RunTrace& step); // the reply to stepsWanted()
    const viz::FlameData& data() const { return m_data; }
    void setEmptyText(const QString& text);

    ChartTable table() const override; // the visible spans, level by level
    QString describe(viz::FlameLevel level, std::size_t index) const;
    QString legendText() const; // "0 – 35 W: Mean power of a span ..."

    static constexpr int kMaxSteps =
        32; // maximum number of visible steps for which layers are read

    QRectF plotForTests() const { return plotRect(); }
    const viz::FlameGeometry& geometryForTests() const { return m_geometry; }
    QSize sizeHint() const override { return {640, 200}; }
    QSize minimumSizeHint() const override { return {240, 150}; }

Q_SIGNALS:
    // Visible steps whose layers are not loaded yet; answered by addStep(), in any order.
    void stepsWanted(const QList<int>& tokens);

protected:
    QRectF plotRect() const override { return m_plot; }
    void alignmentChanged() override { relayout(); }
    bool hasContent() const override { return m_data.size() > 0; }
    void clicked(const QPointF& position, Qt::KeyboardModifiers modifiers) override;
    void paintContent(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    QString toolTipAt(const QPointF& position) const override;
    void themeChanged() override { relayout(); }
    void runChanged() override;
    void visibleTimeChanged() override;
    void searchChanged() override { contentChanged(); }
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Cursor {
        viz::FlameLevel level = viz::FlameLevel::Phase;
        std::size_t index = 0;
    };
    void relayout();
    void wantSteps();
    void choose(const Cursor& cursor);
    void moveTo(const Cursor& cursor);
    void showBox(const viz::FlameBox& box);
    std::optional<Cursor> neighbour(int direction) const;
    std::optional<Cursor> around(int direction) const; // -1: parent, 1: child
    const viz::FlameSpan& span(const Cursor& cursor) const
    {
        return m_data.spans(cursor.level)[cursor.index];
    }
    ChartDetails detailsOf(const Cursor& cursor) const;
    QColor colourOf(const viz::FlameBox& box) const;
    bool matches(const viz::FlameBox& box) const;
    QString labelOf(const viz::FlameBox& box) const;
    viz::ScaleLegend legend() const; // meaning of the colours
    double legendHeight() const;
    QString note() const; // why there are no layers, or that they are loading

    viz::FlameData m_data;
    viz::FlameGeometry m_geometry;
    std::optional<Cursor> m_cursor;
    QString m_emptyText;
    QRectF m_plot;
};

} // namespace ep::ui
