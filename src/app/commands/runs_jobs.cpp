// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "run_text.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/command_record.h"
#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/utf8.h"
#include "ep/session/find_program.h"
#include "ep/session/jobs.h"

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>

#include <span>
#include <sys/stat.h>

namespace ep::app {

namespace {

std::string energyText(const std::optional<double>& millijoules)
{
    return millijoules ? formatEnergy(Millijoules{*millijoules}) : std::string(kMissingText);
}

std::string perTokenText(const std::optional<double>& joules)
{
    return formatCell(RunFigure::JoulesPerToken, joules);
}

std::string waitingText(const session::Job& job)
{
    return job.waiting_ms ? formatDuration(*job.waiting_ms * kNsPerMs) : std::string(kMissingText);
}

std::string jobListText(const std::vector<session::Job>& jobs,
                        const std::optional<session::JobChecks>& checks)
{
    using Align = TextTable::Align;
    TextTable table({{"job"},
                     {"began"},
                     {"requests", Align::Right},
                     {"input", Align::Right},
                     {"cached", Align::Right},
                     {"output", Align::Right},
                     {"energy", Align::Right},
                     {heading(RunFigure::JoulesPerToken), Align::Right, false, 2},
                     {heading(RunFigure::JoulesPerTotalToken), Align::Right, false, 1},
                     {"waiting", Align::Right},
                     {"solved"},
                     {"question", Align::Left, true}});
    constexpr std::size_t kMaxCharacters = 60;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const session::Job& job = jobs[i];
        table.addRow({job.id, utcTime(job.begin_ms), std::to_string(job.runs.size()),
                      tokensText(job.input_tokens), tokensText(job.cached_tokens),
                      tokensText(job.output_tokens), formatEnergy(job.energy),
                      perTokenText(job.joules_per_token), perTokenText(job.joules_per_total_token),
                      waitingText(job),
                      !checks                 ? std::string()
                          : checks->solved[i] ? std::string("yes")
                                              : std::string("no"),
                      previewUtf8(job.title, kMaxCharacters)});
    }
    std::string text = table.toString();
    if (checks) {
        text += '\n' + std::to_string(checks->count()) + " of " + std::to_string(jobs.size())
            + " solved; energy of all jobs per solved one: "
            + energyText(checks->millijoulesPerSolved(jobs)) + '\n';
    }
    return text;
}

std::string jobText(const session::Job& job)
{
    std::string text = "prefill by the role of the text, divided by its length:\n";
    for (std::size_t i = 0; i < session::kJobTexts; ++i)
        text += "  " + std::string(session::name(static_cast<session::JobText>(i))) + "  "
            + energyText(job.text_mj[i]) + '\n';
    text += "saved by the prompt cache  " + energyText(job.cache_saved_mj) + '\n';
    text += "waiting between the requests  " + waitingText(job);
    text += job.waiting_ms ? ", " + energyText(job.waiting_mj) + " at the idle power\n" : "\n";
    for (const std::string& run : job.runs)
        text += "run  " + run + '\n';
    return text;
}

// Runs the user's command, with the job in its environment; solved if it exits with 0.
Result<bool> solves(const std::vector<std::string>& check, const session::Job& job)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("EP_JOB"), QString::fromStdString(job.id));
    QStringList runs;
    for (const std::string& run : job.runs)
        runs << QString::fromStdString(run);
    environment.insert(QStringLiteral("EP_JOB_RUNS"), runs.join(QLatin1Char(' ')));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setProcessChannelMode(QProcess::SeparateChannels);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier([mask = umaskAtStart()] { ::umask(mask); });
    QStringList arguments;
    for (const std::string& word : std::span(check).subspan(1))
        arguments << QFile::decodeName(word.c_str());
    process.start(QFile::decodeName(check.front().c_str()), arguments);
    if (!process.waitForFinished(-1))
        return Error{ErrorCode::Io, {"The check of the job %1 could not be started.", job.id}};
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

} // namespace

int showJobs(const RunsOptions& options, const std::string& job, const std::string& command)
{
    std::optional<std::vector<std::string>> check;
    if (!command.empty()) {
        auto words = session::startableWords(command);
        if (!words)
            return failAsked(words.error());
        check = *std::move(words);
    }
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    const auto runs = (*store)->list(options.filter, options.limit);
    if (!runs)
        return fail(runs.error());
    std::vector<session::Job> jobs = session::jobsOf(*runs);
    if (!job.empty()) {
        std::erase_if(jobs, [&](const session::Job& one) { return !one.id.starts_with(job); });
        if (jobs.empty())
            return fail(Error{ErrorCode::NotFound,
                              {"There is no job '%1'; `runs totals --by job` lists them.", job}});
    }
    std::optional<session::JobChecks> checks;
    if (check) {
        checks.emplace();
        for (const session::Job& one : jobs) {
            const auto solved = solves(*check, one);
            if (!solved)
                return fail(solved.error());
            checks->solved.push_back(*solved);
        }
    }
    if (options.json) {
        printJson(session::jobsJson(jobs, checks));
        return kExitDone;
    }
    if (job.empty() && !checks) {
        const std::size_t alone = std::erase_if(
            jobs, [](const session::Job& one) { return !one.named && one.runs.size() == 1; });
        if (jobs.empty() && alone > 0) {
            print("No requests belong together: each run stands alone. `runs edit RUN +job:NAME` "
                  "puts a run into a job.\n");
            return kExitDone;
        }
    }
    print(jobs.empty()
              ? std::string("There are no runs.\n")
              : jobListText(jobs, checks) + (job.empty() ? "" : '\n' + jobText(jobs.front())));
    return kExitDone;
}

} // namespace ep::app
