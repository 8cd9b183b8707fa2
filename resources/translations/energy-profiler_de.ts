<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>ep::ui::RecordDialog</name>
    <message>
        <source>Record a Command</source>
        <translation>Befehl aufzeichnen</translation>
    </message>
    <message>
        <source>Record transformers, mlx-lm and llama-cpp-python inside</source>
        <translation>transformers, mlx-lm und llama-cpp-python darin aufzeichnen</translation>
    </message>
    <message>
        <source>Python programs send their tokens, layers and components, without a change to the program.</source>
        <translation>Python-Programme senden ihre Token, Schichten und Komponenten, ohne dass das Programm geändert wird.</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>The program is started with these arguments, without a shell. What it prints appears in the terminal that opened this window.</source>
        <translation>Das Programm wird mit diesen Argumenten gestartet, ohne Shell. Was es ausgibt, erscheint in dem Terminal, das dieses Fenster geöffnet hat.</translation>
    </message>
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
        <source>Deep: individual operations</source>
        <translation>Operationen: jede einzelne</translation>
    </message>
</context>
<context>
    <name>ep::ui::MissingDatabase</name>
    <message>
        <source>Run Database Not Found</source>
        <translation>Lauf-Datenbank nicht gefunden</translation>
    </message>
    <message>
        <source>The run database %1 is not there.</source>
        <translation>Die Lauf-Datenbank %1 ist nicht da.</translation>
    </message>
    <message>
        <source>Its disk may not be connected, or it was moved or renamed. A new database has none of the earlier runs.</source>
        <translation>Vielleicht ist ihr Datenträger nicht angeschlossen, oder sie wurde verschoben oder umbenannt. Eine neue Datenbank enthält keinen der früheren Läufe.</translation>
    </message>
    <message>
        <source>Choose Another…</source>
        <translation>Andere wählen…</translation>
    </message>
    <message>
        <source>Make a New One There</source>
        <translation>Dort eine neue anlegen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Choose a Run Database</source>
        <translation>Lauf-Datenbank wählen</translation>
    </message>
    <message>
        <source>Run databases (*.db *.sqlite);;All files (*)</source>
        <translation>Lauf-Datenbanken (*.db *.sqlite);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Restore the Backup of %1</source>
        <translation>Die Sicherung vom %1 wiederherstellen</translation>
    </message>
</context>
<context>
    <name>ep::ui::SettingsStore</name>
    <message>
        <source>The settings cannot be written to %1: changes of this session will be lost. Make the file and its folder writable, or free space on the disk.</source>
        <translation>Die Einstellungen lassen sich nicht nach %1 schreiben: Änderungen dieser Sitzung gehen verloren. Machen Sie die Datei und ihren Ordner beschreibbar oder schaffen Sie Platz auf dem Datenträger.</translation>
    </message>
</context>
<context>
    <name>ep::ui::AggregateSelector</name>
    <message>
        <source>Sums of the run</source>
        <translation>Summen des Laufs</translation>
    </message>
    <message>
        <source>Typical token</source>
        <translation>Typisches Token</translation>
    </message>
    <message>
        <source>Mean of %1 repeats</source>
        <translation>Mittel von %1 Wiederholungen</translation>
    </message>
    <message>
        <source>What the charts show of the run</source>
        <translation>Was die Diagramme vom Lauf zeigen</translation>
    </message>
    <message>
        <source>What heatmap, table, treemap, flow and figures show while no time is selected: the sums of what was drawn, the median of the decoded tokens that nothing disturbed, or the mean of the run&apos;s repeats</source>
        <translation>Was Heatmap, Tabelle, Treemap, Fluss und Kennzahlen zeigen, solange keine Zeit gewählt ist: die Summen dessen, was verbraucht wurde, den Median der erzeugten Token, die nichts gestört hat, oder das Mittel der Wiederholungen des Laufs</translation>
    </message>
    <message>
        <source>Left out of the mean: %1 that ended early, were interrupted or have poor samples.</source>
        <translation>Nicht im Mittel: %1 mit vorzeitigem Ende, Unterbrechung oder schlechten Messungen.</translation>
    </message>
</context>
<context>
    <name>ep::ui::MainWindow</name>
    <message>
        <source>Power as CSV, JSON or text, of a power meter or a program (*)</source>
        <translation>Leistung als CSV, JSON oder Text, von einem Messgerät oder Programm (*)</translation>
    </message>
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
        <source>Import &amp;Power Recording…</source>
        <translation>&amp;Leistungsaufzeichnung importieren…</translation>
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
        <source>&amp;Copy Chart</source>
        <translation>Diagramm &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Zoom to Selection</source>
        <translation>Auf Aus&amp;wahl zoomen</translation>
    </message>
    <message>
        <source>Show the &amp;Whole Run</source>
        <translation>Gan&amp;zen Lauf zeigen</translation>
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
        <translation>V&amp;ollbild</translation>
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
        <source>&amp;Welcome</source>
        <translation>&amp;Willkommen</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;About Energy Profiler</source>
        <translation>&amp;Über Energy Profiler</translation>
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
        <source>Import Power Recording</source>
        <translation>Leistungsaufzeichnung importieren</translation>
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
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Insights</source>
        <translation>Einsichten</translation>
    </message>
    <message>
        <source>The local API is available at %1.</source>
        <translation>Die lokale API ist unter %1 erreichbar.</translation>
    </message>
    <message>
        <source>The local API is off: %1</source>
        <translation>Die lokale API ist aus: %1</translation>
    </message>
    <message>
        <source>A run through the local API is in progress.</source>
        <translation>Ein Lauf über die lokale API ist im Gange.</translation>
    </message>
    <message>
        <source>A study is running.</source>
        <translation>Eine Studie läuft.</translation>
    </message>
    <message>
        <source>No power sensor works here: the energy of this run is modelled.</source>
        <translation>Hier arbeitet kein Leistungssensor: die Energie dieses Laufs ist modelliert.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>C&amp;ommand Palette…</source>
        <translation>&amp;Befehlspalette…</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>Anordnung z&amp;urücksetzen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>S&amp;ave Report…</source>
        <translation>Ber&amp;icht speichern…</translation>
    </message>
    <message>
        <source>&amp;Next Run</source>
        <translation>&amp;Nächster Lauf</translation>
    </message>
    <message>
        <source>Pre&amp;vious Run</source>
        <translation>Vo&amp;riger Lauf</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>&amp;Glossar</translation>
    </message>
    <message>
        <source>&amp;User Guide</source>
        <translation>Hand&amp;buch</translation>
    </message>
    <message>
        <source>New &amp;Study…</source>
        <translation>Neue S&amp;tudie…</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>Ver&amp;gleichen</translation>
    </message>
    <message>
        <source>&amp;Insights</source>
        <translation>&amp;Einsichten</translation>
    </message>
    <message>
        <source>Show &amp;Paint Times</source>
        <translation>Zei&amp;chenzeiten zeigen</translation>
    </message>
    <message>
        <source>The study has ended.</source>
        <translation>Die Studie ist zu Ende.</translation>
    </message>
    <message>
        <source>Study: %1</source>
        <translation>Studie: %1</translation>
    </message>
    <message>
        <source>study</source>
        <translation>studie</translation>
    </message>
    <message>
        <source>No model that this program can run was found in %1; File &gt; Model Library says why.</source>
        <translation>In %1 wurde kein Modell gefunden, das dieses Programm ausführen kann; Datei &gt; Modellbibliothek sagt, warum.</translation>
    </message>
    <message>
        <source>Models added from %1: %2. %3 is selected.</source>
        <translation>Modelle aus %1 hinzugefügt: %2. %3 ist ausgewählt.</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Exportiert nach %1.</translation>
    </message>
    <message>
        <source>&amp;Compare With…</source>
        <translation>Vergleichen &amp;mit…</translation>
    </message>
    <message>
        <source>&amp;Record a Command…</source>
        <translation>Befehl &amp;aufzeichnen…</translation>
    </message>
    <message>
        <source>&amp;This Machine…</source>
        <translation>Dieser &amp;Rechner…</translation>
    </message>
    <message>
        <source>Measure &amp;Quality…</source>
        <translation>&amp;Qualität messen…</translation>
    </message>
</context>
<context>
    <name>ep::ui::WelcomePage</name>
    <message>
        <source>Energy Profiler</source>
        <translation>Energy Profiler</translation>
    </message>
    <message>
        <source>Open the recorded demo run</source>
        <translation>Den aufgezeichneten Demo-Lauf öffnen</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>Einen Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Check the power sensors</source>
        <translation>Die Leistungssensoren prüfen</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Recently opened</source>
        <translation>Früher geöffnet</translation>
    </message>
    <message>
        <source>What would you like to know? Each question is answered by runs on this computer; Help &gt; Welcome shows this page again.</source>
        <translation>Was möchten Sie wissen? Jede Frage wird durch Läufe auf diesem Computer beantwortet; Hilfe &gt; Willkommen zeigt diese Seite wieder.</translation>
    </message>
    <message>
        <source>Where do the joules go?</source>
        <translation>Wohin gehen die Joule?</translation>
    </message>
    <message>
        <source>Repeats a run for up to 20 s and ranks the parts of the model.</source>
        <translation>Wiederholt einen Lauf bis zu 20 s lang und ordnet die Teile des Modells.</translation>
    </message>
    <message>
        <source>Which format is cheapest here?</source>
        <translation>Welches Format ist hier am günstigsten?</translation>
    </message>
    <message>
        <source>Alternates between two number formats until one is known to need less energy.</source>
        <translation>Wechselt zwischen zwei Zahlenformaten, bis feststeht, welches weniger Energie braucht.</translation>
    </message>
    <message>
        <source>Did my change help?</source>
        <translation>Hat meine Änderung geholfen?</translation>
    </message>
    <message>
        <source>What would a million tokens cost?</source>
        <translation>Was würde eine Million Token kosten?</translation>
    </message>
    <message>
        <source>Two settings, models or servers, measured in turns</source>
        <translation>Zwei Einstellungen, Modelle oder Server, im Wechsel gemessen</translation>
    </message>
    <message>
        <source>Runs that exist already: choose them in History</source>
        <translation>Läufe, die es schon gibt: im Verlauf auswählen</translation>
    </message>
    <message>
        <source>Or begin here</source>
        <translation>Oder hier beginnen</translation>
    </message>
    <message>
        <source>Recorded on a simulated machine with several rails; its energies are not measured.</source>
        <translation>Auf einer simulierten Maschine mit mehreren Leistungsschienen aufgezeichnet; die Energien sind nicht gemessen.</translation>
    </message>
    <message>
        <source>HuggingFace, MLX or GGUF. You can also drop one here.</source>
        <translation>HuggingFace, MLX oder GGUF. Er lässt sich auch hierher ziehen.</translation>
    </message>
    <message>
        <source>What this computer can measure, and what is missing.</source>
        <translation>Was dieser Computer messen kann und was fehlt.</translation>
    </message>
    <message>
        <source>Record the state before a change now</source>
        <translation>Den Zustand vor einer Änderung jetzt aufzeichnen</translation>
    </message>
    <message>
        <source>Measure again after the change</source>
        <translation>Nach der Änderung erneut messen</translation>
    </message>
    <message>
        <source>Measure again after the change: compares with %1</source>
        <translation>Nach der Änderung erneut messen: verglichen mit %1</translation>
    </message>
    <message>
        <source>Compares two settings, two runs, or before and after.</source>
        <translation>Vergleicht zwei Einstellungen, zwei Läufe oder vorher und nachher.</translation>
    </message>
    <message>
        <source>An answer looks like this (the recorded demo run, a simulated machine):</source>
        <translation>So sieht eine Antwort aus (der aufgezeichnete Demo-Lauf, ein simulierter Rechner):</translation>
    </message>
    <message>
        <source>Repeats a run for up to 20 s: kWh, money and CO₂.</source>
        <translation>Wiederholt einen Lauf bis zu 20 s lang: kWh, Geld und CO₂.</translation>
    </message>
    <message>
        <source>Runs %1 for up to 20 s and ranks its parts. Prompt: “%2”</source>
        <translation>Führt %1 bis zu 20 s lang aus und ordnet seine Teile. Prompt: „%2“</translation>
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
        <translation>Nullanteil ist der Anteil der Ausgaben einer Komponente, deren Betrag darunter liegt.</translation>
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
        <source>The file in which runs are stored; empty for the default location. The window reopens with it. Runs are not moved: History can import them from the other file. Commands in a terminal use the default location, or the file that --db or EP_DB names.</source>
        <translation>Die Datei mit den Läufen; leer für den üblichen Ort. Das Fenster öffnet sich damit neu. Läufe werden nicht verschoben: Der Verlauf kann sie aus der anderen Datei einlesen. Befehle im Terminal nehmen den üblichen Ort oder die Datei, die --db oder EP_DB nennt.</translation>
    </message>
    <message>
        <source>Prompts, responses and token texts of new runs are not stored; equal prompts have equal hashes. Stored runs are not changed.</source>
        <translation>Prompts und Antworten der Läufe aus Live werden nicht gespeichert, auch nicht die Texte der Token; gleiche Prompts behalten gleiche Hashes. Schon gespeicherte Läufe bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Make a daily &amp;backup</source>
        <translation>Täglich eine &amp;Sicherung anlegen</translation>
    </message>
    <message>
        <source>The last three copies of the database stay beside it. If the database cannot be opened one day, History offers the newest.</source>
        <translation>Die letzten drei Kopien der Datenbank bleiben neben ihr liegen. Wenn sich die Datenbank eines Tages nicht öffnen lässt, bietet der Verlauf die neueste an.</translation>
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
    <message>
        <source>Local API</source>
        <translation>Lokale API</translation>
    </message>
    <message>
        <source>Allow &amp;programs on this computer to profile</source>
        <translation>&amp;Programmen auf diesem Rechner Läufe erlauben</translation>
    </message>
    <message>
        <source>Programs must present the token in %1, which only you can read. Other computers cannot connect.</source>
        <translation>Programme müssen das Token in %1 vorweisen, das nur Sie lesen können. Andere Rechner können sich nicht verbinden.</translation>
    </message>
    <message>
        <source>P&amp;ort</source>
        <translation>P&amp;ort</translation>
    </message>
    <message>
        <source>Port for connections from programs on this computer.</source>
        <translation>Port für Verbindungen von Programmen auf diesem Rechner.</translation>
    </message>
</context>
<context>
    <name>ep::ui::AboutDialog</name>
    <message>
        <source>Commit %1</source>
        <translation>Commit %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>&amp;Copy Versions</source>
        <translation>Versionen &amp;kopieren</translation>
    </message>
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
    <name>ep::ui::AnalysisPage</name>
    <message>
        <source>The open run was deleted by another program.</source>
        <translation>Der geöffnete Lauf wurde von einem anderen Programm gelöscht.</translation>
    </message>
    <message>
        <source>Open a Run in History</source>
        <translation>Einen Lauf im Verlauf öffnen</translation>
    </message>
    <message>
        <source>Make a Run in Live</source>
        <translation>Einen in Live starten</translation>
    </message>
    <message>
        <source>No run is open</source>
        <translation>Kein Lauf ist geöffnet</translation>
    </message>
    <message>
        <source>Open a run in History, or make one in Live.</source>
        <translation>Öffnen Sie einen Lauf im Verlauf oder starten Sie einen in Live.</translation>
    </message>
    <message>
        <source>Notes and Tags…</source>
        <translation>Notizen und Schlagwörter…</translation>
    </message>
    <message>
        <source>Tags: %1</source>
        <translation>Schlagwörter: %1</translation>
    </message>
    <message>
        <source>Show or fold the list of runs</source>
        <translation>Liste der Läufe zeigen oder einklappen</translation>
    </message>
    <message>
        <source>Prepare the same run in Live</source>
        <translation>Denselben Lauf in Live vorbereiten</translation>
    </message>
    <message>
        <source>Compare this run with…</source>
        <translation>Diesen Lauf vergleichen mit…</translation>
    </message>
    <message>
        <source>Save a report or export this run</source>
        <translation>Bericht speichern oder diesen Lauf exportieren</translation>
    </message>
    <message>
        <source>Choose in History…</source>
        <translation>Im Verlauf auswählen…</translation>
    </message>
    <message>
        <source>Save Report…</source>
        <translation>Bericht speichern…</translation>
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
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Show or fold the filters</source>
        <translation>Filter zeigen oder einklappen</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>Anzeige</translation>
    </message>
    <message>
        <source>What the list and the panes next to it show</source>
        <translation>Was die Liste und die Bereiche daneben zeigen</translation>
    </message>
    <message>
        <source>Columns…</source>
        <translation>Spalten …</translation>
    </message>
    <message>
        <source>Energy and generated tokens of the runs in the list</source>
        <translation>Energie und erzeugte Token der Läufe in der Liste</translation>
    </message>
    <message>
        <source>No run matches</source>
        <translation>Kein Lauf passt</translation>
    </message>
    <message>
        <source>The search or a filter, possibly of an earlier session, hides all runs.</source>
        <translation>Die Suche oder ein Filter, vielleicht aus einer früheren Sitzung, blendet alle Läufe aus.</translation>
    </message>
    <message>
        <source>Clear Search and Filters</source>
        <translation>Suche und Filter zurücksetzen</translation>
    </message>
    <message>
        <source>Restore Backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Restored %1. The database as it was before is %2.</source>
        <translation>%1 ist wiederhergestellt. Die Datenbank von vorher ist %2.</translation>
    </message>
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
        <source>Make a Run in Live</source>
        <translation>In Live einen Lauf starten</translation>
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
    <message>
        <source>Trend</source>
        <translation>Trend</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Save Report…</source>
        <translation>Bericht speichern…</translation>
    </message>
    <message>
        <source>Imported %1.</source>
        <translation>Importiert: %1.</translation>
    </message>
    <message>
        <source>Already existed: %1.</source>
        <translation>Schon vorhanden: %1.</translation>
    </message>
    <message>
        <source>Copy ID</source>
        <translation>Id kopieren</translation>
    </message>
    <message>
        <source>Save Report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Energy per token over time</source>
        <translation>Energie je Token über die Zeit</translation>
    </message>
    <message>
        <source>The selected run</source>
        <translation>Der gewählte Lauf</translation>
    </message>
    <message>
        <source>Select a run to see its details.</source>
        <translation>Wählen Sie einen Lauf, um Einzelheiten zu sehen.</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Power samples</source>
        <translation>Leistungsmesswerte</translation>
    </message>
    <message>
        <source>Manifest</source>
        <translation>Manifest</translation>
    </message>
    <message>
        <source>Fold Repeats</source>
        <translation>Wiederholungen zusammenfassen</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Save Reports</source>
        <translation>Berichte speichern</translation>
    </message>
    <message>
        <source>%1 of History</source>
        <translation>%1 aus dem Verlauf</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>Gruppieren nach</translation>
    </message>
    <message>
        <source>Repeats of a setting</source>
        <translation>Wiederholungen einer Einstellung</translation>
    </message>
    <message>
        <source>Fold repeats, or runs with a property in common, into one row</source>
        <translation>Wiederholungen oder Läufe mit einer gemeinsamen Eigenschaft in einer Zeile zusammenfassen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Jobs of Several Requests</source>
        <translation>Aufträge aus mehreren Anfragen</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Totals</source>
        <translation>Summen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
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
    <message>
        <source>Run Anyway</source>
        <translation>Trotzdem starten</translation>
    </message>
    <message>
        <source>The energy of this run is not known: the power samples do not cover all of it.</source>
        <translation>Die Energie dieses Laufs ist nicht bekannt: die Messwerte decken ihn nicht ganz ab.</translation>
    </message>
    <message>
        <source>Show or fold the choices</source>
        <translation>Einstellungen zeigen oder einklappen</translation>
    </message>
    <message>
        <source>Open in Analysis</source>
        <translation>In der Analyse öffnen</translation>
    </message>
    <message>
        <source>Use Modelled</source>
        <translation>Modelliert verwenden</translation>
    </message>
    <message>
        <source>The energy of this run is not known: the run is too short for this sensor. Repeat it, or generate more tokens.</source>
        <translation>Die Energie dieses Laufs ist nicht bekannt: Der Lauf ist zu kurz für diesen Sensor. Wiederholen Sie ihn, oder erzeugen Sie mehr Token.</translation>
    </message>
    <message>
        <source>No power sensor works on this machine: Automatic records times and no joules. Modelled estimates the power from the processor&apos;s utilisation, between the watts of the idle and of the fully busy machine; every figure is marked as modelled.</source>
        <translation>Auf diesem Rechner arbeitet kein Leistungssensor: „Automatisch“ misst Zeiten und keine Joule. „Modelliert“ schätzt die Leistung aus der Auslastung des Prozessors, zwischen den Watt des ruhenden und des voll beschäftigten Rechners; jede Zahl ist als modelliert gekennzeichnet.</translation>
    </message>
    <message>
        <source>%1 %2 (was %3)</source>
        <translation>%1 %2 (war %3)</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation>Höchstens Token</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Stapelgröße</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>Set as in the run: %1.</source>
        <translation>Wie im Lauf gesetzt: %1.</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>Vergleichen mit…</translation>
    </message>
    <message>
        <source>Measure whether another format, model, server, command or setting needs less energy</source>
        <translation>Misst, ob ein anderes Format, Modell, ein anderer Server oder Befehl oder eine andere Einstellung weniger Energie braucht</translation>
    </message>
    <message>
        <source>The old man sat by the sea</source>
        <translation>Der alte Mann saß am Meer</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Not as in the run: %1.</source>
        <translation>Nicht wie im Lauf: %1.</translation>
    </message>
</context>
<context>
    <name>ep::ui::LiveView</name>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Of the newest sample</source>
        <translation>Aus der neuesten Messung</translation>
    </message>
    <message>
        <source>Mean of the run</source>
        <translation>Mittel des Laufs</translation>
    </message>
    <message>
        <source>Tokens generated so far</source>
        <translation>Bisher erzeugte Token</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Vergangen</translation>
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
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>How tokens are combined</source>
        <translation>Wie Token zusammengefasst werden</translation>
    </message>
    <message>
        <source>Latest tokens</source>
        <translation>Neueste Token</translation>
    </message>
    <message>
        <source>Mean of all tokens</source>
        <translation>Mittel aller Token</translation>
    </message>
    <message>
        <source>This run records no layers: select the depth Module.</source>
        <translation>Dieser Lauf zeichnet keine Schichten auf: Wählen Sie die Tiefe Modul.</translation>
    </message>
    <message>
        <source>Run %1; recording overhead %2</source>
        <translation>Lauf %1; Aufwand der Aufzeichnung %2</translation>
    </message>
    <message>
        <source>Remaining: %1</source>
        <translation>Noch: %1</translation>
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
        <source>Number format</source>
        <translation>Zahlenformat</translation>
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
        <source>Max to&amp;kens</source>
        <translation>Max. &amp;Token</translation>
    </message>
    <message>
        <source>&amp;Depth</source>
        <translation>Ti&amp;efe</translation>
    </message>
    <message>
        <source>Devi&amp;ce</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>Power &amp;source</source>
        <translation>Leistungs&amp;quelle</translation>
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
        <source>Negligible overhead; no heatmap.</source>
        <translation>Kostet fast nichts; keine Heatmap.</translation>
    </message>
    <message>
        <source>Deep: individual operations</source>
        <translation>Operationen: jede einzelne</translation>
    </message>
    <message>
        <source>Measurement</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Groups runs in History</source>
        <translation>Gruppiert Läufe im Verlauf</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>E&amp;xperiment</source>
        <translation>E&amp;xperiment</translation>
    </message>
    <message>
        <source>Computes attention, norms and activations step by step: the text is the same, it costs more energy than normal inference.</source>
        <translation>Rechnet Attention, Normen und Aktivierungen Schritt für Schritt: Der Text bleibt gleich, kostet aber mehr Energie als gewöhnliche Inferenz.</translation>
    </message>
    <message>
        <source>Slower, and more energy.</source>
        <translation>Langsamer, mehr Energie.</translation>
    </message>
    <message>
        <source>Slightly slower; a run says by how much.</source>
        <translation>Etwas langsamer; jeder Lauf sagt, um wie viel.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Until ± 2 %</source>
        <translation>Bis ± 2 %</translation>
    </message>
    <message>
        <source>Repeat until the 95 % interval of the energy per token is within 2 % of its mean, at most as often as above and for ten minutes</source>
        <translation>Wiederholen, bis das 95-%-Intervall der Energie je Token höchstens 2 % um den Mittelwert liegt, höchstens so viele Läufe wie oben und zehn Minuten lang</translation>
    </message>
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
        <translation>Pause da&amp;zwischen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Warm-up tokens</source>
        <translation>Token zum Aufwärmen</translation>
    </message>
    <message>
        <source>Number of runs</source>
        <translation>Anzahl der Läufe</translation>
    </message>
    <message>
        <source>Seconds of idle power before the run</source>
        <translation>Sekunden Leerlauf vor dem Lauf</translation>
    </message>
    <message>
        <source>Duration of the idle power measurement before the run; idle power is subtracted for net energy</source>
        <translation>Wie lange die Leerlaufleistung vor dem Lauf gemessen wird; für die Nettoenergie wird sie abgezogen</translation>
    </message>
    <message>
        <source>Tokens to generate and discard before the run, so that caches and clock frequencies settle</source>
        <translation>Token, die vor dem Lauf erzeugt und verworfen werden, damit sich Caches und Takte einpendeln</translation>
    </message>
    <message>
        <source>Repeats the run this many times, one after the other; statistics need several</source>
        <translation>So oft derselbe Lauf nacheinander; Statistik braucht mehrere</translation>
    </message>
    <message>
        <source>&amp;Idle baseline</source>
        <translation>Lee&amp;rlauf davor</translation>
    </message>
    <message>
        <source>&amp;Warm-up</source>
        <translation>Aufwärme&amp;n</translation>
    </message>
    <message>
        <source>Ru&amp;ns</source>
        <translation>Lä&amp;ufe</translation>
    </message>
    <message>
        <source>Until ± 2 % (from %1 runs)</source>
        <translation>Bis ± 2 % (ab %1 Läufen)</translation>
    </message>
</context>
<context>
    <name>ep::ui::ModelPicker</name>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF-Modelle (*.gguf)</translation>
    </message>
    <message>
        <source>Choose a GGUF File</source>
        <translation>GGUF-Datei wählen</translation>
    </message>
    <message>
        <source>%1 (not found)</source>
        <translation>%1 (nicht gefunden)</translation>
    </message>
    <message>
        <source>%1 is not there any more: put it back, or choose another model.</source>
        <translation>%1 ist nicht mehr da: Legen Sie es zurück oder wählen Sie ein anderes Modell.</translation>
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
    <message>
        <source>The server %1 has not been looked for: choose Find Running Servers in the list, or choose another model.</source>
        <translation>Der Server %1 wurde nicht gesucht: Wählen Sie in der Liste „Laufende Server suchen“ oder ein anderes Modell.</translation>
    </message>
    <message>
        <source>Another Model Folder…</source>
        <translation>Ein anderer Modellordner…</translation>
    </message>
    <message>
        <source>Another GGUF File…</source>
        <translation>Eine andere GGUF-Datei…</translation>
    </message>
    <message>
        <source>Find Running Servers</source>
        <translation>Laufende Server suchen</translation>
    </message>
    <message>
        <source>Looking for servers…</source>
        <translation>Server werden gesucht…</translation>
    </message>
    <message>
        <source>Record a Command…</source>
        <translation>Befehl aufzeichnen…</translation>
    </message>
    <message>
        <source>No models found. Choose a model's folder or GGUF file in the list, or drop it here.</source>
        <translation>Keine Modelle gefunden. Wählen Sie in der Liste einen Modellordner oder eine GGUF-Datei, oder legen Sie sie hier ab.</translation>
    </message>
</context>
<context>
    <name>ep::ui::StatusFigures</name>
    <message>
        <source>Power: %1</source>
        <translation>Leistung: %1</translation>
    </message>
    <message>
        <source>%1 readings/s</source>
        <translation>%1 Messwerte/s</translation>
    </message>
    <message>
        <source>%1 of %2 readings/s</source>
        <translation>%1 von %2 Messwerten/s</translation>
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
    <message>
        <source>Power readings per second: received of requested</source>
        <translation>Leistungsmesswerte je Sekunde: erhalten von verlangt</translation>
    </message>
    <message>
        <source>Decode phase only</source>
        <translation>Nur Dekodierphase</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunView</name>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
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
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>   head %1</source>
        <translation>   Kopf %1</translation>
    </message>
    <message>
        <source>  expert</source>
        <translation>  Experte</translation>
    </message>
    <message>
        <source>  rows</source>
        <translation>  Zeilen</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Spannen</translation>
    </message>
    <message>
        <source>How tokens are combined</source>
        <translation>Wie Token zusammengefasst werden</translation>
    </message>
    <message>
        <source>Layers and components as a table</source>
        <translation>Schichten und Komponenten als Tabelle</translation>
    </message>
    <message>
        <source>This run has no power samples: its power source was “%1”.</source>
        <translation>Dieser Lauf hat keine Leistungsmesswerte: Seine Quelle war „%1“.</translation>
    </message>
    <message>
        <source>This run has no recorded phases.</source>
        <translation>Dieser Lauf hat keine aufgezeichneten Phasen.</translation>
    </message>
    <message>
        <source>Operations: %1</source>
        <translation>Operationen: %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>This component has no operations</source>
        <translation>Diese Komponente hat keine Operationen</translation>
    </message>
    <message>
        <source>Show or fold the details</source>
        <translation>Einzelheiten zeigen oder einklappen</translation>
    </message>
    <message>
        <source>This is recorded run by run. Choose “Sums of the run” instead of the mean to see it of this run.</source>
        <translation>Das wird Lauf für Lauf aufgezeichnet. Wählen Sie statt des Mittels „Summen des Laufs“, um es von diesem Lauf zu sehen.</translation>
    </message>
    <message>
        <source>Largest Layers First</source>
        <translation>Größte Schichten zuerst</translation>
    </message>
    <message>
        <source>What is below the power</source>
        <translation>Was unter der Leistung steht</translation>
    </message>
    <message>
        <source>Power and rails by phase</source>
        <translation>Leistung und Schienen nach Phase</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Mean of Tokens</source>
        <translation>Mittel der Token</translation>
    </message>
    <message>
        <source>Sum of Tokens</source>
        <translation>Summe der Token</translation>
    </message>
    <message>
        <source>Table of Layers and Components</source>
        <translation>Tabelle der Schichten und Komponenten</translation>
    </message>
</context>
<context>
    <name>ep::ui</name>
    <message>
        <source>Time of the run</source>
        <translation>Zeit des Laufs</translation>
    </message>
    <message>
        <source>Energy of the run</source>
        <translation>Energie des Laufs</translation>
    </message>
    <message>
        <source>The requests state how many tokens there were, not which.</source>
        <translation>Die Anfragen nennen nur die Anzahl der Tokens, nicht die Tokens selbst.</translation>
    </message>
    <message>
        <source>This recording names no tokens: import it with the file of its requests.</source>
        <translation>Diese Aufzeichnung nennt keine Tokens: Importieren Sie sie mit der Datei ihrer Anfragen.</translation>
    </message>
    <message>
        <source>This run produced no token.</source>
        <translation>Dieser Lauf hat kein Token erzeugt.</translation>
    </message>
    <message>
        <source>read from another program's recording of power</source>
        <translation>aus der Leistungsaufzeichnung eines anderen Programms gelesen</translation>
    </message>
    <message>
        <source>%1 of %2 went into %3</source>
        <translation>%1 von %2 gingen in %3</translation>
    </message>
    <message>
        <source>, %1 into %2</source>
        <translation>, %1 in %2</translation>
    </message>
    <message>
        <source> and %1 into %2</source>
        <translation> und %1 in %2</translation>
    </message>
    <message>
        <source>; %1 was spent in %2</source>
        <translation>; %1 davon in der Phase %2</translation>
    </message>
    <message>
        <source>95 % interval: two standard deviations to either side.</source>
        <translation>95-%-Intervall: zwei Standardabweichungen nach jeder Seite.</translation>
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
        <source>There is no model here: choose the folder of a HuggingFace or MLX model, which has a config.json, or a GGUF file.</source>
        <translation>Hier ist kein Modell: Wählen Sie den Ordner eines HuggingFace- oder MLX-Modells, der eine config.json hat, oder eine GGUF-Datei.</translation>
    </message>
    <message>
        <source>Export Run as JSON</source>
        <translation>Lauf als JSON exportieren</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export Run as Trace for ui.perfetto.dev</source>
        <translation>Lauf als Trace für ui.perfetto.dev exportieren</translation>
    </message>
    <message>
        <source>Trace (*.json)</source>
        <translation>Trace (*.json)</translation>
    </message>
    <message>
        <source>Export Run as Zipped CSV Tables</source>
        <translation>Lauf als gezippte CSV-Tabellen exportieren</translation>
    </message>
    <message>
        <source>Zip archive (*.zip)</source>
        <translation>Zip-Archiv (*.zip)</translation>
    </message>
    <message>
        <source>Export Run as CSV Tables</source>
        <translation>Lauf als CSV-Tabellen exportieren</translation>
    </message>
    <message>
        <source>Export Here</source>
        <translation>Hierher exportieren</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
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
        <translation>Lauf-Datenbank</translation>
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
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>%1 layers × %2</source>
        <translation>%1 Schichten × %2</translation>
    </message>
    <message>
        <source>%1 · %2 · energy %3 · run %4 · “%5”</source>
        <translation>%1 · %2 · Energie %3 · Lauf %4 · „%5“</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <source>tokens %1 to %2</source>
        <translation>Token %1 bis %2</translation>
    </message>
    <message>
        <source>a time range</source>
        <translation>ein Zeitbereich</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1 (%2 bis %3)</translation>
    </message>
    <message>
        <source>Not enough data (probability %1). </source>
        <translation>Nicht zu entscheiden (Wahrscheinlichkeit %1). </translation>
    </message>
    <message>
        <source>Compute in %1</source>
        <translation>In %1 rechnen</translation>
    </message>
    <message>
        <source>: saves %1 (%2 to %3), %4 of the run, predicted</source>
        <translation>: spart %1 (%2 bis %3), %4 des Laufs, vorhergesagt</translation>
    </message>
    <message>
        <source>Tried %1: predicted %2, observed %3</source>
        <translation>Versucht: %1, vorhergesagt %2, beobachtet %3</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>Such advice held %1 of 1 time on this machine.</source>
        <translation>Solcher Rat traf auf diesem Rechner in %1 von 1 Fall zu.</translation>
    </message>
    <message>
        <source>Such advice held %1 of %2 times on this machine.</source>
        <translation>Solcher Rat traf auf diesem Rechner in %1 von %2 Fällen zu.</translation>
    </message>
    <message>
        <source> Beyond the knee (%1, %2, %3, %4 tokens/s), more speed costs disproportionately more energy.</source>
        <translation> Jenseits des Knicks (%1, %2, %3, %4 Token/s) kostet mehr Tempo unverhältnismäßig mehr Energie.</translation>
    </message>
    <message>
        <source>No run in the list has this figure.</source>
        <translation>Kein Lauf der Liste hat diese Größe.</translation>
    </message>
    <message>
        <source>Decoded token</source>
        <translation>Decodiertes Token</translation>
    </message>
    <message>
        <source>Input token</source>
        <translation>Eingabe-Token</translation>
    </message>
    <message>
        <source>No run in the list has energies for both prefill and decode.</source>
        <translation>Kein Lauf der Liste hat Energien für Prefill und Decode.</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>(ohne Namen)</translation>
    </message>
    <message>
        <source>Based on 0 runs.</source>
        <translation>Beruht auf 0 Läufen.</translation>
    </message>
    <message>
        <source>Quality and energy per token</source>
        <translation>Qualität und Energie je Token</translation>
    </message>
    <message>
        <source>No run in the list has both figures.</source>
        <translation>Kein Lauf der Liste hat beide Größen.</translation>
    </message>
    <message>
        <source> (95 % interval %1 to %2)</source>
        <translation> (95-%-Intervall %1 bis %2)</translation>
    </message>
    <message>
        <source>, R² %1; based on %2 of %3 with %4 different values. Other differences between the runs widen the interval or distort the fit.</source>
        <translation>, R² %1; beruht auf %2 von %3 mit %4 verschiedenen Werten. Andere Unterschiede zwischen den Läufen weiten das Intervall oder verzerren die Anpassung.</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Perplexity on %1</source>
        <translation>Perplexität auf %1</translation>
    </message>
    <message>
        <source>Quality of the model</source>
        <translation>Qualität des Modells</translation>
    </message>
    <message>
        <source>Measured with this model and number format, without energy; a lower perplexity is better.</source>
        <translation>Gemessen mit diesem Modell und Zahlenformat, ohne Energie; eine niedrigere Perplexität ist besser.</translation>
    </message>
    <message>
        <source>%1 tokens scored, context %2, stride %3; %4</source>
        <translation>%1 Token bewertet, Kontext %2, Schrittweite %3; %4</translation>
    </message>
    <message>
        <source>KL divergence from f32</source>
        <translation>KL-Divergenz von f32</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 Nat</translation>
    </message>
    <message>
        <source>Mean over the scored tokens, against f32 of the same weights</source>
        <translation>Mittel über die bewerteten Token, gegenüber f32 derselben Gewichte</translation>
    </message>
    <message>
        <source>Same most likely token as f32</source>
        <translation>Gleiches wahrscheinlichstes Token wie f32</translation>
    </message>
    <message>
        <source>Share of the scored tokens</source>
        <translation>Anteil der bewerteten Token</translation>
    </message>
    <message>
        <source>%1 comes first and %2 last of %3 groups; based on %4. The groups may also differ in other respects: compare runs to find the cause.</source>
        <translation>%1 steht an erster, %2 an letzter Stelle von %3 Gruppen; beruht auf: %4. Die Gruppen können sich auch sonst unterscheiden: Ein Vergleich von Läufen zeigt die Ursache.</translation>
    </message>
    <message>
        <source>Circled: %1 of %2 that no other run beats in both speed and energy per token (Pareto front).</source>
        <translation>Umkreist: %1 von %2, die kein anderer Lauf in Tempo und Energie je Token zugleich schlägt (Pareto-Front).</translation>
    </message>
    <message>
        <source>1 model</source>
        <translation>1 Modell</translation>
    </message>
    <message>
        <source>%1 models</source>
        <translation>%1 Modellen</translation>
    </message>
    <message>
        <source>No run in the list has both an energy per token and a speed.</source>
        <translation>Kein Lauf der Liste hat sowohl eine Energie je Token als auch ein Tempo.</translation>
    </message>
    <message>
        <source>%1 scales with %2 to the power of %3</source>
        <translation>%1 wächst mit „%2“ hoch %3</translation>
    </message>
    <message>
        <source> Quality not measured for %1 of the listed runs.</source>
        <translation> Für %1 der Läufe ist die Qualität nicht gemessen.</translation>
    </message>
    <message>
        <source>Throughput and energy per token</source>
        <translation>Tempo und Energie je Token</translation>
    </message>
    <message>
        <source>No run in the list has an energy per token.</source>
        <translation>Kein Lauf der Liste hat eine Energie je Token.</translation>
    </message>
    <message>
        <source>. The literature's figure, for other models and machines, is about %1 times.</source>
        <translation>. In der Literatur ist es, für andere Modelle und Rechner, etwa das %1-Fache.</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1 nach %2</translation>
    </message>
    <message>
        <source>Without a model</source>
        <translation>Ohne Modell</translation>
    </message>
    <message>
        <source>other models</source>
        <translation>andere Modelle</translation>
    </message>
    <message>
        <source>knee</source>
        <translation>Knick</translation>
    </message>
    <message>
        <source>Based on %1 in %2 group: there is nothing to rank.</source>
        <translation>Beruht auf: %1 in %2 Gruppe. Es gibt nichts zu ordnen.</translation>
    </message>
    <message>
        <source>Energy per input token and per decoded token</source>
        <translation>Energie je Eingabe- und je decodiertem Token</translation>
    </message>
    <message>
        <source>Energy per token over time</source>
        <translation>Energie je Token im Lauf der Zeit</translation>
    </message>
    <message>
        <source>%1, %2 per token</source>
        <translation>%1, %2 je Token</translation>
    </message>
    <message>
        <source>Quality not measured: no run in the list has a perplexity.</source>
        <translation>Qualität nicht gemessen: Kein Lauf der Liste hat eine Perplexität.</translation>
    </message>
    <message>
        <source>Circled: %1 of %2 runs that no other run beats in both energy per token and perplexity on %3.</source>
        <translation>Umkreist: %1 von %2 Läufen, die kein anderer in Energie je Token und Perplexität auf %3 zugleich schlägt.</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Joules: %1.</source>
        <translation>Joule: %1.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>No power was recorded.</source>
        <translation>Es wurde keine Leistung aufgezeichnet.</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Seconds from the start</source>
        <translation>Sekunden seit dem Beginn</translation>
    </message>
    <message>
        <source>Seconds from the first decoded token</source>
        <translation>Sekunden seit dem ersten dekodierten Token</translation>
    </message>
    <message>
        <source>The first run of each group.</source>
        <translation>Der erste Lauf jeder Gruppe.</translation>
    </message>
    <message>
        <source>Cumulative energy of the tokens</source>
        <translation>Aufsummierte Energie der Token</translation>
    </message>
    <message>
        <source>No token has an energy.</source>
        <translation>Kein Token hat eine Energie.</translation>
    </message>
    <message>
        <source>Token 0 includes the prefill.</source>
        <translation>Token 0 enthält den Prefill.</translation>
    </message>
    <message>
        <source>Energy of the decoded tokens</source>
        <translation>Energie der dekodierten Token</translation>
    </message>
    <message>
        <source>Every dot is a token; box: quartiles; diamond: mean with the 95 % interval for this run.</source>
        <translation>Jeder Punkt ist ein Token; Kasten: Quartile; Raute: Mittel mit dem 95-%-Intervall für diesen Lauf.</translation>
    </message>
    <message>
        <source>No run has this figure.</source>
        <translation>Kein Lauf hat diese Kennzahl.</translation>
    </message>
    <message>
        <source>Every dot is a run; box: quartiles; diamond: mean with its 95 % interval.</source>
        <translation>Jeder Punkt ist ein Lauf; Kasten: Quartile; Raute: Mittel mit seinem 95-%-Intervall.</translation>
    </message>
    <message>
        <source>Energy, %1 minus %2</source>
        <translation>Energie, %1 minus %2</translation>
    </message>
    <message>
        <source>Time, %1 minus %2</source>
        <translation>Zeit, %1 minus %2</translation>
    </message>
    <message>
        <source>No layer has an energy on both sides.</source>
        <translation>Keine Schicht hat auf beiden Seiten eine Energie.</translation>
    </message>
    <message>
        <source>No layer has a time on both sides.</source>
        <translation>Keine Schicht hat auf beiden Seiten eine Zeit.</translation>
    </message>
    <message>
        <source>en</source>
        <translation>de</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Auswahl der Token</translation>
    </message>
    <message>
        <source>Power source</source>
        <translation>Leistungsquelle</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Energy Profiler</source>
        <translation>Energy Profiler</translation>
    </message>
    <message>
        <source>A step is one forward pass; token 0 is produced by the prefill and includes its energy. All times are from one monotonic clock. Missing values are a dash, never a zero.</source>
        <translation>Ein Schritt ist ein Vorwärtsdurchlauf; Token 0 entsteht im Prefill und enthält dessen Energie. Alle Zeiten stammen von einer monotonen Uhr. Fehlende Werte sind ein Strich, nie eine Null.</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>; %1 not covered</source>
        <translation>; %1 nicht abgedeckt</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>Part, per output token</source>
        <translation>Teil, je Ausgabetoken</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>by amount</source>
        <translation>durch Menge</translation>
    </message>
    <message>
        <source>by price</source>
        <translation>durch Preis</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>Relativ</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Energy and quality: %1.</source>
        <translation>Energie und Güte: %1.</translation>
    </message>
    <message>
        <source>Node, %1</source>
        <translation>Knoten, %1</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>minus baseline</source>
        <translation>minus Vergleichsbasis</translation>
    </message>
    <message>
        <source>Time minus baseline</source>
        <translation>Zeit minus Vergleichsbasis</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>Run: %1</source>
        <translation>Lauf: %1</translation>
    </message>
    <message>
        <source>%1, %2 on %3, %4, run %5. Joules are %6.</source>
        <translation>%1, %2 auf %3, %4, Lauf %5. Joule sind %6.</translation>
    </message>
    <message>
        <source>This run did not complete: %1. %2</source>
        <translation>Dieser Lauf wurde nicht fertig: %1. %2</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Kennzahlen</translation>
    </message>
    <message>
        <source>timed</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <source>Mean energy of the decoded tokens, without the time between them: %1, 95 % interval %2 by a block bootstrap over %3 tokens in blocks of %4. It applies to this run only.</source>
        <translation>Mittlere Energie der decodierten Token ohne die Zeit dazwischen: %1, 95-%-Intervall %2 aus einem Block-Bootstrap über %3 Token in Blöcken von %4. Es gilt nur für diesen Lauf.</translation>
    </message>
    <message>
        <source>Power and phases</source>
        <translation>Leistung und Phasen</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Energy per output token</source>
        <translation>Energie je Ausgabetoken</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>sd</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Layers and components</source>
        <translation>Schichten und Komponenten</translation>
    </message>
    <message>
        <source>Method and provenance</source>
        <translation>Verfahren und Herkunft</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Manifest</source>
        <translation>Manifest</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Comparison: %1</source>
        <translation>Vergleich: %1</translation>
    </message>
    <message>
        <source>The groups do not differ in any setting.</source>
        <translation>Die Gruppen unterscheiden sich in keiner Einstellung.</translation>
    </message>
    <message>
        <source>The groups differ in: %1.</source>
        <translation>Die Gruppen unterscheiden sich in: %1.</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Breakdown of the difference</source>
        <translation>Aufschlüsselung des Unterschieds</translation>
    </message>
    <message>
        <source>%1 (first of %2)</source>
        <translation>%1 (erster von %2)</translation>
    </message>
    <message>
        <source>Runs:</source>
        <translation>Läufe:</translation>
    </message>
    <message>
        <source>Seconds from the start of the run</source>
        <translation>Sekunden seit dem Beginn des Laufs</translation>
    </message>
    <message>
        <source>Energy of each decoded token</source>
        <translation>Energie jedes dekodierten Tokens</translation>
    </message>
    <message>
        <source>Token 0, which includes the prefill, is omitted.</source>
        <translation>Token 0, das den Prefill enthält, ist weggelassen.</translation>
    </message>
    <message>
        <source>Energy by phase and section</source>
        <translation>Energie nach Phase und Abschnitt</translation>
    </message>
    <message>
        <source>Time by phase and section</source>
        <translation>Zeit nach Phase und Abschnitt</translation>
    </message>
    <message>
        <source>The run has no phases.</source>
        <translation>Der Lauf hat keine Phasen.</translation>
    </message>
    <message>
        <source>Energy by layer and component</source>
        <translation>Energie nach Schicht und Komponente</translation>
    </message>
    <message>
        <source>Time by layer and component</source>
        <translation>Zeit nach Schicht und Komponente</translation>
    </message>
    <message>
        <source>Layers were not recorded at this depth.</source>
        <translation>In dieser Tiefe wurden keine Schichten aufgezeichnet.</translation>
    </message>
    <message>
        <source>Summed over all tokens.</source>
        <translation>Über alle Token summiert.</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>Zelle</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>energy per token</source>
        <translation>Energie je Token</translation>
    </message>
    <message>
        <source>time (no energies are available)</source>
        <translation>Zeit (keine Energien verfügbar)</translation>
    </message>
    <message>
        <source>Charts follow for the baseline and the first %1 configurations of the table, which need the least energy; `energy-profiler runs report` draws them for any other runs.</source>
        <translation>Es folgen Diagramme der Vergleichsbasis und der ersten %1 Konfigurationen der Tabelle, die am wenigsten Energie brauchen; `energy-profiler runs report` zeichnet sie für beliebige andere Läufe.</translation>
    </message>
    <message>
        <source>Study: %1</source>
        <translation>Studie: %1</translation>
    </message>
    <message>
        <source>%1 of %2 runs are done.</source>
        <translation>%1 von %2 Läufen sind fertig.</translation>
    </message>
    <message>
        <source>%1; power source %2</source>
        <translation>%1; Leistungsquelle %2</translation>
    </message>
    <message>
        <source>Not enough data. %1</source>
        <translation>Nicht zu sagen. %1</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Where it went</source>
        <translation>Wohin sie ging</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Ursachen</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>Explains</source>
        <translation>Erklärt</translation>
    </message>
    <message>
        <source>Share (95 % interval)</source>
        <translation>Anteil (95-%-Intervall)</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Roofline of time</source>
        <translation>Roofline der Zeit</translation>
    </message>
    <message>
        <source>Energy roofline</source>
        <translation>Energie-Dachlinie</translation>
    </message>
    <message>
        <source>FLOPs per byte</source>
        <translation>FLOP je Byte</translation>
    </message>
    <message>
        <source>No part of this run has counted work: record it at depth module.</source>
        <translation>Kein Teil dieses Laufs hat gezählte Arbeit: zeichnen Sie ihn mit der Tiefe Modul auf.</translation>
    </message>
    <message>
        <source>Size of a dot: its share.</source>
        <translation>Größe eines Punkts: sein Anteil.</translation>
    </message>
    <message>
        <source>limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Line: what this machine reaches.</source>
        <translation>Linie: was dieser Rechner erreicht.</translation>
    </message>
    <message>
        <source>No line: the limits of this machine are not measured.</source>
        <translation>Keine Linie: die Grenzen dieses Rechners sind nicht gemessen.</translation>
    </message>
    <message>
        <source>%1, %2 on %3: %4 (%5)</source>
        <translation>%1, %2 auf %3: %4 (%5)</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>No pair has been measured yet.</source>
        <translation>Es wurde noch kein Paar gemessen.</translation>
    </message>
    <message>
        <source>%1, pairs: %2</source>
        <translation>%1, Paare: %2</translation>
    </message>
    <message>
        <source>Time per token</source>
        <translation>Zeit je Token</translation>
    </message>
    <message>
        <source>, pairs: %1</source>
        <translation>, Paare: %1</translation>
    </message>
    <message>
        <source>Energy of the listed runs</source>
        <translation>Energie der gelisteten Läufe</translation>
    </message>
    <message>
        <source>None of the listed runs has an energy.</source>
        <translation>Keiner der gelisteten Läufe hat eine Energie.</translation>
    </message>
    <message>
        <source>Energy of each request</source>
        <translation>Energie jeder Anfrage</translation>
    </message>
    <message>
        <source>None of the requests has an energy.</source>
        <translation>Keine der Anfragen hat eine Energie.</translation>
    </message>
    <message>
        <source>%1, %2 in, %3 out</source>
        <translation>%1, %2 ein, %3 aus</translation>
    </message>
    <message>
        <source>Energy of the prefill by the role of the text</source>
        <translation>Energie des Prefills nach der Rolle des Textes</translation>
    </message>
    <message>
        <source>The prefill of these requests has no energy of its own.</source>
        <translation>Das Prefill dieser Anfragen hat keine eigene Energie.</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>History, read again</source>
        <translation>Verlauf, erneut gelesen</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Context that was read again: %1; the prompt cache saved %2.</source>
        <translation>Erneut gelesener Kontext: %1; der Prompt-Cache hat %2 gespart.</translation>
    </message>
    <message>
        <source>Waiting between the requests, for tools or the user: %1, %2 at the idle power.</source>
        <translation>Warten zwischen den Anfragen, auf Werkzeuge oder den Benutzer: %1, %2 bei Leerlaufleistung.</translation>
    </message>
    <message>
        <source>Energy per token after each run, with its 95 % interval</source>
        <translation>Energie je Token nach jedem Lauf, mit ihrem 95-%-Intervall</translation>
    </message>
    <message>
        <source>No run has ended yet.</source>
        <translation>Noch ist kein Lauf zu Ende.</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Token %1 “%2”</source>
        <translation>Token %1 „%2“</translation>
    </message>
    <message>
        <source>Circled: %1 of %2 settings that no other beats in both speed and energy per token (Pareto front); %3, repeats averaged.</source>
        <translation>Umkreist: %1 von %2 Einstellungen, die keine andere in Tempo und Energie je Token zugleich schlägt (Pareto-Front); %3, Wiederholungen gemittelt.</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>CO₂</source>
        <translation>CO₂</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message>
        <source>%1 of the whole run</source>
        <translation>%1 im ganzen Lauf</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>computing…</source>
        <translation>wird berechnet…</translation>
    </message>
    <message>
        <source>Not covered by samples</source>
        <translation>Nicht von Messwerten erfasst</translation>
    </message>
    <message>
        <source>Uncertainty</source>
        <translation>Unsicherheit</translation>
    </message>
    <message>
        <source>Net energy</source>
        <translation>Nettoenergie</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Share of the run</source>
        <translation>Anteil am Lauf</translation>
    </message>
    <message>
        <source>Mean power</source>
        <translation>Mittlere Leistung</translation>
    </message>
    <message>
        <source>Peak power</source>
        <translation>Spitzenleistung</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>no matches</source>
        <translation>keine Treffer</translation>
    </message>
    <message>
        <source>1 cell</source>
        <translation>1 Zelle</translation>
    </message>
    <message>
        <source>%1 cells</source>
        <translation>%1 Zellen</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source> of the energy</source>
        <translation> der Energie</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 von %2 Läufen</translation>
    </message>
    <message>
        <source> (%1 runs)</source>
        <translation> (%1 Läufe)</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Idle share</source>
        <translation>Leerlaufanteil</translation>
    </message>
    <message>
        <source>Energy that the idle machine would have used in the same time</source>
        <translation>Energie, die der Rechner im Leerlauf in dieser Zeit gebraucht hätte</translation>
    </message>
    <message>
        <source>Share of rated power</source>
        <translation>Anteil der Nennleistung</translation>
    </message>
    <message>
        <source>Cost and carbon</source>
        <translation>Kosten und CO₂</translation>
    </message>
    <message>
        <source>%1 USD/kWh, %2 g CO₂/kWh; %3</source>
        <translation>%1 USD/kWh, %2 g CO₂/kWh; %3</translation>
    </message>
    <message>
        <source>Per million tokens at this rate</source>
        <translation>Je Million Token</translation>
    </message>
    <message>
        <source>Energy of the run / output tokens × 1,000,000</source>
        <translation>Energie des Laufs / ausgegebene Token × 1 000 000</translation>
    </message>
    <message>
        <source>CO₂ of this run</source>
        <translation>CO₂ dieses Laufs</translation>
    </message>
    <message>
        <source>CO₂ per million tokens</source>
        <translation>CO₂ je Million Token</translation>
    </message>
    <message>
        <source>Share of a full battery</source>
        <translation>Anteil einer vollen Batterie</translation>
    </message>
    <message>
        <source>Capacity of the full battery / energy of the whole machine for an answer like this one, with the idle power in the pauses</source>
        <translation>Kapazität der vollen Batterie / Energie der ganzen Maschine für eine Antwort wie diese, mit der Leerlaufleistung in den Pausen</translation>
    </message>
    <message>
        <source>Answers per charge, in a row</source>
        <translation>Antworten pro Ladung, hintereinander</translation>
    </message>
    <message>
        <source>Answers per charge, one every three minutes</source>
        <translation>Antworten pro Ladung, alle drei Minuten eine</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>Sizes computed from the model&apos;s dimensions</source>
        <translation>Größen, aus den Maßen des Modells berechnet</translation>
    </message>
    <message>
        <source>%1 of %2 tokens (%3)</source>
        <translation>%1 von %2 Token (%3)</translation>
    </message>
    <message>
        <source>Per token</source>
        <translation>Je Token</translation>
    </message>
    <message>
        <source>Keys and values of all layers</source>
        <translation>Schlüssel und Werte aller Schichten</translation>
    </message>
    <message>
        <source>At the end of the run</source>
        <translation>Am Ende des Laufs</translation>
    </message>
    <message>
        <source>%1 positions</source>
        <translation>%1 Positionen</translation>
    </message>
    <message>
        <source>Compared with the weights</source>
        <translation>Verglichen mit den Gewichten</translation>
    </message>
    <message>
        <source>Context used</source>
        <translation>Genutzter Kontext</translation>
    </message>
    <message>
        <source>Time and energy to write it</source>
        <translation>Zeit und Energie zum Schreiben</translation>
    </message>
    <message>
        <source>Sections and components that write the cache; energy %1</source>
        <translation>Abschnitte und Komponenten, die den Cache schreiben; Energie %1</translation>
    </message>
    <message>
        <source>Share of the run&apos;s energy</source>
        <translation>Anteil an der Energie des Laufs</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>The experts chosen for a token are not recorded.</source>
        <translation>Welche Experten ein Token wählt, wird nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>Experten je Token</translation>
    </message>
    <message>
        <source>%1 of %2 in each layer</source>
        <translation>%1 von %2 in jeder Schicht</translation>
    </message>
    <message>
        <source>Parameters per token</source>
        <translation>Parameter je Token</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Routers</source>
        <translation>Router</translation>
    </message>
    <message>
        <source>Experts&apos; share of the energy</source>
        <translation>Anteil der Experten an der Energie</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
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
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG-Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF-Dokument (*.pdf)</translation>
    </message>
    <message>
        <source>CSV table (*.csv)</source>
        <translation>CSV-Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>View as Table…</source>
        <translation>Als Tabelle anzeigen…</translation>
    </message>
    <message>
        <source>Copy Table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Save Table as CSV…</source>
        <translation>Tabelle als CSV speichern…</translation>
    </message>
    <message>
        <source>Save Chart</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Copy Image</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>Als PNG speichern…</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>Als SVG speichern…</translation>
    </message>
    <message>
        <source>Save as PDF…</source>
        <translation>Als PDF speichern…</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Als CSV speichern…</translation>
    </message>
    <message>
        <source>(measured)</source>
        <translation>(gemessen)</translation>
    </message>
    <message>
        <source>, partly missing</source>
        <translation>, teilweise fehlend</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>maximum of %1</source>
        <translation>Maximum von %1</translation>
    </message>
    <message>
        <source>latest of %1, older ones fade</source>
        <translation>das neueste von %1, ältere verblassen</translation>
    </message>
    <message>
        <source>median of %1</source>
        <translation>Median über %1</translation>
    </message>
    <message>
        <source>sum of %1</source>
        <translation>Summe über %1</translation>
    </message>
    <message>
        <source>mean of %1</source>
        <translation>Mittel über %1</translation>
    </message>
    <message>
        <source>No energy: no power source covered this run.</source>
        <translation>Keine Energie: keine Leistungsquelle hat diesen Lauf erfasst.</translation>
    </message>
    <message>
        <source>No energy: no power source covered this part.</source>
        <translation>Keine Energie: keine Leistungsquelle hat dies erfasst.</translation>
    </message>
    <message>
        <source>%1 needs the idle power, which was not measured: set a baseline duration for the next run.</source>
        <translation>%1 braucht die Leerlaufleistung, die nicht gemessen wurde: Wählen Sie für den nächsten Lauf einige Sekunden Leerlauf davor.</translation>
    </message>
    <message>
        <source>%1 is recorded only at depth deep.</source>
        <translation>%1 wird nur bei der Tiefe Operationen aufgezeichnet.</translation>
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
    <message>
        <source>The visible range lies outside the run.</source>
        <translation>Der sichtbare Bereich liegt außerhalb des Laufs.</translation>
    </message>
    <message>
        <source>no samples</source>
        <translation>keine Messwerte</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>Leerlauf %1</translation>
    </message>
    <message>
        <source>%1 selected: mean</source>
        <translation>%1 gewählt: Mittel</translation>
    </message>
    <message>
        <source>Total: mean</source>
        <translation>Gesamt: Mittel</translation>
    </message>
    <message>
        <source>· peak</source>
        <translation>· Spitze</translation>
    </message>
    <message>
        <source>no sample</source>
        <translation>kein Messwert</translation>
    </message>
    <message>
        <source>outside the rails</source>
        <translation>außerhalb der Kanäle</translation>
    </message>
    <message>
        <source>L%1</source>
        <translation>S%1</translation>
    </message>
    <message>
        <source>Where the tokens came from</source>
        <translation>Woher die Token kamen</translation>
    </message>
    <message>
        <source>Draft by %1</source>
        <translation>Entwurf von %1</translation>
    </message>
    <message>
        <source>%1 tokens, %2</source>
        <translation>%1 Token, %2</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>%1 (%2 – %3)</source>
        <translation>%1 (%2 – %3)</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>The settings cannot be written to %1: changes of this session will be lost. Make the file and its folder writable, or free space on the disk.</source>
        <translation>Die Einstellungen lassen sich nicht nach %1 schreiben: Änderungen dieser Sitzung gehen verloren. Machen Sie die Datei und ihren Ordner beschreibbar oder schaffen Sie Platz auf dem Datenträger.</translation>
    </message>
    <message>
        <source>Save Report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Nothing to compare yet: only one value of %1.</source>
        <translation>Noch nichts zu vergleichen: nur ein Wert für %1.</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>%1, %2 · %3</source>
        <translation>%1, %2 · %3</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>A decoded token costs %1 times an input token (%2)</source>
        <translation>Ein decodiertes Token kostet das %1-Fache eines Eingabe-Tokens (%2)</translation>
    </message>
    <message>
        <source>One setting in %1: other number formats or batch sizes show which is faster and which needs less energy.</source>
        <translation>Eine Einstellung (%1): Andere Zahlenformate oder Batchgrößen zeigen, was schneller ist und was weniger Energie braucht.</translation>
    </message>
    <message>
        <source>No law of %1 can be seen in %2 with %3 different values.</source>
        <translation>Kein Gesetz für „%1“ zu erkennen (%2, %3 verschiedene Werte).</translation>
    </message>
    <message>
        <source>other settings</source>
        <translation>andere Einstellungen</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>p (corrected)</source>
        <translation>p (korrigiert)</translation>
    </message>
    <message>
        <source>Hedges&apos; g</source>
        <translation>g nach Hedges</translation>
    </message>
    <message>
        <source>Energy per token of %1 compared with %2</source>
        <translation>Energie je Token von %1 verglichen mit %2</translation>
    </message>
    <message>
        <source>Energy of the runs of %1 compared with %2</source>
        <translation>Energie der Läufe von %1 verglichen mit %2</translation>
    </message>
    <message>
        <source>%1, %2 against %3: %4</source>
        <translation>%1, %2 gegen %3: %4</translation>
    </message>
    <message>
        <source>Energy per output token
mean (95 % interval)</source>
        <translation>Energie je Ausgabetoken
Mittel (95-%-Intervall)</translation>
    </message>
    <message>
        <source>Tokens per second
mean (95 % interval)</source>
        <translation>Token je Sekunde
Mittel (95-%-Intervall)</translation>
    </message>
    <message>
        <source>Energy per input and output token
mean (95 % interval)</source>
        <translation>Energie je Ein- und Ausgabetoken
Mittel (95-%-Intervall)</translation>
    </message>
    <message>
        <source>Differences are in %1, relative to the first cell with the same model and prompt. Their intervals hold together with 95 %; p-values are corrected for all %2 of them.</source>
        <translation>Unterschiede der Größe „%1“ beziehen sich auf die erste Zelle mit demselben Modell und Prompt. Ihre Intervalle gelten zusammen mit 95 %; p-Werte sind für alle %2 korrigiert.</translation>
    </message>
    <message>
        <source>Each cell is compared with the baseline, in blocks of up to %1.</source>
        <translation>Jede Zelle wird mit der Vergleichsbasis verglichen, in Blöcken von bis zu %1.</translation>
    </message>
    <message>
        <source>Recorded with depth none; repeat the runs with depth module to see layers.</source>
        <translation>Mit der Tiefe none aufgezeichnet; wiederholen Sie die Läufe mit der Tiefe module, um Schichten zu sehen.</translation>
    </message>
    <message>
        <source>Repeats are runs of one configuration. With at least 3 on each side, energy per token, mean power, time to first token and tokens per second are tested: runs that were made in pairs as pairs, others by Welch&apos;s t-test of the logarithms. The energy per token answers the question; p-values of the others are corrected together by Holm&apos;s method. Differences up to %1 do not matter. Intervals of means are bootstrap-t intervals with a fixed seed (Student&apos;s t for 3 repeats).</source>
        <translation>Wiederholungen sind Läufe mit denselben Einstellungen. Ab 3 auf jeder Seite werden Energie je Token, mittlere Leistung, Zeit bis zum ersten Token und Token je Sekunde getestet: Läufe, die in Paaren gemacht wurden, als Paare, andere mit dem t-Test nach Welch der Logarithmen. Die Energie je Token beantwortet die Frage; die p-Werte der anderen sind gemeinsam nach Holm korrigiert. Unterschiede bis %1 sind ohne Belang. Intervalle von Mitteln sind Bootstrap-t-Intervalle mit festem Startwert (Student-t bei 3 Wiederholungen).</translation>
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
        <source>%1, not found</source>
        <translation>%1, nicht gefunden</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>As stored (%1)</source>
        <translation>Wie gespeichert (%1)</translation>
    </message>
    <message>
        <source>Weights that are stored in fewer bits are enlarged: the model costs what a file in %1 costs, and is no more accurate than it is stored.</source>
        <translation>Gewichte, die in weniger Bits gespeichert sind, werden vergrößert: Das Modell kostet, was eine Datei in %1 kostet, und ist nicht genauer, als es gespeichert ist.</translation>
    </message>
    <message>
        <source>The order of these %1 groups may be chance; based on %2.</source>
        <translation>Die Reihenfolge dieser %1 Gruppen kann Zufall sein; aus %2.</translation>
    </message>
    <message>
        <source>None; Tools &gt; This Machine</source>
        <translation>Keine; Werkzeuge &gt; Dieser Rechner</translation>
    </message>
    <message>
        <source>The joules are %1</source>
        <translation>Die Joule sind %1</translation>
    </message>
    <message>
        <source>%1 selected. </source>
        <translation>%1 gewählt. </translation>
    </message>
    <message>
        <source>Total power: mean %1, peak %2%3</source>
        <translation>Gesamtleistung: Mittel %1, Spitze %2%3</translation>
    </message>
    <message>
        <source>mean (sd, n)</source>
        <translation>Mittel (Standardabw., n)</translation>
    </message>
    <message>
        <source>Response %1</source>
        <translation>Antwort %1</translation>
    </message>
    <message>
        <source>Prompt %1</source>
        <translation>Prompt %1</translation>
    </message>
    <message>
        <source>The first %1 of %2 sequences.</source>
        <translation>Die ersten %1 von %2 Sequenzen.</translation>
    </message>
    <message>
        <source>The energies are %1: %2.</source>
        <translation>Die Energien sind %1: %2.</translation>
    </message>
    <message>
        <source>No net energy: the idle machine needs more in the same time.</source>
        <translation>Keine Nettoenergie: Der Leerlauf braucht in derselben Zeit mehr.</translation>
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
    <message>
        <source> USD/kWh</source>
        <translation> USD/kWh</translation>
    </message>
    <message>
        <source> g/kWh</source>
        <translation> g/kWh</translation>
    </message>
</context>
<context>
    <name>ep::ui::MetricSelector</name>
    <message>
        <source>Recorded only at depth deep</source>
        <translation>Nur bei der Tiefe Operationen aufgezeichnet</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Größe</translation>
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
    <message>
        <source>No layers recorded yet.</source>
        <translation>Noch keine Schichten aufgezeichnet.</translation>
    </message>
    <message>
        <source>Heatmap of layers and components</source>
        <translation>Heatmap der Schichten und Komponenten</translation>
    </message>
    <message>
        <source>Layer %1, %2</source>
        <translation>Schicht %1, %2</translation>
    </message>
    <message>
        <source>%1: — (%2)</source>
        <translation>%1: — (%2)</translation>
    </message>
    <message>
        <source>%1: %2 (%3, %4)</source>
        <translation>%1: %2 (%3, %4)</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Mean of all layers</source>
        <translation>Mittel aller Schichten</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Angezeigt</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>The window is too small to show %1 layers; enlarge it.</source>
        <translation>Das Fenster ist für %1 Schichten zu klein; vergrößern Sie es.</translation>
    </message>
    <message>
        <source>recorded during the run</source>
        <translation>während des Laufs aufgezeichnet</translation>
    </message>
</context>
<context>
    <name>ep::ui::ConversationEdit</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Conversation of the batch</source>
        <translation>Gespräch des Stapels</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Delete removes a message, Alt with the arrows moves it</source>
        <translation>Entf entfernt eine Nachricht, Alt mit den Pfeiltasten verschiebt sie</translation>
    </message>
    <message>
        <source>Role of the message</source>
        <translation>Rolle der Nachricht</translation>
    </message>
    <message>
        <source>Text of the message</source>
        <translation>Text der Nachricht</translation>
    </message>
    <message>
        <source>Other fields of the message</source>
        <translation>Weitere Felder der Nachricht</translation>
    </message>
    <message>
        <source>Other fields of the message as JSON: tool_calls, tool_call_id, name, reasoning_content</source>
        <translation>Weitere Felder der Nachricht als JSON: tool_calls, tool_call_id, name, reasoning_content</translation>
    </message>
    <message>
        <source>JSON list of the tools that the model may call, in the form of OpenAI's API</source>
        <translation>JSON-Liste der Werkzeuge, die das Modell aufrufen darf, in der Form der API von OpenAI</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Other fields</source>
        <translation>Weitere Felder</translation>
    </message>
    <message>
        <source>Adds a message after the selected one</source>
        <translation>Fügt nach der gewählten eine Nachricht ein</translation>
    </message>
    <message>
        <source>Opens a file with messages in OpenAI's form: JSON, or JSONL for a batch. It can also be pasted or dropped here</source>
        <translation>Öffnet eine Datei mit Nachrichten in der Form von OpenAI: JSON, oder JSONL für einen Stapel. Sie lässt sich hier auch einfügen oder ablegen</translation>
    </message>
    <message>
        <source>Move the message up</source>
        <translation>Die Nachricht nach oben verschieben</translation>
    </message>
    <message>
        <source>Move the message down</source>
        <translation>Die Nachricht nach unten verschieben</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
</context>
<context>
    <name>ep::ui::TemplateChoices</name>
    <message>
        <source>As the template sets it</source>
        <translation>Wie die Vorlage es vorgibt</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
</context>
<context>
    <name>ep::ui::RenderedPromptDialog</name>
    <message>
        <source>Rendered Prompt</source>
        <translation>Fertiger Prompt</translation>
    </message>
    <message>
        <source>What the model gets</source>
        <translation>Was das Modell erhält</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>ep::ui::PromptEdit</name>
    <message>
        <source>Ch&amp;at template</source>
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
    <message>
        <source>Applies the model&apos;s own chat template to the prompt.</source>
        <translation>Wendet die Chat-Vorlage des Modells auf den Prompt an.</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Rendered prompt…</source>
        <translation>Fertiger Prompt…</translation>
    </message>
    <message>
        <source>Several messages with roles and tools instead of one prompt; they can be opened, pasted or dropped as JSON in OpenAI's form</source>
        <translation>Mehrere Nachrichten mit Rollen und Werkzeugen statt eines Prompts; sie lassen sich als JSON in der Form von OpenAI öffnen, einfügen oder ablegen</translation>
    </message>
    <message>
        <source>Shows what the chat template makes of the prompt, with the special tokens</source>
        <translation>Zeigt, was die Chat-Vorlage aus dem Prompt macht, samt den Sondertoken</translation>
    </message>
    <message>
        <source>Open a Conversation</source>
        <translation>Gespräch öffnen</translation>
    </message>
    <message>
        <source>Conversations (*.json *.jsonl)</source>
        <translation>Gespräche (*.json *.jsonl)</translation>
    </message>
    <message>
        <source>Type a prompt.</source>
        <translation>Geben Sie einen Prompt ein.</translation>
    </message>
    <message>
        <source>This model has no chat template, which messages need.</source>
        <translation>Dieses Modell hat keine Chat-Vorlage; Nachrichten brauchen eine.</translation>
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
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 von %2 Läufen</translation>
    </message>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>&amp;Save As…</source>
        <translation>&amp;Speichern unter…</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>%1 configurations, %2.</source>
        <translation>%1 Konfigurationen, %2.</translation>
    </message>
    <message>
        <source>With fewer than three repeats, no comparison has a test.</source>
        <translation>Mit weniger als drei Wiederholungen gibt es zu keinem Vergleich einen Test.</translation>
    </message>
    <message>
        <source>Save Study</source>
        <translation>Studie speichern</translation>
    </message>
    <message>
        <source>Studies (*.json)</source>
        <translation>Studien (*.json)</translation>
    </message>
    <message>
        <source>%1 cannot be written (%2); choose another place.</source>
        <translation>%1 kann nicht geschrieben werden (%2); wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>Run %1 of %2: %3</source>
        <translation>Lauf %1 von %2: %3</translation>
    </message>
    <message>
        <source>, about %1 min left</source>
        <translation>, noch etwa %1 min</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Stopped; press Run to continue.</source>
        <translation>Angehalten; mit Starten geht es weiter.</translation>
    </message>
    <message>
        <source>J/(in + out)</source>
        <translation>J/(Ein + Aus)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Show in &amp;History</source>
        <translation>Im Ver&amp;lauf zeigen</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Study Without Energy</source>
        <translation>Studie ohne Energie</translation>
    </message>
    <message>
        <source>This study will record times but no joules. Run it anyway?</source>
        <translation>Diese Studie zeichnet Zeiten auf, aber keine Joule. Trotzdem ausführen?</translation>
    </message>
    <message>
        <source>The modelled source estimates the power from the processor's utilisation; every figure is marked as modelled.</source>
        <translation>Die modellierte Quelle schätzt die Leistung aus der Auslastung des Prozessors; jeder Wert ist als modelliert gekennzeichnet.</translation>
    </message>
    <message>
        <source>Use Modelled</source>
        <translation>Modellierte verwenden</translation>
    </message>
    <message>
        <source>Run Without Energy</source>
        <translation>Ohne Energie ausführen</translation>
    </message>
    <message>
        <source>1 configuration, %1.</source>
        <translation>1 Konfiguration, %1.</translation>
    </message>
</context>
<context>
    <name>ep::ui::StudyForm</name>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>One prompt per paragraph</source>
        <translation>Ein Prompt je Absatz</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>verschränkt</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>as listed</source>
        <translation>wie aufgeführt</translation>
    </message>
    <message>
        <source> tokens at most</source>
        <translation> Token höchstens</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Number formats</source>
        <translation>Zahlenformate</translation>
    </message>
    <message>
        <source>Depths</source>
        <translation>Tiefen</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Choose at least one device.</source>
        <translation>Wählen Sie mindestens ein Gerät.</translation>
    </message>
    <message>
        <source>Batch sizes</source>
        <translation>Batchgrößen</translation>
    </message>
    <message>
        <source>Tokens to generate</source>
        <translation>Zu erzeugende Token</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Shuffle seed</source>
        <translation>Startwert der Mischung</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Pause between runs</source>
        <translation>Pause zwischen Läufen</translation>
    </message>
    <message>
        <source>Power source</source>
        <translation>Leistungsquelle</translation>
    </message>
    <message>
        <source>Give the study a name.</source>
        <translation>Geben Sie der Studie einen Namen.</translation>
    </message>
    <message>
        <source>Choose at least one model.</source>
        <translation>Wählen Sie mindestens ein Modell.</translation>
    </message>
    <message>
        <source>Write at least one prompt.</source>
        <translation>Schreiben Sie mindestens einen Prompt.</translation>
    </message>
    <message>
        <source>Choose at least one number format.</source>
        <translation>Wählen Sie mindestens ein Zahlenformat.</translation>
    </message>
    <message>
        <source>Choose at least one depth.</source>
        <translation>Wählen Sie mindestens eine Tiefe.</translation>
    </message>
    <message>
        <source>Write the batch sizes as numbers, such as 1, 4.</source>
        <translation>Schreiben Sie die Batchgrößen als Zahlen, etwa 1, 4.</translation>
    </message>
    <message>
        <source>Write the tokens to generate as numbers, such as 64, 256.</source>
        <translation>Schreiben Sie die zu erzeugenden Token als Zahlen, etwa 64, 256.</translation>
    </message>
</context>
<context>
    <name>ep::ui::DetailsPane</name>
    <message>
        <source>Unpin these details</source>
        <translation>Diese Einzelheiten lösen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Energy per output token</source>
        <translation>Energie je Ausgabetoken</translation>
    </message>
    <message>
        <source>Mean power</source>
        <translation>Mittlere Leistung</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>CO₂</source>
        <translation>CO₂</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Figures of the selection</source>
        <translation>Kennzahlen der Auswahl</translation>
    </message>
    <message>
        <source>Details of the clicked item</source>
        <translation>Einzelheiten zum angeklickten Element</translation>
    </message>
    <message>
        <source>Property</source>
        <translation>Eigenschaft</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Click an item in a chart to pin its details here.</source>
        <translation>Klicken Sie in einem Diagramm auf ein Element, um seine Einzelheiten hier festzuhalten.</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunHeader</name>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>Wh/token</source>
        <translation>Wh/Token</translation>
    </message>
    <message>
        <source>Energy of the run / output tokens</source>
        <translation>Energie des Laufs / ausgegebene Token</translation>
    </message>
    <message>
        <source>J/decoded token</source>
        <translation>J/dekodiertes Token</translation>
    </message>
    <message>
        <source>J/input token</source>
        <translation>J/Eingabetoken</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Net energy</source>
        <translation>Nettoenergie</translation>
    </message>
    <message>
        <source>Mean power</source>
        <translation>Mittlere Leistung</translation>
    </message>
    <message>
        <source>Peak power</source>
        <translation>Spitzenleistung</translation>
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
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Decode phase only</source>
        <translation>Nur Dekodierphase</translation>
    </message>
    <message>
        <source>quality %1</source>
        <translation>Qualität %1</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>All facts of this run</source>
        <translation>Alle Angaben zu diesem Lauf</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>J/(in + out)</source>
        <translation>J/(Ein + Aus)</translation>
    </message>
    <message>
        <source>At least: samples cover %1 of the run.</source>
        <translation>Mindestens: Messungen decken %1 des Laufs ab.</translation>
    </message>
</context>
<context>
    <name>ep::ui::BreakdownTab</name>
    <message>
        <source>Phases, layers, components, operations</source>
        <translation>Phasen, Schichten, Komponenten, Operationen</translation>
    </message>
    <message>
        <source>Energy flow from input to output</source>
        <translation>Energiefluss von der Eingabe zur Ausgabe</translation>
    </message>
</context>
<context>
    <name>ep::ui::ComparePage</name>
    <message>
        <source>The comparison was closed, because a run of it was deleted.</source>
        <translation>Der Vergleich wurde geschlossen, weil einer seiner Läufe gelöscht wurde.</translation>
    </message>
    <message>
        <source>%1 · %2 · energy %3 · runs %4</source>
        <translation>%1 · %2 · Energie %3 · Läufe %4</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Noch nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Select 2 to 4 runs in History, or more if they are repeats of each other, and press Compare.</source>
        <translation>Wählen Sie im Verlauf 2 bis 4 Läufe, oder mehr, wenn sie einander wiederholen, und drücken Sie Vergleichen.</translation>
    </message>
    <message>
        <source>Select Runs in History</source>
        <translation>Läufe im Verlauf wählen</translation>
    </message>
    <message>
        <source>Figures of the runs and their differences</source>
        <translation>Kennzahlen der Läufe und ihre Unterschiede</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Among the selected runs</source>
        <translation>Unter den gewählten Läufen</translation>
    </message>
    <message>
        <source>All stored repeats</source>
        <translation>Alle gespeicherten Wiederholungen</translation>
    </message>
    <message>
        <source>None: single runs</source>
        <translation>Keine: einzelne Läufe</translation>
    </message>
    <message>
        <source>Values of layers and nodes</source>
        <translation>Werte der Schichten und Knoten</translation>
    </message>
    <message>
        <source>Save Report…</source>
        <translation>Bericht speichern…</translation>
    </message>
    <message>
        <source>&amp;Baseline:</source>
        <translation>&amp;Vergleichsbasis:</translation>
    </message>
    <message>
        <source>Re&amp;peats:</source>
        <translation>Wiederholun&amp;gen:</translation>
    </message>
    <message>
        <source>&amp;Normalise by:</source>
        <translation>&amp;Normieren auf:</translation>
    </message>
    <message>
        <source>Power of each group</source>
        <translation>Leistung jeder Gruppe</translation>
    </message>
    <message>
        <source>Aligned at</source>
        <translation>Ausgerichtet an</translation>
    </message>
    <message>
        <source>Aligned at the first decoded token</source>
        <translation>Ausgerichtet am ersten dekodierten Token</translation>
    </message>
    <message>
        <source>Aligned at the start of the run</source>
        <translation>Ausgerichtet am Beginn des Laufs</translation>
    </message>
    <message>
        <source>By token</source>
        <translation>Nach Token</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Cumulative energy of the tokens</source>
        <translation>Aufsummierte Energie der Token</translation>
    </message>
    <message>
        <source>Energy over Tokens</source>
        <translation>Energie über die Token</translation>
    </message>
    <message>
        <source>Difference by layer and component</source>
        <translation>Unterschied nach Schicht und Komponente</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>Figure by group</source>
        <translation>Kennzahl nach Gruppe</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Reading the runs…</source>
        <translation>Die Läufe werden gelesen…</translation>
    </message>
    <message>
        <source>Save Report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Writing the report…</source>
        <translation>Der Bericht wird geschrieben…</translation>
    </message>
    <message>
        <source>Report saved as %1.</source>
        <translation>Bericht gespeichert als %1.</translation>
    </message>
    <message>
        <source>Serious</source>
        <translation>Schwerwiegend</translation>
    </message>
    <message>
        <source>Caution</source>
        <translation>Vorsicht</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>Relativ</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>%1
%2, %3</source>
        <translation>%1
%2, %3</translation>
    </message>
    <message>
        <source> Hedges&apos; g %1.</source>
        <translation> Hedges’ g %1.</translation>
    </message>
    <message>
        <source>All figures</source>
        <translation>Alle Größen</translation>
    </message>
    <message>
        <source>Also those that follow from others, and are not tested</source>
        <translation>Auch jene, die aus anderen folgen und nicht getestet werden</translation>
    </message>
    <message>
        <source>95 % interval of the mean: %1 (%2); %3</source>
        <translation>95-%-Intervall des Mittels: %1 (%2); %3</translation>
    </message>
</context>
<context>
    <name>ep::ui::ComponentTableModel</name>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Mean |x|</source>
        <translation>Ø |x|</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>Std.</translation>
    </message>
    <message>
        <source>Sparsity</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>Time in this component, summed over all tokens</source>
        <translation>Zeit in dieser Komponente, Summe über alle Token</translation>
    </message>
    <message>
        <source>Energy of this component, summed over all tokens</source>
        <translation>Energie dieser Komponente, Summe über alle Token</translation>
    </message>
    <message>
        <source>Mean of the absolute output values, averaged over tokens</source>
        <translation>Mittlerer Betrag der Ausgaben, gemittelt über die Token</translation>
    </message>
    <message>
        <source>Standard deviation of the output values, averaged over tokens</source>
        <translation>Standardabweichung der Ausgaben, gemittelt über die Token</translation>
    </message>
    <message>
        <source>Largest absolute output value over all tokens</source>
        <translation>Größter Betrag einer Ausgabe über alle Token</translation>
    </message>
    <message>
        <source>Share of output values close to zero, averaged over tokens</source>
        <translation>Anteil der Ausgaben nahe null, gemittelt über die Token</translation>
    </message>
    <message>
        <source>Max |x|</source>
        <translation>Max |x|</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
</context>
<context>
    <name>ep::ui::CostSelector</name>
    <message>
        <source>Metric</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>The run had no power source.</source>
        <translation>Der Lauf hatte keine Leistungsquelle.</translation>
    </message>
    <message>
        <source>Net energy needs a power source and a baseline (set a baseline duration in Live).</source>
        <translation>Die Nettoenergie braucht eine Leistungsquelle und die Leerlaufleistung (in Live „Leerlauf davor“ einstellen).</translation>
    </message>
</context>
<context>
    <name>ep::ui::FlameView</name>
    <message>
        <source>No spans were recorded.</source>
        <translation>Es wurden keine Spannen aufgezeichnet.</translation>
    </message>
    <message>
        <source>Span timeline</source>
        <translation>Zeitachse der Spannen</translation>
    </message>
    <message>
        <source>%1 spans in %2 levels</source>
        <translation>%1 Spannen in %2 Ebenen</translation>
    </message>
    <message>
        <source>Zoom in to %1 tokens or fewer to see their layers and components.</source>
        <translation>Vergrößern Sie auf höchstens %1 Token, um deren Schichten und Komponenten zu sehen.</translation>
    </message>
    <message>
        <source>Loading layers and components…</source>
        <translation>Schichten und Komponenten werden geladen…</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Mean power</source>
        <translation>Mittlere Leistung</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>%1 spans within %2; zoom in to tell them apart</source>
        <translation>%1 Spannen innerhalb von %2; vergrößern, um sie zu unterscheiden</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Begin (ms)</source>
        <translation>Beginn (ms)</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>Zeit (ms)</translation>
    </message>
    <message>
        <source>Energy (mJ)</source>
        <translation>Energie (mJ)</translation>
    </message>
    <message>
        <source>%1 spans within %2; click to zoom in and tell them apart</source>
        <translation>%1 Spannen in %2; ein Klick zoomt hinein und trennt sie</translation>
    </message>
    <message>
        <source>Mean power of a span · phases have the colours of the other charts</source>
        <translation>Mittlere Leistung einer Spanne · Phasen haben die Farben der anderen Diagramme</translation>
    </message>
    <message>
        <source>Grey: no energy is known · phases have the colours of the other charts</source>
        <translation>Grau: keine Energie bekannt · Phasen haben die Farben der anderen Diagramme</translation>
    </message>
    <message>
        <source>%1 – %2: %3</source>
        <translation>%1 – %2: %3</translation>
    </message>
</context>
<context>
    <name>ep::ui::HistogramView</name>
    <message>
        <source>Histogram of the tokens</source>
        <translation>Histogramm der Token</translation>
    </message>
    <message>
        <source>%1 to %2: %3 tokens</source>
        <translation>%1 bis %2: %3 Token</translation>
    </message>
    <message>
        <source>Median %1, median deviation %2</source>
        <translation>Median %1, mittlere Abweichung vom Median %2</translation>
    </message>
    <message>
        <source>, %1 tokens are missing</source>
        <translation>, %1 Token fehlen</translation>
    </message>
    <message>
        <source>No decoded token has a value: — (missing).</source>
        <translation>Kein dekodiertes Token hat einen Wert: — (fehlt).</translation>
    </message>
    <message>
        <source>%1 (dotted) · line: threshold · decoded tokens %2</source>
        <translation>%1 (gepunktet) · Linie: Schwelle · dekodierte Token %2</translation>
    </message>
    <message>
        <source>From (%1)</source>
        <translation>Von (%1)</translation>
    </message>
    <message>
        <source>To (%1)</source>
        <translation>Bis (%1)</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
</context>
<context>
    <name>ep::ui::HistoryFilterBar</name>
    <message>
        <source>Minimum millijoules per token</source>
        <translation>Mindestens Millijoule je Token</translation>
    </message>
    <message>
        <source>Maximum millijoules per token</source>
        <translation>Höchstens Millijoule je Token</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>Letzter Tag</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>From … until …</source>
        <translation>Von … bis…</translation>
    </message>
    <message>
        <source>Created on this day or later</source>
        <translation>An diesem Tag oder später entstanden</translation>
    </message>
    <message>
        <source>Created on this day or earlier</source>
        <translation>An diesem Tag oder früher entstanden</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Saved Filters</source>
        <translation>Gespeicherte Filter</translation>
    </message>
    <message>
        <source>None in the list</source>
        <translation>Keine in der Liste</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Save This Filter…</source>
        <translation>Diesen Filter speichern…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Save Filter</source>
        <translation>Filter speichern</translation>
    </message>
    <message>
        <source>Name of the filter:</source>
        <translation>Name des Filters:</translation>
    </message>
</context>
<context>
    <name>ep::ui::InsightsPage</name>
    <message>
        <source>%1 energies (%2)</source>
        <translation>Energien %1 (%2)</translation>
    </message>
    <message>
        <source>Energies</source>
        <translation>Energien</translation>
    </message>
    <message>
        <source>No complete runs</source>
        <translation>Keine vollständigen Läufe</translation>
    </message>
    <message>
        <source>Insights are derived from the runs that History lists; clear its filters, or make runs in Live.</source>
        <translation>Einsichten entstehen aus den Läufen im Verlauf; leeren Sie dessen Filter oder starten Sie Läufe in Live.</translation>
    </message>
    <message>
        <source>Show History</source>
        <translation>Verlauf anzeigen</translation>
    </message>
    <message>
        <source>Property</source>
        <translation>Eigenschaft</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Throughput and energy per token</source>
        <translation>Durchsatz und Energie je Token</translation>
    </message>
    <message>
        <source>Energy of input and decoded tokens</source>
        <translation>Energie der Eingabe- und der dekodierten Token</translation>
    </message>
    <message>
        <source>Measure Quality…</source>
        <translation>Qualität messen…</translation>
    </message>
    <message>
        <source>Quality and energy per token</source>
        <translation>Qualität und Energie je Token</translation>
    </message>
    <message>
        <source>Based on the complete runs that match History&apos;s filters: %1 of %2.</source>
        <translation>Grundlage: vollständige Läufe, die zu den Filtern des Verlaufs passen, %1 von %2.</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Totals</source>
        <translation>Summen</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Aufträge</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Runs with at least three values of one of these, and all else equal, would show how much energy depends on it: %1.</source>
        <translation>Läufe mit mindestens drei Werten von einem davon, und sonst gleich, würden zeigen, wie sehr die Energie davon abhängt: %1.</translation>
    </message>
</context>
<context>
    <name>ep::ui::ItemView</name>
    <message>
        <source>No run is open.</source>
        <translation>Kein Lauf ist geöffnet.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>ep::ui::ModelLibraryDialog</name>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Model Library</source>
        <translation>Modellbibliothek</translation>
    </message>
    <message>
        <source>Use This Model</source>
        <translation>Dieses Modell verwenden</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Properties of the model</source>
        <translation>Eigenschaften des Modells</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Modelle werden gesucht…</translation>
    </message>
    <message>
        <source>No models found. Add the folder of a HuggingFace model.</source>
        <translation>Keine Modelle gefunden. Fügen Sie den Ordner eines HuggingFace-Modells hinzu.</translation>
    </message>
    <message>
        <source>Models found: %1</source>
        <translation>Modelle gefunden: %1</translation>
    </message>
    <message>
        <source>Folders to search, besides the bundled models and HuggingFace's cache; nothing is downloaded or changed there</source>
        <translation>Ordner, die durchsucht werden, neben den mitgelieferten Modellen und dem Zwischenspeicher von HuggingFace; dort wird nichts geladen oder geändert</translation>
    </message>
</context>
<context>
    <name>ep::ui::PaintedView</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
</context>
<context>
    <name>ep::ui::PhasePowerView</name>
    <message>
        <source>Power samples by phase with box plots</source>
        <translation>Leistungsmesswerte nach Phase mit Kastengrafiken</translation>
    </message>
    <message>
        <source>%1: %2 samples (%3), median %4, quartiles %5 to %6, mean %7,
lowest %8, </source>
        <translation>%1: %2 Messwerte (%3), Median %4, Quartile %5 bis %6, Mittel %7,
kleinster %8, </translation>
    </message>
    <message>
        <source>highest %1, %2 anomalies</source>
        <translation>größter %1, %2 Ausreißer</translation>
    </message>
    <message>
        <source>%1 at %2, %3, %4 of its window in that phase (%5),
window %6, robust z %7%8</source>
        <translation>%1 bei %2, %3, %4 des Fensters in dieser Phase (%5),
Fenster %6, robustes z %7%8</translation>
    </message>
    <message>
        <source>: anomaly, |z| is above %1</source>
        <translation>: Ausreißer, |z| liegt über %1</translation>
    </message>
    <message>
        <source>No sample passes the filter.</source>
        <translation>Kein Messwert erfüllt den Filter.</translation>
    </message>
    <message>
        <source>— (missing): the power source does not report this rail.</source>
        <translation>— (fehlt): Die Leistungsquelle meldet diesen Kanal nicht.</translation>
    </message>
    <message>
        <source>× anomaly: robust |z| in its phase &gt; %1 · %2 samples (%3)</source>
        <translation>× Ausreißer: robustes |z| in seiner Phase &gt; %1 · %2 Messwerte (%3)</translation>
    </message>
    <message>
        <source> · %1 hidden by the filter</source>
        <translation> · %1 durch den Filter ausgeblendet</translation>
    </message>
    <message>
        <source> · %1 without this rail</source>
        <translation> · %1 ohne diesen Kanal</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>Lowest (mW)</source>
        <translation>Kleinster (mW)</translation>
    </message>
    <message>
        <source>Lower quartile (mW)</source>
        <translation>Unteres Quartil (mW)</translation>
    </message>
    <message>
        <source>Median (mW)</source>
        <translation>Median (mW)</translation>
    </message>
    <message>
        <source>Upper quartile (mW)</source>
        <translation>Oberes Quartil (mW)</translation>
    </message>
    <message>
        <source>Highest (mW)</source>
        <translation>Größter (mW)</translation>
    </message>
    <message>
        <source>Mean (mW)</source>
        <translation>Mittel (mW)</translation>
    </message>
    <message>
        <source>Anomalies</source>
        <translation>Ausreißer</translation>
    </message>
</context>
<context>
    <name>ep::ui::PhasesTab</name>
    <message>
        <source>Energy of the rails</source>
        <translation>Energie der Kanäle</translation>
    </message>
    <message>
        <source>Power by phase</source>
        <translation>Leistung nach Phase</translation>
    </message>
    <message>
        <source>Rails by phase</source>
        <translation>Kanäle nach Phase</translation>
    </message>
    <message>
        <source>Rail</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>All rails</source>
        <translation>Alle Kanäle</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Minimum share of a sample&apos;s window inside its phase</source>
        <translation>Mindestanteil des Fensters eines Messwerts in seiner Phase</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>ANE</source>
        <translation>ANE</translation>
    </message>
    <message>
        <source>DRAM</source>
        <translation>DRAM</translation>
    </message>
    <message>
        <source>in phase ≥ </source>
        <translation>in der Phase ≥ </translation>
    </message>
    <message>
        <source>all samples</source>
        <translation>alle Messwerte</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
</context>
<context>
    <name>ep::ui::PipelineView</name>
    <message>
        <source>Pipeline timeline of phases and sections</source>
        <translation>Zeitachse der Phasen und Abschnitte</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>, share of energy unknown: no sensor covered this part</source>
        <translation>, Anteil an der Energie unbekannt: Kein Sensor hat dies erfasst</translation>
    </message>
    <message>
        <source>, %1 of the run&apos;s %2</source>
        <translation>, %1 der %2 des Laufs</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>, %1 times</source>
        <translation>, %1-mal</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Share of time</source>
        <translation>Anteil an der Zeit</translation>
    </message>
    <message>
        <source>Share of energy</source>
        <translation>Anteil an der Energie</translation>
    </message>
    <message>
        <source>Mean power</source>
        <translation>Mittlere Leistung</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Spannen</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>Zeit (ms)</translation>
    </message>
    <message>
        <source>Energy (mJ)</source>
        <translation>Energie (mJ)</translation>
    </message>
    <message>
        <source>Share (%)</source>
        <translation>Anteil (%)</translation>
    </message>
    <message>
        <source>Click to hide the sections.</source>
        <translation>Klicken, um die Abschnitte auszublenden.</translation>
    </message>
    <message>
        <source>Click to show the sections.</source>
        <translation>Klicken, um die Abschnitte anzuzeigen.</translation>
    </message>
    <message>
        <source>%1: — (%2)</source>
        <translation>%1: — (%2)</translation>
    </message>
</context>
<context>
    <name>ep::ui::PowerChart</name>
    <message>
        <source>No power samples yet.</source>
        <translation>Noch keine Leistungsmesswerte.</translation>
    </message>
    <message>
        <source>60 s</source>
        <translation>60 s</translation>
    </message>
    <message>
        <source>Show the last 60 seconds (M)</source>
        <translation>Die letzten 60 Sekunden zeigen (M)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Show all samples (A)</source>
        <translation>Alle Messwerte zeigen (A)</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Show the newest samples again (F)</source>
        <translation>Wieder die neuesten Messwerte zeigen (F)</translation>
    </message>
    <message>
        <source>Power over time</source>
        <translation>Leistung über die Zeit</translation>
    </message>
</context>
<context>
    <name>ep::ui::PowerPicker</name>
    <message>
        <source>Power of the idle machine</source>
        <translation>Leistung des Rechners im Leerlauf</translation>
    </message>
    <message>
        <source>Power with every core busy</source>
        <translation>Leistung mit allen Kernen unter Last</translation>
    </message>
    <message>
        <source>Power source</source>
        <translation>Leistungsquelle</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Volllast</translation>
    </message>
    <message>
        <source>Recorded powermetrics capture</source>
        <translation>Aufzeichnung von powermetrics</translation>
    </message>
    <message>
        <source>Recorded capture</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>%1 (not available)</source>
        <translation>%1 (nicht verfügbar)</translation>
    </message>
    <message>
        <source>Replay of a capture</source>
        <translation>Wiedergabe einer Aufzeichnung</translation>
    </message>
    <message>
        <source>Modelled (an estimate)</source>
        <translation>Modelliert (eine Schätzung)</translation>
    </message>
    <message>
        <source>None (timing only)</source>
        <translation>Keine (nur Zeiten)</translation>
    </message>
    <message>
        <source>Choose the capture to replay.</source>
        <translation>Wählen Sie die Aufzeichnung zur Wiedergabe.</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>Es gibt keine Datei %1.</translation>
    </message>
    <message>
        <source>Select “Modelled” for an estimate from processor time, or “Replay” for a recorded capture.</source>
        <translation>Wählen Sie „Modelliert“ für eine Schätzung aus der Prozessorzeit oder „Wiedergabe“ für eine Aufzeichnung.</translation>
    </message>
    <message>
        <source>Timing only: energies are not shown.</source>
        <translation>Nur Zeiten: Energien werden nicht angezeigt.</translation>
    </message>
    <message>
        <source>Not a measurement: processor utilisation × these watts.</source>
        <translation>Keine Messung: Prozessorauslastung × diese Watt.</translation>
    </message>
    <message>
        <source>Replays the power of the capture during the run; it is not the power of this machine.</source>
        <translation>Gibt während des Laufs die Leistung der Aufzeichnung wieder; es ist nicht die Leistung dieses Rechners.</translation>
    </message>
    <message>
        <source>Looking for sensors…</source>
        <translation>Sensoren werden gesucht…</translation>
    </message>
    <message>
        <source>No sensor works on this machine: timing only. %1</source>
        <translation>Auf diesem Rechner arbeitet kein Sensor: nur Zeiten. %1</translation>
    </message>
    <message>
        <source>%1 is not known on this machine.</source>
        <translation>%1 ist auf diesem Rechner unbekannt.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Choose a Capture</source>
        <translation>Aufzeichnung wählen</translation>
    </message>
</context>
<context>
    <name>ep::ui::PowerTimeline</name>
    <message>
        <source>No power samples.</source>
        <translation>Keine Leistungsmesswerte.</translation>
    </message>
    <message>
        <source>Power over time</source>
        <translation>Leistung über die Zeit</translation>
    </message>
    <message>
        <source>Power at %1</source>
        <translation>Leistung bei %1</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Mean over</source>
        <translation>Mittel über</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Begin (s)</source>
        <translation>Beginn (s)</translation>
    </message>
    <message>
        <source>Duration (ms)</source>
        <translation>Dauer (ms)</translation>
    </message>
    <message>
        <source>%1 (mW)</source>
        <translation>%1 (mW)</translation>
    </message>
</context>
<context>
    <name>ep::ui::ProvenanceBadge</name>
    <message>
        <source>energy %1</source>
        <translation>Energie %1</translation>
    </message>
</context>
<context>
    <name>ep::ui::RailBarsView</name>
    <message>
        <source>Energy of each phase by rail</source>
        <translation>Energie jeder Phase nach Kanal</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <translation>%1: %2 (%3)</translation>
    </message>
    <message>
        <source>
%1: %2</source>
        <translation>
%1: %2</translation>
    </message>
    <message>
        <source>
%1: — (missing)</source>
        <translation>
%1: — (fehlt)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>— (missing): net energy needs a baseline of each rail. Set a baseline duration in Live.</source>
        <translation>— (fehlt): Die Nettoenergie braucht die Leerlaufleistung jedes Kanals. Stellen Sie in Live „Leerlauf davor“ ein.</translation>
    </message>
    <message>
        <source>— (missing): no rail of this run has an energy.</source>
        <translation>— (fehlt): Kein Kanal dieses Laufs hat eine Energie.</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>outside the rails</source>
        <translation>außerhalb der Kanäle</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>%1 (mJ)</source>
        <translation>%1 (mJ)</translation>
    </message>
    <message>
        <source>Outside the rails (mJ)</source>
        <translation>Außerhalb der Kanäle (mJ)</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunCharts</name>
    <message>
        <source>Where It Goes</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Kennzahlen</translation>
    </message>
    <message>
        <source>No run is open.</source>
        <translation>Kein Lauf ist geöffnet.</translation>
    </message>
    <message>
        <source>Summing the layers…</source>
        <translation>Die Schichten werden zusammengezählt…</translation>
    </message>
    <message>
        <source>This run has no power samples: its power source was “%1”.</source>
        <translation>Dieser Lauf hat keine Leistungsmesswerte: Seine Quelle war „%1“.</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunEditDialog</name>
    <message>
        <source>Edit Run</source>
        <translation>Lauf bearbeiten</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>Durch Kommas getrennt</translation>
    </message>
    <message>
        <source>&amp;Title:</source>
        <translation>&amp;Titel:</translation>
    </message>
    <message>
        <source>&amp;Experiment:</source>
        <translation>&amp;Experiment:</translation>
    </message>
    <message>
        <source>Ta&amp;gs:</source>
        <translation>&amp;Schlagwörter:</translation>
    </message>
    <message>
        <source>&amp;Notes:</source>
        <translation>&amp;Notizen:</translation>
    </message>
</context>
<context>
    <name>ep::ui::SamplingFields</name>
    <message>
        <source>Context length</source>
        <translation>Kontextlänge</translation>
    </message>
    <message>
        <source>Most tokens of prompt and answer together</source>
        <translation>Höchstzahl der Token von Prompt und Antwort zusammen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source> of %1 tokens</source>
        <translation> von %1 Token</translation>
    </message>
    <message>
        <source>Prompt and answer together have at most this many tokens; when they are reached, the answer ends.</source>
        <translation>Prompt und Antwort haben zusammen höchstens so viele Token; sind sie erreicht, endet die Antwort.</translation>
    </message>
    <message>
        <source>Keys and values of all of them take %1 for each sequence of the batch.</source>
        <translation>Die Keys und Values aller dieser Token belegen %1 für jede Sequenz des Stapels.</translation>
    </message>
    <message>
        <source>0 (greedy)</source>
        <translation>0 (greedy)</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Minimum probability of a token relative to the most likely one</source>
        <translation>Mindestwahrscheinlichkeit eines Tokens im Verhältnis zum wahrscheinlichsten</translation>
    </message>
    <message>
        <source>Makes tokens that already occur less likely; 1: off</source>
        <translation>Macht schon vorhandene Token weniger wahrscheinlich; 1: aus</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>Durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Texts that end the generation; \n is a line break, \, is a comma. answer:fence, answer:json, answer:repetition and answer:regex:PATTERN end it when the answer is complete</source>
        <translation>Texte, die die Erzeugung beenden; \n ist ein Zeilenumbruch, \, ein Komma. answer:fence, answer:json, answer:repetition und answer:regex:MUSTER beenden sie, wenn die Antwort vollständig ist</translation>
    </message>
    <message>
        <source>Number of copies of the prompt to generate in parallel</source>
        <translation>Anzahl der Kopien des Prompts, die zugleich erzeugt werden</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation>Stopptexte</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
</context>
<context>
    <name>ep::ui::SankeyView</name>
    <message>
        <source>Flow from the input through the layers to the output</source>
        <translation>Fluss von der Eingabe durch die Schichten zur Ausgabe</translation>
    </message>
    <message>
        <source>%1: %2%3 %4, %5 of the run</source>
        <translation>%1: %2%3 %4, %5 des Laufs</translation>
    </message>
    <message>
        <source>
→ %1: %2</source>
        <translation>
→ %1: %2</translation>
    </message>
    <message>
        <source>%1 → %2: %3, %4 of %1</source>
        <translation>%1 → %2: %3, %4 von %1</translation>
    </message>
    <message>
        <source>%1: — (missing). Select time, or make a run with a power source.</source>
        <translation>%1: — (fehlt). Wählen Sie Zeit oder starten Sie einen Lauf mit einer Leistungsquelle.</translation>
    </message>
    <message>
        <source>%1, %2: %3 %4</source>
        <translation>%1, %2: %3 %4</translation>
    </message>
    <message>
        <source>. Negative parts are not drawn.</source>
        <translation>. Negative Teile werden nicht gezeichnet.</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>ep::ui::SelectionBar</name>
    <message>
        <source>Annotations: what you wrote about ranges of time</source>
        <translation>Anmerkungen: was Sie über Zeitbereiche schrieben</translation>
    </message>
    <message>
        <source>Annotate the Selected Time…</source>
        <translation>Gewählte Zeit anmerken…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Annotation</source>
        <translation>Anmerkung</translation>
    </message>
    <message>
        <source>Note for these %1:</source>
        <translation>Notiz zu diesen %1:</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Search tokens, layers and components</source>
        <translation>Token, Schichten und Komponenten durchsuchen</translation>
    </message>
    <message>
        <source>Search tokens, layers, components</source>
        <translation>Token, Schichten, Komponenten suchen</translation>
    </message>
    <message>
        <source>Nothing selected: figures of the whole run</source>
        <translation>Nichts gewählt: Kennzahlen des ganzen Laufs</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Gewählt: %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>ep::ui::SensorCard</name>
    <message>
        <source>Systematic error: %1.</source>
        <translation>Systematischer Fehler: %1.</translation>
    </message>
    <message>
        <source>available</source>
        <translation>verfügbar</translation>
    </message>
    <message>
        <source>delivers nothing</source>
        <translation>liefert nichts</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <source>Rails</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>Auflösung</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>; choose another power source.</source>
        <translation>; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
</context>
<context>
    <name>ep::ui::ShortcutSheet</name>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Open the selected run</source>
        <translation>Den gewählten Lauf öffnen</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabetaste</translation>
    </message>
    <message>
        <source>Delete the selected runs</source>
        <translation>Die gewählten Läufe löschen</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Move the cursor</source>
        <translation>Den Cursor bewegen</translation>
    </message>
    <message>
        <source>Arrow keys, Home, End</source>
        <translation>Pfeiltasten, Pos1, Ende</translation>
    </message>
    <message>
        <source>Expand or select the item under the cursor</source>
        <translation>Das Element unter dem Cursor aufklappen oder wählen</translation>
    </message>
    <message>
        <source>Zoom in, out</source>
        <translation>Vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>W, S or +, −</source>
        <translation>W, S oder +, −</translation>
    </message>
    <message>
        <source>Earlier, later</source>
        <translation>Früher, später</translation>
    </message>
    <message>
        <source>A, D</source>
        <translation>A, D</translation>
    </message>
    <message>
        <source>Show the selection, show all</source>
        <translation>Auswahl zeigen, alles zeigen</translation>
    </message>
    <message>
        <source>F, 0</source>
        <translation>F, 0</translation>
    </message>
    <message>
        <source>Clear one level of the selection</source>
        <translation>Eine Ebene der Auswahl aufheben</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Charts over time</source>
        <translation>Diagramme über die Zeit</translation>
    </message>
    <message>
        <source>Select a range, zoom to it</source>
        <translation>Bereich wählen, auf ihn vergrößern</translation>
    </message>
    <message>
        <source>Drag, Shift+drag</source>
        <translation>Ziehen, Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>Pan, zoom at the pointer</source>
        <translation>Verschieben, am Zeiger vergrößern</translation>
    </message>
    <message>
        <source>Wheel, Ctrl+wheel or pinch</source>
        <translation>Rad, Strg+Rad oder Spreizen</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Select several tokens</source>
        <translation>Mehrere Token wählen</translation>
    </message>
    <message>
        <source>Shift+click, Shift+arrows</source>
        <translation>Umschalt+Klick, Umschalt+Pfeile</translation>
    </message>
    <message>
        <source>Live power</source>
        <translation>Leistung in Live</translation>
    </message>
    <message>
        <source>Follow the newest samples</source>
        <translation>Den neuesten Messwerten folgen</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Last minute, all</source>
        <translation>Letzte Minute, alles</translation>
    </message>
    <message>
        <source>M, A</source>
        <translation>M, A</translation>
    </message>
</context>
<context>
    <name>ep::ui::StorageDialog</name>
    <message>
        <source>Measuring…</source>
        <translation>Wird gemessen…</translation>
    </message>
    <message>
        <source>&amp;Keep the newest</source>
        <translation>Die neuesten &amp;behalten</translation>
    </message>
    <message>
        <source>&amp;Older than</source>
        <translation>Äl&amp;ter als</translation>
    </message>
    <message>
        <source>Without &amp;tags</source>
        <translation>Ohne &amp;Schlagwörter</translation>
    </message>
    <message>
        <source>&amp;Delete These Runs</source>
        <translation>Diese Läufe &amp;löschen</translation>
    </message>
    <message>
        <source>&amp;Free Disk Space</source>
        <translation>Speicherplatz &amp;freigeben</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Size of each run</source>
        <translation>Größe jedes Laufs</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source> runs</source>
        <translation> Läufe</translation>
    </message>
    <message>
        <source> days</source>
        <translation> Tage</translation>
    </message>
    <message>
        <source>Runs that match all of these</source>
        <translation>Läufe, auf die alles davon zutrifft</translation>
    </message>
    <message>
        <source>%1 runs, file size %2, %3 of it unused.</source>
        <translation>%1 Läufe, Dateigröße %2, davon %3 unbenutzt.</translation>
    </message>
</context>
<context>
    <name>ep::ui::TokenGridView</name>
    <message>
        <source>Heatmap of tokens and layers</source>
        <translation>Heatmap der Token und Schichten</translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <source>Tokens %1 to %2 (mean)</source>
        <translation>Token %1 bis %2 (Mittel)</translation>
    </message>
    <message>
        <source>%1, layer %2: %3 %4</source>
        <translation>%1, Schicht %2: %3 %4</translation>
    </message>
    <message>
        <source>%1: — (missing). Select time, or make a run with a power source.</source>
        <translation>%1: — (fehlt). Wählen Sie Zeit oder starten Sie einen Lauf mit einer Leistungsquelle.</translation>
    </message>
    <message>
        <source>%1 %2; layers down, tokens across</source>
        <translation>%1 %2; Schichten nach unten, Token nach rechts</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Layer %1 (%2)</source>
        <translation>Schicht %1 (%2)</translation>
    </message>
</context>
<context>
    <name>ep::ui::TokenPlayer</name>
    <message>
        <source>Play the tokens</source>
        <translation>Die Token abspielen</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>Voriges Token</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>Nächstes Token</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>Abspielgeschwindigkeit</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>No tokens</source>
        <translation>Keine Token</translation>
    </message>
    <message>
        <source>All of %1 steps of %2 sequences</source>
        <translation>Alle %1 Schritte von %2 Folgen</translation>
    </message>
    <message>
        <source>All of %1 tokens</source>
        <translation>Alle %1 Token</translation>
    </message>
    <message>
        <source>Token %1 of 0–%2 “%3” %4, %5 (%6)</source>
        <translation>Token %1 von 0–%2 „%3“ %4, %5 (%6)</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
</context>
<context>
    <name>ep::ui::TokenStreamView</name>
    <message>
        <source>Mean power</source>
        <translation>Mittlere Leistung</translation>
    </message>
    <message>
        <source>Energy per token · %1</source>
        <translation>Energie je Token · %1</translation>
    </message>
    <message>
        <source>Time per token · no energy recorded</source>
        <translation>Zeit je Token · keine Energie aufgezeichnet</translation>
    </message>
    <message>
        <source>Tokens appear here as the model produces them.</source>
        <translation>Hier erscheinen die Token, sobald das Modell sie erzeugt.</translation>
    </message>
    <message>
        <source>Stream of generated tokens</source>
        <translation>Strom der erzeugten Token</translation>
    </message>
    <message>
        <source>Token %1 “%2”, id %3
Time: %4</source>
        <translation>Token %1 „%2“, Id %3
Zeit: %4</translation>
    </message>
    <message>
        <source> (prefill of the whole prompt)</source>
        <translation> (Prefill des ganzen Prompts)</translation>
    </message>
    <message>
        <source>
Energy: %1 (%2)</source>
        <translation>
Energie: %1 (%2)</translation>
    </message>
    <message>
        <source>
Probability: %1</source>
        <translation>
Wahrscheinlichkeit: %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>Token %1 “%2”</source>
        <translation>Token %1 „%2“</translation>
    </message>
    <message>
        <source>Drafted for this step</source>
        <translation>Für diesen Schritt vorgeschlagen</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>Zeit (ms)</translation>
    </message>
    <message>
        <source>Energy (mJ)</source>
        <translation>Energie (mJ)</translation>
    </message>
    <message>
        <source>
After the answer was complete</source>
        <translation>
Nachdem die Antwort vollständig war</translation>
    </message>
    <message>
        <source>Energy per step of up to %1 tokens · %2</source>
        <translation>Energie je Schritt von bis zu %1 Token · %2</translation>
    </message>
    <message>
        <source>Energy per step of %1 sequences · %2</source>
        <translation>Energie je Schritt von %1 Sequenzen · %2</translation>
    </message>
</context>
<context>
    <name>ep::ui::TokensTab</name>
    <message>
        <source>By context length</source>
        <translation>Nach Kontextlänge</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>Nach Schicht</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Tokens to list</source>
        <translation>Aufzuführende Token</translation>
    </message>
    <message>
        <source>At or above</source>
        <translation>Ab</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>Unter</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Tokens on that side of the threshold</source>
        <translation>Token auf dieser Seite der Schwelle</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
</context>
<context>
    <name>ep::ui::TreemapView</name>
    <message>
        <source>Treemap of phases, layers, components and operations</source>
        <translation>Kacheldiagramm der Phasen, Schichten, Komponenten und Operationen</translation>
    </message>
    <message>
        <source>%1 others</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation>, %1 von %2</translation>
    </message>
    <message>
        <source>
in %1</source>
        <translation>
in %1</translation>
    </message>
    <message>
        <source>%1: — (missing). Select time, or make a run with a power source.</source>
        <translation>%1: — (fehlt). Wählen Sie Zeit oder starten Sie einen Lauf mit einer Leistungsquelle.</translation>
    </message>
    <message>
        <source>%1 is not positive in any part.</source>
        <translation>%1 ist in keinem Teil positiv.</translation>
    </message>
    <message>
        <source>Double-click or press Enter to zoom in, Backspace to zoom out.</source>
        <translation>Doppelklick oder Eingabetaste vergrößert, Rücktaste verkleinert.</translation>
    </message>
    <message>
        <source>%1 parts without a value are not shown. </source>
        <translation>%1 Teile ohne Wert werden nicht gezeigt. </translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>Zeit (ms)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
</context>
<context>
    <name>ep::ui::TrendView</name>
    <message>
        <source>Cost of a token against its position</source>
        <translation>Kosten eines Tokens gegen seine Position</translation>
    </message>
    <message>
        <source>Too few tokens for a regression line.</source>
        <translation>Zu wenige Token für eine Regressionsgerade.</translation>
    </message>
    <message>
        <source>%1 at position 0, %2 %3 %4 per position, R² %5, %6 tokens</source>
        <translation>%1 an Position 0, %2 %3 %4 je weitere Position, R² %5, %6 Token</translation>
    </message>
    <message>
        <source>, %1 anomalies excluded</source>
        <translation>, ohne %1 Ausreißer</translation>
    </message>
    <message>
        <source>Token %1 at position %2: %3 %4</source>
        <translation>Token %1 an Position %2: %3 %4</translation>
    </message>
    <message>
        <source>, the line has %1</source>
        <translation>, die Gerade hat %1</translation>
    </message>
    <message>
        <source>
Anomaly: its distance from the line has a robust |z| above %1.</source>
        <translation>
Ausreißer: Sein Abstand von der Geraden hat ein robustes |z| über %1.</translation>
    </message>
    <message>
        <source>No decoded token has a value: — (missing).</source>
        <translation>Kein dekodiertes Token hat einen Wert: — (fehlt).</translation>
    </message>
    <message>
        <source> · across: position · × robust |z| of the residual &gt; %1 · %2</source>
        <translation> · nach rechts: Position · × robustes |z| des Residuums &gt; %1 · %2</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Gerade</translation>
    </message>
    <message>
        <source>Anomaly</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>No clear slope: about %1 at each position</source>
        <translation>Keine klare Steigung: etwa %1 an jeder Position</translation>
    </message>
    <message>
        <source>%1 at position 0, %2 %3 per position</source>
        <translation>%1 an Position 0, %2 %3 je weitere Position</translation>
    </message>
    <message>
        <source> · × outliers: %1</source>
        <translation> · × Ausreißer: %1</translation>
    </message>
    <message>
        <source> · ∧ above the axis: %1</source>
        <translation> · ∧ über der Achse: %1</translation>
    </message>
    <message>
        <source> · across: position %1</source>
        <translation> · waagerecht: Position %1</translation>
    </message>
    <message>
        <source>
Line: %1</source>
        <translation>
Gerade: %1</translation>
    </message>
</context>
<context>
    <name>ep::ui::WaterfallView</name>
    <message>
        <source>
Disturbed: other programs took processors away.</source>
        <translation>
Gestört: andere Programme nahmen Prozessoren weg.</translation>
    </message>
    <message>
        <source>Tokens as stacked bars with their running sum</source>
        <translation>Token als gestapelte Balken mit laufender Summe</translation>
    </message>
    <message>
        <source>Tokens in view</source>
        <translation>Sichtbare Token</translation>
    </message>
    <message>
        <source>Token %1 (“%2”, position %3): %4</source>
        <translation>Token %1 („%2“, Position %3): %4</translation>
    </message>
    <message>
        <source>
%1: %2</source>
        <translation>
%1: %2</translation>
    </message>
    <message>
        <source>
The bar is truncated: it exceeds the axis.</source>
        <translation>
Der Balken ist abgeschnitten: Er überragt die Achse.</translation>
    </message>
    <message>
        <source>Tokens %1 to %2: mean %3 %4, %5 to %6</source>
        <translation>Token %1 bis %2: Mittel %3 %4, %5 bis %6</translation>
    </message>
    <message>
        <source>
Sum so far: %1</source>
        <translation>
Summe bisher: %1</translation>
    </message>
    <message>
        <source>%1 is missing for all tokens</source>
        <translation>%1 fehlt für alle Token</translation>
    </message>
    <message>
        <source>%1 of %2 tokens, sum %3</source>
        <translation>%1 von %2 Token, Summe %3</translation>
    </message>
    <message>
        <source>%1: — (missing). Select time, or make a run with a power source.</source>
        <translation>%1: — (fehlt). Wählen Sie Zeit oder starten Sie einen Lauf mit einer Leistungsquelle.</translation>
    </message>
    <message>
        <source>– – running sum (right axis) · %1 %2</source>
        <translation>– – laufende Summe (rechte Achse) · %1 %2</translation>
    </message>
    <message>
        <source> · mean of %1 tokens each, line: minimum to maximum</source>
        <translation> · Mittel von je %1 Token, Linie: Minimum bis Maximum</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>after the answer</source>
        <translation>nach der Antwort</translation>
    </message>
    <message>
        <source> · ◆ disturbed by other programs</source>
        <translation> · ◆ von anderen Programmen gestört</translation>
    </message>
    <message>
        <source> · %1 of %2 disturbed by other programs</source>
        <translation> · %1 von %2 von anderen Programmen gestört</translation>
    </message>
    <message>
        <source> · per step of %1 sequences</source>
        <translation> · je Schritt von %1 Sequenzen</translation>
    </message>
</context>
<context>
    <name>ep::ui::DifferenceTree</name>
    <message>
        <source>Difference by part, layer and phase</source>
        <translation>Unterschied nach Teil, Schicht und Phase</translation>
    </message>
    <message>
        <source>Copy Table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Als CSV speichern…</translation>
    </message>
    <message>
        <source>Node, %1</source>
        <translation>Knoten, %1</translation>
    </message>
    <message>
        <source>Energy
%1</source>
        <translation>Energie
%1</translation>
    </message>
    <message>
        <source>Time
%1</source>
        <translation>Zeit
%1</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>Relativ</translation>
    </message>
    <message>
        <source>By power</source>
        <translation>Durch Leistung</translation>
    </message>
    <message>
        <source>By time</source>
        <translation>Durch Zeit</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>Save as CSV</source>
        <translation>Als CSV speichern</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>%1 (≥ %2 repeats)</source>
        <translation>%1 (≥ %2 Wiederholungen)</translation>
    </message>
    <message>
        <source>%1 (about %2 repeats)</source>
        <translation>%1 (etwa %2 Wiederholungen)</translation>
    </message>
</context>
<context>
    <name>ep::ui::AnswerLine</name>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>%1: %2 in %3, %4 (%5 per token)</source>
        <translation>%1: %2 in %3, %4 (%5 je Token)</translation>
    </message>
    <message>
        <source>%1: %2 in %3</source>
        <translation>%1: %2 in %3</translation>
    </message>
</context>
<context>
    <name>ep::ui::AnswerEndBar</name>
    <message>
        <source>Stop There Next Time</source>
        <translation>Nächstes Mal dort stoppen</translation>
    </message>
    <message>
        <source>The answer is complete at</source>
        <translation>Die Antwort ist vollständig bei</translation>
    </message>
    <message>
        <source>What comes after the answer is marked in the text and in the waterfall, and its energy is counted.</source>
        <translation>Was nach der Antwort kommt, wird im Text und im Wasserfall markiert und seine Energie gezählt.</translation>
    </message>
    <message>
        <source>the last token</source>
        <translation>dem letzten Token</translation>
    </message>
    <message>
        <source>the end of the first code block</source>
        <translation>dem Ende des ersten Codeblocks</translation>
    </message>
    <message>
        <source>the end of the JSON value</source>
        <translation>dem Ende des JSON-Werts</translation>
    </message>
    <message>
        <source>20 tokens repeated three times</source>
        <translation>20 Token, dreimal wiederholt</translation>
    </message>
    <message>
        <source>the end of a pattern</source>
        <translation>dem Ende eines Musters</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Prepares a run in Live that stops when the answer is complete</source>
        <translation>Bereitet in Live einen Lauf vor, der endet, wenn die Antwort vollständig ist</translation>
    </message>
    <message>
        <source>Answer ends at:</source>
        <translation>Antwort endet bei:</translation>
    </message>
</context>
<context>
    <name>ep::ui::QualityLine</name>
    <message>
        <source>Measure Quality…</source>
        <translation>Qualität messen…</translation>
    </message>
    <message>
        <source>Perplexity of each model and number format on a text of yours</source>
        <translation>Perplexität jedes Modells und Zahlenformats auf einem Ihrer Texte</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>ep::ui::QualityDialog</name>
    <message>
        <source>Measure Quality</source>
        <translation>Qualität messen</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>Perplexity: how well the model predicts a text of the kind that it is used for. Other formats than f32 are also compared with f32 of the same weights. To measure: %1.</source>
        <translation>Perplexität: wie gut das Modell einen Text der Art vorhersagt, für die es benutzt wird. Andere Formate als f32 werden auch mit f32 derselben Gewichte verglichen. Zu messen: %1.</translation>
    </message>
    <message>
        <source>Text file</source>
        <translation>Textdatei</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Text to Predict</source>
        <translation>Vorherzusagender Text</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>ep::ui::ServerFinder</name>
    <message>
        <source>No running server was found on this machine.</source>
        <translation>Auf diesem Rechner wurde kein laufender Server gefunden.</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>%1 at %2; phases and tokens, no layers</source>
        <translation>%1 an %2; Phasen und Token, keine Schichten</translation>
    </message>
</context>
<context>
    <name>ep::ui::CommandPalette</name>
    <message>
        <source>Command Palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Search actions, runs, models, layers, tokens</source>
        <translation>Befehle, Läufe, Modelle, Schichten, Token suchen</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
</context>
<context>
    <name>ep::ui::NavigationRail</name>
    <message>
        <source>Fold the navigation</source>
        <translation>Navigation einklappen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Unfold the navigation</source>
        <translation>Navigation ausklappen</translation>
    </message>
</context>
<context>
    <name>ep::ui::RepeatTable</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Experiments with their repeats folded</source>
        <translation>Experimente mit zusammengefassten Wiederholungen</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
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
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Energy (mean, 95 %)</source>
        <translation>Energie (Mittel, 95 %)</translation>
    </message>
    <message>
        <source>Energy (sum)</source>
        <translation>Energie (Summe)</translation>
    </message>
    <message>
        <source>Energies</source>
        <translation>Energien</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>%1 (mean, 95 %)</source>
        <translation>%1 (Mittel, 95 %)</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunSummaryPane</name>
    <message>
        <source>Wh/(in + out)</source>
        <translation>Wh/(Ein + Aus)</translation>
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
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Energy per token of the runs of this model</source>
        <translation>Energie je Token der Läufe dieses Modells</translation>
    </message>
    <message>
        <source>The selected run</source>
        <translation>Der gewählte Lauf</translation>
    </message>
    <message>
        <source>Select a run to see its details.</source>
        <translation>Wählen Sie einen Lauf, um seine Einzelheiten zu sehen.</translation>
    </message>
    <message>
        <source>J/token of %1 of this model in the list, oldest first</source>
        <translation>J/Token: %1 dieses Modells in der Liste, älteste zuerst</translation>
    </message>
    <message>
        <source>Manifest</source>
        <translation>Manifest</translation>
    </message>
    <message>
        <source>Mean of %1</source>
        <translation>Mittel von %1</translation>
    </message>
    <message>
        <source>The runs are repeats of one setting: each figure is the mean of those that have it. %1 tokens generated.</source>
        <translation>Die Läufe sind Wiederholungen einer Einstellung: jede Kennzahl ist das Mittel derer, die sie haben. %1 Token erzeugt.</translation>
    </message>
    <message>
        <source>%1 without energy.</source>
        <translation>%1 ohne Energie.</translation>
    </message>
    <message>
        <source>Energies of different origin are not added up: %1.</source>
        <translation>Energien verschiedener Herkunft werden nicht addiert: %1.</translation>
    </message>
    <message>
        <source>%1 together</source>
        <translation>%1 zusammen</translation>
    </message>
    <message>
        <source>%1 tokens generated. Energy and duration are sums; energy per token is energy / tokens.</source>
        <translation>%1 Token erzeugt. Energie und Dauer sind Summen; die Energie je Token ist Energie durch Token.</translation>
    </message>
    <message>
        <source>%1 without energy: the sums are lower bounds.</source>
        <translation>%1 ohne Energie: die Summen sind untere Grenzen.</translation>
    </message>
    <message>
        <source>J/(in + out)</source>
        <translation>J/(Ein + Aus)</translation>
    </message>
</context>
<context>
    <name>ep::ui::SequenceView</name>
    <message>
        <source>Prompt and response of the sequence</source>
        <translation>Prompt und Antwort der Sequenz</translation>
    </message>
    <message>
        <source>Sequence of the batch</source>
        <translation>Sequenz des Stapels</translation>
    </message>
    <message>
        <source>Sequence %1 of %2</source>
        <translation>Sequenz %1 von %2</translation>
    </message>
    <message>
        <source>%1 tokens in, %2 out. The sequences of a batch share every step, and its energy.</source>
        <translation>%1 Token ein, %2 aus. Die Sequenzen eines Stapels teilen sich jeden Schritt und seine Energie.</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>Token hinein</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>Token heraus</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>shared by all sequences</source>
        <translation>allen Sequenzen gemeinsam</translation>
    </message>
    <message>
        <source>A step computes one token of each sequence at once, so that no joule belongs to one of them.</source>
        <translation>Ein Schritt berechnet je ein Token aller Sequenzen zugleich; kein Joule gehört zu einer einzelnen.</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
</context>
<context>
    <name>ep::ui::AnswerBar</name>
    <message>
        <source>Show where this is in the charts</source>
        <translation>In den Diagrammen zeigen</translation>
    </message>
</context>
<context>
    <name>ep::ui::WhyTab</name>
    <message>
        <source>Why, and what to do</source>
        <translation>Warum, und was zu tun ist</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>dieser Lauf</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunDocument</name>
    <message>
        <source>Only stored runs are explained, and this run is not stored.</source>
        <translation>Nur gespeicherte Läufe werden erklärt, und dieser Lauf ist nicht gespeichert.</translation>
    </message>
</context>
<context>
    <name>ep::ui::AnswerView</name>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Ruled out</source>
        <translation>Ausgeschlossen</translation>
    </message>
    <message>
        <source>What was tried</source>
        <translation>Was versucht wurde</translation>
    </message>
    <message>
        <source>Other causes</source>
        <translation>Weitere Ursachen</translation>
    </message>
    <message>
        <source>Measure Limits Here…</source>
        <translation>Grenzen hier messen…</translation>
    </message>
    <message>
        <source>They tell whether memory or arithmetic limits a run. Measuring takes about ten seconds.</source>
        <translation>Sie zeigen, ob der Speicher oder das Rechnen einen Lauf begrenzt. Die Messung dauert etwa zehn Sekunden.</translation>
    </message>
    <message>
        <source>The limits of this machine are not measured</source>
        <translation>Die Grenzen dieses Rechners sind nicht gemessen</translation>
    </message>
    <message>
        <source>What was ruled out, and what needs more data</source>
        <translation>Was ausgeschlossen ist und wofür Daten fehlen</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Ursachen</translation>
    </message>
    <message>
        <source>Not enough data</source>
        <translation>Nicht zu sagen</translation>
    </message>
    <message>
        <source>Looking for the reasons…</source>
        <translation>Suche nach den Gründen…</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Try It…</source>
        <translation>Ausprobieren…</translation>
    </message>
    <message>
        <source>Make a study that compares this with the run&apos;s own setting</source>
        <translation>Eine Studie anlegen, die dies mit der Einstellung des Laufs vergleicht</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>Ausprobieren: %1</translation>
    </message>
    <message>
        <source>The idle power of this machine is not known</source>
        <translation>Die Leerlaufleistung dieser Maschine ist nicht bekannt</translation>
    </message>
    <message>
        <source>It shows what a run adds to what the machine draws anyway, and what waiting costs. The run is recorded again, after ten seconds on the idle machine.</source>
        <translation>Sie zeigt, was ein Lauf zu dem hinzufügt, was die Maschine ohnehin verbraucht, und was Warten kostet. Der Lauf wird noch einmal aufgezeichnet, nachdem die Maschine zehn Sekunden lang im Leerlauf gemessen wurde.</translation>
    </message>
    <message>
        <source>Add a Baseline</source>
        <translation>Leerlauf mitmessen</translation>
    </message>
</context>
<context>
    <name>ep::ui::RooflineView</name>
    <message>
        <source>Energy roofline</source>
        <translation>Energie-Dachlinie</translation>
    </message>
</context>
<context>
    <name>ep::terms</name>
    <message>
        <source>management library of NVIDIA</source>
        <translation>Verwaltungsbibliothek von NVIDIA</translation>
    </message>
    <message>
        <source>choose another power source</source>
        <translation>wählen Sie eine andere Leistungsquelle</translation>
    </message>
    <message>
        <source>IOReport library of macOS</source>
        <translation>IOReport-Bibliothek von macOS</translation>
    </message>
    <message>
        <source>the power of the whole machine is missing</source>
        <translation>die Leistung des ganzen Rechners fehlt</translation>
    </message>
    <message>
        <source>A recording of power has no layers. It shows the energy of each rail and, where a file of requests was imported with it, of each request.</source>
        <translation>Eine Aufzeichnung von Leistung hat keine Schichten. Sie zeigt die Energie jeder Schiene und, wenn eine Datei mit Anfragen mit ihr importiert wurde, die jeder Anfrage.</translation>
    </message>
    <message>
        <source>Layers and components are not visible from outside.</source>
        <translation>Schichten und Komponenten sind von außen nicht sichtbar.</translation>
    </message>
    <message>
        <source>The command sent no layers.</source>
        <translation>Der Befehl hat keine Schichten gesendet.</translation>
    </message>
    <message>
        <source>This run recorded no layers: its depth was none.</source>
        <translation>Dieser Lauf hat keine Schichten aufgezeichnet: Seine Tiefe war „keine“.</translation>
    </message>
    <message>
        <source>This run ended before a token was complete.</source>
        <translation>Dieser Lauf endete, bevor ein Token vollständig war.</translation>
    </message>
    <message>
        <source>choose another file with --db</source>
        <translation>wählen Sie mit --db eine andere Datei</translation>
    </message>
    <message>
        <source>choose another database</source>
        <translation>wählen Sie eine andere Datenbank</translation>
    </message>
    <message>
        <source>name another file with --db</source>
        <translation>nennen Sie mit --db eine andere Datei</translation>
    </message>
    <message>
        <source>name a database file with --db</source>
        <translation>nennen Sie mit --db eine Datenbank</translation>
    </message>
    <message>
        <source>choose a database</source>
        <translation>wählen Sie eine Datenbank</translation>
    </message>
    <message>
        <source>Use it with --db</source>
        <translation>Öffnen Sie sie mit --db</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen Sie sie</translation>
    </message>
    <message>
        <source>choose another file with --out</source>
        <translation>wählen Sie mit --out eine andere Datei</translation>
    </message>
    <message>
        <source>choose another file</source>
        <translation>wählen Sie eine andere Datei</translation>
    </message>
    <message>
        <source>name another file with --out</source>
        <translation>nennen Sie mit --out eine andere Datei</translation>
    </message>
    <message>
        <source>align them with --offset auto, or state the difference with --offset SECONDS</source>
        <translation>gleichen Sie sie mit --offset auto an, oder geben Sie den Unterschied mit --offset SECONDS an</translation>
    </message>
    <message>
        <source>align them, or state the difference</source>
        <translation>gleichen Sie sie an, oder geben Sie den Unterschied an</translation>
    </message>
    <message>
        <source>State the difference with --offset SECONDS</source>
        <translation>Geben Sie den Unterschied mit --offset SECONDS an</translation>
    </message>
    <message>
        <source>State the difference</source>
        <translation>Geben Sie den Unterschied an</translation>
    </message>
    <message>
        <source> with --period SECONDS</source>
        <translation> mit --period SECONDS</translation>
    </message>
    <message>
        <source> (--offset moves the power)</source>
        <translation> (--offset verschiebt die Leistung)</translation>
    </message>
    <message>
        <source> (--dates states the order)</source>
        <translation> (--dates gibt die Reihenfolge an)</translation>
    </message>
    <message>
        <source>--warmup 1 loads it before</source>
        <translation>--warmup 1 lädt es vorher</translation>
    </message>
    <message>
        <source>a warm-up loads it before</source>
        <translation>ein Aufwärmen lädt es vorher</translation>
    </message>
    <message>
        <source>record it with --python --auto</source>
        <translation>Zeichnen Sie ihn mit --python --auto auf</translation>
    </message>
    <message>
        <source>record it with what it computes inside</source>
        <translation>Zeichnen Sie ihn mit dem auf, was er im Inneren berechnet</translation>
    </message>
    <message>
        <source>with --depth none</source>
        <translation>mit --depth none</translation>
    </message>
    <message>
        <source>at depth None</source>
        <translation>mit der Tiefe Keine</translation>
    </message>
    <message>
        <source>Pin them with --kernels</source>
        <translation>Mit --kernels werden sie festgelegt</translation>
    </message>
    <message>
        <source>Pin them</source>
        <translation>Legen Sie sie fest</translation>
    </message>
    <message>
        <source>with --dtype int8 or q4_k to compute from fewer bits</source>
        <translation>mit --dtype int8 oder q4_k für weniger Bits</translation>
    </message>
    <message>
        <source>in the format int8 or q4_k to compute from fewer bits</source>
        <translation>im Format int8 oder q4_k für weniger Bits</translation>
    </message>
    <message>
        <source>that --dtype rounds to</source>
        <translation>auf das --dtype rundet</translation>
    </message>
    <message>
        <source>offered</source>
        <translation>das angeboten wird</translation>
    </message>
    <message>
        <source>with --dtype auto</source>
        <translation>mit --dtype auto</translation>
    </message>
    <message>
        <source>in the format As stored</source>
        <translation>im Format Wie gespeichert</translation>
    </message>
    <message>
        <source>With --dtype f16</source>
        <translation>Mit --dtype f16</translation>
    </message>
    <message>
        <source>In the format f16</source>
        <translation>Im Format f16</translation>
    </message>
    <message>
        <source>recorded commands</source>
        <translation>aufgezeichnete Befehle</translation>
    </message>
    <message>
        <source>None of the runs has energies; they had no power source.</source>
        <translation>Keiner der Läufe hat Energien; sie hatten keine Leistungsquelle.</translation>
    </message>
    <message>
        <source>on %1 in %2</source>
        <translation>auf %1 in %2</translation>
    </message>
    <message>
        <source>The requested lengths are more than twice the longest recorded (%1 in, %2 out).</source>
        <translation>Die gewünschten Längen sind mehr als doppelt so groß wie die längsten aufgezeichneten (%1 Eingabe, %2 Ausgabe).</translation>
    </message>
    <message>
        <source>Wh/token</source>
        <translation>Wh/Token</translation>
    </message>
    <message>
        <source>J/token</source>
        <translation>J/Token</translation>
    </message>
    <message>
        <source>%1 of %2 requests lie outside the recording, so that its energy per token is not known.</source>
        <translation>%1 von %2 Anfragen liegen außerhalb der Aufzeichnung, daher ist ihre Energie je Token nicht bekannt.</translation>
    </message>
    <message>
        <source>%1 was written before version 1 of the run database and was not changed; convert it with &quot;python3 scripts/convert_database.py %2&quot; from the source code, or choose another file with --db.</source>
        <translation>%1 wurde vor Version 1 der Datenbank geschrieben und nicht verändert; wandeln Sie sie mit „python3 scripts/convert_database.py %2“ aus dem Quelltext um, oder wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>Machine limits unknown.</source>
        <translation>Die Grenzen des Rechners sind unbekannt.</translation>
    </message>
    <message>
        <source>Record again with a twin, which tells the cost apart.</source>
        <translation>Zeichnen Sie mit einem Zwilling neu auf, der die Kosten trennt.</translation>
    </message>
    <message>
        <source>Repeat with pauses, with a source that reads the thermal state.</source>
        <translation>Wiederholen Sie mit Pausen und einer Quelle, die den thermischen Zustand liest.</translation>
    </message>
    <message>
        <source>Record again at depth Module.</source>
        <translation>Zeichnen Sie mit der Tiefe Modul neu auf.</translation>
    </message>
    <message>
        <source>Record again at depth Deep, which counts the experts of each step.</source>
        <translation>Zeichnen Sie mit der Tiefe Operationen neu auf; sie zählt die Experten jedes Schritts.</translation>
    </message>
    <message>
        <source>Record again at depth Deep, and compare with the processor.</source>
        <translation>Zeichnen Sie mit der Tiefe Operationen neu auf und vergleichen Sie mit dem Prozessor.</translation>
    </message>
    <message>
        <source>Record again at depth Module, with an idle baseline of 10 s.</source>
        <translation>Zeichnen Sie mit der Tiefe Modul und 10 s Leerlauf davor neu auf.</translation>
    </message>
    <message>
        <source>Measure this machine&apos;s limits while nothing else runs.</source>
        <translation>Messen Sie die Grenzen dieses Rechners, während sonst nichts läuft.</translation>
    </message>
    <message>
        <source>Measure this machine&apos;s limits.</source>
        <translation>Messen Sie die Grenzen dieses Rechners.</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denken</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>imported recording</source>
        <translation>importierte Aufzeichnung</translation>
    </message>
    <message>
        <source>Prompt cache: %1 of %2 prompt tokens were not computed again.</source>
        <translation>Prompt-Cache: %1 von %2 Prompt-Tokens wurden nicht erneut berechnet.</translation>
    </message>
    <message>
        <source>Draft by %1: %2 tokens proposed = %3 accepted + %4 rejected.</source>
        <translation>Entwurf von %1: %2 Tokens vorgeschlagen = %3 angenommen + %4 abgelehnt.</translation>
    </message>
    <message>
        <source>Drafts and the prompt cache work for one sequence at a time: give one prompt, without copies.</source>
        <translation>Entwürfe und der Prompt-Cache arbeiten mit einer Sequenz: Geben Sie einen Prompt ohne Kopien an.</translation>
    </message>
    <message>
        <source>The layers of %1 have states that cannot go back behind rejected tokens: leave out the draft.</source>
        <translation>Die Schichten von %1 haben Zustände, die nicht hinter abgelehnte Token zurückkönnen: Lassen Sie den Entwurf weg.</translation>
    </message>
    <message>
        <source>The layers of %1 have states that exist only at the end of a prompt: leave out the prompt cache.</source>
        <translation>Die Schichten von %1 haben Zustände, die es nur am Ende eines Prompts gibt: Lassen Sie den Prompt-Cache weg.</translation>
    </message>
    <message>
        <source>Keys and values in q8_0 are computed on the processor only: choose the device cpu.</source>
        <translation>Schlüssel und Werte in q8_0 werden nur auf dem Prozessor berechnet: Wählen Sie das Gerät cpu.</translation>
    </message>
    <message>
        <source>A head of %1 has %2 numbers, which q8_0 cannot divide into blocks of 32: use another cache.</source>
        <translation>Ein Kopf von %1 hat %2 Zahlen, die q8_0 nicht in Blöcke zu 32 teilen kann: Nehmen Sie einen anderen Cache.</translation>
    </message>
    <message>
        <source>The layers of %1 keep no keys and values, so there is nothing to put into q8_0: use another cache.</source>
        <translation>Die Schichten von %1 behalten keine Schlüssel und Werte, also ist nichts in q8_0 umzuwandeln: Nehmen Sie einen anderen Cache.</translation>
    </message>
    <message>
        <source>The draft %1 has another vocabulary than %2: choose a smaller model of the same family, or ngram.</source>
        <translation>Der Entwurf %1 hat ein anderes Vokabular als %2: Wählen Sie ein kleineres Modell derselben Familie oder ngram.</translation>
    </message>
    <message>
        <source>%1 is no trace of events: it must be JSON with a list traceEvents, as torch.profiler, Chrome and Perfetto write it.</source>
        <translation>%1 ist keine Spur von Ereignissen: Sie muss JSON mit einer Liste traceEvents sein, wie torch.profiler, Chrome und Perfetto sie schreiben.</translation>
    </message>
    <message>
        <source>%1 kernels of an accelerator run later than the operators that start them: times are those of the operators.</source>
        <translation>%1 Kernel eines Beschleunigers laufen später als die Operatoren, die sie starten: Die Zeiten sind die der Operatoren.</translation>
    </message>
    <message>
        <source>The trace has %1 generations; the run shows the one with the most tokens.</source>
        <translation>Die Spur hat %1 Generierungen; der Lauf zeigt die mit den meisten Token.</translation>
    </message>
    <message>
        <source>The file ends in the middle of an event: the trace is read as far as it goes.</source>
        <translation>Die Datei endet mitten in einem Ereignis: Die Spur wird gelesen, so weit sie geht.</translation>
    </message>
    <message>
        <source>The trace has more events than are read.</source>
        <translation>Die Spur hat mehr Ereignisse, als gelesen werden.</translation>
    </message>
    <message>
        <source>Nothing in the trace could be mapped to the parts of a model: record it with with_stack=True or record_shapes=True.</source>
        <translation>Nichts in der Spur konnte den Teilen eines Modells zugeordnet werden: Zeichnen Sie sie mit with_stack=True oder record_shapes=True auf.</translation>
    </message>
    <message>
        <source>Trace and power do not both state the time of day: their beginnings are taken for the same moment (--offset moves the power).</source>
        <translation>Spur und Leistung nennen nicht beide die Tageszeit: Ihre Anfänge gelten als derselbe Augenblick (--offset verschiebt die Leistung).</translation>
    </message>
    <message>
        <source>A quotation mark of the command is not closed: %1</source>
        <translation>Ein Anführungszeichen des Befehls ist nicht geschlossen: %1</translation>
    </message>
    <message>
        <source>Malformed records of the command, not in the run: %1.</source>
        <translation>Fehlerhafte Datensätze des Befehls, nicht im Lauf: %1.</translation>
    </message>
    <message>
        <source>Spans outside of the run, not in it: %1.</source>
        <translation>Spannen außerhalb des Laufs, nicht darin: %1.</translation>
    </message>
    <message>
        <source>Spans after the token that they belong to, not in the run: %1.</source>
        <translation>Spannen nach dem Token, zu dem sie gehören, nicht im Lauf: %1.</translation>
    </message>
    <message>
        <source>Spans that overlap others or have no parent, not in the run: %1.</source>
        <translation>Spannen, die andere überschneiden oder keine übergeordnete haben, nicht im Lauf: %1.</translation>
    </message>
    <message>
        <source>Spans beyond the limit of a run, not in it: %1.</source>
        <translation>Spannen über der Grenze eines Laufs, nicht darin: %1.</translation>
    </message>
    <message>
        <source>Spans that the command dropped, as it did not wait: %1.</source>
        <translation>Spannen, die der Befehl verwarf, da er nicht wartete: %1.</translation>
    </message>
    <message>
        <source>The command generated %1 times, in %2 processes or threads. Steps, layers and components are those of number %3, which has the most tokens; the tokens and the energy of the run are those of the whole command.</source>
        <translation>Der Befehl hat %1 Mal generiert, in %2 Prozessen oder Threads. Schritte, Schichten und Komponenten sind die von Nummer %3, die die meisten Token hat; Token und Energie des Laufs sind die des ganzen Befehls.</translation>
    </message>
    <message>
        <source>The command generated %1 times. Steps, layers and components are those of number %2, which has the most tokens; the tokens and the energy of the run are those of the whole command.</source>
        <translation>Der Befehl hat %1 Mal generiert. Schritte, Schichten und Komponenten sind die von Nummer %2, die die meisten Token hat; Token und Energie des Laufs sind die des ganzen Befehls.</translation>
    </message>
    <message>
        <source>Another generation ran at the same time as that one: it is not known which of them used the energy of a phase or a step, so only the energy per token of the whole command is stated.</source>
        <translation>Eine andere Generierung lief gleichzeitig mit dieser: Es ist nicht bekannt, welche von beiden die Energie einer Phase oder eines Schritts verbraucht hat; daher wird nur die Energie pro Token des ganzen Befehls angegeben.</translation>
    </message>
    <message>
        <source>%1 processes that it started were still running when it ended: what they use after that is not part of this run.</source>
        <translation>%1 Prozesse, die er gestartet hatte, liefen bei seinem Ende noch: Was sie danach brauchen, ist nicht Teil dieses Laufs.</translation>
    </message>
    <message>
        <source>The command was ended by signal %1 (%2).</source>
        <translation>Der Befehl wurde durch das Signal %1 (%2) beendet.</translation>
    </message>
    <message>
        <source>The command ended with status %1.</source>
        <translation>Der Befehl endete mit dem Status %1.</translation>
    </message>
    <message>
        <source>The command timestamps its spans with another clock: they were aligned at the arrival of its first record.</source>
        <translation>Der Befehl stempelt seine Spannen mit einer anderen Uhr: Sie wurden an der Ankunft seines ersten Datensatzes ausgerichtet.</translation>
    </message>
    <message>
        <source>The same work first ran without hooks, in the time before the prefill; whether both produced the same tokens is not known.</source>
        <translation>Dieselbe Arbeit lief zuerst ohne Hooks, in der Zeit vor dem Prefill; ob beide dieselben Token erzeugten, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The command was stopped.</source>
        <translation>Der Befehl wurde angehalten.</translation>
    </message>
    <message>
        <source>The command sent no spans of what it computes: record it with --python --auto, or send them (docs/spans.md).</source>
        <translation>Der Befehl sandte keine Spannen dessen, was er berechnet: Zeichnen Sie ihn mit --python --auto auf, oder senden Sie welche (docs/spans.md).</translation>
    </message>
    <message>
        <source>The Python file energy_profiler_spans.py of this program is not there: install the program again.</source>
        <translation>Die Python-Datei energy_profiler_spans.py dieses Programms ist nicht da: Installieren Sie das Programm noch einmal.</translation>
    </message>
    <message>
        <source>The command cannot be started: %1: %2.</source>
        <translation>Der Befehl kann nicht gestartet werden: %1: %2.</translation>
    </message>
    <message>
        <source>The command does not take signals from this program (does it run as another user?): %1.</source>
        <translation>Der Befehl nimmt keine Signale von diesem Programm an (läuft er als anderer Benutzer?): %1.</translation>
    </message>
    <message>
        <source>The socket for the spans of the command cannot be made: %1: %2.</source>
        <translation>Der Socket für die Spannen des Befehls kann nicht angelegt werden: %1: %2.</translation>
    </message>
    <message>
        <source>a time is too far from all others.</source>
        <translation>eine Zeit liegt zu weit von allen anderen.</translation>
    </message>
    <message>
        <source>%1 cannot be read to its end.</source>
        <translation>%1 lässt sich nicht bis zum Ende lesen.</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>Die Datei ist leer.</translation>
    </message>
    <message>
        <source>It has a header, but no rows of values.</source>
        <translation>Es gibt eine Kopfzeile, aber keine Zeilen mit Werten.</translation>
    </message>
    <message>
        <source>It has a single row of values, and so no interval to sum over.</source>
        <translation>Es gibt nur eine Zeile mit Werten und damit keine Zeitspanne für eine Summe.</translation>
    </message>
    <message>
        <source>Its only row covers %1 s, which is too short to be a measurement.</source>
        <translation>Die einzige Zeile umfasst %1 s, was für eine Messung zu kurz ist.</translation>
    </message>
    <message>
        <source>None of its rows, 2 to %1, has a value: the device reports no power.</source>
        <translation>Keine der Zeilen 2 bis %1 hat einen Wert: Das Gerät meldet keine Leistung.</translation>
    </message>
    <message>
        <source>It has no rail “%1”.</source>
        <translation>Es gibt keine Schiene „%1“.</translation>
    </message>
    <message>
        <source>“%1” is not a unit of power or energy; use W, mW, kW, J or Wh.</source>
        <translation>„%1“ ist keine Einheit für Leistung oder Energie; möglich sind W, mW, kW, J oder Wh.</translation>
    </message>
    <message>
        <source>%1 in the column %2 is not a number; remove or repair the row.</source>
        <translation>%1 in der Spalte %2 ist keine Zahl; entfernen oder reparieren Sie die Zeile.</translation>
    </message>
    <message>
        <source>%1 is longer than any row of a power log.</source>
        <translation>%1 ist länger als jede Zeile eines Leistungsprotokolls.</translation>
    </message>
    <message>
        <source>row 1: the file has other columns than those that were described.</source>
        <translation>Zeile 1: Die Datei hat andere Spalten als die beschriebenen.</translation>
    </message>
    <message>
        <source>%1 has no unit; state the unit (--unit), such as W.</source>
        <translation>%1 hat keine Einheit; geben Sie die Einheit an (--unit), etwa W.</translation>
    </message>
    <message>
        <source>row %1: it has only %2 of %3 columns.</source>
        <translation>Zeile %1: Sie hat nur %2 von %3 Spalten.</translation>
    </message>
    <message>
        <source>row %1: it has %2 columns instead of %3; commas may be decimal signs as well as separators.</source>
        <translation>Zeile %1: Sie hat %2 statt %3 Spalten; Kommas können Dezimalzeichen und zugleich Trennzeichen sein.</translation>
    </message>
    <message>
        <source>row %1: no column of power or energy was found, and no format is known that looks like this; describe the columns in the window.</source>
        <translation>Zeile %1: Keine Spalte für Leistung oder Energie und kein bekanntes Format; beschreiben Sie die Spalten im Fenster.</translation>
    </message>
    <message>
        <source>row %1: no pairs of energies were found; the table needs the columns a_mj_per_token and b_mj_per_token.</source>
        <translation>Zeile %1: Es gibt keine Paare von Energien; die Tabelle braucht die Spalten a_mj_per_token und b_mj_per_token.</translation>
    </message>
    <message>
        <source>It has no pair with the energies of both settings.</source>
        <translation>Es gibt kein Paar mit den Energien beider Einstellungen.</translation>
    </message>
    <message>
        <source>The setting &apos;%1&apos; cannot be used: %2</source>
        <translation>Die Einstellung „%1“ lässt sich nicht verwenden: %2</translation>
    </message>
    <message>
        <source>A run of the pair failed: %1</source>
        <translation>Ein Lauf des Paars schlug fehl: %1</translation>
    </message>
    <message>
        <source>The run %1 has no energy for a card.</source>
        <translation>Der Lauf %1 hat keine Energie für eine Karte.</translation>
    </message>
    <message>
        <source>There is no pair with energies for a card.</source>
        <translation>Es gibt kein Paar mit Energien für eine Karte.</translation>
    </message>
    <message>
        <source>The card %1 is not valid: %2</source>
        <translation>Die Karte %1 ist ungültig: %2</translation>
    </message>
    <message>
        <source>The check of the job %1 could not be started.</source>
        <translation>Die Prüfung der Aufgabe %1 ließ sich nicht starten.</translation>
    </message>
    <message>
        <source>There is no job &apos;%1&apos;; `runs totals --by job` lists them.</source>
        <translation>Es gibt keine Aufgabe „%1“; `runs totals --by job` listet sie auf.</translation>
    </message>
    <message>
        <source>none of the metrics is a power or an energy that is known.</source>
        <translation>keine der Metriken ist eine bekannte Leistung oder Energie.</translation>
    </message>
    <message>
        <source>the sample states no time or length.</source>
        <translation>die Messung nennt weder Zeit noch Länge.</translation>
    </message>
    <message>
        <source>the sample states no length.</source>
        <translation>die Messung nennt keine Länge.</translation>
    </message>
    <message>
        <source>the event is cut off.</source>
        <translation>das Ereignis ist abgeschnitten.</translation>
    </message>
    <message>
        <source>the event has no unit of energy.</source>
        <translation>das Ereignis hat keine Einheit der Energie.</translation>
    </message>
    <message>
        <source>it has no power of a rail.</source>
        <translation>sie hat keine Leistung eines Kanals.</translation>
    </message>
    <message>
        <source>it does not state a time and watts.</source>
        <translation>sie nennt keine Zeit und keine Watt.</translation>
    </message>
    <message>
        <source>no pairs of energies were found; the table needs the columns a_mj_per_token and b_mj_per_token.</source>
        <translation>Es gibt keine Paare von Energien; die Tabelle braucht die Spalten a_mj_per_token und b_mj_per_token.</translation>
    </message>
    <message>
        <source>the request states no time at which it began.</source>
        <translation>die Anfrage nennt keine Zeit ihres Beginns.</translation>
    </message>
    <message>
        <source>the request states no time at which it ended.</source>
        <translation>die Anfrage nennt keine Zeit ihres Endes.</translation>
    </message>
    <message>
        <source>the times of the request are not in order.</source>
        <translation>die Zeiten der Anfrage sind nicht in ihrer Reihenfolge.</translation>
    </message>
    <message>
        <source>the log of llama-server has no times; start it with --log-timestamps.</source>
        <translation>das Protokoll von llama-server hat keine Zeiten; starten Sie ihn mit --log-timestamps.</translation>
    </message>
    <message>
        <source>the test states no times of its repetitions.</source>
        <translation>der Test nennt keine Zeiten seiner Wiederholungen.</translation>
    </message>
    <message>
        <source>the JSON object that begins here is too long for a power log.</source>
        <translation>das JSON-Objekt, das hier beginnt, ist zu lang für ein Leistungsprotokoll.</translation>
    </message>
    <message>
        <source>this log has no times; state the interval of its rows with --period SECONDS.</source>
        <translation>Dieses Protokoll hat keine Zeiten; geben Sie den Abstand der Zeilen mit --period SECONDS an.</translation>
    </message>
    <message>
        <source>the period makes the log longer than time can be written.</source>
        <translation>mit diesem Abstand wird das Protokoll länger, als sich Zeiten schreiben lassen.</translation>
    </message>
    <message>
        <source>no format of power logs in JSON is known that has these fields.</source>
        <translation>kein bekanntes Format von Leistungsprotokollen in JSON hat diese Felder.</translation>
    </message>
    <message>
        <source>decimal commas split its numbers, but not as in the rows before.</source>
        <translation>Dezimalkommas teilen ihre Zahlen, aber anders als in den Zeilen davor.</translation>
    </message>
    <message>
        <source>no column of power or energy was found, and no format is known that looks like this; describe the columns in the window.</source>
        <translation>Keine Spalte für Leistung oder Energie und kein bekanntes Format; beschreiben Sie die Spalten im Fenster.</translation>
    </message>
    <message>
        <source>row %1: this log has no times; state the interval of its rows with --period SECONDS.</source>
        <translation>Zeile %1: Dieses Protokoll hat keine Zeiten; geben Sie den Abstand der Zeilen mit --period SECONDS an.</translation>
    </message>
    <message>
        <source>The requests lie outside the recording of power in every time zone; state the difference of the clocks (--offset).</source>
        <translation>Die Anfragen liegen in jeder Zeitzone außerhalb der Aufzeichnung; geben Sie den Unterschied der Uhren an (--offset).</translation>
    </message>
    <message>
        <source>The recording of power states no time zone, and the requests lie inside it in several; state the time zone (--zone).</source>
        <translation>Die Aufzeichnung nennt keine Zeitzone, und die Anfragen liegen in mehreren darin; geben Sie die Zeitzone an (--zone).</translation>
    </message>
    <message>
        <source>The requests lie outside the recording of power: their clocks differ; align them with --offset auto, or state the difference with --offset SECONDS.</source>
        <translation>Die Anfragen liegen außerhalb der Aufzeichnung, die Uhren gehen verschieden; gleichen Sie sie mit --offset auto an, oder geben Sie den Unterschied mit --offset SECONDS an.</translation>
    </message>
    <message>
        <source>The clocks cannot be aligned: %1 State the difference with --offset SECONDS.</source>
        <translation>Die Uhren lassen sich nicht angleichen: %1 Geben Sie den Unterschied mit --offset SECONDS an.</translation>
    </message>
    <message>
        <source>“%1” is not a time zone; write +02:00, UTC or a name such as Europe/Berlin.</source>
        <translation>„%1“ ist keine Zeitzone; möglich sind +02:00, UTC oder ein Name wie Europe/Berlin.</translation>
    </message>
    <message>
        <source>the result states no times of its requests; it needs request_timestamps or start_times, which --save-detailed writes.</source>
        <translation>Das Ergebnis nennt keine Zeiten seiner Anfragen; es braucht request_timestamps oder start_times, die --save-detailed schreibt.</translation>
    </message>
    <message>
        <source>%1 has no time or no first token.</source>
        <translation>%1 hat keine Zeit oder kein erstes Token.</translation>
    </message>
    <message>
        <source>%1 has impossible times of its tokens.</source>
        <translation>%1 hat unmögliche Zeiten seiner Token.</translation>
    </message>
    <message>
        <source>The interval of the rows must be a number of seconds.</source>
        <translation>Der Abstand der Zeilen muss eine Zahl von Sekunden sein.</translation>
    </message>
    <message>
        <source>The difference of the clocks must be a number of seconds.</source>
        <translation>Der Unterschied der Uhren muss eine Zahl von Sekunden sein.</translation>
    </message>
    <message>
        <source>It has no request that could be read.</source>
        <translation>Es gibt keine Anfrage, die sich lesen ließ.</translation>
    </message>
    <message>
        <source>%1 is earlier than rows long before it; sort a log of this length by time before it is read.</source>
        <translation>%1 ist früher als weit zurückliegende Zeilen; sortieren Sie ein so langes Protokoll nach der Zeit, bevor es gelesen wird.</translation>
    </message>
    <message>
        <source>The processor's counter of ioreport %1.</source>
        <translation>Der Prozessorzähler von ioreport %1.</translation>
    </message>
    <message>
        <source>The processor's counter of ioreport</source>
        <translation>Der Prozessorzähler von ioreport</translation>
    </message>
    <message>
        <source>Its counter of the processor</source>
        <translation>Sein Prozessorzähler</translation>
    </message>
    <message>
        <source>powermetrics, where it is allowed, has a better one.</source>
        <translation>powermetrics hat, wo es erlaubt ist, einen besseren.</translation>
    </message>
    <message>
        <source>The times have no zone and were read as UTC; state the time zone (--zone) if they are in another.</source>
        <translation>Die Zeiten haben keine Zone und wurden als UTC gelesen; geben Sie die Zeitzone an (--zone), wenn sie eine andere haben.</translation>
    </message>
    <message>
        <source>Day and month of the dates could be exchanged; the day was read first (--dates states the order).</source>
        <translation>Tag und Monat der Daten könnten vertauscht sein; der Tag wurde zuerst gelesen (--dates gibt die Reihenfolge an).</translation>
    </message>
    <message>
        <source>The log states times of day without a date.</source>
        <translation>Das Protokoll nennt Uhrzeiten ohne Datum.</translation>
    </message>
    <message>
        <source>The log has no times; they follow from the period stated.</source>
        <translation>Das Protokoll hat keine Zeiten; sie folgen aus dem angegebenen Abstand.</translation>
    </message>
    <message>
        <source>The rows are not in the order of their times; they were sorted.</source>
        <translation>Die Zeilen sind nicht nach der Zeit geordnet; sie wurden sortiert.</translation>
    </message>
    <message>
        <source>Times go back a little between packets; the rows were sorted.</source>
        <translation>Zwischen Paketen springt die Zeit ein wenig zurück; die Zeilen wurden sortiert.</translation>
    </message>
    <message>
        <source>Duplicate rows were counted once: %1.</source>
        <translation>Doppelte Zeilen wurden einmal gezählt: %1.</translation>
    </message>
    <message>
        <source>Rows with the time of the previous row, but other values: %1.</source>
        <translation>Zeilen mit der Zeit der vorigen Zeile, aber anderen Werten: %1.</translation>
    </message>
    <message>
        <source>The clock was set back by %1 at row %2; only the longest piece with one clock is used, %3 left out.</source>
        <translation>Die Uhr wurde in Zeile %2 um %1 zurückgestellt; nur das längste Stück mit einer Uhr zählt, weggelassen: %3.</translation>
    </message>
    <message>
        <source>No value in %1: the energy of that time is missing, not zero.</source>
        <translation>Kein Wert in %1: Die Energie dieser Zeit fehlt und ist nicht null.</translation>
    </message>
    <message>
        <source>The largest step between samples is %1, the usual one %2.</source>
        <translation>Der größte Abstand zwischen Messwerten ist %1, der übliche %2.</translation>
    </message>
    <message>
        <source>The last row, %1, is cut off and was left out.</source>
        <translation>Die letzte Zeile (%1) ist abgeschnitten und wurde weggelassen.</translation>
    </message>
    <message>
        <source>The file does not state the unit; this format has watts.</source>
        <translation>Die Datei nennt keine Einheit; dieses Format hat Watt.</translation>
    </message>
    <message>
        <source>%1 is negative in %2: a device cannot deliver energy to its supply.</source>
        <translation>%1 ist negativ in %2: Ein Gerät kann seiner Versorgung keine Energie liefern.</translation>
    </message>
    <message>
        <source>%1 reads up to %2 in %3, more than any such device draws (%4); the unit may be wrong, or the sensor.</source>
        <translation>%1 zeigt bis zu %2 in %3, mehr, als ein solches Gerät aufnimmt (%4); die Einheit mag falsch sein oder der Sensor.</translation>
    </message>
    <message>
        <source>%1 stays at %2 while the device's use changes from %3 to %4: its counter does not move.</source>
        <translation>%1 bleibt bei %2, während sich die Auslastung von %3 auf %4 ändert: Der Zähler bewegt sich nicht.</translation>
    </message>
    <message>
        <source>%1 add up to %2, more than the %3 of %4, which contains them.</source>
        <translation>%1 ergeben zusammen %2, mehr als die %3 von %4, worin sie enthalten sind.</translation>
    </message>
    <message>
        <source>The power of %1 adds up to %2, but its energy is stated as %3, which contradicts it.</source>
        <translation>Die Leistung von %1 ergibt %2, die Energie ist aber mit %3 angegeben; beides widerspricht sich.</translation>
    </message>
    <message>
        <source>%1 took %2 and has %3 whole windows of the recording, fewer than ten.</source>
        <translation>%1 dauerte %2 und hat %3 ganze Fenster der Aufzeichnung, weniger als zehn.</translation>
    </message>
    <message>
        <source>%1 overlaps a gap of the recording.</source>
        <translation>%1 überschneidet eine Lücke der Aufzeichnung.</translation>
    </message>
    <message>
        <source>%1 begins %2 before the first sample and is cut there.</source>
        <translation>%1 beginnt %2 vor dem ersten Messwert und wird dort abgeschnitten.</translation>
    </message>
    <message>
        <source>%1 ends %2 after the last sample and is cut there.</source>
        <translation>%1 endet %2 nach dem letzten Messwert und wird dort abgeschnitten.</translation>
    </message>
    <message>
        <source>The recording is poor: nothing is derived from it.</source>
        <translation>Die Aufzeichnung ist schlecht: Daraus wird nichts abgeleitet.</translation>
    </message>
    <message>
        <source>trapezoid between neighbouring samples</source>
        <translation>Trapez zwischen benachbarten Messwerten</translation>
    </message>
    <message>
        <source>each value stands until the next one</source>
        <translation>jeder Wert gilt bis zum nächsten</translation>
    </message>
    <message>
        <source>mean power times the length of each row</source>
        <translation>mittlere Leistung mal Länge jeder Zeile</translation>
    </message>
    <message>
        <source>sum of the energies of the rows</source>
        <translation>Summe der Energien der Zeilen</translation>
    </message>
    <message>
        <source>last minus first value of the counter</source>
        <translation>letzter minus erster Wert des Zählers</translation>
    </message>
    <message>
        <source>Roofline of time</source>
        <translation>Roofline der Zeit</translation>
    </message>
    <message>
        <source>Energy roofline</source>
        <translation>Energie-Roofline</translation>
    </message>
    <message>
        <source>FLOPs per byte</source>
        <translation>FLOPs je Byte</translation>
    </message>
    <message>
        <source>No part of this run has counted work: record it at depth module.</source>
        <translation>Kein Teil dieses Laufs hat gezählte Arbeit: zeichnen Sie ihn mit der Tiefe Modul auf.</translation>
    </message>
    <message>
        <source>Line: what this machine reaches. Size of a dot: its share.</source>
        <translation>Linie: was dieser Rechner erreicht. Größe eines Punktes: sein Anteil.</translation>
    </message>
    <message>
        <source>No line: the limits of this machine are not measured. Size of a dot: its share.</source>
        <translation>Keine Linie: die Grenzen dieses Rechners sind nicht gemessen. Größe eines Punktes: sein Anteil.</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>attributed</source>
        <translation>aufgeteilt</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>kalibriert</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>read from another program's recording of power</source>
        <translation>aus der Leistungsaufzeichnung eines anderen Programms gelesen</translation>
    </message>
    <message>
        <source>replayed</source>
        <translation>wiedergegeben</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>integrated from a sensor over at least one whole sample</source>
        <translation>von einem Sensor über mindestens ein ganzes Messfenster integriert</translation>
    </message>
    <message>
        <source>a share of a measured window, split by time</source>
        <translation>ein Anteil eines gemessenen Fensters, nach Zeit aufgeteilt</translation>
    </message>
    <message>
        <source>a share of a measured window, split by costs measured on this machine</source>
        <translation>ein Anteil eines gemessenen Fensters, aufgeteilt nach Kosten, die auf diesem Rechner gemessen wurden</translation>
    </message>
    <message>
        <source>from a model of the machine, not from a sensor</source>
        <translation>aus einem Modell des Rechners, nicht von einem Sensor</translation>
    </message>
    <message>
        <source>no sensor covered this part, or it is too uncertain to be shown</source>
        <translation>kein Sensor hat diesen Teil erfasst, oder der Wert ist zu unsicher</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>ANE</source>
        <translation>ANE</translation>
    </message>
    <message>
        <source>DRAM</source>
        <translation>DRAM</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>deep</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>fair</source>
        <translation>mäßig</translation>
    </message>
    <message>
        <source>poor</source>
        <translation>schlecht</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Activation mean |x|</source>
        <translation>Aktivierung, Mittel |x|</translation>
    </message>
    <message>
        <source>Activation deviation</source>
        <translation>Aktivierung, Streuung</translation>
    </message>
    <message>
        <source>Activation max |x|</source>
        <translation>Aktivierung, Maximum |x|</translation>
    </message>
    <message>
        <source>Sparsity</source>
        <translation>Nullanteil</translation>
    </message>
    <message>
        <source>Attention entropy</source>
        <translation>Entropie der Attention</translation>
    </message>
    <message>
        <source>Kill ratio</source>
        <translation>Anteil auf null gesetzter</translation>
    </message>
    <message>
        <source>Variance ratio</source>
        <translation>Varianzverhältnis</translation>
    </message>
    <message>
        <source>Input layernorm</source>
        <translation>Eingangs-Norm</translation>
    </message>
    <message>
        <source>Query projection</source>
        <translation>Query-Projektion</translation>
    </message>
    <message>
        <source>Key projection</source>
        <translation>Key-Projektion</translation>
    </message>
    <message>
        <source>Value projection</source>
        <translation>Value-Projektion</translation>
    </message>
    <message>
        <source>Fused QKV projection</source>
        <translation>Gemeinsame QKV-Projektion</translation>
    </message>
    <message>
        <source>Query norm</source>
        <translation>Query-Norm</translation>
    </message>
    <message>
        <source>Key norm</source>
        <translation>Key-Norm</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Output projection</source>
        <translation>Ausgabe-Projektion</translation>
    </message>
    <message>
        <source>Post-attention layernorm</source>
        <translation>Norm nach Attention</translation>
    </message>
    <message>
        <source>Pre-feedforward layernorm</source>
        <translation>Norm vor Feedforward</translation>
    </message>
    <message>
        <source>Gate projection</source>
        <translation>Gate-Projektion</translation>
    </message>
    <message>
        <source>Up projection</source>
        <translation>Up-Projektion</translation>
    </message>
    <message>
        <source>Fused gate and up projection</source>
        <translation>Gemeinsame Gate- und Up-Projektion</translation>
    </message>
    <message>
        <source>First feedforward layer</source>
        <translation>Erste Feedforward-Schicht</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Down projection</source>
        <translation>Down-Projektion</translation>
    </message>
    <message>
        <source>Second feedforward layer</source>
        <translation>Zweite Feedforward-Schicht</translation>
    </message>
    <message>
        <source>Post-feedforward layernorm</source>
        <translation>Norm nach Feedforward</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>Router</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Output gate of attention</source>
        <translation>Ausgangs-Gate der Attention</translation>
    </message>
    <message>
        <source>Input projection</source>
        <translation>Eingangsprojektion</translation>
    </message>
    <message>
        <source>Input projection of q, k, v</source>
        <translation>Eingangsprojektion von q, k, v</translation>
    </message>
    <message>
        <source>Input projection of the gate</source>
        <translation>Eingangsprojektion des Gates</translation>
    </message>
    <message>
        <source>Input projection of beta and decay</source>
        <translation>Eingangsprojektion von Beta und Zerfall</translation>
    </message>
    <message>
        <source>Short convolution</source>
        <translation>Kurze Faltung</translation>
    </message>
    <message>
        <source>Delta rule</source>
        <translation>Delta-Regel</translation>
    </message>
    <message>
        <source>Scan of the state</source>
        <translation>Scan des Zustands</translation>
    </message>
    <message>
        <source>Gated norm</source>
        <translation>Norm mit Gate</translation>
    </message>
    <message>
        <source>Output projection of the mixer</source>
        <translation>Ausgangsprojektion des Mixers</translation>
    </message>
    <message>
        <source>Latent query projection</source>
        <translation>Latente Query-Projektion</translation>
    </message>
    <message>
        <source>Latent query norm</source>
        <translation>Norm der latenten Query</translation>
    </message>
    <message>
        <source>Query projection from the latent</source>
        <translation>Query-Projektion aus dem Latenten</translation>
    </message>
    <message>
        <source>Latent KV projection</source>
        <translation>Latente KV-Projektion</translation>
    </message>
    <message>
        <source>Latent KV norm</source>
        <translation>Norm des latenten KV</translation>
    </message>
    <message>
        <source>KV projection from the latent</source>
        <translation>KV-Projektion aus dem Latenten</translation>
    </message>
    <message>
        <source>Value norm</source>
        <translation>Value-Norm</translation>
    </message>
    <message>
        <source>Post-feedforward layernorm 1</source>
        <translation>Layernorm 1 nach dem Feedforward</translation>
    </message>
    <message>
        <source>Pre-feedforward layernorm 2</source>
        <translation>Layernorm 2 vor dem Feedforward</translation>
    </message>
    <message>
        <source>Post-feedforward layernorm 2</source>
        <translation>Layernorm 2 nach dem Feedforward</translation>
    </message>
    <message>
        <source>Per-layer input gate</source>
        <translation>Gate der Eingabe je Schicht</translation>
    </message>
    <message>
        <source>Per-layer projection</source>
        <translation>Projektion der Eingabe je Schicht</translation>
    </message>
    <message>
        <source>Post-per-layer-input norm</source>
        <translation>Norm nach der Eingabe je Schicht</translation>
    </message>
    <message>
        <source>Shared expert</source>
        <translation>Gemeinsamer Experte</translation>
    </message>
    <message>
        <source>Residual additions</source>
        <translation>Residual-Additionen</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Pre-inference</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>Decode</translation>
    </message>
    <message>
        <source>Post-inference</source>
        <translation>Nachbereitung</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Tokenization</source>
        <translation>Tokenisierung</translation>
    </message>
    <message>
        <source>Tensor transfer</source>
        <translation>Tensortransfer</translation>
    </message>
    <message>
        <source>KV cache init</source>
        <translation>KV-Cache anlegen</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Embedding</translation>
    </message>
    <message>
        <source>Position embedding</source>
        <translation>Positions-Embedding</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Final norm</source>
        <translation>Abschluss-Norm</translation>
    </message>
    <message>
        <source>LM head</source>
        <translation>Ausgabekopf</translation>
    </message>
    <message>
        <source>KV cache store</source>
        <translation>KV-Cache füllen</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>KV cache append</source>
        <translation>KV-Cache ergänzen</translation>
    </message>
    <message>
        <source>Detokenization</source>
        <translation>Detokenisierung</translation>
    </message>
    <message>
        <source>Memory cleanup</source>
        <translation>Speicher aufräumen</translation>
    </message>
    <message>
        <source>Model load</source>
        <translation>Modell laden</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>Komponenten</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Energy per output token</source>
        <translation>Energie je Ausgabetoken</translation>
    </message>
    <message>
        <source>Energy per decoded token</source>
        <translation>Energie je decodiertem Token</translation>
    </message>
    <message>
        <source>Energy of a typical token</source>
        <translation>Energie eines typischen Tokens</translation>
    </message>
    <message>
        <source>Prefill energy per input token</source>
        <translation>Prefill-Energie je Eingabe-Token</translation>
    </message>
    <message>
        <source>Net energy</source>
        <translation>Nettoenergie</translation>
    </message>
    <message>
        <source>Net energy per output token</source>
        <translation>Nettoenergie je Ausgabetoken</translation>
    </message>
    <message>
        <source>Energy per million parameters</source>
        <translation>Energie je Million Parameter</translation>
    </message>
    <message>
        <source>Energy-delay product</source>
        <translation>Energie-Zeit-Produkt</translation>
    </message>
    <message>
        <source>Tokens per joule</source>
        <translation>Token je Joule</translation>
    </message>
    <message>
        <source>Mean power</source>
        <translation>Mittlere Leistung</translation>
    </message>
    <message>
        <source>Peak power</source>
        <translation>Spitzenleistung</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>Zeit bis zum ersten Token</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Token je Sekunde</translation>
    </message>
    <message>
        <source>Inter-token latency, 95th percentile</source>
        <translation>Abstand der Token, 95. Perzentil</translation>
    </message>
    <message>
        <source>of the whole run</source>
        <translation>des ganzen Laufs</translation>
    </message>
    <message>
        <source>per output token</source>
        <translation>je Ausgabe-Token</translation>
    </message>
    <message>
        <source>per input token</source>
        <translation>je Eingabe-Token</translation>
    </message>
    <message>
        <source>per million parameters</source>
        <translation>je Million Parameter</translation>
    </message>
    <message>
        <source>Active parameters</source>
        <translation>Aktive Parameter</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Input tokens</source>
        <translation>Eingabe-Token</translation>
    </message>
    <message>
        <source>Output tokens</source>
        <translation>Ausgabe-Token</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Stapelgröße</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>Bits je Gewicht</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>Attention-Köpfe</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Nothing was recorded that could be explained.</source>
        <translation>Es wurde nichts aufgezeichnet, was sich erklären ließe.</translation>
    </message>
    <message>
        <source>The energy of this run&apos;s parts is not known.</source>
        <translation>Die Energie der Teile dieses Laufs ist nicht bekannt.</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>Decode</translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation>Laden des Modells</translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation>Lesen von Gewichten</translation>
    </message>
    <message>
        <source>reading keys and values</source>
        <translation>Lesen von Keys und Values</translation>
    </message>
    <message>
        <source>moving activations</source>
        <translation>Bewegen von Aktivierungen</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>static power</source>
        <translation>Grundleistung</translation>
    </message>
    <message>
        <source>nothing that the model of the machine explains</source>
        <translation>nichts, was das Modell des Rechners erklärt</translation>
    </message>
    <message>
        <source>waiting within parts</source>
        <translation>Warten innerhalb der Teile</translation>
    </message>
    <message>
        <source>time between parts</source>
        <translation>Zeit zwischen den Teilen</translation>
    </message>
    <message>
        <source>what a server does inside is not visible from outside</source>
        <translation>was ein Server im Inneren tut, ist von außen nicht zu sehen</translation>
    </message>
    <message>
        <source>the command did not say what it computed</source>
        <translation>der Befehl hat nicht gesagt, was er gerechnet hat</translation>
    </message>
    <message>
        <source>there is not enough data to say why</source>
        <translation>für das Warum reichen die Daten nicht</translation>
    </message>
    <message>
        <source>the MLPs</source>
        <translation>die MLPs</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>die Attention</translation>
    </message>
    <message>
        <source>norms and residuals</source>
        <translation>Normen und Residuen</translation>
    </message>
    <message>
        <source>the output head</source>
        <translation>den Ausgabekopf</translation>
    </message>
    <message>
        <source>the embedding</source>
        <translation>das Embedding</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>die Auswahl der Tokens</translation>
    </message>
    <message>
        <source>the tokenizer</source>
        <translation>den Tokenizer</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>andere Arbeit</translation>
    </message>
    <message>
        <source>the time between parts</source>
        <translation>die Zeit zwischen Teilen</translation>
    </message>
    <message>
        <source>the time between phases</source>
        <translation>die Zeit zwischen Phasen</translation>
    </message>
    <message>
        <source>the command as a whole</source>
        <translation>den Befehl als Ganzes</translation>
    </message>
    <message>
        <source>decoding</source>
        <translation>das Dekodieren</translation>
    </message>
    <message>
        <source>MLPs</source>
        <translation>MLPs</translation>
    </message>
    <message>
        <source>Norms and residuals</source>
        <translation>Normen und Residuen</translation>
    </message>
    <message>
        <source>Output head</source>
        <translation>Ausgabekopf</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>Other work</source>
        <translation>Andere Arbeit</translation>
    </message>
    <message>
        <source>Between parts</source>
        <translation>Zwischen Teilen</translation>
    </message>
    <message>
        <source>Between phases</source>
        <translation>Zwischen Phasen</translation>
    </message>
    <message>
        <source>The command as a whole</source>
        <translation>Der Befehl als Ganzes</translation>
    </message>
    <message>
        <source>nothing unusual</source>
        <translation>nichts Ungewöhnliches</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Moving bytes</source>
        <translation>Bewegen von Bytes</translation>
    </message>
    <message>
        <source>Static power</source>
        <translation>Grundleistung</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Not explained</source>
        <translation>Nicht erklärt</translation>
    </message>
    <message>
        <source>Not divided</source>
        <translation>Nicht aufgeteilt</translation>
    </message>
    <message>
        <source>Memory-bound decode</source>
        <translation>Decode durch Speicher begrenzt</translation>
    </message>
    <message>
        <source>the memory is the limit</source>
        <translation>der Speicher ist die Grenze</translation>
    </message>
    <message>
        <source>Compute-bound prefill</source>
        <translation>Prefill durch Rechnen begrenzt</translation>
    </message>
    <message>
        <source>the arithmetic of the prompt is the limit</source>
        <translation>das Rechnen am Prompt ist die Grenze</translation>
    </message>
    <message>
        <source>Static power of a slow run</source>
        <translation>Grundleistung eines langsamen Laufs</translation>
    </message>
    <message>
        <source>the run is slower than the machine could be, which costs static power</source>
        <translation>der Lauf ist langsamer, als der Rechner sein könnte; das kostet Grundleistung</translation>
    </message>
    <message>
        <source>Time between parts</source>
        <translation>Zeit zwischen Teilen</translation>
    </message>
    <message>
        <source>the machine waits for the program between parts</source>
        <translation>der Rechner wartet zwischen den Teilen auf das Programm</translation>
    </message>
    <message>
        <source>Operations on another device</source>
        <translation>Operationen auf einem anderen Gerät</translation>
    </message>
    <message>
        <source>some operations run on the processor instead of the accelerator</source>
        <translation>einige Operationen laufen auf dem Prozessor statt auf dem Beschleuniger</translation>
    </message>
    <message>
        <source>Cost of the context</source>
        <translation>Kosten des Kontexts</translation>
    </message>
    <message>
        <source>the keys and values of a long context are the limit</source>
        <translation>Keys und Values eines langen Kontexts sind die Grenze</translation>
    </message>
    <message>
        <source>Expensive output head</source>
        <translation>Ein teurer Ausgabekopf</translation>
    </message>
    <message>
        <source>the output head of a large vocabulary is the limit</source>
        <translation>der Ausgabekopf eines großen Vokabulars ist die Grenze</translation>
    </message>
    <message>
        <source>Experts loaded but little used</source>
        <translation>Experten geladen, aber kaum benutzt</translation>
    </message>
    <message>
        <source>experts are loaded for few tokens each</source>
        <translation>Experten werden für jeweils wenige Token geladen</translation>
    </message>
    <message>
        <source>A batch that ran half empty</source>
        <translation>Ein halb leerer Stapel</translation>
    </message>
    <message>
        <source>weights are read for too few sequences at a time</source>
        <translation>Gewichte werden für zu wenige Folgen auf einmal gelesen</translation>
    </message>
    <message>
        <source>Thermal throttling</source>
        <translation>Thermische Drosselung</translation>
    </message>
    <message>
        <source>the machine got too hot to keep its speed</source>
        <translation>der Rechner wurde zu heiß für sein Tempo</translation>
    </message>
    <message>
        <source>Low-power mode or battery</source>
        <translation>Stromsparmodus oder Akku</translation>
    </message>
    <message>
        <source>the machine saves power and is slow</source>
        <translation>der Rechner spart Strom und ist langsam</translation>
    </message>
    <message>
        <source>Load of other programs</source>
        <translation>Last anderer Programme</translation>
    </message>
    <message>
        <source>other programs use the machine as well</source>
        <translation>andere Programme benutzen den Rechner ebenfalls</translation>
    </message>
    <message>
        <source>The recording itself</source>
        <translation>Die Aufzeichnung selbst</translation>
    </message>
    <message>
        <source>recording itself is costly</source>
        <translation>die Aufzeichnung selbst ist teuer</translation>
    </message>
    <message>
        <source>Stored narrow, computed wide</source>
        <translation>Schmal gespeichert, breit gerechnet</translation>
    </message>
    <message>
        <source>weights are stored in fewer bits than they are computed in</source>
        <translation>Gewichte sind in weniger Bits gespeichert, als gerechnet wird</translation>
    </message>
    <message>
        <source>Tokens after the answer</source>
        <translation>Token nach der Antwort</translation>
    </message>
    <message>
        <source>the model went on after its answer was finished</source>
        <translation>das Modell machte weiter, nachdem seine Antwort fertig war</translation>
    </message>
    <message>
        <source>Decoding computes %1 FLOPs per byte it moves; %2 of its time is such work.</source>
        <translation>Das Decodieren rechnet %1 FLOPs je bewegtem Byte; %2 seiner Zeit ist solche Arbeit.</translation>
    </message>
    <message>
        <source>The prefill computes %1 FLOPs per byte it moves.</source>
        <translation>Der Prefill rechnet %1 FLOPs je bewegtem Byte.</translation>
    </message>
    <message>
        <source>Parts take %1 times as long as this machine's limits allow.</source>
        <translation>Teile brauchen %1-mal so lange, wie es die Grenzen dieses Rechners zulassen.</translation>
    </message>
    <message>
        <source>Of that, %1 is recording, a cause of its own.</source>
        <translation>Davon sind %1 Aufzeichnung, eine eigene Ursache.</translation>
    </message>
    <message>
        <source>No part of the model computes during %1 of the time.</source>
        <translation>Während %1 der Zeit rechnet kein Teil des Modells.</translation>
    </message>
    <message>
        <source>Far slower than other parts for the same work: %1.</source>
        <translation>Für dieselbe Arbeit weit langsamer als andere Teile: %1.</translation>
    </message>
    <message>
        <source>Keys and values are %1 of the bytes of decoding, which reached position %2.</source>
        <translation>Keys und Values sind %1 der Bytes beim Decodieren, das bis Position %2 kam.</translation>
    </message>
    <message>
        <source>The head over a vocabulary of %1 moves as many bytes as %2 layers.</source>
        <translation>Der Ausgabekopf mit einem Vokabular von %1 bewegt so viele Bytes wie %2 Schichten.</translation>
    </message>
    <message>
        <source>About %1 experts of each layer are loaded per step, where a token uses %2.</source>
        <translation>Je Schritt werden etwa %1 Experten jeder Schicht geladen, von denen ein Token %2 braucht.</translation>
    </message>
    <message>
        <source>The steps of decoding computed %1 sequences on average, of a batch of %2.</source>
        <translation>Die Schritte beim Decodieren rechneten im Mittel %1 Folgen eines Stapels von %2.</translation>
    </message>
    <message>
        <source>Later steps are %1 slower for the same bytes; thermal pressure: %2.</source>
        <translation>Spätere Schritte sind bei denselben Bytes %1 langsamer; thermischer Druck: %2.</translation>
    </message>
    <message>
        <source>The machine was in %1; parts take %2 times as long as its limits allow.</source>
        <translation>Der Rechner lief im Zustand %1; Teile brauchen %2-mal so lange, wie es seine Grenzen zulassen.</translation>
    </message>
    <message>
        <source>Other processes used %1 of all cores.</source>
        <translation>Andere Prozesse belegten %1 aller Kerne.</translation>
    </message>
    <message>
        <source>Recording took %1 of the time.</source>
        <translation>Die Aufzeichnung nahm %1 der Zeit in Anspruch.</translation>
    </message>
    <message>
        <source>The weights are stored as %1 and computed as %2.</source>
        <translation>Die Gewichte sind als %1 gespeichert und werden als %2 gerechnet.</translation>
    </message>
    <message>
        <source>%1 tokens only repeat what was already said.</source>
        <translation>%1 Token wiederholen nur, was schon gesagt war.</translation>
    </message>
    <message>
        <source>In the prefill the busiest expert of a layer computed %1 times its even share of the rows.</source>
        <translation>Im Prefill rechnete der meistgenutzte Experte einer Schicht das %1-Fache seines gleichen Anteils an den Zeilen.</translation>
    </message>
    <message>
        <source>Measure this machine's limits with `energy-profiler calibrate`.</source>
        <translation>Die Grenzen dieses Rechners misst `energy-profiler calibrate`.</translation>
    </message>
    <message>
        <source>Measure this machine's limits with `energy-profiler calibrate`, when it is otherwise idle.</source>
        <translation>Die Grenzen dieses Rechners misst `energy-profiler calibrate`, wenn er sonst nichts tut.</translation>
    </message>
    <message>
        <source>Record again with --depth module and --baseline-seconds 10.</source>
        <translation>Noch einmal mit --depth module und --baseline-seconds 10 aufzeichnen.</translation>
    </message>
    <message>
        <source>Record again with --depth deep, and compare with --device cpu.</source>
        <translation>Noch einmal mit --depth deep aufzeichnen und mit --device cpu vergleichen.</translation>
    </message>
    <message>
        <source>Record again with --depth deep, which counts the experts of each step.</source>
        <translation>Noch einmal mit --depth deep aufzeichnen, das die Experten jedes Schritts zählt.</translation>
    </message>
    <message>
        <source>Record again with --depth module.</source>
        <translation>Noch einmal mit --depth module aufzeichnen.</translation>
    </message>
    <message>
        <source>Repeat with pauses (a study with cool_down_seconds), with a source that reads the thermal state.</source>
        <translation>Mit Pausen wiederholen (eine Studie mit cool_down_seconds), mit einer Quelle, die den thermischen Zustand liest.</translation>
    </message>
    <message>
        <source>Repeat on the charger in automatic mode.</source>
        <translation>Am Netzteil im automatischen Modus wiederholen.</translation>
    </message>
    <message>
        <source>Repeat while nothing else runs.</source>
        <translation>Wiederholen, während sonst nichts läuft.</translation>
    </message>
    <message>
        <source>Record again with --twin, which tells the cost apart.</source>
        <translation>Noch einmal mit --twin aufzeichnen, das die Kosten trennt.</translation>
    </message>
    <message>
        <source>Mark where the answer ends.</source>
        <translation>Markieren, wo die Antwort endet.</translation>
    </message>
    <message>
        <source>Share the beginning of prompts between requests</source>
        <translation>Den Anfang der Prompts zwischen Anfragen teilen</translation>
    </message>
    <message>
        <source>Use another number of threads</source>
        <translation>Eine andere Anzahl von Threads verwenden</translation>
    </message>
    <message>
        <source>compare two with `pays threads=1 threads=2`</source>
        <translation>zwei vergleicht `pays threads=1 threads=2`</translation>
    </message>
    <message>
        <source>Compute everything on the processor</source>
        <translation>Alles auf dem Prozessor rechnen</translation>
    </message>
    <message>
        <source>Batch sequences that end at about the same length</source>
        <translation>Folgen stapeln, die bei etwa gleicher Länge enden</translation>
    </message>
    <message>
        <source>--max-new-tokens N with prompts of like answers</source>
        <translation>--max-new-tokens N mit Prompts ähnlicher Antworten</translation>
    </message>
    <message>
        <source>Let the machine cool down before the run</source>
        <translation>Den Rechner vor dem Lauf abkühlen lassen</translation>
    </message>
    <message>
        <source>cool_down_seconds in a study</source>
        <translation>cool_down_seconds in einer Studie</translation>
    </message>
    <message>
        <source>Record the command again with --depth none.</source>
        <translation>Den Befehl noch einmal mit --depth none aufzeichnen.</translation>
    </message>
    <message>
        <source>Wait before you record the command again.</source>
        <translation>Warten, bevor Sie den Befehl noch einmal aufzeichnen.</translation>
    </message>
    <message>
        <source>Set it in the recorded program, then record it again.</source>
        <translation>Im aufgezeichneten Programm einstellen und es noch einmal aufzeichnen.</translation>
    </message>
    <message>
        <source>Use the charger, in automatic mode</source>
        <translation>Das Netzteil verwenden, im automatischen Modus</translation>
    </message>
    <message>
        <source>Connect the charger and switch low-power mode off.</source>
        <translation>Das Netzteil anschließen und den Stromsparmodus ausschalten.</translation>
    </message>
    <message>
        <source>Close other programs</source>
        <translation>Sonst nichts laufen lassen</translation>
    </message>
    <message>
        <source>Close other programs, then repeat the run.</source>
        <translation>Andere Programme schließen, dann den Lauf wiederholen.</translation>
    </message>
    <message>
        <source>Record less</source>
        <translation>Weniger aufzeichnen</translation>
    </message>
    <message>
        <source>--depth none</source>
        <translation>--depth none</translation>
    </message>
    <message>
        <source>Stop where the answer ends</source>
        <translation>Dort aufhören, wo die Antwort endet</translation>
    </message>
    <message>
        <source>a smaller --max-new-tokens, or a stop text</source>
        <translation>ein kleineres --max-new-tokens oder ein Stopptext</translation>
    </message>
    <message>
        <source>Run %1 sequences at a time</source>
        <translation>%1 Folgen auf einmal rechnen</translation>
    </message>
    <message>
        <source>Halve the prompt</source>
        <translation>Den Prompt halbieren</translation>
    </message>
    <message>
        <source>a prompt of half the length</source>
        <translation>ein Prompt von halber Länge</translation>
    </message>
    <message>
        <source>The energy of this run is not known: only its time is explained.</source>
        <translation>Die Energie dieses Laufs ist nicht bekannt: Nur seine Zeit wird erklärt.</translation>
    </message>
    <message>
        <source>The power of this run was recorded by another program: only its time is explained.</source>
        <translation>Die Leistung dieses Laufs hat ein anderes Programm aufgezeichnet: Nur seine Zeit wird erklärt.</translation>
    </message>
    <message>
        <source>The power of this run was modelled, not measured: only its time is explained.</source>
        <translation>Die Leistung dieses Laufs wurde modelliert, nicht gemessen: Nur seine Zeit wird erklärt.</translation>
    </message>
    <message>
        <source>Only the time of this run is compared.</source>
        <translation>Nur die Zeit dieses Laufs wird verglichen.</translation>
    </message>
    <message>
        <source>What a server computes is not seen from outside: profile the same model with this program to see its parts.</source>
        <translation>Was ein Server rechnet, sieht man von außen nicht: Wer dasselbe Modell mit diesem Programm profiliert, sieht seine Teile.</translation>
    </message>
    <message>
        <source>Machine limits unknown: measure them with `energy-profiler calibrate`.</source>
        <translation>Was diesen Rechner begrenzt, ist nicht bekannt: `energy-profiler calibrate` misst es.</translation>
    </message>
    <message>
        <source>low-power mode</source>
        <translation>Stromsparmodus</translation>
    </message>
    <message>
        <source>battery</source>
        <translation>Akkubetrieb</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Layers %1–%2</source>
        <translation>Schichten %1–%2</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Not split</source>
        <translation>Nicht aufgeteilt</translation>
    </message>
    <message>
        <source>Rotary</source>
        <translation>Rotary</translation>
    </message>
    <message>
        <source>QK matmul</source>
        <translation>QK-Matrixprodukt</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>Maske</translation>
    </message>
    <message>
        <source>Softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>Attention dropout</source>
        <translation>Attention-Dropout</translation>
    </message>
    <message>
        <source>Value matmul</source>
        <translation>Value-Matrixprodukt</translation>
    </message>
    <message>
        <source>Gate multiply</source>
        <translation>Gate-Multiplikation</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>Normalize</source>
        <translation>Normierung</translation>
    </message>
    <message>
        <source>Scale and shift</source>
        <translation>Skalierung und Verschiebung</translation>
    </message>
    <message>
        <source>Router matmul</source>
        <translation>Router-Matrixprodukt</translation>
    </message>
    <message>
        <source>Expert selection</source>
        <translation>Wahl der Experten</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Experte</translation>
    </message>
    <message>
        <source>Shared gate</source>
        <translation>Gemeinsames Gate</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>L2 norm of q and k</source>
        <translation>L2-Norm von q und k</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation>Beta</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>Zerfall</translation>
    </message>
    <message>
        <source>Combine</source>
        <translation>Zusammenführung</translation>
    </message>
    <message>
        <source>nominal</source>
        <translation>normal</translation>
    </message>
    <message>
        <source>moderate</source>
        <translation>mäßig erhöht</translation>
    </message>
    <message>
        <source>heavy</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>serious</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>kritisch</translation>
    </message>
    <message>
        <source>trapping</source>
        <translation>am Anschlag</translation>
    </message>
    <message>
        <source>sleeping</source>
        <translation>im Schlaf</translation>
    </message>
    <message>
        <source>%1 mJ, counters; GPU in nJ</source>
        <translation>%1 mJ, Zähler; GPU in nJ</translation>
    </message>
    <message>
        <source>%1 mJ per rail and window</source>
        <translation>%1 mJ je Kanal und Fenster</translation>
    </message>
    <message>
        <source>%1 mJ, counters that advance about every %2 ms</source>
        <translation>%1 mJ, Zähler, die etwa alle %2 ms weitergehen</translation>
    </message>
    <message>
        <source>that of the gauge, several seconds</source>
        <translation>die der Ladeanzeige, einige Sekunden</translation>
    </message>
    <message>
        <source>about %1 uJ, counters that advance every millisecond</source>
        <translation>etwa %1 µJ, Zähler, die jede Millisekunde weitergehen</translation>
    </message>
    <message>
        <source>that of the driver, often one second</source>
        <translation>die des Treibers, oft eine Sekunde</translation>
    </message>
    <message>
        <source>that of the recording</source>
        <translation>die der Aufzeichnung</translation>
    </message>
    <message>
        <source>none: a model</source>
        <translation>keine: ein Modell</translation>
    </message>
    <message>
        <source>not stated by the manufacturer</source>
        <translation>vom Hersteller nicht angegeben</translation>
    </message>
    <message>
        <source>not stated; the system's estimates, for comparisons on one machine</source>
        <translation>nicht angegeben; Schätzungen des Systems, für Vergleiche auf einem Rechner</translation>
    </message>
    <message>
        <source>-6 to +11 % against external meters on the cards of arXiv 2312.02741</source>
        <translation>-6 bis +11 % gegen äußere Messgeräte auf den Karten von arXiv 2312.02741</translation>
    </message>
    <message>
        <source>There is no IOReport library of macOS (/usr/lib/libIOReport.dylib) on this machine; choose another power source.</source>
        <translation>Auf diesem Rechner gibt es keine IOReport-Bibliothek von macOS (/usr/lib/libIOReport.dylib); wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>There is no program /usr/bin/powermetrics; powermetrics is part of macOS.</source>
        <translation>Es gibt kein Programm /usr/bin/powermetrics; powermetrics gehört zu macOS.</translation>
    </message>
    <message>
        <source>There is no management library of NVIDIA (libnvidia-ml.so.1) on this machine; choose another power source.</source>
        <translation>Auf diesem Rechner gibt es keine Verwaltungsbibliothek von NVIDIA (libnvidia-ml.so.1); wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>This machine has no energy counters of its processor (RAPL) in /sys/class/powercap, as in most virtual machines; choose another power source.</source>
        <translation>Dieser Rechner hat keine Energiezähler seines Prozessors (RAPL) in /sys/class/powercap, wie die meisten virtuellen Maschinen; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>There is no power meter of a graphics card or of the machine in /sys/class/hwmon; choose another power source.</source>
        <translation>In /sys/class/hwmon gibt es kein Leistungsmessgerät einer Grafikkarte oder des Rechners; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>This machine has no battery; choose another power source.</source>
        <translation>Dieser Rechner hat keinen Akku; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>A model, not a sensor: CPU time of the machine between idle and full watts that you set; only on request.</source>
        <translation>Ein Modell, kein Sensor: die CPU-Zeit des Rechners zwischen den Watt im Leerlauf und bei voller Last, die Sie angeben; nur auf Wunsch.</translation>
    </message>
    <message>
        <source>Timing only; energies are missing, not zero.</source>
        <translation>Nur Zeiten; Energien fehlen und sind nicht null.</translation>
    </message>
    <message>
        <source>Linux's energy counters of the processor packages (RAPL).</source>
        <translation>Die Energiezähler von Linux für die Prozessoren (RAPL).</translation>
    </message>
    <message>
        <source>The energy counters that macOS publishes (IOReport, SMC), as estimated by the system; no root needed.</source>
        <translation>Die Energiezähler, die macOS veröffentlicht (IOReport, SMC), vom System geschätzt; ohne root.</translation>
    </message>
    <message>
        <source>Apple's powermetrics: energy counters of the processor, as estimated by the system.</source>
        <translation>powermetrics von Apple: Energiezähler des Prozessors, vom System geschätzt.</translation>
    </message>
    <message>
        <source>Power drawn from the battery: a cross-check over tens of seconds.</source>
        <translation>Leistung aus dem Akku: eine Gegenprobe über einige zehn Sekunden.</translation>
    </message>
    <message>
        <source>%1 lower</source>
        <translation>%1 niedriger</translation>
    </message>
    <message>
        <source>%1 higher</source>
        <translation>%1 höher</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>%1 weniger</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>the baseline</source>
        <translation>die Basis</translation>
    </message>
    <message>
        <source>not known on both sides</source>
        <translation>nicht auf beiden Seiten bekannt</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>nicht vergleichbar</translation>
    </message>
    <message>
        <source>for these runs only.</source>
        <translation>nur für diese Läufe.</translation>
    </message>
    <message>
        <source>for these runs only, without a test</source>
        <translation>nur für diese Läufe, ohne Test</translation>
    </message>
    <message>
        <source>derived from the tested figures</source>
        <translation>aus den getesteten Kennzahlen abgeleitet</translation>
    </message>
    <message>
        <source>may be chance, %1</source>
        <translation>kann Zufall sein, %1</translation>
    </message>
    <message>
        <source>about %1 repeats on each side would probably show it</source>
        <translation>etwa %1 Wiederholungen auf jeder Seite würden ihn wahrscheinlich zeigen</translation>
    </message>
    <message>
        <source>about %1 repeats on each side, or more, would probably show it</source>
        <translation>etwa %1 Wiederholungen auf jeder Seite oder mehr würden ihn wahrscheinlich zeigen</translation>
    </message>
    <message>
        <source>how many repeats would show it is not known</source>
        <translation>wie viele Wiederholungen ihn zeigen würden, ist nicht bekannt</translation>
    </message>
    <message>
        <source>not tested</source>
        <translation>nicht getestet</translation>
    </message>
    <message>
        <source>not searched, because what is above it may be chance</source>
        <translation>nicht durchsucht, weil das Übergeordnete Zufall sein kann</translation>
    </message>
    <message>
        <source>only in %1</source>
        <translation>nur in %1</translation>
    </message>
    <message>
        <source>%1 (%2 by power, %3 by time)</source>
        <translation>%1 (%2 durch Leistung, %3 durch Zeit)</translation>
    </message>
    <message>
        <source>Differences without tests: a test needs at least 3 repeats on each side with values that vary.</source>
        <translation>Unterschiede ohne Tests: Ein Test braucht mindestens 3 Wiederholungen auf jeder Seite mit Werten, die sich unterscheiden.</translation>
    </message>
    <message>
        <source>p is the probability of a difference at least as large if the mean logarithm of the energy %1 were the same on both sides (Welch), corrected over the %2 and at least that of every part above (Meinshausen): in at most 5 % of comparisons of equal configurations is anything found at all.</source>
        <translation>p ist die Wahrscheinlichkeit eines mindestens so großen Unterschieds, wenn der mittlere Logarithmus der Energie %1 auf beiden Seiten gleich wäre (Welch), korrigiert über die %2 und mindestens die jedes übergeordneten Teils (Meinshausen): In höchstens 5 % der Vergleiche gleicher Konfigurationen wird überhaupt etwas gefunden.</translation>
    </message>
    <message>
        <source>p is the probability of a difference at least as large if the mean logarithm of the time %1 were the same on both sides (Welch), corrected over the %2 and at least that of every part above (Meinshausen): in at most 5 % of comparisons of equal configurations is anything found at all.</source>
        <translation>p ist die Wahrscheinlichkeit eines mindestens so großen Unterschieds, wenn der mittlere Logarithmus der Zeit %1 auf beiden Seiten gleich wäre (Welch), korrigiert über die %2 und mindestens die jedes übergeordneten Teils (Meinshausen): In höchstens 5 % der Vergleiche gleicher Konfigurationen wird überhaupt etwas gefunden.</translation>
    </message>
    <message>
        <source>%1 lowest nodes</source>
        <translation>%1 untersten Knoten</translation>
    </message>
    <message>
        <source>%1 lowest nodes of %2 trees</source>
        <translation>%1 untersten Knoten von %2 Bäumen</translation>
    </message>
    <message>
        <source>The run itself is the figure &quot;energy per token&quot;, with the p of that figure.</source>
        <translation>Der Lauf selbst ist die Kennzahl „Energie je Token“, mit dem p dieser Kennzahl.</translation>
    </message>
    <message>
        <source>Not tested separately: it is derived from tested figures.</source>
        <translation>Nicht eigens getestet: aus getesteten Kennzahlen abgeleitet.</translation>
    </message>
    <message>
        <source>No p-value: a test needs at least 3 repeats on each side, and there are %1 and %2.</source>
        <translation>Kein p-Wert: Ein Test braucht mindestens 3 Wiederholungen auf jeder Seite, und es gibt %1 und %2.</translation>
    </message>
    <message>
        <source>No p-value: the values do not vary.</source>
        <translation>Kein p-Wert: Die Werte unterscheiden sich nicht.</translation>
    </message>
    <message>
        <source>none: an interval needs at least 3 values</source>
        <translation>keines: Ein Intervall braucht mindestens 3 Werte</translation>
    </message>
    <message>
        <source>the values do not vary</source>
        <translation>die Werte unterscheiden sich nicht</translation>
    </message>
    <message>
        <source>Student&apos;s t: fewer than 8 values are too few to resample</source>
        <translation>t nach Student: Weniger als 8 Werte sind zu wenige für Bootstrap</translation>
    </message>
    <message>
        <source>quality not measured</source>
        <translation>Qualität nicht gemessen</translation>
    </message>
    <message>
        <source>quality of the baseline not measured</source>
        <translation>Qualität der Basis nicht gemessen</translation>
    </message>
    <message>
        <source>perplexity %1 on %2</source>
        <translation>Perplexität %1 auf %2</translation>
    </message>
    <message>
        <source>%1 energy per token, %2</source>
        <translation>%1 Energie je Token, %2</translation>
    </message>
    <message>
        <source>%1 perplexity on %2</source>
        <translation>%1 Perplexität auf %2</translation>
    </message>
    <message>
        <source>rest of the run</source>
        <translation>Rest des Laufs</translation>
    </message>
    <message>
        <source>rest of the layers</source>
        <translation>Rest der Schichten</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <source>table of requests</source>
        <translation>Tabelle von Anfragen</translation>
    </message>
    <message>
        <source>Not a measurement. Recorded with the demo model; simulated machine, no sensor: a recorded run of the demo model with its times stretched 1200 times, and rails computed from its arithmetic and its bytes.</source>
        <translation>Keine Messung. Mit dem Demomodell aufgezeichnet; simulierter Rechner, kein Sensor: ein aufgezeichneter Lauf des Demomodells, dessen Zeiten auf das 1200-Fache gestreckt und dessen Schienen aus seinen Rechenoperationen und Bytes berechnet sind.</translation>
    </message>
    <message>
        <source>built-in engine</source>
        <translation>eingebaute Engine</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>Stapelgröße</translation>
    </message>
    <message>
        <source>power source</source>
        <translation>Leistungsquelle</translation>
    </message>
    <message>
        <source>chat template</source>
        <translation>Chat-Vorlage</translation>
    </message>
    <message>
        <source>maximum new tokens</source>
        <translation>Höchstzahl neuer Token</translation>
    </message>
    <message>
        <source>up to %1 tokens</source>
        <translation>bis %1 Token</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Stapel %1</translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>Tiefe: %1</translation>
    </message>
    <message>
        <source>threads=%1</source>
        <translation>threads=%1</translation>
    </message>
    <message>
        <source>%1 (%2 bits)</source>
        <translation>%1 (%2 Bit)</translation>
    </message>
    <message>
        <source>no chat</source>
        <translation>ohne Chat</translation>
    </message>
    <message>
        <source>The joules come from different power sources (%1).</source>
        <translation>Die Joule stammen aus verschiedenen Leistungsquellen (%1).</translation>
    </message>
    <message>
        <source>Differences in energy may be due to the sensors; times can be compared.</source>
        <translation>Unterschiede der Energie können an den Sensoren liegen; Zeiten lassen sich vergleichen.</translation>
    </message>
    <message>
        <source>The devices differ (%1).</source>
        <translation>Die Geräte unterscheiden sich (%1).</translation>
    </message>
    <message>
        <source>A rail covers only its own device: compare energies only if the source covers both.</source>
        <translation>Eine Schiene erfasst nur ihr eigenes Gerät: Vergleichen Sie Energien nur, wenn die Quelle beide erfasst.</translation>
    </message>
    <message>
        <source>The runs were made on different machines (%1); differences may not be due to the settings.</source>
        <translation>Die Läufe entstanden auf verschiedenen Rechnern (%1); Unterschiede müssen nicht an den Einstellungen liegen.</translation>
    </message>
    <message>
        <source>The profiling depths differ (%1).</source>
        <translation>Die Profiltiefen unterscheiden sich (%1).</translation>
    </message>
    <message>
        <source>Deeper recording costs time and energy; compare runs of the same depth.</source>
        <translation>Tieferes Aufzeichnen kostet Zeit und Energie; vergleichen Sie Läufe gleicher Tiefe.</translation>
    </message>
    <message>
        <source>The number formats differ (%1), so the texts may differ: measure how well each format predicts a text.</source>
        <translation>Die Zahlenformate unterscheiden sich (%1), also vielleicht auch die Texte: Messen Sie, wie gut jedes Format einen Text vorhersagt.</translation>
    </message>
    <message>
        <source>The number formats were multiplied in different ways (%1): part of the difference is that of this program&apos;s kernels, not of the formats.</source>
        <translation>Die Zahlenformate wurden auf verschiedene Weise multipliziert (%1): Ein Teil des Unterschieds liegt an den Rechenkernen dieses Programms, nicht an den Formaten.</translation>
    </message>
    <message>
        <source>The models have different numbers of layers (%1).</source>
        <translation>Die Modelle haben verschieden viele Schichten (%1).</translation>
    </message>
    <message>
        <source>Layers are matched by their relative position; several of the deeper model are added up.</source>
        <translation>Schichten werden nach ihrer relativen Lage zugeordnet; mehrere des tieferen Modells werden addiert.</translation>
    </message>
    <message>
        <source>The matrix products were computed by different kernels (%1): part of the difference may be theirs.</source>
        <translation>Die Matrixprodukte wurden mit verschiedenen Kernels gerechnet (%1): Ein Teil des Unterschieds kann daran liegen.</translation>
    </message>
    <message>
        <source>Pin them with --kernels.</source>
        <translation>Mit --kernels werden sie festgelegt.</translation>
    </message>
    <message>
        <source>The LibTorch versions differ (%1).</source>
        <translation>Die Versionen von LibTorch unterscheiden sich (%1).</translation>
    </message>
    <message>
        <source>The prompts have different lengths (%1 tokens).</source>
        <translation>Die Prompts sind verschieden lang (%1 Token).</translation>
    </message>
    <message>
        <source>Energy per output token includes the prefill: compare energy per input token and per decoded token instead.</source>
        <translation>Die Energie je Ausgabe-Token enthält den Prefill: Vergleichen Sie stattdessen die Energie je Eingabe-Token und je erzeugtem Token.</translation>
    </message>
    <message>
        <source>The prompts differ, but not in length.</source>
        <translation>Die Prompts unterscheiden sich, aber nicht in der Länge.</translation>
    </message>
    <message>
        <source>The energy and time of a recorded command are those of all of it, with loading the model: compare its prefill and its decoded tokens.</source>
        <translation>Energie und Zeit eines aufgezeichneten Befehls sind die des ganzen Befehls, mit dem Laden des Modells: Vergleichen Sie seinen Prefill und seine erzeugten Token.</translation>
    </message>
    <message>
        <source>The runs generated different numbers of tokens (%1).</source>
        <translation>Die Läufe haben verschieden viele Token erzeugt (%1).</translation>
    </message>
    <message>
        <source>The runs generated different numbers of tokens.</source>
        <translation>Die Läufe haben verschieden viele Token erzeugt.</translation>
    </message>
    <message>
        <source>Later tokens cost more, and the energy of a run is not comparable.</source>
        <translation>Spätere Token kosten mehr, und die Energie eines Laufs ist nicht vergleichbar.</translation>
    </message>
    <message>
        <source>%1 did not complete.</source>
        <translation>%1 nicht vollständig beendet.</translation>
    </message>
    <message>
        <source>The joules of %1 are modelled from the load of the machine, not measured.</source>
        <translation>Die Joule sind aus der Last des Rechners modelliert, nicht gemessen (%1).</translation>
    </message>
    <message>
        <source>The joules of %1 were read from recordings of other programs: sensor, machine and clock are theirs, so a difference from measured runs says nothing.</source>
        <translation>Die Joule stammen aus Aufzeichnungen anderer Programme (%1): Sensor, Rechner und Uhr sind deren, sodass ein Unterschied zu gemessenen Läufen nichts aussagt.</translation>
    </message>
    <message>
        <source>They follow processor time: a difference in joules says little more than a difference in time.</source>
        <translation>Sie folgen der Prozessorzeit: Ein Unterschied in Joule sagt kaum mehr als ein Unterschied der Zeit.</translation>
    </message>
    <message>
        <source>%1 have no energy; only times are compared.</source>
        <translation>%1 ohne Energie; nur Zeiten werden verglichen.</translation>
    </message>
    <message>
        <source>The power samples of %1 are poor; see their quality before you rely on them.</source>
        <translation>Die Messungen der Leistung sind schlecht (%1); sehen Sie ihre Qualität an, bevor Sie sich darauf verlassen.</translation>
    </message>
    <message>
        <source>Energy was split over layers and components in different ways; compare totals and phases.</source>
        <translation>Die Energie wurde auf verschiedene Weise auf Schichten und Komponenten verteilt; vergleichen Sie Summen und Phasen.</translation>
    </message>
    <message>
        <source>There are fewer than 3 repeats on a side: differences describe these runs only, and may not be reproducible.</source>
        <translation>Auf einer Seite gibt es weniger als 3 Wiederholungen: Unterschiede beschreiben nur diese Läufe und lassen sich vielleicht nicht wiederholen.</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>The second run</source>
        <translation>Der zweite Lauf</translation>
    </message>
    <message>
        <source>too short for this sensor: the run&apos;s energy has a standard deviation above %1 and is not shown; repeat it</source>
        <translation>zu kurz für diesen Sensor: Die Energie des Laufs hat eine Standardabweichung über %1 und wird nicht gezeigt; wiederholen Sie ihn</translation>
    </message>
    <message>
        <source>windows with two phases are split by the mean power of each</source>
        <translation>Fenster mit zwei Phasen werden nach deren mittlerer Leistung geteilt</translation>
    </message>
    <message>
        <source>This machine was not calibrated with this model.</source>
        <translation>Dieser Rechner wurde nicht mit diesem Modell kalibriert.</translation>
    </message>
    <message>
        <source>A modelled power source measures nothing: calibrate with a sensor.</source>
        <translation>Eine modellierte Leistungsquelle misst nichts: Kalibrieren Sie mit einem Sensor.</translation>
    </message>
    <message>
        <source>The machine ran on battery: connect it to its power supply and calibrate again.</source>
        <translation>Der Rechner lief mit Akku: Schließen Sie das Netzteil an und kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>The machine was in low-power mode: switch it off and calibrate again.</source>
        <translation>Der Rechner war im Stromsparmodus: Schalten Sie ihn aus und kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>The machine was too hot and slowed down: let it cool down and calibrate again.</source>
        <translation>Der Rechner war zu heiß und wurde langsamer: Lassen Sie ihn abkühlen und kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>Other programs used %1 of the processor: close them and calibrate again.</source>
        <translation>Andere Programme belegten %1 des Prozessors: Schließen Sie sie und kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>A block ended before its work was done once: calibrate with longer blocks.</source>
        <translation>Ein Block endete, bevor seine Arbeit einmal getan war: Kalibrieren Sie mit längeren Blöcken.</translation>
    </message>
    <message>
        <source>A block has %1 whole windows of the power source instead of %2: calibrate with longer blocks.</source>
        <translation>Ein Block hat %1 ganze Fenster der Leistungsquelle statt %2: Kalibrieren Sie mit längeren Blöcken.</translation>
    </message>
    <message>
        <source>The idle machine was not measured: calibrate again.</source>
        <translation>Der Rechner im Leerlauf wurde nicht gemessen: Kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>Whole tokens used no more power than the idle machine: this power source does not see the work.</source>
        <translation>Ganze Token brauchten nicht mehr Leistung als der Rechner im Leerlauf: Diese Leistungsquelle sieht die Arbeit nicht.</translation>
    </message>
    <message>
        <source>A kind of component was not measured: calibrate again.</source>
        <translation>Eine Art von Komponente wurde nicht gemessen: Kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>Its energy is too small to be measured.</source>
        <translation>Ihre Energie ist zu klein, um gemessen zu werden.</translation>
    </message>
    <message>
        <source>The energy of a token changed by %1 during the calibration: let the machine settle and calibrate again.</source>
        <translation>Die Energie eines Tokens änderte sich während der Kalibrierung um %1: Lassen Sie den Rechner zur Ruhe kommen und kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>The kinds of components replayed alone add up to %1 of a token&apos;s energy: what they cost alone is not what they cost in a token.</source>
        <translation>Die einzeln wiederholten Arten von Komponenten ergeben zusammen %1 der Energie eines Tokens: Was sie allein kosten, ist nicht, was sie in einem Token kosten.</translation>
    </message>
    <message>
        <source>The calibration was cancelled.</source>
        <translation>Die Kalibrierung wurde abgebrochen.</translation>
    </message>
    <message>
        <source>the spans have no bytes and FLOPs</source>
        <translation>die Spannen haben keine Bytes und FLOPs</translation>
    </message>
    <message>
        <source>no rail used more power than the idle machine</source>
        <translation>keine Schiene brauchte mehr Leistung als der Rechner im Leerlauf</translation>
    </message>
    <message>
        <source>the windows depend on time alone</source>
        <translation>die Fenster hängen nur von der Zeit ab</translation>
    </message>
    <message>
        <source>No sample lies inside the run.</source>
        <translation>Keine Messung liegt im Lauf.</translation>
    </message>
    <message>
        <source>The samples cover %1 of the run.</source>
        <translation>Die Messungen decken %1 des Laufs ab.</translation>
    </message>
    <message>
        <source>The samples cover only %1 of the run; energies outside of them are missing.</source>
        <translation>Die Messungen decken nur %1 des Laufs ab; Energien außerhalb fehlen.</translation>
    </message>
    <message>
        <source>%1 gaps between samples, the largest %2.</source>
        <translation>%1 Lücken zwischen Messungen, die größte %2.</translation>
    </message>
    <message>
        <source>Samples lack a reading of %1; totals over their time are missing.</source>
        <translation>In Messungen fehlt ein Wert für %1; Summen über ihre Zeit fehlen.</translation>
    </message>
    <message>
        <source>The counter of %1 stayed at zero while the machine was busy.</source>
        <translation>Der Zähler von %1 blieb bei null, während der Rechner beschäftigt war.</translation>
    </message>
    <message>
        <source>The counter of %1 is updated in batches: sums over several seconds are valid, the curve is not.</source>
        <translation>Der Zähler von %1 wird schubweise aktualisiert: Summen über mehrere Sekunden gelten, die Kurve nicht.</translation>
    </message>
    <message>
        <source>%1 readings arrived but could not be used.</source>
        <translation>%1 Messwerte kamen an, konnten aber nicht verwendet werden.</translation>
    </message>
    <message>
        <source>Only %1 sample; a longer run gives better results.</source>
        <translation>Nur %1 Messung; ein längerer Lauf ergibt mehr.</translation>
    </message>
    <message>
        <source>Only %1 samples; a longer run gives better results.</source>
        <translation>Nur %1 Messungen; ein längerer Lauf ergibt mehr.</translation>
    </message>
    <message>
        <source>Samples came every %1 instead of the %2 requested.</source>
        <translation>Messungen kamen alle %1 statt der verlangten %2.</translation>
    </message>
    <message>
        <source>The machine was too warm to run at full speed (thermal pressure %1).</source>
        <translation>Der Rechner war zu warm für volles Tempo (thermischer Druck %1).</translation>
    </message>
    <message>
        <source>The machine ran on its battery.</source>
        <translation>Der Rechner lief mit Akku.</translation>
    </message>
    <message>
        <source>Low-power mode was on.</source>
        <translation>Der Stromsparmodus war an.</translation>
    </message>
    <message>
        <source>Other processes used %1 of the processor.</source>
        <translation>Andere Prozesse belegten %1 des Prozessors.</translation>
    </message>
    <message>
        <source>Other programs used %1 of the processor during the run.</source>
        <translation>Andere Programme belegten während des Laufs %1 des Prozessors.</translation>
    </message>
    <message>
        <source>The window itself, or another part of this program beside the run, used %1 of the processor.</source>
        <translation>Das Fenster selbst oder ein anderer Teil dieses Programms neben dem Lauf belegte %1 des Prozessors.</translation>
    </message>
    <message>
        <source>It overlapped with other requests: together the %1 used %2, which cannot be shared before single requests to this model have been measured.</source>
        <translation>Sie überschnitt sich mit anderen Anfragen: Zusammen brauchten die %1 %2, was sich erst teilen lässt, wenn einzelne Anfragen an dieses Modell gemessen sind.</translation>
    </message>
    <message>
        <source>an unknown energy</source>
        <translation>eine unbekannte Energie</translation>
    </message>
    <message>
        <source>Other programs used %1 of the processor, more than %2: the energy is not the server&apos;s.</source>
        <translation>Andere Programme belegten %1 des Prozessors, mehr als %2: Die Energie ist nicht die des Servers.</translation>
    </message>
    <message>
        <source>The answer ended without the server&apos;s final message, so phases and tokens are unknown.</source>
        <translation>Die Antwort endete ohne die letzte Nachricht des Servers; Phasen und Token sind deshalb unbekannt.</translation>
    </message>
    <message>
        <source>The decode took %1 here, but %2 by the server: the phases cannot be told apart.</source>
        <translation>Das Decodieren dauerte hier %1, nach dem Server aber %2: Die Phasen lassen sich nicht trennen.</translation>
    </message>
    <message>
        <source>The phase %1 took %2, less than ten windows of the power source (%3).</source>
        <translation>Die Phase %1 dauerte %2, weniger als zehn Fenster der Leistungsquelle (%3).</translation>
    </message>
    <message>
        <source>The server&apos;s own load is not known, because its process was not found or the request was too short.</source>
        <translation>Die Last des Servers ist nicht bekannt, weil sein Prozess nicht gefunden wurde oder die Anfrage zu kurz war.</translation>
    </message>
    <message>
        <source>The server does not state its tokens, so their numbers and the energy per token are missing; ask it for its usage (docs/attach.md).</source>
        <translation>Der Server nennt seine Token nicht, daher fehlen ihre Anzahlen und die Energie je Token; lassen Sie ihn seine Nutzung angeben (docs/attach.md).</translation>
    </message>
    <message>
        <source>The server does not state how much of the prompt was in its cache, so there is no energy per input token.</source>
        <translation>Der Server nennt nicht, wie viel vom Prompt in seinem Cache war, daher gibt es keine Energie je Eingabetoken.</translation>
    </message>
    <message>
        <source>The server does not state its time for the prompt: the prefill includes any waiting, and the loading of the model if it was not loaded (--warmup 1 loads it before).</source>
        <translation>Der Server nennt seine Zeit für den Prompt nicht: Der Prefill enthält auch das Warten und das Laden des Modells, falls es nicht geladen war (--warmup 1 lädt es vorher).</translation>
    </message>
    <message>
        <source>No part of the answer came before its end, so there are no phases.</source>
        <translation>Kein Teil der Antwort kam vor ihrem Ende, daher gibt es keine Phasen.</translation>
    </message>
    <message>
        <source>A part of the prompt came from the server&apos;s cache: the prefill did less work than that of the whole prompt.</source>
        <translation>Ein Teil des Prompts kam aus dem Cache des Servers: Der Prefill hat weniger gerechnet als für den ganzen Prompt.</translation>
    </message>
    <message>
        <source>The answer came in one piece: the phases are placed by the server&apos;s own times.</source>
        <translation>Die Antwort kam in einem Stück: Die Phasen folgen den eigenen Zeiten des Servers.</translation>
    </message>
    <message>
        <source>The answer came in one piece without the server&apos;s times, so there are no phases.</source>
        <translation>Die Antwort kam in einem Stück ohne Zeiten des Servers, daher gibt es keine Phasen.</translation>
    </message>
    <message>
        <source>Parts of the answer and tokens differ in number, so single tokens have no times of their own.</source>
        <translation>Die Antwort kam in einer anderen Zahl von Teilen als Token, daher haben einzelne Token keine eigenen Zeiten.</translation>
    </message>
    <message>
        <source>The computer&apos;s clock was set forward by %1 (%2 into the run); the times of the run do not depend on it.</source>
        <translation>Die Uhr des Rechners wurde um %1 vorgestellt (%2 nach Beginn des Laufs); die Zeiten des Laufs hängen nicht davon ab.</translation>
    </message>
    <message>
        <source>The computer&apos;s clock was set back by %1 (%2 into the run); the times of the run do not depend on it.</source>
        <translation>Die Uhr des Rechners wurde um %1 zurückgestellt (%2 nach Beginn des Laufs); die Zeiten des Laufs hängen nicht davon ab.</translation>
    </message>
    <message>
        <source>The window was covered for %1, and macOS may have slowed the program down meanwhile; keep it in sight and repeat the run.</source>
        <translation>Das Fenster war %1 lang verdeckt, und macOS hat das Programm vielleicht gebremst; lassen Sie es sichtbar und wiederholen Sie den Lauf.</translation>
    </message>
    <message>
        <source>Starting the power source</source>
        <translation>Leistungsquelle wird gestartet</translation>
    </message>
    <message>
        <source>Measuring the idle machine</source>
        <translation>Rechner im Leerlauf wird gemessen</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Running without synchronising with the device</source>
        <translation>Lauf ohne Abgleich mit dem Gerät</translation>
    </message>
    <message>
        <source>Running without recording</source>
        <translation>Lauf ohne Aufzeichnung</translation>
    </message>
    <message>
        <source>Reading the model&apos;s configuration</source>
        <translation>Konfiguration des Modells wird gelesen</translation>
    </message>
    <message>
        <source>Opening the inference engine</source>
        <translation>Inferenz-Engine wird geöffnet</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>Quality of %1: %2</source>
        <translation>Qualität von %1: %2</translation>
    </message>
    <message>
        <source>Waiting for the runs of another process</source>
        <translation>Warten auf die Läufe eines anderen Prozesses</translation>
    </message>
    <message>
        <source>Looking at the server</source>
        <translation>Server wird geprüft</translation>
    </message>
    <message>
        <source>Loading the model was cancelled.</source>
        <translation>Das Laden des Modells wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The run was cancelled.</source>
        <translation>Der Lauf wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The run failed with an unexpected error: %1</source>
        <translation>Der Lauf scheiterte an einem unerwarteten Fehler: %1</translation>
    </message>
    <message>
        <source>The context of %1, %2 tokens, is full: the generation ended after %3 of %4 tokens.</source>
        <translation>Der Kontext von %1, %2 Token, ist voll: Die Ausgabe endete nach %3 von %4 Token.</translation>
    </message>
    <message>
        <source>The context of %1, %2 tokens, is full: of the batch, sequence %3 ended before %4 tokens.</source>
        <translation>Der Kontext von %1, %2 Token, ist voll: Im Stapel endete Folge %3 vor %4 Token.</translation>
    </message>
    <message>
        <source>The context of %1, %2 tokens, is full: of the batch, sequences %3 ended before %4 tokens.</source>
        <translation>Der Kontext von %1, %2 Token, ist voll: Im Stapel endeten die Folgen %3 vor %4 Token.</translation>
    </message>
    <message>
        <source>%1 mark of the device could not be read and took the time of the mark before</source>
        <translation>%1 Marke des Geräts war nicht lesbar und nahm die Zeit der vorigen</translation>
    </message>
    <message>
        <source>%1 marks of the device could not be read and took the time of the mark before</source>
        <translation>%1 Marken des Geräts waren nicht lesbar und nahmen die Zeit der vorigen</translation>
    </message>
    <message>
        <source>Nothing came after the answer (rule: %1).</source>
        <translation>Nach der Antwort kam nichts (Regel: %1).</translation>
    </message>
    <message>
        <source>%1 of the energy came after the answer (tokens %2; rule: %3).</source>
        <translation>%1 der Energie kam nach der Antwort (Token %2; Regel: %3).</translation>
    </message>
    <message>
        <source>%1 of the time came after the answer (tokens %2; rule: %3).</source>
        <translation>%1 der Zeit kam nach der Antwort (Token %2; Regel: %3).</translation>
    </message>
    <message>
        <source>%1 to %2 of %3</source>
        <translation>%1 bis %2 von %3</translation>
    </message>
    <message>
        <source>The runs come from %1 machines.</source>
        <translation>Die Läufe stammen von %1 Rechnern.</translation>
    </message>
    <message>
        <source>Cells are ranked within one machine only: sensors of different machines cover different components and vary between units, so energies cannot be ranked across machines.</source>
        <translation>Zellen werden nur innerhalb eines Rechners gereiht: Sensoren verschiedener Rechner erfassen verschiedene Teile und streuen von Gerät zu Gerät, deshalb lassen sich Energien nicht über Rechner hinweg reihen.</translation>
    </message>
    <message>
        <source>The runs were measured with different power sources, which cover different components of a machine: compare only cells of the same source.</source>
        <translation>Die Läufe wurden mit verschiedenen Leistungsquellen gemessen, die verschiedene Teile eines Rechners erfassen: Vergleichen Sie nur Zellen derselben Quelle.</translation>
    </message>
    <message>
        <source>Some energies are modelled, others measured; they are kept apart.</source>
        <translation>Einige Energien sind modelliert, andere gemessen; sie werden getrennt gehalten.</translation>
    </message>
    <message>
        <source>All energies are modelled from the load of the machine, not measured: differences between cells reflect time and load.</source>
        <translation>Alle Energien sind aus der Last des Rechners modelliert, nicht gemessen: Unterschiede zwischen Zellen spiegeln Zeit und Last.</translation>
    </message>
    <message>
        <source>Some cells have fewer than three runs: their spread is not meaningful.</source>
        <translation>Einige Zellen haben weniger als drei Läufe: Ihre Streuung sagt nichts aus.</translation>
    </message>
    <message>
        <source>Some cells have fewer than three runs: their spread is not meaningful; request at least three repeats.</source>
        <translation>Einige Zellen haben weniger als drei Läufe: Ihre Streuung sagt nichts aus; verlangen Sie mindestens drei Wiederholungen.</translation>
    </message>
    <message>
        <source>%1 complete run of this study is left out: it was made when its file said something else about the model, the prompt, the power source, the baseline or the warm-up.</source>
        <translation>%1 vollständiger Lauf dieser Studie bleibt weg: Er entstand, als ihre Datei etwas anderes über Modell, Prompt, Leistungsquelle, Leerlauf davor oder Aufwärmen sagte.</translation>
    </message>
    <message>
        <source>%1 complete runs of this study are left out: they were made when its file said something else about the model, the prompt, the power source, the baseline or the warm-up.</source>
        <translation>%1 vollständige Läufe dieser Studie bleiben weg: Sie entstanden, als ihre Datei etwas anderes über Modell, Prompt, Leistungsquelle, Leerlauf davor oder Aufwärmen sagte.</translation>
    </message>
    <message>
        <source>Power source selected explicitly.</source>
        <translation>Leistungsquelle ausdrücklich gewählt.</translation>
    </message>
    <message>
        <source>%1 is the best available source.</source>
        <translation>%1 ist die beste verfügbare Quelle.</translation>
    </message>
    <message>
        <source>Timing only, as requested.</source>
        <translation>Nur Zeiten, wie verlangt.</translation>
    </message>
    <message>
        <source>none: nothing is measured</source>
        <translation>keine: Es wird nichts gemessen</translation>
    </message>
    <message>
        <source>model, not a sensor: CPU time of the machine between %1 and %2</source>
        <translation>Modell, kein Sensor: CPU-Zeit des Rechners zwischen %1 und %2</translation>
    </message>
    <message>
        <source>battery gauge, slow</source>
        <translation>Ladeanzeige des Akkus, langsam</translation>
    </message>
    <message>
        <source>%1 unusable documents skipped</source>
        <translation>%1 unbrauchbare Dokumente übergangen</translation>
    </message>
    <message>
        <source>The source delivered no sample during the test.</source>
        <translation>Die Quelle lieferte während des Tests keine Messung.</translation>
    </message>
    <message>
        <source>Testing power sensors</source>
        <translation>Leistungssensoren werden getestet</translation>
    </message>
    <message>
        <source>Answers per charge need the energy of the whole machine, and this power source does not measure it.</source>
        <translation>Antworten je Akkuladung brauchen die Energie des ganzen Rechners, und diese Leistungsquelle misst sie nicht.</translation>
    </message>
    <message>
        <source>Answers per charge need the capacity of a battery, and this machine reported none.</source>
        <translation>Antworten je Akkuladung brauchen die Kapazität eines Akkus, und dieser Rechner hat keine gemeldet.</translation>
    </message>
    <message>
        <source>The idle power of the machine was not measured; make the run with a baseline.</source>
        <translation>Die Leistung des Rechners im Leerlauf wurde nicht gemessen; wiederholen Sie den Lauf mit Leerlauf davor.</translation>
    </message>
    <message>
        <source>round figure of the United States&apos; yearly mix</source>
        <translation>runde Zahl des Jahresmix der Vereinigten Staaten</translation>
    </message>
    <message>
        <source>round figure of California&apos;s yearly mix</source>
        <translation>runde Zahl des Jahresmix von Kalifornien</translation>
    </message>
    <message>
        <source>round figure of Texas&apos; yearly mix</source>
        <translation>runde Zahl des Jahresmix von Texas</translation>
    </message>
    <message>
        <source>round figure of the European Union&apos;s yearly mix</source>
        <translation>runde Zahl des Jahresmix der Europäischen Union</translation>
    </message>
    <message>
        <source>This run decoded no token, so that none is typical.</source>
        <translation>Dieser Lauf hat kein Token erzeugt, also ist keines typisch.</translation>
    </message>
    <message>
        <source>Such advice held %1 of %2 on this machine.</source>
        <translation>Solcher Rat hielt auf diesem Rechner %1 von %2.</translation>
    </message>
    <message>
        <source>%1 tokens scored, context %2</source>
        <translation>%1 Token bewertet, Kontext %2</translation>
    </message>
    <message>
        <source>No power source measures here: only times are known.</source>
        <translation>Hier misst keine Leistungsquelle: Nur Zeiten sind bekannt.</translation>
    </message>
    <message>
        <source>A modelled source measures nothing: only times are known.</source>
        <translation>Eine modellierte Quelle misst nichts: Nur Zeiten sind bekannt.</translation>
    </message>
    <message>
        <source>The run is still in progress; wait for its end.</source>
        <translation>Der Lauf ist noch im Gang; warten Sie auf sein Ende.</translation>
    </message>
    <message>
        <source>The device, number format and layers of %1 are not known here: compare whole runs, their phases and tokens.</source>
        <translation>Gerät, Zahlenformat und Schichten von %1 sind hier nicht bekannt: Vergleichen Sie ganze Läufe, ihre Phasen und Token.</translation>
    </message>
    <message>
        <source>%1 has no energy; only times are compared.</source>
        <translation>%1 ohne Energie; nur Zeiten werden verglichen.</translation>
    </message>
    <message>
        <source>minus %1</source>
        <translation>minus %1</translation>
    </message>
    <message>
        <source>%1 of compute</source>
        <translation>%1 durch Rechnen</translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>%1 durch Speicher</translation>
    </message>
    <message>
        <source>%1 of static power</source>
        <translation>%1 durch Grundleistung</translation>
    </message>
    <message>
        <source>%1 of what the model does not explain</source>
        <translation>%1 durch das, was das Modell nicht erklärt</translation>
    </message>
    <message>
        <source>%1 of what cannot be divided</source>
        <translation>%1 durch das, was sich nicht aufteilen lässt</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no dialect of a server.</source>
        <translation>„%1“ ist kein Dialekt eines Servers.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a shard: write I/N with I from 1 to N, as in 2/5.</source>
        <translation>„%1“ ist kein Teil: Schreiben Sie I/N mit I von 1 bis N, wie in 2/5.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a token id: write numbers from 0 to %2, separated by blanks.</source>
        <translation>„%1“ ist keine Token-Nummer: Schreiben Sie Zahlen von 0 bis %2, durch Leerzeichen getrennt.</translation>
    </message>
    <message>
        <source>A pattern of the tokenizer cannot be applied to this text: %1.</source>
        <translation>Ein Muster des Tokenizers lässt sich auf diesen Text nicht anwenden: %1.</translation>
    </message>
    <message>
        <source>A pattern of the tokenizer takes too long on this text; shorten the text or repair the pattern.</source>
        <translation>Ein Muster des Tokenizers braucht für diesen Text zu lange; kürzen Sie den Text oder berichtigen Sie das Muster.</translation>
    </message>
    <message>
        <source>A powermetrics document could not be read (%1); record it again with `-f plist`.</source>
        <translation>Ein Dokument von powermetrics war nicht lesbar (%1); zeichnen Sie es mit `-f plist` neu auf.</translation>
    </message>
    <message>
        <source>A powermetrics document lacks the length of its window (elapsed_ns); record it again with `-f plist`.</source>
        <translation>Einem Dokument von powermetrics fehlt die Länge seines Fensters (elapsed_ns); zeichnen Sie es mit `-f plist` neu auf.</translation>
    </message>
    <message>
        <source>A run to compare has an empty name; give ids.</source>
        <translation>Ein Lauf zum Vergleichen hat einen leeren Namen; geben Sie Nummern an.</translation>
    </message>
    <message>
        <source>A run without an id cannot be saved; give it one.</source>
        <translation>Ein Lauf ohne Nummer kann nicht gespeichert werden; geben Sie ihm eine.</translation>
    </message>
    <message>
        <source>Cannot create the file %1: %2; make its folder writable, or choose another file with --db.</source>
        <translation>Die Datei %1 kann nicht angelegt werden: %2; machen Sie ihren Ordner beschreibbar, oder wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>Cannot create the folder %1 for the CSV files: %2; choose another one.</source>
        <translation>Der Ordner %1 für die CSV-Dateien kann nicht angelegt werden: %2; wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>Cannot create the folder %1: %2; choose another file with --db.</source>
        <translation>Der Ordner %1 kann nicht angelegt werden: %2; wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>Cannot read the run in %1: its packed spans are damaged; delete the run, or use a backup of the file.</source>
        <translation>Der Lauf in %1 ist nicht lesbar: Seine gepackten Spannen sind beschädigt; löschen Sie den Lauf, oder nehmen Sie eine Sicherung der Datei.</translation>
    </message>
    <message>
        <source>Cannot read %1 (%2).</source>
        <translation>%1 ist nicht lesbar (%2).</translation>
    </message>
    <message>
        <source>Cannot read %1: check that you have permission to read it.</source>
        <translation>%1 ist nicht lesbar: Prüfen Sie, ob Sie es lesen dürfen.</translation>
    </message>
    <message>
        <source>Cannot read %1: %2; make it readable, or choose another file with --db.</source>
        <translation>%1 ist nicht lesbar: %2; machen Sie es lesbar, oder wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>Cannot write the diagnostics to %1; choose another file with --out.</source>
        <translation>Die Diagnose kann nicht nach %1 geschrieben werden; wählen Sie mit --out eine andere Datei.</translation>
    </message>
    <message>
        <source>Cannot write to the run database %1 (%2: %3); make the file and its folder writable, or choose another file with --db.</source>
        <translation>In die Datenbank %1 kann nicht geschrieben werden (%2: %3); machen Sie die Datei und ihren Ordner beschreibbar, oder wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>Cannot write %1 (%2); choose another place or free some space.</source>
        <translation>%1 kann nicht geschrieben werden (%2); wählen Sie einen anderen Ort, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>Cannot write %1; free some space or choose another folder.</source>
        <translation>%1 kann nicht geschrieben werden; schaffen Sie Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Cannot %1: %2 was moved or deleted while it was open; put it back or start again.</source>
        <translation>%1 ist nicht möglich: %2 wurde verschoben oder gelöscht, während es offen war; legen Sie es zurück, oder starten Sie neu.</translation>
    </message>
    <message>
        <source>Cannot %1: %2 was replaced while it was open; try again.</source>
        <translation>%1 ist nicht möglich: %2 wurde ersetzt, während es offen war; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Cannot %1 in %2: the file is damaged. %3 has what could be read of it (%4), and this change. Use it with --db, or restore a backup with &quot;energy-profiler db --restore&quot;.</source>
        <translation>%1 ist in %2 nicht möglich: Die Datei ist beschädigt. %3 enthält, was von ihr zu lesen war (%4), und diese Änderung. Öffnen Sie sie mit --db, oder stellen Sie mit „energy-profiler db --restore“ eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>%1: Nothing in it can be read; restore a backup with &quot;energy-profiler db --restore&quot;.</source>
        <translation>%1: Nichts darin ist zu lesen; stellen Sie mit „energy-profiler db --restore“ eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>Cannot %1 in %2: the file is damaged. %3 has what could be read of it (%4), but not this change: %5</source>
        <translation>%1 ist in %2 nicht möglich: Die Datei ist beschädigt. %3 enthält, was von ihr zu lesen war (%4), aber nicht diese Änderung: %5</translation>
    </message>
    <message>
        <source>%1 exists already; name another file with --out.</source>
        <translation>%1 gibt es schon; nennen Sie mit --out eine andere Datei.</translation>
    </message>
    <message>
        <source>There is no backup beside %1; name a copy of a run database with --backup.</source>
        <translation>Neben %1 liegt keine Sicherung; nennen Sie mit --backup eine Kopie einer Datenbank von Läufen.</translation>
    </message>
    <message>
        <source>%1 is damaged, so its earlier backups are kept; restore one with &quot;energy-profiler db --restore&quot;.</source>
        <translation>%1 ist beschädigt, daher bleiben die früheren Sicherungen; stellen Sie eine mit „energy-profiler db --restore“ wieder her.</translation>
    </message>
    <message>
        <source>%1 was replaced while another program has the earlier file open; close that program, then try again.</source>
        <translation>%1 wurde ersetzt, während ein anderes Programm noch die frühere Datei offen hat; schließen Sie dieses Programm, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 was replaced while other programs use it; close them, or put it back.</source>
        <translation>%1 wurde ersetzt, während andere Programme es benutzen; schließen Sie sie, oder legen Sie es zurück.</translation>
    </message>
    <message>
        <source>%1 was replaced while this program reads or writes it; try again.</source>
        <translation>%1 wurde ersetzt, während dieses Programm darin liest oder schreibt; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 is replaced again and again while it is open; try again.</source>
        <translation>%1 wird immer wieder ersetzt, während es offen ist; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 is the run database or one of its backups; choose another file.</source>
        <translation>%1 ist die Datenbank der Läufe oder eine ihrer Sicherungen; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is damaged; choose another backup (&quot;energy-profiler db --backups&quot;).</source>
        <translation>%1 ist beschädigt; wählen Sie eine andere Sicherung („energy-profiler db --backups“).</translation>
    </message>
    <message>
        <source>%1 says that it has version %2, which no run database has; restore a copy of it, or choose another file with --db.</source>
        <translation>%1 gibt die Version %2 an, die keine Datenbank von Läufen hat; stellen Sie eine Kopie wieder her, oder wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 has a view that no run database has (%2) and was not read; remove it, or use a copy of the original file.</source>
        <translation>%1 hat eine Sicht, die keine Datenbank von Läufen hat (%2), und wurde nicht gelesen; entfernen Sie sie, oder nehmen Sie eine Kopie der ursprünglichen Datei.</translation>
    </message>
    <message>
        <source>%1 has a trigger that no run database has (%2) and was not read; remove it, or use a copy of the original file.</source>
        <translation>%1 hat einen Trigger, den keine Datenbank von Läufen hat (%2), und wurde nicht gelesen; entfernen Sie ihn, oder nehmen Sie eine Kopie der ursprünglichen Datei.</translation>
    </message>
    <message>
        <source>%1 has a virtual table that no run database has (%2) and was not read; remove it, or use a copy of the original file.</source>
        <translation>%1 hat eine virtuelle Tabelle, die keine Datenbank von Läufen hat (%2), und wurde nicht gelesen; entfernen Sie sie, oder nehmen Sie eine Kopie der ursprünglichen Datei.</translation>
    </message>
    <message>
        <source>%1: The id of a run must be a UUID, which &quot;%2&quot; is not; give it one (run.info.id in its JSON) and import it again.</source>
        <translation>%1: Die Kennung eines Laufs muss eine UUID sein, was „%2“ nicht ist; geben Sie ihm eine (run.info.id in seinem JSON), und importieren Sie ihn noch einmal.</translation>
    </message>
    <message>
        <source>Cannot put %1 aside: %2; make its folder writable.</source>
        <translation>%1 kann nicht beiseitegelegt werden: %2; machen Sie den Ordner beschreibbar.</translation>
    </message>
    <message>
        <source>Cannot write %1: the disk is full; free some space.</source>
        <translation>%1 kann nicht geschrieben werden: Der Datenträger ist voll; schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>der Datenträger ist voll</translation>
    </message>
    <message>
        <source>restore a backup with &quot;energy-profiler db --restore&quot;, or save what can be read with &quot;energy-profiler db --recover&quot;</source>
        <translation>stellen Sie mit „energy-profiler db --restore“ eine Sicherung wieder her, oder retten Sie mit „energy-profiler db --recover“, was zu lesen ist</translation>
    </message>
    <message>
        <source>The database was damaged, and a part of this run is lost.</source>
        <translation>Die Datenbank war beschädigt, und ein Teil dieses Laufs ist verloren.</translation>
    </message>
    <message>
        <source>Cannot %1 in %2: column %3 holds &quot;%4&quot;, which this version does not know; use the version that wrote it.</source>
        <translation>%1 ist in %2 nicht möglich: Spalte %3 enthält „%4“, was diese Version nicht kennt; nehmen Sie die Version, die es geschrieben hat.</translation>
    </message>
    <message>
        <source>IOKit lacks required functions.</source>
        <translation>IOKit fehlen nötige Funktionen.</translation>
    </message>
    <message>
        <source>LibTorch failed in %1: %2</source>
        <translation>LibTorch scheiterte in %1: %2</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s driver has no energy counter.</source>
        <translation>Der Treiber von NVIDIA hat keinen Energiezähler.</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s driver is loaded, but it finds no device; choose another power source.</source>
        <translation>Der Treiber von NVIDIA ist geladen, findet aber kein Gerät; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s management library is too old to report power; update the driver.</source>
        <translation>Die Verwaltungsbibliothek von NVIDIA ist zu alt, um Leistung zu melden; aktualisieren Sie den Treiber.</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s management library %1 (%2); check that `nvidia-smi` works, or choose another power source.</source>
        <translation>Die Verwaltungsbibliothek von NVIDIA meldet einen Fehler (%1, %2); prüfen Sie, ob `nvidia-smi` arbeitet, oder wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>No power source measures here, so that there is nothing to calibrate: &apos;energy-profiler doctor&apos; says how to enable one.</source>
        <translation>Hier misst keine Leistungsquelle, also gibt es nichts zu kalibrieren: „energy-profiler doctor“ sagt, wie eine verfügbar wird.</translation>
    </message>
    <message>
        <source>No run is stored yet.</source>
        <translation>Es ist noch kein Lauf gespeichert.</translation>
    </message>
    <message>
        <source>No run was given; give the first characters of its id.</source>
        <translation>Es wurde kein Lauf genannt; geben Sie die ersten Zeichen seiner Nummer an.</translation>
    </message>
    <message>
        <source>One run makes one %1 export; name a single run, or use --format sqlite.</source>
        <translation>Ein Export als %1 nimmt einen Lauf; nennen Sie nur einen, oder nehmen Sie --format sqlite.</translation>
    </message>
    <message>
        <source>Port %1 of 127.0.0.1 cannot be served (%2): choose another one.</source>
        <translation>Port %1 von 127.0.0.1 kann nicht bedient werden (%2): Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>Run %1 is still being recorded; change it when it is over.</source>
        <translation>Lauf %1 wird noch aufgezeichnet; ändern Sie ihn, wenn er zu Ende ist.</translation>
    </message>
    <message>
        <source>Several runs begin with &quot;%1&quot; (%2, %3); give more characters of the id.</source>
        <translation>Mehrere Läufe beginnen mit „%1“ (%2, %3); geben Sie mehr Zeichen der Nummer an.</translation>
    </message>
    <message>
        <source>That is not the id of a run.</source>
        <translation>Das ist nicht die Nummer eines Laufs.</translation>
    </message>
    <message>
        <source>The CPU time in /proc/stat cannot be read; the modelled power source does not work on this machine, choose `none`.</source>
        <translation>Die CPU-Zeit in /proc/stat ist nicht lesbar; die modellierte Leistungsquelle arbeitet auf diesem Rechner nicht, wählen Sie `none`.</translation>
    </message>
    <message>
        <source>The IOReport library of this system lacks required functions; choose the power source powermetrics.</source>
        <translation>Der IOReport-Bibliothek dieses Systems fehlen nötige Funktionen; wählen Sie die Leistungsquelle powermetrics.</translation>
    </message>
    <message>
        <source>The battery reports the power of the machine only while discharging; unplug the power supply.</source>
        <translation>Der Akku meldet die Leistung des Rechners nur beim Entladen; ziehen Sie das Netzteil ab.</translation>
    </message>
    <message>
        <source>The capture %1 cannot be opened; check that it is an ordinary file and that you have permission to read it.</source>
        <translation>Die Aufnahme %1 lässt sich nicht öffnen; prüfen Sie, ob es eine gewöhnliche Datei ist und Sie sie lesen dürfen.</translation>
    </message>
    <message>
        <source>The chart could not be written to %1: %2; choose another place.</source>
        <translation>Das Diagramm konnte nicht nach %1 geschrieben werden: %2; wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The context of the model %1 has no room for %2 tokens after the prompt: shorten it.</source>
        <translation>Der Kontext des Modells %1 hat nach dem Prompt keinen Platz für %2 Token: Kürzen Sie ihn.</translation>
    </message>
    <message>
        <source>The device &quot;%1&quot; cannot be used: %2; usable here: %3.</source>
        <translation>Das Gerät „%1“ ist nicht verwendbar: %2; hier verwendbar: %3.</translation>
    </message>
    <message>
        <source>The device %1 cannot compute in %2: choose f32 or f16.</source>
        <translation>Das Gerät %1 kann nicht in %2 rechnen: Wählen Sie f32 oder f16.</translation>
    </message>
    <message>
        <source>The devices &apos;%1&apos; of the power source nvml are not understood; write nvml:0 or nvml:0,2.</source>
        <translation>Die Geräte „%1“ der Leistungsquelle nvml sind nicht verständlich; schreiben Sie nvml:0 oder nvml:0,2.</translation>
    </message>
    <message>
        <source>The end of an answer is known for single sequences only, not for a batch.</source>
        <translation>Das Ende einer Antwort ist nur für einzelne Folgen bekannt, nicht für einen Stapel.</translation>
    </message>
    <message>
        <source>The energy counter %1 can no longer be read; the run continues without power from this point.</source>
        <translation>Der Energiezähler %1 ist nicht mehr lesbar; der Lauf geht ab hier ohne Leistung weiter.</translation>
    </message>
    <message>
        <source>The energy counters of the processor (RAPL) exist, but only root may read them; make them readable until the next restart with `%1`.</source>
        <translation>Es gibt die Energiezähler des Prozessors (RAPL), aber nur root darf sie lesen; `%1` macht sie bis zum nächsten Neustart lesbar.</translation>
    </message>
    <message>
        <source>The energy counters of this system (IOReport) include no known rail; choose the power source powermetrics.</source>
        <translation>Die Energiezähler dieses Systems (IOReport) enthalten keine bekannte Schiene; wählen Sie die Leistungsquelle powermetrics.</translation>
    </message>
    <message>
        <source>The file %1 cannot be read (%2): give a readable file.</source>
        <translation>Die Datei %1 ist nicht lesbar (%2): Geben Sie eine lesbare Datei an.</translation>
    </message>
    <message>
        <source>The file %1 contains no complete powermetrics document; record one with `sudo powermetrics -i 100 -f plist -s cpu_power &gt; FILE`.</source>
        <translation>Die Datei %1 enthält kein vollständiges Dokument von powermetrics; zeichnen Sie eines mit `sudo powermetrics -i 100 -f plist -s cpu_power &gt; DATEI` auf.</translation>
    </message>
    <message>
        <source>The file %1 holds no token: it must be one word.</source>
        <translation>Die Datei %1 enthält kein Kennwort: Es muss ein Wort sein.</translation>
    </message>
    <message>
        <source>The inference engine was not found (looked for %1): build or install the program again, or set EP_ENGINE_LIBRARY.</source>
        <translation>Die Inferenz-Engine wurde nicht gefunden (gesucht: %1): Bauen oder installieren Sie das Programm neu, oder setzen Sie EP_ENGINE_LIBRARY.</translation>
    </message>
    <message>
        <source>The inference engine was built with LibTorch %1, but LibTorch %2 is installed: build the program again, or install LibTorch %3.</source>
        <translation>Die Inferenz-Engine wurde mit LibTorch %1 gebaut, installiert ist aber LibTorch %2: Bauen Sie das Programm neu, oder installieren Sie LibTorch %3.</translation>
    </message>
    <message>
        <source>The inference engine %1 belongs to another version of the program: build it again.</source>
        <translation>Die Inferenz-Engine %1 gehört zu einer anderen Version des Programms: Bauen Sie sie neu.</translation>
    </message>
    <message>
        <source>The inference engine %1 cannot be opened (%2): install LibTorch or build the program again.</source>
        <translation>Die Inferenz-Engine %1 lässt sich nicht öffnen (%2): Installieren Sie LibTorch, oder bauen Sie das Programm neu.</translation>
    </message>
    <message>
        <source>The kernels &quot;%1&quot; are not known: give auto, measure, or choices separated by commas, each one of %2 blas, the same for one number of columns (2048=spread), many=panels, many=pairs or many=blas.</source>
        <translation>Die Kernels „%1“ sind nicht bekannt: Geben Sie auto, measure oder durch Kommas getrennte Wahlen an, jede eine von %2 blas, dasselbe für eine Zahl von Spalten (2048=spread), many=panels, many=pairs oder many=blas.</translation>
    </message>
    <message>
        <source>The limit &apos;%1&apos; %2; write it like &quot;joules_per_token &gt; +5%&quot; with one of %3</source>
        <translation>Die Grenze „%1“ %2; schreiben Sie sie wie „joules_per_token &gt; +5%“ mit einer von %3</translation>
    </message>
    <message>
        <source>The machine no longer runs on its battery; the run continues without power from this point.</source>
        <translation>Der Rechner läuft nicht mehr mit Akku; der Lauf geht ab hier ohne Leistung weiter.</translation>
    </message>
    <message>
        <source>The model in %1 has no chat template: it is probably not a chat model; turn the chat template off.</source>
        <translation>Das Modell in %1 hat keine Chat-Vorlage: Es ist wohl kein Chat-Modell; schalten Sie die Chat-Vorlage aus.</translation>
    </message>
    <message>
        <source>The model %1 computed values that are not numbers at token %2: its weights are damaged, or do not fit the type (try f32).</source>
        <translation>Das Modell %1 rechnete bei Token %2 Werte, die keine Zahlen sind: Seine Gewichte sind beschädigt oder passen nicht zum Typ (versuchen Sie f32).</translation>
    </message>
    <message>
        <source>The model&apos;s chat template refuses these messages: %1</source>
        <translation>Die Chat-Vorlage des Modells lehnt diese Nachrichten ab: %1</translation>
    </message>
    <message>
        <source>The number of new tokens is %1, but must be at least 1.</source>
        <translation>Die Zahl neuer Token ist %1, muss aber mindestens 1 sein.</translation>
    </message>
    <message>
        <source>The number of new tokens is %1: ask for at least 1.</source>
        <translation>Die Zahl neuer Token ist %1: Verlangen Sie mindestens 1.</translation>
    </message>
    <message>
        <source>The number of threads is %1, but must be between 0 (all cores) and %2.</source>
        <translation>Die Zahl der Threads ist %1, muss aber zwischen 0 (alle Kerne) und %2 liegen.</translation>
    </message>
    <message>
        <source>The pattern of the rule &apos;%1&apos; %2.</source>
        <translation>Das Muster der Regel „%1“ %2.</translation>
    </message>
    <message>
        <source>The port %1 is that of the server itself; choose another one.</source>
        <translation>Der Port %1 ist der des Servers selbst; wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>The power meter %1 can no longer be read; the run continues without power from this point.</source>
        <translation>Das Leistungsmessgerät %1 ist nicht mehr lesbar; der Lauf geht ab hier ohne Leistung weiter.</translation>
    </message>
    <message>
        <source>The power source &apos;replay&apos; needs a capture; write replay:FILE.</source>
        <translation>Die Leistungsquelle „replay“ braucht eine Aufnahme; schreiben Sie replay:DATEI.</translation>
    </message>
    <message>
        <source>The power source &apos;%1&apos; is not understood; write modelled:IDLE,FULL with watts, such as modelled:5,35.</source>
        <translation>Die Leistungsquelle „%1“ ist nicht verständlich; schreiben Sie modelled:LEERLAUF,VOLL mit Watt, etwa modelled:5,35.</translation>
    </message>
    <message>
        <source>The power source &apos;%1&apos; takes no argument; omit &apos;:%2&apos;.</source>
        <translation>Die Leistungsquelle „%1“ nimmt keinen Zusatz; lassen Sie „:%2“ weg.</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens, but the context of %2 holds %3: shorten the prompt.</source>
        <translation>Der Prompt hat %1 Token, aber der Kontext von %2 fasst %3: Kürzen Sie den Prompt.</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens, but the context of this run is limited to %2: shorten the prompt or allow a longer context.</source>
        <translation>Der Prompt hat %1 Token, aber der Kontext dieses Laufs ist auf %2 begrenzt: Kürzen Sie den Prompt, oder lassen Sie einen längeren Kontext zu.</translation>
    </message>
    <message>
        <source>The prompt is empty and this model&apos;s tokenizer adds no start token: give a prompt of at least one character.</source>
        <translation>Der Prompt ist leer, und der Tokenizer dieses Modells fügt kein Anfangstoken hinzu: Geben Sie mindestens ein Zeichen ein.</translation>
    </message>
    <message>
        <source>The packed tensor %1 (%2) in %3 %4: use a copy of the model whose files are all of one version.</source>
        <translation>Der gepackte Tensor %1 (%2) in %3 ist fehlerhaft (%4): Verwenden Sie eine Kopie des Modells, deren Dateien alle aus einer Fassung sind.</translation>
    </message>
    <message>
        <source>The packed weight %1 in %2 lacks its tensor %3: use a copy of the model whose files are all of one version.</source>
        <translation>Dem gepackten Gewicht %1 in %2 fehlt sein Tensor %3: Verwenden Sie eine Kopie des Modells, deren Dateien alle aus einer Fassung sind.</translation>
    </message>
    <message>
        <source>There is not enough memory to read the model %1: close other programs, or remove it from the folder.</source>
        <translation>Der Speicher reicht nicht, um das Modell %1 zu lesen: Schließen Sie andere Programme, oder nehmen Sie es aus dem Ordner.</translation>
    </message>
    <message>
        <source>The model %1 could not be read (%2): remove it from the folder, and please report this.</source>
        <translation>Das Modell %1 ließ sich nicht lesen (%2): Nehmen Sie es aus dem Ordner, und melden Sie dies bitte.</translation>
    </message>
    <message>
        <source>The weight %1 in %2 is there twice, packed and as it is: use a copy of the model whose files are all of one version.</source>
        <translation>Das Gewicht %1 in %2 ist zweimal da, gepackt und ungepackt: Verwenden Sie eine Kopie des Modells, deren Dateien alle aus einer Fassung sind.</translation>
    </message>
    <message>
        <source>The model is quantized (%1), in a way that this program does not read: use the unquantized model (f32, f16 or bf16), with --dtype int8 or q4_k to compute from fewer bits, or a GGUF file of it.</source>
        <translation>Das Modell ist quantisiert (%1), und zwar so, dass dieses Programm es nicht liest: Nehmen Sie das nicht quantisierte Modell (f32, f16 oder bf16), mit --dtype int8 oder q4_k für weniger Bits, oder eine GGUF-Datei davon.</translation>
    </message>
    <message>
        <source>In the types, &quot;%1&quot; is no layer or module: write layers.0, layers.0-3, layers.0-3.mlp, down_proj or lm_head.</source>
        <translation>In den Typen ist „%1“ weder Schicht noch Modul: Schreiben Sie layers.0, layers.0-3, layers.0-3.mlp, down_proj oder lm_head.</translation>
    </message>
    <message>
        <source>In the types, &quot;%1&quot; stands after the first one without a layer or a module: write layers.0-3=%2, or mlp=%3.</source>
        <translation>In den Typen steht „%1“ nach dem ersten ohne Schicht oder Modul: Schreiben Sie layers.0-3=%2 oder mlp=%3.</translation>
    </message>
    <message>
        <source>The report could not be written to %1: %2; choose another place.</source>
        <translation>Der Bericht konnte nicht nach %1 geschrieben werden: %2; wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The run was not stored: %1</source>
        <translation>Der Lauf wurde nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>The run %1 has no power samples to replay; choose another one.</source>
        <translation>Der Lauf %1 hat keine Messungen der Leistung zum Wiedergeben; wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>The run %1 has no power samples, so there is nothing to split; energies need a power source during recording.</source>
        <translation>Der Lauf %1 hat keine Messungen der Leistung, also gibt es nichts zu verteilen; Energien brauchen beim Aufzeichnen eine Leistungsquelle.</translation>
    </message>
    <message>
        <source>The run %1 is still in progress; wait for its end.</source>
        <translation>Der Lauf %1 ist noch im Gang; warten Sie auf sein Ende.</translation>
    </message>
    <message>
        <source>The server answered with the status %1.</source>
        <translation>Der Server antwortete mit dem Status %1.</translation>
    </message>
    <message>
        <source>The server at %1 answered %2 with the error %3: %4</source>
        <translation>Der Server unter %1 antwortete auf %2 mit dem Fehler %3: %4</translation>
    </message>
    <message>
        <source>The server at %1 broke the connection: %2</source>
        <translation>Der Server unter %1 brach die Verbindung ab: %2</translation>
    </message>
    <message>
        <source>The server at %1 did not finish within %2.</source>
        <translation>Der Server unter %1 wurde innerhalb von %2 nicht fertig.</translation>
    </message>
    <message>
        <source>The server at %1 has sent nothing for %2.</source>
        <translation>Der Server unter %1 hat seit %2 nichts gesendet.</translation>
    </message>
    <message>
        <source>The server at %1 is not of a known kind: it lists no models.</source>
        <translation>Der Server unter %1 ist von keiner bekannten Art: Er nennt keine Modelle.</translation>
    </message>
    <message>
        <source>The server at %1 redirects to another address, which is not followed; give the address of the server itself.</source>
        <translation>Der Server unter %1 verweist auf eine andere Adresse, der nicht gefolgt wird; geben Sie die Adresse des Servers selbst an.</translation>
    </message>
    <message>
        <source>The server at %1 sent an answer that %2.</source>
        <translation>Der Server unter %1 schickte eine Antwort, die den Regeln von HTTP widerspricht (%2).</translation>
    </message>
    <message>
        <source>The server&apos;s answer %1; it was passed on.</source>
        <translation>Die Antwort des Servers wurde weitergegeben, ließ sich aber nicht messen (%1).</translation>
    </message>
    <message>
        <source>The server&apos;s answer has more than %1 MB of text, or %2 parts; ask for fewer tokens.</source>
        <translation>Die Antwort des Servers hat mehr als %1 MB Text oder %2 Teile; fordern Sie weniger Token an.</translation>
    </message>
    <message>
        <source>The body of the request %1.</source>
        <translation>Der Inhalt der Anfrage widerspricht den Regeln von HTTP (%1).</translation>
    </message>
    <message>
        <source>Too many long answers arrived at the same time, so this one was not kept.</source>
        <translation>Zu viele lange Antworten kamen gleichzeitig an; diese wurde nicht behalten.</translation>
    </message>
    <message>
        <source>The request %1, so it was not read to its end.</source>
        <translation>Die Anfrage %1; sie wurde nicht zu Ende gelesen.</translation>
    </message>
    <message>
        <source>The request is too long to be kept (%1 KB): only its model, its last question and its limits were read.</source>
        <translation>Die Anfrage ist zu lang, um behalten zu werden (%1 KB): nur ihr Modell, ihre letzte Frage und ihre Grenzen wurden gelesen.</translation>
    </message>
    <message>
        <source>There was not enough memory to read the request.</source>
        <translation>Der Speicher reichte nicht, um die Anfrage zu lesen.</translation>
    </message>
    <message>
        <source>is compressed with %1, whose library is not on this machine</source>
        <translation>ist mit %1 komprimiert, dessen Bibliothek auf diesem Rechner fehlt</translation>
    </message>
    <message>
        <source>The server stopped its answer before the end (%1); look for the reason in the server&apos;s log.</source>
        <translation>Der Server brach seine Antwort vor dem Ende ab (%1); der Grund steht im Protokoll des Servers.</translation>
    </message>
    <message>
        <source>expands to more than %1 times its size</source>
        <translation>ist entpackt mehr als %1-mal so groß</translation>
    </message>
    <message>
        <source>came while too many other long answers were being received</source>
        <translation>kam, während zu viele andere lange Antworten empfangen wurden</translation>
    </message>
    <message>
        <source>it closed it before its answer was complete</source>
        <translation>er schloss sie, bevor seine Antwort vollständig war</translation>
    </message>
    <message>
        <source>is never the final one</source>
        <translation>ist nie die endgültige</translation>
    </message>
    <message>
        <source>says that it is compressed, but is not</source>
        <translation>gibt an, komprimiert zu sein, ist es aber nicht</translation>
    </message>
    <message>
        <source>cannot be decompressed</source>
        <translation>kann nicht entpackt werden</translation>
    </message>
    <message>
        <source>There was not enough memory to pass this request on.</source>
        <translation>Der Speicher reichte nicht, um diese Anfrage weiterzugeben.</translation>
    </message>
    <message>
        <source>Unexpected error: %1</source>
        <translation>Unerwarteter Fehler: %1</translation>
    </message>
    <message>
        <source>needs more memory than there is</source>
        <translation>braucht mehr Speicher, als da ist</translation>
    </message>
    <message>
        <source>There was not enough memory to make the run of this request.</source>
        <translation>Der Speicher reichte nicht für die Messung dieser Anfrage.</translation>
    </message>
    <message>
        <source>The server broke the connection in the middle of its answer: %1</source>
        <translation>Der Server brach die Verbindung mitten in seiner Antwort ab: %1</translation>
    </message>
    <message>
        <source>The server ended its answer without a final message after %1 parts; look for the reason in the server&apos;s log.</source>
        <translation>Der Server beendete seine Antwort nach %1 Teilen ohne letzte Nachricht; den Grund nennt vielleicht sein Protokoll.</translation>
    </message>
    <message>
        <source>The server sent a message of more than %1.</source>
        <translation>Der Server sandte eine Nachricht von mehr als %1.</translation>
    </message>
    <message>
        <source>The server&apos;s answer is %1.</source>
        <translation>Die Antwort des Servers ist %1.</translation>
    </message>
    <message>
        <source>The server&apos;s answer is not a JSON object.</source>
        <translation>Die Antwort des Servers ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>The speed of a replay must be 0 (as fast as possible) or more; 1 is real time.</source>
        <translation>Das Tempo einer Wiedergabe muss 0 (so schnell wie möglich) oder mehr sein; 1 ist Echtzeit.</translation>
    </message>
    <message>
        <source>The study cannot be used: %1.</source>
        <translation>Die Studie ist nicht verwendbar: %1.</translation>
    </message>
    <message>
        <source>The system denies this program access to its energy counters (IOReport); choose the power source powermetrics.</source>
        <translation>Das System verweigert diesem Programm seine Energiezähler (IOReport); wählen Sie die Leistungsquelle powermetrics.</translation>
    </message>
    <message>
        <source>The system does not report its CPU time; the modelled power source does not work on this machine, choose `none`.</source>
        <translation>Das System meldet seine CPU-Zeit nicht; die modellierte Leistungsquelle arbeitet auf diesem Rechner nicht, wählen Sie `none`.</translation>
    </message>
    <message>
        <source>The table could not be written to %1: %2; choose another place.</source>
        <translation>Die Tabelle konnte nicht nach %1 geschrieben werden: %2; wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The tensor %1 (%2) in %3 holds values that are not numbers (NaN or infinity), in %4: nothing can be computed with them, use another version of the model.</source>
        <translation>Der Tensor %1 (%2) in %3 enthält Werte, die keine Zahlen sind (NaN oder unendlich), bei %4: Damit lässt sich nichts berechnen, verwenden Sie eine andere Fassung des Modells.</translation>
    </message>
    <message>
        <source>The tensor %1 in %2 belongs to a layer, but this program does not know what it is for: attach to the server that runs the model.</source>
        <translation>Der Tensor %1 in %2 gehört zu einer Schicht, aber dieses Programm weiß nicht, wozu er dient: Messen Sie den Server, der das Modell ausführt.</translation>
    </message>
    <message>
        <source>The tensor %1 is in both %2 and %3 of %4: remove the file that does not belong to the model.</source>
        <translation>Der Tensor %1 ist sowohl in %2 als auch in %3 von %4: Entfernen Sie die Datei, die nicht zum Modell gehört.</translation>
    </message>
    <message>
        <source>The text has the character %1, for which the tokenizer has neither a token nor an unk_id.</source>
        <translation>Der Text hat das Zeichen %1, für das der Tokenizer weder ein Token noch eine unk_id hat.</translation>
    </message>
    <message>
        <source>The text has the character %1, for which the tokenizer has no token, and its unk_token %2 is not in model.vocab.</source>
        <translation>Der Text hat das Zeichen %1, für das der Tokenizer kein Token hat, und sein unk_token %2 steht nicht in model.vocab.</translation>
    </message>
    <message>
        <source>The text has the word %1, for which the tokenizer has no tokens, and its unk_token %2 is not in model.vocab.</source>
        <translation>Der Text hat das Wort %1, für das der Tokenizer keine Token hat, und sein unk_token %2 steht nicht in model.vocab.</translation>
    </message>
    <message>
        <source>The text %1; see docs/run-format.md for what is expected.</source>
        <translation>Der Text %1; was erwartet wird, steht in docs/run-format.md.</translation>
    </message>
    <message>
        <source>The texts of this run are not stored, so the end of its answer is not known.</source>
        <translation>Die Texte dieses Laufs sind nicht gespeichert, deshalb ist das Ende seiner Antwort nicht bekannt.</translation>
    </message>
    <message>
        <source>The token file %1; give another one with --token-file, or fix this one.</source>
        <translation>Die Kennwortdatei %1; geben Sie mit --token-file eine andere an, oder berichtigen Sie diese.</translation>
    </message>
    <message>
        <source>The tokenizer gave the id %1, but the model %2 knows only %3: tokenizer.json belongs to another model.</source>
        <translation>Der Tokenizer gab die Nummer %1, aber das Modell %2 kennt nur %3: tokenizer.json gehört zu einem anderen Modell.</translation>
    </message>
    <message>
        <source>The type &quot;%1&quot; is not known; known are %2.</source>
        <translation>Der Typ „%1“ ist nicht bekannt; bekannt sind %2.</translation>
    </message>
    <message>
        <source>The weights in %1 lack what config.json asks for: %2; use a copy of the model whose files are all of one version.</source>
        <translation>Den Gewichten in %1 fehlt, was config.json verlangt: %2; verwenden Sie eine Kopie des Modells, deren Dateien alle aus einer Fassung sind.</translation>
    </message>
    <message>
        <source>There is no database %1 yet: profile a run first, or name another file with --db.</source>
        <translation>Es gibt noch keine Datenbank %1: Profilieren Sie zuerst einen Lauf, oder nennen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>There is no device &quot;%1&quot;: known are auto, cpu, mps, cuda and cuda:N.</source>
        <translation>Es gibt kein Gerät „%1“: Bekannt sind auto, cpu, mps, cuda und cuda:N.</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>Es gibt keine Datei %1.</translation>
    </message>
    <message>
        <source>There is no file %1; name the JSON of a run or a run database to import.</source>
        <translation>Es gibt keine Datei %1; nennen Sie das JSON eines Laufs oder eine Datenbank zum Einlesen.</translation>
    </message>
    <message>
        <source>There is no folder and no known model &apos;%1&apos;: give a HuggingFace model folder or a GGUF file%2</source>
        <translation>Es gibt keinen Ordner und kein bekanntes Modell „%1“: Geben Sie einen Modellordner von HuggingFace oder eine GGUF-Datei an%2</translation>
    </message>
    <message>
        <source>There is no folder %1</source>
        <translation>Es gibt keinen Ordner %1</translation>
    </message>
    <message>
        <source>There is no folder %1: choose the folder of a downloaded HuggingFace model.</source>
        <translation>Es gibt keinen Ordner %1: Wählen Sie den Ordner eines heruntergeladenen Modells von HuggingFace.</translation>
    </message>
    <message>
        <source>There is no number format &apos;%1&apos;: choose one of those that --dtype rounds to, or f32, bf16 or f16.</source>
        <translation>Es gibt kein Zahlenformat „%1“: Wählen Sie eines, auf das --dtype rundet, oder f32, bf16 oder f16.</translation>
    </message>
    <message>
        <source>There is no power meter of a graphics card or of the machine in %1; choose another power source.</source>
        <translation>In %1 gibt es kein Leistungsmessgerät einer Grafikkarte oder des Rechners; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>There is no power source &apos;%1&apos;; choose one of %2.</source>
        <translation>Es gibt keine Leistungsquelle „%1“; wählen Sie eine von %2.</translation>
    </message>
    <message>
        <source>There is no prompt: give at least one.</source>
        <translation>Es gibt keinen Prompt: Geben Sie mindestens einen an.</translation>
    </message>
    <message>
        <source>There is no rule &apos;%1&apos; for the end of an answer; use fence, json, repetition or regex:PATTERN.</source>
        <translation>Es gibt keine Regel „%1“ für das Ende einer Antwort; nehmen Sie fence, json, repetition oder regex:MUSTER.</translation>
    </message>
    <message>
        <source>There is no run database at %1; record a run first, or name another file with --db.</source>
        <translation>Unter %1 gibt es keine Datenbank; zeichnen Sie zuerst einen Lauf auf, oder nennen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>There is no run %1 in %2; &quot;energy-profiler runs list&quot; lists the stored runs.</source>
        <translation>Es gibt keinen Lauf %1 in %2; „energy-profiler runs list“ nennt die gespeicherten Läufe.</translation>
    </message>
    <message>
        <source>There is no server at %1; start it, or give its address.</source>
        <translation>Unter %1 gibt es keinen Server; starten Sie ihn, oder geben Sie seine Adresse an.</translation>
    </message>
    <message>
        <source>There is no such NVIDIA device; this machine has %1, numbered from 0.</source>
        <translation>Es gibt kein solches Gerät von NVIDIA; dieser Rechner hat %1, von 0 an gezählt.</translation>
    </message>
    <message>
        <source>There is no %1 (%2) on this machine; %3.</source>
        <translation>Auf diesem Rechner gibt es keine %1 (%2); %3.</translation>
    </message>
    <message>
        <source>There is no %1 in &quot;%2&quot;, only the older %3, which is not supported: save the tokenizer again with HuggingFace&apos;s AutoTokenizer, or use a version of the model that has the file.</source>
        <translation>Es gibt keine %1 in „%2“, nur die ältere %3, die nicht unterstützt wird: Speichern Sie den Tokenizer mit AutoTokenizer von HuggingFace neu, oder verwenden Sie eine Fassung des Modells, die die Datei hat.</translation>
    </message>
    <message>
        <source>There is no %1 in &quot;%2&quot;; choose a model folder that has one.</source>
        <translation>Es gibt keine %1 in „%2“; wählen Sie einen Modellordner, der eine hat.</translation>
    </message>
    <message>
        <source>There is not enough memory for %1: use a smaller model, or close other programs.</source>
        <translation>Für %1 reicht der Speicher nicht: Nehmen Sie ein kleineres Modell, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>This battery does not report power; choose another power source.</source>
        <translation>Dieser Akku meldet keine Leistung; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>This engine cannot repeat parts of a token.</source>
        <translation>Diese Engine kann keine Teile eines Tokens wiederholen.</translation>
    </message>
    <message>
        <source>This engine cannot time matmuls.</source>
        <translation>Diese Engine kann keine Produkte messen.</translation>
    </message>
    <message>
        <source>This machine has no accessible System Management Controller.</source>
        <translation>Dieser Rechner hat keinen zugänglichen System Management Controller.</translation>
    </message>
    <message>
        <source>This machine has no energy counters of its processor (RAPL) in %1, as in most virtual machines; choose another power source.</source>
        <translation>Dieser Rechner hat in %1 keine Energiezähler seines Prozessors (RAPL), wie die meisten virtuellen Maschinen; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>This system has no energy counters in IOReport, as in a virtual machine; choose another power source.</source>
        <translation>Dieses System hat keine Energiezähler in IOReport, wie in einer virtuellen Maschine; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>Token %1 is not in the model&apos;s vocabulary.</source>
        <translation>Token %1 ist nicht im Vokabular des Modells.</translation>
    </message>
    <message>
        <source>Two of the runs are repeats of one configuration; without --repeats they are compared as single runs.</source>
        <translation>Zwei der Läufe sind Wiederholungen einer Konfiguration; ohne --repeats werden sie als einzelne Läufe verglichen.</translation>
    </message>
    <message>
        <source>Writing to standard output failed: the output is incomplete.</source>
        <translation>Das Schreiben in die Standardausgabe misslang: Die Ausgabe ist unvollständig.</translation>
    </message>
    <message>
        <source>Writing %1 failed (%2): choose another file or free some space.</source>
        <translation>Das Schreiben von %1 misslang (%2): Wählen Sie eine andere Datei, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>a file of that name exists</source>
        <translation>eine Datei dieses Namens gibt es schon</translation>
    </message>
    <message>
        <source>ambiguous: it holds the key %1 twice</source>
        <translation>mehrdeutig: Der Schlüssel %1 kommt zweimal vor</translation>
    </message>
    <message>
        <source>another program is writing to it; try again when it is done</source>
        <translation>ein anderes Programm schreibt hinein; versuchen Sie es danach noch einmal</translation>
    </message>
    <message>
        <source>check that disk, or choose another file with --db</source>
        <translation>prüfen Sie diesen Datenträger, oder wählen Sie mit --db eine andere Datei</translation>
    </message>
    <message>
        <source>close other programs and try again</source>
        <translation>schließen Sie andere Programme, und versuchen Sie es noch einmal</translation>
    </message>
    <message>
        <source>free some space there, or choose another file with --db</source>
        <translation>schaffen Sie dort Platz, oder wählen Sie mit --db eine andere Datei</translation>
    </message>
    <message>
        <source>it is too large for a template</source>
        <translation>es ist zu groß für eine Vorlage</translation>
    </message>
    <message>
        <source>its file system does not lock files, without which programs damage each other&apos;s databases: choose another file with --db, on a local disk</source>
        <translation>ihr Dateisystem sperrt keine Dateien, und ohne das beschädigen Programme einander die Datenbanken: wählen Sie mit --db eine andere Datei, auf einem lokalen Laufwerk</translation>
    </message>
    <message>
        <source>its file system has no memory that processes can share, as its write-ahead log needs: open it once for writing (record a run, or open the window), or copy it to a local disk</source>
        <translation>ihr Dateisystem hat keinen Speicher, den Prozesse teilen können, wie ihn das Write-Ahead-Log braucht: Öffnen Sie sie einmal zum Schreiben (ein Lauf oder das Fenster), oder kopieren Sie sie auf einen lokalen Datenträger</translation>
    </message>
    <message>
        <source>make the file and its folder readable and writable, or choose another file with --db</source>
        <translation>machen Sie die Datei und ihren Ordner les- und beschreibbar, oder wählen Sie mit --db eine andere Datei</translation>
    </message>
    <message>
        <source>move it away or restore a copy of it, or choose another file with --db</source>
        <translation>verschieben Sie sie oder stellen Sie eine Kopie wieder her, oder wählen Sie mit --db eine andere Datei</translation>
    </message>
    <message>
        <source>nested more than %1 levels deep, too deep for a file of this kind</source>
        <translation>mehr als %1 Ebenen tief verschachtelt, zu tief für eine Datei dieser Art</translation>
    </message>
    <message>
        <source>too large: it holds more than %1 values</source>
        <translation>zu groß: es enthält mehr als %1 Werte</translation>
    </message>
    <message>
        <source>not valid JSON: a number in it is too large</source>
        <translation>kein gültiges JSON: Eine Zahl darin ist zu groß</translation>
    </message>
    <message>
        <source>powermetrics gives no energy on %1 (%2); choose another power source, or `none` for timing only.</source>
        <translation>powermetrics gibt auf %1 keine Energie an (%2); wählen Sie eine andere Leistungsquelle, oder `none` nur für Zeiten.</translation>
    </message>
    <message>
        <source>runs cannot be stored: %1</source>
        <translation>Läufe können nicht gespeichert werden: %1</translation>
    </message>
    <message>
        <source>%1 cannot be read: the tensor %2 has the type %3 of ggml, which is not known; use another file of the model, or attach to the server that runs it.</source>
        <translation>%1 ist nicht lesbar: Der Tensor %2 hat den Typ %3 von ggml, der nicht bekannt ist; nehmen Sie eine andere Datei des Modells, oder hängen Sie sich an den Server, auf dem es läuft.</translation>
    </message>
    <message>
        <source>%1 contains neither %2 nor %3: choose the folder of a downloaded HuggingFace model.</source>
        <translation>%1 enthält weder %2 noch %3: Wählen Sie den Ordner eines heruntergeladenen Modells von HuggingFace.</translation>
    </message>
    <message>
        <source>%1 contains nothing to compare with: it needs input_ids and logits_last or greedy_new_ids, or text_cases.</source>
        <translation>%1 enthält nichts zum Vergleichen: Es braucht input_ids und logits_last oder greedy_new_ids, oder text_cases.</translation>
    </message>
    <message>
        <source>%1 could not be read to its end; check the disk or give another file.</source>
        <translation>%1 war nicht bis zum Ende lesbar; prüfen Sie den Datenträger, oder geben Sie eine andere Datei an.</translation>
    </message>
    <message>
        <source>%1 could not be read to its end; check the disk.</source>
        <translation>%1 war nicht bis zum Ende lesbar; prüfen Sie den Datenträger.</translation>
    </message>
    <message>
        <source>%1 does not contain a JSON object: check that it is the right file.</source>
        <translation>%1 enthält kein JSON-Objekt: Prüfen Sie, ob es die richtige Datei ist.</translation>
    </message>
    <message>
        <source>%1 has an old format; open it once for writing (record a run, or open the window) to update it.</source>
        <translation>%1 hat ein altes Format; öffnen Sie es einmal zum Schreiben (ein Lauf oder das Fenster), um es zu aktualisieren.</translation>
    </message>
    <message>
        <source>%1 has its weights in pytorch_model.bin: use a copy of the model with safetensors files.</source>
        <translation>%1 hat seine Gewichte in pytorch_model.bin: Nehmen Sie eine Kopie des Modells mit Dateien in safetensors.</translation>
    </message>
    <message>
        <source>%1 has no config.json: choose the folder of a downloaded HuggingFace model.</source>
        <translation>%1 hat keine config.json: Wählen Sie den Ordner eines heruntergeladenen Modells von HuggingFace.</translation>
    </message>
    <message>
        <source>%1 has no token: type at least one character.</source>
        <translation>%1 hat kein Token: Geben Sie mindestens ein Zeichen ein.</translation>
    </message>
    <message>
        <source>%1 has several models; choose one of %2</source>
        <translation>%1 hat mehrere Modelle; wählen Sie eines von %2</translation>
    </message>
    <message>
        <source>%1 has the shape %2, but config.json asks for %3: the two do not belong together.</source>
        <translation>%1 hat die Form %2, aber config.json verlangt %3: Die beiden gehören nicht zusammen.</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, but the model %3 has a context of %4: shorten it.</source>
        <translation>%1 hat %2 Token, aber das Modell %3 hat einen Kontext von %4: Kürzen Sie es.</translation>
    </message>
    <message>
        <source>%1 is a database of another program and was not changed; choose another file with --db.</source>
        <translation>%1 ist die Datenbank eines anderen Programms und wurde nicht verändert; wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is a folder: give a file in it.</source>
        <translation>%1 ist ein Ordner: Geben Sie eine Datei darin an.</translation>
    </message>
    <message>
        <source>%1 is a part of a split model, but its name does not end with &quot;%2&quot;: give it back its name.</source>
        <translation>%1 ist ein Teil eines geteilten Modells, aber sein Name endet nicht auf „%2“: Geben Sie ihm seinen Namen zurück.</translation>
    </message>
    <message>
        <source>%1 is a pipe or a device: give an ordinary file.</source>
        <translation>%1 ist eine Pipe oder ein Gerät: Geben Sie eine gewöhnliche Datei an.</translation>
    </message>
    <message>
        <source>The trace %1 expands to more than 200 times its size: that is no trace, or give it without compression.</source>
        <translation>Die Aufzeichnung %1 wird entpackt mehr als 200-mal so groß: Das ist keine Aufzeichnung, oder geben Sie sie unkomprimiert an.</translation>
    </message>
    <message>
        <source>There is not enough memory for %1: use a smaller file, or close other programs.</source>
        <translation>Für %1 reicht der Speicher nicht: Verwenden Sie eine kleinere Datei, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>What begins at byte %1 of the trace is no JSON: it is read as far as that.</source>
        <translation>Was bei Byte %1 der Aufzeichnung beginnt, ist kein JSON: Sie wird bis dorthin gelesen.</translation>
    </message>
    <message>
        <source>%1 events were left out because their times are no numbers, are out of range, or end before they begin.</source>
        <translation>%1 Ereignisse wurden ausgelassen, weil ihre Zeiten keine Zahlen sind, außerhalb des Bereichs liegen oder vor ihrem Beginn enden.</translation>
    </message>
    <message>
        <source>The command wrote no spans: %1</source>
        <translation>Der Befehl hat keine Spannen geschrieben: %1</translation>
    </message>
    <message>
        <source>Reading the spans was stopped: the run has those read before.</source>
        <translation>Das Lesen der Spannen wurde abgebrochen: Der Lauf enthält die vorher gelesenen.</translation>
    </message>
    <message>
        <source>There was not enough memory for all spans of the command: the later ones are missing.</source>
        <translation>Für alle Spannen des Befehls reichte der Speicher nicht: Die späteren fehlen.</translation>
    </message>
    <message>
        <source>The command states %1 %2, %3: that cannot be true, so its count is missing.</source>
        <translation>Der Befehl nennt %1 %2, %3: Das kann nicht stimmen, daher fehlt die Anzahl.</translation>
    </message>
    <message>
        <source>There is not enough memory for this run: close other programs, or raise the limit (ulimit), then try again.</source>
        <translation>Für diesen Lauf reicht der Speicher nicht: Schließen Sie andere Programme, oder erhöhen Sie die Grenze (ulimit), und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>A card of this result could not be checked by others: %1 Let the runs take several intervals of the power source.</source>
        <translation>Eine Karte dieses Ergebnisses könnten andere nicht prüfen: %1 Lassen Sie die Läufe mehrere Intervalle der Leistungsquelle dauern.</translation>
    </message>
    <message>
        <source>%1 is larger than 64 MB: give a smaller file.</source>
        <translation>%1 ist größer als 64 MB: Geben Sie eine kleinere Datei an.</translation>
    </message>
    <message>
        <source>%1 is missing: put it beside the other files of the model.</source>
        <translation>%1 fehlt: Legen Sie die Datei zu den anderen Dateien des Modells.</translation>
    </message>
    <message>
        <source>%1 and %2 are parts of different models, for the tensor %3 is in both: put the parts of one model together.</source>
        <translation>%1 und %2 sind Teile verschiedener Modelle, denn der Tensor %3 ist in beiden: Legen Sie die Teile eines Modells zusammen.</translation>
    </message>
    <message>
        <source>%1 is not a file; name a database file with --db.</source>
        <translation>%1 ist keine Datei; nennen Sie mit --db eine Datenbank.</translation>
    </message>
    <message>
        <source>%1 is not a reference file: its parts have other types.</source>
        <translation>%1 ist keine Referenzdatei: Ihre Teile haben andere Typen.</translation>
    </message>
    <message>
        <source>%1 is not a run database (it is not an SQLite file) and was not changed; choose another file with --db.</source>
        <translation>%1 ist keine Datenbank von Läufen (keine SQLite-Datei) und wurde nicht verändert; wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is not a run database (it is not an SQLite file) and was not changed; choose another file.</source>
        <translation>%1 ist keine Datenbank von Läufen (keine SQLite-Datei) und wurde nicht verändert; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is a database of another program and was not changed; choose another file.</source>
        <translation>%1 ist die Datenbank eines anderen Programms und wurde nicht verändert; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>There is no run database at %1; choose another file.</source>
        <translation>Unter %1 gibt es keine Datenbank; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is not a file; choose another file.</source>
        <translation>%1 ist keine Datei; wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>Cannot read %1: %2; make it readable, or choose another file.</source>
        <translation>%1 ist nicht lesbar: %2; machen Sie es lesbar, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 says that it has version %2, which no run database has; restore a copy of it, or choose another file.</source>
        <translation>%1 gibt die Version %2 an, die keine Datenbank von Läufen hat; stellen Sie eine Kopie wieder her, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is empty; record a run first, or choose another file with --db.</source>
        <translation>%1 ist leer; zeichnen Sie zuerst einen Lauf auf, oder wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is empty; choose another file.</source>
        <translation>%1 ist leer; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1; get another copy of it.</source>
        <translation>%1; beschaffen Sie eine andere Kopie.</translation>
    </message>
    <message>
        <source>%1 is a binary file; choose the JSON of a run, a run database, a recording of power or a trace.</source>
        <translation>%1 ist eine Binärdatei; wählen Sie das JSON eines Laufs, eine Datenbank von Läufen, eine Aufzeichnung der Leistung oder eine Spur.</translation>
    </message>
    <message>
        <source>%1 was not stored: nothing in it could be mapped to the parts of a model; record it with with_stack=True or record_shapes=True.</source>
        <translation>%1 wurde nicht gespeichert: Nichts darin konnte den Teilen eines Modells zugeordnet werden; zeichnen Sie es mit with_stack=True oder record_shapes=True auf.</translation>
    </message>
    <message>
        <source>%1 is not a usable GGUF file: %2; download it again.</source>
        <translation>%1 ist keine brauchbare GGUF-Datei: %2; laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>%1 is no GGUF file: %2; choose a GGUF file, or the folder of a model with safetensors files.</source>
        <translation>%1 ist keine GGUF-Datei: %2; wählen Sie eine GGUF-Datei oder den Ordner eines Modells mit safetensors-Dateien.</translation>
    </message>
    <message>
        <source>%1 is not a usable safetensors file: %2; download it again.</source>
        <translation>%1 ist keine brauchbare safetensors-Datei: %2; laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>%1 is not a valid pattern: %2.</source>
        <translation>%1 ist kein gültiges Muster: %2.</translation>
    </message>
    <message>
        <source>%1 is part %2 of %3: choose the first part, %4.</source>
        <translation>%1 ist Teil %2 von %3: Wählen Sie den ersten Teil, %4.</translation>
    </message>
    <message>
        <source>%1 has a type that is not supported: use a copy of the model in f32, f16 or bf16, or a GGUF file.</source>
        <translation>%1 hat einen Typ, der nicht unterstützt wird: Nehmen Sie eine Kopie des Modells in f32, f16 oder bf16, oder eine GGUF-Datei.</translation>
    </message>
    <message>
        <source>%1 is %2 large, too large for a file of this kind: check that it is the right one.</source>
        <translation>%1 ist %2 groß, zu groß für eine Datei dieser Art: Prüfen Sie, ob es die richtige ist.</translation>
    </message>
    <message>
        <source>%1 is %2: download it again.</source>
        <translation>%1 ist %2: Laden Sie es neu herunter.</translation>
    </message>
    <message>
        <source>%1 is %2: correct it there.</source>
        <translation>%1 ist %2: Berichtigen Sie die Datei an dieser Stelle.</translation>
    </message>
    <message>
        <source>%1 must be a string, not %2</source>
        <translation>%1 muss ein Text sein, nicht %2</translation>
    </message>
    <message>
        <source>%1 must be a list, not %2</source>
        <translation>%1 muss eine Liste sein, nicht %2</translation>
    </message>
    <message>
        <source>%1 must be an object, not %2</source>
        <translation>%1 muss ein Objekt sein, nicht %2</translation>
    </message>
    <message>
        <source>%1 must be a whole number from %2 to %3, not %4</source>
        <translation>%1 muss eine ganze Zahl von %2 bis %3 sein, nicht %4</translation>
    </message>
    <message>
        <source>%1 must be a number from %2 to %3, not %4</source>
        <translation>%1 muss eine Zahl von %2 bis %3 sein, nicht %4</translation>
    </message>
    <message>
        <source>%1 names no architecture: add &quot;architectures&quot;, for example [&quot;LlamaForCausalLM&quot;].</source>
        <translation>%1 nennt keine Architektur: Ergänzen Sie &quot;architectures&quot;, zum Beispiel [&quot;LlamaForCausalLM&quot;].</translation>
    </message>
    <message>
        <source>%1 needs %2 of memory (%3 weights, %4 cache, %5 working memory), %6 free: close other programs, use a smaller model, a narrower type (bf16, int8) or fewer tokens, or try anyway.</source>
        <translation>%1 braucht %2 Speicher (%3 Gewichte, %4 Cache, %5 Arbeitsspeicher), %6 frei: Schließen Sie andere Programme, nehmen Sie ein kleineres Modell, einen schmaleren Typ (bf16, int8) oder weniger Token, oder versuchen Sie es trotzdem.</translation>
    </message>
    <message>
        <source>%1 was written by a newer Energy Profiler (schema version %2, this one knows up to %3): its runs can be read, but nothing can be saved to it; use that version, or choose another file with --db.</source>
        <translation>%1 wurde von einem neueren Energy Profiler geschrieben (Schema-Version %2, dieser kennt bis %3): Die Läufe darin sind lesbar, aber nichts kann darin gespeichert werden; nehmen Sie jene Version, oder wählen Sie mit --db eine andere Datei.</translation>
    </message>
    <message>
        <source>%1: it has no matrix token_embd.weight.</source>
        <translation>%1: Die Matrix token_embd.weight fehlt.</translation>
    </message>
    <message>
        <source>%1: the architecture &quot;%2&quot; is not supported in GGUF files; supported are %3. For others, attach to the server that runs them.</source>
        <translation>%1: Die Architektur „%2“ wird in GGUF-Dateien nicht unterstützt; unterstützt werden %3. Für andere hängen Sie sich an den Server, auf dem sie laufen.</translation>
    </message>
    <message>
        <source>%1: weight_map.%2 must be the name of a file, not %3.</source>
        <translation>%1: weight_map.%2 muss der Name einer Datei sein, nicht %3.</translation>
    </message>
    <message>
        <source>Replayed alone it uses %1 of a token&apos;s energy, executed more often in a token %2.</source>
        <translation>Allein wiederholt braucht sie %1 der Energie eines Tokens, im Token öfter ausgeführt %2.</translation>
    </message>
    <message>
        <source>Run `sudo -v` in the terminal that starts this program, or let an administrator allow this one command with the sudoers rule: %1</source>
        <translation>Führen Sie `sudo -v` in dem Terminal aus, das dieses Programm startet, oder lassen Sie einen Administrator diesen einen Befehl mit der sudoers-Regel erlauben: %1</translation>
    </message>
    <message>
        <source>The energy counters of NVIDIA&apos;s driver: %1</source>
        <translation>Die Energiezähler des Treibers von NVIDIA: %1</translation>
    </message>
    <message>
        <source>Power meters of Linux&apos;s drivers: %1</source>
        <translation>Leistungsmessgeräte der Treiber von Linux: %1</translation>
    </message>
    <message>
        <source>%1: %2 bar; first %3 with %4.</source>
        <translation>%1: %2 Balken; der erste %3 mit %4.</translation>
    </message>
    <message>
        <source>%1: %2 bars; first %3 with %4.</source>
        <translation>%1: %2 Balken; der erste %3 mit %4.</translation>
    </message>
    <message>
        <source>%1 of %2 groups with %3 values.</source>
        <translation>%1 von %2 Gruppen mit %3 Werten.</translation>
    </message>
    <message>
        <source>%1: the largest is %2 at %3.</source>
        <translation>%1: am größten ist %2 bei %3.</translation>
    </message>
    <message>
        <source>%1: %2 series, %3 points, from %4 to %5.</source>
        <translation>%1: %2 Reihen, %3 Punkte, von %4 bis %5.</translation>
    </message>
    <message>
        <source>%1: %2 parts.</source>
        <translation>%1: %2 Teile.</translation>
    </message>
    <message>
        <source>%1: %2 runs.</source>
        <translation>%1: %2 Läufe.</translation>
    </message>
    <message>
        <source>%1 of the run: %2</source>
        <translation>%1 des Laufs: %2</translation>
    </message>
    <message>
        <source>%1, most of it through %2 (%3)</source>
        <translation>%1, das meiste durch %2 (%3)</translation>
    </message>
    <message>
        <source>%1, most of it in %2 (%3)</source>
        <translation>%1, das meiste in %2 (%3)</translation>
    </message>
    <message>
        <source>%1: %2 is missing</source>
        <translation>%1: %2 fehlt</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>%1 is missing for all cells</source>
        <translation>%1 fehlt für alle Zellen</translation>
    </message>
    <message>
        <source>%1 is missing for all phases</source>
        <translation>%1 fehlt für alle Phasen</translation>
    </message>
    <message>
        <source>%1 is missing for all tokens</source>
        <translation>%1 fehlt für alle Token</translation>
    </message>
    <message>
        <source>%1 by phase: %2</source>
        <translation>%1 je Phase: %2</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>Highest %1: layer %2 %3, %4 (%5 of all layers)</source>
        <translation>Höchste %1: Schicht %2 %3, %4 (%5 aller Schichten)</translation>
    </message>
    <message>
        <source>Highest %1: layer %2 %3, %4</source>
        <translation>Höchste %1: Schicht %2 %3, %4</translation>
    </message>
    <message>
        <source>No layers yet</source>
        <translation>Noch keine Schichten</translation>
    </message>
    <message>
        <source>No phases recorded</source>
        <translation>Keine Phasen aufgezeichnet</translation>
    </message>
    <message>
        <source>No tokens and layers</source>
        <translation>Keine Token und Schichten</translation>
    </message>
    <message>
        <source>No samples</source>
        <translation>Keine Messungen</translation>
    </message>
    <message>
        <source>%1 tokens by %2 layers</source>
        <translation>%1 Token mal %2 Schichten</translation>
    </message>
    <message>
        <source>most in token %1, layer %2: %3</source>
        <translation>am meisten in Token %1, Schicht %2: %3</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 Messungen</translation>
    </message>
    <message>
        <source>%1: median %2</source>
        <translation>%1: Median %2</translation>
    </message>
    <message>
        <source>%1 anomaly</source>
        <translation>%1 Auffälligkeit</translation>
    </message>
    <message>
        <source>%1 anomalies</source>
        <translation>%1 Auffälligkeiten</translation>
    </message>
    <message>
        <source>the run is too short: it has %1 whole power samples, %2 are needed</source>
        <translation>der Lauf ist zu kurz: %1 ganze Leistungsmesswerte liegen in ihm, %2 werden gebraucht</translation>
    </message>
    <message>
        <source>the run is too short: it has 1 whole power sample, %1 are needed</source>
        <translation>der Lauf ist zu kurz: nur ein ganzer Leistungsmesswert liegt in ihm, %1 werden gebraucht</translation>
    </message>
    <message>
        <source>the run is too short: no power sample lies wholly inside it, %1 are needed</source>
        <translation>der Lauf ist zu kurz: kein Leistungsmesswert liegt ganz in ihm, %1 werden gebraucht</translation>
    </message>
    <message>
        <source>only %1 of %2 power samples have every rail, %3 are needed</source>
        <translation>nur %1 von %2 Leistungsmesswerten haben jede Schiene, %3 werden gebraucht</translation>
    </message>
    <message>
        <source>bytes, FLOPs and time are proportional in all windows; condition number %1</source>
        <translation>Bytes, FLOPs und Zeit sind in allen Fenstern proportional; Konditionszahl %1</translation>
    </message>
    <message>
        <source>the windows are too similar to distinguish bytes, FLOPs and time; condition number %1</source>
        <translation>die Fenster sind zu ähnlich, um Bytes, FLOPs und Zeit zu unterscheiden; Konditionszahl %1</translation>
    </message>
    <message>
        <source>%1 saves %2 per output token: %3.</source>
        <translation>%1 spart %2 je Ausgabe-Token: %3.</translation>
    </message>
    <message>
        <source>%1 saves %2 per output token.</source>
        <translation>%1 spart %2 je Ausgabe-Token.</translation>
    </message>
    <message>
        <source>%1 saves %2: %3.</source>
        <translation>%1 spart %2: %3.</translation>
    </message>
    <message>
        <source>%1 saves %2.</source>
        <translation>%1 spart %2.</translation>
    </message>
    <message>
        <source>%1 needs %2 more per output token: %3.</source>
        <translation>%1 braucht %2 mehr je Ausgabe-Token: %3.</translation>
    </message>
    <message>
        <source>%1 needs %2 more per output token.</source>
        <translation>%1 braucht %2 mehr je Ausgabe-Token.</translation>
    </message>
    <message>
        <source>%1 needs %2 more: %3.</source>
        <translation>%1 braucht %2 mehr: %3.</translation>
    </message>
    <message>
        <source>%1 needs %2 more.</source>
        <translation>%1 braucht %2 mehr.</translation>
    </message>
    <message>
        <source>Student&apos;s t</source>
        <translation>t nach Student</translation>
    </message>
    <message>
        <source>bootstrap-t</source>
        <translation>Bootstrap-t</translation>
    </message>
    <message>
        <source>no values</source>
        <translation>keine Werte</translation>
    </message>
    <message>
        <source>The power of this run was simulated, not measured: only its time is explained.</source>
        <translation>Die Leistung dieses Laufs wurde simuliert, nicht gemessen: Nur seine Zeit wird erklärt.</translation>
    </message>
    <message>
        <source>The model in %1 has no chat template, which messages need: give a prompt instead, or choose a chat model.</source>
        <translation>Das Modell in %1 hat keine Chat-Vorlage, und Nachrichten brauchen eine: Geben Sie stattdessen einen Prompt, oder wählen Sie ein Chat-Modell.</translation>
    </message>
    <message>
        <source>%1: message %2 has %3, but only text can be measured; remove it.</source>
        <translation>%1: Nachricht %2 enthält %3, aber nur Text lässt sich messen; entfernen Sie das.</translation>
    </message>
    <message>
        <source>%1: message %2 has no role.</source>
        <translation>%1: Nachricht %2 hat keine Rolle.</translation>
    </message>
    <message>
        <source>%1: message %2 is %3; it must be an object with a role and a content.</source>
        <translation>%1: Nachricht %2 ist %3; sie muss ein Objekt mit Rolle (role) und Inhalt (content) sein.</translation>
    </message>
    <message>
        <source>%1: message %2 has a role that is %3; it must be a word such as user.</source>
        <translation>%1: Nachricht %2 hat als Rolle %3; sie muss ein Wort wie user sein.</translation>
    </message>
    <message>
        <source>%1: message %2 has no content.</source>
        <translation>%1: Nachricht %2 hat keinen Inhalt (content).</translation>
    </message>
    <message>
        <source>%1: message %2 has a content that is %3; it must be a text, null or a list of parts.</source>
        <translation>%1: Nachricht %2 hat als Inhalt %3; er muss ein Text, null oder eine Liste von Teilen sein.</translation>
    </message>
    <message>
        <source>%1: message %2 has a part that is %3; a part is an object with a type and a text.</source>
        <translation>%1: Nachricht %2 hat als Teil %3; ein Teil ist ein Objekt mit type und text.</translation>
    </message>
    <message>
        <source>%1: message %2 has a part without a type; {"type": "text", "text": ...} is a part.</source>
        <translation>%1: Nachricht %2 hat einen Teil ohne type; {"type": "text", "text": ...} ist ein Teil.</translation>
    </message>
    <message>
        <source>%1: message %2 has a part of the type %3; only "text" is known.</source>
        <translation>%1: Nachricht %2 hat einen Teil vom Typ %3; bekannt ist nur "text".</translation>
    </message>
    <message>
        <source>%1: message %2 has a part of text without a text.</source>
        <translation>%1: Nachricht %2 hat einen Textteil ohne text.</translation>
    </message>
    <message>
        <source>%1: message %2 has tool_calls that are %3; they must be a list.</source>
        <translation>%1: Nachricht %2 hat als tool_calls %3; nötig ist eine Liste.</translation>
    </message>
    <message>
        <source>%1: message %2 has a tool call that is %3; it must be an object.</source>
        <translation>%1: Nachricht %2 hat als Werkzeugaufruf %3; er muss ein Objekt sein.</translation>
    </message>
    <message>
        <source>%1: message %2 has a tool call without the name of a function.</source>
        <translation>%1: Nachricht %2 hat einen Werkzeugaufruf ohne den Namen einer Funktion.</translation>
    </message>
    <message>
        <source>%1: message %2 has a tool call with arguments that are %3; they must be an object or its text.</source>
        <translation>%1: Nachricht %2 hat einen Werkzeugaufruf mit %3 als Argumenten; nötig ist ein Objekt oder dessen Text.</translation>
    </message>
    <message>
        <source>%1: message %2 has a %3 that is %4; it must be a string.</source>
        <translation>%1: Nachricht %2 hat als %3 %4; nötig ist ein Text.</translation>
    </message>
    <message>
        <source>%1: message %2 has further fields that are %3.</source>
        <translation>%1: Nachricht %2 hat weitere Felder: %3.</translation>
    </message>
    <message>
        <source>%1: message %2 has further fields that are no object, as {"tool_calls": []} is.</source>
        <translation>%1: Die weiteren Felder von Nachricht %2 sind kein Objekt wie {"tool_calls": []}.</translation>
    </message>
    <message>
        <source>%1: messages is %2; it must be a list.</source>
        <translation>%1: messages ist %2; nötig ist eine Liste.</translation>
    </message>
    <message>
        <source>%1: there is no message; give at least one.</source>
        <translation>%1: Es gibt keine Nachricht; geben Sie mindestens eine an.</translation>
    </message>
    <message>
        <source>%1 is %2; a conversation is a list of messages, or an object with one.</source>
        <translation>%1 ist %2; ein Gespräch ist eine Liste von Nachrichten oder ein Objekt mit einer solchen.</translation>
    </message>
    <message>
        <source>%1 has no "messages".</source>
        <translation>%1 hat keine "messages".</translation>
    </message>
    <message>
        <source>%1 has "conversations", which is another form; write "messages" with "role" and "content".</source>
        <translation>%1 hat "conversations", eine andere Form; schreiben Sie "messages" mit "role" und "content".</translation>
    </message>
    <message>
        <source>%1 has "functions", the older form of tools; write "tools".</source>
        <translation>%1 hat "functions", die ältere Form der Werkzeuge; schreiben Sie "tools".</translation>
    </message>
    <message>
        <source>%1: tools is %2; it must be a list.</source>
        <translation>%1: tools ist %2; nötig ist eine Liste.</translation>
    </message>
    <message>
        <source>%1: tools is %2.</source>
        <translation>%1: tools ist %2.</translation>
    </message>
    <message>
        <source>%1: tools has an element that is %2; a tool is an object with a type and a function.</source>
        <translation>%1: tools hat als Element %2; ein Werkzeug ist ein Objekt mit type und function.</translation>
    </message>
    <message>
        <source>%1: the template's variables are %2; they must be an object.</source>
        <translation>%1: Die Variablen der Vorlage sind %2; nötig ist ein Objekt.</translation>
    </message>
    <message>
        <source>%1: the template's variables have %2, which stand beside them instead.</source>
        <translation>%1: Unter den Variablen der Vorlage ist %2, was neben ihnen stehen muss.</translation>
    </message>
    <message>
        <source>too large: an object in it has more than %1 members</source>
        <translation>zu groß: Ein Objekt darin hat mehr als %1 Mitglieder</translation>
    </message>
    <message>
        <source>%1 is too large: an object in it has more than %2 members.</source>
        <translation>%1 ist zu groß: Ein Objekt darin hat mehr als %2 Mitglieder.</translation>
    </message>
    <message>
        <source>%1 is no variable of the template: write NAME=VALUE, as in enable_thinking=false.</source>
        <translation>%1 ist keine Variable der Vorlage: Schreiben Sie NAME=WERT, wie in enable_thinking=false.</translation>
    </message>
    <message>
        <source>The variable %1 of the template is given by --messages FILE.</source>
        <translation>Die Variable %1 der Vorlage wird mit --messages DATEI angegeben.</translation>
    </message>
    <message>
        <source>The value of %1 is JSON: write %2 instead of %3.</source>
        <translation>Der Wert von %1 ist JSON: Schreiben Sie %2 statt %3.</translation>
    </message>
    <message>
        <source>The dialect %1 takes a text, not messages: choose one of a chat, such as openai-chat.</source>
        <translation>Der Dialekt %1 nimmt einen Text, keine Nachrichten: Wählen Sie einen für Chats, etwa openai-chat.</translation>
    </message>
    <message>
        <source>There is no prompt: give one with --prompt, --prompt-file or --messages, or --proxy to measure the requests of other programs.</source>
        <translation>Es gibt keinen Prompt: Geben Sie einen mit --prompt, --prompt-file oder --messages an, oder --proxy, um die Anfragen anderer Programme zu messen.</translation>
    </message>
    <message>
        <source>an image (%1)</source>
        <translation>ein Bild (%1)</translation>
    </message>
    <message>
        <source>audio (%1)</source>
        <translation>Ton (%1)</translation>
    </message>
    <message>
        <source>a video (%1)</source>
        <translation>ein Video (%1)</translation>
    </message>
    <message>
        <source>a file (%1)</source>
        <translation>eine Datei (%1)</translation>
    </message>
    <message>
        <source>images (%1)</source>
        <translation>Bilder (%1)</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>%1 is a pointer of Git LFS in place of the file: run &quot;git lfs pull&quot; in its folder.</source>
        <translation>%1 ist ein Zeiger von Git LFS anstelle der Datei: Rufen Sie in ihrem Ordner „git lfs pull“ auf.</translation>
    </message>
    <message>
        <source>%1 is %2: check that it is the right file.</source>
        <translation>%1 ist %2: Prüfen Sie, ob es die richtige Datei ist.</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2; convert it with a current llama.cpp, or attach to the server that runs it.</source>
        <translation>%1 kann nicht gelesen werden: %2; wandeln Sie es mit einem aktuellen llama.cpp um, oder hängen Sie sich an den Server, der es ausführt.</translation>
    </message>
    <message>
        <source>The reply cannot be kept in %1 until it is read (%2): free some space there, or set TMPDIR.</source>
        <translation>Die Antwort kann nicht in %1 aufbewahrt werden, bis sie gelesen ist (%2): Schaffen Sie dort Platz, oder setzen Sie TMPDIR.</translation>
    </message>
    <message>
        <source>There is no space for temporary files.</source>
        <translation>Für Zwischendateien ist kein Platz.</translation>
    </message>
    <message>
        <source>Other clients are still reading long replies; try again.</source>
        <translation>Andere Programme lesen noch lange Antworten; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Other requests are still being received; try again.</source>
        <translation>Andere Anfragen werden noch empfangen; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1: %2 is %3, a kind of layer that this family does not have: use attach with a server that runs the model.</source>
        <translation>%1: %2 ist %3, eine Art von Schicht, die diese Familie nicht hat: Hängen Sie sich an einen Server, der das Modell ausführt.</translation>
    </message>
    <message>
        <source>%1: %2 has the position scaling %3, which is not known: use attach with a server that runs the model.</source>
        <translation>%1: %2 hat die Skalierung der Positionen %3, die nicht bekannt ist: Hängen Sie sich an einen Server, der das Modell ausführt.</translation>
    </message>
    <message>
        <source>%1: %2 rotates another share of each head in some layers, which is not supported: use attach with a server that runs the model.</source>
        <translation>%1: %2 dreht in manchen Schichten einen anderen Teil jedes Kopfes, was nicht unterstützt wird: Hängen Sie sich an einen Server, der das Modell ausführt.</translation>
    </message>
    <message>
        <source>%1: %2 is null, and layers without positions are not supported: use attach with a server that runs the model.</source>
        <translation>%1: %2 ist null, und Schichten ohne Positionen werden nicht unterstützt: Hängen Sie sich an einen Server, der das Modell ausführt.</translation>
    </message>
    <message>
        <source>%1: %2 is a setting of positions that this program does not know: use attach with a server that runs the model.</source>
        <translation>%1: %2 ist eine Einstellung der Positionen, die dieses Programm nicht kennt: Hängen Sie sich an einen Server, der das Modell ausführt.</translation>
    </message>
    <message>
        <source>The file %1 changed while it was read: wait until its download or copy is complete, then try again.</source>
        <translation>Die Datei %1 hat sich geändert, während sie gelesen wurde: Warten Sie, bis der Download oder die Kopie fertig ist, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>A part of the file %1 can no longer be read: check its disk or network connection, then try again.</source>
        <translation>Ein Teil der Datei %1 lässt sich nicht mehr lesen: Prüfen Sie die Festplatte oder die Netzwerkverbindung, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The inference engine needs %1 of address space, which the limit of this program does not leave: raise the limit of memory (ulimit -v), then try again.</source>
        <translation>Die Inferenz braucht %1 Adressraum, den die Grenze dieses Programms nicht lässt: Erhöhen Sie die Grenze für Speicher (ulimit -v), und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The system cannot start another thread: close other programs, or raise the limit of processes or memory (ulimit), then try again.</source>
        <translation>Das System kann keinen weiteren Thread starten: Schließen Sie andere Programme, oder erhöhen Sie die Grenze für Prozesse oder Speicher (ulimit), und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 gave a reading that cannot be true (%2); such readings are missing.</source>
        <translation>%1 lieferte einen Messwert, der nicht stimmen kann (%2); solche Messwerte fehlen.</translation>
    </message>
    <message>
        <source>%1 gave a reading that cannot be true (%2); such readings are missing. Choose another power source.</source>
        <translation>%1 lieferte einen Messwert, der nicht stimmen kann (%2); solche Messwerte fehlen. Wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>%1 cannot be read; its readings are missing.</source>
        <translation>%1 lässt sich nicht lesen; seine Messwerte fehlen.</translation>
    </message>
    <message>
        <source>%1 cannot be read; its readings are missing. Choose another device.</source>
        <translation>%1 lässt sich nicht lesen; seine Messwerte fehlen. Wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>%1 has an energy counter that does not advance; its power is read instead.</source>
        <translation>Der Energiezähler von %1 läuft nicht weiter; stattdessen wird die Leistung gelesen.</translation>
    </message>
    <message>
        <source>The readings of the rail %1 stayed at zero under load: its counter does not advance.</source>
        <translation>Die Messwerte der Schiene %1 blieben unter Last auf null: Ihr Zähler läuft nicht weiter.</translation>
    </message>
    <message>
        <source>No run matches these filters; see energy-profiler runs list.</source>
        <translation>Kein Lauf passt zu diesen Filtern; siehe energy-profiler runs list.</translation>
    </message>
    <message>
        <source>Cannot create the folder %1 (%2); choose another place, or one table with --table.</source>
        <translation>Der Ordner %1 lässt sich nicht anlegen (%2); wählen Sie einen anderen Ort, oder mit --table eine einzelne Tabelle.</translation>
    </message>
    <message>
        <source>%1 has other columns than a table of %2: choose another file, or export without --append.</source>
        <translation>%1 hat andere Spalten als eine Tabelle „%2“: Wählen Sie eine andere Datei, oder exportieren Sie ohne --append.</translation>
    </message>
    <message>
        <source>%1 ends in the middle of a row: complete or remove its last line.</source>
        <translation>%1 endet mitten in einer Zeile: Vervollständigen oder entfernen Sie die letzte Zeile.</translation>
    </message>
    <message>
        <source>One run makes one %1 export; name a single run, or use --format csv, jsonl or sqlite.</source>
        <translation>Ein Lauf ergibt einen Export als %1; nennen Sie einen einzelnen Lauf, oder verwenden Sie --format csv, jsonl oder sqlite.</translation>
    </message>
    <message>
        <source>The prompt has at least %1 tokens, but the context of %2 holds %3: shorten the prompt.</source>
        <translation>Der Prompt hat mindestens %1 Token, aber der Kontext von %2 fasst %3: Kürzen Sie den Prompt.</translation>
    </message>
    <message>
        <source>The tokenizer makes the text longer than %1, in %2: check that its tokenizer.json is the original one.</source>
        <translation>Der Tokenizer verlängert den Text auf mehr als %1, in %2: Prüfen Sie, ob seine tokenizer.json das Original ist.</translation>
    </message>
    <message>
        <source>The tokenizer needs too much work for this text, in %1: check that its tokenizer.json is the original one.</source>
        <translation>Der Tokenizer braucht für diesen Text zu viel Arbeit, in %1: Prüfen Sie, ob seine tokenizer.json das Original ist.</translation>
    </message>
    <message>
        <source>%1 is a pipe to which no program writes: start that program first, or give a file.</source>
        <translation>%1 ist eine Pipe, in die kein Programm schreibt: Starten Sie dieses Programm zuerst, oder geben Sie eine Datei an.</translation>
    </message>
    <message>
        <source>There are no safetensors files in %1: fetch the weights of the model as well.</source>
        <translation>In %1 sind keine safetensors-Dateien: Holen Sie auch die Gewichte des Modells.</translation>
    </message>
    <message>
        <source>Energy per input and output token</source>
        <translation>Energie je Ein- und Ausgabetoken</translation>
    </message>
    <message>
        <source>Not known yet: a verdict needs at least %1 pairs, and there are %2.</source>
        <translation>Noch nicht bekannt: Ein Urteil braucht mindestens %1 Paare, und es sind %2.</translation>
    </message>
    <message>
        <source>Not known yet: a verdict needs at least %1 pairs, and there is %2.</source>
        <translation>Noch nicht bekannt: Ein Urteil braucht mindestens %1 Paare, und es ist %2.</translation>
    </message>
    <message>
        <source>%1 ran first in every pair, so what running first costs may look like a difference: only one above 10 % is called one. Let the order be random.</source>
        <translation>%1 lief in jedem Paar zuerst, sodass wie ein Unterschied aussehen kann, was der erste Lauf kostet: Nur ein Unterschied über 10 % gilt als einer. Lassen Sie die Reihenfolge zufällig sein.</translation>
    </message>
    <message>
        <source>%1 ran first in nearly every pair, so what running first costs may look like a difference: only one above 10 % is called one. Let the order be random.</source>
        <translation>%1 lief in fast jedem Paar zuerst, sodass wie ein Unterschied aussehen kann, was der erste Lauf kostet: Nur ein Unterschied über 10 % gilt als einer. Lassen Sie die Reihenfolge zufällig sein.</translation>
    </message>
    <message>
        <source>Successive pairs resemble each other (correlation %1), so they tell less than as many independent ones, and a difference that comes and goes slowly may look lasting.</source>
        <translation>Aufeinanderfolgende Paare ähneln einander (Korrelation %1), sodass sie weniger aussagen als ebenso viele unabhängige; ein Unterschied, der langsam kommt und geht, kann dauerhaft aussehen.</translation>
    </message>
    <message>
        <source>pair %1: a run has no energy, so the pair does not count.</source>
        <translation>Paar %1: Ein Lauf hat keine Energie, daher zählt das Paar nicht.</translation>
    </message>
    <message>
        <source>The card cannot be written to %1: %2.</source>
        <translation>Die Karte kann nicht nach %1 geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>It is not known which setting ran first in the pairs, so a drift within them may look like a difference.</source>
        <translation>Es ist nicht bekannt, welche Einstellung in den Paaren zuerst lief, sodass eine Drift innerhalb der Paare wie ein Unterschied aussehen kann.</translation>
    </message>
    <message>
        <source>The energies are modelled from the load of the machine, not measured: the verdict compares only time and load.</source>
        <translation>Die Energien sind aus der Auslastung des Rechners modelliert, nicht gemessen: Das Urteil vergleicht nur Zeit und Last.</translation>
    </message>
    <message>
        <source>The verdict was reached after %1 of %2 pairs.</source>
        <translation>Das Urteil stand nach %1 von %2 Paaren fest.</translation>
    </message>
    <message>
        <source>A million output tokens of %1 cost %2 (%3 to %4, 95 %): %5 and %6 of CO2.</source>
        <translation>Eine Million Ausgabetoken von %1 kosten %2 (%3 bis %4, 95 %): %5 und %6 CO2.</translation>
    </message>
    <message>
        <source>A million output tokens of %1 cost %2 (%3 to %4, 95 %): %5 and %6 of CO2; the energies are %7.</source>
        <translation>Eine Million Ausgabetoken von %1 kosten %2 (%3 bis %4, 95 %): %5 und %6 CO2; die Energien sind %7.</translation>
    </message>
    <message>
        <source>A million output tokens of %1 cost %2: %3 and %4 of CO2.</source>
        <translation>Eine Million Ausgabetoken von %1 kosten %2: %3 und %4 CO2.</translation>
    </message>
    <message>
        <source>A million output tokens of %1 cost %2: %3 and %4 of CO2; the energies are %5.</source>
        <translation>Eine Million Ausgabetoken von %1 kosten %2: %3 und %4 CO2; die Energien sind %5.</translation>
    </message>
    <message>
        <source>The card %1 is there twice and counts once.</source>
        <translation>Die Karte %1 ist zweimal da und zählt einmal.</translation>
    </message>
    <message>
        <source>The card %1 has runs of another card and does not count.</source>
        <translation>Die Karte %1 hat Läufe einer anderen Karte und zählt nicht.</translation>
    </message>
    <message>
        <source>this program</source>
        <translation>dieses Programm</translation>
    </message>
    <message>
        <source>The runs of the first pair have no energy, so no verdict can follow; choose another power source.</source>
        <translation>Die Läufe des ersten Paars haben keine Energie, daher kann kein Urteil folgen; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>Write the command.</source>
        <translation>Schreiben Sie den Befehl.</translation>
    </message>
    <message>
        <source>Write the address of the server.</source>
        <translation>Schreiben Sie die Adresse des Servers.</translation>
    </message>
    <message>
        <source>Unusual: %1 per token, %2 times the median of %3 other runs of this model and setting.</source>
        <translation>Ungewöhnlich: %1 je Token, das %2-fache des Medians von %3 anderen Läufen dieses Modells und dieser Einstellung.</translation>
    </message>
    <message>
        <source>Unusual: %1 of the energy went into %2, %3 times the share that FLOPs and bytes predict.</source>
        <translation>Ungewöhnlich: %1 der Energie gingen in %2, das %3-fache des Anteils, den FLOPs und Bytes vorhersagen.</translation>
    </message>
    <message>
        <source>Unusual: %1 of the time went into %2, %3 times the share that FLOPs and bytes predict.</source>
        <translation>Ungewöhnlich: %1 der Zeit gingen in %2, das %3-fache des Anteils, den FLOPs und Bytes vorhersagen.</translation>
    </message>
    <message>
        <source>Port %1 cannot be used: %2.</source>
        <translation>Der Port %1 ist nicht verwendbar: %2.</translation>
    </message>
    <message>
        <source>%1 holds no token: it must be one word.</source>
        <translation>%1 enthält kein Kennwort: Es muss ein einzelnes Wort sein.</translation>
    </message>
    <message>
        <source>The server says: %1</source>
        <translation>Der Server sagt: %1</translation>
    </message>
    <message>
        <source>is compressed in a way that cannot be read here (%1)</source>
        <translation>ist auf eine Weise komprimiert, die hier nicht lesbar ist (%1)</translation>
    </message>
    <message>
        <source>has a header of more than %1 KB</source>
        <translation>hat einen Kopf von mehr als %1 KB</translation>
    </message>
    <message>
        <source>The server at %1 sent more than %2 and did not stop.</source>
        <translation>Der Server unter %1 sandte mehr als %2 und hörte nicht auf.</translation>
    </message>
    <message>
        <source>The server at %1 answered %2 with the error %3.</source>
        <translation>Der Server unter %1 beantwortete %2 mit dem Fehler %3.</translation>
    </message>
    <message>
        <source>The server states %1 %2, %3: that cannot be true, so its count is missing.</source>
        <translation>Der Server nennt %1 %2, %3: Das kann nicht stimmen, daher fehlt die Anzahl.</translation>
    </message>
    <message>
        <source>Cannot %1 %2 (%3).</source>
        <translation>%2: %1 nicht möglich (%3).</translation>
    </message>
    <message>
        <source>%1 is not a file.</source>
        <translation>%1 ist keine Datei.</translation>
    </message>
    <message>
        <source>Reading %1 was cancelled.</source>
        <translation>Das Lesen von %1 wurde abgebrochen.</translation>
    </message>
    <message>
        <source>LibTorch %1</source>
        <translation>LibTorch %1</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1 (%2 bis %3)</translation>
    </message>
    <message>
        <source>%1 of %2 went into %3</source>
        <translation>%1 von %2 gingen in %3</translation>
    </message>
    <message>
        <source>%1, %2 into %3</source>
        <translation>%1, %2 in %3</translation>
    </message>
    <message>
        <source>%1 and %2 into %3</source>
        <translation>%1 und %2 in %3</translation>
    </message>
    <message>
        <source>%1; %2 was spent in %3</source>
        <translation>%1; %2 davon in der Phase %3</translation>
    </message>
    <message>
        <source>for %1 of the run, %2</source>
        <translation>bei %1 des Laufs gilt: %2</translation>
    </message>
    <message>
        <source>%1 of %2 is %3, %4 %5</source>
        <translation>%1 der Phase %2 entfallen auf %3, %4 auf %5</translation>
    </message>
    <message>
        <source>which of the causes below is the largest is undecided</source>
        <translation>welche der Ursachen unten die größte ist, bleibt offen</translation>
    </message>
    <message>
        <source>%1 of %2 is %3</source>
        <translation>%1 der Phase %2 entfallen auf %3</translation>
    </message>
    <message>
        <source>Compute in %1</source>
        <translation>In %1 rechnen</translation>
    </message>
    <message>
        <source>%1: try it to see what it saves</source>
        <translation>%1: Was das spart, zeigt ein Versuch</translation>
    </message>
    <message>
        <source>%1 (%2 to %3, 95 %)</source>
        <translation>%1 (%2 bis %3, 95 %)</translation>
    </message>
    <message>
        <source>%1; the energies are %2.</source>
        <translation>%1; die Energien sind %2.</translation>
    </message>
    <message>
        <source>must be the name of a file, not %1</source>
        <translation>muss der Name einer Datei sein, nicht %1</translation>
    </message>
    <message>
        <source>is %1, a kind of layer that this family does not have: use attach with a server that runs the model</source>
        <translation>ist %1, eine Art von Schicht, die diese Familie nicht hat: Hängen Sie sich an einen Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>has the position scaling %1, which is not known: use attach with a server that runs the model</source>
        <translation>hat die Skalierung der Positionen %1, die nicht bekannt ist: Hängen Sie sich an einen Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>must be a list of %1 positive numbers, one for each pair of dimensions that is rotated</source>
        <translation>muss eine Liste von %1 positiven Zahlen sein, eine für jedes Paar gedrehter Dimensionen</translation>
    </message>
    <message>
        <source>Failed in %1: %2</source>
        <translation>Fehler in %1: %2</translation>
    </message>
    <message>
        <source>%1 holds values that are not numbers (NaN or infinity), in %2: nothing can be computed with them, use another version of the model.</source>
        <translation>%1 enthält Werte, die keine Zahlen sind (NaN oder unendlich), bei %2: Damit lässt sich nichts berechnen, verwenden Sie eine andere Fassung des Modells.</translation>
    </message>
    <message>
        <source>The tensor %1 (%2) in %3</source>
        <translation>Der Tensor %1 (%2) in %3</translation>
    </message>
    <message>
        <source>must be a list of %1 numbers</source>
        <translation>muss eine Liste von %1 Zahlen sein</translation>
    </message>
    <message>
        <source>x %1 is not the width of the mixer</source>
        <translation>x %1 ist nicht die Breite des Mischers</translation>
    </message>
    <message>
        <source>has the kind of layer %1, which this family does not have: use attach with a server that runs the model</source>
        <translation>hat die Art von Schicht %1, die diese Familie nicht hat: Hängen Sie sich an einen Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>has the activation %1 in its Mamba layers, which are only supported with &quot;silu&quot;</source>
        <translation>hat in seinen Mamba-Schichten die Aktivierung %1; unterstützt wird dort nur &quot;silu&quot;</translation>
    </message>
    <message>
        <source>the architecture %1 is not supported in GGUF files; supported are %2. For others, attach to the server that runs them</source>
        <translation>Die Architektur %1 wird in GGUF-Dateien nicht unterstützt, wohl aber %2. Für andere hängen Sie sich an den Server, der sie ausführt</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2 has the type %3 of ggml, which is not known; use another file of the model, or attach to the server that runs it.</source>
        <translation>%1 ist nicht lesbar: %2 hat den Typ %3 von ggml, der nicht bekannt ist; verwenden Sie eine andere Datei des Modells, oder hängen Sie sich an den Server, der es ausführt.</translation>
    </message>
    <message>
        <source>%1 has rows of %2 values, which are no blocks of %3</source>
        <translation>%1 hat Zeilen von %2 Werten, was keine Blöcke von %3 sind</translation>
    </message>
    <message>
        <source>%1 is beyond the end of the file, which is therefore incomplete (%2 bytes of data there)</source>
        <translation>%1 liegt hinter dem Ende der Datei, die also unvollständig ist (%2 Byte an Daten sind da)</translation>
    </message>
    <message>
        <source>is impossible: %1</source>
        <translation>ist unmöglich: %1</translation>
    </message>
    <message>
        <source>is beyond the end of the file, which is therefore incomplete (%1 bytes of data promised, %2 there)</source>
        <translation>liegt hinter dem Ende der Datei, die also unvollständig ist (%1 Byte an Daten angekündigt, %2 vorhanden)</translation>
    </message>
    <message>
        <source>does not end at the end of a byte, but its shape %1 of %2 needs %3 bits</source>
        <translation>endet nicht am Ende eines Bytes; seine Form %1 von %2 braucht %3 Bit</translation>
    </message>
    <message>
        <source>takes %1 bytes, but its shape %2 of %3 needs %4</source>
        <translation>belegt %1 Byte, aber seine Form %2 von %3 braucht %4</translation>
    </message>
    <message>
        <source>takes %1 bytes, but its shape is %2</source>
        <translation>belegt %1 Byte, aber seine Form ist %2</translation>
    </message>
    <message>
        <source>it has only %1 bytes</source>
        <translation>Sie hat nur %1 Byte</translation>
    </message>
    <message>
        <source>it promises a header of %1 bytes, but has %2 bytes in all</source>
        <translation>Sie kündigt einen Kopf von %1 Byte an, hat aber insgesamt %2 Byte</translation>
    </message>
    <message>
        <source>its header is %1</source>
        <translation>Ihr Kopf ist %1</translation>
    </message>
    <message>
        <source>in its header, %1</source>
        <translation>in ihrem Kopf: %1</translation>
    </message>
    <message>
        <source>the tensor %1 overlaps another one</source>
        <translation>Der Tensor %1 überlappt einen anderen</translation>
    </message>
    <message>
        <source>The architecture %1 is not supported; supported are %2.</source>
        <translation>Die Architektur %1 wird nicht unterstützt; unterstützt werden %2.</translation>
    </message>
    <message>
        <source>The activation &quot;%1&quot; is not supported; supported are %2.</source>
        <translation>Die Aktivierung „%1“ wird nicht unterstützt; unterstützt werden %2.</translation>
    </message>
    <message>
        <source>There is no program %1; powermetrics is part of macOS.</source>
        <translation>Es gibt kein Programm %1; powermetrics gehört zu macOS.</translation>
    </message>
    <message>
        <source>the power does not follow the load at any offset (correlation %1).</source>
        <translation>Die Leistung folgt der Last bei keiner Verschiebung (Korrelation %1).</translation>
    </message>
    <message>
        <source>two offsets fit, %1 s and %2 s.</source>
        <translation>Zwei Verschiebungen passen, %1 s und %2 s.</translation>
    </message>
    <message>
        <source>%1 is not a metric.</source>
        <translation>%1 ist keine Metrik.</translation>
    </message>
    <message>
        <source>%1 is not a number.</source>
        <translation>%1 ist keine Zahl.</translation>
    </message>
    <message>
        <source>the object that begins here is %1.</source>
        <translation>Das Objekt, das hier beginnt, ist %1.</translation>
    </message>
    <message>
        <source>%1 in %2 is not a number.</source>
        <translation>%1 in %2 ist keine Zahl.</translation>
    </message>
    <message>
        <source>%1 objects without power were skipped.</source>
        <translation>%1 Objekte ohne Leistung wurden ausgelassen.</translation>
    </message>
    <message>
        <source>Tokens without any energy in %1: the sensor did not move while the model ran.</source>
        <translation>Token ohne Energie in %1: Der Sensor bewegte sich nicht, während das Modell lief.</translation>
    </message>
    <message>
        <source>The last object, which begins at row %1, is cut off and was left out.</source>
        <translation>Das letzte Objekt, das in Zeile %1 beginnt, ist abgeschnitten und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>%1 is not an energy.</source>
        <translation>%1 ist keine Energie.</translation>
    </message>
    <message>
        <source>the log has more than %1 rails; keep the columns that are needed.</source>
        <translation>Das Protokoll hat mehr als %1 Messreihen; behalten Sie die Spalten, die gebraucht werden.</translation>
    </message>
    <message>
        <source>the name %1 of a rail has more than %2 bytes.</source>
        <translation>Der Name %1 einer Messreihe hat mehr als %2 Bytes.</translation>
    </message>
    <message>
        <source>%1 may be a running total or the energy of each row; state which (--energies).</source>
        <translation>%1 kann ein laufender Zählerstand oder die Energie jeder Zeile sein; geben Sie an, was es ist (--energies).</translation>
    </message>
    <message>
        <source>%1 is zero in all of its %2 rows, which a device in operation never is: its energy is not known.</source>
        <translation>%1 ist in allen %2 Zeilen null, was ein Gerät in Betrieb nie ist: Die Energie ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Windows of %1 overlap by %2 s of %3 s, so that a sum counts energy twice.</source>
        <translation>Fenster von %1 überlappen sich um %2 s von %3 s, sodass eine Summe Energie doppelt zählt.</translation>
    </message>
    <message>
        <source>The rows of %1 state lengths of %2 s in all, but their times span %3 s.</source>
        <translation>Die Zeilen von %1 geben Längen von insgesamt %2 s an, ihre Zeiten umfassen aber %3 s.</translation>
    </message>
    <message>
        <source>Some values of %1, such as that of row %2, are about a thousand times the others, or a thousandth of them: the unit may change.</source>
        <translation>Einige Werte von %1, etwa in Zeile %2, sind rund tausendmal so groß oder so klein wie die anderen: Vielleicht wechselt die Einheit.</translation>
    </message>
    <message>
        <source>The counter of %1 starts again at %2; the energy of that step is lost.</source>
        <translation>Der Zähler von %1 beginnt bei %2 von vorn; die Energie dieses Schritts ist verloren.</translation>
    </message>
    <message>
        <source>The counter of %1 begins again at zero after %2, at %3; the sum goes on.</source>
        <translation>Der Zähler von %1 beginnt nach %2 wieder bei null, bei %3; die Summe läuft weiter.</translation>
    </message>
    <message>
        <source>%1 draw more than %2, which is said to contain them.</source>
        <translation>%1 brauchen mehr als %2, das sie angeblich enthält.</translation>
    </message>
    <message>
        <source>%1 is less than %2, so it does not contain them and is read as a rail of its own.</source>
        <translation>%1 ist weniger als %2, enthält sie also nicht und wird als eigene Messreihe gelesen.</translation>
    </message>
    <message>
        <source>Row %1 has %2, which was read with a decimal point; if points separate thousands, state the decimal sign (--decimal).</source>
        <translation>Zeile %1 hat %2, gelesen mit Dezimalpunkt; falls Punkte Tausender trennen, geben Sie das Dezimalzeichen an (--decimal).</translation>
    </message>
    <message>
        <source>%1 is either %2 or %3, and the other rows do not decide; state the decimal sign (--decimal).</source>
        <translation>%1 ist entweder %2 oder %3, und die anderen Zeilen entscheiden es nicht; geben Sie das Dezimalzeichen an (--decimal).</translation>
    </message>
    <message>
        <source>%1 is either %2 or %3, and the other rows do not decide; write it with a decimal point.</source>
        <translation>%1 ist entweder %2 oder %3, und die anderen Zeilen entscheiden es nicht; schreiben Sie es mit Dezimalpunkt.</translation>
    </message>
    <message>
        <source>%1 is not a length of time.</source>
        <translation>%1 ist keine Dauer.</translation>
    </message>
    <message>
        <source>%1 is not a number of tokens.</source>
        <translation>%1 ist keine Anzahl von Token.</translation>
    </message>
    <message>
        <source>%1 rows of other entities than powers were left out.</source>
        <translation>%1 Zeilen anderer Entitäten als Leistungen wurden ausgelassen.</translation>
    </message>
    <message>
        <source>%1 has no unit of %2.</source>
        <translation>%1 hat keine Einheit von %2.</translation>
    </message>
    <message>
        <source>the log has more than %1 devices.</source>
        <translation>Das Protokoll hat mehr als %1 Geräte.</translation>
    </message>
    <message>
        <source>the name %1 of a device has more than %2 bytes.</source>
        <translation>Der Name %1 eines Geräts hat mehr als %2 Bytes.</translation>
    </message>
    <message>
        <source>it has more than %1 columns.</source>
        <translation>Sie hat mehr als %1 Spalten.</translation>
    </message>
    <message>
        <source>the scrape has more than %1 series.</source>
        <translation>Die Abfrage hat mehr als %1 Zeitreihen.</translation>
    </message>
    <message>
        <source>it has a value that is too large for a power, an energy or a length.</source>
        <translation>Sie hat einen Wert, der für eine Leistung, eine Energie oder eine Länge zu groß ist.</translation>
    </message>
    <message>
        <source>from here on, the times advance by a thousand times, or a thousandth of, the steps before; give all rows times in one unit.</source>
        <translation>Ab hier sind die Schritte der Zeiten tausendmal so groß oder so klein wie zuvor; geben Sie die Zeiten aller Zeilen in einer Einheit an.</translation>
    </message>
    <message>
        <source>the columns change here; split the file before this row.</source>
        <translation>Die Spalten wechseln hier; teilen Sie die Datei vor dieser Zeile.</translation>
    </message>
    <message>
        <source>it is the report of nvidia-smi -q and not a log; record one with nvidia-smi --query-gpu=timestamp,power.draw --format=csv -lms 100.</source>
        <translation>Das ist der Bericht von nvidia-smi -q und kein Protokoll; zeichnen Sie eines mit nvidia-smi --query-gpu=timestamp,power.draw --format=csv -lms 100 auf.</translation>
    </message>
    <message>
        <source>it is the XML of nvidia-smi -q -x and not a log; record one with nvidia-smi --query-gpu=timestamp,power.draw --format=csv -lms 100.</source>
        <translation>Das ist das XML von nvidia-smi -q -x und kein Protokoll; zeichnen Sie eines mit nvidia-smi --query-gpu=timestamp,power.draw --format=csv -lms 100 auf.</translation>
    </message>
    <message>
        <source>it is the report of powerstat, whose rows are means without a date; record a log with perf stat -a -e power/energy-pkg/ -I 1000 -x, instead.</source>
        <translation>Das ist der Bericht von powerstat, dessen Zeilen Mittelwerte ohne Datum sind; zeichnen Sie stattdessen mit perf stat -a -e power/energy-pkg/ -I 1000 -x, auf.</translation>
    </message>
    <message>
        <source>The file does not state the unit; its powers were read as W. State the unit (--unit) if they are in another.</source>
        <translation>Die Datei nennt die Einheit nicht; die Leistungen wurden als W gelesen. Geben Sie die Einheit an (--unit), falls es eine andere ist.</translation>
    </message>
    <message>
        <source>Home Assistant writes a state when it changes; each one stands until the next.</source>
        <translation>Home Assistant schreibt einen Zustand, wenn er sich ändert; jeder gilt bis zum nächsten.</translation>
    </message>
    <message>
        <source>Some times state their zone, and others do not.</source>
        <translation>Einige Zeiten nennen ihre Zeitzone, andere nicht.</translation>
    </message>
    <message>
        <source>%1 is not a time.</source>
        <translation>%1 ist keine Zeit.</translation>
    </message>
    <message>
        <source>it has %1 values instead of 3.</source>
        <translation>Sie hat %1 Werte statt 3.</translation>
    </message>
    <message>
        <source>%1 is not a number of microjoules.</source>
        <translation>%1 ist keine Anzahl von Mikrojoule.</translation>
    </message>
    <message>
        <source>%1 is not a number of watts.</source>
        <translation>%1 ist keine Anzahl von Watt.</translation>
    </message>
    <message>
        <source>row %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>it has %1 columns instead of %2 and was left out.</source>
        <translation>Sie hat %1 statt %2 Spalten und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>the order is %1 instead of AB or BA, so drift within the pair is not removed.</source>
        <translation>Die Reihenfolge ist %1 statt AB oder BA, daher wird eine Drift innerhalb des Paars nicht entfernt.</translation>
    </message>
    <message>
        <source>%1 is not the number of a pair, so the row was left out.</source>
        <translation>%1 ist nicht die Nummer eines Paars, daher wurde die Zeile ausgelassen.</translation>
    </message>
    <message>
        <source>pair %1 was there before, so this one was left out.</source>
        <translation>Das Paar %1 war schon da, daher wurde dieses ausgelassen.</translation>
    </message>
    <message>
        <source>%1 is %2 instead of a number; the pair does not count for it.</source>
        <translation>%1 ist %2 statt einer Zahl; dafür zählt das Paar nicht.</translation>
    </message>
    <message>
        <source>%1 is %2, which is not above zero; the pair does not count for it.</source>
        <translation>%1 ist %2, was nicht über null liegt; dafür zählt das Paar nicht.</translation>
    </message>
    <message>
        <source>%1 is missing, which is not zero; the pair does not count for it.</source>
        <translation>%1 fehlt, was nicht null ist; dafür zählt das Paar nicht.</translation>
    </message>
    <message>
        <source>%1 property lists are cut off or unusable and were left out.</source>
        <translation>%1 Property-Listen sind abgeschnitten oder unbrauchbar und wurden ausgelassen.</translation>
    </message>
    <message>
        <source>it has %1 columns instead of %2.</source>
        <translation>Sie hat %1 statt %2 Spalten.</translation>
    </message>
    <message>
        <source>%1 is not a power.</source>
        <translation>%1 ist keine Leistung.</translation>
    </message>
    <message>
        <source>The last sample, which begins at row %1, is cut off and was left out.</source>
        <translation>Die letzte Messung, die in Zeile %1 beginnt, ist abgeschnitten und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>%1 lines amid the rows are no rows.</source>
        <translation>%1 Zeilen inmitten der Tabelle gehören nicht dazu.</translation>
    </message>
    <message>
        <source>Other powers in the file, which were not read: %1.</source>
        <translation>Andere Leistungen in der Datei, die nicht gelesen wurden: %1.</translation>
    </message>
    <message>
        <source>Read as kWh, a GPU draws up to %1, more than the 700 W of the largest cards, and no other unit is more likely.</source>
        <translation>Als kWh gelesen, zieht eine GPU bis zu %1, mehr als die 700 W der größten Karten, und keine andere Einheit ist wahrscheinlicher.</translation>
    </message>
    <message>
        <source>The tokens per second equal the number of threads in all %1 rows: a setting, not a measurement.</source>
        <translation>Die Token pro Sekunde sind in allen %1 Zeilen gleich der Anzahl der Threads: eine Einstellung, keine Messung.</translation>
    </message>
    <message>
        <source>The last row, %1, is damaged and was left out.</source>
        <translation>Die letzte Zeile, %1, ist beschädigt und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>it has %1 values instead of %2.</source>
        <translation>Sie hat %1 statt %2 Werte.</translation>
    </message>
    <message>
        <source>%1 is not the length of a window.</source>
        <translation>%1 ist nicht die Länge eines Fensters.</translation>
    </message>
    <message>
        <source>The column %1 has values in %2; the unit of each value counts.</source>
        <translation>Die Spalte %1 hat Werte in %2; es zählt die Einheit jedes Werts.</translation>
    </message>
    <message>
        <source>The column %1 has no unit; %2 was stated.</source>
        <translation>Die Spalte %1 hat keine Einheit; angegeben wurde %2.</translation>
    </message>
    <message>
        <source>%1 gap of %2 in all (the largest %3): a phase that overlaps one has no energy.</source>
        <translation>%1 Lücke von insgesamt %2 (die größte %3): Eine Phase, die eine überlappt, hat keine Energie.</translation>
    </message>
    <message>
        <source>%1 gaps of %2 in all (the largest %3): a phase that overlaps one has no energy.</source>
        <translation>%1 Lücken von insgesamt %2 (die größte %3): Eine Phase, die eine überlappt, hat keine Energie.</translation>
    </message>
    <message>
        <source>Requests %1 to %2</source>
        <translation>Die Anfragen %1 bis %2</translation>
    </message>
    <message>
        <source>The %1 of request %2</source>
        <translation>%1 der Anfrage %2</translation>
    </message>
    <message>
        <source>%1 lies outside the recording.</source>
        <translation>%1 liegt außerhalb der Aufzeichnung.</translation>
    </message>
    <message>
        <source>The times of the power have no zone; they lie over the requests only in %1, which was used.</source>
        <translation>Die Zeiten der Leistung haben keine Zone; nur in %1 liegen sie über den Anfragen, daher wurde diese verwendet.</translation>
    </message>
    <message>
        <source>The clock of the power was aligned with the requests by %1 s (95 %: %2 to %3 s, correlation %4).</source>
        <translation>Die Uhr der Leistung wurde um %1 s an die Anfragen angeglichen (95 %: %2 bis %3 s, Korrelation %4).</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is none of %2.</source>
        <translation>„%1“ ist keines von %2.</translation>
    </message>
    <message>
        <source>a server has only a model, a dialect and a temperature here; set the others where it is started.</source>
        <translation>ein Server hat hier nur ein Modell, einen Dialekt und eine Temperatur; stellen Sie die anderen beim Start des Servers ein.</translation>
    </message>
    <message>
        <source>a dialect needs a server.</source>
        <translation>ein Dialekt braucht einen Server.</translation>
    </message>
    <message>
        <source>Messages have a system message of their own: leave out the other one.</source>
        <translation>Nachrichten haben ihre eigene Systemnachricht: lassen Sie die andere weg.</translation>
    </message>
    <message>
        <source>Variables are for a chat template: apply the template, or leave them out.</source>
        <translation>Variablen sind für eine Chat-Vorlage: wenden Sie die Vorlage an, oder lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no value.</source>
        <translation>„%1“ hat keinen Wert.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not %2.</source>
        <translation>„%1“ ist nicht %2.</translation>
    </message>
    <message>
        <source>must be %1, not %2</source>
        <translation>muss %1 sein, nicht %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>is not used here, but in %1</source>
        <translation>wird hier nicht benutzt, aber in %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; %2.</source>
        <translation>„%1“ %2.</translation>
    </message>
    <message>
        <source>The sampling settings are out of range.</source>
        <translation>Die Sampling-Einstellungen liegen außerhalb ihrer Bereiche.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be %2.</source>
        <translation>„%1“ muss %2 sein.</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>eine ganze Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>eine Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>%1 is not a program</source>
        <translation>%1 ist kein Programm</translation>
    </message>
    <message>
        <source>no folder can be made in %1 (%2)</source>
        <translation>In %1 lässt sich kein Ordner anlegen (%2)</translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <translation>%1, von %2</translation>
    </message>
    <message>
        <source>%1, with a prompt of %2 tokens</source>
        <translation>%1, mit einem Prompt von %2 Token</translation>
    </message>
    <message>
        <source>%1: it does not react to a load</source>
        <translation>%1: Sie reagiert nicht auf eine Last</translation>
    </message>
    <message>
        <source>Tried %1: predicted %2, observed %3</source>
        <translation>Versucht: %1, vorhergesagt %2, beobachtet %3</translation>
    </message>
    <message>
        <source>Such advice held %1 of %2 time on this machine.</source>
        <translation>Solcher Rat traf auf diesem Rechner in %1 von %2 Fall zu.</translation>
    </message>
    <message>
        <source>Such advice held %1 of %2 times on this machine.</source>
        <translation>Solcher Rat traf auf diesem Rechner in %1 von %2 Fällen zu.</translation>
    </message>
    <message>
        <source>%1 is not a regular file; name the JSON of a run or a run database to import.</source>
        <translation>%1 ist keine gewöhnliche Datei; nennen Sie das JSON eines Laufs oder eine Lauf-Datenbank zum Importieren.</translation>
    </message>
    <message>
        <source>names a file: %1</source>
        <translation>nennt eine Datei: %1</translation>
    </message>
    <message>
        <source>cannot be used: %1</source>
        <translation>ist nicht verwendbar: %1</translation>
    </message>
    <message>
        <source>names a file that cannot be used: %1</source>
        <translation>nennt eine Datei, die nicht verwendbar ist: %1</translation>
    </message>
    <message>
        <source>names &quot;%1&quot; twice</source>
        <translation>nennt „%1“ zweimal</translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <source>is %1</source>
        <translation>ist %1</translation>
    </message>
    <message>
        <source>is not a run: %1</source>
        <translation>ist kein Lauf: %1</translation>
    </message>
    <message>
        <source>Cannot write %1: %2; choose another file with %3.</source>
        <translation>%1 kann nicht geschrieben werden: %2; wählen Sie mit %3 eine andere Datei.</translation>
    </message>
    <message>
        <source>the chat template cannot be read, %1; turn the chat template off.</source>
        <translation>Die Chat-Vorlage ist nicht lesbar, %1; schalten Sie die Chat-Vorlage ab.</translation>
    </message>
    <message>
        <source>the chat template fails, %1; turn the chat template off.</source>
        <translation>Die Chat-Vorlage schlägt fehl, %1; schalten Sie die Chat-Vorlage ab.</translation>
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
        <source>%1 has %2 (%3), but only text can be measured; remove it</source>
        <translation>%1 enthält %2 (%3), aber nur Text lässt sich messen; entfernen Sie das</translation>
    </message>
    <message>
        <source>%1 has a part that is %2; a part is an object with a type and a text</source>
        <translation>%1 hat als Teil %2; ein Teil ist ein Objekt mit type und text</translation>
    </message>
    <message>
        <source>%1 has a part without a type; {&quot;type&quot;: &quot;text&quot;, &quot;text&quot;: ...} is a part</source>
        <translation>%1 hat einen Teil ohne type; {&quot;type&quot;: &quot;text&quot;, &quot;text&quot;: ...} ist ein Teil</translation>
    </message>
    <message>
        <source>%1 has a part of the type %2; only &quot;text&quot; is known</source>
        <translation>%1 hat einen Teil vom Typ %2; bekannt ist nur &quot;text&quot;</translation>
    </message>
    <message>
        <source>%1 has a part of text without a text</source>
        <translation>%1 hat einen Textteil ohne text</translation>
    </message>
    <message>
        <source>%1 has a content that is %2; it must be a text, null or a list of parts</source>
        <translation>%1 hat als Inhalt %2; er muss ein Text, null oder eine Liste von Teilen sein</translation>
    </message>
    <message>
        <source>%1 has tool_calls that are %2; they must be a list</source>
        <translation>%1 hat als tool_calls %2; nötig ist eine Liste</translation>
    </message>
    <message>
        <source>%1 has a tool call that is %2; it must be an object</source>
        <translation>%1 hat als Werkzeugaufruf %2; er muss ein Objekt sein</translation>
    </message>
    <message>
        <source>%1 has a tool call without the name of a function</source>
        <translation>%1 hat einen Werkzeugaufruf ohne den Namen einer Funktion</translation>
    </message>
    <message>
        <source>%1 has a tool call with arguments that are %2; they must be an object or its text</source>
        <translation>%1 hat einen Werkzeugaufruf mit %2 als Argumenten; nötig ist ein Objekt oder dessen Text</translation>
    </message>
    <message>
        <source>%1 is %2; it must be an object with a role and a content</source>
        <translation>%1 ist %2; sie muss ein Objekt mit Rolle (role) und Inhalt (content) sein</translation>
    </message>
    <message>
        <source>%1 has no role</source>
        <translation>%1 hat keine Rolle</translation>
    </message>
    <message>
        <source>%1 has a role that is %2; it must be a word such as user</source>
        <translation>%1 hat als Rolle %2; sie muss ein Wort wie user sein</translation>
    </message>
    <message>
        <source>%1 has a %2 that is %3; it must be a string</source>
        <translation>%1 hat als %2 %3; nötig ist ein Text</translation>
    </message>
    <message>
        <source>%1 has no content</source>
        <translation>%1 hat keinen Inhalt (content)</translation>
    </message>
    <message>
        <source>message %1</source>
        <translation>Nachricht %1</translation>
    </message>
    <message>
        <source>message %1 (%2)</source>
        <translation>Nachricht %1 (%2)</translation>
    </message>
    <message>
        <source>it is %1; it must be an object with messages</source>
        <translation>Sie ist %1; sie muss ein Objekt mit messages sein</translation>
    </message>
    <message>
        <source>%1 is not known; messages, tools and template_variables are</source>
        <translation>%1 ist nicht bekannt, wohl aber messages, tools und template_variables</translation>
    </message>
    <message>
        <source>%1 is %2.</source>
        <translation>%1 ist %2.</translation>
    </message>
    <message>
        <source>not valid JSON at %1</source>
        <translation>kein gültiges JSON bei %1</translation>
    </message>
    <message>
        <source>The value of %1 is %2.</source>
        <translation>Der Wert von %1 ist %2.</translation>
    </message>
    <message>
        <source>must be a single character, not %1</source>
        <translation>muss ein einzelnes Zeichen sein, nicht %1</translation>
    </message>
    <message>
        <source>must be true or false, not %1</source>
        <translation>muss true oder false sein, nicht %1</translation>
    </message>
    <message>
        <source>must be a number, not %1</source>
        <translation>muss eine Zahl sein, nicht %1</translation>
    </message>
    <message>
        <source>is no JSON: %1</source>
        <translation>ist kein JSON: %1</translation>
    </message>
    <message>
        <source>does not describe a matrix: %1</source>
        <translation>beschreibt keine Matrix: %1</translation>
    </message>
    <message>
        <source>has the shape %1, which does not divide rows of %2 into groups</source>
        <translation>hat die Form %1, die Zeilen von %2 nicht in Gruppen teilt</translation>
    </message>
    <message>
        <source>names the group %1 of %2 for the column %3</source>
        <translation>nennt die Gruppe %1 von %2 für die Spalte %3</translation>
    </message>
    <message>
        <source>has the shape %1, which does not hold %2 x %3 numbers of 2, 4 or 8 bits</source>
        <translation>hat die Form %1, die nicht %2 × %3 Zahlen von 2, 4 oder 8 Bit enthält</translation>
    </message>
    <message>
        <source>has the shape %1, which is no scale for each block, row or the whole of %2</source>
        <translation>hat die Form %1, was kein Faktor für jeden Block, jede Zeile oder das Ganze von %2 ist</translation>
    </message>
    <message>
        <source>has the shape %1, not %2</source>
        <translation>hat die Form %1, nicht %2</translation>
    </message>
    <message>
        <source>has a type that is none of %1</source>
        <translation>hat einen Typ, der keiner von %1 ist</translation>
    </message>
    <message>
        <source>has the value %1, not one from 1 to %2</source>
        <translation>hat den Wert %1, keinen von 1 bis %2</translation>
    </message>
    <message>
        <source>has rows of %1 numbers, which are no blocks of 32</source>
        <translation>hat Zeilen von %1 Zahlen, die keine Blöcke von 32 sind</translation>
    </message>
    <message>
        <source>has %1 columns, which do not fill words of %2 zeros</source>
        <translation>hat %1 Spalten, die keine Wörter von %2 Nullpunkten füllen</translation>
    </message>
    <message>
        <source>has the shape %1, which fits no number of bits</source>
        <translation>hat die Form %1, die zu keiner Anzahl von Bits passt</translation>
    </message>
    <message>
        <source>is a tensor of %1 numbers of %2, not of up to %3 of F32</source>
        <translation>ist ein Tensor von %1 Zahlen in %2, nicht von bis zu %3 in F32</translation>
    </message>
    <message>
        <source>%1 bits</source>
        <translation>%1 Bit</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>Version %1</translation>
    </message>
    <message>
        <source>format %1</source>
        <translation>Format %1</translation>
    </message>
    <message>
        <source>is wrong: %1</source>
        <translation>ist falsch: %1</translation>
    </message>
    <message>
        <source>is &quot;%1&quot;: %2</source>
        <translation>ist „%1“: %2</translation>
    </message>
    <message>
        <source>must be &quot;%1&quot;</source>
        <translation>muss „%1“ sein</translation>
    </message>
    <message>
        <source>has several conversations in &quot;%1&quot;, but a server answers one at a time</source>
        <translation>hat mehrere Gespräche in „%1“, aber ein Server beantwortet eines auf einmal</translation>
    </message>
    <message>
        <source>The study is %1.</source>
        <translation>Die Studie ist %1.</translation>
    </message>
    <message>
        <source>is %1, which %2 has too</source>
        <translation>ist %1, was auch %2 hat</translation>
    </message>
    <message>
        <source>is %1, which %2 has in model.vocab</source>
        <translation>ist %1, was in model.vocab %2 hat</translation>
    </message>
    <message>
        <source>is %1; it must be two tokens with one space between</source>
        <translation>ist %1; nötig sind zwei Token mit einem Leerzeichen dazwischen</translation>
    </message>
    <message>
        <source>needs the token %1, which model.vocab does not have</source>
        <translation>braucht das Token %1, das model.vocab nicht hat</translation>
    </message>
    <message>
        <source>is the decoder %1, which is not supported</source>
        <translation>ist der Dekodierer %1, der nicht unterstützt wird</translation>
    </message>
    <message>
        <source>is %1; known are gpt2, llama, gemma4 and whitespace. For others, attach to the server that runs the model</source>
        <translation>ist %1; bekannt sind gpt2, llama, gemma4 und whitespace. Für andere hängen Sie sich an den Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>is the pre-tokenizer %1, which is not known: attach to the server that runs the model</source>
        <translation>ist der Vorzerteiler %1, der nicht bekannt ist: Hängen Sie sich an den Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>is %1; it must be always, first or never</source>
        <translation>ist %1; möglich sind always, first und never</translation>
    </message>
    <message>
        <source>is the normalizer %1, which is not supported</source>
        <translation>ist der Normalisierer %1, der nicht unterstützt wird</translation>
    </message>
    <message>
        <source>is %1; it must be Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous</source>
        <translation>ist %1; möglich sind Removed, Isolated, MergedWithPrevious, MergedWithNext und Contiguous</translation>
    </message>
    <message>
        <source>is %1, which special_tokens does not have</source>
        <translation>ist %1, was special_tokens nicht hat</translation>
    </message>
    <message>
        <source>is the post-processor %1, which is not supported</source>
        <translation>ist der Nachbearbeiter %1, der nicht unterstützt wird</translation>
    </message>
    <message>
        <source>is the pre-tokenizer %1, which is not supported</source>
        <translation>ist der Vorzerteiler %1, der nicht unterstützt wird</translation>
    </message>
    <message>
        <source>has the id %1, which %2 has too</source>
        <translation>hat die Nummer %1, die auch %2 hat</translation>
    </message>
    <message>
        <source>is of type %1; only BPE, Unigram, WordPiece and WordLevel are supported</source>
        <translation>ist vom Typ %1; unterstützt werden nur BPE, Unigram, WordPiece und WordLevel</translation>
    </message>
    <message>
        <source>is %1; only 1.0 is known</source>
        <translation>ist %1; bekannt ist nur 1.0</translation>
    </message>
    <message>
        <source>The tokenizer cannot be used: it is %1.</source>
        <translation>Der Tokenizer ist nicht verwendbar: Er ist %1.</translation>
    </message>
    <message>
        <source>The tokenizer cannot be used: %1.</source>
        <translation>Der Tokenizer ist nicht verwendbar: %1.</translation>
    </message>
    <message>
        <source>The tokenizer could not be read: %1.</source>
        <translation>Der Tokenizer konnte nicht gelesen werden: %1.</translation>
    </message>
    <message>
        <source>The text has the word %1, for which the tokenizer has no token, and its unk_token %2 is not in model.vocab.</source>
        <translation>Der Text enthält das Wort %1, für das der Tokenizer kein Token hat, und sein unk_token %2 steht nicht in model.vocab.</translation>
    </message>
    <message>
        <source>There is no folder and no known model &apos;%1&apos;: give a HuggingFace model folder or a GGUF file, or one of %2.</source>
        <translation>Es gibt keinen Ordner und kein bekanntes Modell „%1“: Geben Sie einen Modellordner von HuggingFace oder eine GGUF-Datei an, oder eines von %2.</translation>
    </message>
    <message>
        <source>row %1 is earlier than rows long before it; sort a log of this length by time before it is read.</source>
        <translation>Zeile %1 ist früher als weit zurückliegende Zeilen; sortieren Sie ein so langes Protokoll nach der Zeit, bevor es gelesen wird.</translation>
    </message>
    <message>
        <source>row %1 is longer than any row of a power log.</source>
        <translation>Zeile %1 ist länger als jede Zeile eines Leistungsprotokolls.</translation>
    </message>
    <message>
        <source>request %1 has no time or no first token.</source>
        <translation>Anfrage %1 hat keine Zeit oder kein erstes Token.</translation>
    </message>
    <message>
        <source>request %1 has impossible times of its tokens.</source>
        <translation>Anfrage %1 hat unmögliche Zeiten ihrer Token.</translation>
    </message>
    <message>
        <source>the column %1 has no unit; state the unit (--unit), such as W.</source>
        <translation>Die Spalte %1 hat keine Einheit; geben Sie die Einheit an (--unit), etwa W.</translation>
    </message>
    <message>
        <source>Computing on the processor: the device %1 exists, but fails a test matmul (%2).</source>
        <translation>Es rechnet der Prozessor: Das Gerät %1 ist da, besteht aber ein Testprodukt nicht (%2).</translation>
    </message>
    <message>
        <source>Prompt %1 of the batch</source>
        <translation>Prompt %1 des Stapels</translation>
    </message>
    <message>
        <source>%1 needs %2 more</source>
        <translation>%1 braucht %2 mehr</translation>
    </message>
    <message>
        <source>Rows with the time of the previous row, but other values: %1; the times are too coarse for this sensor&apos;s interval.</source>
        <translation>Zeilen mit der Zeit der vorigen Zeile, aber anderen Werten: %1; die Zeiten sind zu grob für den Abstand dieses Sensors.</translation>
    </message>
    <message>
        <source>%1 Its counter of the processor %2; powermetrics, where it is allowed, has a better one.</source>
        <translation>%1 Sein Zähler des Prozessors %2; powermetrics hat, wo es erlaubt ist, einen besseren.</translation>
    </message>
    <message>
        <source>It has no pair with the energies of both settings; %1</source>
        <translation>Sie hat kein Paar mit den Energien beider Einstellungen; %1</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>must be a number from %1 to %2, not %3</source>
        <translation>muss eine Zahl von %1 bis %2 sein, nicht %3</translation>
    </message>
    <message>
        <source>must be finite, not %1</source>
        <translation>muss endlich sein, nicht %1</translation>
    </message>
    <message>
        <source>The token file %1 %2; give another one with --token-file, or fix this one.</source>
        <translation>Die Kennwortdatei %1 %2; geben Sie mit --token-file eine andere an, oder berichtigen Sie diese.</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Es gibt keinen Ordner %1.</translation>
    </message>
    <message>
        <source>There is no folder and no known model &apos;%1&apos;: give a HuggingFace model folder or a GGUF file.</source>
        <translation>Es gibt keinen Ordner und kein bekanntes Modell „%1“: Geben Sie einen Modellordner von HuggingFace oder eine GGUF-Datei an.</translation>
    </message>
    <message>
        <source>The server at %1 broke the connection: %2.</source>
        <translation>Der Server unter %1 brach die Verbindung ab: %2.</translation>
    </message>
    <message>
        <source>The server sent a message of more than %1 MB.</source>
        <translation>Der Server sandte eine Nachricht von mehr als %1 MB.</translation>
    </message>
    <message>
        <source>The limit &apos;%1&apos; %2; write it like &quot;joules_per_token &gt; +5%&quot; with one of %3.</source>
        <translation>Die Grenze „%1“ %2; schreiben Sie sie wie „joules_per_token &gt; +5%“ mit einer von %3.</translation>
    </message>
    <message>
        <source>The joules come from different power sources (%1). Differences in energy may be due to the sensors; times can be compared.</source>
        <translation>Die Joule stammen aus verschiedenen Leistungsquellen (%1). Unterschiede der Energie können an den Sensoren liegen; Zeiten lassen sich vergleichen.</translation>
    </message>
    <message>
        <source>The devices differ (%1). A rail covers only its own device: compare energies only if the source covers both.</source>
        <translation>Die Geräte unterscheiden sich (%1). Eine Schiene erfasst nur ihr eigenes Gerät: Vergleichen Sie Energien nur, wenn die Quelle beide erfasst.</translation>
    </message>
    <message>
        <source>The profiling depths differ (%1). Deeper recording costs time and energy; compare runs of the same depth.</source>
        <translation>Die Profiltiefen unterscheiden sich (%1). Tieferes Aufzeichnen kostet Zeit und Energie; vergleichen Sie Läufe gleicher Tiefe.</translation>
    </message>
    <message>
        <source>The models have different numbers of layers (%1). Layers are matched by their relative position; several of the deeper model are added up.</source>
        <translation>Die Modelle haben verschieden viele Schichten (%1). Schichten werden nach ihrer relativen Lage zugeordnet; mehrere des tieferen Modells werden addiert.</translation>
    </message>
    <message>
        <source>The matrix products were computed by different kernels (%1): part of the difference may be theirs. Pin them with --kernels.</source>
        <translation>Die Matrixprodukte wurden mit verschiedenen Kernels gerechnet (%1): Ein Teil des Unterschieds kann daran liegen. Mit --kernels werden sie festgelegt.</translation>
    </message>
    <message>
        <source>The prompts have different lengths (%1 tokens). Energy per output token includes the prefill: compare energy per input token and per decoded token instead.</source>
        <translation>Die Prompts sind verschieden lang (%1 Token). Die Energie je Ausgabe-Token enthält den Prefill: Vergleichen Sie stattdessen die Energie je Eingabe-Token und je erzeugtem Token.</translation>
    </message>
    <message>
        <source>The runs generated different numbers of tokens (%1). Later tokens cost more, and the energy of a run is not comparable.</source>
        <translation>Die Läufe haben verschieden viele Token erzeugt (%1). Spätere Token kosten mehr, und die Energie eines Laufs ist nicht vergleichbar.</translation>
    </message>
    <message>
        <source>The joules of %1 are modelled from the load of the machine, not measured. They follow processor time: a difference in joules says little more than a difference in time.</source>
        <translation>Die Joule sind aus der Last des Rechners modelliert, nicht gemessen (%1). Sie folgen der Prozessorzeit: Ein Unterschied in Joule sagt kaum mehr als ein Unterschied der Zeit.</translation>
    </message>
    <message>
        <source>%1 saves %2 per output token</source>
        <translation>%1 spart %2 je Ausgabe-Token</translation>
    </message>
    <message>
        <source>%1 saves %2</source>
        <translation>%1 spart %2</translation>
    </message>
    <message>
        <source>%1 needs %2 more per output token</source>
        <translation>%1 braucht %2 mehr je Ausgabe-Token</translation>
    </message>
    <message>
        <source>A million output tokens of %1 cost %2: %3 and %4 of CO2</source>
        <translation>Eine Million Ausgabetoken von %1 kosten %2: %3 und %4 CO2</translation>
    </message>
    <message>
        <source>Samples came every %1 instead of the %2 ms requested.</source>
        <translation>Messungen kamen alle %1 statt der verlangten %2 ms.</translation>
    </message>
    <message>
        <source>tools is %1; it must be a list</source>
        <translation>tools ist %1; nötig ist eine Liste</translation>
    </message>
    <message>
        <source>tools has an element that is %1; a tool is an object with a type and a function</source>
        <translation>tools hat als Element %1; ein Werkzeug ist ein Objekt mit type und function</translation>
    </message>
    <message>
        <source>the template&apos;s variables are %1; they must be an object</source>
        <translation>Die Variablen der Vorlage sind %1; nötig ist ein Objekt</translation>
    </message>
    <message>
        <source>the template&apos;s variables have %1, which stand beside them instead</source>
        <translation>Unter den Variablen der Vorlage ist %1, was neben ihnen stehen muss</translation>
    </message>
    <message>
        <source>messages is %1; it must be a list</source>
        <translation>messages ist %1; nötig ist eine Liste</translation>
    </message>
    <message>
        <source>is %1; a conversation is a list of messages, or an object with one</source>
        <translation>ist %1; ein Gespräch ist eine Liste von Nachrichten oder ein Objekt mit einer solchen</translation>
    </message>
    <message>
        <source>ambiguous: it holds the key &quot;%1&quot; twice</source>
        <translation>mehrdeutig: Der Schlüssel &quot;%1&quot; kommt zweimal vor</translation>
    </message>
    <message>
        <source>must be %1, the versions known to this program</source>
        <translation>muss %1 sein, die Versionen, die dieses Programm kennt</translation>
    </message>
    <message>
        <source>must be a list, not %1</source>
        <translation>muss eine Liste sein, nicht %1</translation>
    </message>
    <message>
        <source>must be an object, not %1</source>
        <translation>muss ein Objekt sein, nicht %1</translation>
    </message>
    <message>
        <source>must be a string, not %1</source>
        <translation>muss ein Text sein, nicht %1</translation>
    </message>
    <message>
        <source>must be a whole number from %1 to %2, not %3</source>
        <translation>muss eine ganze Zahl von %1 bis %2 sein, nicht %3</translation>
    </message>
    <message>
        <source>The energy counters of NVIDIA&apos;s driver: %1.</source>
        <translation>Die Energiezähler des Treibers von NVIDIA: %1.</translation>
    </message>
    <message>
        <source>Power meters of Linux&apos;s drivers: %1.</source>
        <translation>Leistungsmessgeräte der Treiber von Linux: %1.</translation>
    </message>
    <message>
        <source>it has %1 columns instead of %2; commas may be decimal signs as well as separators.</source>
        <translation>Sie hat %1 statt %2 Spalten; Kommas können Dezimalzeichen und zugleich Trennzeichen sein.</translation>
    </message>
    <message>
        <source>it has only %1 of %2 columns.</source>
        <translation>Sie hat nur %1 von %2 Spalten.</translation>
    </message>
    <message>
        <source>%1 has several models; choose one of %2.</source>
        <translation>%1 hat mehrere Modelle; wählen Sie eines von %2.</translation>
    </message>
    <message>
        <source>A run of the pair failed: %1: %2</source>
        <translation>Ein Lauf des Paars schlug fehl: %1: %2</translation>
    </message>
    <message>
        <source>is longer than %1 MB</source>
        <translation>ist länger als %1 MB</translation>
    </message>
    <message>
        <source>%1 is empty: give a prompt.</source>
        <translation>%1 ist leer: Geben Sie einen Prompt an.</translation>
    </message>
    <message>
        <source>The modelled power source needs 0 &lt;= idle watts &lt;= full watts, and full watts above 0 and up to %1; correct the two values.</source>
        <translation>Die modellierte Leistungsquelle braucht 0 &lt;= Watt im Leerlauf &lt;= Watt bei voller Last, und mehr als 0 und höchstens %1 bei voller Last; berichtigen Sie die beiden Werte.</translation>
    </message>
    <message>
        <source>The sampling interval of %1 ms is out of range; give 1 to %2 ms, usually 100.</source>
        <translation>Der Messabstand von %1 ms ist unzulässig; geben Sie 1 bis %2 ms an, üblich sind 100.</translation>
    </message>
    <message>
        <source>Without energies there is no answer: choose another power source than none.</source>
        <translation>Ohne Energien gibt es keine Antwort: Wählen Sie eine andere Leistungsquelle als „none“.</translation>
    </message>
    <message>
        <source>Replays a recorded powermetrics capture (replay:FILE) or, in `run`, a stored run (replay:RUN).</source>
        <translation>Gibt eine Aufnahme von powermetrics wieder (replay:DATEI) oder, in `run`, einen gespeicherten Lauf (replay:LAUF).</translation>
    </message>
    <message>
        <source>There is no capture file %1; give the path of a recording made with `powermetrics -f plist`. Only `run` also replays a stored run.</source>
        <translation>Es gibt keine Aufnahme %1; geben Sie den Pfad einer mit `powermetrics -f plist` gemachten Aufnahme an. Nur `run` gibt auch gespeicherte Läufe wieder.</translation>
    </message>
    <message>
        <source>The types of &quot;%1&quot; cannot be set: the model has no matrix of this name; known are %2.</source>
        <translation>Die Formate von „%1“ lassen sich nicht setzen: Das Modell hat keine Matrix dieses Namens; bekannt sind %2.</translation>
    </message>
    <message>
        <source>The types of &quot;%1&quot; cannot be set: the model has %2 layers, counted from 0.</source>
        <translation>Die Formate von „%1“ lassen sich nicht setzen: Das Modell hat %2 Schichten, gezählt ab 0.</translation>
    </message>
    <message>
        <source>The experiment &quot;%1&quot; holds pairs of other settings; give this comparison another name, or the settings that these pairs have.</source>
        <translation>Das Experiment „%1“ enthält Paare anderer Einstellungen; geben Sie diesem Vergleich einen anderen Namen oder die Einstellungen dieser Paare.</translation>
    </message>
    <message>
        <source>The runs come from %1 machines. Cells are ranked within one machine only: sensors of different machines cover different components and vary between units, so energies cannot be ranked across machines.</source>
        <translation>Die Läufe stammen von %1 Rechnern. Zellen werden nur innerhalb eines Rechners gereiht: Sensoren verschiedener Rechner erfassen verschiedene Teile und streuen von Gerät zu Gerät, deshalb lassen sich Energien nicht über Rechner hinweg reihen.</translation>
    </message>
    <message>
        <source>Cannot put %1%2 aside: %3; make its folder writable.</source>
        <translation>%1%2 kann nicht beiseitegelegt werden: %3; machen Sie den Ordner beschreibbar.</translation>
    </message>
    <message>
        <source>The id of a run must be a UUID, which &quot;%1&quot; is not; give it one (run.info.id in its JSON) and import it again.</source>
        <translation>Die Kennung eines Laufs muss eine UUID sein, was „%1“ nicht ist; geben Sie ihm eine (run.info.id in seinem JSON), und importieren Sie ihn noch einmal.</translation>
    </message>
    <message>
        <source>is not a valid pattern: %1</source>
        <translation>ist kein gültiges Muster: %1</translation>
    </message>
    <message>
        <source>Energy of the run / output tokens</source>
        <translation>Energie des Laufs / ausgegebene Token</translation>
    </message>
    <message>
        <source>Energy of the decode phase / tokens it produced</source>
        <translation>Energie der Dekodierphase / darin erzeugte Token</translation>
    </message>
    <message>
        <source>Energy of the prefill / input tokens; of a server, those it did not have in its cache</source>
        <translation>Energie des Prefills / Eingabetoken; eines Servers: die nicht aus seinem Zwischenspeicher kamen</translation>
    </message>
    <message>
        <source>Used during the run&apos;s own time, without the idle time before it</source>
        <translation>Während des Laufs selbst, ohne die Leerlaufzeit davor</translation>
    </message>
    <message>
        <source>Above the idle power of the machine</source>
        <translation>Über der Leerlaufleistung des Rechners</translation>
    </message>
    <message>
        <source>Energy of the run above the idle power / output tokens</source>
        <translation>Energie des Laufs über dem Leerlauf / ausgegebene Token</translation>
    </message>
    <message>
        <source>Energy of the run / million parameters that a token uses</source>
        <translation>Energie des Laufs / Millionen Parameter, die ein Token benutzt</translation>
    </message>
    <message>
        <source>Output tokens / energy of the run</source>
        <translation>Ausgegebene Token / Energie des Laufs</translation>
    </message>
    <message>
        <source>Largest mean power of a sample that overlaps the run</source>
        <translation>Größte mittlere Leistung eines Messwerts, der in den Lauf reicht</translation>
    </message>
    <message>
        <source>From the start of the run to its end</source>
        <translation>Vom Beginn des Laufs bis zu seinem Ende</translation>
    </message>
    <message>
        <source>From the start of the run to the end of the prefill</source>
        <translation>Vom Beginn des Laufs bis zum Ende des Prefills</translation>
    </message>
    <message>
        <source>95 % of the decoded tokens followed the previous one within this time</source>
        <translation>95 % der dekodierten Token kamen innerhalb dieser Zeit nach dem vorigen</translation>
    </message>
    <message>
        <source>Median of the decoded tokens that no other program disturbed</source>
        <translation>Median der decodierten Token, die kein anderes Programm gestört hat</translation>
    </message>
    <message>
        <source>Energy of the run / (input + output tokens)</source>
        <translation>Energie des Laufs / (Ein- und Ausgabetoken)</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>J/decoded token</source>
        <translation>J/dekodiertes Token</translation>
    </message>
    <message>
        <source>Wh/decoded token</source>
        <translation>Wh/dekodiertes Token</translation>
    </message>
    <message>
        <source>J/input token</source>
        <translation>J/Eingabetoken</translation>
    </message>
    <message>
        <source>Wh/input token</source>
        <translation>Wh/Eingabetoken</translation>
    </message>
    <message>
        <source>J/token (net)</source>
        <translation>J/Token (netto)</translation>
    </message>
    <message>
        <source>Wh/token (net)</source>
        <translation>Wh/Token (netto)</translation>
    </message>
    <message>
        <source>J/M parameters</source>
        <translation>J/Mio. Parameter</translation>
    </message>
    <message>
        <source>Wh/M parameters</source>
        <translation>Wh/Mio. Parameter</translation>
    </message>
    <message>
        <source>EDP</source>
        <translation>EDP</translation>
    </message>
    <message>
        <source>Tokens/J</source>
        <translation>Token/J</translation>
    </message>
    <message>
        <source>Token p95</source>
        <translation>Token p95</translation>
    </message>
    <message>
        <source>J/typical token</source>
        <translation>J/typ. Token</translation>
    </message>
    <message>
        <source>Wh/(in + out)</source>
        <translation>Wh/(Ein + Aus)</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>Token des Prompts</translation>
    </message>
    <message>
        <source>Cached prompt tokens</source>
        <translation>Token des Prompts aus dem Zwischenspeicher</translation>
    </message>
    <message>
        <source>Uncached prompt tokens (J/input token)</source>
        <translation>Berechnete Token des Prompts (J/Eingabetoken)</translation>
    </message>
    <message>
        <source>Output tokens (J/token)</source>
        <translation>Ausgabetoken (J/Token)</translation>
    </message>
    <message>
        <source>Decoded after the first (J/decoded token)</source>
        <translation>Nach dem ersten dekodiert (J/dekodiertes Token)</translation>
    </message>
    <message>
        <source>Reasoning tokens, in the output</source>
        <translation>Token des Nachdenkens, in der Ausgabe</translation>
    </message>
    <message>
        <source>Draft tokens</source>
        <translation>Entwurfstoken</translation>
    </message>
    <message>
        <source>Draft tokens accepted, in the output</source>
        <translation>Angenommene Entwurfstoken, in der Ausgabe</translation>
    </message>
    <message>
        <source>not stated by the server</source>
        <translation>vom Server nicht angegeben</translation>
    </message>
    <message>
        <source>The model %1 is no longer there.</source>
        <translation>Das Modell %1 ist nicht mehr da.</translation>
    </message>
    <message>
        <source>%1 has further fields that are %2</source>
        <translation>%1 hat weitere Felder: %2</translation>
    </message>
    <message>
        <source>%1 has further fields that are no object, as {&quot;tool_calls&quot;: []} is</source>
        <translation>Die weiteren Felder von %1 sind kein Objekt wie {&quot;tool_calls&quot;: []}</translation>
    </message>
    <message>
        <source>tools is %1</source>
        <translation>tools ist %1</translation>
    </message>
    <message>
        <source>The folder %1 could not be made: %2; choose another place.</source>
        <translation>Der Ordner %1 konnte nicht angelegt werden: %2; wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A: %1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B: %1</translation>
    </message>
    <message>
        <source>J/(in + out)</source>
        <translation>J/(Ein + Aus)</translation>
    </message>
    <message>
        <source>Energy x duration</source>
        <translation>Energie × Dauer</translation>
    </message>
    <message>
        <source>Energy / duration</source>
        <translation>Energie / Dauer</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Decode phase only</source>
        <translation>Nur Dekodierphase</translation>
    </message>
    <message>
        <source>%1 of waiting</source>
        <translation>%1 durch Warten</translation>
    </message>
    <message>
        <source>Compare takes 2 to 4 runs or groups of repeats, but %1 are selected; select fewer in History.</source>
        <translation>Vergleichen lassen sich 2 bis 4 Läufe oder Gruppen von Wiederholungen, ausgewählt sind aber %1; wählen Sie im Verlauf weniger.</translation>
    </message>
    <message>
        <source>Prefill tokens per second</source>
        <translation>Prefill-Token je Sekunde</translation>
    </message>
    <message>
        <source>Compare takes 2 to 4 runs or groups of repeats, but the %1 selected runs form %2; select fewer in History.</source>
        <translation>Vergleichen lassen sich 2 bis 4 Läufe oder Gruppen von Wiederholungen, die %1 ausgewählten Läufe bilden aber %2; wählen Sie im Verlauf weniger.</translation>
    </message>
    <message>
        <source>The device %1 exists, but fails a test matmul (%2): choose the device cpu.</source>
        <translation>Das Gerät %1 gibt es, aber ein Probeprodukt misslingt (%2): Wählen Sie das Gerät cpu.</translation>
    </message>
    <message>
        <source>Apple&apos;s energy counters</source>
        <translation>Energiezähler von Apple</translation>
    </message>
    <message>
        <source>Apple&apos;s powermetrics</source>
        <translation>powermetrics von Apple</translation>
    </message>
    <message>
        <source>NVIDIA graphics cards</source>
        <translation>Grafikkarten von NVIDIA</translation>
    </message>
    <message>
        <source>Energy counters of the processor</source>
        <translation>Energiezähler des Prozessors</translation>
    </message>
    <message>
        <source>Power meters of the system</source>
        <translation>Leistungsmessgeräte des Systems</translation>
    </message>
    <message>
        <source>Battery</source>
        <translation>Akku</translation>
    </message>
    <message>
        <source>Replay of a recording</source>
        <translation>Wiedergabe einer Aufzeichnung</translation>
    </message>
    <message>
        <source>Model of the processor</source>
        <translation>Modell des Prozessors</translation>
    </message>
    <message>
        <source>No energy, timing only</source>
        <translation>Keine Energie, nur Zeiten</translation>
    </message>
    <message>
        <source>Intel graphics cards</source>
        <translation>Grafikkarten von Intel</translation>
    </message>
    <message>
        <source>There is no energy counter of an Intel graphics card in %1; choose another power source.</source>
        <translation>In %1 gibt es keinen Energiezähler einer Grafikkarte von Intel; wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>The energy counter of the graphics card in %1 cannot be read; its readings are missing.</source>
        <translation>Der Energiezähler der Grafikkarte in %1 ist nicht lesbar; seine Werte fehlen.</translation>
    </message>
    <message>
        <source>The energy counter of an Intel graphics card.</source>
        <translation>Der Energiezähler einer Grafikkarte von Intel.</translation>
    </message>
    <message>
        <source>The energy counters of %1 Intel graphics cards.</source>
        <translation>Die Energiezähler von %1 Grafikkarten von Intel.</translation>
    </message>
    <message>
        <source>1 uJ, counters that the driver reads when asked</source>
        <translation>1 uJ, Zähler, die der Treiber auf Anfrage liest</translation>
    </message>
    <message>
        <source>Prefill tokens/s</source>
        <translation>Prefill-Token/s</translation>
    </message>
    <message>
        <source>Input tokens / duration of the prefill; of a server, those it did not have in its cache</source>
        <translation>Eingabetoken / Dauer des Prefills; bei einem Server jene, die er nicht im Cache hatte</translation>
    </message>
    <message>
        <source>%1. Not enough data. %2</source>
        <translation>%1. Nicht zu entscheiden. %2</translation>
    </message>
    <message>
        <source>%1: saves up to %2, %3 of the run, predicted</source>
        <translation>%1: spart bis zu %2, %3 des Laufs, vorhergesagt</translation>
    </message>
    <message>
        <source>--prompt-cache, with prompts that begin alike</source>
        <translation>--prompt-cache, mit gleich beginnenden Prompts</translation>
    </message>
    <message>
        <source>The computer slept for %1 (%2 into the run), which belongs to no part of the run; samples that overlap this time are discarded.</source>
        <translation>Der Rechner schlief %1 lang (%2 nach Beginn des Laufs), was zu keinem Teil des Laufs gehört; Messungen, die in diese Zeit fallen, werden verworfen.</translation>
    </message>
    <message>
        <source>The program was stopped for %1 (%2 into the run), which belongs to no part of the run; samples that overlap this time are discarded.</source>
        <translation>Das Programm war %1 lang angehalten (%2 nach Beginn des Laufs), was zu keinem Teil des Laufs gehört; Messungen, die in diese Zeit fallen, werden verworfen.</translation>
    </message>
    <message>
        <source>%1 on %2 in %3</source>
        <translation>%1 auf %2 in %3</translation>
    </message>
    <message>
        <source>The runs of %1 do not determine a prediction: other programs used more than %2 of the processor in %3 of them, which are left out. Profile some on a quiet machine, of at least three different lengths.</source>
        <translation>Die Läufe von %1 erlauben keine Vorhersage: in %3 davon nutzten andere Programme mehr als %2 des Prozessors, diese zählen nicht. Einige auf einer ruhigen Maschine profilieren, mit mindestens drei verschiedenen Längen.</translation>
    </message>
    <message>
        <source>There is no complete run of %1 to predict from: profile some, of at least three different lengths.</source>
        <translation>Für eine Vorhersage gibt es keinen vollständigen Lauf von %1: einige mit mindestens drei verschiedenen Längen messen.</translation>
    </message>
    <message>
        <source>The runs of %1 do not determine a prediction within a factor of two (%2 so far): profile more, of at least three different lengths.</source>
        <translation>Die Läufe von %1 bestimmen keine Vorhersage auf einen Faktor zwei genau (bisher %2): mehr mit mindestens drei verschiedenen Längen messen.</translation>
    </message>
    <message>
        <source>The model&apos;s context ends after %1 tokens, so no run can have these lengths.</source>
        <translation>Der Kontext des Modells endet nach %1 Token, darum kann kein Lauf diese Längen haben.</translation>
    </message>
    <message>
        <source>The energies of the runs do not determine a prediction within a factor of two.</source>
        <translation>Die Energien der Läufe bestimmen keine Vorhersage auf einen Faktor zwei genau.</translation>
    </message>
    <message>
        <source>The energies are modelled from the load of the whole machine, so they depend on what else runs.</source>
        <translation>Die Energien sind aus der Last des ganzen Rechners modelliert und hängen davon ab, was sonst läuft.</translation>
    </message>
    <message>
        <source>The idle power was not taken as a baseline: programs beside the run used %1 of the processor while it was measured, so net energies are unknown; close them and repeat the run.</source>
        <translation>Die Ruheleistung wurde nicht als Grundlast genommen: Während ihrer Messung brauchten andere Programme %1 des Prozessors, darum sind Nettoenergien unbekannt; schließen Sie diese und wiederholen Sie den Lauf.</translation>
    </message>
    <message>
        <source>It is too close to tell: repeat the run.</source>
        <translation>Zu knapp, um es zu entscheiden: den Lauf wiederholen.</translation>
    </message>
    <message>
        <source>The machine was in low-power mode.</source>
        <translation>Der Rechner war im Stromsparmodus.</translation>
    </message>
    <message>
        <source>No power sensor works on this machine, so there are times and no energies: ask for --power modelled (estimates them from the processor&apos;s load) or --power none; energy-profiler doctor says how to measure.</source>
        <translation>Auf diesem Rechner arbeitet kein Leistungssensor, darum gibt es Zeiten und keine Energien: --power modelled verlangen (schätzt sie aus der Last des Prozessors) oder --power none; energy-profiler doctor sagt, wie man misst.</translation>
    </message>
    <message>
        <source>--power modelled</source>
        <translation>--power modelled</translation>
    </message>
    <message>
        <source>the power source Modelled</source>
        <translation>die Leistungsquelle „Modelliert“</translation>
    </message>
    <message>
        <source>--power none; energy-profiler doctor</source>
        <translation>--power none; energy-profiler doctor</translation>
    </message>
    <message>
        <source>Welch&apos;s t-test of the logarithms.</source>
        <translation>t-Test nach Welch der Logarithmen.</translation>
    </message>
    <message>
        <source>Student&apos;s t-test of the logarithms of the pairs&apos; ratios.</source>
        <translation>t-Test nach Student der Logarithmen der Verhältnisse in den Paaren.</translation>
    </message>
    <message>
        <source>Bets on the pairs, whose interval holds however often it is looked at.</source>
        <translation>Wetten auf die Paare, deren Intervall gilt, wie oft man es auch ansieht.</translation>
    </message>
    <message>
        <source>No p-value: a value is not above zero.</source>
        <translation>Kein p-Wert: Ein Wert ist nicht größer als null.</translation>
    </message>
    <message>
        <source>No p-value: a test needs at least 3 pairs, and there are %1.</source>
        <translation>Kein p-Wert: Ein Test braucht mindestens 3 Paare, und es sind %1.</translation>
    </message>
    <message>
        <source>energy per token</source>
        <translation>Energie je Token</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>any amount more</source>
        <translation>beliebig viel mehr</translation>
    </message>
    <message>
        <source>%1 % less</source>
        <translation>%1 % weniger</translation>
    </message>
    <message>
        <source>%1 % more</source>
        <translation>%1 % mehr</translation>
    </message>
    <message>
        <source>%1 needs %2 % less %3 than %4.</source>
        <translation>%1 braucht %2 % weniger %3 als %4.</translation>
    </message>
    <message>
        <source>%1 needs %2 % less %3 than %4 (%5 to %6 %).</source>
        <translation>%1 braucht %2 % weniger %3 als %4 (%5 bis %6 %).</translation>
    </message>
    <message>
        <source>About %1 more repeat on each side would tell.</source>
        <translation>Etwa %1 weitere Wiederholung auf jeder Seite würde es zeigen.</translation>
    </message>
    <message>
        <source>About %1 more repeats on each side would tell.</source>
        <translation>Etwa %1 weitere Wiederholungen auf jeder Seite würden es zeigen.</translation>
    </message>
    <message>
        <source>About %1 more pair would tell.</source>
        <translation>Etwa %1 weiteres Paar würde es zeigen.</translation>
    </message>
    <message>
        <source>About %1 more pairs would tell.</source>
        <translation>Etwa %1 weitere Paare würden es zeigen.</translation>
    </message>
    <message>
        <source>About %1 more pair would tell (%2 to %3).</source>
        <translation>Etwa %1 weiteres Paar würde es zeigen (%2 bis %3).</translation>
    </message>
    <message>
        <source>About %1 more pairs would tell (%2 to %3).</source>
        <translation>Etwa %1 weitere Paare würden es zeigen (%2 bis %3).</translation>
    </message>
    <message>
        <source>About %1 more repeats of each would tell.</source>
        <translation>Etwa %1 weitere Wiederholungen von beiden würden es zeigen.</translation>
    </message>
    <message>
        <source>It is not known which of %1 and %2 needs less %3.</source>
        <translation>Es ist nicht bekannt, ob %1 oder %2 weniger %3 braucht.</translation>
    </message>
    <message>
        <source>In these runs, %1 needs %2 %3 than %4; a verdict needs at least %5 repeats on each side.</source>
        <translation>In diesen Läufen braucht %1 %2 %3 als %4; ein Urteil braucht mindestens %5 Wiederholungen auf jeder Seite.</translation>
    </message>
    <message>
        <source>It is not known which needs less %1: %2 needs from %3 to %4 than %5.</source>
        <translation>Es ist nicht bekannt, was weniger %1 braucht: %2 braucht von %3 bis %4 als %5.</translation>
    </message>
    <message>
        <source>%1 and %2 differ by no more than %3 % in %4.</source>
        <translation>%1 und %2 unterscheiden sich um höchstens %3 % (%4).</translation>
    </message>
    <message>
        <source>%1 (%2 % interval from %3 to %4)</source>
        <translation>%1 (%2-%-Intervall von %3 bis %4)</translation>
    </message>
    <message>
        <source>no difference above %1</source>
        <translation>kein Unterschied über %1</translation>
    </message>
    <message>
        <source>no difference above %1, %2</source>
        <translation>kein Unterschied über %1, %2</translation>
    </message>
    <message>
        <source>%1, %2 corrected for %3 tests</source>
        <translation>%1, %2 korrigiert für %3 Tests</translation>
    </message>
    <message>
        <source>may be chance</source>
        <translation>kann Zufall sein</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>different</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>%1 needs the least %2 of these %3 cells.</source>
        <translation>%1 braucht die wenigste %2 dieser %3 Zellen.</translation>
    </message>
    <message>
        <source>No cell needs the least %1 for certain: %2 has the lowest mean, but its difference from %3 may be chance.</source>
        <translation>Keine Zelle braucht sicher die wenigste %1: %2 hat das niedrigste Mittel, aber der Unterschied zu %3 kann Zufall sein.</translation>
    </message>
    <message>
        <source>At this pace, that takes less than a minute.</source>
        <translation>In diesem Tempo dauert das weniger als eine Minute.</translation>
    </message>
    <message>
        <source>At this pace, that takes %1 minute.</source>
        <translation>In diesem Tempo dauert das %1 Minute.</translation>
    </message>
    <message>
        <source>At this pace, that takes %1 minutes.</source>
        <translation>In diesem Tempo dauert das %1 Minuten.</translation>
    </message>
    <message>
        <source>The text of %1 is worse than that of %2: its perplexity is %3 higher.</source>
        <translation>Der Text von %1 ist schlechter als der von %2: Seine Perplexität ist um %3 höher.</translation>
    </message>
    <message>
        <source>The text of %1 is worse than that of %2: its perplexity is %3 higher (%4 to %5).</source>
        <translation>Der Text von %1 ist schlechter als der von %2: Seine Perplexität ist um %3 höher (%4 bis %5).</translation>
    </message>
    <message>
        <source>No other model was found.</source>
        <translation>Es wurde kein anderes Modell gefunden.</translation>
    </message>
    <message>
        <source>Write a setting.</source>
        <translation>Geben Sie eine Einstellung ein.</translation>
    </message>
    <message>
        <source>A verdict needs energies: choose a power source in Live.</source>
        <translation>Ein Urteil braucht Energien: Wählen Sie in Live eine Quelle der Leistung.</translation>
    </message>
    <message>
        <source>Write the first command.</source>
        <translation>Geben Sie den ersten Befehl ein.</translation>
    </message>
    <message>
        <source>Both settings are the same; choose something else.</source>
        <translation>Beide Einstellungen sind gleich; wählen Sie etwas anderes.</translation>
    </message>
    <message>
        <source>%1 % of a full battery</source>
        <translation>%1 % einer vollen Batterie</translation>
    </message>
    <message>
        <source>%1 %2 pJ/byte, %3 pJ/FLOP, %4</source>
        <translation>%1 %2 pJ/Byte, %3 pJ/FLOP, %4</translation>
    </message>
    <message>
        <source>%1 answers like this in a row, %2 at one every three minutes</source>
        <translation>%1 Antworten wie diese hintereinander, %2 bei einer alle drei Minuten</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 an %2</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>%1 Bit je Gewicht</translation>
    </message>
    <message>
        <source>%1 cache</source>
        <translation>Cache: %1</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in, %2 out</source>
        <translation>%1 ein, %2 aus</translation>
    </message>
    <message>
        <source>%1 of %2 tokens differ</source>
        <translation>%1 von %2 Token verschieden</translation>
    </message>
    <message>
        <source>%1 of the rated %2</source>
        <translation>%1 der Nennleistung %2</translation>
    </message>
    <message>
        <source>%1 of the run's time was spent recording: %2; %3</source>
        <translation>%1 der Zeit des Laufs kostete das Aufzeichnen: %2; %3</translation>
    </message>
    <message>
        <source>%1 over %2, %3 samples, after the model was loaded; %4 old</source>
        <translation>%1 über %2, %3 Messwerte, nach dem Laden des Modells; %4 alt</translation>
    </message>
    <message>
        <source>%1 over %2, %3 samples, before the model was loaded; %4 old</source>
        <translation>%1 über %2, %3 Messwerte, vor dem Laden des Modells; %4 alt</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>%1 process</source>
        <translation>%1 Prozess</translation>
    </message>
    <message>
        <source>%1 processes</source>
        <translation>%1 Prozesse</translation>
    </message>
    <message>
        <source>%1 processors on average</source>
        <translation>%1 Prozessoren im Mittel</translation>
    </message>
    <message>
        <source>%1 sample; interval median %2 ms, p95 %3 ms, asked %4 ms; largest gap %5 ms; covers %6</source>
        <translation>%1 Messwert; Abstand im Median %2 ms, p95 %3 ms, gefordert %4 ms; größte Lücke %5 ms; deckt %6 ab</translation>
    </message>
    <message>
        <source>%1 samples; interval median %2 ms, p95 %3 ms, asked %4 ms; largest gap %5 ms; covers %6</source>
        <translation>%1 Messwerte; Abstand im Median %2 ms, p95 %3 ms, gefordert %4 ms; größte Lücke %5 ms; decken %6 ab</translation>
    </message>
    <message>
        <source>%1 sequences, %2 in, %3 out</source>
        <translation>%1 Sequenzen, %2 ein, %3 aus</translation>
    </message>
    <message>
        <source>%1 spans at %2 ns</source>
        <translation>%1 Spannen zu %2 ns</translation>
    </message>
    <message>
        <source>%1 statistics at %2 ns</source>
        <translation>%1 Statistiken zu %2 ns</translation>
    </message>
    <message>
        <source>%1 windows, condition number %2</source>
        <translation>%1 Fenster, Konditionszahl %2</translation>
    </message>
    <message>
        <source>%1, %2 CO₂; at %3 USD/kWh, %4 g/kWh</source>
        <translation>%1, %2 CO₂; bei %3 USD/kWh, %4 g/kWh</translation>
    </message>
    <message>
        <source>%1, the median of the decoded tokens</source>
        <translation>%1, der Median der dekodierten Token</translation>
    </message>
    <message>
        <source>%1, the median of the decoded tokens without the %2 of %3 that other programs disturbed</source>
        <translation>%1, der Median der dekodierten Token ohne die %2 von %3, die andere Programme gestört haben</translation>
    </message>
    <message>
        <source>%1: %2 samples</source>
        <translation>%1: %2 Messwerte</translation>
    </message>
    <message>
        <source>%1: %2 sample</source>
        <translation>%1: %2 Messwert</translation>
    </message>
    <message>
        <source>Also measured</source>
        <translation>Außerdem gemessen</translation>
    </message>
    <message>
        <source>Answers per charge</source>
        <translation>Antworten pro Ladung</translation>
    </message>
    <message>
        <source>Attribution</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Decode, by the server</source>
        <translation>Dekodieren, laut Server</translation>
    </message>
    <message>
        <source>Decode, by this program</source>
        <translation>Dekodieren, laut diesem Programm</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Device, number format</source>
        <translation>Gerät, Zahlenformat</translation>
    </message>
    <message>
        <source>Ended by signal</source>
        <translation>Beendet durch Signal</translation>
    </message>
    <message>
        <source>Energy Profiler</source>
        <translation>Energy Profiler</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Exact times</source>
        <translation>Genaue Zeiten</translation>
    </message>
    <message>
        <source>Exit status</source>
        <translation>Exit-Status</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>Forward passes with a known name</source>
        <translation>Vorwärtsläufe mit bekanntem Namen</translation>
    </message>
    <message>
        <source>Gross and net energy</source>
        <translation>Brutto- und Nettoenergie</translation>
    </message>
    <message>
        <source>Heads (keys and values)</source>
        <translation>Köpfe (Schlüssel und Werte)</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Layers x width</source>
        <translation>Schichten x Breite</translation>
    </message>
    <message>
        <source>LibTorch, BLAS</source>
        <translation>LibTorch, BLAS</translation>
    </message>
    <message>
        <source>Load, by the server</source>
        <translation>Laden, laut Server</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Names without a place in the vocabulary: %1</source>
        <translation>Namen ohne Platz im Vokabular: %1</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Power source</source>
        <translation>Leistungsquelle</translation>
    </message>
    <message>
        <source>Processor time</source>
        <translation>Prozessorzeit</translation>
    </message>
    <message>
        <source>Prompt, by the server</source>
        <translation>Prompt, laut Server</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>Recording overhead</source>
        <translation>Kosten der Aufzeichnung</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Verweigert</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Share of rated power</source>
        <translation>Anteil der Nennleistung</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>Geteilt</translation>
    </message>
    <message>
        <source>Spans in the run</source>
        <translation>Spannen im Lauf</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Typical token</source>
        <translation>Typisches Token</translation>
    </message>
    <message>
        <source>Unknown names</source>
        <translation>Unbekannte Namen</translation>
    </message>
    <message>
        <source>Weights in memory</source>
        <translation>Gewichte im Speicher</translation>
    </message>
    <message>
        <source>Without recording</source>
        <translation>Ohne Aufzeichnung</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>attention: %1</source>
        <translation>Attention: %1</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>parts add up within %1 of the whole</source>
        <translation>Teile ergeben das Ganze bis auf %1 davon</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>energy per token without recording %1</source>
        <translation>Energie je Token ohne Aufzeichnung %1</translation>
    </message>
    <message>
        <source>every figure contains the cost of recording: prefill %1, decode %2 time</source>
        <translation>jede Größe enthält die Kosten der Aufzeichnung: Prefill %1, Dekodieren %2 Zeit</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>none (timing only)</source>
        <translation>keine (nur Zeiten)</translation>
    </message>
    <message>
        <source>power shifted by %1 ms</source>
        <translation>Leistung um %1 ms verschoben</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>split by %1</source>
        <translation>verteilt nach %1</translation>
    </message>
    <message>
        <source>standard deviation %1</source>
        <translation>Standardabweichung %1</translation>
    </message>
    <message>
        <source>stored as %1</source>
        <translation>gespeichert als %1</translation>
    </message>
    <message>
        <source>synchronising made a token take %1 times as long</source>
        <translation>durch Synchronisieren dauerte ein Token %1-mal so lange</translation>
    </message>
    <message>
        <source>temperature %1, top-k %2, top-p %3, min-p %4, repetition penalty %5, seed %6</source>
        <translation>Temperatur %1, Top-k %2, Top-p %3, Min-p %4, Wiederholungsstrafe %5, Startwert %6</translation>
    </message>
    <message>
        <source>the same %1 tokens</source>
        <translation>dieselben %1 Token</translation>
    </message>
    <message>
        <source>token %1 (mean)</source>
        <translation>Token %1 (Mittel)</translation>
    </message>
    <message>
        <source>with %1 overlapping requests, by tokens in flight</source>
        <translation>mit %1 überlappenden Anfragen, nach gleichzeitigen Token</translation>
    </message>
    <message>
        <source>without recording %1, with it %2</source>
        <translation>ohne Aufzeichnung %1, mit ihr %2</translation>
    </message>
    <message>
        <source>the calibration is for decoded tokens: prefill uses other kernels and is split without it</source>
        <translation>die Kalibrierung gilt für erzeugte Token: Prefill nutzt andere Kernel und wird ohne sie aufgeteilt</translation>
    </message>
    <message>
        <source>Prompt, cached</source>
        <translation>Prompt, aus dem Cache</translation>
    </message>
    <message>
        <source>Taken from the prompt cache, which costs nothing</source>
        <translation>Aus dem Prompt-Cache genommen, was nichts kostet</translation>
    </message>
    <message>
        <source>Prompt, computed</source>
        <translation>Prompt, berechnet</translation>
    </message>
    <message>
        <source>Energy of the step that reads the prompt</source>
        <translation>Energie des Schritts, der den Prompt liest</translation>
    </message>
    <message>
        <source>The rest of the decoding steps</source>
        <translation>Der Rest der Dekodierschritte</translation>
    </message>
    <message>
        <source>Energy of proposing them</source>
        <translation>Energie des Vorschlagens</translation>
    </message>
    <message>
        <source>Their share of the steps that confirmed them</source>
        <translation>Ihr Anteil an den Schritten, die sie bestätigten</translation>
    </message>
    <message>
        <source>Their share of the steps that rejected them</source>
        <translation>Ihr Anteil an den Schritten, die sie verwarfen</translation>
    </message>
    <message>
        <source>Not drafted</source>
        <translation>Nicht vorgeschlagen</translation>
    </message>
    <message>
        <source>Between steps</source>
        <translation>Zwischen den Schritten</translation>
    </message>
    <message>
        <source>What prefill and decode used outside of their steps</source>
        <translation>Was Prefill und Decode außerhalb ihrer Schritte verbrauchten</translation>
    </message>
    <message>
        <source>more than the %1 that were asked for</source>
        <translation>mehr als die %1, die verlangt waren</translation>
    </message>
    <message>
        <source>but sent %1 parts of an answer</source>
        <translation>hat aber %1 Teile einer Antwort geschickt</translation>
    </message>
    <message>
        <source>The calibration was made with %1: calibrate again.</source>
        <translation>Die Kalibrierung wurde mit %1 gemacht: Kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>more than can be computed in %1</source>
        <translation>mehr, als sich in %1 rechnen lassen</translation>
    </message>
    <message>
        <source>%1 of %2 rows of %3 state exactly %4, whatever their length: a counter with one coarse step, such as that of a battery.</source>
        <translation>%1 von %2 Zeilen von %3 nennen genau %4, wie lang sie auch sind: ein Zähler mit einem groben Schritt, wie der einer Batterie.</translation>
    </message>
    <message>
        <source>%1 of %2 rows of %3 state exactly %4.</source>
        <translation>%1 von %2 Zeilen von %3 nennen genau %4.</translation>
    </message>
    <message>
        <source>%1 is above 1.2 x its rated %2 in %3 (up to %4).</source>
        <translation>%1 liegt in %3 über dem 1,2-Fachen der Nennleistung von %2 (bis %4).</translation>
    </message>
    <message>
        <source>%1 is above 1.2 x its rated %2 in %3 (up to %4): a step of load that the sensor overshoots.</source>
        <translation>%1 liegt in %3 über dem 1,2-Fachen der Nennleistung von %2 (bis %4): ein Lastsprung, bei dem der Sensor überschwingt.</translation>
    </message>
    <message>
        <source>The counter of %1 moves in a single step over %2 rows, so it says nothing about when the energy was used.</source>
        <translation>Der Zähler von %1 bewegt sich über %2 Zeilen in einem einzigen Schritt und sagt daher nicht, wann die Energie gebraucht wurde.</translation>
    </message>
    <message>
        <source>LibTorch's functions compute the %1, because the kernel for %2 cannot be used: %3.</source>
        <translation>Die Funktionen von LibTorch rechnen %1, weil der Kernel für %2 nicht benutzt werden kann: %3.</translation>
    </message>
    <message>
        <source>Weights of the type %1 are dequantized before each matmul, because the kernels for %2 cannot be used: %3.</source>
        <translation>Gewichte des Typs %1 werden vor jedem Matrixprodukt dequantisiert, weil die Kernel für %2 nicht benutzt werden können: %3.</translation>
    </message>
    <message>
        <source>The weights are stored in %1 and were dequantized to %2 on loading: the run moves more bytes than one that computes from the stored type, as the processor does with --dtype auto.</source>
        <translation>Die Gewichte sind in %1 gespeichert und wurden beim Laden nach %2 dequantisiert: Der Lauf bewegt mehr Bytes als einer, der aus dem gespeicherten Typ rechnet, wie es der Prozessor mit --dtype auto tut.</translation>
    </message>
    <message>
        <source>The weights are stored in %1 and were dequantized to %2 on loading: with --dtype auto they need less memory.</source>
        <translation>Die Gewichte sind in %1 gespeichert und wurden beim Laden nach %2 dequantisiert: mit --dtype auto brauchen sie weniger Speicher.</translation>
    </message>
    <message>
        <source>The weights stay in %1 on the device %2 and are dequantized for each matmul, which has no kernel for them: a matmul then moves more bytes than are stored. With --dtype f16 they are dequantized once, on loading, and need more memory.</source>
        <translation>Die Gewichte bleiben auf dem Gerät %2 in %1 und werden für jedes Matrixprodukt dequantisiert, das keinen Kernel für sie hat: Ein Matrixprodukt bewegt dann mehr Bytes, als gespeichert sind. Mit --dtype f16 werden sie einmal, beim Laden, dequantisiert und brauchen mehr Speicher.</translation>
    </message>
    <message>
        <source>%1 of the weights are stored in fewer bits (%2) than they get with --dtype %3: they take %4 instead of %5, which costs what such a file costs, and are no more accurate than stored.</source>
        <translation>%1 der Gewichte sind in weniger Bits gespeichert (%2), als sie mit --dtype %3 bekommen: Sie belegen %4 statt %5, was so viel kostet wie eine solche Datei, und sind nicht genauer als gespeichert.</translation>
    </message>
    <message>
        <source>than they get with --dtype</source>
        <translation>als sie mit --dtype</translation>
    </message>
    <message>
        <source>than they get in the format</source>
        <translation>als sie im Format</translation>
    </message>
    <message>
        <source>%1 of the weights are rounded a second time, from %2 to %3: a file made of the unrounded model is more accurate.</source>
        <translation>%1 der Gewichte werden ein zweites Mal gerundet, von %2 auf %3: Eine Datei, die aus dem ungerundeten Modell entstand, ist genauer.</translation>
    </message>
    <message>
        <source>The checkpoint holds %1 tensor that the architecture does not use, among them %2.</source>
        <translation>Der Checkpoint enthält %1 Tensor, den die Architektur nicht benutzt, darunter %2.</translation>
    </message>
    <message>
        <source>The checkpoint holds %1 tensors that the architecture does not use, among them %2.</source>
        <translation>Der Checkpoint enthält %1 Tensoren, die die Architektur nicht benutzt, darunter %2.</translation>
    </message>
    <message>
        <source>The %1, %2 parameters, is not loaded.</source>
        <translation>%1, %2 Parameter, wird nicht geladen.</translation>
    </message>
    <message>
        <source>%1 W idle</source>
        <translation>%1 W im Leerlauf</translation>
    </message>
    <message>
        <source>%1 W full</source>
        <translation>%1 W bei voller Last</translation>
    </message>
    <message>
        <source>The trace has %1 processes or ranks; the run shows the one with the most operators, %2.</source>
        <translation>Die Aufzeichnung hat %1 Prozesse oder Ränge; der Lauf zeigt den mit den meisten Operatoren, %2.</translation>
    </message>
    <message>
        <source>Choose another device.</source>
        <translation>Wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Choose another power source.</source>
        <translation>Wählen Sie eine andere Leistungsquelle.</translation>
    </message>
    <message>
        <source>powermetrics stopped delivering after %1 readings; the run continues without power from this point.</source>
        <translation>powermetrics lieferte nach %1 Messwerten nichts mehr; der Lauf geht von hier an ohne Leistung weiter.</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>Layers %1</source>
        <translation>Schichten %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>quality of %1</source>
        <translation>Qualität von %1</translation>
    </message>
    <message>
        <source>Messages take the place of the prompt: give one of them.</source>
        <translation>Nachrichten treten an die Stelle des Prompts: geben Sie eines von beiden an.</translation>
    </message>
    <message>
        <source>Draft tokens are for a draft: name the draft, or leave them out.</source>
        <translation>Entwurfstoken gehören zu einem Entwurf: Nennen Sie den Entwurf, oder lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>Tools are for messages: give the messages, or leave the tools out.</source>
        <translation>Werkzeuge gehören zu Nachrichten: geben Sie die Nachrichten an, oder lassen Sie die Werkzeuge weg.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>die Einstellungen</translation>
    </message>
    <message>
        <source>names no architecture: add &quot;architectures&quot;, for example [&quot;LlamaForCausalLM&quot;]</source>
        <translation>nennt keine Architektur: Ergänzen Sie &quot;architectures&quot;, zum Beispiel [&quot;LlamaForCausalLM&quot;]</translation>
    </message>
    <message>
        <source>it has no matrix token_embd.weight</source>
        <translation>Die Matrix token_embd.weight fehlt</translation>
    </message>
    <message>
        <source>is null, and layers without positions are not supported: use attach with a server that runs the model</source>
        <translation>ist null, und Schichten ohne Positionen werden nicht unterstützt: Hängen Sie sich an einen Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>rotates another share of each head in some layers, which is not supported: use attach with a server that runs the model</source>
        <translation>dreht in manchen Schichten einen anderen Teil jedes Kopfes, was nicht unterstützt wird: Hängen Sie sich an einen Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>is a setting of positions that this program does not know: use attach with a server that runs the model</source>
        <translation>ist eine Einstellung der Positionen, die dieses Programm nicht kennt: Hängen Sie sich an einen Server, der das Modell ausführt</translation>
    </message>
    <message>
        <source>there is no message; give at least one</source>
        <translation>es gibt keine Nachricht; geben Sie mindestens eine an</translation>
    </message>
    <message>
        <source>has no &quot;messages&quot;</source>
        <translation>hat keine &quot;messages&quot;</translation>
    </message>
    <message>
        <source>has &quot;conversations&quot;, which is another form; write &quot;messages&quot; with &quot;role&quot; and &quot;content&quot;</source>
        <translation>hat &quot;conversations&quot;, was eine andere Form ist; schreiben Sie &quot;messages&quot; mit &quot;role&quot; und &quot;content&quot;</translation>
    </message>
    <message>
        <source>has &quot;functions&quot;, the older form of tools; write &quot;tools&quot;</source>
        <translation>hat &quot;functions&quot;, die ältere Form von Werkzeugen; schreiben Sie &quot;tools&quot;</translation>
    </message>
    <message>
        <source>an image</source>
        <translation>ein Bild</translation>
    </message>
    <message>
        <source>audio</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>a video</source>
        <translation>ein Video</translation>
    </message>
    <message>
        <source>a file</source>
        <translation>eine Datei</translation>
    </message>
    <message>
        <source>The server at %1 did not answer: %2</source>
        <translation>Der Server auf %1 hat nicht geantwortet: %2</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>kein Unterschied</translation>
    </message>
    <message>
        <source>these runs only</source>
        <translation>nur diese Läufe</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>abgeleitet</translation>
    </message>
    <message>
        <source>only in the baseline</source>
        <translation>nur in der Vergleichsbasis</translation>
    </message>
    <message>
        <source>only here</source>
        <translation>nur hier</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>niedriger</translation>
    </message>
    <message>
        <source>higher</source>
        <translation>höher</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 (sd %2, n %3)</source>
        <translation>%1 (Standardabw. %2, n %3)</translation>
    </message>
    <message>
        <source>these runs</source>
        <translation>diesen Läufen</translation>
    </message>
    <message>
        <source>Between operations</source>
        <translation>Zwischen Operationen</translation>
    </message>
    <message>
        <source>pre-inference</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>post-inference</source>
        <translation>Nachbereitung</translation>
    </message>
    <message>
        <source>the queue</source>
        <translation>die Warteschlange</translation>
    </message>
    <message>
        <source>the KV cache</source>
        <translation>den KV-Cache</translation>
    </message>
    <message>
        <source>the layers</source>
        <translation>die Schichten</translation>
    </message>
    <message>
        <source>Other phases</source>
        <translation>Andere Phasen</translation>
    </message>
    <message>
        <source>Rest of the layers</source>
        <translation>Rest der Schichten</translation>
    </message>
    <message>
        <source>Rest of the run</source>
        <translation>Rest des Laufs</translation>
    </message>
    <message>
        <source>work that is not counted</source>
        <translation>nicht gezählte Arbeit</translation>
    </message>
    <message>
        <source>%1; net energy %2; idle machine %3</source>
        <translation>%1; Nettoenergie %2; Leerlauf %3</translation>
    </message>
    <message>
        <source>%1; net energy unknown without a baseline</source>
        <translation>%1; Nettoenergie unbekannt, da die Leerlaufleistung fehlt</translation>
    </message>
    <message>
        <source>%1; net energy unknown: the baseline needs more in the same time, %2</source>
        <translation>%1; Nettoenergie unbekannt: Der Leerlauf braucht in derselben Zeit mehr, %2</translation>
    </message>
    <message>
        <source>from the power of a recorded capture, not of this run; it says nothing about this machine</source>
        <translation>aus der Leistung einer Aufzeichnung, nicht dieses Laufs; sie sagt nichts über diesen Rechner</translation>
    </message>
    <message>
        <source>from the power of a simulated machine; it says nothing about this one</source>
        <translation>aus der Leistung eines simulierten Rechners; sie sagt nichts über diesen</translation>
    </message>
    <message>
        <source>Measured by %1</source>
        <translation>Gemessen von %1</translation>
    </message>
    <message>
        <source>Attributed: the run&apos;s share of the samples of %1</source>
        <translation>Zugeordnet: der Anteil des Laufs an den Messwerten von %1</translation>
    </message>
    <message>
        <source>No energy from the power source %1</source>
        <translation>Keine Energie von der Leistungsquelle %1</translation>
    </message>
    <message>
        <source>“%1” cannot be tried by a study: %2</source>
        <translation>„%1“ kann nicht mit einer Studie ausprobiert werden: %2</translation>
    </message>
    <message>
        <source>Checked, accepted</source>
        <translation>Geprüft, angenommen</translation>
    </message>
    <message>
        <source>Checked, rejected</source>
        <translation>Geprüft, verworfen</translation>
    </message>
    <message>
        <source>Proposed</source>
        <translation>Vorgeschlagen</translation>
    </message>
    <message>
        <source>Largest attention weight</source>
        <translation>Größtes Aufmerksamkeitsgewicht</translation>
    </message>
    <message>
        <source>Attention sparsity</source>
        <translation>Dünnbesetztheit der Aufmerksamkeit</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Don't Save</source>
        <translation>Nicht speichern</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>ep::ui::ImportPowerDialog</name>
    <message>
        <source>Align the clocks</source>
        <translation>Uhren angleichen</translation>
    </message>
    <message>
        <source>Describe the columns myself</source>
        <translation>Spalten selbst beschreiben</translation>
    </message>
    <message>
        <source>Rail</source>
        <translation>Schiene</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Rule of the sum</source>
        <translation>Summenregel</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>Covered</source>
        <translation>Abgedeckt</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Import Power Recording</source>
        <translation>Leistungsaufzeichnung importieren</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Rails</source>
        <translation>Schienen</translation>
    </message>
    <message>
        <source>Read Again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Requests:</source>
        <translation>Anfragen:</translation>
    </message>
    <message>
        <source>Where the file does not say:</source>
        <translation>Wo die Datei nichts angibt:</translation>
    </message>
    <message>
        <source>Clock:</source>
        <translation>Uhr:</translation>
    </message>
    <message>
        <source>File of the requests</source>
        <translation>Datei der Anfragen</translation>
    </message>
    <message>
        <source>vLLM result, usage as JSON lines, llama-bench, log of llama-server, CSV</source>
        <translation>Ergebnis von vLLM, Verbrauch als JSON-Zeilen, llama-bench, Protokoll von llama-server, CSV</translation>
    </message>
    <message>
        <source>Unit: as stated</source>
        <translation>Einheit: wie angegeben</translation>
    </message>
    <message>
        <source>Interval of the rows in s</source>
        <translation>Abstand der Zeilen in s</translation>
    </message>
    <message>
        <source>Time zone: +02:00, Europe/Berlin</source>
        <translation>Zeitzone: +02:00, Europe/Berlin</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>Zeitzone</translation>
    </message>
    <message>
        <source>Seconds to add</source>
        <translation>Sekunden dazu</translation>
    </message>
    <message>
        <source>Seconds to add to the times of the power</source>
        <translation>Sekunden, die zu den Zeiten der Leistung kommen</translation>
    </message>
    <message>
        <source>Finds the difference of the clocks from the load and the power.</source>
        <translation>Findet den Unterschied der Uhren aus Last und Leistung.</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>The interval of the rows must be a number of seconds.</source>
        <translation>Der Abstand der Zeilen muss eine Zahl von Sekunden sein.</translation>
    </message>
    <message>
        <source>The difference of the clocks must be a number of seconds.</source>
        <translation>Der Unterschied der Uhren muss eine Zahl von Sekunden sein.</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>doubtful</source>
        <translation>zweifelhaft</translation>
    </message>
    <message>
        <source>poor: nothing will be derived from it</source>
        <translation>schlecht: Daraus wird nichts abgeleitet</translation>
    </message>
    <message>
        <source>%1: %2, %3 rows. Verdict: %4.</source>
        <translation>%1: %2, %3 Zeilen. Urteil: %4.</translation>
    </message>
    <message>
        <source>Request %1, %2</source>
        <translation>Anfrage %1, %2</translation>
    </message>
    <message>
        <source>Requests %1 to %2</source>
        <translation>Anfragen %1 bis %2</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>ep::ui::PowerColumnTable</name>
    <message>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>nicht gelesen</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>start of a window</source>
        <translation>Beginn eines Fensters</translation>
    </message>
    <message>
        <source>length of a window</source>
        <translation>Länge eines Fensters</translation>
    </message>
    <message>
        <source>power at an instant</source>
        <translation>Leistung zu einem Zeitpunkt</translation>
    </message>
    <message>
        <source>mean power of a window</source>
        <translation>mittlere Leistung eines Fensters</translation>
    </message>
    <message>
        <source>energy of a window</source>
        <translation>Energie eines Fensters</translation>
    </message>
    <message>
        <source>running total of energy</source>
        <translation>laufende Summe der Energie</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
</context>
<context>
    <name>ep::ui::TotalsTab</name>
    <message>
        <source>Totals by</source>
        <translation>Summen nach</translation>
    </message>
    <message>
        <source>By day</source>
        <translation>Nach Tag</translation>
    </message>
    <message>
        <source>By month</source>
        <translation>Nach Monat</translation>
    </message>
    <message>
        <source>By model</source>
        <translation>Nach Modell</translation>
    </message>
    <message>
        <source>By server</source>
        <translation>Nach Server</translation>
    </message>
    <message>
        <source>Energy of the listed runs</source>
        <translation>Energie der gelisteten Läufe</translation>
    </message>
    <message>
        <source>Totals of the listed runs</source>
        <translation>Summen der gelisteten Läufe</translation>
    </message>
    <message>
        <source>Energies</source>
        <translation>Energien</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
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
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>CO₂</source>
        <translation>CO₂</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>Monat</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
</context>
<context>
    <name>ep::ui::CardsTab</name>
    <message>
        <source>Re&amp;move…</source>
        <translation>&amp;Entfernen…</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Machine, question, card</source>
        <translation>Rechner, Frage, Karte</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Energies</source>
        <translation>Energien</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>&amp;Measure…</source>
        <translation>&amp;Messen…</translation>
    </message>
    <message>
        <source>&amp;Add Cards…</source>
        <translation>Karten hin&amp;zufügen…</translation>
    </message>
    <message>
        <source>The cards contradict each other.</source>
        <translation>Die Karten widersprechen einander.</translation>
    </message>
    <message>
        <source>A: %1; B: %2</source>
        <translation>A: %1; B: %2</translation>
    </message>
    <message>
        <source>Add Cards</source>
        <translation>Karten hinzufügen</translation>
    </message>
    <message>
        <source>Cards (*.json)</source>
        <translation>Karten (*.json)</translation>
    </message>
    <message>
        <source>Remove Card</source>
        <translation>Karte entfernen</translation>
    </message>
    <message>
        <source>Delete the file %1?</source>
        <translation>Die Datei %1 löschen?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Results of comparisons, kept as cards. Cards of one class of machine and one question are pooled. Nothing is sent anywhere: pass the files on as you like.</source>
        <translation>Ergebnisse von Vergleichen, als Karten aufbewahrt. Karten einer Klasse von Maschinen und einer Frage werden zusammengefasst. Nichts wird irgendwohin gesendet: Geben Sie die Dateien weiter, wie Sie möchten.</translation>
    </message>
</context>
<context>
    <name>ep::ui::JobsTab</name>
    <message>
        <source>Re&amp;name…</source>
        <translation>Umbe&amp;nennen…</translation>
    </message>
    <message>
        <source>&amp;Merge…</source>
        <translation>&amp;Zusammenlegen…</translation>
    </message>
    <message>
        <source>&amp;Split Off…</source>
        <translation>Ab&amp;trennen…</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Aufträge</translation>
    </message>
    <message>
        <source>Job, request</source>
        <translation>Auftrag, Anfrage</translation>
    </message>
    <message>
        <source>Began</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>In</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>Im Cache</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Energy of each request</source>
        <translation>Energie jeder Anfrage</translation>
    </message>
    <message>
        <source>Energy of the prefill by the role of the text</source>
        <translation>Energie des Prefills nach der Rolle des Textes</translation>
    </message>
    <message>
        <source>The selected jobs become one</source>
        <translation>Die ausgewählten Aufträge werden einer</translation>
    </message>
    <message>
        <source>The selected requests become a job of their own</source>
        <translation>Die ausgewählten Anfragen werden ein eigener Auftrag</translation>
    </message>
    <message>
        <source>Rename Job</source>
        <translation>Auftrag umbenennen</translation>
    </message>
    <message>
        <source>Merge Jobs</source>
        <translation>Aufträge zusammenlegen</translation>
    </message>
    <message>
        <source>Split Off</source>
        <translation>Abtrennen</translation>
    </message>
    <message>
        <source>Select one job.</source>
        <translation>Wählen Sie einen Auftrag aus.</translation>
    </message>
    <message>
        <source>job %1</source>
        <translation>Auftrag %1</translation>
    </message>
    <message>
        <source>Name of the job:</source>
        <translation>Name des Auftrags:</translation>
    </message>
    <message>
        <source>There are no jobs of several requests.</source>
        <translation>Es gibt keine Aufträge aus mehreren Anfragen.</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunSidebar</name>
    <message>
        <source>d MMM</source>
        <comment>the date of a run, without its year</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>Without a model</source>
        <translation>Ohne Modell</translation>
    </message>
    <message>
        <source>No run matches</source>
        <translation>Kein Lauf passt</translation>
    </message>
    <message>
        <source>Compare Selected</source>
        <translation>Ausgewählte vergleichen</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>Läufe durchsuchen</translation>
    </message>
    <message>
        <source>Stored runs</source>
        <translation>Gespeicherte Läufe</translation>
    </message>
    <message>
        <source>Select several runs with Ctrl or Shift</source>
        <translation>Mehrere Läufe mit Strg oder Umschalt auswählen</translation>
    </message>
</context>
<context>
    <name>ep::ui::AnswerPanel</name>
    <message>
        <source>What the energy is divided by</source>
        <translation>Wonach die Energie aufgeteilt wird</translation>
    </message>
    <message>
        <source>By part</source>
        <translation>Nach Teil</translation>
    </message>
    <message>
        <source>By phase</source>
        <translation>Nach Phase</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>Nach Schicht</translation>
    </message>
    <message>
        <source>By token</source>
        <translation>Nach Token</translation>
    </message>
    <message>
        <source>At least: samples cover %1 of the run.</source>
        <translation>Mindestens: Messungen decken %1 des Laufs ab.</translation>
    </message>
    <message>
        <source>first token after %1</source>
        <translation>erstes Token nach %1</translation>
    </message>
</context>
<context>
    <name>ep::ui::GuideDialog</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>User Guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Find on this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
</context>
<context>
    <name>ep::ui::RepeatCourse</name>
    <message>
        <source>%1 per output token ± %2</source>
        <translation>%1 je Ausgabe-Token ± %2</translation>
    </message>
    <message>
        <source>%1 per output token</source>
        <translation>%1 je Ausgabe-Token</translation>
    </message>
    <message>
        <source>Energy per token after each run</source>
        <translation>Energie je Token nach jedem Lauf</translation>
    </message>
    <message>
        <source>Repeating the run until its energy per token is known to ± %1.</source>
        <translation>Der Lauf wird wiederholt, bis seine Energie je Token auf ± %1 bekannt ist.</translation>
    </message>
    <message>
        <source>So far %1 (%2, 95 % by the scatter of %3); the goal is ± %4.</source>
        <translation>Bisher %1 (%2, 95 % nach der Streuung von %3); das Ziel ist ± %4.</translation>
    </message>
    <message>
        <source>%1 (%2, 95 % by the scatter of %3). The goal of ± %4 is reached.</source>
        <translation>%1 (%2, 95 % nach der Streuung von %3). Das Ziel von ± %4 ist erreicht.</translation>
    </message>
    <message>
        <source>%1 (%2, 95 % by the scatter of %3). The goal of ± %4 was not reached: other programs disturb the runs, or they are too short.</source>
        <translation>%1 (%2, 95 % nach der Streuung von %3). Das Ziel von ± %4 wurde nicht erreicht: Andere Programme stören die Läufe, oder sie sind zu kurz.</translation>
    </message>
    <message>
        <source>Repeating narrows the scatter of the runs. Errors that all of them have in common remain; the interval of their mean in History and Analysis includes these.</source>
        <translation>Wiederholen verringert die Streuung der Läufe. Fehler, die alle gemeinsam haben, bleiben; das Intervall ihres Mittels in Verlauf und Analyse enthält sie.</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunPrediction</name>
    <message>
        <source>Until the context of %1 tokens is full: %2/token</source>
        <translation>Bis der Kontext von %1 Token voll ist: %2/Token</translation>
    </message>
    <message>
        <source>%1, cache %2</source>
        <translation>%1, Cache %2</translation>
    </message>
    <message>
        <source>Context: up to about %1 of %2 tokens</source>
        <translation>Kontext: bis zu etwa %1 von %2 Token</translation>
    </message>
    <message>
        <source>The context of %1 tokens ends the answer after about %2.</source>
        <translation>Der Kontext von %1 Token beendet die Antwort nach etwa %2.</translation>
    </message>
    <message>
        <source>No prediction yet for this model and format</source>
        <translation>Noch keine Vorhersage für dieses Modell und Format</translation>
    </message>
    <message>
        <source>Make a run with this format, then others can be predicted.</source>
        <translation>Starten Sie einen Lauf mit diesem Format, dann lassen sich weitere vorhersagen.</translation>
    </message>
    <message>
        <source>Predicted: %1/token (%2 to %3), %4 tokens/s (%5, from %6 of this model)</source>
        <translation>Vorhergesagt: %1/Token (%2 bis %3), %4 Token/s (%5; Grundlage: %6 dieses Modells)</translation>
    </message>
</context>
<context>
    <name>ep::ui::ChangeDesk</name>
    <message>
        <source>A run is in progress.</source>
        <translation>Ein Lauf ist im Gange.</translation>
    </message>
    <message>
        <source>The state before the change is recorded. Make the change, then measure again from Help &gt; Welcome.</source>
        <translation>Der Zustand vor der Änderung ist aufgezeichnet. Ändern Sie, dann messen Sie erneut über Hilfe &gt; Willkommen.</translation>
    </message>
</context>
<context>
    <name>ep::ui::RailMenu</name>
    <message>
        <source>Show All Rails</source>
        <translation>Alle Schienen zeigen</translation>
    </message>
    <message>
        <source>Choose which rails the chart shows</source>
        <translation>Auswählen, welche Schienen das Diagramm zeigt</translation>
    </message>
    <message>
        <source>Rails</source>
        <translation>Schienen</translation>
    </message>
</context>
<context>
    <name>ep::ui::RunControls</name>
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
    <message>
        <source>Run %1 of %2</source>
        <translation>Lauf %1 von %2</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>study</source>
        <translation>studie</translation>
    </message>
</context>
<context>
    <name>RunSidebar</name>
    <message>
        <source>Without a model</source>
        <translation>Ohne Modell</translation>
    </message>
</context>
<context>
    <name>ep::ui::CompareDialog</name>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>Compare With…</source>
        <translation>Vergleichen mit…</translation>
    </message>
    <message>
        <source>Another format</source>
        <translation>Ein anderes Format</translation>
    </message>
    <message>
        <source>Another setting</source>
        <translation>Eine andere Einstellung</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>Ein anderes Modell</translation>
    </message>
    <message>
        <source>A running server</source>
        <translation>Ein laufender Server</translation>
    </message>
    <message>
        <source>Two commands</source>
        <translation>Zwei Befehle</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>Differences up to this do not matter</source>
        <translation>Unterschiede bis hierhin sind ohne Belang</translation>
    </message>
    <message>
        <source>At most pairs</source>
        <translation>Höchstens Paare</translation>
    </message>
    <message>
        <source>At most minutes</source>
        <translation>Höchstens Minuten</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>a program with its arguments</source>
        <translation>ein Programm mit seinen Argumenten</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was verschieden ist</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>First command</source>
        <translation>Erster Befehl</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>such as prompt-cache=on,draft=ngram</source>
        <translation>etwa prompt-cache=on,draft=ngram</translation>
    </message>
    <message>
        <source>Each command has its own prompt and length and is started without a shell. Equal: the power source (%1).</source>
        <translation>Jeder Befehl hat seinen eigenen Prompt und seine eigene Länge und wird ohne Shell gestartet. Gleich: die Quelle der Leistung (%1).</translation>
    </message>
    <message>
        <source>Equal on both sides: the prompt in the model's chat template, %1 tokens each, sampling, device and power source (%2).</source>
        <translation>Auf beiden Seiten gleich: der Prompt in der Chat-Vorlage des Modells, je %1 Token, Sampling, Gerät und Quelle der Leistung (%2).</translation>
    </message>
    <message>
        <source>Equal on both sides: the prompt without a chat template, %1 tokens each, sampling, device and power source (%2).</source>
        <translation>Auf beiden Seiten gleich: der Prompt ohne Chat-Vorlage, je %1 Token, Sampling, Gerät und Quelle der Leistung (%2).</translation>
    </message>
    <message>
        <source>%1, as stored</source>
        <translation>%1, wie gespeichert</translation>
    </message>
</context>
<context>
    <name>ep::ui::ComparisonView</name>
    <message>
        <source>Open in Compare</source>
        <translation>Im Vergleich öffnen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Save as Card</source>
        <translation>Als Karte speichern</translation>
    </message>
    <message>
        <source>Difference after each pair</source>
        <translation>Unterschied nach jedem Paar</translation>
    </message>
    <message>
        <source>Waits for its turn.</source>
        <translation>Wartet, bis es an der Reihe ist.</translation>
    </message>
    <message>
        <source>Pair %1, %2</source>
        <translation>Paar %1, %2</translation>
    </message>
    <message>
        <source>%1 and %2 take turns, in random order, until it is known which of them needs less energy; that takes three pairs at least.</source>
        <translation>%1 und %2 wechseln sich in zufälliger Reihenfolge ab, bis bekannt ist, was weniger Energie braucht; das sind mindestens drei Paare.</translation>
    </message>
    <message>
        <source>Stopped before the first pair was complete.</source>
        <translation>Angehalten, bevor das erste Paar vollständig war.</translation>
    </message>
    <message>
        <source>Answer with %1</source>
        <translation>Antwort mit %1</translation>
    </message>
    <message>
        <source>%1/token · %2 tokens/s · %3</source>
        <translation>%1/Token · %2 Token/s · %3</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>Saved as %1; see History &gt; Display &gt; Cards.</source>
        <translation>Gespeichert als %1; siehe Verlauf &gt; Ansicht &gt; Karten.</translation>
    </message>
</context>
<context>
    <name>ep::ui::MachineDialog</name>
    <message>
        <source>Sensors of this machine</source>
        <translation>Sensoren dieses Rechners</translation>
    </message>
    <message>
        <source>Sensors that cannot be read here</source>
        <translation>Sensoren, die hier nicht lesbar sind</translation>
    </message>
    <message>
        <source>Without a sensor</source>
        <translation>Ohne Sensor</translation>
    </message>
    <message>
        <source>Sensors of other platforms</source>
        <translation>Sensoren anderer Plattformen</translation>
    </message>
    <message>
        <source>This Machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Sensors</source>
        <translation>Sensoren</translation>
    </message>
    <message>
        <source>Power sources</source>
        <translation>Leistungsquellen</translation>
    </message>
    <message>
        <source>Use Modelled</source>
        <translation>Modelliert verwenden</translation>
    </message>
    <message>
        <source>&amp;Run 5 s Load Test</source>
        <translation>5 s lang eine Last &amp;messen</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Measures how fast this machine computes and reads memory in each number format, and what that costs. Runs are explained by comparison with it. It takes about ten seconds: close other programs.</source>
        <translation>Misst, wie schnell dieser Rechner in jedem Zahlenformat rechnet und Speicher liest, und was das kostet. Läufe werden durch den Vergleich damit erklärt. Es dauert etwa zehn Sekunden: Schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>Limits of this machine</source>
        <translation>Grenzen dieses Rechners</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Per byte</source>
        <translation>Je Byte</translation>
    </message>
    <message>
        <source>Per FLOP</source>
        <translation>Je FLOP</translation>
    </message>
    <message>
        <source>Static power</source>
        <translation>Statische Leistung</translation>
    </message>
    <message>
        <source>Power source</source>
        <translation>Leistungsquelle</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Kalibrierung</translation>
    </message>
    <message>
        <source>Repeats each kind of component of %1 alone and measures what it costs; later runs of the model on this machine are split by that. It takes some minutes: close other programs, and connect a laptop to its power supply.</source>
        <translation>Wiederholt jede Art von Komponente von %1 einzeln und misst, was sie kostet; spätere Läufe des Modells auf diesem Rechner werden danach aufgeteilt. Das dauert einige Minuten: Schließen Sie andere Programme und verbinden Sie einen Laptop mit dem Stromnetz.</translation>
    </message>
    <message>
        <source>Kinds of components</source>
        <translation>Arten von Komponenten</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Share of a token</source>
        <translation>Anteil am Token</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Twice in a token</source>
        <translation>Doppelt im Token</translation>
    </message>
    <message>
        <source>Not used because</source>
        <translation>Nicht verwendet, weil</translation>
    </message>
    <message>
        <source>C&amp;alibrate</source>
        <translation>K&amp;alibrieren</translation>
    </message>
    <message>
        <source>Self-Test</source>
        <translation>Selbsttest</translation>
    </message>
    <message>
        <source>Checks all that the program needs of this machine; it takes less than two minutes.</source>
        <translation>Prüft alles, was das Programm von diesem Rechner braucht; das dauert weniger als zwei Minuten.</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>&amp;Copy as JSON</source>
        <translation>Als JSON &amp;kopieren</translation>
    </message>
    <message>
        <source>Not run yet.</source>
        <translation>Noch nicht gelaufen.</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>This is the complete report: it contains no prompts, responses or names of runs. Read it, then save or copy it; nothing is sent anywhere.</source>
        <translation>Das ist alles, was ein Bericht enthielte: kein Prompt, keine Antwort, kein Name eines Laufs. Lesen Sie es, dann speichern oder kopieren Sie es; nichts wird irgendwohin gesendet.</translation>
    </message>
    <message>
        <source>Contents of the report</source>
        <translation>Was ein Bericht enthielte</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern…</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>For a bug report</source>
        <translation>Für einen Fehlerbericht</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Make &amp;Ready (about %1 s)</source>
        <translation>Be&amp;reit machen (etwa %1 s)</translation>
    </message>
    <message>
        <source>Make &amp;Ready (about %1 min)</source>
        <translation>Be&amp;reit machen (etwa %1 min)</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>Noch nicht gemessen.</translation>
    </message>
    <message>
        <source>This machine was not calibrated with this model yet.</source>
        <translation>Dieser Rechner wurde mit diesem Modell noch nicht kalibriert.</translation>
    </message>
    <message>
        <source>Calibrated on %1 with %2.</source>
        <translation>Kalibriert am %1 mit %2.</translation>
    </message>
    <message>
        <source>Measured: %1.</source>
        <translation>Gemessen: %1.</translation>
    </message>
    <message>
        <source>Stored: runs on this machine are now compared with these limits.</source>
        <translation>Gespeichert: Läufe auf diesem Rechner werden jetzt mit diesen Grenzen verglichen.</translation>
    </message>
    <message>
        <source>Not used: %1</source>
        <translation>Nicht verwendet: %1</translation>
    </message>
    <message>
        <source>Calibrated: later runs of this model use it.</source>
        <translation>Kalibriert: Spätere Läufe dieses Modells verwenden es.</translation>
    </message>
    <message>
        <source>All checks that apply to this machine passed.</source>
        <translation>Alle Prüfungen, die es auf diesem Rechner gibt, sind bestanden.</translation>
    </message>
    <message>
        <source>%1 of %2 checks failed; each says what to do. Copy the result as JSON to report it.</source>
        <translation>%1 von %2 Prüfungen sind fehlgeschlagen; jede sagt, was zu tun ist. Kopieren Sie das Ergebnis als JSON, um es zu melden.</translation>
    </message>
    <message>
        <source>No power sensor works on this computer: Automatic records times and no joules. Modelled estimates the power from the processor's utilisation.</source>
        <translation>Auf diesem Computer arbeitet kein Leistungssensor: „Automatisch“ misst Zeiten und keine Joule. „Modelliert“ schätzt die Leistung aus der Auslastung des Prozessors.</translation>
    </message>
    <message>
        <source>Energy can be measured on this computer: %1.</source>
        <translation>Auf diesem Rechner kann Energie gemessen werden: %1.</translation>
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
</TS>
