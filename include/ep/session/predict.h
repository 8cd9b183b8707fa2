// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// What a run that was not made yet would take: the arithmetic of the model (ep/model/analytic.h)
// times unit costs (of a byte, of a FLOP, of a pass) that are fitted to stored runs of the same
// device and dtype. Each run gives two equations, one for its prefill and one for its decoding,
// weighted so that relative errors count alike.
namespace ep::session {

struct PredictionRequest {
    std::filesystem::path model{}; // folder
    std::string device{};
    std::string dtype{}; // of the computation, never "auto"
    std::int64_t input_tokens = 0; // of each sequence, at least 1
    std::int64_t output_tokens = 0; // of each sequence, at least 1
    std::int64_t batch_size = 1;
};

// Of the prefill, of the decoding, and together.
struct PredictedFigure {
    double prefill = 0.0;
    double decode = 0.0;
    double total() const { return prefill + decode; }
    // Of the same kind of run, each predicted from all others: |predicted - seen| / seen. Absent
    // below three runs.
    std::optional<double> median_error{};
    std::optional<double> largest_error{};
    int runs = 0; // that the unit costs come from
};

struct Prediction {
    PredictedFigure seconds;
    std::optional<PredictedFigure> joules; // absent without runs that have energies
    std::string joules_problem; // why not
    std::string source; // of the joules: "rapl"
    bool modelled = false; // the joules come from a model of the machine
    std::vector<std::string> models; // that the unit costs come from
    std::vector<std::string> cautions; // a sentence each
};

// Reads the folder of every model among the runs (milliseconds each). Fails with the reason where
// the runs cannot carry a prediction.
Result<Prediction> predict(const PredictionRequest& request, const std::vector<RunSummary>& runs);

} // namespace ep::session
