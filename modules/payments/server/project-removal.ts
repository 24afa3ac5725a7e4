import { sql } from '#kit/server/db.ts'
import { registerProjectChildren, registerRemovalRefusal } from '#kit/server/project-removal.ts'

registerProjectChildren(
  { table: 'pay_detail', parent: 'pay_record', column: 'record_id' },
  { table: 'pay_line', parent: 'pay_record', column: 'record_id' },
)

// What a channel has received is in its bills, and must be found when they are reconciled.
registerRemovalRefusal(async (tx, scope, { projectCode }) => {
  const online = await tx.one<{ n: number }>(sql`
    select count(*)::int as n
    from pay_order
    where owner_id = ${scope.ownerId} and project_code = ${projectCode} and transaction_id is not null
  `)
  return online?.n ? `该项目有线上收款 ${online.n} 笔，需要与渠道对账，不能清除` : undefined
})
