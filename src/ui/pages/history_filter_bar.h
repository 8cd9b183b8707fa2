// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run_filter.h"
#include "ep/ui/run_repository.h"

#include <QMap>
#include <QWidget>

class QComboBox;
class QDateEdit;
class QDoubleSpinBox;
class QMenu;
class QToolButton;

namespace ep::ui {

// Conditions on the listed runs besides the search text, and filters kept by name.
class HistoryFilterBar : public QWidget {
    Q_OBJECT

public:
    explicit HistoryFilterBar(QWidget* parent = nullptr);

    // What the runs hold can be chosen from; a chosen word that no run has any more stays chosen.
    void setRuns(const RunList& runs);
    void setFilter(const RunFilter& filter);
    const RunFilter& filter() const { return m_filter; }
    void setText(const QString& text); // of the search field; no signal

    QByteArray savedFilters() const; // JSON, name to filter
    void setSavedFilters(const QByteArray& json);
    void saveAs(const QString& name); // replaces a filter of that name
    void apply(const QString& name);

Q_SIGNALS:
    void filterChanged(); // by the person; also the text, where a kept filter was chosen

private:
    struct Choice {
        QString title; // "Model"
        std::vector<std::string> RunFilter::*words;
        QToolButton* button = nullptr;
        QMenu* menu = nullptr;
        QStringList known;
    };

    void addChoice(const QString& id, const QString& title,
                   std::vector<std::string> RunFilter::*words);
    void fillMenu(Choice& choice);
    void showChoice(Choice& choice);
    void showFilter();
    void readDates();
    void readJoules();
    void fillSaved();
    void askForName();

    RunFilter m_filter;
    QMap<QString, RunFilter> m_saved;
    std::vector<Choice> m_choices;
    QComboBox* m_period;
    QDateEdit* m_from;
    QDateEdit* m_until;
    QDoubleSpinBox* m_least; // millijoules
    QDoubleSpinBox* m_most;
    QToolButton* m_clear;
    QToolButton* m_savedButton;
    QMenu* m_savedMenu;
};

} // namespace ep::ui
