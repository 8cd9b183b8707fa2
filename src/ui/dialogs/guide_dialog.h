// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QUrl>

class QLineEdit;
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

} // namespace ep::ui
