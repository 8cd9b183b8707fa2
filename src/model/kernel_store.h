// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernel_choice.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace ep::model {

// The measured choices of one processor, in a small JSON file that may contain several (a home
// folder may be shared): {"kernels": 2, "processors": {PROCESSOR: {"bf16 x 768": "one", "bf16
// many": "panels"}}}. A file that is missing, damaged or from another revision of the kernels
// counts as empty; if it cannot be written, kernels are measured again next time.
class KernelStore {
public:
    // An empty path: nothing is stored. processor: everything that a choice depends on, as text.
    KernelStore(std::filesystem::path file, std::string processor);

    std::optional<RowWay> row(const WeightKind& kind) const;
    std::optional<ManyWay> many(DType dtype) const;
    void setRow(const WeightKind& kind, RowWay way);
    void setMany(DType dtype, ManyWay way);
    void save() const; // writes what was set, keeping what other processes have written meanwhile

private:
    std::filesystem::path m_file;
    std::string m_processor;
    std::map<std::string, std::string> m_choices;
};

} // namespace ep::model
