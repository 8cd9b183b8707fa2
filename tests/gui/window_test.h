// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/fake_engine.h"
#include "support/fake_power_feed.h"
#include "support/qt_warning_guard.h"

#include "ep/ui/main_window.h"

#include <QTableView>
#include <QTemporaryDir>

#include <gmock/gmock.h>

#include <functional>
#include <memory>

class QAbstractItemView;

namespace ep::test {

// The real window with its own empty database, a tiny model to choose, and a scripted engine and
// power source behind it. Tests drive it with clicks and keys.
class WindowTest : public testing::Test {
protected:
    WindowTest();
    ~WindowTest() override;

    // Closes the window, if any, and opens another one; settings and database stay.
    void openWindow();
    virtual ui::WindowServices services();

    template <typename T>
    T& find(const char* objectName)
    {
        T* found = m_window->findChild<T*>(QString::fromUtf8(objectName));
        if (!found)
            throw std::runtime_error(std::string("no object ") + objectName);
        return *found;
    }
    template <typename T>
    T* seek(const char* objectName)
    {
        return m_window->findChild<T*>(QString::fromUtf8(objectName));
    }
    ui::MainWindow& window() { return *m_window; }

    // Runs the event loop until the condition holds; returns false after a minute.
    static bool waitFor(const std::function<bool()>& condition);

    void click(const char* button);
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier); // in the window
    void typePrompt(const QString& text); // replaces the current text
    void chooseInCombo(const char* combo, const QString& word); // by the item's data
    void chooseTab(const char* tabs, const QString& title); // by clicking on it
    void showMore(); // Live's further choices
    bool waitForModel(); // until Start is enabled or the model turns out not to load

    QString labelText(const char* label);
    QString messageOf(const char* bar); // text of a message bar; empty while hidden
    QStringList shownCells(QAbstractItemView& view, int column);
    static int historyColumn(const char* id); // the place of a column of History

    // Makes a run from Start to its end; fails if it does not end.
    void runToTheEnd(const QString& prompt, int maxTokens);
    bool idle(); // no run in progress, and ready for the next

    int page(); // the one that is shown
    QTableView& table(); // of History
    int rows() { return table().model()->rowCount(); }
    bool waitForRuns(int count); // in History

    void addUnsupportedModel(); // "broken", next to the tiny one

    QString folder() const { return m_folder.path(); }
    virtual QString settingsFile() const { return m_folder.filePath(QStringLiteral("s.ini")); }
    std::filesystem::path database() const;

    EngineScript engineScript;
    PowerScript powerScript; // read when a run begins: change it between runs only
    std::optional<std::int64_t> availableMemory; // bytes; nothing: no model is refused
    std::vector<power::SourceReport> reports;

private:
    QtWarningGuard m_guard;
    QTemporaryDir m_folder;
    std::unique_ptr<ui::SettingsStore> m_settings;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace ep::test
