// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/machine_record.h"
#include "ep/core/result.h"
#include "ep/energy/comparison.h"
#include "ep/energy/diagnosis.h"
#include "ep/energy/ledger.h"
#include "ep/energy/unusual_cost.h"
#include "ep/session/study.h"

#include <optional>
#include <string>
#include <vector>

namespace ep::store {
class Store;
}

// Why a stored run used its energy, and what to do about it. Any thread.
namespace ep::session {

// One of the ranked bars below the answer.
struct AnswerBar {
    std::string title;
    std::string amount; // "8.80 J"
    double share = 0.0; // share of the run, 0 to 1
    energy::CausePlace place; // the place in the charts that shows the part
};

// How a remedy turned out: what was predicted when its study was created, and what its runs show.
struct TriedRemedy {
    AdviceRecord advice;
    std::optional<energy::Estimate> observed{}; // share saved per output token; absent: no runs yet
    bool held = false; // observed share within the predicted 95 % interval plus its own error
};

struct Explanation {
    std::string run; // id
    energy::Diagnosis diagnosis;
    std::vector<energy::Remedy> remedies;
    std::vector<TriedRemedy> tried; // on this machine, newest first
    std::vector<AnswerBar> bars; // at most five, largest first
    std::optional<energy::UnusualCost> unusual{}; // compared with the other runs like it
    std::optional<energy::UnusualPart> unusual_part{}; // if there are too few other runs like it

    Message unusualLine() const; // sentence about the unusual cost or part; empty: neither exists
};

// Reads the run without its spans, and its first step: independent of the number of tokens.
Result<Explanation> explainRun(const store::Store& store, const std::string& id,
                               const CancelToken& cancel = {});
// Where the energy went in a mean of runs: the answer and its bars, without causes.
Explanation explainMean(const energy::Excerpt& mean);
// Where the energy went, by parts of the transformer.
std::vector<AnswerBar> barsOf(const energy::Diagnosis& diagnosis);
// Fills in `why` for groups of one run, if there are several groups: energy for all, or time for
// all if the energy of any is unknown. A run that cannot be explained gets none.
Status explainGroups(const store::Store& store, std::vector<energy::RunGroup>& groups,
                     const CancelToken& cancel = {});
// "Tried batch 8: predicted 30 % (20 % to 40 %), observed 28 % (25 % to 31 %)"
Message lineOf(const TriedRemedy& tried);
// "Such advice held 3 of 4 times on this machine."; empty if none was tried.
Message trackRecordOf(const std::vector<TriedRemedy>& tried);

// The constants of a stored measurement; their relative deviation is at least that of the sensor.
energy::MachineCosts costsOf(const MachineRecord& record);

// The interleaved study that tries a remedy against the run's own setting, five times each. Fails
// for remedies that no study can try.
Result<StudySpec> studyFor(const RunInfo& run, const energy::Remedy& remedy);
AdviceRecord adviceFor(const RunInfo& run, const energy::Remedy& remedy, bool ofTime,
                       const std::string& experiment);

// resources/schema/explanation.schema.json. indent < 0: one line.
std::string explanationToJson(const Explanation& explanation, int indent = 2);
// The explanation as text: sentences, bars, causes, remedies.
std::string explanationToText(const Explanation& explanation);

} // namespace ep::session
