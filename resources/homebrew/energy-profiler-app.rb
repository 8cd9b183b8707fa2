# SPDX-License-Identifier: GPL-3.0-or-later
# The disk image of a release. `sha256` is set when there is one.
cask "energy-profiler-app" do
  version "0.1.0"
  sha256 :no_check

  url "https://github.com/energy-profiler/energy-profiler/releases/download/v#{version}/energy-profiler-#{version}-arm64.dmg"
  name "Energy Profiler"
  desc "Shows where the joules of a transformer's inference go"
  homepage "https://github.com/energy-profiler/energy-profiler"

  depends_on arch: :arm64
  depends_on macos: ">= :sonoma"

  app "Energy Profiler.app"
  binary "#{appdir}/Energy Profiler.app/Contents/MacOS/energy-profiler"

  zap trash: [
    "~/Library/Application Support/Energy Profiler",
    "~/Library/Preferences/io.github.energy-profiler.EnergyProfiler.plist",
  ]

  caveats <<~EOS
    powermetrics needs one sudoers rule; this script shows it before it writes it:
      "#{appdir}/Energy Profiler.app/Contents/Resources/setup_powermetrics.sh"
  EOS
end
