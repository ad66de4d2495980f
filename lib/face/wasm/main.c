/* The commands in the module: the name of the program says which of them runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int check_main(int, char **);
int extract_main(int, char **);
int report_main(int, char **);
int __main_void(
    void); /* of the C library: calls main with the host's arguments */

/* Runs the command that the host's arguments name. Does not return: the host gets the
 * status with the end of the program. */
__attribute__((export_name("run"))) void run(void);

int
main(int argc, char **argv)
{
	const char *name = argc == 0 ? "" : argv[0], *here = getenv("PWD");

	/* The module has no folder of its own that relative paths begin at. */
	if (here != NULL && chdir(here) != 0)
		fprintf(stderr, "%s: %s: cannot be entered\n", name, here);
	if (strstr(name, "mcpl-extract") != NULL)
		return extract_main(argc, argv);
	if (strstr(name, "mcpl-check") != NULL)
		return check_main(argc, argv);
	if (strstr(name, "mcpl-report") != NULL)
		return report_main(argc, argv);
	fprintf(stderr, "%s: no such command in this module\n", name);
	return 2;
}

void
run(void)
{
	exit(__main_void());
}
