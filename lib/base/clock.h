/* Time for limits and waits. It never reaches what a filter writes. */
#ifndef CLOCK_H
#define CLOCK_H

/* Seconds since some point in the past; no change of the date moves it. */
double clock_now(void);

#endif
