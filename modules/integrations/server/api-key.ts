import { addDaysToMoment, dayOfInstant, startOfDay } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { invalidInput, refuse, resultCode } from '#kit/contract/wire.ts'
import { apiKeyDigest, newApiKey, visibleStart } from '#kit/server/api-key.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { addEntry, removeEntries } from '#kit/server/directory.ts'
import { anonymous, reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { assertProjectsExist } from '#kit/server/handler/named-projects.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import { assertGrantableToKey, keyMenuTree, keyPermissionsOf } from '#modules/accounts/server/public.ts'
import {
  addApiKey,
  apiKey,
  apiKeyCalls,
  apiKeys,
  listKeyPermissions,
  revokeApiKey,
  type ApiKey,
} from '../contract/api-key.ts'
import { keyGrantFaults } from '../domain/key-rules.ts'
import { scopeOfCaller } from './request-scope.ts'

const defaultLogDays = 7

/** Every process reads the key again before its change is answered. */
const refreshOnCommit = (tx: Tx, app: App, ownerId: Id, keyId: Id): void =>
  tx.onCommit(() =>
    app.sessions
      .refresh(ownerId, keyId)
      .catch((err: unknown) => app.log.warn({ err, keyId }, 'key not refreshed')),
  )

/** To change a key, one must have all its permissions: those before the change and after (API-1). */
const keyServer = crudHandlers(apiKeys, {
  check: (draft, { scope, today }, before) => {
    assertGrantableToKey(scope, draft.permissions ?? [])
    if (before) {
      assertGrantableToKey(scope, keyPermissionsOf(before.permissions))
      if (before.state === 'revoked') refuse('已吊销的密钥不能修改')
    }
    return keyGrantFaults(draft, scope, today)
  },
  beforeUpdate: draft => ({
    permissions: keyPermissionsOf(draft.permissions ?? []),
    ...(draft.allProject ? { projectCodes: [] } : {}),
  }),
  afterUpdate: async (row, { tx, app, scope }) => refreshOnCommit(tx, app, scope.ownerId, row.id),
})

const callServer = crudHandlers(apiKeyCalls, {
  filter: ({ createTimeFrom, createTimeTo, onlyFailed }, { today }) => [
    sql`t.create_time >= ${createTimeFrom ?? addDaysToMoment(startOfDay(today), -defaultLogDays)}::timestamptz`,
    ...(createTimeTo === undefined ? [] : [sql`t.create_time <= ${createTimeTo}::timestamptz`]),
    ...(onlyFailed ? [sql`t.code <> ${resultCode.ok}`] : []),
  ],
})

/**
 * Opens its own transaction: the answer of a plain write is stored for a repeated request, and the key is
 * stored nowhere. Asked twice, there are two keys in the list.
 */
const addKeyHandler = anonymous(addApiKey, async (draft, c): Promise<ApiKey & { secret: string }> => {
  const scope = scopeOfCaller(c)
  const { ownerId } = scope
  const { id: _id, version: _version, ...values } = draft
  assertGrantableToKey(scope, draft.permissions)
  const faults = keyGrantFaults(draft, scope, dayOfInstant(c.app.clock()))
  if (faults.length) throw invalidInput(faults)
  const secret = newApiKey()
  const row = await c.app.database.tx(ownerId, async tx => {
    await assertProjectsExist(tx, ownerId, addApiKey.input, draft, '')
    const made = await insert(tx, apiKey, scope, {
      ...values,
      permissions: keyPermissionsOf(draft.permissions),
      projectCodes: draft.allProject ? [] : (draft.projectCodes ?? []),
      visibleStart: visibleStart(secret),
      state: 'valid',
      creatorId: scope.operatorId,
      callCount: 0,
    })
    await addEntry(tx, 'api_key', apiKeyDigest(secret), { ownerId, refId: made.id })
    return made
  })
  return { ...row, secret }
})

async function revokeKey(id: Id, reason: string, { tx, app, scope, now }: WriteContext): Promise<void> {
  const key = await requireById(tx, apiKey, scope, id, { lock: true })
  if (key.state === 'revoked') refuse('该密钥已吊销')
  await update(tx, apiKey, scope, id, { state: 'revoked', revokeTime: now, revokeReason: reason }, { reason })
  await removeEntries(tx, 'api_key', scope.ownerId, [id])
  refreshOnCommit(tx, app, scope.ownerId, id)
}

export const apiKeyServers = [
  keyServer,
  callServer,
  {
    handlers: [
      addKeyHandler,
      writes(revokeApiKey, ({ id, reason }, c) => revokeKey(id, reason, c)),
      reads(listKeyPermissions, async (_, { scope }) => keyMenuTree(scope)),
    ],
  },
]
