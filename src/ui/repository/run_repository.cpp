// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/run_repository.h"

#include "text.h"

#include "ep/core/start_thread.h"
#include "ep/session/comparison.h"
#include "ep/session/run_file.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"
#include "ep/ui/report.h"
#include "ep/ui/terms.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ep::ui {

// The part that lives on the database's thread.
struct RunRepository::Worker : QObject {
    explicit Worker(std::filesystem::path path)
        : database(std::move(path))
    {
        connect(&m_look, &QTimer::timeout, this, &Worker::look);
    }

    // The open database. A read-only one can still be viewed.
    Result<store::Store*> store()
    {
        if (!m_store) {
            auto opened = store::mayExist(database) ? store::Store::openToRead(database)
                                                    : store::Store::open(database);
            if (!opened)
                return opened.error();
            m_store = *std::move(opened);
        }
        return m_store.get();
    }

    // Calls use(store) with the open database.
    template <typename Use>
    auto with(const Use& use) -> decltype(use(std::declval<store::Store&>()))
    {
        const auto open = store();
        if (!open)
            return open.error();
        return use(**open);
    }

    // Whether another connection has changed the file since remember(), or another file has
    // replaced it.
    bool changed()
    {
        if (!m_store)
            return false;
        if (m_store->hasMoved()) {
            if (!store::mayExist(database))
                m_store.reset(); // the file is gone: begins with a new one
            return true;
        }
        const auto version = m_store->dataVersion();
        return version && m_version && *m_version != *version;
    }
    void remember(const store::Store& store)
    {
        const auto version = store.dataVersion();
        m_version = version ? std::optional(*version) : std::nullopt;
    }

    // Calls `changed` once when others have changed the database, until listedIn() is called.
    // Checks on this thread, so that a check without result wakes no other thread.
    void watch(std::function<void()> changed)
    {
        m_changed = std::move(changed);
        m_look.start(interval());
    }
    void setPollInterval(int ms)
    {
        const bool sooner = ms < std::exchange(m_pollMs, ms);
        if (!m_look.isActive())
            return;
        m_look.start(interval());
        if (sooner)
            look();
    }
    // Tells how long listing the runs took, so that it takes at most a fifth of the time.
    void listedIn(int ms)
    {
        m_told = false;
        m_listMs = ms;
        if (m_look.isActive() && m_look.interval() != interval())
            m_look.start(interval());
    }
    void stop() { m_look.stop(); }

    void close() { m_store.reset(); }

    Message notice() const { return m_store ? m_store->notice() : Message(); }

    std::filesystem::path database;

private:
    static constexpr int kPollMs = 500; // changes by others show up within two seconds
    static constexpr int kListsPerPoll = 4;

    int interval() const { return std::max(m_pollMs, kListsPerPoll * m_listMs); }
    void look()
    {
        if (!m_told && changed()) {
            m_told = true;
            m_changed();
        }
    }

    std::unique_ptr<store::Store> m_store;
    std::optional<std::int64_t> m_version;
    QTimer m_look{this};
    std::function<void()> m_changed;
    int m_pollMs = kPollMs;
    int m_listMs = 0;
    bool m_told = false;
};

namespace {

std::vector<std::string> texts(const QStringList& list)
{
    std::vector<std::string> all;
    for (const QString& one : list)
        all.push_back(one.toStdString());
    return all;
}

constexpr int kCleanAgainMs = 5000;

constexpr std::size_t kMaxGroups = 4;

// Names groups in the window's language, because the comparison's sentences use these names.
void nameGroups(std::vector<energy::RunGroup>& groups)
{
    const std::vector<Message> labels = energy::labelsOf(groups);
    for (std::size_t g = 0; g < groups.size(); ++g)
        groups[g].label = term(labels[g]).toStdString();
}

// The groups for a comparison of these runs.
Result<std::vector<std::vector<std::string>>> groupsFor(const store::Store& store,
                                                        const std::vector<std::string>& ids,
                                                        RunRepository::Repeats repeats)
{
    std::vector<std::vector<std::string>> groups;
    if (repeats != RunRepository::Repeats::None) {
        const auto stored = store.list();
        if (!stored)
            return stored.error();
        groups = repeats == RunRepository::Repeats::Stored
            ? session::withRepeats(*stored, ids)
            : session::groupedByRepeats(*stored, ids);
    }
    if (groups.size() < 2) { // runs that repeat each other are compared one by one
        groups.clear();
        for (const std::string& id : ids)
            groups.push_back({id});
    }
    if (groups.size() < 2 || groups.size() > kMaxGroups) {
        const std::string count = std::to_string(ids.size());
        if (groups.size() == ids.size())
            return Error{ErrorCode::InvalidInput,
                         {"Compare takes 2 to 4 runs or groups of repeats, but %1 are selected; "
                          "select fewer in History.",
                          count}};
        return Error{ErrorCode::InvalidInput,
                     {"Compare takes 2 to 4 runs or groups of repeats, but the %1 selected runs "
                      "form %2; select fewer in History.",
                      count, groups.size()}};
    }
    return groups;
}

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

} // namespace

