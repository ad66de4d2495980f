/* One line, read by simdjson; a reader for loops.c. */
#include <simdjson.h>

extern "C" {
const char *name = "simdjson, a tree";

bool
read_line(const char *line, size_t n)
{
	static simdjson::dom::parser parser;

	/* What comes behind a line may be read, too. */
	return parser.parse(line, n, false).error() == simdjson::SUCCESS;
}
}
