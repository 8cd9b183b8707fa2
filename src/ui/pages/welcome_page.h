// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1StringView>
#include <QWidget>

class QAction;
class QCommandLinkButton;
class QGridLayout;
class QVBoxLayout;

namespace ep::ui {

// Start page: four questions that the program answers with its own runs, further ways to begin,
// and recent files. Unavailable ways are disabled and say why.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    // Why there is no recorded run or no bundled model; empty if they exist.
    void setProblems(const QString& demoRun, const QString& demoModel);
    // Sets the model and prompt of the first question's run.
    void setFirstRun(const QString& model, const QString& prompt);
    void setRecentFiles(const QStringList& files);
    // When the state before a change was recorded; empty: no change is pending.
    void setPendingChange(const QString& when);

Q_SIGNALS:
    void demoRunRequested();
    void millionRequested(); // asks for the cost of a million tokens
    void existingRequested(); // asks what a million tokens cost
    void demoModelRequested();
    void folderRequested();
    void sensorsRequested();
    void changeBeforeRequested(); // asks to record the state before a change
    void changeAfterRequested(); // asks to measure again and compare
    void paysRequested(); // asks which of two settings is cheaper
    void fileRequested(const QString& file);
    void closed(); // continues to the other pages

private:
    QCommandLinkButton* addWay(const QString& id, QLatin1StringView icon, const QString& title,
                               const QString& text);
    QGridLayout* addWays(const QString& heading);
    void addExample();
    void addQuestions();
    void addFurtherWays();

    QVBoxLayout* m_column;
    QGridLayout* m_ways = nullptr; // entries of the last heading
    QVBoxLayout* m_recent;
    QCommandLinkButton* m_demoRun = nullptr;
    QCommandLinkButton* m_demoModel = nullptr;
    QCommandLinkButton* m_million = nullptr;
    QWidget* m_example = nullptr; // an example that can be opened
    QAction* m_changeAfter = nullptr;
    QWidget* m_recentBox;
};

} // namespace ep::ui
