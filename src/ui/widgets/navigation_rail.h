// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1StringView>
#include <QWidget>

#include <vector>

class QToolButton;
class QVBoxLayout;

namespace ep::ui {

// The pages of the window, listed at its left. Folds to icons by its last button, or while the
// window is narrow. Up and down change the page.
class NavigationRail : public QWidget {
    Q_OBJECT

public:
    explicit NavigationRail(QWidget* parent = nullptr);

    void addPage(const QString& id, QLatin1StringView icon, const QString& title,
                 const QKeySequence& keys);
    void setCurrent(int page);
    QString title(int page) const;

    void setFolded(bool folded); // the user's choice
    bool foldedByUser() const { return m_folded; }
    void setNarrow(bool narrow); // the window is too narrow for words
    bool showsWords() const { return !m_folded && !m_narrow; }

Q_SIGNALS:
    void chosen(int page);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showWords();

    std::vector<QToolButton*> m_pages;
    QToolButton* m_fold;
    QVBoxLayout* m_column;
    bool m_folded = false;
    bool m_narrow = false;
};

} // namespace ep::ui
