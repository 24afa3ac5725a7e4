import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { Scope } from '#kit/server/scope.ts'
import { registerOpenWork, refuseReceiver } from '#modules/accounts/server/public.ts'
import { taskState } from '../contract/choices.ts'
import { isReadOnlyAccount } from './people.ts'

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
    const readOnly = await tx.rows<{ name: string }>(sql`
      select m.real_name as name
      from process_task t
      join manager m on m.owner_id = ${scope.ownerId} and m.id = ${to}
      where ${waitsFor(scope, from)} and ${isReadOnlyAccount}
    `)
    if (readOnly[0]) {
      refuseReceiver(
        readOnly[0].name,
        '审批',
        readOnly.map(() => '接收人的账号为只读'),
      )
    }
    const own = await tx.rows<{ name: string }>(sql`
      select m.real_name as name
      from process_task t
      join process_instance i on i.owner_id = ${scope.ownerId} and i.id = t.instance_id
      join manager m on m.owner_id = ${scope.ownerId} and m.id = i.applicant_id
      where ${waitsFor(scope, from)} and i.applicant_id = ${to}
    `)
    const [first] = own
    if (first) {
      refuseReceiver(
        first.name,
        '审批',
        own.map(() => '是其本人的申请'),
      )
    }
    await tx.rows(sql`
      insert into process_task (
        owner_id, create_by, update_by, instance_id, node_key, node_name, visit, round, approver_id,
        approver_name, added_by, state, start_time, due_time
      )
      select ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, t.instance_id, t.node_key, t.node_name,
        t.visit, t.round, ${to}, m.real_name, t.added_by, t.state, ${scope.time}::timestamptz, t.due_time
      from process_task t
      join manager m on m.owner_id = ${scope.ownerId} and m.id = ${to}
      where ${waitsFor(scope, from)}
        and not exists (
          select 1
          from process_task o
          where o.owner_id = ${scope.ownerId}
            and o.instance_id = t.instance_id
            and o.approver_id = ${to}
            and o.state = ${code(taskState, 'waiting')}
            and ${notDeleted('o')}
        )
      returning id
    `)
    await tx.execute(sql`
      update process_task t
      set state = ${code(taskState, 'transferred')}, opinion = '离职交接', handle_time = ${scope.time}::timestamptz,
        version = version + 1, update_by = ${scope.operatorId}, update_time = ${scope.time}::timestamptz
      where ${waitsFor(scope, from)}
    `)
  },
})
