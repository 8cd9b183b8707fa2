// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, their effects, and the dialogs about the program.
#include "dialogs/about_dialog.h"
#include "dialogs/preferences_dialog.h"
#include "pages/analysis_page.h"
#include "pages/history_page.h"
#include "pages/live_page.h"
#include "text.h"
#include "theme/palettes.h"
#include "widgets/navigation_rail.h"
#include "window/api_switch.h"
#include "window/window_actions.h"

#include "ep/core/clock.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"
#include "ep/ui/main_window.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QStyleHints>
#include <QToolTip>

#include <vector>

namespace ep::ui {

namespace {

constexpr int kSaveMs = 1500;
constexpr int kNarrowWindow = 1100; // narrower windows show the navigation as icons only

// Tool tips have a palette of their own, which some styles make yellow.
void keepToolTipsPlain()
{
    const QPalette shown = QApplication::palette();
    QPalette tips = QToolTip::palette();
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        tips.setColor(group, QPalette::ToolTipBase, shown.color(QPalette::Active, QPalette::Base));
        tips.setColor(group, QPalette::ToolTipText, shown.color(QPalette::Active, QPalette::Text));
    }
    if (tips != QToolTip::palette())
        QToolTip::setPalette(tips);
}

} // namespace

void MainWindow::applyTheme(ThemeChoice choice)
{
    for (QAction* action : m_actions->themes->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(choice));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    // Native controls follow the system's colour scheme, not the palette.
    QGuiApplication::styleHints()->setColorScheme(
        choice == ThemeChoice::Dark        ? Qt::ColorScheme::Dark
            : choice == ThemeChoice::Light ? Qt::ColorScheme::Light
                                           : Qt::ColorScheme::Unknown);
#endif
    QApplication::setPalette(paletteFor(choice));
    keepLegible();
    keepToolTipsPlain();
}

// Follows the platform's palette, which may change at any time. A legible colour is left alone,
// because setting a palette sends the event that leads here.
void MainWindow::keepLegible()
{
    if (m_settings.settings().theme != ThemeChoice::System)
        return;
    const auto muted = legibleMuted(QApplication::palette());
    if (!muted || *muted == QApplication::palette().color(QPalette::PlaceholderText))
        return;
    QPalette palette;
    palette.setColor(QPalette::PlaceholderText, *muted);
    QApplication::setPalette(palette);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange) {
        keepLegible();
        keepToolTipsPlain();
    }
}

void MainWindow::showPreferences()
{
    saveSettings();
    auto* dialog = new PreferencesDialog(m_settings.settings(),
                                         m_repository.database().parent_path() / "api-token", this);
    connect(dialog, &PreferencesDialog::changed, this, [this, dialog] {
        saveSettings(); // includes what is typed into the form
        const Settings before = m_settings.settings();
        Settings settings = before;
        dialog->writeSettings(settings);
        keep(settings);
        applySettings(before);
    });
    connect(dialog, &QDialog::finished, this, [this, opened = m_settings.settings()] {
        const Settings& now = m_settings.settings();
        if (now.language == opened.language && now.database == opened.database
            && now.energyUnit == opened.energyUnit)
            return;
        m_reopenWhenStopped = running();
        if (!m_reopenWhenStopped)
            Q_EMIT reopenRequested();
    });
    dialog->open();
}

void MainWindow::applySettings(const Settings& before)
{
    const Settings& now = m_settings.settings();
    if (now.theme != before.theme)
        applyTheme(now.theme);
    if (now.okabeIto != before.okabeIto) {
        Theme::useOkabeIto(now.okabeIto);
        for (QWidget* widget : QApplication::allWidgets()) {
            QEvent repaint(QEvent::PaletteChange);
            QApplication::sendEvent(widget, &repaint);
        }
    }
    if (now.modelFolders != before.modelFolders)
        m_live->readSettings(now);
    else
        m_live->setPreferences(now);
    m_analysis->setTariff(tariffFrom(now));
    m_history->setTariff(tariffFrom(now));
    applyBackups();
    applyApi();
}

void MainWindow::applyBackups()
{
    store::setBackupPolicy({.on = m_settings.settings().keepBackups});
}

void MainWindow::applyRetention()
{
    const Settings& settings = m_settings.settings();
    std::vector<store::PruneRule> rules;
    if (settings.keepRuns > 0)
        rules.push_back({.keep_last = settings.keepRuns, .only_untagged = true});
    if (settings.keepDays > 0) {
        rules.push_back({.before_ms = wallClockMs() - settings.keepDays * kMillisecondsPerDay,
                         .only_untagged = true});
    }
    if (!rules.empty())
        m_repository.retain(rules);
}

void MainWindow::showAbout()
{
    (new AboutDialog(m_repository.database(), this))->open();
}

bool MainWindow::running() const
{
    return m_live->running() || m_studyRuns;
}

void MainWindow::log(const std::string& line) const
{
    if (m_log)
        m_log(line);
}

void MainWindow::keep(const Settings& settings)
{
    const bool told = !m_settings.problem().isEmpty();
    m_settings.save(settings);
    if (told || m_settings.problem().isEmpty())
        return;
    m_live->showWarning(m_settings.problem());
    log("the settings cannot be written");
}

// Further changes do not postpone saving, since a user may type for minutes.
void MainWindow::saveSoon()
{
    if (!m_saveLater.isActive())
        m_saveLater.start(kSaveMs);
}

void MainWindow::moveEvent(QMoveEvent* event)
{
    QMainWindow::moveEvent(event);
    saveSoon();
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_navigation->setNarrow(width() < kNarrowWindow);
    saveSoon();
}

} // namespace ep::ui
