// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <ostream>
#include <span>

// Runs as spans of OpenTelemetry, in the JSON encoding of OTLP (an ExportTraceServiceRequest) with
// the attributes of its conventions for generative AI (gen_ai.*) and the energies as
// energy_profiler.*. Texts are not written. docs/tables.md has the attributes.
namespace ep::session {

// One line. A figure that a run does not have is left out.
void writeOtlp(std::span<const RunSummary> runs, std::ostream& sink);

} // namespace ep::session
