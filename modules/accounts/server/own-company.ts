import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refused, code } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { greets, reads, writes } from '#kit/server/handle.ts'
import { needs } from '#kit/server/scope.ts'
import { need, update, whole } from '#kit/server/table.ts'
import { editCompany, myCompany, newSecret, property, ssoLogin } from '../contract/company.ts'
import { provePassword } from './codes.ts'
import { knownByLogin, mayEnter } from './sign-in.ts'
import { welcome } from './welcome.ts'

const lastsSeconds = 300
const digest = (s: string): Buffer => createHash('sha256').update(s).digest()
const bad = (message = '票据无效或已过期，请从原系统重新进入'): Refused => new Refused(code.refused, message, { Field: 'Ticket' })
interface Said { readonly AppKey?: unknown; readonly Logincode?: unknown; readonly Time?: unknown; readonly Nonce?: unknown }
function read(payload: string): Said {
  try { const v = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown; if (v && typeof v === 'object') return v } catch { /* not a ticket */ }
  throw bad()
}

export const companyHandlers = [
  reads(myCompany, (_, { db, scope }) => need(db, property, scope, scope.ownerId)),
  writes(editCompany, async ({ id: _, version, ...draft }, { tx, scope }) => update(tx, property, scope, scope.ownerId, whole(editCompany.input, draft), { version })),

  greets(newSecret, async ({ password }, c) => {
    const who = c.caller!
    if (typeof newSecret.needs === 'object') needs(who, newSecret.needs)
    await provePassword(c, who, password)
    const appKey = `AK${randomBytes(10).toString('hex')}`, appSecret = randomBytes(30).toString('base64url')
    await c.world.store.tx(who.ownerId, async tx => {
      await tx.run(sql`update property set app_key = ${appKey}, version = version + 1, update_time = now(), update_by = ${who.operatorId} where owner_id = ${who.ownerId} and id = ${who.ownerId}`)
      await tx.run(sql`insert into property_secret (owner_id, secret) values (${who.ownerId}, ${digest(appSecret)}) on conflict (owner_id) do update set secret = excluded.secret, update_time = now()`)
      await audit(tx, { ...who, ip: c.ip, requestId: c.requestId }, [{ action: 'grant', entity: 'property', entityId: who.ownerId, after: { appKey }, reason: '重置接口密钥' }])
    })
    return { appKey, appSecret }
  }),

  greets(ssoLogin, async ({ ticket }, c) => {
    const [payload = '', sign = ''] = ticket.split('.'), said = read(payload), { AppKey, Logincode, Time, Nonce } = said
    if (typeof AppKey !== 'string' || typeof Logincode !== 'string' || typeof Nonce !== 'string' || Nonce.length < 8 || Nonce.length > 80) throw bad()
    const issuer = await c.world.store.reader('*').one<{ ownerId: number; secret: Buffer }>(sql`select p.owner_id, s.secret from property p join property_secret s on s.owner_id = p.owner_id where p.app_key = ${AppKey} and p.delete_tag = 0`)
    const is = createHmac('sha256', issuer?.secret ?? Buffer.alloc(32)).update(payload).digest(), got = Buffer.from(sign, 'base64url')
    if (got.length !== is.length || !timingSafeEqual(got, is) || !issuer) throw bad()
    if (!(Math.abs(Number(Time) - c.world.clock() / 1000) <= lastsSeconds)) throw bad()
    const m = await knownByLogin(c, Logincode)
    if (!m || m.ownerId !== issuer.ownerId) throw bad('该账号在本系统中不存在，请联系管理员开通')
    mayEnter(m)
    const first = await c.world.store.tx(m.ownerId, async tx => {
      await tx.run(sql`delete from used_ticket where owner_id = ${m.ownerId} and expire_time < ${new Date(c.world.clock())}`)
      return tx.run(sql`insert into used_ticket (owner_id, nonce, expire_time) values (${m.ownerId}, ${Nonce}, ${new Date(c.world.clock() + 2 * lastsSeconds * 1000)}) on conflict do nothing`)
    })
    if (!first) throw bad('票据已使用过，请从原系统重新进入')
    return welcome(c, m, 'sso')
  }),
]
