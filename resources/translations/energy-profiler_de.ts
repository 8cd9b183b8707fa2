<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>ep::ui::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>&amp;Werkzeuge</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;New Run</source>
        <translation>&amp;Neuer Lauf</translation>
    </message>
    <message>
        <source>&amp;Open Run File…</source>
        <translation>Lauf-Datei ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Model Library…</source>
        <translation>&amp;Modellbibliothek…</translation>
    </message>
    <message>
        <source>&amp;Export Run as JSON…</source>
        <translation>Lauf als JSON &amp;exportieren…</translation>
    </message>
    <message>
        <source>Export Run as &amp;CSV…</source>
        <translation>Lauf als &amp;CSV exportieren…</translation>
    </message>
    <message>
        <source>Close &amp;Window</source>
        <translation>Fenster &amp;schließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Find Runs</source>
        <translation>Läufe &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>&amp;Delete Selected Runs…</source>
        <translation>Ausgewählte Läufe &amp;löschen…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>&amp;Undo View</source>
        <translation>Ansicht &amp;zurück</translation>
    </message>
    <message>
        <source>&amp;Redo View</source>
        <translation>Ansicht &amp;vor</translation>
    </message>
    <message>
        <source>&amp;Copy Chart</source>
        <translation>Diagramm &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Zoom to Selection</source>
        <translation>Auf Auswahl &amp;zoomen</translation>
    </message>
    <message>
        <source>Show the &amp;Whole Run</source>
        <translation>&amp;Ganzen Lauf zeigen</translation>
    </message>
    <message>
        <source>&amp;Live</source>
        <translation>&amp;Live</translation>
    </message>
    <message>
        <source>&amp;Analysis</source>
        <translation>&amp;Analyse</translation>
    </message>
    <message>
        <source>&amp;History</source>
        <translation>&amp;Verlauf</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>&amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>S&amp;toppen</translation>
    </message>
    <message>
        <source>&amp;Sensor Doctor…</source>
        <translation>&amp;Sensorprüfung…</translation>
    </message>
    <message>
        <source>&amp;Welcome</source>
        <translation>&amp;Willkommen</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Self-&amp;Test…</source>
        <translation>Selbst&amp;test…</translation>
    </message>
    <message>
        <source>Collect &amp;Diagnostics…</source>
        <translation>&amp;Diagnose sammeln…</translation>
    </message>
    <message>
        <source>&amp;About Energy Profiler</source>
        <translation>Ü&amp;ber Energy Profiler</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>Energy Profiler</source>
        <translation>Energy Profiler</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>Analyse</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Run %1.</source>
        <translation>Lauf %1.</translation>
    </message>
    <message>
        <source>Opening the run…</source>
        <translation>Der Lauf wird geöffnet…</translation>
    </message>
    <message>
        <source>Run in Progress</source>
        <translation>Ein Lauf ist im Gange</translation>
    </message>
    <message>
        <source>Stop the run and close?</source>
        <translation>Den Lauf anhalten und schließen?</translation>
    </message>
    <message>
        <source>What has been recorded so far is kept in History.</source>
        <translation>Was bisher aufgezeichnet ist, bleibt im Verlauf erhalten.</translation>
    </message>
    <message>
        <source>Stop and Close</source>
        <translation>Anhalten und schließen</translation>
    </message>
    <message>
        <source>%1 runs in %2, %3 of them imported.</source>
        <translation>%1 Läufe in %2, davon %3 hier neu.</translation>
    </message>
    <message>
        <source>The demo run was not installed with the program.</source>
        <translation>Der aufgezeichnete Lauf wurde nicht mit dem Programm installiert.</translation>
    </message>
    <message>
        <source>The demo model was not installed with the program.</source>
        <translation>Das Demo-Modell wurde nicht mit dem Programm installiert.</translation>
    </message>
    <message>
        <source>The models in %1 were added to the list.</source>
        <translation>Die Modelle in %1 stehen jetzt in der Liste.</translation>
    </message>
    <message>
        <source>%1 no longer exists.</source>
        <translation>%1 gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>%1 is neither a run nor a model: open a run exported as JSON, a run database, or a folder with config.json.</source>
        <translation>%1 ist weder ein Lauf noch ein Modell: Öffnen Sie einen als JSON exportierten Lauf, eine Lauf-Datenbank oder einen Ordner mit config.json.</translation>
    </message>
    <message>
        <source>Open Run File</source>
        <translation>Lauf-Datei öffnen</translation>
    </message>
    <message>
        <source>Runs (*.eprun *.json *.db)</source>
        <translation>Läufe (*.eprun *.json *.db)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Folder with Models</source>
        <translation>Ordner mit Modellen</translation>
    </message>
    <message>
        <source>A run is in progress.</source>
        <translation>Ein Lauf ist im Gange.</translation>
    </message>
    <message>
        <source>&amp;Notes and Tags…</source>
        <translation>&amp;Notizen und Schlagwörter…</translation>
    </message>
