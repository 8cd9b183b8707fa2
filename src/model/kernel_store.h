// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernel_choice.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace ep::model {

// The measured choices of one processor, in a small JSON file that holds those of several (a home
// folder may be shared): {"kernels": 2, "processors": {PROCESSOR: {"bf16 x 768": "one",
// "bf16 many": "panels"}}}. A file that is missing, damaged or of another revision of the kernels
// holds nothing, and one that cannot be written is measured anew the next time.
class KernelStore {
public:
    // An empty path: nothing is kept. processor: whatever a choice depends on, as text.
    KernelStore(std::filesystem::path file, std::string processor);

    std::optional<RowWay> row(const WeightKind& kind) const;
    std::optional<ManyWay> many(DType dtype) const;
    void setRow(const WeightKind& kind, RowWay way);
    void setMany(DType dtype, ManyWay way);
    void save() const; // what was set, beside what another process has written meanwhile

private:
    std::filesystem::path m_file;
    std::string m_processor;
    std::map<std::string, std::string> m_choices;
};

} // namespace ep::model
