// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/painted_view.h"
#include "ep/viz/scene.h"

#include <functional>
#include <optional>

namespace ep::ui {

// Paints the shapes of a scene that was laid out for the painter's font.
void paintItems(QPainter& painter, const viz::Scene& scene, const viz::ScenePalette& palette);
// Paints a scene with the family of the painter's font, in the size for which charts are laid out.
void paintScene(QPainter& painter, const viz::Scene& scene, const viz::ScenePalette& palette);

// A chart that is laid out for the size of its widget. Its marks have tool tips; arrow keys move
// between them; a click or Enter on a mark of a run requests to open the run. GUI thread only.
class SceneView : public PaintedView {
    Q_OBJECT

public:
    using Builder = std::function<viz::Scene(double width, double height)>;

    explicit SceneView(QWidget* parent = nullptr);

    void setBuilder(Builder builder); // called for each new size; null: nothing is shown
    const viz::Scene& scene() const; // the current layout

    QSize sizeHint() const override { return {640, 300}; }
    QSize minimumSizeHint() const override { return {280, 160}; }

Q_SIGNALS:
    void linkActivated(const QString& runId);

protected:
    void paintContent(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    QString toolTipAt(const QPointF& position) const override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void activate(const viz::SceneMark* mark);
    void showMark(int mark);
    void describe();

    Builder m_builder;
    mutable std::optional<viz::Scene> m_scene;
    int m_mark = -1;
};

} // namespace ep::ui