</context>
<context>
    <name>ep::ui::WelcomePage</name>
    <message>
        <source>Energy Profiler</source>
        <translation>Energy Profiler</translation>
    </message>
    <message>
        <source>Where do the joules of a language model go? Choose how to begin; Help &gt; Welcome shows this page again.</source>
        <translation>Wohin fließen die Joule eines Sprachmodells? Wählen Sie, womit Sie beginnen; Hilfe &gt; Willkommen bringt diese Seite zurück.</translation>
    </message>
    <message>
        <source>Open the recorded demo run</source>
        <translation>Den aufgezeichneten Demo-Lauf öffnen</translation>
    </message>
    <message>
        <source>A finished run of the bundled model to explore. Its power comes from a model of the machine, not from a sensor, and is labelled as such.</source>
        <translation>Ein fertiger Lauf des mitgelieferten Modells, um sich umzusehen. Seine Leistung stammt aus einem Modell des Rechners, nicht von einem Sensor, und ist so gekennzeichnet.</translation>
    </message>
    <message>
        <source>Profile the demo model</source>
        <translation>Das Demo-Modell messen</translation>
    </message>
    <message>
        <source>Runs a small bundled model on this computer; takes a few seconds.</source>
        <translation>Führt jetzt ein kleines mitgeliefertes Modell auf diesem Rechner aus; dauert einige Sekunden.</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>Einen Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>HuggingFace folders with config.json and safetensors files. You can also drop one on this window.</source>
        <translation>HuggingFace-Ordner mit config.json und safetensors-Dateien. Sie können auch einen auf dieses Fenster ziehen.</translation>
    </message>
    <message>
        <source>Check the power sensors</source>
        <translation>Die Leistungssensoren prüfen</translation>
    </message>
    <message>
        <source>Shows what can be measured on this computer, why not, and what to do.</source>
        <translation>Was auf diesem Rechner gemessen werden kann, warum nicht, und was zu tun ist.</translation>
    </message>
    <message>
        <source>Go to the Window</source>
        <translation>Zum Fenster</translation>
    </message>
    <message>
        <source>Recently opened</source>
        <translation>Früher geöffnet</translation>
    </message>
