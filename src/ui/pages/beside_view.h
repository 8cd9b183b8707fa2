// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
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

// How much less or more the second of two settings takes, from interleaved pairs of runs: mean
// logarithm of their quotients, with Student's t interval if there are at least three pairs.
struct PairedDifference {
    double change = 0.0; // relative; negative: the second takes less
    std::optional<double> low{}; // 95 % interval
    std::optional<double> high{};
    int pairs = 0;
};
// Absent unless both values of some pair are known.
std::optional<PairedDifference> pairedDifference(const std::vector<std::optional<double>>& first,
                                                 const std::vector<std::optional<double>>& second);

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

    std::array<Column, 2> m_columns;
    QLabel* m_sentence;
    QPushButton* m_compare;
    std::size_t m_current = 0;
    QString m_origin; // origin of the energies: "modelled"
};

} // namespace ep::ui
