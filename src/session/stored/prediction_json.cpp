// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/predict.h"

#include <nlohmann/json.hpp>

namespace ep::session {

namespace {

using PredictionJson = nlohmann::ordered_json;

PredictionJson figureJson(const PredictedFigure& figure)
{
    const auto orNull = [](const std::optional<double>& value) {
        return value ? PredictionJson(*value) : PredictionJson();
    };
    return {{"prefill", figure.prefill},
            {"decode", figure.decode},
            {"total", figure.total()},
            {"low", orNull(figure.low)},
            {"high", orNull(figure.high)},
            {"median_error", orNull(figure.median_error)},
            {"largest_error", orNull(figure.largest_error)},
            {"runs", figure.runs}};
}

} // namespace

std::string predictionToJson(const std::string& model, const PredictionRequest& request,
                             const Prediction& found, int indent)
{
    const PredictionJson json{
        {"format", "energy-profiler-prediction"},
        {"version", 1},
        {"model", model},
        {"device", request.device},
        {"dtype", request.dtype},
        {"input_tokens", request.input_tokens},
        {"output_tokens", request.output_tokens},
        {"batch_size", request.batch_size},
        {"seconds", figureJson(found.seconds)},
        {"joules", found.joules ? figureJson(*found.joules) : PredictionJson()},
        {"joules_problem", found.joules_problem},
        {"power_source", found.source},
        {"modelled", found.modelled},
        {"models", found.models},
        {"cautions", found.cautions}};
    return json.dump(indent, ' ', false, PredictionJson::error_handler_t::replace) + '\n';
}

} // namespace ep::session
