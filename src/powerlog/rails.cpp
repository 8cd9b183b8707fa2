// SPDX-License-Identifier: GPL-3.0-or-later
// The table of rails: by which words tools, in several languages, name a whole and its parts.
#include "rails.h"

#include "cell.h"
#include "formats.h"

#include <array>

namespace ep::powerlog {

namespace {

using energy::Measured;

struct RailWords {
    const char* patterns; // lower case
    Kind kind;
};

constexpr Kind kSystem{Measured::Machine, "system"};
constexpr Kind kSystemByWord{Measured::Machine, "system", Division::None, true};
constexpr Kind kSum{Measured::Machine, "sum", Division::None, true};
constexpr Kind kGeneric{Measured::Machine, "system", Division::None, true, true};
constexpr Kind kCard{Measured::GraphicsCard, "gpu"};
constexpr Kind kCpu{Measured::Processor, "cpu"};
constexpr Kind kDram{Measured::Memory, "dram"};
constexpr Kind kAne{Measured::NeuralEngine, "ane"};
constexpr Kind kCpuPart{Measured::Part, "part", Division::Processor};
constexpr Kind kCardChip{Measured::Part, "part", Division::Chips};
constexpr Kind kCardInput{Measured::Part, "part", Division::Inputs};

// The first row that matches counts.
constexpr std::array kRails{
    // Connectors and chips of graphics cards: GPU-Z, HWiNFO.
    RailWords{"*-pin*|*pcie slot*|*slot power*|*pwr_src*|*12vhpwr*|*gpu*input*|*pci-e*slot*",
              kCardInput},
    RailWords{"*mvdd*|*gpu chip*|*gpu*core*|*gpu*memory*|*gpu*vram*|*gpu*hbm*|*gpu*sram*|*gpu_ram*|"
              "*gpu*soc*|*gpu*speicher*|*显存*|*gpu*mémoire*|*gpu*memoria*|*gpu*memória*|*gpu*"
              "память*|*gpu*памяти*|*gpu*メモリ*",
              kCardChip},
    RailWords{
        "*board power draw*|*board*draw*|*gpu*board*|*gpu*total*|*total*gpu*|*total board*|*tgp*|"
        "*tbp*|*显卡*|*grafikkarte*|*carte graphique*|*видеокарт*|*グラフィックカード*",
        kCard},
    // The whole machine.
    RailWords{
        "*system*|*wall*|*psys*|*mains*|*plug*|*chassis*|*vdd_in*|*pom_5v_in*|*machine*|*整机*|"
        "*系统*|*système*|*sistema*|*システム*|*систем*",
        kSystem},
    RailWords{"*host*|*platform*|*board*|*node*", kSystemByWord},
    RailWords{"*cpu*gesamt*|*total*cpu*|*cpu*total*", kCpu},
    RailWords{"*total*dram*|*dram*total*", kDram},
    RailWords{"*combined*|*total*|all|soc|*package power*|*gesamt*|*合计*|*合計*|*总*|*итог*",
              kSum},
    // Parts of a package.
    RailWords{
        "*uncore*|*core*|*pp0*|*pp1*|ia|ia *|gt|gt *|cpu gt*|*kern*|*核心*|*コア*|*cœur*|*coeur*|"
        "*núcleo*|*nucleo*|*ядер*|*ядра*|*ядро*|gfxwatt|corwatt",
        kCpuPart},
    RailWords{"*dram*|*ram|*ram *|*ram_*|ramwatt|*memory*|*ddr*|*speicher*|*内存*|*記憶*|*メモリ*|"
              "*mémoire*|*memoria*|*memória*|*памят*",
              kDram},
    RailWords{
        "*nvidia*|*gpu*|*card#*|*graphics*|*grafik*|*graphique*|*gráfic*|*图形*|*グラフィック*|"
        "*видео*|*гп*",
        kCard},
    RailWords{"*ane|*ane *|ane*|*npu*", kAne},
    RailWords{"*cpu*|*package*|*processor*|*pkg*|*prozessor*|*processeur*|*procesador*|"
              "*processador*|*处理器*|*プロセッサ*|*процессор*|*цп*|*封装*|*パッケージ*",
              kCpu},
    RailWords{
        "power*|watts|watt|w|draw|*consumption|leistung*|puissance*|potencia*|potência*|"
        "verbrauch|value|energy*|joules|active|apower|p|load|usage|功率*|功耗*|電力*|消費電力*|"
        "мощность*|state|mean|sum|consumed|measured|meter|reading|total_power",
        kGeneric},
};

} // namespace

Kind kindOf(std::string_view rail)
{
    const std::string lower = lowerCase(rail);
    for (const RailWords& words : kRails) {
        if (matches(words.patterns, lower))
            return words.kind;
    }
    return {};
}

} // namespace ep::powerlog
