// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run_search.h"

#include "ep/core/run_tree.h"
#include "ep/ui/charts/selection_controller.h"

#include <QWidget>

#include <set>
#include <vector>

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace ep::ui {

class ElidedLabel;

// The selection as text, with buttons that clear or annotate it; and, once it is wanted, a search
// in tokens, layers and components, in which Return and Shift+Return go to the next and previous
// hit.
class SelectionBar : public QWidget {
    Q_OBJECT

public:
    explicit SelectionBar(SelectionController& controller, QWidget* parent = nullptr);

    void setStored(bool stored); // only stored runs keep annotations

    void setParts(std::vector<ComponentTotal> parts); // parts of the run, for the search
    std::set<std::int32_t> layers() const; // layers of the parts
    void focusSearch();
    SearchResult find(const QString& text) const;

Q_SIGNALS:
    void annotationsEdited(const std::vector<ep::Annotation>& annotations); // all annotations

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showSelection();
    void fillAnnotations();
    void editAnnotation(int index); // -1: adds one for the selected time
    void search();
    void goTo(int direction);

    SelectionController& m_controller;
    std::vector<ComponentTotal> m_parts;
    SearchResult m_found;
    bool m_stored = false;
    int m_at = -1; // index of the current hit
    ElidedLabel* m_chosen;
    QToolButton* m_clear;
    QToolButton* m_annotate;
    QMenu* m_annotations;
    QLineEdit* m_search;
    QLabel* m_hits;
};

} // namespace ep::ui
