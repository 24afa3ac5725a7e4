import { sql } from '#kit/server/db.ts'
import { registerRemovalRefusal } from '#kit/server/project-removal.ts'

registerRemovalRefusal(async (tx, scope, { projectCode }) => {
  const issued = await tx.one<{ n: number }>(sql`
    select count(*)::int as n
    from invoice_record
    where owner_id = ${scope.ownerId} and project_code = ${projectCode}
  `)
  return issued?.n ? `该项目已有发票 ${issued.n} 张，不能清除` : undefined
})
