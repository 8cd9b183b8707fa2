// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selected_figures.h"
#include "repository/latest_job.h"

#include "ep/core/cancel.h"
#include "ep/core/run.h"
#include "ep/core/trace.h"
#include "ep/ui/run_reader.h"
#include "ep/ui/run_repository.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include <map>
#include <memory>
#include <optional>

namespace ep::ui {

// Layers, components and operations of single steps, if a run was opened without them. Requested
// one by one, the most recent request first; kept until the next run. GUI thread only.
class StepCache : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    static constexpr int kMaxWaiting = 64; // the oldest requests are dropped

    void reset(const QString& runId); // empty: nothing will be requested
    void want(const QList<int>& tokens); // requests only steps that are not available
    const RunTrace* step(int token) const; // null: not available
    bool waiting() const { return m_asked || !m_waiting.isEmpty(); }

    // The reply to asked(); dropped if it belongs to another run or was not requested.
    void answer(const QString& runId, int token, const std::shared_ptr<const RunTrace>& step);
    void giveUp(); // the pending request will get no reply

Q_SIGNALS:
    void asked(const QString& runId, int token);
    void arrived(int token);

private:
    void askNext();

    QString m_runId;
    std::map<int, std::shared_ptr<const RunTrace>> m_steps;
    QList<int> m_waiting; // the next request is the last element
    std::optional<int> m_asked;
};

// The open data of one run: the run with its totals, and further data that its views request. Such
// data is computed on another thread if the run has its spans, and read if it was opened without
// them. A request replaces the previous one of its kind; a new run drops them all. GUI thread only;
// answers arrive by a signal, or immediately.
class RunDocument : public QObject {
    Q_OBJECT

public:
    explicit RunDocument(QObject* parent = nullptr);

    void readFrom(RunReader* reader) { m_reader = reader; } // null: omitted parts stay unknown

    // Null: no run is open. totals: replace the run's components if it was opened without them.
    void open(const RunPtr& run, const TotalsPtr& totals);
    const RunPtr& run() const { return m_run; }
    const TotalsPtr& totals() const { return m_totals; }
    bool lacksSpans() const; // spans are read on request

    // Absent while the samples of a long run are prepared; energyChanged() follows.
    const std::optional<RunEnergy>& energy() const { return m_energy; }

    // Requests sums by phase and token: breakdownChanged().
    void wantBreakdown();
    const BreakdownPtr& breakdown() const { return m_breakdown; } // null: not available

    // Requests why the run used its energy: explanationChanged().
    void wantExplanation();
    void setExplanation(const ExplanationPtr& explanation);
    const ExplanationPtr& explanation() const { return m_explanation; } // null: not available

    // Requests how well the run's model predicts text in the run's number format:
    // qualitiesChanged().
    void wantQualities();
    const QualityList& qualities() const { return m_qualities; } // null: not available

    // Requests layers, components and operations of single steps; stepArrived() reports each.
    void wantSteps(const QList<int>& tokens) { m_steps.want(tokens); }
    void dropStepRequests() { m_steps.giveUp(); }
    const RunTrace* step(int token) const { return m_steps.step(token); } // null: not available

    // Requests the run cut to a time range: excerptChanged(). Only with energy().
    void wantExcerpt(const TimeRange& time);
    void dropExcerptRequest();
    ExcerptPtr excerpt(const TimeRange& time) const; // only the latest one; null: not available

    // Requests the typical token, or the mean of the run's repeats: aggregateChanged().
    void wantTypicalToken(); // only with energy()
    void wantMeanOfRepeats(const QStringList& ids);
    void dropAggregate(); // drops the aggregate and its request
    const ExcerptPtr& aggregate() const { return m_aggregate; } // null: not available

Q_SIGNALS:
    void energyChanged();
    void breakdownChanged();
    void explanationChanged();
    void qualitiesChanged();
    void stepArrived(int token);
    void excerptChanged();
    void aggregateChanged();
    void failed(const ep::Error& error); // something could not be read

private:
    template <typename Value, typename Read, typename Take>
    void ask(CancelToken& latest, Read read, Take take, std::function<void()> giveUp = {});
    void prepareEnergy();
    void sumUp();
    void readStep(const QString& id, int token);
    void takeExcerpt(const TimeRange& time, const ExcerptPtr& excerpt);
    void takeAggregate(const ExcerptPtr& excerpt);

    QPointer<RunReader> m_reader;
    RunPtr m_run;
    TotalsPtr m_totals;

    std::optional<RunEnergy> m_energy;
    LatestJob m_preparing;

    BreakdownPtr m_breakdown;
    LatestJob m_summing;
    CancelToken m_breakdownRequest;

    ExplanationPtr m_explanation;
    CancelToken m_explanationRequest;

    QualityList m_qualities;
    CancelToken m_qualitiesRequest;

    StepCache m_steps;
    CancelToken m_stepRequest;

    ExcerptPtr m_excerpt;
    std::optional<TimeRange> m_excerptTime; // time range of m_excerpt
    LatestJob m_cutting;
    CancelToken m_excerptRequest;

    ExcerptPtr m_aggregate;
    LatestJob m_aggregating;
    CancelToken m_aggregateRequest;
};

} // namespace ep::ui
