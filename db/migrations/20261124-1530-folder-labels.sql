-- Folders carry labels as files do.
alter table file_dir add column file_label text[];
