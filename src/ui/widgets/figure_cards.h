// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QLabel;

namespace ep::ui {

// A row of figures, each with its name above it. Figures without data are em dashes.
class FigureCards : public QWidget {
    Q_OBJECT

public:
    explicit FigureCards(QWidget* parent = nullptr);

    // Adds a card; `id` becomes the object name of the value's label. Returns its index.
    int add(const QString& id, const QString& title);
    void setValue(int card, const QString& value, const QString& toolTip = {});
    QString value(int card) const;
    void clear(); // every value an em dash

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Card {
        QWidget* frame;
        QLabel* title;
        QLabel* value;
    };
    void applyColours();

    std::vector<Card> m_cards;
};

} // namespace ep::ui
