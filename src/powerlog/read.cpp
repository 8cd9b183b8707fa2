// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/read.h"

#include "formats.h"
#include "log.h"
#include "table_layout.h"

#include "ep/core/user_file.h"

#include <algorithm>
#include <array>

namespace ep::powerlog {

namespace {

// Enough for the preamble of turbostat; the header of a table is found within it.
constexpr std::size_t kHeadLines = 400;
constexpr std::size_t kHeadBytes = 4'000'000;

bool isExposition(std::string_view line)
{
    if (line.starts_with("# HELP ") || line.starts_with("# TYPE "))
        return true;
    const std::size_t brace = line.find('{');
    return brace != std::string_view::npos && brace > 0
        && line.substr(0, brace).find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
               "0123456789_:")
        == std::string_view::npos
        && line.find("\"}") != std::string_view::npos;
}

bool isJson(std::string_view line)
{
    return line.starts_with('{') || line == "[" || line.starts_with("[{") || line.starts_with("[ {")
        || line.find(" {\"") != std::string_view::npos;
}

Result<std::vector<std::string>> readHead(LineReader& lines)
{
    std::vector<std::string> head;
    std::size_t bytes = 0;
    while (head.size() < kHeadLines && bytes < kHeadBytes) {
        const auto line = lines.next();
        if (!line)
            return line.error();
        if (!*line)
            break;
        head.emplace_back(**line);
        bytes += head.back().size();
    }
    return head;
}

// Reports that look like logs of power but are not.
Status checkReport(const std::vector<std::string>& head)
{
    struct Report {
        const char* pattern;
        const char* sentence;
    };
    static constexpr std::array kReports{
        Report{"*nvsmi log*",
               "it is the report of nvidia-smi -q and not a log; record one with nvidia-smi "
               "--query-gpu=timestamp,power.draw --format=csv -lms 100."},
        Report{"*nvidia_smi_log*",
               "it is the XML of nvidia-smi -q -x and not a log; record one with nvidia-smi "
               "--query-gpu=timestamp,power.draw --format=csv -lms 100."},
        Report{"*ctxt/s*watts*",
               "it is the report of powerstat, whose rows are means without a date; record a log "
               "with perf stat -a -e power/energy-pkg/ -I 1000 -x, instead."},
    };
    for (std::size_t i = 0; i < head.size(); ++i) {
        constexpr std::size_t kLongest = 300;
        const std::string line = lowerCase(head[i].substr(0, kLongest));
        for (const Report& report : kReports) {
            if (matches(report.pattern, line))
                return rowError(static_cast<std::int64_t>(i) + 1, report.sentence);
        }
    }
    return {};
}

// Chooses the reader for a log by its first lines.
Status readByShape(Log& log, const std::vector<std::string>& head)
{
    const auto any = [&](const auto& is) {
        return std::ranges::any_of(head, [&](const std::string& line) { return is(line); });
    };
    const auto first = std::ranges::find_if(
        head, [](const std::string& line) { return !trimBlanks(line).empty(); });
    const std::string_view start = trimBlanks(*first);
    if (const Status report = checkReport(head); !report)
        return report;
    if (!log.options.description.empty())
        return readTable(log, head);
    if (any([](std::string_view line) { return line.find("<plist") != std::string_view::npos; }))
        return readPlistLog(log);
    if (any([](std::string_view line) {
            return line.starts_with("*** Sampled system activity (");
        }))
        return readSampledText(log);
    for (const LineFormat& format : lineFormats()) {
        if (!any(format.recognises))
            continue;
        log.recording.format = format.id;
        log.recording.format_title = format.title;
        return format.read(log);
    }
    if (any(isExposition) && !isJson(start))
        return readExposition(log);
    if (isJson(start))
        return readJsonLog(log);
    return readTable(log, head);
}

Status checkRails(const Recording& recording, const ReadOptions& options)
{
    for (const std::string& name : options.rails) {
        if (recording.rail(name) == nullptr)
            return Error{ErrorCode::InvalidInput, {"It has no rail “%1”.", name}};
    }
    return {};
}

// Refuses logs that contain too little to be a measurement.
Status checkContent(const Recording& recording)
{
    std::int64_t samples = 0;
    double covered = 0.0;
    bool energies = false;
    for (const RailRecording& rail : recording.rails) {
        samples = std::max(samples, rail.samples);
        covered = std::max(covered, rail.covered_s);
        energies = energies || (rail.rule == Rule::Joules && rail.samples > 0);
    }
    constexpr double kShortest_s = 0.1;
    if (samples == 1 && covered <= 0.0 && !energies)
        return Error{ErrorCode::InvalidInput,
                     "It has a single row of values, and so no interval to sum over."};
    if (samples == 1 && covered < kShortest_s && !energies)
        return Error{ErrorCode::InvalidInput,
                     {"Its only row covers %1 s, which is too short to be a measurement.",
                      std::to_string(covered)}};
    return {};
}

} // namespace

