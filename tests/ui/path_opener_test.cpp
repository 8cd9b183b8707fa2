// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/path_opener.h"

#include "ep/store/store.h"

#include <QDir>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>

#include <gmock/gmock.h>

namespace {

using namespace ep::ui;
using namespace Qt::Literals::StringLiterals;

class PathOpenerTest : public testing::Test {
protected:
    QString write(const QString& name, const QByteArray& content)
    {
        const QString path = folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
        return path;
    }

    QTemporaryDir folder;
};

TEST_F(PathOpenerTest, KnowsWhatAPathIs)
{
    write(u"models/tiny/config.json"_s, "{}");
    write(u"models/tiny/model.safetensors"_s, "x");
    write(u"loose/model.safetensors"_s, "x");
    ASSERT_TRUE(ep::store::Store::open(folder.filePath(u"d.db"_s).toStdString()));
    const struct {
        QString path;
        PathKind kind;
    } cases[]{
        {folder.filePath(u"models/tiny"_s), PathKind::Model},
        {folder.filePath(u"models/tiny/config.json"_s), PathKind::Model},
        {folder.filePath(u"models/tiny/model.safetensors"_s), PathKind::Model},
        {folder.filePath(u"loose/model.safetensors"_s), PathKind::Other},
        {folder.filePath(u"models"_s), PathKind::ModelsFolder},
        {folder.filePath(u"loose"_s), PathKind::Other},
        {folder.filePath(u"nowhere"_s), PathKind::Missing},
        {write(u"a.eprun"_s, "{}"), PathKind::RunFile},
        {write(u"b.json"_s, "{\n  \"format\": \"energy-profiler-run\""), PathKind::RunFile},
        {write(u"c.json"_s, "{}"), PathKind::Other},
        {folder.filePath(u"d.db"_s), PathKind::RunFile},
        {write(u"e.txt"_s, "energy-profiler-run"), PathKind::Other},
    };
    for (const auto& [path, kind] : cases)
        EXPECT_EQ(kindOf(path), kind) << path.toStdString();
}

TEST_F(PathOpenerTest, TakesOneLocalPathThatCanBeOpened)
{
    const QString run = write(u"a.eprun"_s, "{}");
    const QString other = write(u"a.txt"_s, "");
    const struct {
        QList<QUrl> urls;
        bool taken;
    } cases[]{
        {{}, false},
        {{QUrl::fromLocalFile(run)}, true},
        {{QUrl::fromLocalFile(other)}, false},
        {{QUrl::fromLocalFile(run), QUrl::fromLocalFile(run)}, false},
        {{QUrl(u"https://example.org/a.eprun"_s)}, false},
    };
    for (const auto& [urls, taken] : cases) {
        QMimeData data;
        data.setUrls(urls);
        EXPECT_EQ(droppedPath(data).has_value(), taken);
    }
}

TEST(RecentFiles, TheNewestIsFirstOnceAndTheListIsShort)
{
    QStringList files;
    for (int i = 0; i < 20; ++i)
        files = withRecent(files, QString::number(i));
    files = withRecent(files, u"15"_s);
    EXPECT_EQ(files.size(), kMaxRecentFiles);
    EXPECT_EQ(files.first(), u"15"_s);
    EXPECT_EQ(files.count(u"15"_s), 1);
}

} // namespace
