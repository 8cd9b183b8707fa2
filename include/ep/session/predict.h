// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Predicts time and energy of a run: analytic costs of the model (ep/model/analytic.h) times unit
// costs (per byte, per FLOP, per pass) fitted to stored runs of this model on the same device and
// in the same dtype. Each run gives two equations, one for its prefill and one for decoding,
// weighted so that relative errors count equally.
namespace ep::session {

inline constexpr std::int64_t kMaxPredictedTokens = 100'000'000; // of one sequence

struct PredictionRequest {
    std::filesystem::path model{}; // folder
    std::string device{};
    std::string dtype{}; // number format of the computation, never "auto"
    std::int64_t input_tokens = 0; // per sequence, at least 1
    std::int64_t output_tokens = 0; // per sequence, at least 1
    std::int64_t batch_size = 1;
};

// One predicted figure: for the prefill, for decoding, and in total.
struct PredictedFigure {
    double prefill = 0.0;
    double decode = 0.0;
    double total() const { return prefill + decode; }
    // Errors of predicting each run of the same kind from all others: |predicted - actual| /
    // actual. Absent with fewer than three runs.
    std::optional<double> median_error{};
    std::optional<double> largest_error{};
    // 95 % interval of the total, from predicting each shape from the others or, for the shape of
    // all runs, each run from the others. Always known, and at most a factor of two wide each way.
    std::optional<double> low{};
    std::optional<double> high{};
    int runs = 0; // number of runs to which the unit costs were fitted
};

struct Prediction {
    PredictedFigure seconds;
    std::optional<PredictedFigure> joules; // absent if no run has energies
    Message joules_problem; // why joules are absent
    std::string source; // source of the joules: "rapl"
    bool modelled = false; // the energies come from a model of the machine
    std::vector<std::string> models; // the model of these runs
    std::vector<Message> cautions; // one sentence each
};

// Reads the model's folder (milliseconds). Fails with the reason if the runs determine no time
// within a factor of two.
Result<Prediction> predict(const PredictionRequest& request, const std::vector<RunSummary>& runs);

// See resources/schema/prediction.schema.json. model: a folder, or the name of a known model;
// indent: -1 for one line.
std::string predictionToJson(const std::string& model, const PredictionRequest& request,
                             const Prediction& found, int indent = 2);

} // namespace ep::session
