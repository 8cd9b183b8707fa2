// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/settings_store.h"

#include <QFile>
#include <QTemporaryDir>

#include <gmock/gmock.h>

namespace {

using namespace ep;
using ui::Settings;
using ui::SettingsStore;

class SettingsStoreTest : public testing::Test {
protected:
    QString path() const { return folder.filePath(QStringLiteral("settings.ini")); }

    QTemporaryDir folder;
};

TEST_F(SettingsStoreTest, BeginsWithTheDefaults)
{
    EXPECT_EQ(SettingsStore(path()).settings(), Settings());
}

TEST_F(SettingsStoreTest, KeepsEveryValue)
{
    Settings changed;
    changed.theme = ui::ThemeChoice::Dark;
    changed.modelFolder = QStringLiteral("/models/a b");
    changed.prompt = QString::fromUtf8("two\nlines, \u00e9");
    changed.run.system = "Be brief";
    changed.run.chat = session::ChatUse::Off;
    changed.isConversation = true;
    changed.conversation = QStringLiteral("[]");
    changed.templateVariables = QStringLiteral("{}");
    changed.commands = {QStringLiteral("python3 a.py")};
    changed.recordsPython = false;
    changed.run.max_new_tokens = 7;
    changed.run.depth = Depth::None;
    changed.run.load.device = "cuda";
    changed.run.load.dtype = "bf16";
    changed.run.sampling = {.temperature = 0.7,
                            .top_k = 40,
                            .top_p = 0.9,
                            .min_p = 0.05,
                            .repetition_penalty = 1.25,
                            .seed = 999999999999999U,
                            .stop = {"\n\n", "a, b"}};
    changed.run.batch_size = 4;
    changed.run.context_length = 384;
    changed.samplingExpanded = true;
    changed.run.baseline_seconds = 2.5;
    changed.run.warmup_tokens = 8;
    changed.run.repeats = 3;
    changed.run.cool_down_seconds = 1.5;
    changed.measurementExpanded = true;
    changed.run.experiment = "first";
    changed.run.power.kind = "modelled";
    changed.run.power.argument = "/tmp/capture.plist";
    changed.run.power.idle_watts = 3.5;
    changed.run.power.full_watts = 44.0;
    changed.tags = QStringLiteral("a, b");
    changed.modelFolders = {QStringLiteral("/one"), QStringLiteral("/two")};
    changed.run.interval_ms = 250;
    changed.run.load.threads = 3;
    changed.run.sparsity_threshold = 0.05;
    changed.language = QStringLiteral("de");
    changed.okabeIto = true;
    changed.energyUnit = EnergyUnit::WattHours;
    changed.database = QStringLiteral("/runs/of mine.db");
    changed.keepRuns = 100;
    changed.keepDays = 30;
    changed.usdPerKwh = 0.31;
    changed.carbonRegion = QString();
    changed.carbonGrams = 123.5;
    changed.carbonDate = QStringLiteral("2025");
    changed.carbonSource = QStringLiteral("my supplier");
    changed.welcomeSeen = true;
    changed.recentFiles = {QStringLiteral("/a.eprun"), QStringLiteral("/b.json")};
    changed.windowGeometry = QByteArray("\x01\x00\x02", 3);
    changed.liveSplitter = "splitter";
    changed.historyHeader = "header";
    changed.navigationFolded = true;
    changed.historyFilter = "{}";
    changed.historyGroupBy = QStringLiteral("repeats");
    changed.historyFilterDatabase = QStringLiteral("/runs/of mine.db");
    changed.savedFilters = "[]";
    changed.historyTrend = true;
    changed.historyDetails = false;
    changed.powerTables = "[1]";
    changed.apiEnabled = true;
    changed.apiPort = 8123;
    changed.keepBackups = false;
    SettingsStore(path()).save(changed);
    EXPECT_EQ(SettingsStore(path()).settings(), changed);
}

TEST_F(SettingsStoreTest, WhereOnlyHashesAreKeptNoTextIsInTheFile)
{
    Settings settings;
    settings.prompt = QStringLiteral("sesame opens");
    settings.run.system = "sesame rules";
    settings.run.sampling.stop = {"sesame end"};
    SettingsStore(path()).save(settings);
    settings.run.store_texts = false;
    SettingsStore store(path());
    store.save(settings);
    EXPECT_EQ(store.settings(), settings) << "the form keeps what is typed";
    QFile file(path());
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_FALSE(file.readAll().contains("sesame"));
    const Settings read = SettingsStore(path()).settings();
    EXPECT_FALSE(read.run.store_texts);
    EXPECT_TRUE(read.prompt.isEmpty());
}

TEST_F(SettingsStoreTest, NonsenseInTheFileBecomesTheDefault)
{
    QFile file(path());
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[live]\nmax_new_tokens=-5\ndepth=sideways\ntop_p=nan\ntemperature=hot\n"
               "full_watts=-1\nmin_p=2\nrepetition_penalty=0\nbatch_size=0\nrepeat=0\ncool_down_"
               "seconds=-1\nbaseline_"
               "seconds=-1\nwarmup_tokens=-3\n[power]\ninterval_ms="
               "0\n[view]\ntheme=plaid\n");
    file.close();
    EXPECT_EQ(SettingsStore(path()).settings(), Settings());
}

TEST_F(SettingsStoreTest, AnEditedTariffIsAskedForByTheSettings)
{
    ui::Settings own;
    own.carbonRegion.clear();
    own.carbonGrams = 55.0;
    own.carbonSource = QStringLiteral("my supplier");
    ui::Settings texas = own;
    texas.carbonRegion = QStringLiteral("Texas");
    const energy::Tariff preset = *energy::tariffOf("EU");
    const auto ownTariff = [](double price, double grams) {
        energy::Tariff tariff;
        tariff.region.clear();
        tariff.usd_per_kwh = price;
        tariff.grams_per_kwh = grams;
        return tariff;
    };
    const struct {
        ui::Settings before;
        energy::Tariff edited;
        double grams;
        std::string source;
    } cases[] = {
        {texas, preset, 300.0, preset.source},
        {own, preset, 300.0, preset.source},
        {texas, ownTariff(0.12, 500.0), 55.0, "my supplier"}, // this one is stored
        {texas, ownTariff(0.12, 55.0), 55.0, "my supplier"},
        {texas, ownTariff(0.12, 70.0), 70.0, ""},
        {own, ownTariff(0.4, 55.0), 55.0, "my supplier"},
        {own, ownTariff(0.12, 70.0), 70.0, ""},
    };
    for (const auto& [before, edited, grams, source] : cases) {
        const energy::Tariff now = ui::tariffFrom(ui::withTariff(before, edited));
        EXPECT_EQ(now.grams_per_kwh, grams);
        EXPECT_EQ(now.usd_per_kwh, edited.usd_per_kwh);
        EXPECT_EQ(now.source, source);
    }
}

TEST_F(SettingsStoreTest, TheTariffIsAPresetOrTheOwnValue)
{
    Settings settings;
    settings.usdPerKwh = 0.3;
    settings.carbonGrams = 55.0;
    settings.carbonSource = QStringLiteral("my supplier");
    settings.carbonRegion = QStringLiteral("Texas");
    EXPECT_EQ(ui::tariffFrom(settings).grams_per_kwh, 500.0);
    EXPECT_EQ(ui::tariffFrom(settings).usd_per_kwh, 0.3);
    settings.carbonRegion = QString();
    EXPECT_EQ(ui::tariffFrom(settings).grams_per_kwh, 55.0);
    EXPECT_EQ(ui::tariffFrom(settings).source, "my supplier");
}

} // namespace
