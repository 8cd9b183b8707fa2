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

// One reading of a capture. The sample's window lasts elapsed_ns. It begins at 0, or at the gap
// that unusable documents before it leave: as many usual windows.
struct CaptureReading {
    PowermetricsDocument document;
    PowerSample sample;
    int unusable_before = 0; // documents
};

// Reads a file of one or many powermetrics documents, a chunk at a time: captures of hours are
// larger than memory. Documents that cannot be read are skipped and counted; so are summaries (over
// kSummaryFactor times the usual window), which hold time that other documents hold already.
class CaptureReader {
public:
    static constexpr int kSummaryFactor = 20;

    explicit CaptureReader(std::string file);

    // Opens the file and reads the first reading. Says what is wrong with a file that has none.
    Status open();
    // The next reading; nothing at the end, or when the file cannot be read further (see
    // problem()).
    std::optional<CaptureReading> next();

    const std::string& file() const { return m_file; }
    int readings() const { return m_readings; } // handed out
    int skipped() const { return m_skipped; }
    const std::string& problem() const { return m_problem; } // empty: all is well

private:
    std::optional<CaptureReading> readOne();
    std::optional<CaptureReading> parse(std::string_view xml);
    bool isSummary(const CaptureReading& reading) const;

    std::string m_file;
    std::ifstream m_stream;
    PlistSplitter m_splitter;
    std::deque<CaptureReading> m_ahead; // at most two, to recognise a summary at the very beginning
    std::deque<Nanoseconds> m_recent; // lengths of the last windows
    int m_readings = 0;
    int m_skipped = 0;
    int m_unusable = 0; // documents since the last one that could be read
    int m_discarded = 0; // by the splitter, as seen last
    std::string m_problem;
    std::optional<Error> m_firstError;
};

} // namespace ep::power
