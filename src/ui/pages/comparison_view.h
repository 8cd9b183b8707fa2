// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/session/pays_job.h"
#include "ep/session/pays_runner.h"
#include "ep/viz/scene.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;

namespace ep::ui {

// Texts about a measurement of pairs, in the window's language. Pure.

// The difference after a number of pairs.
struct PaysPoint {
    std::int64_t pairs = 0;
    double relative = 0.0; // energy per token of B relative to A
    std::optional<std::pair<double, double>> interval{};
};
std::optional<PaysPoint> pointOf(const session::PaysDecision& decision);

// Estimate and interval over the pairs, in percent, with the smallest difference that matters.
// decision: after the last pair; names the figure.
viz::Scene paysChart(const session::PaysDecision& decision, const std::vector<PaysPoint>& course,
                     double smallestDifference, double width, double height);

QString paysVerdictText(const session::PaysResult& result); // same text as in the terminal
QString paysFiguresText(const session::PaysDecision& decision); // one line each, then the caveats
QString paysFigureTitle(const std::string& name); // "Energy per output token"

class SceneView;
class TokenStreamView;

// Measures pairs of two settings until it is known which of them needs less energy: the verdict so
// far and how long the rest may take, both answers, and the interval after each pair. GUI thread.
class ComparisonView : public QWidget {
    Q_OBJECT

public:
    ComparisonView(session::Backend backend, QWidget* parent);
    ~ComparisonView() override; // waits until the run in progress is stored

    // equal: what both sides have in common, one sentence.
    void start(session::PaysSpec spec, session::StudyOptions options, const QString& equal);
    void stop(); // keeps the pairs measured so far
    bool running() const { return m_job != nullptr; }
    QString sentence() const;

Q_SIGNALS:
    void runningChanged(bool running);
    void progressed(double fraction, const QString& what); // of the run
    void pairStored();
    void cardKept();
    void compareRequested(const QStringList& ids);

private:
    struct Column {
        QLabel* title = nullptr;
        QLabel* figures = nullptr;
        TokenStreamView* text = nullptr;
    };
    Column buildColumn(const QString& id);
    void build();
    void run();
    void take(const session::PaysResult& result);
    void finish(const session::PaysResult& result);
    void showResult();
    void showColumn(std::size_t side);
    void keepCard();

    session::Backend m_backend;
    session::PaysSpec m_spec;
    session::StudyOptions m_options;
    session::PaysResult m_result;
    std::vector<PaysPoint> m_course; // a point for each pair
    std::size_t m_current = 0; // the side that answers
    bool m_fresh = false; // no token has arrived yet
    LatestJob m_keeping;
    std::array<Column, 2> m_columns;
    QLabel* m_sentence;
    QLabel* m_equal;
    SceneView* m_chart;
    QLabel* m_figures;
    QPushButton* m_compare;
    QPushButton* m_continue;
    QPushButton* m_keep;
    QString m_step; // "Pair 3, q8_0"
    std::unique_ptr<session::PaysJob> m_job; // last, so that the job ends before its receivers
};

} // namespace ep::ui