</context>
<context>
    <name>ep::ui::PreferencesDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Settings pages</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Cost and Carbon</source>
        <translation>Kosten und CO₂</translation>
    </message>
    <message>
        <source>Storage and Privacy</source>
        <translation>Speicher und Privates</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Energy Profiler</source>
        <translation>Energy Profiler</translation>
    </message>
    <message>
        <source>Okabe-Ito</source>
        <translation>Okabe-Ito</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Light or dark, for the window and for all charts.</source>
        <translation>Hell oder dunkel, für das Fenster und alle Diagramme.</translation>
    </message>
    <message>
        <source>Colours of the &amp;rails</source>
        <translation>Farben der &amp;Kanäle</translation>
    </message>
    <message>
        <source>The program&apos;s own colours can be distinguished with every kind of colour vision; Okabe-Ito is a palette used in many papers.</source>
        <translation>Die eigenen wurden so gewählt, dass man sie mit jeder Art des Farbensehens unterscheidet; Okabe-Ito ist die Palette vieler Veröffentlichungen.</translation>
    </message>
    <message>
        <source>Joules (J)</source>
        <translation>Joule (J)</translation>
    </message>
    <message>
        <source>Watt-hours (Wh)</source>
        <translation>Wattstunden (Wh)</translation>
    </message>
    <message>
        <source>&amp;Energy unit</source>
        <translation>&amp;Energien in</translation>
    </message>
    <message>
        <source>One watt-hour is 3600 joules. The window reopens with the new unit. Exports and the command line always use joules.</source>
        <translation>Eine Wattstunde sind 3600 Joule. Das Fenster öffnet sich mit dieser Einheit neu. Exporte und die Befehlszeile bleiben bei Joule.</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>The window reopens in the new language. Untranslated texts are shown in English; numbers and dates follow the system.</source>
        <translation>Das Fenster öffnet sich in dieser Sprache neu. Was der Übersetzung fehlt, erscheint auf Englisch; Zahlen und Daten folgen dem System.</translation>
    </message>
    <message>
        <source>&amp;Folders</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Folders to search for HuggingFace models, in addition to the bundled ones and HuggingFace&apos;s own cache. Nothing is downloaded or changed there.</source>
        <translation>Ordner, in denen nach HuggingFace-Modellen gesucht wird, neben den mitgelieferten und dem Cache von HuggingFace. Dort wird nie etwas geladen oder geändert.</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>Power &amp;sampling interval</source>
        <translation>Leistung &amp;messen alle</translation>
    </message>
    <message>
        <source>Requested from the power source; the interval achieved is shown with each run. Shorter intervals increase resolution and overhead: 100 ms suits most sensors.</source>
        <translation>Von der Quelle verlangt; was sie erreicht, steht bei jedem Lauf. Kürzere Abstände lösen mehr auf und kosten mehr: 100 ms passen für die meisten Sensoren.</translation>
    </message>
    <message>
        <source>CPU &amp;threads</source>
        <translation>&amp;Threads auf der CPU</translation>
    </message>
    <message>
        <source>Number of compute threads. Fewer threads often need less energy for the same text.</source>
        <translation>Der Berechnung. Weniger Threads brauchen für denselben Text oft weniger Energie.</translation>
    </message>
    <message>
        <source>&amp;Zero threshold</source>
        <translation>Gilt als &amp;null unter</translation>
    </message>
    <message>
        <source>Sparsity is the share of a component&apos;s outputs whose absolute value is below this threshold.</source>
        <translation>Dünnbesetztheit ist der Anteil der Ausgaben einer Komponente, deren Betrag darunter liegt.</translation>
    </message>
    <message>
        <source> USD/kWh</source>
        <translation> USD/kWh</translation>
    </message>
    <message>
        <source>%1: %2 g/kWh</source>
        <translation>%1: %2 g/kWh</translation>
    </message>
    <message>
        <source>Own value</source>
        <translation>Eigener Wert</translation>
    </message>
    <message>
        <source> g CO₂/kWh</source>
        <translation> g CO₂/kWh</translation>
    </message>
    <message>
        <source>&amp;Price</source>
        <translation>&amp;Preis</translation>
    </message>
    <message>
        <source>Price of a kilowatt-hour. Costs are computed when runs are shown, so a change also applies to earlier runs.</source>
        <translation>Was Sie eine Kilowattstunde kostet; die Kosten werden beim Anzeigen daraus berechnet, eine Änderung gilt also auch für frühere Läufe.</translation>
    </message>
    <message>
        <source>&amp;Region</source>
        <translation>&amp;Region</translation>
    </message>
    <message>
        <source>Emissions per kilowatt-hour: approximate values for a region, or your own value.</source>
        <translation>Emissionen je Kilowattstunde: runde Werte einer Region oder Ihr eigener.</translation>
    </message>
    <message>
        <source>&amp;Emissions</source>
        <translation>&amp;Emissionen</translation>
    </message>
    <message>
        <source>Emissions of your supplier or your grid.</source>
        <translation>Ihres Anbieters oder Ihres Netzes.</translation>
    </message>
    <message>
        <source>&amp;Date</source>
        <translation>&amp;Stand</translation>
    </message>
    <message>
        <source>Date of the value, which changes from year to year.</source>
        <translation>Wann dieser Wert galt: Er ändert sich von Jahr zu Jahr.</translation>
    </message>
    <message>
        <source>&amp;Source</source>
        <translation>&amp;Quelle</translation>
    </message>
    <message>
        <source>Source of the value, so that others can check it.</source>
        <translation>Woher er stammt, damit andere ihn prüfen können.</translation>
    </message>
    <message>
        <source>Run database</source>
        <translation>Lauf-Datenbank</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Keep only &amp;hashes of prompts and responses</source>
        <translation>Nur &amp;Hashes von Prompts und Antworten behalten</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>forever</source>
        <translation>für immer</translation>
    </message>
    <message>
        <source> days</source>
        <translation> Tage</translation>
    </message>
    <message>
        <source>&amp;Database</source>
        <translation>&amp;Datenbank</translation>
    </message>
    <message>
        <source>The file in which runs are stored; empty for the default location. The window reopens with it. Runs are not moved: History can import them from the other file.</source>
        <translation>Die Datei mit den Läufen; leer für den üblichen Ort. Das Fenster öffnet sich damit neu. Läufe werden nicht verschoben: Der Verlauf kann sie aus der anderen Datei einlesen.</translation>
    </message>
    <message>
        <source>Prompts, responses and token texts of new runs are not stored; equal prompts have equal hashes. Stored runs are not changed.</source>
        <translation>Prompts und Antworten der Läufe aus Live werden nicht gespeichert, auch nicht die Texte der Token; gleiche Prompts behalten gleiche Hashes. Schon gespeicherte Läufe bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Keep the &amp;newest</source>
        <translation>Die &amp;neuesten behalten</translation>
    </message>
    <message>
        <source>Older untagged runs are deleted when the program starts; until it exits, Undo in History restores them. Tag a run to keep it.</source>
        <translation>Ältere Läufe ohne Schlagwort werden beim Start gelöscht; bis zum Ende holt Rückgängig im Verlauf sie zurück. Ein Schlagwort bewahrt einen Lauf.</translation>
    </message>
    <message>
        <source>&amp;Keep for</source>
        <translation>&amp;Behalten für</translation>
    </message>
    <message>
        <source>Untagged runs older than this are deleted in the same way.</source>
        <translation>Ältere Läufe ohne Schlagwort werden ebenso gelöscht.</translation>
    </message>
    <message>
        <source>Run Database</source>
        <translation>Lauf-Datenbank</translation>
    </message>
    <message>
        <source>Run databases (*.db)</source>
        <translation>Lauf-Datenbanken (*.db)</translation>
    </message>
