// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QLabel;

namespace ep::ui {

// Figures, each with its name above it, in one row or, if the width is too small, in several.
// Missing figures are em dashes.
class FigureCards : public QWidget {
    Q_OBJECT

public:
    // Compact: the name is next to the value, for a line above charts.
    enum class Form { Large, Compact };
    explicit FigureCards(QWidget* parent = nullptr, Form form = Form::Large);

    // Adds a card; `id` becomes the object name of the value's label. Returns its index.
    int add(const QString& id, const QString& title);
    void setValue(int card, const QString& value, const QString& toolTip = {});
    QString value(int card) const;
    void setShown(int card, bool shown); // the others keep their places
    void clear(); // sets every value to an em dash
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Card {
        QWidget* frame;
        QLabel* title;
        QLabel* value;
    };
    void applyColours();
    void arrange(); // uses as many columns as fit

    Form m_form;
    std::vector<Card> m_cards;
    int m_columns = 0;
};

} // namespace ep::ui
