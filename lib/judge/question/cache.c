#include "judge/question/cache.h"

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/sha256.h"
#include "io/out.h"
#include "io/slurp.h"
#include "json/json.h"

bool
cache_open(const char *dir, bool only_read)
{
	struct stat st;

	if (!only_read && mkdir(dir, 0777) == 0)
		return true;
	if (stat(dir, &st) != 0)
		return false;
	if (!S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return false;
	}
	return access(dir, only_read ? R_OK | X_OK : R_OK | W_OK | X_OK) == 0;
}

struct cache_key
cache_key(struct arena *a, struct str request)
{
	return (struct cache_key){ request, sha256_hex(a, request) };
}

const char *
cache_path(struct arena *a, const char *dir, struct cache_key key)
{
	return str_c(
	    a, str_printf(a, "%s/%.*s.json", dir, STR_FMT(key.digest)));
}

/* Returns whether the stored request is the one that the digest in the file's
 * name stands for. Another tool may have reformatted the file. */
static bool
is_same(const struct json *stored, struct str request)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	bool same = stored != NULL &&
	    (str_eq(stored->text, request) ||
		json_equal(stored, json_read(&reader, request, NULL, &error)));

	json_reader_free(&reader);
	return same;
}

struct str
cache_get(struct arena *a, const char *dir, struct cache_key key)
{
	const char *path = cache_path(a, dir, key);
	struct place at = { .file = path };
	struct str text, reply = { 0 };
	struct json_reader reader = { 0 };
	struct json_error error = { 0 };
	const struct json *file;
	int64_t version;

	if (!slurp_file(a, path, SIZE_MAX, &text)) {
		if (errno != ENOENT)
			diag_warn(at, "cache: cannot read:");
		return reply;
	}
	file = json_read(&reader, text, NULL, &error);
	if (file == NULL)
		diag_warn(at, "cache: file skipped: not JSON: %s", error.why);
	else if (!json_int(json_get(file, "v"), &version) || version != 1 ||
	    json_get(file, "reply") == NULL ||
	    !is_same(json_get(file, "request"), key.request))
		diag_warn(
		    at, "cache: file skipped: not the reply to this request");
	else
		reply = json_get(file, "reply")->text;
	json_reader_free(&reader);
	return reply;
}

bool
cache_put(
    struct arena *a, const char *dir, struct cache_key key, struct str reply)
{
	struct out o;

	out_open(&o, cache_path(a, dir, key), false);
	out_text(&o, "{\"v\":1,\n\"request\":");
	out_str(&o, key.request);
	out_text(&o, ",\n\"reply\":");
	out_str(&o, reply);
	out_text(&o, "}\n");
	return out_close(&o);
}
