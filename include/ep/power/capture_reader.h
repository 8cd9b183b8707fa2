// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/plist_splitter.h"
#include "ep/power/powermetrics_document.h"

#include <deque>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

// One reading of a capture. The sample's window lasts elapsed_ns. It begins at 0, or after a gap of
// one usual window for each preceding unusable document.
struct CaptureReading {
    PowermetricsDocument document;
    PowerSample sample;
    int unusable_before = 0; // number of unusable documents before this one
};

// Reads a file with one or many powermetrics documents in chunks, since captures of hours do not
// fit into memory. Unreadable documents are skipped and counted; so are summaries (over
// kSummaryFactor times the usual window), which repeat the time of other documents.
class CaptureReader {
public:
    static constexpr int kSummaryFactor = 20;

    explicit CaptureReader(std::string file);

    // Opens the file and reads the first reading; fails if there is none.
    Status open();
    // The next reading; absent at the end, or if the file cannot be read further (see problem()).
    std::optional<CaptureReading> next();

    const std::string& file() const { return m_file; }
    int readings() const { return m_readings; } // number of readings returned so far
    int skipped() const { return m_skipped; }
    const std::string& problem() const { return m_problem; } // empty: none

private:
    std::optional<CaptureReading> readOne();
    std::optional<CaptureReading> parse(std::string_view xml);
    bool isSummary(const CaptureReading& reading) const;

    std::string m_file;
    std::ifstream m_stream;
    PlistSplitter m_splitter;
    std::deque<CaptureReading> m_ahead; // at most two, to detect a summary at the very beginning
    std::deque<Nanoseconds> m_recent; // lengths of the last windows
    int m_readings = 0;
    int m_skipped = 0;
    int m_unusable = 0; // unreadable documents since the last readable one
    int m_discarded = 0; // count of the splitter at the last check
    std::string m_problem;
    std::optional<Error> m_firstError;
};

} // namespace ep::power