RunRepository::RunRepository(std::filesystem::path database, QObject* parent)
    : RunReader(parent)
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
    // Called on its own thread, because only that one can stop its timer.
    connect(
        &m_thread, &QThread::finished, m_worker.get(),
        [worker = m_worker.get()] { worker->stop(); }, Qt::DirectConnection);
    if (const Status started = startThread(m_thread); !started) {
        // Emits the signals later, when something is connected to them.
        answer([this, error = started.error()] {
            Q_EMIT failed(error);
            Q_EMIT noticed(error.message);
        });
        return;
    }
    QMetaObject::invokeMethod(
        m_worker.get(), [this] { m_threadClock = ThreadClock::ofThisThread(); },
        Qt::BlockingQueuedConnection);
}

RunRepository::~RunRepository()
{
    for (const CancelToken& reading : m_reading)
        reading.cancel();
    for (const CancelToken& running : {m_opening, m_comparing, m_cleaning, m_closing})
        running.cancel();
    m_thread.quit();
    m_thread.wait();
}

void RunRepository::post(std::function<void(Worker&)> job)
{
    QMetaObject::invokeMethod(
        m_worker.get(), [worker = m_worker.get(), job = std::move(job)] { job(*worker); },
        Qt::QueuedConnection);
}

void RunRepository::ask(std::function<void(Worker&)> question)
{
    m_cleaning.cancel(); // cleaning continues later
    post(std::move(question));
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
            worker.remember(store); // only later changes are news
            return store.list();
        });
        worker.listedIn(static_cast<int>(clock.elapsed()));
        auto known = worker.with([](store::Store& store) { return store.qualities(); });
        const auto qualities = std::make_shared<const std::vector<QualityRecord>>(
            known ? *std::move(known) : std::vector<QualityRecord>());
        RunList list;
        if (runs)
            list = std::make_shared<const std::vector<RunSummary>>(*std::move(runs));
        const Error error = list ? Error() : runs.error();
        const bool restorable = !list && !store::backupsOf(worker.database).empty();
        answer([this, generation, list, qualities, error, restorable, notice = worker.notice()] {
            if (generation != m_listGeneration)
                return;
            if (!list) {
                if (!m_listed) // no run can be stored either
                    Q_EMIT noticed(error.message);
                Q_EMIT failed(error);
                if (restorable) // last, so that its offer stays visible
                    Q_EMIT unreadable(error);
                return;
            }
            Q_EMIT qualitiesListed(qualities);
            Q_EMIT listed(list);
            if (!std::exchange(m_listed, true)) {
                watch();
                if (!notice.empty())
                    Q_EMIT noticed(notice);
                else
                    emptyTrash();
            }
        });
    });
}

void RunRepository::watch()
{
    post([this](Worker& worker) {
        worker.watch([this] {
            answer([this] {
                refresh();
                backUp();
            });
        });
    });
}

void RunRepository::setPollInterval(int ms)
{
    post([ms](Worker& worker) { worker.setPollInterval(ms); });
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
            answer([this, error = before.error()] { Q_EMIT failed(error); });
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
    post([](Worker& worker) {
        const auto newest = worker.with([](store::Store& store) { return store.list({}, 1); });
        const bool measuring =
            newest && !newest->empty() && newest->front().info.status == RunStatus::Running;
        if (newest && !measuring)
            static_cast<void>(store::backUpIfDue(worker.database)); // will be tried again
    });
}

// Empties the trash of earlier windows. Gives way to every request and continues later.
void RunRepository::emptyTrash()
{
    m_cleaning = CancelToken();
    post([this, cancel = m_cleaning](Worker& worker) {
        const Status done =
            worker.with([&](store::Store& store) { return store.emptyTrash(cancel); });
        if (!done && done.error().code == ErrorCode::Cancelled)
            answer([this] { QTimer::singleShot(kCleanAgainMs, this, [this] { emptyTrash(); }); });
    });
}

