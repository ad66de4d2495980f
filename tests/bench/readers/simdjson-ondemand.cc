/* A reader for loops.c: finds the members of a line with simdjson and skips their
 * values. simdjson finds strings and brackets and checks UTF-8, but does not check
 * the text between them. */
#include <simdjson.h>

extern "C" {
const char *name = "simdjson, on demand";

bool
read_line(const char *line, size_t n)
{
	static simdjson::ondemand::parser parser;
	simdjson::ondemand::document document;
	simdjson::ondemand::object object;
	size_t behind = simdjson::SIMDJSON_PADDING;

	if (parser.iterate(line, n, n + behind).get(document) ||
	    document.get_object().get(object))
		return false;
	for (auto member : object)
		if (member.error())
			return false;
	return true;
}
}
