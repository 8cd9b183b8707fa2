// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/item_view.h"
#include "ep/viz/waterfall.h"

#include <array>
#include <memory>

class QScrollBar;

namespace ep::ui {

using TokenCostsPtr = std::shared_ptr<const viz::TokenCosts>;

// A bar for each token, stacked by component, with the running sum. The wheel zooms at the pointer,
// with Shift it scrolls; W, S and A, D do the same, 0 shows everything. A click selects the token.
// GUI thread only.
class WaterfallView : public GeometryView<viz::WaterfallGeometry> {
    Q_OBJECT

public:
    explicit WaterfallView(QWidget* parent = nullptr);

    void setCosts(TokenCostsPtr costs); // keeps the window if the number of tokens is the same
    const viz::TokenWindow& window() const { return m_window; }
    void setWindow(viz::TokenWindow window); // in positions of tokens

    QString captionText() const; // explains the line, the bars and the marks
    ChartTable table() const override;
    QString describeItem(std::size_t item) const override;
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override { return m_geometry.bars.size(); }
    QSize sizeHint() const override { return {640, 280}; }
    QSize minimumSizeHint() const override { return {280, 150}; }

protected:
    void choose(std::size_t item) override;
    QString summary() const override;
    QString searchableText(std::size_t item) const override;
    void paintContent(QPainter& painter) override;
    void relayout() override;
    void selectionChanged() override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr int kWide = 1200; // pixels; legend and caption fit into one line

    void showCursor();
    QRectF paintAnswerEnd(QPainter& painter, const QRectF& plot) const;
    std::array<bool, kRunPartCount> paintBars(QPainter& painter,
                                              const QRectF& plot) const; // the parts that occur
    void paintSum(QPainter& painter) const;
    void paintClipped(QPainter& painter, const QRectF& plot) const;
    void paintCaption(QPainter& painter, const std::array<bool, kRunPartCount>& shown) const;
    std::size_t disturbedTokens() const;
    bool marksDisturbed() const; // false if so many are disturbed that marks say nothing
    double headHeight() const;
    std::size_t count() const { return m_costs ? m_costs->tokens.size() : 0; }

    TokenCostsPtr m_costs;
    viz::TokenWindow m_window;
    QScrollBar* m_scroll;
};

} // namespace ep::ui
