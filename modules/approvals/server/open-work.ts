import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { Scope } from '#kit/server/scope.ts'
import { registerOpenWork, refuseReceiver } from '#modules/accounts/server/public.ts'
import { taskState } from '../contract/choices.ts'

const waitsFor = (scope: Scope, account: Id) => sql`
  t.owner_id = ${scope.ownerId}
  and t.approver_id = ${account}
  and t.state = ${code(taskState, 'waiting')}
  and ${notDeleted('t')}
`

// PERM-8: who leaves hands over what waits for their decision.
registerOpenWork({
  what: '待审批',
  count: async (tx, scope, operator) =>
    defined(
      await tx.one<{ n: number }>(sql`
        select count(*)::int as n
        from process_task t
        where ${waitsFor(scope, operator)}
      `),
    ).n,
  handOver: async (tx, scope, from, to) => {
    const own = await tx.rows<{ title: string }>(sql`
      select i.title
      from process_task t
      join process_instance i on i.owner_id = ${scope.ownerId} and i.id = t.instance_id
      where ${waitsFor(scope, from)} and i.applicant_id = ${to}
    `)
    if (own.length) {
      refuseReceiver(
        '所选人员',
        '审批',
        own.map(() => '是其本人的申请'),
      )
    }
    await tx.execute(sql`
      update process_task t
      set approver_id = ${to}, principal_id = null, principal_name = null,
        approver_name = (select real_name from manager m where m.owner_id = ${scope.ownerId} and m.id = ${to})
      where ${waitsFor(scope, from)}
    `)
  },
})
