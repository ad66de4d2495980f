-- Threads of Zed; what is not JSON is compressed with zstd.
SELECT json_object(
 'id', id, 'parent_id', [threads.parent_id], 'data_type', data_type,
 'data', iif(data_type = 'json', json(CAST(data AS TEXT)), hex(data)))
FROM threads ORDER BY updated_at, id