</context>
<context>
    <name>ep::ui::AboutDialog</name>
    <message>
        <source>Libraries used by the program</source>
        <translation>Woraus das Programm besteht</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Enthält</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Für</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>About Energy Profiler</source>
        <translation>Über Energy Profiler</translation>
    </message>
    <message>
        <source>Energy Profiler %1</source>
        <translation>Energy Profiler %1</translation>
    </message>
    <message>
        <source>Shows where the joules of a transformer&apos;s inference go.

Free software under the GNU General Public License, version 3 or later; it comes without any warranty.

Runs are stored in %1</source>
        <translation>Zeigt, wohin die Joule beim Ausführen eines Transformers fließen.

Freie Software unter der GNU General Public License, Version 3 oder später; ohne jede Gewähr.

Die Läufe liegen in %1</translation>
    </message>
    <message>
        <source>Windows, threads, processes</source>
        <translation>Fenster, Threads, Prozesse</translation>
    </message>
    <message>
        <source>Power chart</source>
        <translation>Leistungsdiagramm</translation>
    </message>
    <message>
        <source>Tensor computation</source>
        <translation>rechnet die Modelle</translation>
    </message>
    <message>
        <source>Run database</source>
        <translation>bewahrt die Läufe</translation>
    </message>
    <message>
        <source>Public domain</source>
        <translation>gemeinfrei</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Property lists of powermetrics</source>
        <translation>Property-Listen von powermetrics</translation>
    </message>
    <message>
        <source>Zip archives</source>
        <translation>gezippte Exporte</translation>
    </message>
    <message>
        <source>Tokenizers</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
