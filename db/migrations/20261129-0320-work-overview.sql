-- Calendar and figures of all kinds of planned work are a menu of their own: who sees a kind sees its part of them.

update role set permissions = permissions || array['planned-work.overview.view'] where permissions && array['planned-work.plan.view', 'patrol.task.view', 'landscaping.plan.view', 'cleaning.plan.view'] and not 'planned-work.overview.view' = any(permissions);
update role set permissions = permissions || array['planned-work.overview.export'] where permissions && array['patrol.task.export'] and 'planned-work.overview.view' = any(permissions) and not 'planned-work.overview.export' = any(permissions);
