// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QWidget>

#include <vector>

class QTextBrowser;

namespace ep::ui {

class FigureCards;
class Sparkline;

// The selected runs, next to the list: key figures first, then how a run compares with others of
// its model, then its texts and its manifest. For several runs: their totals.
class RunSummaryPane : public QWidget {
    Q_OBJECT

public:
    explicit RunSummaryPane(QWidget* parent = nullptr);

    // shown: all listed runs.
    void showRuns(const std::vector<const RunSummary*>& selected,
                  const std::vector<const RunSummary*>& shown);

private:
    void showOne(const RunSummary& run, const std::vector<const RunSummary*>& shown);
    void showSum(const std::vector<const RunSummary*>& selected);

    FigureCards* m_cards;
    Sparkline* m_spark;
    QTextBrowser* m_text;
};

} // namespace ep::ui
