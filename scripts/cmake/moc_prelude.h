// SPDX-License-Identifier: GPL-3.0-or-later
// Read by moc before each header. Before version 6.5.3, moc fails on the attribute that libstdc++
// puts on namespace std, which <concepts> and headers that include it contain.
#define _GLIBCXX_VISIBILITY(x)
