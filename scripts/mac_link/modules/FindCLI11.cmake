# SPDX-License-Identifier: GPL-3.0-or-later
include(HeadersAlone)
ep_headers_alone(CLI11 CLI/CLI.hpp CLI11::CLI11 2.4)
