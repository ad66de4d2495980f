/* Time for limits and waits. It never reaches what a filter writes. */
#pragma once

/* Seconds since some point in the past; no change of the date moves it. */
double clock_now(void);
