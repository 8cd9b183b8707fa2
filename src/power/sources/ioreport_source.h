// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/polled_source.h"

#include <memory>
#include <string>
#include <vector>

namespace ep::power {

// The energy counters published by the macOS kernel (IOReport, group "Energy Model"), read without
// root, and the power of the whole machine from its SMC. Rails whose channels have no value are
// missing in that window. If the system publishes counters in batches (macOS 27), samples are late
// by up to one batch (window_assembler.h). Libraries are opened at run time; the environment
// variables EP_IOREPORT, EP_COREFOUNDATION and EP_IOKIT replace them for testing.
class IoReportSource : public PolledSource {
    Q_OBJECT
public:
    explicit IoReportSource(QObject* parent = nullptr);
    ~IoReportSource() override;

    std::string kind() const override { return "ioreport"; }
    Message detail() const override;
    SourceFacts facts() const override
    {
        return {.dropped = m_dropped, .rated_mw = {}, .sample_kind = SampleKind::Counter};
    }

protected:
    Status open() override;
    Result<std::vector<PowerSample>> readAll(bool last) override;

private:
    struct Machine;
    std::unique_ptr<Machine> m_machine; // null before open()
    std::string m_channels; // names of the channels in use
    std::int64_t m_dropped = 0;
};

// Rails available on this machine; the error says what to do.
Result<std::vector<Rail>> findIoReportRails();

// Computes for a fifth of a second on this thread and returns the fault of the processor's counter:
// "stands still", "is published in batches"; empty: no fault, or unknown.
std::string ioReportCpuTrouble();

} // namespace ep::power
