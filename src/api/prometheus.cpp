// SPDX-License-Identifier: GPL-3.0-or-later
#include "context.h"

namespace ep::api {

namespace {

class Exposition {
public:
    void family(const char* name, const char* type, const char* help)
    {
        m_name = std::string("energy_profiler_") + name;
        m_text += "# HELP " + m_name + ' ' + help + "\n# TYPE " + m_name + ' ' + type + '\n';
    }
    void value(double number, const std::string& labels = {})
    {
        // The text of JSON: the same in every locale.
        m_text +=
            m_name + (labels.empty() ? "" : '{' + labels + '}') + ' ' + Json(number).dump() + '\n';
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_name;
    std::string m_text;
};

} // namespace

std::string metricsText(Context& context)
{
    const Totals& totals = context.totals();
    Exposition out;
    out.family("rail_power_watts", "gauge",
               "Power of the last sample of the run that goes on; absent rails are not measured");
    if (const auto& sample = totals.last_sample) {
        for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram, Rail::System}) {
            if (const auto& power = sample->power_mw[rail])
                out.value(power->value / 1000.0, "rail=\"" + std::string(name(rail)) + '"');
        }
        if (sample->total_mw)
            out.value(sample->total_mw->value / 1000.0, "rail=\"total\"");
    }
    out.family("modelled", "gauge", "1 while the power comes from a model of the machine");
    out.value(totals.last_sample && totals.last_sample->modelled ? 1 : 0);
    out.family("running", "gauge", "1 while a run goes on");
    out.value(context.queue().running() ? 1 : 0);
    out.family("queue_length", "gauge", "Runs that wait");
    out.value(static_cast<double>(context.queue().waitingIds().size()));
    out.family("live_clients", "gauge", "WebSockets that are open");
    out.value(static_cast<double>(context.hub().clients()));
    out.family("runs_total", "counter", "Runs since the server started, by how they ended");
    for (const auto& [status, count] : totals.runs)
        out.value(static_cast<double>(count), "status=\"" + status + '"');
    out.family("output_tokens_total", "counter", "Tokens that these runs generated");
    out.value(static_cast<double>(totals.output_tokens));
    out.family("energy_joules_total", "counter", "Energy of those of them that have one");
    out.value(totals.energy_mj / 1000.0);
    out.family("inference_seconds_total", "counter", "Their duration");
    out.value(totals.inference_seconds);
    out.family("live_messages_total", "counter", "Messages sent over WebSockets");
    out.value(static_cast<double>(context.hub().sent()));
    out.family("live_messages_left_out_total", "counter", "Messages that slow clients missed");
    out.value(static_cast<double>(context.hub().leftOut()));
    out.family("http_responses_total", "counter", "Answers by status code");
    for (const auto& [status, count] : totals.answers)
        out.value(static_cast<double>(count), "code=\"" + std::to_string(status) + '"');
    return out.take();
}

} // namespace ep::api
