// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/csv_cell.h"
#include "exchange/energy_record_json.h"
#include "exchange/json_writer.h"
#include "exchange/profiling_json.h"
#include "exchange/run_sums.h"
#include "tables/run_row.h"

#include "ep/core/clock.h"
#include "ep/core/stated_tokens.h"
#include "ep/store/run_json.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

// Lines end in CR LF, cells as csvCell() makes them.
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
        return Error{ErrorCode::Io,
                     "Cannot write " + m_file.string()
                         + "; free some space or choose another folder."};
    }

private:
    fs::path m_file;
    CsvText m_formulas;
    std::ofstream m_stream;
    bool m_atStart = true;
};

constexpr const char* kTimeHeader = "start_ns,duration_ns,start_ms,duration_ms";
constexpr const char* kEnergyHeader =
    "energy_mj,energy_provenance,cpu_energy_mj,gpu_energy_mj,ane_energy_mj,dram_energy_mj,"
    "system_energy_mj,energy_sd_mj,energy_alternative_mj";
constexpr const char* kNotesHeader = ",energy_sd_mj,energy_alternative_mj";
constexpr const char* kWorkHeader = ",flops_estimate,bytes_estimate";
constexpr const char* kStatsHeader =
    "activation_mean,activation_std,activation_max,activation_sparsity";

template <typename Quantity>
void railCells(CsvFile& csv, const PerRail<Quantity>& rails)
{
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram, Rail::System})
        csv.cell(rails[rail]);
}

void energyCells(CsvFile& csv, const EnergyValue& energy)
{
    csv.cells(energy.total_mj, energy.provenance);
    railCells(csv, energy.rails_mj);
    csv.cells(energy.sd_mj, energy.alternative_mj);
}

void notesCells(CsvFile& csv, const SpanEnergyNotes& notes)
{
    for (const float value : {notes.sd_mj, notes.alternative_mj})
        csv.cell(std::isnan(value) ? std::nullopt : std::optional(value));
}

void workCells(CsvFile& csv, const std::optional<SpanWork>& work)
{
    csv.cells(work ? std::optional(work->flops) : std::nullopt,
              work ? std::optional(work->bytes) : std::nullopt);
}

