// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/item_view.h"
#include "ep/viz/phase_power.h"

#include <memory>

namespace ep::ui {

class LatestJob;

// Samples over time coloured by phase, and a box plot for each phase. Outliers of a phase are
// crossed out. GUI thread only.
class PhasePowerView : public ItemView {
    Q_OBJECT

public:
    explicit PhasePowerView(QWidget* parent = nullptr);
    ~PhasePowerView() override;

    void setRun(RunPtr run);
    void setFilter(const viz::PhasePowerFilter& filter);
    const viz::PhasePowerFilter& filter() const { return m_filter; }

    const viz::PhasePower& data() const { return m_data; }
    const viz::PhasePowerGeometry& geometryForTests() const { return m_geometry; }
    ChartTable table() const override; // table of the boxes
    QString describeItem(std::size_t item) const override; // items are the boxes, then the samples
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override
    {
        return m_data.boxes.size() + m_geometry.points.size();
    }
    QSize sizeHint() const override { return {760, 320}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    std::optional<std::size_t> itemAt(viz::Point point) const override;
    void choose(std::size_t item) override;
    QString summary() const override;
    void paintContent(QPainter& painter) override;
    void relayout() override;
    void selectionChanged() override { contentChanged(); }
    void visibleTimeChanged() override { relayout(); }

private:
    void rebuild();
    void paintPoints(QPainter& painter) const;
    void paintBox(QPainter& painter, std::size_t box) const;

    RunPtr m_run;
    viz::PhasePowerFilter m_filter;
    viz::PhasePower m_data;
    std::unique_ptr<LatestJob> m_sorting; // used for many samples
    viz::PhasePowerGeometry m_geometry;
};

// The energy of each phase as a bar stacked by rail. GUI thread only.
class RailBarsView : public ItemView {
    Q_OBJECT

public:
    explicit RailBarsView(QWidget* parent = nullptr)
        : ItemView(tr("Energy of each phase by rail"), QStringLiteral("rails"), parent)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    void setRun(RunPtr run);
    void setNet(bool net);

    ChartTable table() const override;
    QString describeItem(std::size_t item) const override;
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override { return m_bars.rows.size(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

protected:
    std::optional<std::size_t> itemAt(viz::Point point) const override { return m_bars.hit(point); }
    void choose(std::size_t item) override;
    QString summary() const override;
    void paintContent(QPainter& painter) override;
    void relayout() override;

private:
    RunPtr m_run;
    bool m_net = false;
    viz::RailBars m_bars;
};

} // namespace ep::ui
