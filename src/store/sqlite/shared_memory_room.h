// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Room on the disk for the memory that SQLite's connections share.
//
// It is a mapped file (-shm). SQLite extends it by writing the last byte of each page of 4 KB, and
// counts on the file system to allocate the whole page. With smaller blocks (ext4 with 1 KB), the
// others stay holes, and touching them on a full disk ends the program (SIGBUS). With their blocks
// reserved first, SQLite gets an error for a full disk instead.
namespace ep::store {

// Takes effect for every file that SQLite opens from now on. Does nothing if the file system
// cannot reserve blocks. Any thread, any number of times; call it after keepLocksOfSqlite().
void reserveSharedMemory();

} // namespace ep::store
