#include "io/content_folder.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "io/list_files.h"
#include "io/out.h"

/* The values of the paths that were written. */
static char was_there, is_new;

struct str
content_folder_add(struct content_folder *f, struct str text)
{
	struct str name = sha256_hex(&f->arena, text);
	char *path = str_c(&f->arena,
	    str_printf(
		&f->arena, "%s/%.*s%s", f->path, STR_FMT(name), f->ending));
	struct out file;
	void **known;

	(void)mkdir(f->path, 0777); /* out_open() tells if there is none */
	f->written.arena = &f->arena;
	known = hash_put(&f->written, str_of(path));
	if (*known == NULL)
		*known = access(path, F_OK) == 0 ? &was_there : &is_new;
	out_open(&file, path, false);
	out_str(&file, text);
	return out_close(&file) ? name : (struct str){ 0 };
}

/* Returns whether the file is in the folder itself, and has a name such as
 * content_folder_add() gives. */
static bool
is_ours(const struct content_folder *f, const char *path)
{
	const char *name = path + strlen(f->path) + 1;

	return strspn(name, "0123456789abcdef") == SHA256_HEX &&
	    strcmp(name + SHA256_HEX, f->ending) == 0;
}

void
content_folder_end(struct content_folder *f, bool keep)
{
	struct folder all = list_files(&f->arena, f->path);

	f->written.arena = &f->arena;
	for (size_t i = 0; i < all.n; i++) {
		void *known = hash_get(&f->written, str_of(all.paths[i]));

		if (is_ours(f, all.paths[i]) &&
		    known == (keep ? NULL : &is_new))
			(void)unlink(all.paths[i]);
	}
	(void)rmdir(f->path); /* if nothing is left in it */
	arena_free(&f->arena);
}
