// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_front.h"

#include "answer_text.h"
#include "exit_status.h"
#include "interrupt_check.h"
#include "parts_text.h"
#include "run_text.h"

#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/session/answer.h"
#include "ep/session/privacy.h"
#include "ep/store/run_json.h"

#include <QCoreApplication>

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace ep::app {

using session::Profiler;

RunFront::RunFront(RunFrontOptions options)
    : m_options(std::move(options))
    , m_human(m_options.json != "-")
    , m_loop(m_profiler)
{
    onInterrupt(m_interruptCheck, m_interrupt, [this] { m_loop.cancel(); });
    connect(&m_profiler, &Profiler::loadProgress, this, m_progress.shown());
    connect(&m_profiler, &Profiler::runStarted, this, &RunFront::heardStart);
    connect(&m_profiler, &Profiler::tokenComplete, this, &RunFront::heardToken);
    connect(&m_profiler, &Profiler::finished, this, &RunFront::heardEnd);
    connect(&m_profiler, &Profiler::failed, this, [this](const Error& error) {
        std::string text = error.message.english();
        if (error.code == ErrorCode::NoMemory && text.ends_with("try anyway."))
            text.insert(text.size() - 1, " with --ignore-memory");
        heardFailure({error.code, std::move(text)});
    });
    connect(&m_loop, &session::RepeatLoop::coolDownStarted, this, [this](int milliseconds) {
        m_progress.show(static_cast<double>(m_done) / runs(),
                        "Cooling down for "
                            + formatDuration(Nanoseconds{milliseconds} * 1'000'000));
    });
    connect(&m_loop, &session::RepeatLoop::stopped, this, [this](bool complete) {
        m_progress.clear();
        if (!complete && m_status == kExitDone) { // ended between two runs
            printError("Cancelled after " + counted(m_done, "run") + '.');
            m_status = kExitCancelled;
        }
        QCoreApplication::quit();
    });
}

int RunFront::exec()
{
    m_interruptCheck.start();
    std::vector<session::RunRequest> requests{m_options.request};
    requests.insert(requests.end(), m_options.further.begin(), m_options.further.end());
    m_loop.start(std::move(requests), m_options.until);
    QCoreApplication::exec();
    if (m_options.until && m_human && m_done > 0)
        printKnown();
    if (m_options.until && m_status == kExitDone && !reachedGoal())
        m_status = kExitNotKnown;
    printUnequalWork();
    if (const int status = writeJson(); m_status == kExitDone)
        m_status = status;
    return m_status;
}

void RunFront::heardStart(const session::RunStarted& started)
{
    m_progress.clear();
    const Message lack = lackOfEnergy(m_options.request.power, started.info.power);
    if (m_done == 0 && !lack.empty())
        printError(lack);
    if (m_human)
        print(beforeResponse(started.info, started.info.prompt));
}

void RunFront::heardToken(const session::TokenComplete& token)
{
    if (m_human) {
        print(token.token.text);
        if (outputIsClosed()) // nobody would read further output
            m_loop.cancel();
    } else {
        m_progress.show(static_cast<double>(token.token.index + 1)
                            / m_options.request.max_new_tokens,
                        "Token " + std::to_string(token.token.index + 1));
    }
}

void RunFront::heardEnd(const session::RunFinished& finished)
{
    m_progress.clear();
    if (m_human)
        printSummary(finished);
    if (!m_options.json.empty())
        m_runs.push_back(finished.run);
    if (const auto& server = finished.run->info.profiling.server; server && server->uncached_tokens)
        m_computed.push_back(*server->uncached_tokens);
    if (const int status = judge(finished); m_status == kExitDone)
        m_status = status;
    ++m_done;
}

void RunFront::heardFailure(const Error& error)
{
    m_progress.clear();
    m_status = fail(error);
}

bool RunFront::reachedGoal() const
{
    const auto known = m_loop.known();
    return known && known->half_width && *known->half_width <= m_options.until->half_width;
}

void RunFront::printKnown() const
{
    const auto known = m_loop.known();
    if (!known) {
        print("The energy per token is not known: a run has none.\n");
        return;
    }
    std::string text = "\n" + formatFigure(RunFigure::JoulesPerToken, known->joules_per_token);
    if (known->half_width)
        text += " ± " + formatPercent(*known->half_width) + " (95 %)";
    text += " over " + std::to_string(known->runs) + (known->runs == 1 ? " run" : " runs");
    if (!reachedGoal())
        text += "; not yet ± " + formatPercent(m_options.until->half_width);
    print(text + ".\n");
}

void RunFront::printSummary(const session::RunFinished& finished)
{
    const ep::Run& run = *finished.run;
    // The first sequence was printed during the generation.
    print(furtherSequences(run.info) + "\n\n" + openingText(run, session::answerOf(run))
          + figuresText(run));
    if (finished.saved)
        print(savedLine(run, m_options.request.database));
    if (m_options.details)
        printDetails(run);
    if (m_done + 1 < runs())
        print("\n");
}

void RunFront::printDetails(const ep::Run& run) const
{
    print('\n' + summaryText(run) + answerText(answerSections(run)));
    if (run.info.depth != Depth::Deep)
        return;
    if (const auto parts = partsText(store::RunInMemory(run)))
        print('\n' + *parts);
}

void RunFront::printUnequalWork() const
{
    if (m_computed.empty())
        return;
    const auto [least, most] = std::ranges::minmax(m_computed);
    if (least != most)
        printError("The repeats did not do the same work: the server computed "
                   + std::to_string(least) + " to " + std::to_string(most)
                   + " tokens of the prompt and took the others from its cache. Turn its prompt "
                     "cache off, or use a different prompt for each run.");
}

int RunFront::judge(const session::RunFinished& finished) const
{
    const RunInfo& info = finished.run->info;
    int status = kExitDone;
    if (info.status == RunStatus::Cancelled) {
        printError("Cancelled after " + counted(info.output_tokens, "token")
                   + (finished.saved ? "; the partial run is stored as " + shortId(info.id) : "")
                   + ".");
        status = kExitCancelled;
    } else if (info.status == RunStatus::Failed) {
        printError(info.status_message);
        status = kExitFailed;
    }
    if (!finished.save_problem.empty()) {
        printError("The run was not stored: " + finished.save_problem.english());
        status = status == kExitDone ? kExitFailed : status;
    }
    return status;
}

Status writeRunJson(const ep::Run& run, bool withTexts, bool full, std::ostream& sink)
{
    const auto extent = full ? store::JsonExtent::Complete : store::JsonExtent::Overview;
    if (withTexts)
        return store::writeJson(store::RunInMemory(run), sink, 2, extent);
    ep::Run hashed = run;
    session::hashTexts(hashed);
    return store::writeJson(store::RunInMemory(hashed), sink, 2, extent);
}

int RunFront::writeJson() const
{
    if (m_options.json.empty() || m_runs.empty())
        return kExitDone;
    const Status written = writeStream(m_options.json, [this](std::ostream& sink) -> Status {
        const auto write = [&](const ep::Run& run) {
            return writeRunJson(run, m_options.request.store_texts, m_options.full, sink);
        };
        if (runs() == 1)
            return write(*m_runs.front());
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            sink << (i == 0 ? "[\n" : ",\n");
            if (const Status done = write(*m_runs[i]); !done)
                return done;
        }
        sink << "]\n";
        return {};
    });
    return written ? kExitDone : fail(written.error());
}

} // namespace ep::app
