// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/run_document.h"

#include "text.h"

#include "ep/core/run_tree.h"
#include "ep/energy/aggregate.h"
#include "ep/energy/comparison.h"
#include "ep/session/explain.h"
#include "ep/session/read_excerpt.h"
#include "ep/store/store.h"

#include <string>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

// Smaller runs and excerpts are computed at once, so that charts are not empty at first.
constexpr std::size_t kFewSamples = 20'000;
constexpr std::size_t kFewSpans = 20'000;

bool containsSpans(const Run& run)
{
    return !run.trace.components.empty() || !run.trace.layers.empty();
}

} // namespace

void StepCache::reset(const QString& runId)
{
    m_runId = runId;
    m_steps.clear();
    m_waiting.clear();
    m_asked.reset();
}

void StepCache::want(const QList<int>& tokens)
{
    if (m_runId.isEmpty())
        return;
    for (auto token = tokens.crbegin(); token != tokens.crend(); ++token) {
        m_waiting.removeAll(*token);
        if (!m_steps.contains(*token) && m_asked != *token)
            m_waiting.append(*token);
    }
    if (m_waiting.size() > kMaxWaiting)
        m_waiting.remove(0, m_waiting.size() - kMaxWaiting);
    askNext();
}

const RunTrace* StepCache::step(int token) const
{
    const auto found = m_steps.find(token);
    return found == m_steps.end() ? nullptr : found->second.get();
}

void StepCache::askNext()
{
    if (m_asked || m_waiting.isEmpty())
        return;
    m_asked = m_waiting.takeLast();
    Q_EMIT asked(m_runId, *m_asked);
}

void StepCache::answer(const QString& runId, int token, const std::shared_ptr<const RunTrace>& step)
{
    if (runId != m_runId || m_asked != token || !step)
        return;
    m_asked.reset();
    m_steps[token] = step;
    Q_EMIT arrived(token);
    askNext();
}

void StepCache::giveUp()
{
    m_asked.reset();
    m_waiting.clear();
}

RunDocument::RunDocument(QObject* parent)
    : QObject(parent)
{
    connect(&m_steps, &StepCache::asked, this, &RunDocument::readStep);
    connect(&m_steps, &StepCache::arrived, this, &RunDocument::stepArrived);
}

void RunDocument::open(const RunPtr& run, const TotalsPtr& totals)
{
    for (CancelToken* request : {&m_breakdownRequest, &m_explanationRequest, &m_qualitiesRequest,
                                 &m_stepRequest, &m_excerptRequest})
        request->cancel();
    for (LatestJob* job : {&m_preparing, &m_summing, &m_cutting})
        job->drop();
    dropAggregate();
    m_run = run;
    m_totals = totals;
    m_energy.reset();
    m_breakdown.reset();
    m_explanation.reset();
    m_qualities.reset();
    m_steps.reset(lacksSpans() ? toQString(run->info.id) : QString());
    m_excerpt.reset();
    m_excerptTime.reset();
    if (!run)
        return;
    prepareEnergy();
    if (containsSpans(*run))
        sumUp();
}

bool RunDocument::lacksSpans() const
{
    return m_run && m_run->trace.components.empty() && m_run->info.depth != Depth::None;
}

// Calls read(store, cancel) on the database's thread, then take(value) here, or giveUp() if it
// failed. Calls neither if the request was replaced or interrupted.
template <typename Value, typename Read, typename Take>
void RunDocument::ask(CancelToken& latest, Read read, Take take, std::function<void()> giveUp)
{
    latest.cancel();
    latest = CancelToken();
    if (!m_reader)
        return;
    m_reader->read(latest,
                   [self = QPointer(this), cancel = latest, read, take,
                    giveUp](const Result<const store::Store*>& store) -> RunReader::Answer {
                       Result<Value> value =
                           store ? read(**store, cancel) : Result<Value>(store.error());
                       if (!value && value.error().code == ErrorCode::Cancelled)
                           return {};
                       std::shared_ptr<const Value> result;
                       if (value)
                           result = std::make_shared<const Value>(*std::move(value));
                       const Error error = result ? Error{} : value.error();
                       return [self, cancel, take, giveUp, result, error] {
                           if (!self || cancel.cancelled())
                               return;
                           if (result)
                               return take(result);
                           if (giveUp)
                               giveUp();
                           Q_EMIT self->failed(error);
                       };
                   });
}

void RunDocument::prepareEnergy()
{
    if (m_run->trace.samples.size() <= kFewSamples) {
        m_energy = runEnergyOf(m_run);
        return;
    }
    m_preparing.start([run = m_run] { return runEnergyOf(run); },
                      [this](RunEnergy energy) {
                          m_energy = std::move(energy);
                          Q_EMIT energyChanged();
                      });
}

void RunDocument::sumUp()
{
    m_summing.start(
        [run = m_run] { return std::make_shared<const RunBreakdown>(breakDown(run->trace)); },
        [this](const BreakdownPtr& breakdown) {
            m_breakdown = breakdown;
            Q_EMIT breakdownChanged();
        });
}

