-- Codes whose time begins or ends: devices hold them within it.
create index invite_visitor_begins on invite_visitor (begin_time) where delete_tag = 0 and state in (20, 30, 40);
create index invite_visitor_ends on invite_visitor (end_time) where delete_tag = 0 and state in (20, 30, 40);
