// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/cost_run.h"
#include "widget_fixture.h"

#include "ep/ui/charts/item_view.h"
#include "ep/viz/cost_tree.h"
#include "ep/viz/heatmap.h"
#include "ep/viz/token_cost.h"

#include <QImage>
#include <QMouseEvent>
#include <QPalette>

#include <functional>
#include <memory>
#include <set>

namespace ep::test {

// Tests of what cost charts show of a run with round figures.
class CostChartTest : public WidgetTest {
protected:
    static RunPtr runOf(const CostRunShape& shape = {})
    {
        return std::make_shared<const ep::Run>(makeCostRun(shape));
    }
    static std::shared_ptr<const viz::CostTree> treeOf(const CostRunShape& shape = {})
    {
        const ep::Run run = makeCostRun(shape);
        const RunBreakdown parts = breakDown(run.trace);
        return std::make_shared<const viz::CostTree>(viz::buildCostTree(run, &parts));
    }
    static std::shared_ptr<const viz::TokenCosts>
    costsOf(const CostRunShape& shape = {}, viz::CostMetric metric = viz::CostMetric::Energy)
    {
        const ep::Run run = makeCostRun(shape);
        const RunBreakdown parts = breakDown(run.trace);
        return std::make_shared<const viz::TokenCosts>(viz::buildTokenCosts(run, &parts, metric));
    }
    static std::shared_ptr<const viz::TokenGrid>
    gridOf(const CostRunShape& shape = {}, viz::CostMetric metric = viz::CostMetric::Energy)
    {
        const ep::Run run = makeCostRun(shape);
        return std::make_shared<const viz::TokenGrid>(
            viz::buildTokenGrid(run, breakDown(run.trace), metric));
    }

    static void moveMouse(QWidget& view, QPoint at)
    {
        QMouseEvent event(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    }
    static QPoint centreOf(const ui::ItemView& view, int item)
    {
        return view.itemRect(static_cast<std::size_t>(item)).center().toPoint();
    }

    // Expects pictures with several colours, including this one, in both themes.
    static void expectPicture(ui::PaintedView& view,
                              const std::function<QColor(const ui::Theme&)>& colour)
    {
        for (const bool dark : {false, true}) {
            view.setPalette(paletteOf(dark));
            view.clearFocus();
            const QImage image = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
            std::set<QRgb> colours;
            for (int y = 0; y < image.height(); y += 2)
                for (int x = 0; x < image.width(); x += 2)
                    colours.insert(image.pixel(x, y));
            EXPECT_GT(colours.size(), 3U);
            EXPECT_TRUE(contains(image, colour(view.theme())))
                << (dark ? "dark" : "light") << ' ' << colour(view.theme()).name().toStdString();
        }
    }
};

} // namespace ep::test
