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

// Conditions on the listed runs besides the search text, and saved filters.
class HistoryFilterBar : public QWidget {
    Q_OBJECT

public:
    explicit HistoryFilterBar(QWidget* parent = nullptr);

    // Offers the values that occur in the runs. A selected value stays selected even if it no
    // longer occurs.
    void setRuns(const RunList& runs);
    void setFilter(const RunFilter& filter);
    const RunFilter& filter() const { return m_filter; }
    void clear(); // does what the button does
    void setText(const QString& text); // text of the search field; no signal

    QByteArray savedFilters() const; // JSON, name to filter
    void setSavedFilters(const QByteArray& json);
    // Replaces a filter with the same name.
    void saveAs(const QString& name) { m_saved.insert(name, m_filter); }
    void apply(const QString& name);

Q_SIGNALS:
    void filterChanged(); // by the user; with the text, if a saved filter was selected

private:
    struct Choice {
        QString title; // "Model"
        std::vector<std::string> RunFilter::*words;
        QToolButton* button = nullptr;
        QMenu* menu = nullptr;
        QStringList known;
        bool someWithout = false; // some runs have none of these words
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
