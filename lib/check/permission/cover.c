#include "check/permission/cover.h"

#include "check/rule/rule.h"
#include "shell/shell.h"

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
	{ "npm|pnpm|yarn|bun exec|dlx|x", 0, true },
	{ "npm|pnpm|yarn|bun run|run-script|workspace", 1, false },
	{ "docker|podman compose exec|run", 1, true },
	{ "docker|podman exec|run", 1, true },
	{ "docker|podman compose|container|image|volume|network|system|buildx",
	    1, false },
	{ "poetry|uv|pipenv|pdm|hatch|rye run", 0, true },
	{ "bundle|mise|devbox|conda exec|run", 0, true },
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
	{ "python*|node|ruby|perl|php|tsx|ts-node|sh|bash|zsh|dash|ksh|"
	  "source|.",
	    1, false },
};

/* Commands that cannot be undone, or that do anything. */
static const char *const irrevocable[] = {
	"rm|rmdir|unlink|rimraf|shred|srm|truncate|dd|mkfs*|fdisk|parted",
	"wipefs|sgdisk",
	"shutdown|reboot|halt|poweroff|init|kill|pkill|killall|crontab|at",
	"find",
	"ssh|rsync|scp|sftp|ftp|telnet|nc|ncat|netcat|socat|curl|wget|http",
	"https|xh|mail|sendmail",
	"eval|exec|builtin|trap|parallel|entr|expect|script|tmux|screen",
	"awk|gawk|mawk|busybox|toybox|osascript|powershell|pwsh|cmd",
	"vi|vim|nvim|ed|ex|emacs|nix-shell|ansible*",
	"sudo|doas|su|runuser|pkexec|chroot|unshare|fakeroot|proot",
	"env -S|--split-string",
	"systemctl stop|disable|mask|kill|reboot|poweroff|halt",
	"git push|reset|clean|checkout|restore|filter-branch|filter-repo|gc",
	"git prune",
	"git stash drop|clear|pop",
	"git reflog expire|delete",
	"git submodule foreach",
	"git bisect run",
	"git rebase|update-ref",
	"git branch|tag -D|-d|--delete",
	"git worktree remove|prune",
	"npm|pnpm|yarn|bun publish|unpublish|deprecate|owner|dist-tag",
	"cargo|poetry|uv|hatch|flit|mvn|gradle|gradlew|dotnet publish|yank",
	"cargo|poetry|uv|hatch|flit|mvn|gradle|gradlew|dotnet deploy|nuget",
	"npm|pnpm|yarn|bun run|run-script deploy*|publish*|release*",
	"lerna|changeset publish|version",
	"semantic-release|goreleaser|release-it|doctl|linode-cli|hcloud",
	"twine upload",
	"gem push|yank",
	"docker|podman rm|rmi|push|prune|kill|run",
	"docker|podman system|volume|container|image|network|builder prune",
	"docker|podman system|volume|container|image|network|builder rm",
	"docker|podman system|volume|container|image|network|builder remove",
	"docker|podman compose down|rm|kill",
	"docker-compose down|rm|kill",
	"kubectl|oc delete|drain|replace|apply|scale|patch|edit|exec|cp|run",
	"helm uninstall|delete|upgrade|rollback",
	"terraform|tofu|terragrunt|pulumi|cdk|sls|serverless destroy|apply",
	"terraform|tofu|terragrunt|pulumi|cdk|sls|serverless up|deploy",
	"terraform|tofu|terragrunt|pulumi|cdk|sls|serverless remove|import",
	"terraform|tofu|terragrunt|pulumi|cdk|sls|serverless taint",
	"terraform|tofu state rm|mv|push",
	"gh repo|release|secret|gist|issue|variable delete|create|set",
	"gh repo|release|secret|gist|issue|variable archive|rename|edit",
	"gh repo|release|secret|gist|issue|variable transfer",
	"gh pr merge|close",
	"gh api",
	"aws s3 rm|rb|mv|cp|sync",
	"aws * delete*|terminate*|remove*|deregister*|put*|update*",
	"gcloud|az * delete|remove|update",
	"gcloud|az * * delete|remove|update",
	"vault delete|kv",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas deploy",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas publish",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas remove",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas delete",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas destroy",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas submit",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas rollback",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas apps*",
	"firebase|vercel|netlify|wrangler|fly|flyctl|heroku|eas pg:reset",
	"psql|mysql|mariadb|sqlite3|mongo|mongosh|redis-cli|dropdb|sqlcmd",
	"clickhouse-client|bq",
	"rails|rake db:*",
	"php artisan migrate*|db:*",
	"mix ecto.drop|ecto.reset",
	"prisma|supabase migrate|db",
	"python* manage.py flush|migrate|reset_db",
	"alembic downgrade",
	"apt|apt-get|dnf|yum|pacman|apk|brew remove|purge|uninstall",
	"apt|apt-get|dnf|yum|pacman|apk|brew autoremove",
	"sh|bash|zsh|dash|ksh|python* -c",
	"sh|bash|zsh|dash|ksh -lc|-s|-i|-",
	"python*|node|ruby|perl|php -",
	"node|perl|ruby|deno|bun -e",
	"php -r",
};

/* Flags that take a word and may stand before a subcommand: of programs that run a
 * command, and of all others. */
static const struct {
	const char *programs, *flags;
} with_value[] = {
	{ "command nohup setsid unbuffer builtin exec", "" },
	{ "env", "-C -S -u --chdir --unset --split-string" },
	{ "flock", "-E -w --timeout --wait --conflict-exit-code" },
	{ "nice", "-n --adjustment" },
	{ "stdbuf", "-e -i -o --error --input --output" },
	{ "strace", "-E -I -O -P -S -U -X -a -b -e -o -p -s -u" },
	{ "time", "-f -o --format --output" },
	{ "timeout", "-k -s --kill-after --signal" },
	{ "watch", "-n -q --interval --equexit" },
	{ "xargs",
	    "-E -I -L -P -a -d -n -s --arg-file --delimiter --max-args "
	    "--max-procs --max-lines --max-chars" },
	{ NULL,
	    "-C -c -H -n -w -F -u -p -I -P -L -s -d --context --namespace "
	    "--prefix --git-dir --work-tree --workspace --filter --dir --cwd "
	    "--project --profile --region --manifest-path --user" },
};

/* Returns whether the flag of the program takes the next word. */
static bool
takes_word(struct str program, struct str flag)
{
	size_t i = 0;

	while (with_value[i].programs != NULL &&
	    !str_is_one_of(program, with_value[i].programs))
		i++;
	return str_is_one_of(flag, with_value[i].flags);
}

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
		i += 1 + takes_word(words[0], words[i]);
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
		word = i == 0 ? shell_base_name(words[i]) : words[i];
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

/* Returns whether the words do not tell what runs: the shell computes one, or a
 * configuration of git's gives a command another name. */
static bool
is_computed(const struct str *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_find_char(words[i], SHELL_UNKNOWN) < words[i].n ||
		    str_starts(words[i], "alias."))
			return true;
	return false;
}

bool
permission_irrevocable(const struct str *words, size_t n)
{
	size_t end, missing;

	if (is_computed(words, n))
		return true;
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
