-- An upload that comes whole in one request is hashed on its way to the disk.
alter table upload_session add column sha256 text;
