// SPDX-License-Identifier: GPL-3.0-or-later
// Read by moc before each header. Before Qt 6.5.3 it stumbles over the attribute that libstdc++
// puts on namespace std, which <concepts> and what includes it show.
#define _GLIBCXX_VISIBILITY(x)
