/* The input is a log for which a map is drafted. The map must be right. */
#include <stdlib.h>

#include "base/diag.h"
#include "extract/draft/draft.h"
#include "extract/map/map.h"
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct str rest = { (const char *)data, n };
	struct json_reader reader = { 0 };
	struct draft draft = { 0 };
	struct arena rules = { 0 };
	struct out out;

	while (rest.s != NULL) {
		struct json_error error;
		const struct json *record =
		    json_read(&reader, str_cut(&rest, '\n'), NULL, &error);

		if (record != NULL)
			draft_add(&draft, record);
	}
	out_open_memory(&out);
	if (draft_write(&draft, &out)) {
		struct map *map =
		    map_read_known(&rules, "draft", out_memory(&out));

		if (map == NULL || diag_errors() != 0)
			abort();
		map_close(map);
	}
	out_close(&out);
	draft_free(&draft);
	arena_free(&rules);
	json_reader_free(&reader);
	return 0;
}
