-- Messages of Crush, those of a session and of its sub-agents one after another.
-- sqlite3 sorts the ids, not the texts.
WITH RECURSIVE tree(id, root, began) AS (
 SELECT id, id, created_at FROM sessions
 WHERE parent_session_id IS NULL OR parent_session_id NOT IN (SELECT id FROM sessions)
 UNION ALL
 SELECT sessions.id, tree.root, tree.began
 FROM sessions JOIN tree ON parent_session_id = tree.id),
ordered AS MATERIALIZED (
 SELECT messages.id AS id, coalesce(root, session_id) AS root
 FROM messages LEFT JOIN tree ON tree.id = session_id
 ORDER BY began, 2, messages.created_at, messages.rowid),
m AS (SELECT *, CAST(parts AS TEXT) AS content FROM messages)
SELECT json_object(
 'id', m.id, 'session_id', session_id, 'role', role,
 'parts', iif(json_valid(content), json(content), content),
 'model', model, 'provider', [messages.provider|provider],
 'created_at', m.created_at,
 'is_summary_message', [messages.is_summary_message|is_summary_message],
 'root', root, 'session', json_object('title', title, 'cost', cost))
FROM ordered CROSS JOIN m ON m.id = ordered.id
LEFT JOIN sessions ON sessions.id = root