</context>
<context>
    <name>ep::ui::SelfTestDialog</name>
    <message>
        <source>Self-Test</source>
        <translation>Selbsttest</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Testing; this takes less than two minutes.</source>
        <translation>Der Test läuft; er dauert weniger als zwei Minuten.</translation>
    </message>
    <message>
        <source>&amp;Copy as JSON</source>
        <translation>Als JSON &amp;kopieren</translation>
    </message>
    <message>
        <source>All checks that apply to this machine passed.</source>
        <translation>Alle Prüfungen, die es auf diesem Rechner gibt, sind bestanden.</translation>
    </message>
    <message>
        <source>%1 of %2 checks failed; each says what to do. Copy the result as JSON to report it.</source>
        <translation>%1 von %2 Prüfungen sind fehlgeschlagen; jede sagt, was zu tun ist. Kopieren Sie das Ergebnis als JSON, um es zu melden.</translation>
    </message>
</context>
<context>
    <name>ep::ui::DiagnosticsDialog</name>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern…</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Collecting information…</source>
        <translation>Der Rechner wird untersucht…</translation>
    </message>
    <message>
        <source>Contents of the report</source>
        <translation>Was ein Bericht enthielte</translation>
    </message>
    <message>
        <source>This is the complete report: it contains no prompts, responses or names of runs. Read it, then save or copy it; nothing is sent anywhere.</source>
        <translation>Das ist alles, was ein Bericht enthielte: kein Prompt, keine Antwort, kein Name eines Laufs. Lesen Sie es, dann speichern oder kopieren Sie es; nichts wird irgendwohin gesendet.</translation>
    </message>
    <message>
        <source>Save Diagnostics</source>
        <translation>Diagnose speichern</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>Gespeichert in %1.</translation>
    </message>
    <message>
        <source>%1 could not be written (%2); choose another place.</source>
        <translation>%1 konnte nicht geschrieben werden (%2); wählen Sie einen anderen Ort.</translation>
    </message>
</context>
<context>
    <name>ep::ui::AnalysisPage</name>
    <message>
        <source>Open a Run in History</source>
        <translation>Einen Lauf im Verlauf öffnen</translation>
    </message>
    <message>
        <source>Make a Run in Live</source>
        <translation>Einen in Live machen</translation>
    </message>
    <message>
        <source>No run is open</source>
        <translation>Kein Lauf ist geöffnet</translation>
    </message>
    <message>
        <source>Open a run in History, or make one in Live.</source>
        <translation>Öffnen Sie einen Lauf im Verlauf oder machen Sie einen in Live.</translation>
    </message>
    <message>
        <source>Notes and Tags…</source>
        <translation>Notizen und Schlagwörter…</translation>
    </message>
    <message>
        <source>Edit the title, experiment, tags and notes of this run (M)</source>
        <translation>Titel, Experiment, Schlagwörter und Notizen dieses Laufs bearbeiten (M)</translation>
    </message>
    <message>
        <source>Tags: %1</source>
        <translation>Schlagwörter: %1</translation>
    </message>
