/* The tools of Claude Code, of the page "Tools reference"
 * (code.claude.com/docs/en/tools-reference) and of earlier versions. */
#include "check/permission/claude.h"

static const struct claude_tool tools[] = {
	{ STR_CONST("Bash"), CLAUDE_SHELL, "command", true },
	{ STR_CONST("PowerShell"), CLAUDE_SHELL, "command", true },
	{ STR_CONST("Monitor"), CLAUDE_NAME, "command", true },
	{ STR_CONST("Read"), CLAUDE_PATH, "file_path", false },
	{ STR_CONST("Edit"), CLAUDE_PATH, "file_path", true },
	{ STR_CONST("Write"), CLAUDE_NAME, "file_path", true },
	{ STR_CONST("MultiEdit"), CLAUDE_NAME, "file_path", true },
	{ STR_CONST("NotebookEdit"), CLAUDE_NAME, "notebook_path", true },
	{ STR_CONST("NotebookRead"), CLAUDE_NAME, "notebook_path", false },
	{ STR_CONST("Glob"), CLAUDE_NAME, "path", false },
	{ STR_CONST("Grep"), CLAUDE_NAME, "path", false },
	{ STR_CONST("LS"), CLAUDE_NAME, "path", false },
	{ STR_CONST("Cd"), CLAUDE_IGNORED, NULL, false },
	{ STR_CONST("WebFetch"), CLAUDE_DOMAIN, "url", true },
	{ STR_CONST("WebSearch"), CLAUDE_NAME, NULL, true },
	{ STR_CONST("Agent"), CLAUDE_AGENT, NULL, false },
	{ STR_CONST("Skill"), CLAUDE_SKILL, NULL, true },
	{ STR_CONST("SlashCommand"), CLAUDE_SKILL, NULL, true },
	{ STR_CONST("Artifact"), CLAUDE_NAME, NULL, true },
	{ STR_CONST("EnterWorktree"), CLAUDE_NAME, NULL, true },
	{ STR_CONST("ExitPlanMode"), CLAUDE_NAME, NULL, true },
	{ STR_CONST("ShareOnboardingGuide"), CLAUDE_NAME, NULL, true },
	{ STR_CONST("Workflow"), CLAUDE_NAME, NULL, true },
};

/* The other tools, which ask for nothing and have no form with brackets. */
static const struct claude_tool plain = { { NULL, 0 }, CLAUDE_NAME, NULL,
	false };
static const char *const plain_names =
    "AskUserQuestion CronCreate CronDelete CronList EndConversation "
    "EnterPlanMode "
    "ExitWorktree LSP ListAgents ListMcpResourcesTool PushNotification "
    "ReadMcpResourceTool RemoteTrigger ReportFindings ScheduleWakeup "
    "SendFeedback "
    "SendMessage SendUserFile StructuredOutput TaskCreate TaskGet TaskList "
    "TaskOutput "
    "TaskStop TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch "
    "WaitForMcpServers";

/* Names of earlier versions, each before the name of today. */
static const char *const renamed[][2] = {
	{ "Task", "Agent" },
	{ "KillShell", "TaskStop" },
	{ "KillBash", "TaskStop" },
	{ "BashOutput", "TaskOutput" },
	{ "AgentOutputTool", "TaskOutput" },
	{ "exit_plan_mode", "ExitPlanMode" },
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

struct str
claude_tool_name(struct str name)
{
	for (size_t i = 0; i < COUNT(renamed); i++)
		if (str_is(name, renamed[i][0]))
			return str_of(renamed[i][1]);
	return name;
}

const struct claude_tool *
claude_tool_named(struct str name)
{
	for (size_t i = 0; i < COUNT(tools); i++)
		if (str_eq(name, tools[i].name))
			return &tools[i];
	return str_is_one_of(name, plain_names) ? &plain : NULL;
}

void
claude_tool_suggest(struct suggest *s)
{
	struct str names = str_of(plain_names);

	for (size_t i = 0; i < COUNT(tools); i++)
		suggest_try(s, tools[i].name);
	while (names.n > 0)
		suggest_try(s, str_cut(&names, ' '));
	/* Fetch and Search are names without their first word. */
	for (size_t i = 0; i < COUNT(tools) && s->best.s == NULL; i++)
		if (s->word.n > 2 && str_ends(tools[i].name, s->word))
			s->best = tools[i].name;
}
