SELECT writefile(id || iif(data_type = 'zstd', '.json.zst', '.json'), data)
FROM threads;
