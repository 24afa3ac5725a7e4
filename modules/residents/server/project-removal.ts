import { sql } from '#kit/server/db.ts'
import { registerProjectRemoval } from '#kit/server/project-removal.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'

/** People who were registered in this project and have been in no room of another. */
registerProjectRemoval((tx, scope, { projectCode, since }) =>
  tx.execute(sql`
    update resident r
    set delete_tag = 1, ${touch(scope, 'r')}
    where r.owner_id = ${scope.ownerId}
      and ${notDeleted('r')}
      and r.home_project = ${projectCode}
      and r.create_time >= ${since}
      and not exists (
        select 1
        from user_room l
        where l.owner_id = ${scope.ownerId}
          and l.owner_id = r.owner_id
          and l.user_id = r.id
          and l.project_code <> ${projectCode}
      )
  `),
)
