// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/csv_cell.h"
#include "exchange/energy_record_json.h"
#include "exchange/json_writer.h"
#include "exchange/profiling_json.h"
#include "exchange/run_sums.h"
#include "exchange/span_cells.h"
#include "tables/run_row.h"

#include "ep/core/clock.h"
#include "ep/core/stated_tokens.h"
#include "ep/store/run_json.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

// A table whose lines end in CR LF and whose cells are made by csvCell().
class CsvFile {
public:
    CsvFile(const fs::path& file, std::string_view header, CsvText formulas)
        : m_file(file)
        , m_formulas(formulas)
        , m_stream(file, std::ios::binary | std::ios::trunc)
    {
        m_stream << header << "\r\n";
    }

    template <typename... Values>
    void cells(const Values&... values)
    {
        (cell(values), ...);
    }

    template <typename Value>
    void cell(const Value& value)
    {
        if (!m_atStart)
            m_stream << ',';
        m_atStart = false;
        std::string text;
        appendCell(text, value, m_formulas);
        m_stream << text;
    }

    void endRow()
    {
        m_stream << "\r\n";
        m_atStart = true;
    }

    Status close()
    {
        m_stream.close();
        if (m_stream)
            return {};
        return Error{
            ErrorCode::Io,
            {"Cannot write %1; free some space or choose another folder.", m_file.string()}};
    }

private:
    fs::path m_file;
    CsvText m_formulas;
    std::ofstream m_stream;
    bool m_atStart = true;
};

class CsvFolder {
public:
    CsvFolder(const RunSource& source, fs::path folder, CsvText formulas)
        : m_source(source)
        , m_run(source.head())
        , m_trace(m_run.trace)
        , m_folder(std::move(folder))
        , m_formulas(formulas)
    {
    }

    Status writeAll() const
    {
        Status done = writeRun();
        if (done)
            done = writeSamples();
        if (done)
            done = writePhases();
        if (done)
            done = writeSteps();
        return done;
    }

private:
    // A file with the columns of a kind of span, followed by additional ones.
    template <typename Span>
    CsvFile open(const char* table, const char* others = "") const
    {
        return CsvFile(m_folder / table, cellNames<Span>() + others, m_formulas);
    }

    template <typename Span>
    void spanCells(CsvFile& csv, const Span& span) const
    {
        visitCells(span, m_trace.time.begin_ns,
                   [&](const ColumnName&, const auto& value) { csv.cell(value); });
    }

    template <typename Span>
    void spanRows(CsvFile& csv, const std::vector<Span>& spans) const
    {
        for (const Span& span : spans) {
            spanCells(csv, span);
            csv.endRow();
        }
    }

    Status writeRun() const
    {
        const RunRow row{.info = m_run.info,
                         .metrics = m_run.metrics,
                         .clock_start_ns = m_trace.time.begin_ns,
                         .clock_duration_ns = m_trace.time.duration_ns(),
                         .energy_record = energyRecordText(m_run.info.power),
                         .secondary_sources = secondaryText(m_trace),
                         .profiling_record = profilingText(m_run.info.profiling)};
        // The recording process's marks are meaningless outside the database.
        const auto isKept = [](const ColumnName& column) {
            return !column.field.starts_with("writer_");
        };
        std::string header;
        visitColumns(row, [&](const ColumnName& column, const auto&) {
            if (!isKept(column))
                return;
            if (!header.empty())
                header += ',';
            header += column.text();
        });
        header += ",created_at";
        CsvFile csv(m_folder / "profiling_runs.csv", header, m_formulas);
        visitColumns(row, [&](const ColumnName& column, const auto& field) {
            if (!isKept(column))
                return;
            if (column.prefix.empty() && isUnstated(m_run.info, column.field))
                csv.cell(std::optional<int>());
            else
                csv.cell(field);
        });
        csv.cell(isoTimestamp(m_run.info.created_at_ms));
        csv.endRow();
        return csv.close();
    }

