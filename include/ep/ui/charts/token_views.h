// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/item_view.h"
#include "ep/ui/charts/waterfall_view.h"
#include "ep/viz/heatmap.h"
#include "ep/viz/waterfall.h"

#include <memory>
#include <utility>

namespace ep::ui {

// Cost of a token against its position, with a regression line that shows how much more the next
// token costs in a longer context. GUI thread only.
class TrendView : public GeometryView<viz::TrendGeometry> {
    Q_OBJECT

public:
    explicit TrendView(QWidget* parent = nullptr)
        : GeometryView(tr("Cost of a token against its position"), QStringLiteral("context"),
                       parent)
    {
    }

    void setCosts(TokenCostsPtr costs);
    QString lineText() const; // "23 mJ + 1.2 µJ ± 0.1 µJ (95 %) per position, R² ..."
    QString slopeText() const; // "23 mJ + 1.2 µJ per position", or that there is no clear slope

    ChartTable table() const override;
    QString describeItem(std::size_t item) const override;
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override { return m_geometry.dots.size(); }
    QSize sizeHint() const override { return {480, 240}; }
    QSize minimumSizeHint() const override { return {220, 140}; }

protected:
    void choose(std::size_t item) override;
    QString summary() const override { return m_geometry.empty() ? emptyText() : lineText(); }
    QString searchableText(std::size_t item) const override;
    void paintContent(QPainter& painter) override;
    void relayout() override;
    void selectionChanged() override;

private:
    TokenCostsPtr m_costs;
};

// Distribution of the decoded tokens' costs. A click on a bin sets the threshold to its lower
// bound. GUI thread only.
class HistogramView : public GeometryView<viz::HistogramGeometry> {
    Q_OBJECT

public:
    explicit HistogramView(QWidget* parent = nullptr)
        : GeometryView(tr("Histogram of the tokens"), QStringLiteral("token-histogram"), parent)
    {
    }

    void setCosts(TokenCostsPtr costs);
    void setThreshold(std::optional<double> value); // ms or mJ; drawn as a line
    const viz::TokenHistogram& histogram() const { return m_histogram; }

    ChartTable table() const override;
    QString describeItem(std::size_t item) const override;
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override { return m_geometry.bars.size(); }
    QSize sizeHint() const override { return {480, 240}; }
    QSize minimumSizeHint() const override { return {220, 140}; }

Q_SIGNALS:
    void thresholdChosen(double value);

protected:
    void choose(std::size_t item) override { Q_EMIT thresholdChosen(lowOf(item)); }
    QString summary() const override;
    void paintContent(QPainter& painter) override;
    void relayout() override;

private:
    double lowOf(std::size_t item) const; // lower bound of a bin
    double highOf(std::size_t item) const;

    TokenCostsPtr m_costs;
    viz::TokenHistogram m_histogram;
    std::optional<double> m_threshold;
};

// Tokens x layers as colours. A click selects token and layer. GUI thread only.
class TokenGridView : public ItemView {
    Q_OBJECT

public:
    explicit TokenGridView(QWidget* parent = nullptr)
        : ItemView(tr("Heatmap of tokens and layers"), QStringLiteral("tokens-layers"), parent)
    {
    }

    void setGrid(std::shared_ptr<const viz::TokenGrid> grid);

    const viz::TokenGridGeometry& geometryForTests() const { return m_geometry; }
    ChartTable table() const override;
    QString describeItem(std::size_t item) const override;
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override { return m_geometry.values.size(); }
    QSize sizeHint() const override { return {480, 240}; }
    QSize minimumSizeHint() const override { return {220, 140}; }

protected:
    std::optional<std::size_t> itemAt(viz::Point point) const override;
    void choose(std::size_t item) override;
    QString summary() const override;
    QString searchableText(std::size_t item) const override;
    void paintContent(QPainter& painter) override;
    void relayout() override;
    void selectionChanged() override;
    std::optional<std::size_t> itemFor(int key) const override;

private:
    viz::GridCell cellOf(std::size_t item) const;
    std::pair<std::size_t, std::size_t> tokensOf(std::size_t item) const; // first and end

    std::shared_ptr<const viz::TokenGrid> m_grid;
    viz::TokenGridGeometry m_geometry;
};

} // namespace ep::ui
