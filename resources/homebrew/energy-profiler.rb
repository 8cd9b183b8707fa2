# SPDX-License-Identifier: GPL-3.0-or-later
# Builds from source: brew install --HEAD ./resources/homebrew/energy-profiler.rb
# A release adds `url` and `sha256` of its source archive.
class EnergyProfiler < Formula
  desc "Shows where the joules of a transformer's inference go"
  homepage "https://github.com/energy-profiler/energy-profiler"
  license "GPL-3.0-or-later"
  head "https://github.com/energy-profiler/energy-profiler.git", branch: "main"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "qttools" => :build
  depends_on "boost"
  depends_on "brotli"
  depends_on "cli11"
  depends_on "expat"
  depends_on "libzip"
  depends_on "nlohmann-json"
  depends_on "pcre2"
  depends_on "pytorch"
  depends_on "qtbase"
  depends_on "qtcharts"
  depends_on "utf8proc"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DEP_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    bin.write_exec_script prefix/"Energy Profiler.app/Contents/MacOS/energy-profiler"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/energy-profiler --version") unless build.head?
    system bin/"energy-profiler", "run", "--model", "demo-llama-5m", "--prompt", "The old man",
           "--max-new-tokens", "4", "--power", "none", "--db", testpath/"runs.db"
  end
end
