/*
 * A keeper is a process between this program and a program that it runs. The
 * keeper adopts every process that the program leaves behind, also one that
 * left the program's process group and session (setsid), and kills them all
 * when the program ends. Each program has a keeper of its own, so that programs
 * that run at once do not touch each other's processes. Only Linux has keepers,
 * and a keeper finds strangers only if /proc is mounted; otherwise the process
 * group of the program is all that is killed.
 */
#pragma once

#include <sys/types.h>

/* Forks the calling process, which becomes the keeper and does not return, and
 * returns 0 in the child, which is to become the program in a process group of
 * its own. Returns -1, with errno, if no process can be made. The keeper closes
 * the descriptors below `open` and ends as the program ends. */
int keeper_fork(int open);

/* Makes the keeper, which keeper_fork's caller became, kill the program and all
 * its descendants, and end. Without keepers, kills the program's group. */
void keeper_stop(pid_t);
