# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the small language model that Energy Profiler bundles as its demo."""
