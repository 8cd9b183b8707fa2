// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/diagnosis.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/viz/energy_roofline.h"

#include <memory>

namespace ep::ui {

// The energy roofline of one run, or of two overlaid ones. Dragging shows only the parts inside, a
// double click shows all again; a click on a dot leads to its part. GUI thread only.
class RooflineView : public SceneView {
    Q_OBJECT

public:
    explicit RooflineView(QWidget* parent = nullptr);

    void clear();
    // Rooflines of energy and of time cannot be overlaid, so a diagnosis of the other kind
    // replaces the earlier ones.
    void addRun(const energy::Diagnosis& diagnosis, const std::string& label);
    bool brushed() const { return m_chart->brushed.has_value(); }

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void brush(double left, double right);
    void rebuild();

    std::shared_ptr<viz::RooflineChart> m_chart;
    std::optional<double> m_pressed; // x
};

} // namespace ep::ui
