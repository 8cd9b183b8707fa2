// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/capture_reader.h"

#include "ep/core/quantile.h"

#include <array>
#include <filesystem>
#include <utility>
#include <vector>

namespace ep::power {

namespace {
constexpr std::size_t kChunk = 65536;
constexpr std::size_t kRecentWindows = 31;
} // namespace

CaptureReader::CaptureReader(std::string file)
    : m_file(std::move(file))
{
}

Status CaptureReader::open()
{
    std::error_code error;
    if (!std::filesystem::exists(m_file, error))
        return Error{ErrorCode::NotFound,
                     {"There is no capture file %1; give the path of a recording made with "
                      "`powermetrics -f plist`. Only `run` also replays a stored run.",
                      m_file}};
    // Opening a pipe would block forever, and it could not be read twice.
    const bool ordinary = std::filesystem::is_regular_file(m_file, error);
    if (ordinary)
        m_stream.open(m_file, std::ios::binary);
    if (!ordinary || !m_stream)
        return Error{ErrorCode::Io,
                     {"The capture %1 cannot be opened; check that it is an ordinary file and that "
                      "you have permission to read it.",
                      m_file}};
    while (m_ahead.size() < 2) {
        auto reading = readOne();
        if (!reading)
            break;
        m_ahead.push_back(std::move(*reading));
    }
    if (!m_ahead.empty())
        return {};
    if (!m_problem.empty())
        return Error{ErrorCode::Io, m_problem};
    if (m_firstError)
        return Error{m_firstError->code, {"%1: %2", m_file, m_firstError->message}};
    return Error{ErrorCode::InvalidInput,
                 {"The file %1 contains no complete powermetrics document; record one with `sudo "
                  "powermetrics -i 100 -f plist -s cpu_power > FILE`.",
                  m_file}};
}

std::optional<CaptureReading> CaptureReader::next()
{
    while (!m_ahead.empty()) {
        auto reading = std::move(m_ahead.front());
        m_ahead.pop_front();
        const bool summary = isSummary(reading);
        if (auto following = readOne())
            m_ahead.push_back(std::move(*following));
        if (summary) {
            ++m_skipped;
            continue;
        }
        TimeRange& window = reading.sample.window;
        if (m_readings > 0 && reading.unusable_before > 0) {
            const Nanoseconds gap = reading.unusable_before
                * medianDuration(std::vector<Nanoseconds>(m_recent.begin(), m_recent.end()));
            window = {gap, gap + window.duration_ns()};
        }
        m_recent.push_back(window.duration_ns());
        if (m_recent.size() > kRecentWindows)
            m_recent.pop_front();
        ++m_readings;
        return reading;
    }
    return std::nullopt;
}

bool CaptureReader::isSummary(const CaptureReading& reading) const
{
    const auto usual = !m_recent.empty()
        ? medianDuration(std::vector<Nanoseconds>(m_recent.begin(), m_recent.end()))
        : !m_ahead.empty() ? m_ahead.front().sample.window.duration_ns()
                           : reading.sample.window.duration_ns();
    return reading.sample.window.duration_ns() / kSummaryFactor > usual;
}

std::optional<CaptureReading> CaptureReader::readOne()
{
    while (true) {
        while (const auto xml = m_splitter.next()) {
            if (auto reading = parse(*xml))
                return reading;
        }
        if (!m_stream.is_open())
            return std::nullopt;
        std::array<char, kChunk> chunk;
        m_stream.read(chunk.data(), chunk.size());
        m_splitter.append({chunk.data(), static_cast<std::size_t>(m_stream.gcount())});
        if (m_stream)
            continue;
        if (m_stream.bad())
            m_problem = "The capture " + m_file + " could not be read to its end; check the disk.";
        m_stream.close();
        m_splitter.finish();
    }
}

std::optional<CaptureReading> CaptureReader::parse(std::string_view xml)
{
    m_unusable += m_splitter.discarded() - std::exchange(m_discarded, m_splitter.discarded());
    auto document = readPowermetricsDocument(xml);
    if (!document) {
        ++m_skipped;
        ++m_unusable;
        if (!m_firstError)
            m_firstError = document.error();
        return std::nullopt;
    }
    const TimeRange window{0, document->elapsed_ns.value_or(0)};
    auto sample = toPowerSample(*document, window, 0);
    if (!sample) {
        ++m_skipped;
        ++m_unusable;
        if (!m_firstError)
            m_firstError = sample.error();
        return std::nullopt;
    }
    return CaptureReading{std::move(*document), std::move(*sample), std::exchange(m_unusable, 0)};
}

} // namespace ep::power
