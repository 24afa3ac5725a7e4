import { sql } from '#kit/server/db.ts'
import { registerProjectRemoval } from '#kit/server/project-removal.ts'
import { taskEndedKind } from './task-ended.ts'

// What a task in a project has told: the task stays on record, the bell must not lead to what is no more.
registerProjectRemoval((tx, { ownerId }, { projectCode, since }) =>
  tx.execute(sql`
    delete from notification
    where owner_id = ${ownerId}
      and kind = ${taskEndedKind.key}
      and create_time >= ${since}
      and biz_id in (
        select id
        from task_center
        where owner_id = ${ownerId} and project_code = ${projectCode}
      )
  `),
)
