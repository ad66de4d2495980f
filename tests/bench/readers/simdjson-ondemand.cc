/* One line, gone through by simdjson as far as its members, which are skipped:
 * its strings and brackets are found and its UTF-8 checked, but not what stands
 * between them. A reader for loops.c. */
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
