// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_prediction.h"

#include "pages/run_form.h"
#include "text.h"
#include "theme/design.h"

#include "ep/energy/insights.h"
#include "ep/model/describe.h"
#include "ep/session/predict.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kPredictPauseMs = 300;
constexpr std::int64_t kBytesPerToken = 4; // of usual text; the prompt is a small part of the cost

// Runs whose energies may be looked at together with those that the source would give.
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

// The newest run with these choices that has energy; null: there is none.
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
    setMinimumHeight(2 * fontMetrics().lineSpacing()); // nothing below moves when it answers
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

void RunPrediction::askSoon()
{
    m_pause.start();
}

void RunPrediction::ask()
{
    const session::RunRequest request = m_form.request();
    if (!m_runs || request.load.folder.empty() || request.server) {
        m_job.drop();
        setText({});
        return;
    }
    m_job.start([request, runs = m_runs] { return answer(request, runs); },
                [this](const Answer& found) {
                    setText(found.text);
                    setToolTip(richText(found.explanation));
                });
}

// On another thread.
RunPrediction::Answer RunPrediction::answer(const session::RunRequest& request, const RunList& runs)
{
    const auto described = model::describeModel(request.load.folder);
    if (!described)
        return {};
    session::PredictionRequest wanted{
        .model = request.load.folder,
        .dtype = request.load.dtype == "auto" ? described->facts.stored_dtype : request.load.dtype,
        .input_tokens = std::max<std::int64_t>(1, std::ssize(request.prompt) / kBytesPerToken),
        .output_tokens = std::max(1, request.max_new_tokens),
        .batch_size =
            std::max<std::int64_t>(request.batch_size, 1 + std::ssize(request.further_prompts))};
    const bool modelled = request.power.kind == "modelled";
    const RunSummary* like = newestLike(*runs, request.load.device, wanted.dtype, modelled);
    if (!like && !modelled) // without a sensor, only modelled runs exist
        like = newestLike(*runs, request.load.device, wanted.dtype, true);
    if (!like)
        return {tr("No prediction yet for this model and format"),
                tr("Make a run with this format, then others can be predicted.")};
    wanted.device = like->info.device;
    const std::string_view origin = energy::energyOrigin(*like);
    const auto found = session::predict(wanted, comparable(*runs, origin));
    if (!found || !found->joules)
        return {tr("No prediction yet for this model and format"),
                term(found ? found->joules_problem : found.error().message)};
    const double tokens =
        static_cast<double>(wanted.output_tokens) * static_cast<double>(wanted.batch_size);
    QStringList explanation;
    if (const auto& joules = *found->joules; joules.low && joules.high)
        explanation << tr("95 % interval %1 to %2 per token")
                           .arg(energyPerTokenText(*joules.low / tokens),
                                energyPerTokenText(*joules.high / tokens));
    for (const std::string& caution : found->cautions)
        explanation << term(caution);
    return {tr("Predicted: %1/token, %2 tokens/s (%3, from %4)")
                .arg(energyPerTokenText(found->joules->total() / tokens),
                     numberText(tokens / found->seconds.total()), term(origin),
                     countText(found->joules->runs)),
            explanation.join(u'\n')};
}

} // namespace ep::ui