    Status writeSamples() const
    {
        CsvFile csv = open<PowerSample>("power_samples.csv");
        spanRows(csv, m_trace.samples);
        return csv.close();
    }

    Status writePhases() const
    {
        const auto sums = RunSums::of(m_source);
        if (!sums)
            return sums.error();
        CsvFile csv = open<PhaseSpan>("phases.csv", ",known_energy_mj,energy_uncovered_ns");
        for (std::size_t i = 0; i < m_trace.phases.size(); ++i) {
            spanCells(csv, m_trace.phases[i]);
            const Tally known = sums->known.ofPhase(i);
            csv.cells(known.energy_mj, known.uncovered_ns());
            csv.endRow();
        }
        if (const Status written = csv.close(); !written || sums->answer.sections().empty())
            return written;
        return writeAnswer(sums->answer.sections());
    }

    // Writes nothing unless the model marks its thinking.
    Status writeAnswer(const std::vector<AnswerSection>& sections) const
    {
        CsvFile csv(m_folder / "answer_sections.csv",
                    "section,start_ns,duration_ns,start_ms,duration_ms,tokens,energy_mj,"
                    "energy_provenance,energy_sd_mj,known_energy_mj,energy_uncovered_ns,"
                    "joules_per_token",
                    m_formulas);
        for (const AnswerSection& section : sections) {
            const Nanoseconds start = section.time.begin_ns - m_trace.time.begin_ns;
            const Nanoseconds duration = section.time.duration_ns();
            csv.cells(section.name, start, duration, milliseconds(start), milliseconds(duration));
            const Tally& energy = section.energy;
            csv.cells(section.tokens, energy.complete(), energy.provenance, energy.sd_mj,
                      energy.energy_mj, energy.uncovered_ns(), section.joulesPerToken());
            csv.endRow();
        }
        return csv.close();
    }

    // Fills the tables of steps at the same time, since the run is read only once.
    Status writeSteps() const
    {
        CsvFile sections = open<SectionSpan>("pipeline_sections.csv");
        CsvFile tokens = open<TokenSpan>("tokens.csv", ",text_json,answer_section");
        CsvFile layers = open<LayerSpan>("layer_metrics.csv");
        CsvFile components = open<ComponentSpan>("component_metrics.csv");
        CsvFile operations = open<OperationSpan>("deep_operation_metrics.csv");
        Status done = m_source.read(RunSource::Parts::All, [&](const RunTrace& piece) -> Status {
            spanRows(sections, piece.sections);
            writeTokens(tokens, piece.tokens);
            spanRows(layers, piece.layers);
            spanRows(components, piece.components);
            spanRows(operations, piece.operations);
            return {};
        });
        for (CsvFile* csv : {&sections, &tokens, &layers, &components, &operations}) {
            if (done)
                done = csv->close();
        }
        return done;
    }

    void writeTokens(CsvFile& csv, const std::vector<TokenSpan>& tokens) const
    {
        const AnswerSections answer(m_run.info);
        for (const TokenSpan& token : tokens) {
            spanCells(csv, token);
            csv.cell(jsonText(token.text)); // "null" and "NA" are missing values to pandas
            csv.cell(answer.nameFor(token));
            csv.endRow();
        }
    }

    const RunSource& m_source;
    const Run& m_run; // head of the run
    const RunTrace& m_trace;
    fs::path m_folder;
    CsvText m_formulas;
};

} // namespace

Status exportCsv(const RunSource& run, const std::string& folder, CsvText formulas)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder, failed)) {
        return Error{ErrorCode::Io,
                     {"Cannot create the folder %1 for the CSV files: %2; choose another one.",
                      folder, failed ? failed.message() : "a file of that name exists"}};
    }
    return CsvFolder(run, folder, formulas).writeAll();
}

} // namespace ep::store
