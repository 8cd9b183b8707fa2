// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/run_repository.h"

#include "text.h"

#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <QSaveFile>

namespace ep::ui {

// The part that lives in the database's thread.
struct RunRepository::Worker : QObject {
    explicit Worker(std::filesystem::path path)
        : database(std::move(path))
    {
    }

    // The open database. One that may not be written can still be looked at.
    Result<store::Store*> store()
    {
        if (!m_store) {
            auto opened = store::Store::open(database);
            if (!opened) {
                auto readable = store::Store::open(database, store::Store::Mode::ReadOnly);
                if (!readable)
                    return opened.error();
                m_store = *std::move(readable);
                return m_store.get();
            }
            m_store = *std::move(opened);
        }
        return m_store.get();
    }

    Result<std::vector<RunSummary>> list()
    {
        const auto open = store();
        if (!open)
            return open.error();
        return (*open)->list();
    }

    Result<RunPtr> load(const std::string& idOrPrefix)
    {
        const auto open = store();
        if (!open)
            return open.error();
        const auto id = (*open)->resolveId(idOrPrefix);
        if (!id)
            return id.error();
        auto run = (*open)->load(*id);
        if (!run)
            return run.error();
        return RunPtr(std::make_shared<const Run>(*std::move(run)));
    }

    Status remove(const std::string& id)
    {
        const auto open = store();
        if (!open)
            return open.error();
        return (*open)->remove(id);
    }

    std::filesystem::path database;

private:
    std::unique_ptr<store::Store> m_store;
};

namespace {

Status writeJson(const Run& run, const QString& path)
{
    const std::string json = store::runToJson(run);
    QSaveFile file(path);
    const auto size = static_cast<qint64>(json.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(json.data(), size) != size
        || !file.commit()) {
        return Error{ErrorCode::Io,
                     "Cannot write " + path.toStdString() + " (" + file.errorString().toStdString()
                         + "): choose another place."};
    }
    return {};
}

} // namespace

RunRepository::RunRepository(std::filesystem::path database, QObject* parent)
    : QObject(parent)
    , m_database(std::move(database))
    , m_worker(std::make_unique<Worker>(m_database))
{
    qRegisterMetaType<RunList>();
    qRegisterMetaType<RunPtr>();
    m_thread.setObjectName(QStringLiteral("run repository"));
    m_worker->moveToThread(&m_thread);
    m_thread.start();
}

RunRepository::~RunRepository()
{
    m_thread.quit();
    m_thread.wait();
}

void RunRepository::ask(Question question)
{
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
        auto runs = worker.list();
        RunList list;
        if (runs)
            list = std::make_shared<const std::vector<RunSummary>>(*std::move(runs));
        const QString problem = list ? QString() : toQString(runs.error().message);
        answer([this, generation, list, problem] {
            if (generation != m_listGeneration)
                return;
            if (list)
                Q_EMIT listed(list);
            else
                Q_EMIT failed(problem);
        });
    });
}

void RunRepository::open(const QString& idOrItsBeginning)
{
    ask([this, generation = ++m_openGeneration,
         id = idOrItsBeginning.toStdString()](Worker& worker) {
        const auto run = worker.load(id);
        const RunPtr loaded = run ? *run : nullptr;
        const QString problem = run ? QString() : toQString(run.error().message);
        answer([this, generation, loaded, problem] {
            if (generation != m_openGeneration)
                return;
            if (loaded)
                Q_EMIT opened(loaded);
            else
                Q_EMIT failed(problem);
        });
    });
}

void RunRepository::remove(const QStringList& ids)
{
    ask([this, ids](Worker& worker) {
        QStringList gone;
        QString problem;
        for (const QString& id : ids) {
            const Status done = worker.remove(id.toStdString());
            if (done)
                gone << id;
            else
                problem = toQString(done.error().message);
        }
        answer([this, gone, problem] {
            if (!gone.isEmpty())
                Q_EMIT removed(gone);
            if (!problem.isEmpty())
                Q_EMIT failed(problem);
        });
    });
}

void RunRepository::exportRun(const QString& id, Format format, const QString& path)
{
    ask([this, id = id.toStdString(), format, path](Worker& worker) {
        const auto run = worker.load(id);
        Status done = run ? Status() : Status(run.error());
        if (run) {
            done = format == Format::Json ? writeJson(**run, path)
                                          : store::exportCsv(**run, path.toStdString());
        }
        const QString problem = done ? QString() : toQString(done.error().message);
        answer([this, path, problem] {
            if (problem.isEmpty())
                Q_EMIT exported(path);
            else
                Q_EMIT failed(problem);
        });
    });
}

} // namespace ep::ui
