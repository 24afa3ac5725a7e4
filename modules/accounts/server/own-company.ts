import type { Id } from '#kit/domain/id.ts'
import { randomBytes } from 'node:crypto'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { addEntry, removeEntries } from '#kit/server/directory.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { requirePermission } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { requireById, update, withAllFields } from '#kit/server/table.ts'
import { editCompany, getMyCompany, property, resetAppSecret, ssoLogin } from '../contract/company.ts'
import { requireOwnPassword } from './identity-check.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { startSession } from './session-start.ts'
import { assertCanSignIn, findAccountByLogin } from './sign-in-account.ts'
import { createTicketRefusal, sha256, verifyTicket } from './sso-ticket.ts'

interface KeyPair {
  readonly appKey: string
  readonly appSecret: string
}

/** Replaces the company's key pair; only a digest of the secret is stored. */
async function saveKeyPair(
  tx: Tx,
  scope: { readonly ownerId: Id; readonly operatorId: Id; readonly time: string },
  { appKey, appSecret }: KeyPair,
): Promise<void> {
  await tx.execute(
    sql`
      update property
      set app_key = ${appKey}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${scope.ownerId}
    `,
  )
  await removeEntries(tx, 'app_key', scope.ownerId, [scope.ownerId])
  await addEntry(tx, 'app_key', appKey, { ownerId: scope.ownerId, refId: scope.ownerId })
  await tx.execute(
    sql`
      insert into property_secret (owner_id, secret, update_time)
      values (${scope.ownerId}, ${sha256(appSecret)}, ${scope.time}::timestamptz)
      on conflict (owner_id) do update set secret = excluded.secret, update_time = excluded.update_time
    `,
  )
}

export const companyHandlers = [
  reads(getMyCompany, (_, { db, scope }) => requireById(db, property, scope, scope.ownerId)),
  writes(editCompany, async ({ id: _id, version, ...draft }, { tx, scope }) =>
    update(tx, property, scope, scope.ownerId, withAllFields(editCompany.input, draft), { version }),
  ),

  anonymous(resetAppSecret, async ({ password }, c) => {
    const caller = requireCaller(c)
    if (typeof resetAppSecret.needs === 'object') {
      requirePermission(caller, resetAppSecret.needs)
    }
    await requireOwnPassword(c, caller, password)
    const keyPair = {
      appKey: `AK${randomBytes(10).toString('hex')}`,
      appSecret: randomBytes(30).toString('base64url'),
    }
    await c.app.database.tx(caller.ownerId, async tx => {
      await saveKeyPair(tx, { ...caller, time: c.now }, keyPair)
      await audit(tx, callerActor(c, caller), [
        {
          action: 'grant',
          entity: 'property',
          entityId: caller.ownerId,
          after: { appKey: keyPair.appKey },
          reason: '重置接口密钥',
        },
      ])
    })
    return keyPair
  }),

  anonymous(ssoLogin, async ({ ticket }, c) => {
    const { ownerId, payload, markUsed } = await verifyTicket(c, ticket)
    if (typeof payload.Logincode !== 'string') throw createTicketRefusal()
    const account = await findAccountByLogin(c, payload.Logincode)
    if (!account || account.ownerId !== ownerId)
      throw createTicketRefusal('该账号在本系统中不存在，请联系管理员开通')
    assertCanSignIn(account)
    await c.app.database.tx(ownerId, markUsed)
    return startSession(c, account, 'sso')
  }),
]
