import { randomBytes } from 'node:crypto'
import { invalidField, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPaySetting } from '#modules/payments/server/public.ts'
import {
  listPaySettings,
  resetServerConfig,
  saveAppSecret,
  testWechatAccount,
  wechatAccount,
  wechatAccounts,
  type WechatAccount,
} from '../contract/account.ts'
import { inProjects, scopeOfCaller } from './account-context.ts'
import { accessTokenOf } from './platform/access-token.ts'
import { requireStoredAccount, saveSecrets, type StoredAccount } from './platform/account-store.ts'
import { callbackPath } from './platform/callback-path.ts'
import { newAesKey, newToken } from './platform/crypto.ts'
import { isPassing, PlatformAway, PlatformFault } from './platform/platform-fault.ts'
import { simulatorUrlOf } from './simulator/simulator.ts'

interface AccountFacts {
  readonly id: Id
  readonly hasStoredSecret: boolean
  readonly hasServerConfig: boolean
  readonly projectCodes: readonly string[]
  readonly projectNames?: string
  readonly followers: number
}

type Enriching = CrudContext & { readonly app: App }

const findFacts = ({ db, scope }: CrudContext, ids: readonly Id[]): Promise<AccountFacts[]> =>
  db.rows<AccountFacts>(sql`
    select a.id, a.run_secret is not null as has_stored_secret, a.run_token is not null as has_server_config,
      coalesce(e.codes, '{}') as project_codes, e.names as project_names, coalesce(f.followers, 0) as followers
    from wechat_account a
    left join (
      select b.account_id, array_agg(b.project_code order by b.project_code) as codes,
        string_agg(coalesce(p.name, b.project_code), '、' order by b.project_code) as names
      from wechat_estate b
      left join estate p on p.owner_id = ${scope.ownerId} and p.project_code = b.project_code and ${notDeleted('p')}
      where ${sql.join(
        [
          sql`b.owner_id = ${scope.ownerId}`,
          sql`${notDeleted('b')}`,
          ...inProjects(scope, sql`b.project_code`),
        ],
        sql` and `,
      )}
      group by b.account_id
    ) e on e.account_id = a.id
    left join (
      select account_id, count(*)::int as followers
      from wechat_follower
      where ${sql.join(
        [
          sql`owner_id = ${scope.ownerId}`,
          sql`is_following`,
          sql`${notDeleted()}`,
          ...inProjects(scope, sql`estate_code`),
        ],
        sql` and `,
      )}
      group by account_id
    ) f on f.account_id = a.id
    where a.owner_id = ${scope.ownerId} and a.id = any(${[...ids]}::bigint[])
  `)

/** None where the keys cannot be read, as in a copy of the data without its key: it is listed still. */
async function phoneUrlOf(
  { app, db, scope }: Enriching,
  { id, appId }: WechatAccount,
): Promise<string | undefined> {
  try {
    const stored: StoredAccount = await requireStoredAccount(app, db, scope.ownerId, id)
    return `${await simulatorUrlOf(app, stored)}/phone/${appId}`
  } catch (err) {
    app.log.warn({ err, account: id }, 'no simulator for an account')
    return undefined
  }
}

async function withFacts(
  rows: readonly WechatAccount[],
  context: Enriching,
): Promise<readonly WechatAccount[]> {
  if (!rows.length) return rows
  const facts = await findFacts(
    context,
    rows.map(row => row.id),
  )
  const byId = new Map(facts.map(row => [row.id, row]))
  const setting = await findPaySetting(context.db, context.scope.ownerId, 'wechat')
  return Promise.all(
    rows.map(async row => {
      const known = byId.get(row.id)
      const isPlayable = row.simulated && known?.hasStoredSecret
      const mchId = setting?.appId === row.appId ? setting.mchId : undefined
      return {
        ...row,
        ...known,
        mchId,
        ...(isPlayable ? { simulatorUrl: await phoneUrlOf(context, row) } : {}),
      }
    }),
  )
}

/** A simulated account has made-up keys at once; a real one waits for what its owner enters. */
async function setUpKeys(tx: Tx, app: App, scope: Scope, row: WechatAccount, secret?: string): Promise<void> {
  const made = row.simulated ? { token: newToken(), aesKey: newAesKey() } : {}
  const own = secret ?? (row.simulated ? randomBytes(16).toString('hex') : undefined)
  await saveSecrets(tx, app, scope.ownerId, row.id, {
    ...made,
    ...(own === undefined ? {} : { secret: own }),
  })
}

type NewAccount = NonNullable<typeof wechatAccounts.add.input.T>

const secretFaults = ({ simulated, appSecret }: Partial<NewAccount>): FieldFault[] =>
  !simulated && appSecret === undefined ? [{ Field: 'AppSecret', Message: '请填写 AppSecret' }] : []

