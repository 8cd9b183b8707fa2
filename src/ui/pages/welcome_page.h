// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1StringView>
#include <QWidget>

class QAction;
class QCommandLinkButton;
class QGridLayout;
class QVBoxLayout;

namespace ep::ui {

// Start page: four questions that the program answers with runs of its own, further ways to begin,
// and recent files. Unavailable ways are disabled and say why.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    // Why there is no recorded run or no bundled model; empty: there is one.
    void setProblems(const QString& demoRun, const QString& demoModel);
    void setRecentFiles(const QStringList& files);
    // When a state before a change was recorded; empty: none is waiting.
    void setPendingChange(const QString& when);

Q_SIGNALS:
    void demoRunRequested();
    void millionRequested(); // what a million tokens cost
    void existingRequested(); // runs that exist already are to be compared
    void demoModelRequested();
    void folderRequested();
    void sensorsRequested();
    void changeBeforeRequested(); // to record the state before a change
    void changeAfterRequested(); // to measure again, and compare
    void paysRequested(); // which of two settings is cheaper
    void fileRequested(const QString& file);
    void closed(); // continue to the pages

private:
    QCommandLinkButton* addWay(const QString& id, QLatin1StringView icon, const QString& title,
                               const QString& text);
    QGridLayout* addWays(const QString& heading);
    void addExample();
    void addQuestions();
    void addFurtherWays();

    QVBoxLayout* m_column;
    QGridLayout* m_ways = nullptr; // of the heading added last
    QVBoxLayout* m_recent;
    QCommandLinkButton* m_demoRun = nullptr;
    QCommandLinkButton* m_demoModel = nullptr;
    QCommandLinkButton* m_million = nullptr;
    QWidget* m_example = nullptr; // an answer, to be opened
    QAction* m_changeAfter = nullptr;
    QWidget* m_recentBox;
};

} // namespace ep::ui
