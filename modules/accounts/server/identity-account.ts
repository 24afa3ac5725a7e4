import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insert, remove } from '#kit/server/table.ts'
import { managerState, managerType } from '../contract/manager.ts'
import { managerIdentity, type ManagerIdentity } from '../contract/manager-identity.ts'
import { issuerKey, type StoredProvider } from './identity-provider-store.ts'
import type { ProvedIdentity } from './identity-request.ts'
import type { Claims } from './oidc-client.ts'

/** Whose identity it is in this company; undefined where nobody has bound it. */
export const findIdentityHolder = (
  db: Pick<Tx, 'one'>,
  { provider, subject }: Pick<ProvedIdentity, 'provider' | 'subject'>,
): Promise<{ id: Id; managerId: Id; realName: string } | undefined> =>
  db.one(sql`
    select i.id, i.manager_id, m.real_name
    from manager_identity i
    join manager m on m.owner_id = ${provider.ownerId} and m.id = i.manager_id
    where i.owner_id = ${provider.ownerId}
      and i.issuer = ${issuerKey(provider)}
      and i.subject = ${subject}
      and ${notDeleted('i')}
  `)

/** What an account has bound at the provider. */
export const findOwnIdentity = (
  db: Pick<Tx, 'one'>,
  provider: StoredProvider,
  managerId: Id,
): Promise<{ id: Id; displayName?: string } | undefined> =>
  db.one(sql`
    select id, display_name
    from manager_identity
    where owner_id = ${provider.ownerId}
      and manager_id = ${managerId}
      and issuer = ${issuerKey(provider)}
      and ${notDeleted()}
  `)

const claimText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** `+86 138-0013-8000` as accounts keep it. */
const mobileOf = (phone: string): string => phone.replace(/\D/g, '').replace(/^86(?=1\d{10}$)/, '')

/** What a provider vouches for, by the company's choice; undefined where it does not. */
function verifiedMatch({ matchBy }: StoredProvider, claims: Claims) {
  const email = claimText(claims.email).toLowerCase()
  const mobile = mobileOf(claimText(claims.phone_number))
  if (matchBy === 'email' && claims.email_verified === true && email) return sql`lower(m.email) = ${email}`
  if (matchBy === 'mobile' && claims.phone_number_verified === true && mobile)
    return sql`m.mobile = ${mobile}`
  return undefined
}

/** The one account in use that a verified claim names and that has bound nobody; none where there are two. */
export async function findMatchingAccount(
  db: Pick<Tx, 'rows'>,
  provider: StoredProvider,
  claims: Claims,
): Promise<Id | undefined> {
  const isSame = verifiedMatch(provider, claims)
  if (!isSame) return undefined
  const found = await db.rows<{ id: Id; isBound: boolean }>(sql`
    select m.id, exists (
      select 1
      from manager_identity i
      where i.owner_id = ${provider.ownerId}
        and i.manager_id = m.id
        and i.issuer = ${issuerKey(provider)}
        and ${notDeleted('i')}
    ) as is_bound
    from manager m
    where m.owner_id = ${provider.ownerId}
      and ${isSame}
      and m.state = ${code(managerState, 'on')}
      and ${notDeleted('m')}
    limit 2
  `)
  const [first, ...others] = found
  return first && !others.length && !first.isBound ? first.id : undefined
}

/** The scope of an account that acts before it has a session. */
export const accountScope = (
  c: AnonymousContext,
  { ownerId, id, realName }: { readonly ownerId: Id; readonly id: Id; readonly realName: string },
): Scope => ({
  ...systemScope(ownerId, new Date(c.app.clock()).toISOString()),
  operatorId: id,
  name: realName,
  ip: c.ip,
  requestId: c.requestId,
})

/** Binds an identity to an account. Refuses one that is another's, and an account that has one. */
export async function bindIdentity(
  tx: Tx,
  scope: Scope,
  identity: Pick<ProvedIdentity, 'provider' | 'subject'> & { readonly claims?: Claims },
  binding: Pick<ManagerIdentity, 'managerId' | 'boundBy'>,
): Promise<ManagerIdentity> {
  const { provider, subject, claims = {} } = identity
  const holder = await findIdentityHolder(tx, identity)
  if (holder && holder.managerId !== binding.managerId)
    refuse(`该身份已绑定本公司的其他账号（${holder.realName}），请先在该账号解除绑定`)
  if (holder ?? (await findOwnIdentity(tx, provider, binding.managerId)))
    refuse('该账号已绑定统一身份，请先解除绑定')
  const displayName = (claimText(claims.name) || claimText(claims.preferred_username)).slice(0, 100)
  return insert(tx, managerIdentity, scope, {
    ...binding,
    subject,
    issuer: issuerKey(provider),
    ...(displayName ? { displayName } : {}),
  })
}

/** Accounts that are gone hold no identity. */
export async function removeIdentitiesOf(
  tx: Tx,
  scope: Scope,
  managerIds: readonly Id[],
  reason: string,
): Promise<void> {
  const rows = await tx.rows<{ id: Id }>(sql`
    select id
    from manager_identity
    where owner_id = ${scope.ownerId} and manager_id = any(${managerIds}::bigint[]) and ${notDeleted()}
  `)
  if (!rows.length) return
  await remove(
    tx,
    managerIdentity,
    scope,
    rows.map(row => row.id),
    reason,
  )
}

/** Nobody is signed in by an identity that nobody has bound; says whom to ask. */
export async function refuseUnknown(
  db: Pick<Tx, 'one'>,
  { provider: { ownerId }, subject }: ProvedIdentity,
): Promise<never> {
  const owner = await db.one<{ realName: string }>(sql`
    select real_name
    from manager
    where owner_id = ${ownerId} and manager_type = ${code(managerType, 'owner')} and ${notDeleted()}
  `)
  return refuse(
    `该身份尚未绑定本公司的账号。已有账号的，请用账号密码登录，在「个人中心」绑定；没有的，请联系${owner ? `超级管理员 ${owner.realName}` : '管理员'}（身份标识：${subject}）`,
  )
}
