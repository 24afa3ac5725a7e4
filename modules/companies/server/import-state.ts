import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { taskState } from '#modules/system/contract/task.ts'
import { getImportState } from '../contract/import-export.ts'

interface ImportTaskRow {
  id: Id
  state: number
  done: number
  total?: number
  success: number
  fail: number
  skipped: number
  message?: string
}

export const importStateHandlers = [
  reads(getImportState, async ({ taskId }, { db, scope }) => {
    const found = await db.one<ImportTaskRow>(sql`
      select id, state, done, total, success, fail, skipped, message
      from task_center
      where owner_id = ${scope.ownerId}
        and operator_id = ${scope.operatorId}
        and kind = 'import.companies.company'
        and ${notDeleted()} ${taskId ? sql`and id = ${taskId}` : sql``}
      order by id desc
      limit 1
    `)
    if (!found) return {}
    const { id, state, ...progress } = found
    return { taskId: id, state: keyOf(taskState, state), ...progress }
  }),
]
