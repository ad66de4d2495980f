#include "io/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void
on_signal(int number)
{
	(void)number;
	came = 1;
}

void
interrupt_watch(void)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	struct sigaction now = { .sa_flags = SA_RESETHAND }, before;

	now.sa_handler = on_signal;
	sigemptyset(&now.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (sigaction(numbers[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &now, NULL);
}

bool
interrupt_came(void)
{
	return came != 0;
}
