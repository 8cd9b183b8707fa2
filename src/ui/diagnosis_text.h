// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/explain.h"

#include <QString>
#include <QStringList>

// The sentences of a diagnosis in the window's language. In English they are those of the terminal
// and the API, word for word.
namespace ep::ui {

// Where the energy went, in several lengths, longest first, for lines of any width; at least one.
QStringList answerTexts(const energy::Diagnosis& diagnosis);
// Why the energy went there, in one sentence, preceded by what is unusual about the run, if
// anything.
QString leadText(const session::Explanation& explanation);
// `window`: words the instructions as inWindow() does.
QStringList doubtTexts(const energy::Diagnosis& diagnosis, bool window = false);
// An instruction or a note in the words of a window: without options of the command line.
QString inWindow(const std::string& sentence);

} // namespace ep::ui
