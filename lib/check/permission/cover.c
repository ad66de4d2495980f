#include "check/permission/cover.h"

#include "check/rule/rule.h"

/* The first words of commands: alternatives have | between them. */
struct beginning {
	const char *words;
	unsigned more; /* words that a line also names */
	bool runs;     /* what follows is a command of its own */
};

/* The first row that a command begins with holds; else the program is named alone. */
static const struct beginning beginnings[] = {
	{ "git stash|remote|worktree|submodule|notes|lfs|bisect|config", 1,
	    false },
	{ "npm|pnpm|yarn|bun run|run-script|exec|workspace|dlx|x", 1, false },
	{ "docker|podman compose exec|run", 1, true },
	{ "docker|podman exec|run", 1, true },
	{ "docker|podman compose|container|image|volume|network|system|buildx",
	    1, false },
	{ "poetry|uv|pipenv|pdm|hatch|rye run", 0, true },
	{ "bundle|mise|devbox exec|run", 0, true },
	{ "direnv exec", 1, true },
	{ "gh|aws|gcloud|az|oc|vault", 2, false },
	{ "kubectl config|rollout|auth|top|create", 1, false },
	{ "terraform|tofu state|workspace", 1, false },
	{ "helm repo|get", 1, false },
	{ "uv|go|cargo|dotnet|nix|deno|supabase|wrangler "
	  "pip|tool|mod|ef|flake|store|task|run|db|functions|d1|kv",
	    1, false },
	{ "sh|bash|zsh|dash|ksh|python*|node|ruby|perl|php -c|-e|-r|-lc|-", 0,
	    false },
	{ "python*|node -m", 1, false },
	{ "python* manage.py", 1, false },
	{ "php artisan", 1, false },
	{ "flock|timeout", 1, true },
	{ "npx|bunx|uvx|pipx|sudo|doas|env|xargs|watch|setsid|ionice|time|nice|"
	  "nohup|stdbuf|command|strace|unbuffer",
	    0, true },
	{ "git|hg|svn|jj|npm|pnpm|yarn|bun|deno|cargo|go|rustup|pip|pip3|pipx|"
	  "poetry|uv|conda|docker|docker-compose|podman|kubectl|helm|terraform|"
	  "tofu|pulumi|brew|apt|apt-get|dnf|yum|apk|pacman|systemctl|make|just|"
	  "task|rake|rails|bundle|gem|composer|mix|flutter|dart|swift|xcrun|"
	  "dotnet|gradle|gradlew|mvn|mvnw|sbt|lein|nix|nx|turbo|lerna|firebase|"
	  "vercel|netlify|heroku|fly|flyctl|supabase|prisma|stripe|wrangler|"
	  "eas|expo|ng|claude|codex|gemini|openssl|ffmpeg|adb|launchctl|"
	  "defaults",
	    1, false },
	{ "python*|node|ruby|perl|php|tsx|ts-node|sh|bash|zsh|dash|ksh", 1,
	    false },
};

/* Commands that cannot be undone, or that do anything. */
static const char *const irrevocable[] = {
	"rm|rmdir|unlink|shred|srm|truncate|dd|mkfs*|fdisk|parted|wipefs|"
	"sgdisk",
	"shutdown|reboot|halt|poweroff|init|eval|crontab|ssh|rsync|find|"
	"scp|sftp|curl|wget|mail|sendmail|"
	"parallel",
	"systemctl stop|disable|mask|kill|reboot|poweroff|halt",
	"git "
	"push|reset|clean|checkout|restore|filter-branch|filter-repo|gc|prune",
	"git stash drop|clear|pop",
	"git reflog expire|delete",
	"git branch|tag -D|-d|--delete",
	"git worktree remove|prune",
	"npm|pnpm|yarn|bun publish|unpublish|deprecate|owner|dist-tag",
	"cargo|poetry|uv|hatch|flit|mvn|gradle|gradlew|dotnet "
	"publish|yank|deploy|nuget",
	"twine upload",
	"gem push|yank",
	"docker|podman rm|rmi|push|prune|kill",
	"docker|podman system|volume|container|image|network|builder "
	"prune|rm|remove",
	"docker|podman compose down|rm|kill",
	"docker-compose down|rm|kill",
	"kubectl delete|drain|replace|apply|scale|patch|edit",
	"helm uninstall|delete|upgrade|rollback",
	"terraform|tofu|terragrunt|pulumi|cdk|sls|serverless "
	"destroy|apply|up|deploy|remove|import|taint",
	"terraform|tofu state rm|mv|push",
	"gh repo|release|secret|gist|issue|variable "
	"delete|create|set|archive|rename|edit|transfer",
	"gh pr merge|close",
	"gh api",
	"aws s3 rm|rb|mv|sync",
	"aws * delete*|terminate*|remove*|deregister*|put*|update*",
	"gcloud|az * delete|remove|update",
	"gcloud|az * * delete|remove|update",
	"vault delete|kv",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas "
	"deploy|publish|remove|delete|destroy|submit|rollback|apps*|pg:reset",
	"psql|mysql|mariadb|sqlite3|mongo|mongosh|redis-cli|dropdb|sqlcmd|"
	"clickhouse-client|bq",
	"rails|rake db:*",
	"php artisan migrate*|db:*",
	"mix ecto.drop|ecto.reset",
	"prisma|supabase migrate|db",
	"python* manage.py flush|migrate|reset_db",
	"alembic downgrade",
	"apt|apt-get|dnf|yum|pacman|apk|brew remove|purge|uninstall|autoremove",
	"sh|bash|zsh|dash|ksh|python* -c",
	"sh|bash|zsh|dash|ksh -lc|-s|-i|-",
	"python*|node|ruby|perl|php -",
	"node|perl|ruby|deno|bun -e",
	"php -r",
};

