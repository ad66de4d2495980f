#include "judge/http/libcurl.h"

#ifdef CURL_LINKED

void
curl_library_load(struct curl_library *c)
{
	*c = (struct curl_library){
		.global_init = curl_global_init,
		.global_cleanup = curl_global_cleanup,
		.getdate = curl_getdate,
		.slist_append = curl_slist_append,
		.slist_free_all = curl_slist_free_all,
		.easy_init = curl_easy_init,
		.easy_setopt = curl_easy_setopt,
		.easy_getinfo = curl_easy_getinfo,
		.easy_strerror = curl_easy_strerror,
		.easy_cleanup = curl_easy_cleanup,
		.multi_init = curl_multi_init,
		.multi_setopt = curl_multi_setopt,
		.multi_add_handle = curl_multi_add_handle,
		.multi_remove_handle = curl_multi_remove_handle,
		.multi_perform = curl_multi_perform,
		.multi_poll = curl_multi_poll,
		.multi_info_read = curl_multi_info_read,
		.multi_cleanup = curl_multi_cleanup,
	};
}

#else

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

#ifdef __APPLE__
static const char *const names[] = { "libcurl.4.dylib" };
#else
/* The interface is the same, whichever TLS library is behind it: the first that
 * is there is taken. The second is Debian's with GnuTLS. */
#define USUAL "libcurl.so.4"
#define GNUTLS "libcurl-gnutls.so.4"
static const char *const names[] = { USUAL, GNUTLS };
#endif

#ifdef __ELF__
/* So that packagers' tools see what is loaded, as they see what is linked
 * (uapi-group.org: ELF dlopen metadata). */
#define LOADED \
	"[{\"soname\":[\"" USUAL "\",\"" GNUTLS "\"],\"feature\":\"judge\"," \
	"\"description\":\"Ask a judge\",\"priority\":\"recommended\"}]"

static const struct {
	uint32_t owner_size, text_size, type;
	char owner[4], text[(sizeof LOADED + 3) / 4 * 4];
} note __attribute__((used, section(".note.dlopen"), aligned(4))) = {
	.owner_size = sizeof note.owner,
	.text_size = sizeof LOADED,
	.type = 0x407c0c0a,
	.owner = "FDO",
	.text = LOADED,
};
#endif

/* Where each function is kept. */
#define FUNCTION(x) "curl_" #x, offsetof(struct curl_library, x)

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{ FUNCTION(global_init) },
	{ FUNCTION(global_cleanup) },
	{ FUNCTION(getdate) },
	{ FUNCTION(slist_append) },
	{ FUNCTION(slist_free_all) },
	{ FUNCTION(easy_init) },
	{ FUNCTION(easy_setopt) },
	{ FUNCTION(easy_getinfo) },
	{ FUNCTION(easy_strerror) },
	{ FUNCTION(easy_cleanup) },
	{ FUNCTION(multi_init) },
	{ FUNCTION(multi_setopt) },
	{ FUNCTION(multi_add_handle) },
	{ FUNCTION(multi_remove_handle) },
	{ FUNCTION(multi_perform) },
	{ FUNCTION(multi_poll) },
	{ FUNCTION(multi_info_read) },
	{ FUNCTION(multi_cleanup) },
};

static _Noreturn void
give_up(const char *why)
{
	diag_die("cannot load libcurl, which sends the requests (on Debian: "
		 "apt-get install libcurl4): %s",
	    why);
}

static void *
open_any(void)
{
	char why[512] = "";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

		if (library != NULL)
			return library;
		if (i == 0)
			snprintf(why, sizeof why, "%s", dlerror());
	}
	give_up(why);
}

void
curl_library_load(struct curl_library *c)
{
	void *library = open_any();

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *found = dlsym(library, functions[i].name);

		if (found == NULL)
			give_up(dlerror());
		/* ISO C casts no such pointer to one to a function. */
		memcpy((char *)c + functions[i].offset, &found, sizeof found);
	}
}

#endif
