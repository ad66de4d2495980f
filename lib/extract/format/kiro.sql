-- Conversations of Kiro's command line, and of later versions of Amazon Q's.
SELECT iif(json_valid(value), json_set(value, '$.conversation_id', conversation_id), value)
FROM conversations_v2 ORDER BY [conversations_v2.created_at], conversation_id
