// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/model/engine.h"
#include "ep/text/tokenizer.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ep::model {

struct VerifyCheck {
    std::string name; // "logits at the last position"
    bool passed = false;
    std::string detail; // description of the figures
};

// Agreement of a model's numbers with a reference computed by HuggingFace's implementation.
struct VerifyReport {
    double max_abs_logit_difference = 0.0;
    double max_rel_logit_difference = 0.0; // relative to the range of the reference's logits
    int greedy_matches = 0; // greedy tokens that equal the reference's, up to the first other one
    int greedy_total = 0;
    std::vector<VerifyCheck> checks;

    bool passed() const;
    std::vector<std::string> lines() const; // one line per check, and a verdict
};

// Compares with a reference file: a JSON object with any of input_ids, logits_last, position and
// logits_position, argmax_all_positions, greedy_new_ids, hidden_states, module_output_stats,
// attention_entropy_last, mlp_gate_negative_fraction and text_cases. Absent parts are not
// checked; a file with none of them is an error. Without a tokenizer, text cases are compared by
// ids only.
Result<VerifyReport> verifyAgainst(Engine& engine, const text::Tokenizer* tokenizer,
                                   const std::filesystem::path& reference, CancelToken cancel);

} // namespace ep::model
