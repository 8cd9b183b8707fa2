// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/job_charts.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/viz/axis.h"
#include "ep/viz/charts.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace ep::ui {

namespace {

constexpr std::size_t kMaxRequestBars = 24; // the latest ones

std::string jobEnergy(const std::optional<double>& millijoules)
{
    return millijoules ? formatEnergy(Millijoules{*millijoules}) : std::string(kMissingText);
}

viz::BarChart jobBars(std::string title, std::string empty, double width, double height)
{
    viz::BarChart chart;
    chart.frame.width = width;
    chart.frame.height = height;
    chart.frame.title = std::move(title);
    chart.frame.empty = std::move(empty);
    return chart;
}

} // namespace

viz::Scene requestChart(const std::vector<RequestEnergy>& requests, double width, double height)
{
    viz::BarChart chart = jobBars(said("Energy of each request"),
                                  said("None of the requests has an energy."), width, height);
    double largest = 0.0;
    for (const RequestEnergy& request : requests)
        largest = std::max(largest, request.energy ? request.energy->value : 0.0);
    const viz::DisplayUnit unit = viz::displayUnit("mJ", largest);
    chart.frame.x_title = unit.suffix;
    const std::size_t begin =
        requests.size() > kMaxRequestBars ? requests.size() - kMaxRequestBars : 0;
    for (std::size_t i = begin; i < requests.size() && largest > 0.0; ++i) {
        const RequestEnergy& request = requests[i];
        viz::Bar bar;
        bar.label = std::to_string(i + 1);
        if (request.energy)
            bar.value = request.energy->value * unit.factor;
        bar.text =
            said("%1, %2 in, %3 out", formatEnergy(request.energy),
                 std::to_string(request.input_tokens), std::to_string(request.output_tokens));
        bar.link = request.id;
        chart.bars.push_back(std::move(bar));
    }
    return viz::layoutBars(chart);
}

viz::Scene jobTextChart(const std::vector<std::optional<double>>& texts, double width,
                        double height)
{
    viz::BarChart chart =
        jobBars(said("Energy of the prefill by the role of the text"),
                said("The prefill of these requests has no energy of its own."), width, height);
    const std::array titles{said("System"), said("Tools"), said("History, read again"),
                            said("New")};
    double largest = 0.0;
    for (const auto& text : texts)
        largest = std::max(largest, text.value_or(0.0));
    const viz::DisplayUnit unit = viz::displayUnit("mJ", largest);
    chart.frame.x_title = unit.suffix;
    for (std::size_t i = 0; i < std::min(texts.size(), titles.size()) && largest > 0.0; ++i) {
        viz::Bar bar;
        bar.label = titles.at(i);
        if (texts[i])
            bar.value = *texts[i] * unit.factor;
        bar.text = jobEnergy(texts[i]);
        bar.series = i == static_cast<std::size_t>(session::JobText::History) ? 1 : 0;
        chart.bars.push_back(std::move(bar));
    }
    return viz::layoutBars(chart);
}

QString jobFactsText(const session::Job& job)
{
    const auto text = [&](session::JobText role) {
        const auto index = static_cast<std::size_t>(role);
        return index < job.text_mj.size() ? job.text_mj[index] : std::nullopt;
    };
    constexpr Nanoseconds kNsPerMs = 1'000'000;
    QStringList lines;
    lines << translated("Context that was read again: %1; the prompt cache saved %2.")
                 .arg(toQString(jobEnergy(text(session::JobText::History))),
                      toQString(jobEnergy(job.cache_saved_mj)));
    if (job.waiting_ms) {
        lines << translated(
                     "Waiting between the requests, for tools or the user: %1, %2 at the idle "
                     "power.")
                     .arg(durationText(*job.waiting_ms * kNsPerMs),
                          toQString(jobEnergy(job.waiting_mj)));
    }
    return lines.join(u'\n');
}

} // namespace ep::ui
