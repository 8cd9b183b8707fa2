// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/selection_controller.h"

#include <QWidget>

class QLabel;
class QTableWidget;
class QToolButton;

namespace ep::ui {

// Figures of the selection and, below them, the item clicked last, until it is closed.
class DetailsPane : public QWidget {
    Q_OBJECT

public:
    explicit DetailsPane(QWidget* parent = nullptr);

    void showSelection(const ChartDetails& figures) { fill(m_selection, figures); }
    void showDetails(const ChartDetails& details);
    void clearDetails();

private:
    struct Part {
        QLabel* title;
        QTableWidget* table;
    };
    Part addPart(const QString& id, const QString& name);
    static void fill(const Part& part, const ChartDetails& details);

    Part m_selection;
    Part m_details;
    QToolButton* m_unpin;
};

} // namespace ep::ui
