// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/explain.h"

#include <QString>
#include <QStringList>

// The sentences of a diagnosis in the window's language. In English they are those of the terminal
// and the API, word for word.
namespace ep::ui {

QString answerText(const energy::Diagnosis& diagnosis); // where the energy went, in one sentence
// The same in several lengths, longest first, for lines of any width; at least one.
QStringList answerTexts(const energy::Diagnosis& diagnosis);
QString reasonText(const energy::Diagnosis& diagnosis); // why, in one sentence
// The same, preceded by what is unusual about the run, if anything.
QString leadText(const session::Explanation& explanation);
// "Memory-bound decode: 81.2 J, 54.1 % (48.0 % to 60.2 %)"
QString causeTitle(const energy::Diagnosis& diagnosis, const energy::Finding& finding);
QString causeText(const energy::Diagnosis& diagnosis, const energy::Finding& finding);
QString evidenceText(const energy::Finding& finding);
// `window`: with what would settle them, in the words of inWindow().
QStringList doubtTexts(const energy::Diagnosis& diagnosis, bool window = false);
// An instruction or a note in the words of a window: without options of the command line.
QString inWindow(const std::string& sentence);
QString remedyTitle(const energy::Remedy& remedy); // "Compute in int8"
// The remedy with what it saves. `how`: also which option of the command line tries it.
QString remedyText(const energy::Diagnosis& diagnosis, const energy::Remedy& remedy,
                   bool how = true);
QString triedText(const session::TriedRemedy& tried);
QString trackRecordText(const std::vector<session::TriedRemedy>& tried); // empty: none was tried

} // namespace ep::ui
