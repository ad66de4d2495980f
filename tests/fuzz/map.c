/* The input is a map, a line with only a NUL byte, and a log that is read by the map.
 * The output must be traces. */
#include "extract/map/map.h"
#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
read_log(const struct map *map, struct builder *b, struct str text)
{
	struct json_reader reader = { 0 };
	struct arena arena = { 0 }, scratch = { 0 };
	struct log log = { .builder = b,
		.arena = &arena,
		.scratch = &scratch,
		.path = "log",
		.context = map_format(map)->context };
	struct json_error error;

	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');
		const struct json *r = json_read(&reader, line, NULL, &error);

		if (r == NULL)
			continue;
		arena_reset(&scratch);
		log.counted = r->text.s;
		map_format(map)->read(&log, r);
	}
	map_format(map)->end(&log);
	json_reader_free(&reader);
	arena_free(&arena);
	arena_free(&scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct str text = { (const char *)data, n };
	size_t split = str_find(text, (struct str){ "\n\0\n", 3 });
	struct arena rules = { 0 };
	struct builder b;
	struct out out;
	struct map *map;
	size_t errors = diag_errors();

	diag_quiet();
	map = map_read_known(&rules, "map", str_slice(text, 0, split));
	if (map != NULL && diag_errors() == errors) {
		out_open_memory(&out);
		builder_init(&b,
		    &(struct builder_options){ .out = &out,
			.trace = { .format = "fuzz", .results = SIZE_MAX } });
		read_log(map, &b, str_from(text, split));
		builder_close(&b);
		check_traces(out_memory(&out));
		out_close(&out);
	}
	map_close(map);
	arena_free(&rules);
	return 0;
}
