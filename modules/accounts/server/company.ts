import { Refused, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { hashPassword } from './password.ts'
import { addEntry, hasAnyCompany, type DirectoryEntry } from '#kit/server/directory.ts'

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
  await addEntry(tx, 'company', String(ownerId), { ownerId, refId: ownerId })
  const made = await tx.one<{ id: number }>(sql`
    insert into manager (
      owner_id, login_code, real_name, mobile, manager_type, all_project, show_privacy, state
    )
    values (${ownerId}, ${c.loginCode}, ${c.realName}, ${c.mobile ?? null}, 10, true, true, 10)
    returning id
  `)
  const { id: operatorId } = made!
  await registerLogin(tx, c.loginCode, { ownerId, refId: operatorId })
  await tx.execute(
    sql`
      insert into manager_secret (owner_id, manager_id, password, must_change)
      values (${ownerId}, ${operatorId}, ${password}, ${c.mustChange === true})
    `,
  )
  await tx.execute(sql`insert into role (owner_id, role_name, role_desc, built_in, everything) values
    (${ownerId}, '全部权限', '所有功能，包括以后新增的', true, true)`)
  await audit(tx, { ownerId, operatorId, name: c.realName, ip: c.ip ?? '', requestId: '' }, [
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
  return { ownerId, operatorId }
}

export const createLoginTakenRefusal = (): Refused =>
  new Refused(resultCode.refused, '该账号已被使用，请换一个账号', { Field: 'Logincode' })

/** A sign-in name is one person's in the whole installation, for the form asks for no company. */
export async function registerLogin(tx: Tx, loginCode: string, entry: DirectoryEntry): Promise<void> {
  if (!(await addEntry(tx, 'login', loginCode, entry))) throw createLoginTakenRefusal()
}

/** Also by the directory, which no scope hides: a set-up is never laid beside a company. */
export const hasCompany = async (tx: Tx): Promise<boolean> =>
  (await hasAnyCompany(tx)) ||
  (await tx.one(sql`select 1 as found from property where ${live()} limit 1`)) !== undefined