void RunRepository::open(const QString& idOrItsBeginning)
{
    for (const CancelToken& reading : m_reading)
        reading.cancel();
    m_opening.cancel();
    m_opening = CancelToken();
    ask([this, generation = ++m_openGeneration, id = idOrItsBeginning,
         cancel = m_opening](Worker& worker) {
        auto overview = worker.with([&](store::Store& store) -> Result<store::RunOverview> {
            const auto whole = store.resolveId(id.toStdString());
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
        const Error error = run ? Error() : overview.error();
        answer([this, generation, run, totals, error] {
            if (generation != m_openGeneration)
                return;
            if (run)
                Q_EMIT opened(run, totals);
            else
                Q_EMIT failed(error);
        });
    });
}

void RunRepository::read(const CancelToken& cancel, RunReader::Question question)
{
    m_reading.push_back(cancel);
    ask([this, question = std::move(question)](Worker& worker) {
        const auto store = worker.store();
        answer([this,
                done = question(store ? Result<const store::Store*>(*store)
                                      : Result<const store::Store*>(store.error()))] {
            m_reading.pop_front();
            if (done)
                done();
        });
    });
}

void RunRepository::change(std::function<Status(store::Store&)> change, std::function<void()> done)
{
    ask([this, change = std::move(change), done = std::move(done)](Worker& worker) {
        answer([this, changed = worker.with(change), done] {
            if (changed)
                done();
            else
                Q_EMIT failed(changed.error());
        });
    });
}

void RunRepository::remove(const QStringList& ids)
{
    change([ids](store::Store& store) { return store.moveToTrash(texts(ids)); },
           [this, ids] { Q_EMIT removed(ids); });
}

void RunRepository::restore(const QStringList& ids)
{
    change([ids](store::Store& store) { return store.restore(texts(ids)); }, [this] { refresh(); });
}

void RunRepository::edit(const QStringList& ids, const store::RunEdit& changes)
{
    change(
        [ids, changes](store::Store& store) {
            Status done;
            for (const QString& id : ids) {
                if (done)
                    done = store.edit(id.toStdString(), changes);
            }
            return done;
        },
        [this] { refresh(); });
}

void RunRepository::record(const AdviceRecord& advice)
{
    change([advice](store::Store& store) { return store.saveAdvice(advice); }, [] {});
}

void RunRepository::measure()
{
    ask([this](Worker& worker) {
        auto size = worker.with([](store::Store& store) { return store.size(); });
        StoreSizePtr measure;
        if (size)
            measure = std::make_shared<const store::StoreSize>(*std::move(size));
        const Error error = measure ? Error() : size.error();
        answer([this, measure, error] {
            if (measure)
                Q_EMIT measured(measure);
            else
                Q_EMIT failed(error);
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
        [rules = std::move(rules), taken](store::Store& store) -> Status {
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
        },
        [taken, done = std::move(done)] { done(*taken); });
}

void RunRepository::vacuum()
{
    change(
        [this, cancel = m_closing](store::Store& store) {
            return store.vacuum(cancel, [this](double fraction, const Message&) {
                answer([this, fraction] { Q_EMIT vacuuming(fraction); });
            });
        },
        [this] { measure(); });
}

void RunRepository::compare(const QStringList& ids, Repeats repeats)
{
    m_comparing.cancel();
    m_comparing = CancelToken();
    ask([this, generation = ++m_compareGeneration, ids = texts(ids), repeats,
         cancel = m_comparing](Worker& worker) {
        auto loaded =
            worker.with([&](store::Store& store) -> Result<std::vector<energy::RunGroup>> {
                const auto groups = groupsFor(store, ids, repeats);
                if (!groups)
                    return groups.error();
                return session::loadGroups(store, *groups, cancel);
            });
        RunGroups groups;
        if (loaded) {
            nameGroups(*loaded);
            groups = std::make_shared<const std::vector<energy::RunGroup>>(*std::move(loaded));
        }
        const Error error = groups ? Error() : loaded.error();
        answer([this, generation, groups, error] {
            if (generation != m_compareGeneration)
                return;
            if (groups)
                Q_EMIT compared(groups);
            else
                Q_EMIT failed(error);
        });
    });
}

// Reads and writes files with runs.

void RunRepository::exportRun(const QString& id, Format format, const QString& path)
{
    change(
        [id, format, path, cancel = m_closing](store::Store& store) -> Status {
            const auto whole = store.resolveId(id.toStdString());
            if (!whole)
                return whole.error();
            const auto run = store.source(*whole, cancel);
            return run ? writeFile(**run, format, path.toStdString()) : Status(run.error());
        },
        [this, path] { Q_EMIT exported(path); });
}

void RunRepository::saveReport(const QString& id, const QString& path)
{
    change(
        [id, path, cancel = m_closing](store::Store& store) -> Status {
            auto groups = session::loadGroups(store, {{id.toStdString()}}, cancel);
            if (!groups)
                return groups.error();
            ReportSubject subject{*std::move(groups), {}};
            if (auto why = session::explainRun(store, id.toStdString(), cancel))
                subject.explanation = *std::move(why);
            return path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)
                ? saveReportPdf(subject, toPath(path))
                : saveReportHtml(subject, toPath(path));
        },
        [this, path] { Q_EMIT exported(path); });
}

void RunRepository::openFile(const QString& file)
{
    const auto report = std::make_shared<store::ImportReport>();
    change(
        [file, report, cancel = m_closing](store::Store& store) -> Status {
            auto imported = session::importRunFile(store, toPath(file), cancel);
            if (!imported)
                return imported.error();
            *report = *std::move(imported);
            return {};
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

void RunRepository::importFiles(const QStringList& files)
{
    ask([this, files = texts(files), cancel = m_closing](Worker& worker) {
        QStringList ids;
        int skipped = 0;
        Status done;
        for (const std::string& file : files) {
            const auto report = worker.with(
                [&](store::Store& store) { return session::importRunFile(store, file, cancel); });
            if (!report) {
                done = report.error();
                break;
            }
            for (const std::string& id : report->imported)
                ids << toQString(id);
            skipped += static_cast<int>(report->skipped.size());
        }
        answer([this, ids, skipped, done] {
            if (!ids.isEmpty() || done)
                Q_EMIT imported(ids, skipped);
            if (!done)
                Q_EMIT failed(done.error());
            refresh();
        });
    });
}

} // namespace ep::ui
