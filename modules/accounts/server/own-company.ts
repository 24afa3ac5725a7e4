import { randomBytes } from 'node:crypto'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { requirePermission } from '#kit/server/scope.ts'
import { requireById, update, withAllFields } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { editCompany, getMyCompany, resetAppSecret, property, ssoLogin } from '../contract/company.ts'
import { requireOwnPassword } from './sms-code-handlers.ts'
import { findAccountByLogin, assertCanSignIn } from './sign-in.ts'
import { createTicketRefusal, sha256, verifyTicket } from './sso-ticket.ts'
import { startSession } from './session-start.ts'
import { addEntry, removeEntries } from '#kit/server/directory.ts'

export const companyHandlers = [
  reads(getMyCompany, (_, { db, scope }) => requireById(db, property, scope, scope.ownerId)),
  writes(editCompany, async ({ id: _, version, ...draft }, { tx, scope }) =>
    update(tx, property, scope, scope.ownerId, withAllFields(editCompany.input, draft), { version }),
  ),

  anonymous(resetAppSecret, async ({ password }, c) => {
    const who = c.caller!
    if (typeof resetAppSecret.needs === 'object') {
      requirePermission(who, resetAppSecret.needs)
    }
    await requireOwnPassword(c, who, password)
    const appKey = `AK${randomBytes(10).toString('hex')}`
    const appSecret = randomBytes(30).toString('base64url')
    await c.app.database.tx(who.ownerId, async tx => {
      await tx.execute(
        sql`
          update property
          set app_key = ${appKey}, ${touch({ ...who, time: c.now })}
          where owner_id = ${who.ownerId} and id = ${who.ownerId}
        `,
      )
      await removeEntries(tx, 'app_key', who.ownerId, [who.ownerId])
      await addEntry(tx, 'app_key', appKey, { ownerId: who.ownerId, refId: who.ownerId })
      await tx.execute(
        sql`
          insert into property_secret (owner_id, secret)
          values (${who.ownerId}, ${sha256(appSecret)})
          on conflict (owner_id) do update set secret = excluded.secret, update_time = now()
        `,
      )
      await audit(tx, { ...who, ip: c.ip, requestId: c.requestId }, [
        {
          action: 'grant',
          entity: 'property',
          entityId: who.ownerId,
          after: { appKey },
          reason: '重置接口密钥',
        },
      ])
    })
    return { appKey, appSecret }
  }),

  anonymous(ssoLogin, async ({ ticket }, c) => {
    const {
      ownerId,
      said: { Logincode },
      spend,
    } = await verifyTicket(c, ticket)
    if (typeof Logincode !== 'string') throw createTicketRefusal()
    const m = await findAccountByLogin(c, Logincode)
    if (!m || m.ownerId !== ownerId) throw createTicketRefusal('该账号在本系统中不存在，请联系管理员开通')
    assertCanSignIn(m)
    await c.app.database.tx(ownerId, spend)
    return startSession(c, m, 'sso')
  }),
]