</context>
<context>
    <name>ep::ui::FolderList</name>
    <message>
        <source>Folders with models</source>
        <translation>Ordner mit Modellen</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Folder with Models</source>
        <translation>Ordner mit Modellen</translation>
    </message>
</context>
<context>
    <name>ep::ui::MessageBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>Meldung schließen</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
</context>
<context>
    <name>ep::ui::HistoryPage</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>Als JSON exportieren…</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>Als CSV exportieren…</translation>
    </message>
    <message>
        <source>Export as Trace…</source>
        <translation>Als Trace exportieren…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Storage…</source>
        <translation>Speicher…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Make a Run in Live</source>
        <translation>In Live einen Lauf machen</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Exportiert nach %1.</translation>
    </message>
    <message>
        <source>Loading the stored runs…</source>
        <translation>Die gespeicherten Läufe werden gelesen…</translation>
    </message>
    <message>
        <source>Stored runs</source>
        <translation>Gespeicherte Läufe</translation>
    </message>
    <message>
        <source>Search prompt, text, model, status, tags</source>
        <translation>Prompt, Text, Modell, Zustand, Schlagwörter durchsuchen</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>Läufe durchsuchen</translation>
    </message>
    <message>
        <source>Delete Runs</source>
        <translation>Läufe löschen</translation>
    </message>
    <message>
        <source>Delete this run?</source>
        <translation>Diesen Lauf löschen?</translation>
    </message>
    <message>
        <source>Delete %1 runs?</source>
        <translation>%1 Läufe löschen?</translation>
    </message>
    <message>
        <source>This also deletes its samples, tokens and figures. It can be undone until the program is closed.</source>
        <translation>Seine Messwerte, Token und Kennzahlen gehen mit. Das lässt sich rückgängig machen, bis das Programm endet.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>There was no run to delete.</source>
        <translation>Kein Lauf war zu löschen.</translation>
    </message>
    <message>
        <source>Deleted a run.</source>
        <translation>Ein Lauf wurde gelöscht.</translation>
    </message>
    <message>
        <source>Deleted %1 runs.</source>
        <translation>%1 Läufe wurden gelöscht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>No runs to show</source>
        <translation>Keine Läufe anzuzeigen</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>Runs made in Live are listed here.</source>
        <translation>Jeder Lauf aus Live wird hier bewahrt.</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 von %2 Läufen</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunListModel</name>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>In</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Power source</source>
        <translation>Leistungsquelle</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
</context>
<context>
    <name>ep::ui::LivePage</name>
    <message>
        <source>Timing only: without a power source, energies are not shown. %1</source>
        <translation>Nur Zeiten: keine Leistungsquelle, darum keine Joule. %1</translation>
    </message>
    <message>
        <source>The run is not saved. %1</source>
        <translation>Der Lauf ist nicht gespeichert. %1</translation>
    </message>
    <message>
        <source>Stopped before the first token.</source>
        <translation>Vor dem ersten Token angehalten.</translation>
    </message>
    <message>
        <source>Cooling down for %1</source>
        <translation>Abkühlen für %1</translation>
    </message>
