import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { findAll } from '#kit/server/table.ts'
import { taskCenter } from '#modules/system/contract/task.ts'
import { getImportState } from '../contract/import-export.ts'

export const importStateHandlers = [
  reads(getImportState, async ({ taskId }, { db, scope }) => {
    const where = [
      sql`t.operator_id = ${scope.operatorId}`,
      sql`t.kind = 'import.companies.company'`,
      ...(taskId ? [sql`t.id = ${taskId}`] : []),
    ]
    const [task] = await findAll(db, taskCenter, scope, { order: '-id' }, { where, limit: 1 })
    return task ? { ...task, taskId: task.id } : {}
  }),
]
