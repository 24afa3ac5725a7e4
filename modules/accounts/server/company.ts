import { Refused, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { hashPassword } from './password.ts'

export interface NewCompany {
  readonly companyName: string
  readonly loginCode: string
  readonly password: string
  readonly realName: string
  readonly mobile?: string | undefined
  readonly contactPhone?: string | undefined
  /** The owner must choose another password first (PERM-9). */
  readonly mustChange?: boolean
  readonly ip?: string
}

type CompanyCreatedListener = (tx: Tx, ownerId: number) => Promise<void>
const companyCreatedListeners: CompanyCreatedListener[] = []

/** A module says what a new company begins with. */
export const onCompanyCreated = (lay: CompanyCreatedListener): void => {
  companyCreatedListeners.push(lay)
}

/**
 * A company with its owner account (PERM-1) and the two roles every company starts with. Needs a transaction
 * of the installation (`*`). Refuses a login name that is taken.
 */
export async function createCompany(tx: Tx, c: NewCompany): Promise<{ ownerId: number; operatorId: number }> {
  const password = await hashPassword(c.password)
  const { id: ownerId } = (await tx.one<{ id: number }>(sql`
    with n as (select nextval(pg_get_serial_sequence('property', 'id')) as id)
    insert into property (
      owner_id, id, company_name, contact_name, contact_phone, edition, idle_minutes, state
    )
    select n.id, n.id, ${c.companyName}, ${c.realName}, ${c.contactPhone ?? c.mobile ?? null}, 10, 480, 10
    from n
    returning id
  `))!
  const made = await tx.one<{ id: number }>(sql`
    insert into manager (
      owner_id, login_code, real_name, mobile, manager_type, all_project, show_privacy, state
    )
    values (${ownerId}, ${c.loginCode}, ${c.realName}, ${c.mobile ?? null}, 10, true, true, 10)
    on conflict (lower(login_code))
    where ${live()} do nothing
    returning id
  `)
  if (!made) throw createLoginTakenRefusal()
  await tx.execute(
    sql`
      insert into manager_secret (owner_id, manager_id, password, must_change)
      values (${ownerId}, ${made.id}, ${password}, ${c.mustChange === true})
    `,
  )
  await tx.execute(sql`insert into role (owner_id, role_name, role_desc, built_in, everything) values
    (${ownerId}, '全部权限', '所有功能，包括以后新增的', true, true)`)
  await audit(tx, { ownerId, operatorId: made.id, name: c.realName, ip: c.ip ?? '', requestId: '' }, [
    {
      action: 'insert',
      entity: 'property',
      entityId: ownerId,
      after: { companyName: c.companyName, loginCode: c.loginCode },
    },
  ])
  for (const lay of companyCreatedListeners) {
    await lay(tx, ownerId)
  }
  return { ownerId, operatorId: made.id }
}

export const createLoginTakenRefusal = (): Refused =>
  new Refused(resultCode.refused, '该账号已被使用，请换一个账号', { Field: 'Logincode' })

export const countCompanies = async (tx: Pick<Tx, 'one'>): Promise<number> =>
  Number((await tx.one<{ n: number }>(sql`select count(*) as n from property where ${live()}`))!.n)
