// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QUrl>

#include <filesystem>

class QLineEdit;
class QMenuBar;
class QTextBrowser;
class QToolButton;

namespace ep::ui {

// The user guide and the pages that it links to, included in the program. Stays open beside the
// pages of the window. GUI thread.
class GuideDialog : public QDialog {
    Q_OBJECT

public:
    explicit GuideDialog(QWidget* parent);

    // Opens the dialog or brings it to the front, at a page such as "glossary.md".
    static void open(QWidget& window, const QString& page = {});

private:
    void follow(const QUrl& link);
    void showHeading(const QString& fragment);
    void findNext();

    QTextBrowser* m_text;
    QToolButton* m_back;
    QToolButton* m_forward;
    QLineEdit* m_search;
};

// Versions, licences of the program and its components, and the location of the runs.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    AboutDialog(const std::filesystem::path& database, QWidget* parent);
};

// A table of all menu actions with a shortcut, generated from the actions themselves, and of the
// keys that all charts share.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(const QMenuBar& menus, QWidget* parent);
};

} // namespace ep::ui
