// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <ostream>
#include <span>

// Writes runs as spans of OpenTelemetry, in OTLP's JSON encoding (an ExportTraceServiceRequest)
// with the attributes of its conventions for generative AI (gen_ai.*), and energies as
// energy_profiler.*. Texts are not written. docs/tables.md lists the attributes.
namespace ep::session {

// Writes one line; figures that a run does not have are left out.
void writeOtlp(std::span<const RunSummary> runs, std::ostream& sink);

} // namespace ep::session