void RunDocument::wantBreakdown()
{
    if (m_breakdown || !lacksSpans() || containsSpans(*m_run))
        return;
    ask<RunBreakdown>(
        m_breakdownRequest,
        [id = m_run->info.id](const store::Store& store, const CancelToken& cancel) {
            return store.breakdown(id, cancel);
        },
        [this](const BreakdownPtr& breakdown) {
            m_breakdown = breakdown;
            Q_EMIT breakdownChanged();
        });
}

void RunDocument::wantExplanation()
{
    if (!m_run)
        return;
    ask<session::Explanation>(
        m_explanationRequest,
        [id = m_run->info.id](const store::Store& store, const CancelToken& cancel) {
            auto explanation = session::explainRun(store, id, cancel);
            if (!explanation && explanation.error().code == ErrorCode::NotFound) {
                session::Explanation none;
                none.run = id;
                none.diagnosis.answer =
                    tr("Only stored runs are explained, and this run is not stored.").toStdString();
                explanation = std::move(none);
            }
            return explanation;
        },
        [this](const ExplanationPtr& explanation) { setExplanation(explanation); });
}

void RunDocument::setExplanation(const ExplanationPtr& explanation)
{
    m_explanation = explanation;
    Q_EMIT explanationChanged();
}

void RunDocument::wantQualities()
{
    if (!m_run)
        return;
    ask<std::vector<QualityRecord>>(
        m_qualitiesRequest,
        [run = m_run](const store::Store& store,
                      const CancelToken&) -> Result<std::vector<QualityRecord>> {
            auto all = store.qualities();
            if (!all)
                return all;
            return energy::qualityOf(*all, run->info);
        },
        [this](const QualityList& measured) {
            m_qualities = measured;
            Q_EMIT qualitiesChanged();
        });
}

void RunDocument::readStep(const QString& id, int token)
{
    ask<RunTrace>(
        m_stepRequest,
        [id = id.toStdString(), token](const store::Store& store, const CancelToken& cancel) {
            return store.steps(id, {token, token + 1}, cancel);
        },
        [this, id, token](const TracePtr& step) { m_steps.answer(id, token, step); },
        [this] { m_steps.giveUp(); });
}

void RunDocument::wantExcerpt(const TimeRange& time)
{
    dropExcerptRequest();
    if (!m_run || !m_energy || excerpt(time))
        return;
    const std::shared_ptr<const energy::Ledger>& ledger = m_energy->ledger;
    if (lacksSpans()) {
        ask<energy::Excerpt>(
            m_excerptRequest,
            [ledger, time](const store::Store& store, const CancelToken& cancel) {
                return session::readExcerpt(store, *ledger, time, cancel);
            },
            [this, time](const ExcerptPtr& read) { takeExcerpt(time, read); });
    } else if (m_run->trace.components.size() + m_run->trace.tokens.size() <= kFewSpans) {
        takeExcerpt(time, std::make_shared<const energy::Excerpt>(ledger->excerpt(time)));
    } else {
        m_cutting.start(
            [ledger, time] {
                return std::make_shared<const energy::Excerpt>(ledger->excerpt(time));
            },
            [this, time](const ExcerptPtr& cut) { takeExcerpt(time, cut); });
    }
}

void RunDocument::dropExcerptRequest()
{
    m_excerptRequest.cancel();
    m_cutting.drop();
}

ExcerptPtr RunDocument::excerpt(const TimeRange& time) const
{
    return m_excerptTime == time ? m_excerpt : nullptr;
}

void RunDocument::takeExcerpt(const TimeRange& time, const ExcerptPtr& excerpt)
{
    m_excerpt = excerpt;
    m_excerptTime = time;
    Q_EMIT excerptChanged();
}

void RunDocument::wantTypicalToken()
{
    dropAggregate();
    if (!m_run || !m_energy)
        return;
    if (lacksSpans()) {
        ask<energy::Excerpt>(
            m_aggregateRequest,
            [ledger = m_energy->ledger](const store::Store& store, const CancelToken& cancel) {
                return session::readTypicalToken(store, *ledger, cancel);
            },
            [this](const ExcerptPtr& read) { takeAggregate(read); });
        return;
    }
    m_aggregating.start(
        [run = m_run]() -> ExcerptPtr {
            auto typical = energy::typicalToken(*run);
            return typical ? std::make_shared<const energy::Excerpt>(*std::move(typical)) : nullptr;
        },
        [this](const ExcerptPtr& typical) { takeAggregate(typical); });
}

void RunDocument::wantMeanOfRepeats(const QStringList& ids)
{
    dropAggregate();
    std::vector<std::string> repeats;
    for (const QString& id : ids)
        repeats.push_back(id.toStdString());
    ask<energy::Excerpt>(
        m_aggregateRequest,
        [repeats](const store::Store& store, const CancelToken& cancel) {
            return session::readMeanOfRepeats(store, repeats, cancel);
        },
        [this](const ExcerptPtr& read) { takeAggregate(read); });
}

void RunDocument::dropAggregate()
{
    m_aggregateRequest.cancel();
    m_aggregating.drop();
    m_aggregate.reset();
}

void RunDocument::takeAggregate(const ExcerptPtr& excerpt)
{
    m_aggregate = excerpt;
    Q_EMIT aggregateChanged();
}

} // namespace ep::ui