const crudServer = crudHandlers(wechatAccounts, {
  unique: { wechat_account_app_live: '该 AppID 已添加，请在列表中查找' },
  refusesChangeOf: ['appId', 'simulated'],
  enrich: withFacts,
  check: (draft: Partial<NewAccount>, _c, before) => (before ? [] : secretFaults(draft)),
  afterInsert: (row, { tx, app, scope }, draft) => setUpKeys(tx, app, scope, row, draft.appSecret),
})

const saveSecretHandler = writes(saveAppSecret, async ({ id, appSecret }, { tx, app, scope }) => {
  const before = await requireById(tx, wechatAccount, scope, id, { lock: true })
  if (before.simulated) throw invalidField('ID', '模拟公众号的密钥由模拟器生成，无需更换')
  await saveSecrets(tx, app, scope.ownerId, id, { secret: appSecret })
  await update(
    tx,
    wechatAccount,
    scope,
    id,
    { authState: undefined, authFault: undefined },
    {
      reason: '更换 AppSecret',
    },
  )
})

/** Its answer holds secrets, so it is not kept for repeated requests as those of other writes are. */
const resetConfigHandler = anonymous(resetServerConfig, async ({ id }, c) => {
  const scope = scopeOfCaller(c)
  const token = newToken()
  const encodingAesKey = newAesKey()
  await c.app.database.tx(scope.ownerId, async tx => {
    await requireById(tx, wechatAccount, scope, id, { lock: true })
    await saveSecrets(tx, c.app, scope.ownerId, id, { token, aesKey: encodingAesKey })
    // The audit row says that there are new ones, never which.
    await update(tx, wechatAccount, scope, id, {}, { reason: '生成服务器配置' })
  })
  return { address: callbackPath({ ownerId: scope.ownerId, id }), token, encodingAesKey }
})

/** Its calls of today are used up: the secret is right. */
const usedUp = 45009

type Connection =
  | { readonly state: 'authorized' }
  | { readonly state: 'invalid'; readonly fault: string }
  | { readonly state: 'unknown'; readonly fault: string }

/** A platform that is away or busy tells nothing about the account. */
async function testConnection(app: App, account: StoredAccount): Promise<Connection> {
  try {
    await accessTokenOf(app, account)
    return { state: 'authorized' }
  } catch (error) {
    if (!(error instanceof PlatformFault || error instanceof PlatformAway)) throw error
    const isUnknown = isPassing(error) || (error instanceof PlatformFault && error.errcode === usedUp)
    return { state: isUnknown ? 'unknown' : 'invalid', fault: error.message }
  }
}

const testHandler = anonymous(testWechatAccount, async ({ id }, c) => {
  const { app } = c
  const scope = scopeOfCaller(c)
  const stored = await requireStoredAccount(app, app.database.reader(scope.ownerId), scope.ownerId, id)
  // What was fetched before says nothing about the secret of now.
  await app.database.tx(scope.ownerId, tx =>
    tx.execute(sql`
      update wechat_account
      set run_access_token = null
      where owner_id = ${scope.ownerId} and id = ${id}
    `),
  )
  const tested = await testConnection(app, stored)
  if (tested.state === 'unknown') return { isOk: false, message: tested.fault }
  const authFault = tested.state === 'invalid' ? tested.fault : undefined
  await app.database.tx(scope.ownerId, tx =>
    update(tx, wechatAccount, scope, id, {
      authState: tested.state,
      authFault,
      testTime: fromInstant(app.clock()),
    }),
  )
  return { isOk: authFault === undefined, message: authFault ?? '连接正常，已取得接口凭证' }
})

const payHandler = reads(listPaySettings, async (_, { db, scope }) => {
  const accounts = await db.rows<{ id: Id; mpName: string; appId: string }>(sql`
    select id, mp_name, app_id
    from wechat_account
    where owner_id = ${scope.ownerId} and ${notDeleted()}
    order by id
  `)
  const setting = await findPaySetting(db, scope.ownerId, 'wechat')
  return accounts.map(account => ({
    ...account,
    mchId: setting?.mchId,
    isMatching: setting?.appId === account.appId,
    isEnabled: setting?.enabled ?? false,
  }))
})

/** The account that a call names, of the company of its caller. */
export async function assertAccount(tx: Tx, scope: Scope, id: Id | string): Promise<WechatAccount> {
  const number = parseId(String(id))
  return number ? requireById(tx, wechatAccount, scope, number) : refuse('请先选择公众号')
}

export const accountServer = joinServers(crudServer, {
  handlers: [saveSecretHandler, resetConfigHandler, testHandler, payHandler],
})
