// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/run_repository_worker.h"
#include "text.h"

#include "ep/core/start_thread.h"
#include "ep/session/explain.h"
#include "ep/session/read_excerpt.h"
#include "ep/session/run_file.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"
#include "ep/ui/terms.h"

#include <QElapsedTimer>

#include <algorithm>
#include <optional>
#include <utility>

namespace ep::ui {

namespace {

constexpr int kCleanAgainMs = 5000;

Status writeFile(const store::RunSource& run, RunRepository::Format format, const std::string& path)
{
    switch (format) {
    case RunRepository::Format::Json:
        return store::exportJson(run, path);
    case RunRepository::Format::Csv:
        return store::exportCsv(run, path);
    case RunRepository::Format::CsvZip:
        return store::exportCsvZip(run, path);
    case RunRepository::Format::Trace:
        return store::exportTrace(run, path);
    }
    return {};
}

Result<std::string> resolved(const store::Store& store, const QString& prefix)
{
    return store.resolveId(prefix.toStdString());
}

} // namespace

RunRepository::RunRepository(std::filesystem::path database, QObject* parent)
    : QObject(parent)
    , m_database(std::move(database))
    , m_worker(std::make_unique<Worker>(m_database))
{
    qRegisterMetaType<RunList>();
    qRegisterMetaType<RunPtr>();
    qRegisterMetaType<TotalsPtr>();
    qRegisterMetaType<BreakdownPtr>();
    qRegisterMetaType<TracePtr>();
    qRegisterMetaType<StoreSizePtr>();
    qRegisterMetaType<RunGroups>();
    m_thread.setObjectName(QStringLiteral("run repository"));
    m_worker->moveToThread(&m_thread);
    // In its own thread, because only that one can stop its timer.
    connect(
        &m_thread, &QThread::finished, m_worker.get(),
        [worker = m_worker.get()] { worker->stop(); }, Qt::DirectConnection);
    if (const Status started = startThread(m_thread); !started) {
        // Later, when somebody listens.
        answer([this, problem = term(started.error().message)] {
            Q_EMIT failed(problem);
            Q_EMIT noticed(problem);
        });
        return;
    }
    QMetaObject::invokeMethod(
        m_worker.get(), [this] { m_threadClock = ThreadClock::ofThisThread(); },
        Qt::BlockingQueuedConnection);
}

RunRepository::~RunRepository()
{
    m_opening.cancel();
    m_breaking.cancel();
    m_stepping.cancel();
    m_cutting.cancel();
    m_aggregating.cancel();
    m_explaining.cancel();
    m_comparing.cancel();
    m_cleaning.cancel();
    m_closing.cancel();
    m_thread.quit();
    m_thread.wait();
}

void RunRepository::ask(Question question)
{
    m_cleaning.cancel(); // continues later
    QMetaObject::invokeMethod(
        m_worker.get(),
        [worker = m_worker.get(), question = std::move(question)] { question(*worker); },
        Qt::QueuedConnection);
}

void RunRepository::answer(std::function<void()> inGuiThread)
{
    QMetaObject::invokeMethod(this, std::move(inGuiThread), Qt::QueuedConnection);
}

void RunRepository::refresh()
{
    ask([this, generation = ++m_listGeneration](Worker& worker) {
        QElapsedTimer clock;
        clock.start();
        auto runs = worker.with([&](store::Store& store) {
            worker.remember(store); // later changes are news
            return store.list();
        });
        worker.listedIn(static_cast<int>(clock.elapsed()));
        auto known = worker.with([](store::Store& store) { return store.qualities(); });
        const auto qualities = std::make_shared<const std::vector<QualityRecord>>(
            known ? *std::move(known) : std::vector<QualityRecord>());
        RunList list;
        if (runs)
            list = std::make_shared<const std::vector<RunSummary>>(*std::move(runs));
        const QString problem = list ? QString() : term(runs.error().message);
        const bool restorable = !list && !store::backupsOf(worker.database).empty();
        answer([this, generation, list, qualities, problem, restorable, notice = worker.notice()] {
            if (generation != m_listGeneration)
                return;
            if (!list) {
                if (!m_listed) // nor can a run be stored
                    Q_EMIT noticed(problem);
                Q_EMIT failed(problem);
                if (restorable) // last, so that its offer stays to be seen
                    Q_EMIT unreadable(problem);
                return;
            }
            Q_EMIT qualitiesListed(qualities);
            Q_EMIT listed(list);
            if (!std::exchange(m_listed, true)) {
                watch();
                if (!notice.isEmpty())
                    Q_EMIT noticed(notice);
                else
                    emptyTrash();
            }
        });
    });
}

void RunRepository::watch()
{
    QMetaObject::invokeMethod(
        m_worker.get(),
        [this, worker = m_worker.get()] {
            worker->watch([this] {
                answer([this] {
                    refresh();
                    backUp();
                });
            });
        },
        Qt::QueuedConnection);
}

void RunRepository::setPollInterval(int ms)
{
    QMetaObject::invokeMethod(
        m_worker.get(), [worker = m_worker.get(), ms] { worker->setPollInterval(ms); },
        Qt::QueuedConnection);
}

void RunRepository::restoreBackup()
{
    ask([this](Worker& worker) {
        const std::vector<store::Backup> backups = store::backupsOf(worker.database);
        if (backups.empty())
            return;
        worker.close();
        const auto before = store::restoreBackup(worker.database, backups.front().file);
        if (!before) {
            answer([this, problem = term(before.error().message)] { Q_EMIT failed(problem); });
            return;
        }
        answer([this, backup = pathText(backups.front().file), aside = pathText(*before)] {
            Q_EMIT restored(backup, aside);
            refresh();
        });
    });
}

void RunRepository::backUp()
{
    QMetaObject::invokeMethod(
        m_worker.get(),
        [worker = m_worker.get()] {
            const auto newest = worker->with([](store::Store& store) { return store.list({}, 1); });
            const bool measuring =
                newest && !newest->empty() && newest->front().info.status == RunStatus::Running;
            if (newest && !measuring)
                static_cast<void>(store::backUpIfDue(worker->database)); // tried again later
        },
        Qt::QueuedConnection);
}

// The trash of earlier windows. Gives way to every request and continues later.
void RunRepository::emptyTrash()
{
    m_cleaning = CancelToken();
    QMetaObject::invokeMethod(
        m_worker.get(),
        [this, worker = m_worker.get(), cancel = m_cleaning] {
            const Status done =
                worker->with([&](store::Store& store) { return store.emptyTrash(cancel); });
            if (!done && done.error().code == ErrorCode::Cancelled) {
                answer(
                    [this] { QTimer::singleShot(kCleanAgainMs, this, [this] { emptyTrash(); }); });
            }
        },
        Qt::QueuedConnection);
}

void RunRepository::open(const QString& idOrItsBeginning)
{
    m_opening.cancel();
    m_breaking.cancel();
    m_stepping.cancel();
    m_cutting.cancel();
    m_aggregating.cancel();
    m_explaining.cancel();
    m_opening = CancelToken();
    ask([this, generation = ++m_openGeneration, id = idOrItsBeginning,
         cancel = m_opening](Worker& worker) {
        auto overview = worker.with([&](store::Store& store) -> Result<store::RunOverview> {
            const auto whole = resolved(store, id);
            if (!whole)
                return whole.error();
            return store.overview(*whole, cancel);
        });
        RunPtr run;
        TotalsPtr totals;
        if (overview) {
            totals =
                std::make_shared<const std::vector<ComponentTotal>>(std::move(overview->totals));
            run = std::make_shared<const Run>(std::move(overview->run));
        }
        const QString problem = run ? QString() : term(overview.error().message);
        answer([this, generation, run, totals, problem] {
            if (generation != m_openGeneration)
                return;
            if (run)
                Q_EMIT opened(run, totals);
            else
                Q_EMIT failed(problem);
        });
    });
}

// read(store, cancel) on the worker's thread, then done(value) here unless it is obsolete.
// Interrupted requests are not answered.
template <typename Value, typename Read, typename Answer>
void RunRepository::readDetail(CancelToken& running, quint64& latest, Read read, Answer done)
{
    running.cancel();
    running = CancelToken();
    ask([this, &latest, generation = ++latest, read, done, cancel = running](Worker& worker) {
        auto value = worker.with([&](store::Store& store) { return read(store, cancel); });
        if (!value && value.error().code == ErrorCode::Cancelled)
            return;
        std::shared_ptr<const Value> result;
        const QString problem = value ? QString() : term(value.error().message);
        if (value)
            result = std::make_shared<const Value>(*std::move(value));
        answer([this, &latest, generation, result, problem, done] {
            if (generation != latest)
                return;
            if (result)
                done(result);
            else
                Q_EMIT failed(problem);
        });
    });
}

void RunRepository::breakDown(const QString& id)
{
    readDetail<RunBreakdown>(
        m_breaking, m_breakGeneration,
        [id](store::Store& store, const CancelToken& cancel) {
            return store.breakdown(id.toStdString(), cancel);
        },
        [this, id](const BreakdownPtr& parts) { Q_EMIT brokenDown(id, parts); });
}

void RunRepository::readStep(const QString& id, int token)
{
    readDetail<RunTrace>(
        m_stepping, m_stepGeneration,
        [id, token](store::Store& store, const CancelToken& cancel) {
            return store.steps(id.toStdString(), {token, token + 1}, cancel);
        },
        [this, id, token](const TracePtr& step) { Q_EMIT stepRead(id, token, step); });
}

void RunRepository::explain(const QString& id)
{
    readDetail<session::Explanation>(
        m_explaining, m_explainGeneration,
        [id](store::Store& store, const CancelToken& cancel) {
            auto explanation = session::explainRun(store, id.toStdString(), cancel);
            if (!explanation && explanation.error().code == ErrorCode::NotFound) {
                session::Explanation none;
                none.run = id.toStdString();
                none.diagnosis.answer =
                    tr("Only stored runs are explained, and this run is not stored.").toStdString();
                explanation = std::move(none);
            }
            return explanation;
        },
        [this, id](const ExplanationPtr& explanation) { Q_EMIT explained(id, explanation); });
}

void RunRepository::readExcerpt(const std::shared_ptr<const energy::Ledger>& ledger,
                                const TimeRange& range)
{
    readDetail<energy::Excerpt>(
        m_cutting, m_cutGeneration,
        [ledger, range](store::Store& store, const CancelToken& cancel) {
            return session::readExcerpt(store, *ledger, range, cancel);
        },
        [this, range](const std::shared_ptr<const energy::Excerpt>& excerpt) {
            Q_EMIT excerptRead(range, excerpt);
        });
}

void RunRepository::readTypicalToken(const std::shared_ptr<const energy::Ledger>& ledger)
{
    readDetail<energy::Excerpt>(
        m_aggregating, m_aggregateGeneration,
        [ledger](store::Store& store, const CancelToken& cancel) {
            return session::readTypicalToken(store, *ledger, cancel);
        },
        [this, id = toQString(ledger->run().info.id)](
            const std::shared_ptr<const energy::Excerpt>& excerpt) {
            Q_EMIT aggregateRead(id, excerpt);
        });
}

void RunRepository::readRepeats(const QStringList& ids)
{
    readDetail<energy::Excerpt>(
        m_aggregating, m_aggregateGeneration,
        [ids](store::Store& store, const CancelToken& cancel) {
            return session::readMeanOfRepeats(store, texts(ids), cancel);
        },
        [this, id = ids.value(0)](const std::shared_ptr<const energy::Excerpt>& excerpt) {
            Q_EMIT aggregateRead(id, excerpt);
        });
}

void RunRepository::change(std::function<Status(Worker&)> change, std::function<void()> done)
{
    ask([this, change = std::move(change), done = std::move(done)](Worker& worker) {
        const Status changed = change(worker);
        const QString problem = changed ? QString() : term(changed.error().message);
        answer([this, problem, done] {
            if (problem.isEmpty())
                done();
            else
                Q_EMIT failed(problem);
        });
    });
}

void RunRepository::remove(const QStringList& ids)
{
    change(
        [ids](Worker& worker) {
            return worker.with([&](store::Store& store) { return store.moveToTrash(texts(ids)); });
        },
        [this, ids] { Q_EMIT removed(ids); });
}

void RunRepository::restore(const QStringList& ids)
{
    change(
        [ids](Worker& worker) {
            return worker.with([&](store::Store& store) { return store.restore(texts(ids)); });
        },
        [this] { refresh(); });
}

void RunRepository::edit(const QStringList& ids, const store::RunEdit& changes)
{
    change(
        [ids, changes](Worker& worker) {
            return worker.with([&](store::Store& store) {
                Status done;
                for (const QString& id : ids) {
                    if (done)
                        done = store.edit(id.toStdString(), changes);
                }
                return done;
            });
        },
        [this] { refresh(); });
}

void RunRepository::record(const AdviceRecord& advice)
{
    change(
        [advice](Worker& worker) {
            return worker.with([&](store::Store& store) { return store.saveAdvice(advice); });
        },
        [] {});
}

void RunRepository::measure()
{
    ask([this](Worker& worker) {
        auto size = worker.with([](store::Store& store) { return store.size(); });
        StoreSizePtr measure;
        if (size)
            measure = std::make_shared<const store::StoreSize>(*std::move(size));
        const QString problem = measure ? QString() : term(size.error().message);
        answer([this, measure, problem] {
            if (measure)
                Q_EMIT measured(measure);
            else
                Q_EMIT failed(problem);
        });
    });
}

void RunRepository::prune(const store::PruneRule& rule)
{
    take({rule}, [this](const QStringList& ids) { Q_EMIT removed(ids); });
}

void RunRepository::retain(const std::vector<store::PruneRule>& rules)
{
    take(rules, [this](const QStringList& ids) {
        if (!ids.isEmpty())
            Q_EMIT removed(ids);
    });
}

void RunRepository::take(std::vector<store::PruneRule> rules,
                         std::function<void(const QStringList&)> done)
{
    const auto taken = std::make_shared<QStringList>();
    change(
        [rules = std::move(rules), taken](Worker& worker) {
            return worker.with([&](store::Store& store) -> Status {
                for (const store::PruneRule& rule : rules) {
                    const auto ids = store.select(rule);
                    if (!ids)
                        return ids.error();
                    for (const std::string& id : *ids) {
                        if (!taken->contains(toQString(id)))
                            *taken << toQString(id);
                    }
                }
                return store.moveToTrash(texts(*taken));
            });
        },
        [taken, done = std::move(done)] { done(*taken); });
}

void RunRepository::openFile(const QString& file)
{
    const auto report = std::make_shared<store::ImportReport>();
    change(
        [file, report, cancel = m_closing](Worker& worker) {
            return worker.with([&](store::Store& store) -> Status {
                auto imported = session::importRunFile(store, toPath(file), cancel);
                if (!imported)
                    return imported.error();
                *report = *std::move(imported);
                return {};
            });
        },
        [this, file, report] {
            QStringList ids;
            for (const std::string& id : report->imported)
                ids << toQString(id);
            for (const std::string& id : report->skipped)
                ids << toQString(id);
            refresh();
            Q_EMIT fileOpened(file, ids, static_cast<int>(report->imported.size()));
        });
}

void RunRepository::vacuum()
{
    change(
        [this, cancel = m_closing](Worker& worker) {
            return worker.with([&](store::Store& store) {
                return store.vacuum(cancel, [this](double fraction, const std::string&) {
                    answer([this, fraction] { Q_EMIT vacuuming(fraction); });
                });
            });
        },
        [this] { measure(); });
}

void RunRepository::exportRun(const QString& id, Format format, const QString& path)
{
    change(
        [id, format, path, cancel = m_closing](Worker& worker) {
            return worker.with([&](store::Store& store) -> Status {
                const auto whole = resolved(store, id);
                if (!whole)
                    return whole.error();
                const auto run = store.source(*whole, cancel);
                return run ? writeFile(**run, format, path.toStdString()) : Status(run.error());
            });
        },
        [this, path] { Q_EMIT exported(path); });
}

} // namespace ep::ui
