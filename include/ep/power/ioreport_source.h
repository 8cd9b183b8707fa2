// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/polled_source.h"

#include <memory>
#include <string>
#include <vector>

namespace ep::power {

class IoReport;
class Smc;

// The energy counters that a Mac's kernel publishes (IOReport, group "Energy Model"), read without
// root, and the power of the whole machine from its SMC. Rails whose channels hold no value are
// missing in that window. Libraries are opened at run time; the environment variables EP_IOREPORT,
// EP_COREFOUNDATION and EP_IOKIT name stand-ins.
class IoReportSource : public PolledSource {
    Q_OBJECT
public:
    explicit IoReportSource(QObject* parent = nullptr);
    ~IoReportSource() override;

    std::string kind() const override { return "ioreport"; }
    std::string detail() const override;
    SourceFacts facts() const override
    {
        return {.dropped = m_dropped, .rated_mw = {}, .sample_kind = SampleKind::Counter};
    }

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;

private:
    std::unique_ptr<IoReport> m_report;
    std::unique_ptr<Smc> m_smc; // null where there is none
    std::string m_channels; // names of those in use
    std::optional<Milliwatts> m_lastSystem;
    Nanoseconds m_lastNs = 0;
    std::int64_t m_dropped = 0;
};

// Rails that it would deliver here; fails with what to do.
Result<std::vector<Rail>> findIoReportRails();

} // namespace ep::power
