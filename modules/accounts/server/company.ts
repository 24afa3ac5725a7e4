import { defineEvent } from '#kit/server/event.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Refused } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { addEntry, hasAnyCompany, type DirectoryEntry } from '#kit/server/directory.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { companyState, edition } from '../contract/company.ts'
import { managerState, managerType } from '../contract/manager.ts'
import { createFieldRefusal } from './field-refusal.ts'
import { insertFirstRoles } from './job-roles.ts'
import { hashPassword } from './password.ts'

export interface NewCompany {
  readonly companyName: string
  readonly loginCode: string
  readonly password: string
  readonly realName: string
  readonly mobile?: string | undefined
  readonly contactPhone?: string | undefined
  /** The owner must change the password at the first sign-in (PERM-9). */
  readonly mustChange?: boolean
  readonly ip?: string
}

/** What a module stores for every new company, in the transaction that creates it. */
export const [onCompanyCreated, publishCompanyCreated] = defineEvent<[tx: Tx, ownerId: Id]>()

async function insertCompany(tx: Tx, company: NewCompany): Promise<Id> {
  const contactPhone = company.contactPhone ?? company.mobile ?? null
  const created = await tx.one<{ id: Id }>(sql`
    with n as (select nextval(pg_get_serial_sequence('property', 'id')) as id)
    insert into property (
      owner_id, id, company_name, contact_name, contact_phone, edition, idle_minutes, state
    )
    select n.id, n.id, ${company.companyName}, ${company.realName}, ${contactPhone}, ${code(edition, 'trial')}, 480,
      ${code(companyState, 'normal')}
    from n
    returning id
  `)
  if (!created) throw new Error('a company was not created')
  await addEntry(tx, 'company', String(created.id), { ownerId: created.id, refId: created.id })
  return created.id
}

async function insertOwnerAccount(
  tx: Tx,
  ownerId: Id,
  company: NewCompany,
  passwordHash: string,
): Promise<Id> {
  const created = await tx.one<{ id: Id }>(sql`
    insert into manager (
      owner_id, login_code, real_name, mobile, manager_type, all_project, show_privacy, state
    )
    values (
      ${ownerId}, ${company.loginCode}, ${company.realName}, ${company.mobile ?? null}, ${code(managerType, 'owner')}, true,
      true, ${code(managerState, 'on')}
    )
    returning id
  `)
  if (!created) throw new Error('an account was not created')
  await registerLogin(tx, company.loginCode, { ownerId, refId: created.id })
  await tx.execute(
    sql`
      insert into manager_secret (owner_id, manager_id, password, must_change)
      values (${ownerId}, ${created.id}, ${passwordHash}, ${company.mustChange === true})
    `,
  )
  return created.id
}

/**
 * Creates a company with its owner account (PERM-1) and the roles that every company starts with. Needs a
 * transaction of the installation (`*`). Refuses a login name that is taken.
 */
export async function createCompany(tx: Tx, company: NewCompany): Promise<{ ownerId: Id; operatorId: Id }> {
  const passwordHash = await hashPassword(company.password)
  const ownerId = await insertCompany(tx, company)
  const operatorId = await insertOwnerAccount(tx, ownerId, company, passwordHash)
  await insertFirstRoles(tx, ownerId)
  await audit(tx, { ownerId, operatorId, name: company.realName, ip: company.ip ?? '', requestId: '' }, [
    {
      action: 'insert',
      entity: 'property',
      entityId: ownerId,
      after: { companyName: company.companyName, loginCode: company.loginCode },
    },
  ])
  await publishCompanyCreated(tx, ownerId)
  return { ownerId, operatorId }
}

export const createLoginTakenRefusal = (): Refused =>
  createFieldRefusal('Logincode', '该账号已被使用，请更换账号')

/**
 * A login name belongs to one person in the whole installation, because the sign-in form asks for no company.
 */
export async function registerLogin(tx: Tx, loginCode: string, entry: DirectoryEntry): Promise<void> {
  if (!(await addEntry(tx, 'login', loginCode, entry))) throw createLoginTakenRefusal()
}

/** Asks the directory too, which no scope hides: a set-up never runs beside an existing company. */
export const hasCompany = async (tx: Tx): Promise<boolean> =>
  (await hasAnyCompany(tx)) ||
  (await tx.one(sql`select 1 as found from property where ${notDeleted()} limit 1`)) !== undefined
