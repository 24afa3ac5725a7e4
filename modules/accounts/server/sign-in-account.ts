import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { findEntry } from '#kit/server/directory.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { companyState } from '../contract/company.ts'
import { managerState, managerType } from '../contract/manager.ts'
import { createFieldRefusal } from './field-refusal.ts'
import { signInCounter } from './sign-in-count.ts'

/** An account as sign-in needs it, with its password hash; choices as their stored codes. */
export interface SignInAccount {
  readonly ownerId: Id
  readonly id: Id
  readonly loginCode: string
  readonly realName: string
  readonly mobile?: string
  readonly headImage?: string
  readonly managerType: number
  readonly state: number
  readonly companyName: string
  readonly companyState: number
  readonly idleMinutes: number
  readonly showPrivacy: boolean
  readonly allProject: boolean
  readonly password: string
  readonly mustChange: boolean
  readonly mustBind: boolean
  readonly nearestProject?: string
  readonly granter?: string
}

/** Whether one of the roles of manager `m` requires a second factor. */
export const requiresSecondFactor = (ownerId: Id): RawBuilder<unknown> =>
  sql`exists (
    select 1
    from role r
    where r.owner_id = m.owner_id
      and r.owner_id = ${ownerId}
      and ${notDeleted('r')}
      and r.need_totp
      and r.id = any(m.role_ids::bigint[])
  )`

const selectSignInAccount = (ownerId: Id): RawBuilder<unknown> => sql`
  select m.owner_id, m.id, m.login_code, m.real_name, m.mobile, m.head_image, m.manager_type, m.state,
    m.show_privacy, m.all_project,
    p.company_name, p.state as company_state, p.idle_minutes, s.password, s.must_change,
    s.totp is null and ${requiresSecondFactor(ownerId)} as must_bind, s.nearest_project,
    o.real_name as granter
  from manager m
  join property p on p.owner_id = m.owner_id
    and p.owner_id = ${ownerId}
    and p.id = m.owner_id
    and ${notDeleted('p')}
  join manager_secret s on s.owner_id = m.owner_id and s.owner_id = ${ownerId} and s.manager_id = m.id
  left join manager o on o.owner_id = m.owner_id
    and o.owner_id = ${ownerId}
    and o.manager_type = ${code(managerType, 'owner')}
    and ${notDeleted('o')}
`

/** By login name, which is unique in the installation without regard to case. */
export async function findAccountByLogin(
  c: AnonymousContext,
  loginCode: string,
): Promise<SignInAccount | undefined> {
  const entry = await findEntry(c.app.database.reader('*'), 'login', loginCode)
  return entry && findAccountById(c, entry.ownerId, entry.refId)
}

export const findAccountById = (
  c: AnonymousContext,
  ownerId: Id,
  id: Id,
): Promise<SignInAccount | undefined> =>
  c.app.database
    .reader(ownerId)
    .one<SignInAccount>(
      sql`${selectSignInAccount(ownerId)} where m.owner_id = ${ownerId} and m.id = ${id} and ${notDeleted('m')}`,
    )

/** Refuses an account that is not in use, and one of a stopped company. */
export function assertCanSignIn(account: SignInAccount): void {
  const isStopped = account.companyState === codeOf(companyState, 'stopped')
  if (account.state === codeOf(managerState, 'on') && !isStopped) return
  signInCounter.add('refused')
  if (account.state !== codeOf(managerState, 'on'))
    throw createFieldRefusal(
      'Logincode',
      `账号已停用，请联系${account.granter ? `超级管理员 ${account.granter}` : '管理员'}启用`,
    )
  throw createFieldRefusal('Logincode', `「${account.companyName}」已停用，请联系平台客服`)
}