std::vector<FormatName> formats()
{
    std::vector<FormatName> names;
    const auto add = [&](const char* id, const char* title) {
        if (std::ranges::none_of(
                names, [&](const FormatName& known) { return std::string_view(known.id) == id; }))
            names.push_back({id, title});
    };
    for (const TableFormat& format : tableFormats())
        add(format.id, format.title);
    add("powermetrics-text", "powermetrics (text)");
    add("powermetrics-plist", "powermetrics, asitop (property lists)");
    for (const JsonFormat& format : jsonFormats())
        add(format.id, format.title);
    for (const MetricRule& metric : metricRules())
        add(metric.format, metric.title);
    for (const LineFormat& format : lineFormats())
        add(format.id, format.title);
    return names;
}

// Reads the log once, with what earlier readings found out about its numbers.
Result<Recording> readOnce(const ReadBytes& bytes, const ReadOptions& options, LogNumbers& numbers)
{
    Recording recording;
    LineReader lines(bytes, options.cancel);
    auto head = readHead(lines);
    if (!head)
        return head.error();
    const bool blank = std::ranges::all_of(
        *head, [](const std::string& line) { return trimBlanks(line).empty(); });
    if (head->empty() || blank)
        return Error{ErrorCode::InvalidInput, "The file is empty."};
    lines.pushBack(*head);
    Log log(options, lines, numbers, recording);
    if (const Status read = readByShape(log, *head); !read)
        return read.error();
    if (log.collector.readings() == 0)
        return Error{ErrorCode::InvalidInput, "It has a header, but no rows of values."};
    recording.clock = log.clock.clock();
    log.clock.describe(log.collector);
    if (const Status summed = log.collector.finish(recording, options); !summed)
        return summed.error();
    if (const Status rails = checkRails(recording, options); !rails)
        return rails.error();
    if (recording.rails.empty())
        return Error{
            ErrorCode::InvalidInput,
            {"None of its rows, 2 to %1, has a value: the device reports no power.", lines.row()}};
    if (const Status content = checkContent(recording); !content)
        return content.error();
    return recording;
}

Result<Recording> readRecording(const OpenLog& open, const std::string& name,
                                const ReadOptions& options)
{
    if (!options.unit.empty() && !isUnit(options.unit))
        return Error{
            ErrorCode::InvalidInput,
            {"“%1” is not a unit of power or energy; use W, mW, kW, J or Wh.", options.unit}};
    LogNumbers numbers(options.decimal);
    constexpr int kMaxReadings = 4;
    for (int reading = 1;; ++reading) {
        const auto bytes = open();
        if (!bytes)
            return bytes.error();
        auto recording = readOnce(*bytes, options, numbers);
        if (!recording && recording.error().code == ErrorCode::Cancelled)
            return recording;
        const auto again = numbers.again();
        if (again && *again && reading < kMaxReadings)
            continue;
        if (!recording)
            return inFile(name, recording.error());
        if (!again)
            return inFile(name, again.error());
        if (const auto doubt = numbers.doubt())
            recording->findings.push_back({Weight::Doubtful, *doubt});
        return recording;
    }
}

Result<Recording> readRecording(const std::filesystem::path& file, const ReadOptions& options)
{
    const std::string name = file.filename().string();
    std::optional<UserFile> stream;
    double size = 0.0;
    double done = 0.0;
    const ReadBytes bytes = [&](std::span<char> buffer) -> Result<std::size_t> {
        const auto got = stream->read(buffer);
        if (!got)
            return Error{ErrorCode::Io, "cannot be read to its end."};
        done += static_cast<double>(*got);
        if (options.progress && size > 0.0)
            options.progress(std::min(1.0, done / size), "Reading " + name);
        return got;
    };
    const OpenLog open = [&]() -> Result<ReadBytes> {
        auto opened = UserFile::open(file);
        if (!opened)
            return opened.error();
        stream.emplace(*std::move(opened));
        size = static_cast<double>(stream->size());
        done = 0.0;
        return bytes;
    };
    return readRecording(open, name, options);
}

bool isRecording(const std::filesystem::path& file)
{
    constexpr std::size_t kBeginning = 64 * 1024;
    auto opened = UserFile::open(file);
    if (!opened)
        return false;
    std::string text(kBeginning, '\0');
    UserFileStream stream(*std::move(opened));
    stream.read(text.data(), kBeginning);
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    const OpenLog open = [&]() -> Result<ReadBytes> {
        return ReadBytes(
            [&text, at = std::size_t{0}](std::span<char> buffer) mutable -> Result<std::size_t> {
                const std::size_t count = std::min(buffer.size(), text.size() - at);
                text.copy(buffer.data(), count, at);
                at += count;
                return count;
            });
    };
    ReadOptions options;
    options.unit = "W"; // the user would have to state the unit
    options.period_s = 1.0;
    options.decimal = DecimalSign::Point;
    return readRecording(open, file.filename().string(), options).has_value();
}

} // namespace ep::powerlog
