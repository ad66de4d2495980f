/*
 * A pipe holds 64 KiB unless it is asked to hold more: less than we read or
 * write at once, so that the programs at its ends would wait for each other by
 * turns instead of working side by side.
 */
#pragma once

/* Lets it hold 512 KiB, if it is a pipe and the system grants that; what is not
 * and what holds more already stays as it is. More is hardly faster, and of
 * 64 MiB in all pipes of a user Linux makes new ones small (pipe(7)). */
void pipe_widen(int fd);
