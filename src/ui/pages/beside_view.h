// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/sides.h"
#include "ep/session/events.h"

#include <QStringList>
#include <QWidget>

#include <array>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace ep::ui {

class TokenStreamView;

// Two answers to one prompt side by side, from runs that took turns, with their costs and, below,
// the difference with its interval. GUI thread.
class BesideView : public QWidget {
    Q_OBJECT

public:
    explicit BesideView(QWidget* parent = nullptr);

    void begin(const session::RunRequest& first, const session::RunRequest& second);
    void enter(int column); // called when a run starts
    void append(const std::vector<session::TokenComplete>& tokens);
    void add(const RunPtr& run); // called when it has ended
    void finish(); // no more runs follow
    QString sentence() const;

Q_SIGNALS:
    void compareRequested(const QStringList& ids);

private:
    struct Column {
        QLabel* title = nullptr;
        QLabel* figures = nullptr;
        TokenStreamView* text = nullptr;
        QString name;
        std::vector<std::optional<double>> joules; // joules per token of each run
        std::vector<std::optional<double>> seconds;
        QStringList ids;
    };
    Column buildColumn(const QString& id);
    void showFigures(Column& column);
    void showDifference();
    energy::SideTest test(RunFigure figure,
                          std::vector<std::optional<double>> Column::*values) const;

    std::array<Column, 2> m_columns;
    QLabel* m_sentence;
    QPushButton* m_compare;
    std::size_t m_current = 0;
    std::vector<std::size_t> m_order; // columns of the runs so far
    QString m_origin; // origin of the energies: "modelled"
};

} // namespace ep::ui
