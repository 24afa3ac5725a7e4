import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { registerLogin } from '#modules/accounts/server/public.ts'

interface Person {
  readonly id: Id
  readonly name: string
}

/** Colleagues of the engineer of the demo, in all projects. They have no password: nobody signs in as them. */
export async function seedEngineers(
  tx: Tx,
  ownerId: Id,
  firstLogin: string,
  names: readonly string[],
): Promise<Person[]> {
  const engineer = defined(
    await tx.one<{ id: Id; name: string; roleIds: string[] }>(sql`
      select id, real_name as name, role_ids
      from manager
      where owner_id = ${ownerId} and login_code = ${firstLogin}
    `),
  )
  const people: Person[] = [{ id: engineer.id, name: engineer.name }]
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
    await registerLogin(tx, login, { ownerId, refId: id })
    people.push({ id, name })
  }
  return people
}
