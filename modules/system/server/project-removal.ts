import { sql } from '#kit/server/db.ts'
import { registerProjectRemoval } from '#kit/server/project-removal.ts'
import { taskEndedKind } from './task-ended.ts'

// Messages of tasks in the project: the task stays on record, the bell must not lead to what is deleted.
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
