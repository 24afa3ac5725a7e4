import { randomUUID } from 'node:crypto'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Scope } from '#kit/server/scope.ts'
import { hashPassword } from '#modules/accounts/server/password.ts'
import { registerLogin } from '#modules/accounts/server/public.ts'
import { seedInspections } from './inspections.ts'
import { seedWorkOrders, type Handler, type WorkOrderPlan } from './work-orders.ts'

/** Colleagues of the demo's engineer, in all projects. Nobody knows their password, nor signs in as them. */
async function seedEngineers(
  tx: Tx,
  ownerId: Id,
  firstLogin: string,
  domain: Handler['domain'],
  names: readonly string[],
): Promise<Handler[]> {
  const engineer = defined(
    await tx.one<{ id: Id; name: string; roleIds: string[] }>(sql`
      select id, real_name as name, role_ids
      from manager
      where owner_id = ${ownerId} and login_code = ${firstLogin}
    `),
  )
  const unknownPassword = await hashPassword(randomUUID())
  const people: Handler[] = [{ id: engineer.id, name: engineer.name, domain }]
  for (const [i, name] of names.entries()) {
    const login = `${firstLogin}${i + 2}`
    const { id } = defined(
      await tx.one<{ id: Id }>(sql`
        insert into manager (
          owner_id, login_code, real_name, manager_type, role_ids, all_project, show_privacy, state
        )
        values (${ownerId}, ${login}, ${name}, 30, ${engineer.roleIds}::text[], true, false, 10)
        returning id
      `),
    )
    // An account without a secret is nobody's: it would be given no order.
    await tx.execute(sql`
      insert into manager_secret (owner_id, manager_id, password)
      values (${ownerId}, ${id}, ${unknownPassword})
    `)
    await registerLogin(tx, login, { ownerId, refId: id })
    people.push({ id, name })
  }
  return people
}

/** Two hundred orders in each project, by the engineer and their colleagues; inspections of the first. */
export async function seedDemoOrders(
  tx: Tx,
  scope: Scope,
  engineerLogin: string,
  engineerDomain: Handler['domain'],
  projects: readonly (readonly [project: string, set: WorkOrderPlan['set']])[],
): Promise<void> {
  const handlers = await seedEngineers(tx, scope.ownerId, engineerLogin, engineerDomain, [
    '工程乙',
    '工程丙',
    '工程丁',
  ])
  const now = fromInstant(Date.now())
  for (const [project, set] of projects) {
    await seedWorkOrders(tx, scope, { project, set, count: 200, handlers, now, hasRooms: true })
  }
  // What orders cost is billed as paid repairs, unless their type says otherwise.
  await tx.execute(sql`
    insert into work_order_setting (owner_id, key, enabled, value)
    select owner_id, 'feeItem', true, id
    from fee_item
    where owner_id = ${scope.ownerId} and code = 'WXF' and delete_tag = 0
    returning key
  `)
  const [residential] = projects
  if (residential) {
    await seedInspections(tx, scope, residential[0], handlers, now)
  }
}