</context>
<context>
    <name>ep::ui::LiveView</name>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Vergangen</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>Noch</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Layers and components</source>
        <translation>Schichten und Komponenten</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Power appears here during a run.</source>
        <translation>Hier erscheint die Leistung, während ein Lauf im Gange ist.</translation>
    </message>
    <message>
        <source>Each layer&apos;s components appear here, token by token.</source>
        <translation>Hier erscheinen die Komponenten jeder Schicht, Token für Token.</translation>
    </message>
    <message>
        <source>The model&apos;s text appears here, token by token.</source>
        <translation>Hier erscheint der Text des Modells, Token für Token.</translation>
    </message>
    <message>
        <source>No power source: timing only.</source>
        <translation>Keine Leistungsquelle: nur Zeiten.</translation>
    </message>
    <message>
        <source>No power source</source>
        <translation>Keine Leistungsquelle</translation>
    </message>
    <message>
        <source>Waiting for the run to begin</source>
        <translation>Der Lauf beginnt gleich</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>No run in progress</source>
        <translation>Kein Lauf im Gange</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunForm</name>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>None: tokens only</source>
        <translation>Keine: nur Token</translation>
    </message>
    <message>
        <source>Module: layers and components</source>
        <translation>Modul: Schichten und Komponenten</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Apple GPU (mps)</source>
        <translation>Apple-GPU (mps)</translation>
    </message>
    <message>
        <source>NVIDIA GPU (cuda)</source>
        <translation>NVIDIA-GPU (cuda)</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>int8 weights</source>
        <translation>int8-Gewichte</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Auswahl der Token</translation>
    </message>
    <message>
        <source>Maximum number of tokens to generate</source>
        <translation>Höchstzahl erzeugter Token</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>Durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Prompt</source>
        <translation>&amp;Prompt</translation>
    </message>
    <message>
        <source>Max &amp;tokens</source>
        <translation>Höchstens &amp;Token</translation>
    </message>
    <message>
        <source>D&amp;epth</source>
        <translation>Ti&amp;efe</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>Power s&amp;ource</source>
        <translation>&amp;Leistungsquelle</translation>
    </message>
    <message>
        <source>Ta&amp;gs</source>
        <translation>&amp;Schlagwörter</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>Wählen Sie ein Modell.</translation>
    </message>
    <message>
        <source>This model cannot be loaded.</source>
        <translation>Dieses Modell kann nicht geladen werden.</translation>
    </message>
    <message>
        <source>Type a prompt.</source>
        <translation>Geben Sie einen Prompt ein.</translation>
    </message>
    <message>
        <source>Negligible overhead; no heatmap.</source>
        <translation>Kostet fast nichts; keine Heatmap.</translation>
    </message>
    <message>
        <source>Slows a small model noticeably, a large one by a few percent.</source>
        <translation>Bremst ein kleines Modell merklich, ein großes um wenige Prozent.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an…</translation>
    </message>
</context>
<context>
    <name>ep::ui::ModelPicker</name>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Choose a Model Folder</source>
        <translation>Modellordner wählen</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Modelle werden gesucht…</translation>
    </message>
</context>
<context>
    <name>ep::ui::StatusFigures</name>
    <message>
        <source>Power: %1</source>
        <translation>Leistung: %1</translation>
    </message>
    <message>
        <source>%1 Hz</source>
        <translation>%1 Hz</translation>
    </message>
    <message>
        <source>%1 of %2 Hz</source>
        <translation>%1 von %2 Hz</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>%1 / token</source>
        <translation>%1 / Token</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation> (modelliert)</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunView</name>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Peak power</source>
        <translation>Höchste Leistung</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Layers and components</source>
        <translation>Schichten und Komponenten</translation>
    </message>
    <message>
        <source>%1 tokens in, %2 out</source>
        <translation>%1 Token ein, %2 aus</translation>
    </message>
</context>
<context>
    <name>ep::ui</name>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>Wh/token</source>
        <translation>Wh/Token</translation>
    </message>
    <message>
        <source>&amp;Clear List</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>%1 (bundled)</source>
        <translation>%1 (mitgeliefert)</translation>
    </message>
    <message>
        <source>95 % interval: two standard deviations to either side.</source>
        <translation>95-%-Intervall: zwei Standardabweichungen nach jeder Seite.</translation>
    </message>
