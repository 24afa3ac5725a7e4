import { randomBytes } from 'node:crypto'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { greets, reads, writes } from '#kit/server/handle.ts'
import { needs } from '#kit/server/scope.ts'
import { need, update, whole } from '#kit/server/table.ts'
import { editCompany, myCompany, newSecret, property, ssoLogin } from '../contract/company.ts'
import { provePassword } from './codes.ts'
import { knownByLogin, mayEnter } from './sign-in.ts'
import { badTicket, digest, openTicket } from './ticket.ts'
import { welcome } from './welcome.ts'

export const companyHandlers = [
  reads(myCompany, (_, { db, scope }) => need(db, property, scope, scope.ownerId)),
  writes(editCompany, async ({ id: _, version, ...draft }, { tx, scope }) =>
    update(tx, property, scope, scope.ownerId, whole(editCompany.input, draft), { version }),
  ),

  greets(newSecret, async ({ password }, c) => {
    const who = c.caller!
    if (typeof newSecret.needs === 'object') {
      needs(who, newSecret.needs)
    }
    await provePassword(c, who, password)
    const appKey = `AK${randomBytes(10).toString('hex')}`
    const appSecret = randomBytes(30).toString('base64url')
    await c.world.store.tx(who.ownerId, async tx => {
      await tx.run(
        sql`
          update property
          set app_key = ${appKey}, version = version + 1, update_time = now(), update_by = ${who.operatorId}
          where owner_id = ${who.ownerId} and id = ${who.ownerId}
        `,
      )
      await tx.run(
        sql`
          insert into property_secret (owner_id, secret)
          values (${who.ownerId}, ${digest(appSecret)})
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

  greets(ssoLogin, async ({ ticket }, c) => {
    const {
      ownerId,
      said: { Logincode },
      spend,
    } = await openTicket(c, ticket)
    if (typeof Logincode !== 'string') throw badTicket()
    const m = await knownByLogin(c, Logincode)
    if (!m || m.ownerId !== ownerId) throw badTicket('该账号在本系统中不存在，请联系管理员开通')
    mayEnter(m)
    await c.world.store.tx(ownerId, spend)
    return welcome(c, m, 'sso')
  }),
]
