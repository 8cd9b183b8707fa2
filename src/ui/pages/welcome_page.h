// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1StringView>
#include <QWidget>

class QCommandLinkButton;
class QVBoxLayout;

namespace ep::ui {

// Start page for new users: four ways to begin, and recent files. Unavailable ways are disabled and
// say why.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    // Why there is no recorded run or no bundled model; empty: there is one.
    void setProblems(const QString& demoRun, const QString& demoModel);
    void setRecentFiles(const QStringList& files);

Q_SIGNALS:
    void demoRunRequested();
    void demoModelRequested();
    void folderRequested();
    void sensorsRequested();
    void paysRequested(); // which of two settings is cheaper
    void fileRequested(const QString& file);
    void closed(); // continue to the pages

private:
    QCommandLinkButton* addWay(const QString& id, QLatin1StringView icon, const QString& title,
                               const QString& text);

    QVBoxLayout* m_ways;
    QVBoxLayout* m_recent;
    QCommandLinkButton* m_demoRun;
    QCommandLinkButton* m_demoModel;
    QWidget* m_recentBox;
};

} // namespace ep::ui
