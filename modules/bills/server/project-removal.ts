import { sql } from '#kit/server/db.ts'
import { registerProjectChildren, registerRemovalRefusal } from '#kit/server/project-removal.ts'
import { codes } from '#kit/server/sql.ts'
import { runState } from '../contract/choices.ts'

registerProjectChildren(
  { table: 'bill_move', parent: 'bill', column: 'bill_id' },
  { table: 'bill_adjust', parent: 'bill', column: 'bill_id' },
)

registerRemovalRefusal(async (tx, scope, { projectCode }) => {
  const underWay = await tx.one(sql`
    select 1
    from bill_run
    where owner_id = ${scope.ownerId}
      and project_code = ${projectCode}
      and state in ${codes(runState, 'waiting', 'running')}
    limit 1
  `)
  return underWay ? '该项目正在生成账单，请完成后再清除' : undefined
})
