/* A reader for loops.c: reads a line with cJSON. */
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

const char *name = "cJSON, a tree";

bool
read_line(const char *line, size_t n)
{
	cJSON *tree = cJSON_ParseWithLength(line, n);

	cJSON_Delete(tree);
	return tree != NULL;
}