void statsCells(CsvFile& csv, const std::optional<ActivationStats>& stats)
{
    if (stats)
        csv.cells(stats->mean_abs, stats->std, stats->max_abs, stats->sparsity);
    else
        csv.cells("", "", "", "");
}

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
    void timeCells(CsvFile& csv, const TimeRange& time) const
    {
        const Nanoseconds start = time.begin_ns - m_trace.time.begin_ns;
        csv.cells(start, time.duration_ns(), milliseconds(start), milliseconds(time.duration_ns()));
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
        // The marks of the recording process are meaningless outside the database.
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
        CsvFile csv(m_folder / "power_samples.csv",
                    std::string(kTimeHeader)
                        + ",arrival_ns,cpu_power_mw,gpu_power_mw,ane_power_mw,dram_power_mw,"
                          "system_power_mw,total_power_mw,cpu_energy_mj,gpu_energy_mj,"
                          "ane_energy_mj,dram_energy_mj,system_energy_mj,phase,phase_confidence,"
                          "modelled",
                    m_formulas);
        for (const PowerSample& sample : m_trace.samples) {
            timeCells(csv, sample.window);
            csv.cell(sample.arrival_ns - m_trace.time.begin_ns);
            railCells(csv, sample.power_mw);
            csv.cell(sample.total_mw);
            railCells(csv, sample.energy_mj);
            csv.cells(sample.phase, sample.phase_confidence, sample.modelled);
            csv.endRow();
        }
        return csv.close();
    }

    Status writePhases() const
    {
        const auto sums = RunSums::of(m_source);
        if (!sums)
            return sums.error();
        CsvFile csv(m_folder / "phases.csv",
                    std::string("phase,") + kTimeHeader + "," + kEnergyHeader
                        + ",known_energy_mj,energy_uncovered_ns",
                    m_formulas);
        for (std::size_t i = 0; i < m_trace.phases.size(); ++i) {
            const PhaseSpan& phase = m_trace.phases[i];
            csv.cell(phase.phase);
            timeCells(csv, phase.time);
            energyCells(csv, phase.energy);
            const Tally known = sums->known.ofPhase(i);
            csv.cells(known.energy_mj, known.uncovered_ns());
            csv.endRow();
        }
        if (const Status written = csv.close(); !written || sums->answer.sections().empty())
            return written;
        return writeAnswer(sums->answer.sections());
    }

    // Only of runs whose model marks its thinking.
    Status writeAnswer(const std::vector<AnswerSection>& sections) const
    {
        CsvFile csv(m_folder / "answer_sections.csv",
                    std::string("section,") + kTimeHeader
                        + ",tokens,energy_mj,energy_provenance,energy_sd_mj,known_energy_mj,"
                          "energy_uncovered_ns,joules_per_token",
                    m_formulas);
        for (const AnswerSection& section : sections) {
            csv.cell(section.name);
            timeCells(csv, section.time);
            const Tally& energy = section.energy;
            csv.cells(section.tokens, energy.complete(), energy.provenance, energy.sd_mj,
                      energy.energy_mj, energy.uncovered_ns(), section.joulesPerToken());
            csv.endRow();
        }
        return csv.close();
    }

    // The tables of steps are filled side by side, since the run is read once.
    Status writeSteps() const
    {
        const auto open = [this](const char* table, const std::string& header) {
            return CsvFile(m_folder / table, header, m_formulas);
        };
        CsvFile sections = open("pipeline_sections.csv",
                                std::string("phase,section_name,token_index,") + kTimeHeader + ","
                                    + kEnergyHeader + kWorkHeader + "," + kStatsHeader);
        CsvFile tokens =
            open("tokens.csv",
                 std::string("token_index,sequences,position,vocabulary_id,text,phase,probability,"
                             "power_snapshot_mw,processor_ns,preemptions,")
                     + kTimeHeader + "," + kEnergyHeader + ",text_json,answer_section");
        CsvFile layers = open("layer_metrics.csv",
                              std::string("token_index,layer_index,") + kTimeHeader + ",energy_mj,"
                                  + kStatsHeader + kNotesHeader);
        CsvFile components =
            open("component_metrics.csv",
                 std::string("token_index,layer_index,component_name,") + kTimeHeader
                     + ",energy_mj," + kStatsHeader + kWorkHeader + kNotesHeader);
        CsvFile operations =
            open("deep_operation_metrics.csv",
                 std::string("token_index,layer_index,component_name,operation_name,") + kTimeHeader
                     + ",energy_mj,tensor_mean,tensor_std,tensor_max,tensor_sparsity" + kWorkHeader
                     + kNotesHeader + ",extra_metrics");
        Status done = m_source.read(RunSource::Parts::All, [&](const RunTrace& piece) -> Status {
            writeSections(sections, piece.sections);
            writeTokens(tokens, piece.tokens);
            writeLayers(layers, piece.layers);
            writeComponents(components, piece.components);
            writeOperations(operations, piece.operations);
            return {};
        });
        for (CsvFile* csv : {&sections, &tokens, &layers, &components, &operations}) {
            if (done)
                done = csv->close();
        }
        return done;
    }

    void writeSections(CsvFile& csv, const std::vector<SectionSpan>& sections) const
    {
        for (const SectionSpan& section : sections) {
            csv.cells(section.phase, section.section);
            if (section.token == kNoToken)
                csv.cell("");
            else
                csv.cell(section.token);
            timeCells(csv, section.time);
            energyCells(csv, section.energy);
            workCells(csv, section.work);
            statsCells(csv, section.stats);
            csv.endRow();
        }
    }

    void writeTokens(CsvFile& csv, const std::vector<TokenSpan>& tokens) const
    {
        const AnswerSections answer(m_run.info);
        for (const TokenSpan& token : tokens) {
            csv.cells(token.index, token.sequences, token.position, token.id, token.text,
                      token.phase, token.probability, token.power_snapshot_mw, token.processor_ns,
                      token.preemptions);
            timeCells(csv, token.time);
            energyCells(csv, token.energy);
            csv.cell(jsonText(token.text)); // "null" and "NA" are missing values to pandas
            csv.cell(answer.nameFor(token));
            csv.endRow();
        }
    }

    void writeLayers(CsvFile& csv, const std::vector<LayerSpan>& layers) const
    {
        for (const LayerSpan& layer : layers) {
            csv.cells(layer.token, layer.layer);
            timeCells(csv, layer.time);
            csv.cell(layer.energy_mj);
            statsCells(csv, layer.stats);
            notesCells(csv, layer.energy_notes);
            csv.endRow();
        }
    }

    void writeComponents(CsvFile& csv, const std::vector<ComponentSpan>& components) const
    {
        for (const ComponentSpan& component : components) {
            csv.cells(component.token, component.layer, component.component);
            timeCells(csv, component.time);
            csv.cell(component.energy_mj);
            statsCells(csv, component.stats);
            workCells(csv, component.work);
            notesCells(csv, component.energy_notes);
            csv.endRow();
        }
    }

    void writeOperations(CsvFile& csv, const std::vector<OperationSpan>& operations) const
    {
        for (const OperationSpan& operation : operations) {
            csv.cells(operation.token, operation.layer, operation.component, operation.operation);
            timeCells(csv, operation.time);
            csv.cell(operation.energy_mj);
            statsCells(csv, operation.stats);
            workCells(csv, operation.work);
            notesCells(csv, operation.energy_notes);
            csv.cell(extrasText(operation.extras).value_or(""));
            csv.endRow();
        }
    }

    const RunSource& m_source;
    const Run& m_run; // the head
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
                     "Cannot create the folder " + folder + " for the CSV files: "
                         + (failed ? failed.message() : "a file of that name exists")
                         + "; choose another one."};
    }
    return CsvFolder(run, folder, formulas).writeAll();
}

} // namespace ep::store