</context>
<context>
    <name>ep::ui::FiguresTab</name>
    <message>
        <source>Own value</source>
        <translation>Eigener Wert</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Price of a kilowatt-hour</source>
        <translation>Preis einer Kilowattstunde</translation>
    </message>
    <message>
        <source>Carbon dioxide of a kilowatt-hour</source>
        <translation>Kohlendioxid einer Kilowattstunde</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Energy during the run, without warm-up and baseline. %1</source>
        <translation>Über die eigene Zeit des Laufs. %1</translation>
    </message>
    <message>
        <source>No energy: no power source covered this run.</source>
        <translation>Keine Energie: keine Stromquelle hat diesen Lauf erfasst.</translation>
    </message>
    <message>
        <source>No energy: no power source covered this part.</source>
        <translation>Keine Energie: keine Stromquelle hat dies erfasst.</translation>
    </message>
    <message>
        <source>%1 needs the idle power, which was not measured: set a baseline duration for the next run.</source>
        <translation>%1 braucht die Leerlaufleistung, die nicht gemessen wurde: Wählen Sie für den nächsten Lauf einige Sekunden Grundlast.</translation>
    </message>
    <message>
        <source>%1 is recorded only at depth deep.</source>
        <translation>%1 wird nur bei der Tiefe „deep“ aufgezeichnet.</translation>
    </message>
    <message>
        <source>Summing the figures of the operations…</source>
        <translation>Die Werte der Operationen werden zusammengezählt…</translation>
    </message>
    <message>
        <source>%1 was not recorded.</source>
        <translation>%1 wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>This figure does not apply to this component.</source>
        <translation>Diese Komponente hat keinen solchen Wert.</translation>
    </message>
</context>
<context>
    <name>ep::ui::MetricSelector</name>
    <message>
        <source>Recorded only at depth deep</source>
        <translation>Nur bei der Tiefe „deep“ aufgezeichnet</translation>
    </message>
</context>
<context>
    <name>ep::ui::SceneView</name>
    <message>
        <source>Nothing to show yet.</source>
        <translation>Noch nichts zu zeigen.</translation>
    </message>
</context>
<context>
    <name>ep::ui::HeatmapView</name>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
</context>
<context>
    <name>ep::ui::PromptEdit</name>
    <message>
        <source>&amp;Chat template</source>
        <translation>&amp;Chat-Vorlage</translation>
    </message>
    <message>
        <source>Text for the model to continue

---
separates several prompts of one batch</source>
        <translation>Was das Modell fortsetzen soll

---
trennt mehrere Prompts eines Stapels</translation>
    </message>
    <message>
        <source>A line with only --- separates several prompts, which run as one batch; write \--- for a literal line</source>
        <translation>Eine Zeile nur mit --- trennt mehrere Prompts, die als ein Stapel laufen; \--- steht für eine solche Zeile selbst</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>System message</source>
        <translation>Systemnachricht</translation>
    </message>
    <message>
        <source>System message (optional)</source>
        <translation>Systemnachricht (darf leer bleiben)</translation>
    </message>
    <message>
        <source>Instructions that the chat template places before the conversation</source>
        <translation>Was die Chat-Vorlage dem Modell vor dem Gespräch sagt</translation>
    </message>
    <message>
        <source>Tokens of each prompt: %1</source>
        <translation>Token der einzelnen Prompts: %1</translation>
    </message>
    <message>
        <source>%1 prompts, %2 tokens</source>
        <translation>%1 Prompts, %2 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
</context>
<context>
    <name>ep::ui::MeasurementFields</name>
    <message>
        <source>Seconds between two runs</source>
        <translation>Sekunden Ruhe zwischen zwei Läufen</translation>
    </message>
    <message>
        <source>Pause before every run except the first, so that the heat of one run does not slow down the next</source>
        <translation>So lange ruht der Rechner vor jedem Lauf außer dem ersten, damit die Wärme des einen den nächsten nicht bremst</translation>
    </message>
    <message>
        <source>Pa&amp;use between</source>
        <translation>Pa&amp;use dazwischen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
</context>
<context>
    <name>ep::ui::StudyDialog</name>
    <message>
        <source>Open Re&amp;port</source>
        <translation>&amp;Bericht öffnen</translation>
    </message>
    <message>
        <source>The report with charts is %1.</source>
        <translation>Der Bericht mit seinen Diagrammen ist %1.</translation>
    </message>
</context>
</TS>
