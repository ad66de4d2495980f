#include "extract/format/databases.h"

extern const unsigned char amazon_q_sql[], crewai_sql[], crush_sql[],
    cursor_sql[], goose_sql[], hermes_sql[], kiro_sql[], opencode_sql[],
    zed_sql[];
extern const size_t amazon_q_sql_size, crewai_sql_size, crush_sql_size,
    cursor_sql_size, goose_sql_size, hermes_sql_size, kiro_sql_size,
    opencode_sql_size, zed_sql_size;

const struct database_query log_databases[] = {
	{ "opencode.db", "opencode export SESSION",
	    "session.directory message.session_id message.data part.message_id "
	    "part.data",
	    opencode_sql, &opencode_sql_size },
	{ "sessions.db", "goose session export --format json",
	    "sessions.working_dir messages.session_id messages.content_json",
	    goose_sql, &goose_sql_size },
	{ "crush.db", NULL,
	    "sessions.parent_session_id sessions.prompt_tokens "
	    "messages.session_id messages.parts",
	    crush_sql, &crush_sql_size },
	{ "state.db", "hermes sessions export FILE.jsonl",
	    "sessions.end_reason messages.tool_call_id messages.tool_calls",
	    hermes_sql, &hermes_sql_size },
	{ "data.sqlite3", "/save FILE, in the program's chat",
	    "conversations_v2.conversation_id conversations_v2.value", kiro_sql,
	    &kiro_sql_size },
	{ "data.sqlite3", NULL,
	    "conversations.key conversations.value history.command",
	    amazon_q_sql, &amazon_q_sql_size },
	{ "threads.db", NULL, "threads.summary threads.data_type threads.data",
	    zed_sql, &zed_sql_size },
	{ "state.vscdb", NULL, "cursorDiskKV.key cursorDiskKV.value",
	    cursor_sql, &cursor_sql_size },
	{ "latest_kickoff_task_outputs.db", NULL,
	    "latest_kickoff_task_outputs.output "
	    "latest_kickoff_task_outputs.task_index",
	    crewai_sql, &crewai_sql_size },
	{ NULL, NULL, NULL, NULL, NULL },
};
