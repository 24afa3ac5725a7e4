import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { residentDomainFilter } from '#modules/residents/server/public.ts'
import { pickFollowers, wechatFollower, wechatFollowers, type WechatFollower } from '../contract/follower.ts'
import { inProjects } from './account-context.ts'

export interface KnownFollower {
  readonly id: Id
  readonly accountId: Id
  readonly openId: string
  readonly isFollowing: boolean
  /** The resident who bound this WeChat, if one did. */
  readonly residentId?: Id
}

/** Somebody who follows an account of the company, by the number that the account knows them by. */
export const findFollower = (
  db: Pick<Db, 'one'>,
  ownerId: Id,
  openId: string,
): Promise<KnownFollower | undefined> =>
  db.one(sql`
    select f.id, f.account_id, f.open_id, f.is_following, r.id as resident_id
    from wechat_follower f
    left join resident r on r.owner_id = ${ownerId} and r.run_wechat = f.open_id and ${notDeleted('r')}
    where f.owner_id = ${ownerId} and f.open_id = ${openId} and ${notDeleted('f')}
    order by f.is_following desc, f.id desc
    limit 1
  `)

interface Followed {
  readonly ownerId: Id
  readonly accountId: Id
  readonly openId: string
  readonly time: Date
  /** From the code that was scanned; nothing where the account was found otherwise. */
  readonly estateCode?: string | undefined
}

/** Somebody follows, again or for the first time. The estate of a code that was scanned stays known. */
export const saveFollowed = (
  tx: Tx,
  { ownerId, accountId, openId, time, estateCode }: Followed,
): Promise<number> => {
  const estate = estateCode === undefined ? sql`` : sql`, estate_code = excluded.estate_code`
  return tx.execute(sql`
    insert into wechat_follower (owner_id, account_id, open_id, is_following, follow_time, estate_code)
    values (${ownerId}, ${accountId}, ${openId}, true, ${time}, ${estateCode ?? null})
    on conflict (owner_id, account_id, open_id) do update set is_following = excluded.is_following,
      follow_time = excluded.follow_time, leave_time = null, update_time = excluded.follow_time ${estate}
  `)
}

/** Who writes follows: the account may be older than our record of its followers. */
export const ensureFollower = (tx: Tx, { ownerId, accountId, openId, time }: Followed): Promise<number> =>
  tx.execute(sql`
    insert into wechat_follower (owner_id, account_id, open_id, is_following, follow_time)
    values (${ownerId}, ${accountId}, ${openId}, true, ${time})
    on conflict (owner_id, account_id, open_id) do nothing
  `)

export const saveLeft = (tx: Tx, { ownerId, accountId, openId, time }: Followed): Promise<number> =>
  tx.execute(sql`
    update wechat_follower
    set is_following = false, leave_time = ${time}, update_time = ${time}
    where owner_id = ${ownerId} and account_id = ${accountId} and open_id = ${openId} and is_following
  `)

async function withResidents(
  rows: readonly WechatFollower[],
  { db, scope }: CrudContext,
): Promise<readonly WechatFollower[]> {
  if (!rows.length) return rows
  const residents = await db.rows<{ openId: string; name: string }>(sql`
    select t.run_wechat as open_id, t.name
    from resident t
    where ${sql.join(
      [
        sql`t.owner_id = ${scope.ownerId}`,
        sql`t.run_wechat = any(${rows.map(row => row.openId)}::text[])`,
        sql`${notDeleted('t')}`,
        ...residentDomainFilter(scope),
      ],
      sql` and `,
    )}
  `)
  const names = new Map(residents.map(row => [row.openId, row.name]))
  return rows.map(row => ({ ...row, residentName: names.get(row.openId) }))
}

/** A follower belongs to the estate they came from; without one, to those who see every estate (PERM-6). */
const isSeen = ({ domain }: Scope, { estateCode }: Pick<WechatFollower, 'estateCode'>): boolean =>
  domain.all || (estateCode !== undefined && hasProject(domain, estateCode))

/** A follower outside the data domain is refused. */
export async function requireFollower(db: Db, scope: Scope, id: Id): Promise<WechatFollower> {
  const follower = await requireById(db, wechatFollower, scope, id)
  if (!isSeen(scope, follower)) throw outOfDomain()
  return follower
}

export const followerServer = crudHandlers(wechatFollowers, {
  enrich: withResidents,
  filter: ({ ofAccount }: { readonly ofAccount?: Id }, { scope }) => [
    ...(ofAccount === undefined ? [] : [sql`t.account_id = ${ofAccount}`]),
    ...inProjects(scope, sql`t.estate_code`),
  ],
  pickers: [pickFollowers],
})
