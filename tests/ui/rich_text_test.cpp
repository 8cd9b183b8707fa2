// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/rich_text.h"

#include <QTextDocument>

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

// Text from others is displayed unchanged, whether or not it looks like markup.
TEST(RichText, ShowsTextAsItIs)
{
    for (const char* text : {"plain", "Tom & Jerry's \"x\"", "a\nb", "<b>bold</b>", "&lt;",
                             "<table><tr><td><img src='file:///etc/passwd'>"}) {
        const QString rich = richText(std::string_view(text));
        EXPECT_TRUE(Qt::mightBeRichText(rich)) << text;
        QTextDocument document;
        document.setHtml(rich);
        EXPECT_EQ(document.toPlainText().toStdString(), text);
    }
    EXPECT_EQ(richText(QString()), QString()) << "no tool tip";
}

} // namespace
} // namespace ep::ui