/* Flags, of whatever program, that take a word and may stand before a subcommand. */
static const char with_value[] =
    "-C -c -H -n -w -F -u -p -I -P -L -s -d --context --namespace --prefix "
    "--git-dir --work-tree --workspace --filter --dir --cwd --project "
    "--profile "
    "--region --manifest-path --user";

static bool
is_flag(struct str word)
{
	return word.n > 1 && word.s[0] == '-';
}

static bool
fits_one(struct str word, struct str alternatives)
{
	while (alternatives.s != NULL)
		if (rule_glob_fits(str_cut(&alternatives, '|'), word))
			return true;
	return false;
}

/* Returns the index of the next operand from i on. */
static size_t
operand(const struct str *words, size_t n, size_t i)
{
	while (i > 0 && i < n &&
	    (is_flag(words[i]) || str_find_char(words[i], '=') < words[i].n))
		i += 1 + str_is_one_of(words[i], with_value);
	return i < n ? i : n;
}

/* Returns the index behind the row's words, of which the command lacks *missing. Returns
 * 0 if the command does not begin so. */
static size_t
behind(const char *row, const struct str *words, size_t n, size_t *missing)
{
	struct str rest = str_of(row);
	size_t i = 0;

	for (*missing = 0; rest.s != NULL; i++) {
		struct str wanted = str_cut(&rest, ' '), word;

		if (wanted.s[0] != '-')
			i = operand(words, n, i);
		if (i >= n) {
			i = n - 1;
			++*missing;
			continue;
		}
		word = words[i];
		for (size_t k = word.n; i == 0 && k > 0; k--)
			if (word.s[k - 1] == '/') {
				word = str_from(word, k);
				break;
			}
		if (!fits_one(word, wanted))
			return 0;
	}
	return i;
}

/* Returns the row that the command begins with, and sets *end to the index behind its
 * words; NULL: none. */
static const struct beginning *
beginning_of(const struct str *words, size_t n, size_t *end)
{
	size_t missing;

	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
		const struct beginning *b = &beginnings[i];

		*end = behind(b->words, words, n, &missing);
		if (*end > 0 && missing == 0)
			return b;
	}
	return NULL;
}

/* Moves *end behind the words that the row also names. */
static void
skip_more(
    const struct beginning *b, const struct str *words, size_t n, size_t *end)
{
	for (unsigned i = 0; i < b->more; i++) {
		size_t at = operand(words, n, *end);

		if (at >= n)
			return;
		*end = at + 1;
	}
}

size_t
permission_cover_words(const struct str *words, size_t n)
{
	size_t named = 0, end;

	for (unsigned depth = 0; named < n && depth < 8; depth++) {
		const struct beginning *b =
		    beginning_of(words + named, n - named, &end);

		if (b == NULL)
			return named + 1;
		skip_more(b, words + named, n - named, &end);
		if (!b->runs)
			return named + end;
		end = operand(words + named, n - named, end);
		named += end;
	}
	return named < n ? named : n;
}

bool
permission_irrevocable(const struct str *words, size_t n)
{
	size_t end, missing;

	for (unsigned depth = 0; n > 0 && depth < 8; depth++) {
		const struct beginning *b;

		for (size_t i = 0;
		     i < sizeof irrevocable / sizeof irrevocable[0]; i++)
			if (behind(irrevocable[i], words, n, &missing) > 0)
				return true;
		b = beginning_of(words, n, &end);
		if (b == NULL || !b->runs)
			return false;
		skip_more(b, words, n, &end);
		end = operand(words, n, end);
		words += end;
		n -= end;
	}
	return true;
}
