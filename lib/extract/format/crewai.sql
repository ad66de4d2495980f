-- The tasks of the last kickoff of a crew, as CrewAI's output_log_file has them. When a
-- task began is not known.
SELECT json_object(
 'timestamp', iif(n, timestamp, NULL),
 'task_name', coalesce(json_extract(output, '$.name'), 'None'),
 'task', json_extract(output, '$.description'),
 'agent', json_extract(output, '$.agent'),
 'status', iif(n, 'completed', 'started'),
 'output', iif(n, json_extract(output, '$.raw'), NULL))
FROM latest_kickoff_task_outputs, (SELECT 0 AS n UNION ALL SELECT 1)
WHERE json_valid(output) ORDER BY task_index, n
