// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/drawn_when_seen.h"

#include "ep/ui/run_repository.h"

#include <QHash>
#include <QSet>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace ep::ui {

// The stored runs at the left of a page, newest first, grouped by model and experiment. Groups can
// be folded, and a search shows only matching runs. GUI thread only.
class RunSidebar : public DrawnWhenSeen {
    Q_OBJECT

public:
    explicit RunSidebar(QWidget* parent = nullptr);

    void setRuns(const RunList& runs) // drawn once the list is visible
    {
        m_runs = runs;
        contentChanged();
    }
    void setCurrent(const QString& id); // the run that the page shows; empty: none
    // The current run's neighbour among the runs that match the search; empty: none.
    QString neighbour(int step) const; // 1: the next one below, -1: above
    int count() const { return static_cast<int>(m_order.size()); } // number of matching runs

Q_SIGNALS:
    void openRequested(const QString& id);
    void compareRequested(const QStringList& ids);
    void listed(); // neighbour() has changed

private:
    void draw() override;
    void markCurrent();
    void choiceChanged();
    QStringList chosen() const;

    RunList m_runs;
    QString m_current;
    QStringList m_order; // ids of the listed runs from top to bottom, including folded groups
    QHash<QString, QTreeWidgetItem*> m_items; // by id
    QSet<QString> m_folded; // titles of groups
    QLineEdit* m_search;
    QLabel* m_none; // replaces the list if no run matches
    QTreeWidget* m_list;
    QPushButton* m_compare;
};

} // namespace ep::ui
