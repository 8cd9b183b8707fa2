// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_prediction.h"

#include "pages/run_form.h"
#include "text.h"
#include "theme/design.h"

#include "ep/core/format.h"
#include "ep/energy/insights.h"
#include "ep/model/context_length.h"
#include "ep/model/describe.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kPredictPauseMs = 300;
constexpr std::int64_t kBytesPerToken = 4; // of usual text, until the tokens are counted

// Runs whose energies are comparable with those that the source would measure.
std::vector<RunSummary> comparable(const std::vector<RunSummary>& runs, std::string_view origin)
{
    std::vector<RunSummary> chosen;
    for (const RunSummary& run : runs) {
        const std::string_view own = energy::energyOrigin(run);
        if (run.info.status == RunStatus::Complete && (own.empty() || own == origin))
            chosen.push_back(run);
    }
    return chosen;
}

// How much of the model's context the run may need, and how much memory its keys and values take.
QString contextText(const ModelFacts& facts, std::int64_t input, std::int64_t output)
{
    if (facts.context_length <= 0)
        return {};
    const std::int64_t room = facts.context_length - input;
    if (room < 0) // the prompt does not fit; a text beside Start says so
        return {};
    if (output > room)
        return RunPrediction::tr("The context of %1 tokens ends the answer after about %2.")
            .arg(facts.context_length)
            .arg(room);
    const QString used = RunPrediction::tr("Context: up to about %1 of %2 tokens")
                             .arg(input + output)
                             .arg(facts.context_length);
    if (facts.kv_bytes_per_token <= 0)
        return used;
    return RunPrediction::tr("%1, cache %2")
        .arg(used, toQString(formatBytes(facts.kv_bytes_per_token * (input + output))));
}

// The newest run with these settings that has energy; null: none.
const RunSummary* newestLike(const std::vector<RunSummary>& runs, const std::string& device,
                             const std::string& dtype, bool modelled)
{
    const auto found = std::ranges::find_if(runs, [&](const RunSummary& run) {
        const std::string_view origin = energy::energyOrigin(run);
        return (device == "auto" || run.info.device == device) && run.info.dtype == dtype
            && origin == (modelled ? "modelled" : "measured");
    });
    return found == runs.end() ? nullptr : &*found;
}

} // namespace

RunPrediction::RunPrediction(const RunForm& form)
    : m_form(form)
{
    setObjectName(u"runPrediction"_s);
    setTextFormat(Qt::PlainText);
    setMuted(*this);
    setWordWrap(true);
    setMinimumHeight(2 * fontMetrics().lineSpacing()); // an answer does not move the page
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPredictPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &RunPrediction::ask);
    connect(&form, &RunForm::edited, this, &RunPrediction::askSoon);
    connect(&form, &RunForm::changed, this, &RunPrediction::askSoon);
}

void RunPrediction::setRuns(const RunList& runs)
{
    m_runs = runs;
    askSoon();
}

void RunPrediction::ask()
{
    const session::RunRequest request = m_form.request();
    if (!m_runs || request.load.folder.empty() || request.server) {
        m_job.drop();
        setText({});
        return;
    }
    m_job.start([request, tokens = m_form.prompt().longestPrompt(),
                 runs = m_runs] { return answer(request, tokens, runs); },
                [this](const Answer& found) {
                    setText(found.text);
                    setToolTip(richText(found.explanation));
                });
}

// Runs on another thread.
RunPrediction::Answer RunPrediction::answer(const session::RunRequest& request, std::size_t tokens,
                                            const RunList& runs)
{
    const auto described = model::describeModel(request.load.folder);
    if (!described)
        return {};
    ModelFacts facts = described->facts;
    facts.context_length = model::contextFor(facts.context_length, request.context_length);
    const auto counted = static_cast<std::int64_t>(tokens); // with the chat template
    const std::int64_t input = std::max<std::int64_t>(
        1, counted > 0 ? counted : std::ssize(request.prompt) / kBytesPerToken);
    const std::int64_t asked = std::max(1, request.max_new_tokens);
    const std::int64_t room =
        facts.context_length > 0 ? std::max<std::int64_t>(1, facts.context_length - input) : asked;
    session::PredictionRequest wanted{
        .model = request.load.folder,
        .dtype = request.load.dtype == "auto" ? facts.stored_dtype : request.load.dtype,
        .input_tokens = input,
        .output_tokens = std::min(asked, room),
        .batch_size =
            std::max<std::int64_t>(request.batch_size, 1 + std::ssize(request.further_prompts))};
    const bool modelled = request.power.kind == "modelled";
    Answer answer = costOf(wanted, request.load.device, modelled, *runs);
    if (const QString context = contextText(facts, input, asked); !context.isEmpty())
        answer.text += u'\n' + context;
    if (room <= wanted.output_tokens)
        return answer;
    wanted.output_tokens = room;
    if (const Answer full = costOf(wanted, request.load.device, modelled, *runs);
        !full.perToken.isEmpty())
        answer.explanation += (answer.explanation.isEmpty() ? QString() : u"\n"_s)
            + tr("Until the context of %1 tokens is full: %2/token")
                  .arg(facts.context_length)
                  .arg(full.perToken);
    return answer;
}

RunPrediction::Answer RunPrediction::costOf(session::PredictionRequest wanted,
                                            const std::string& device, bool modelled,
                                            const std::vector<RunSummary>& runs)
{
    const RunSummary* like = newestLike(runs, device, wanted.dtype, modelled);
    if (!like && !modelled) // without a sensor, only modelled runs exist
        like = newestLike(runs, device, wanted.dtype, true);
    if (!like)
        return {.text = tr("No prediction yet for this model and format"),
                .explanation = tr("Make a run with this format, then others can be predicted."),
                .perToken = {}};
    wanted.device = like->info.device;
    const std::string_view origin = energy::energyOrigin(*like);
    const auto found = session::predict(wanted, comparable(runs, origin));
    if (!found || !found->joules)
        return {.text = tr("No prediction yet for this model and format"),
                .explanation = term(found ? found->joules_problem : found.error().message),
                .perToken = {}};
    const double tokens =
        static_cast<double>(wanted.output_tokens) * static_cast<double>(wanted.batch_size);
    QStringList explanation;
    for (const Message& caution : found->cautions)
        explanation << term(caution);
    const QString perToken = energyPerTokenText(found->joules->total() / tokens);
    return {.text = tr("Predicted: %1/token (%2 to %3), %4 tokens/s (%5, from %6 of this model)")
                        .arg(perToken, energyPerTokenText(*found->joules->low / tokens),
                             energyPerTokenText(*found->joules->high / tokens),
                             numberText(tokens / found->seconds.total()), term(origin),
                             countText(found->joules->runs)),
            .explanation = explanation.join(u'\n'),
            .perToken = perToken};
}

} // namespace ep::ui
