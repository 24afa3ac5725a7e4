import type { Moment } from '#kit/contract/field.ts'
import { Refused, code, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { greets, type Arriving } from '#kit/server/handle.ts'
import { door, setUp } from '../contract/company.ts'
import { captchaPicture, login, logout, renewToken, tokenLeft } from '../contract/sign-in.ts'
import {
  captchaAfter,
  counting,
  lockAfter,
  locked,
  lockedWords,
  needsCaptcha,
  wrongWords,
  type Attempts,
} from '../domain/attempts.ts'
import { changeFault } from '../domain/password.ts'
import { claimTry, takeBack, wipeTries } from './attempts.ts'
import { issueCaptcha, spendCaptcha } from './captcha.ts'
import { companies, createCompany } from './company.ts'
import { hashPassword, isCheap, isPassword } from './password.ts'
import { tellLocked } from './notices.ts'
import { factorOf, provesFactor } from './totp.ts'
import { welcome } from './welcome.ts'

export interface Known {
  readonly ownerId: number
  readonly id: number
  readonly loginCode: string
  readonly realName: string
  readonly mobile?: string
  readonly headImage?: string
  readonly managerType: number
  readonly state: number
  readonly companyName: string
  readonly companyState: number
  readonly idleMinutes: number
  readonly password: string
  readonly mustChange: boolean
  readonly mustBind: boolean
  readonly nearestProject?: string
  readonly granter?: string
}

/** One of the roles of manager `m` asks for a second factor. */
export const asksFactor = sql`exists (
  select 1
  from role r
  where r.owner_id = m.owner_id and r.delete_tag = 0 and r.need_totp and r.id = any(m.role_ids::bigint[])
)`

const asKnown = sql`
  select m.owner_id, m.id, m.login_code, m.real_name, m.mobile, m.head_image, m.manager_type, m.state,
    p.company_name, p.state as company_state, p.idle_minutes, s.password, s.must_change,
    s.totp is null and ${asksFactor} as must_bind, s.nearest_project, o.real_name as granter
  from manager m
  join property p on p.owner_id = m.owner_id and p.id = m.owner_id and p.delete_tag = 0
  join manager_secret s on s.owner_id = m.owner_id and s.manager_id = m.id
  left join manager o on o.owner_id = m.owner_id and o.manager_type = 10 and o.delete_tag = 0
`

export const knownByLogin = (c: Arriving, loginCode: string): Promise<Known | undefined> =>
  c.world.store
    .reader('*')
    .one<Known>(sql`${asKnown} where lower(m.login_code) = ${loginCode.toLowerCase()} and m.delete_tag = 0`)

export const knownById = (c: Arriving, ownerId: number, id: number): Promise<Known | undefined> =>
  c.world.store
    .reader(ownerId)
    .one<Known>(sql`${asKnown} where m.owner_id = ${ownerId} and m.id = ${id} and m.delete_tag = 0`)

/** Refuses a sign-in with what the form needs to know for the next try. */
const refused = (message: string, a: Attempts | undefined, now: Moment, field = 'Password'): Refused => {
  const shut = locked(a, now)
  const captcha = needsCaptcha(a, now) && !shut
  const failures = counting(a, now)
  const remaining = a && !shut ? (failures < captchaAfter ? captchaAfter : lockAfter) - failures : undefined
  return new Refused(code.refused, message, {
    Field: field,
    Captcha: captcha ? 1 : 0,
    Totp: 0,
    Remaining: remaining ?? null,
    LockUntil: shut ? a!.lockUntil : null,
  })
}

/** Whether somebody who has proved himself may come in at all. */
export function mayEnter(m: Known): void {
  if (m.state !== 10)
    throw new Refused(
      code.refused,
      `账号已停用，请联系${m.granter ? `超级管理员 ${m.granter}` : '管理员'}启用`,
      { Field: 'Logincode' },
    )
  if (m.companyState === 30)
    throw new Refused(code.refused, `「${m.companyName}」已停用，请联系平台客服`, { Field: 'Logincode' })
}

async function locksAccount(c: Arriving, m: Known, a: Attempts): Promise<void> {
  const reason = `密码连续错误 ${lockAfter} 次，锁定至 ${a.lockUntil!}`
  await c.world.store.tx(m.ownerId, tx =>
    audit(tx, { ownerId: m.ownerId, operatorId: m.id, name: m.realName, ip: c.ip, requestId: c.requestId }, [
      { action: 'refused', entity: 'manager', entityId: m.id, reason },
    ]).then(() => tellLocked(tx, c.world, m, c.ip, a.lockUntil!)),
  )
  c.world.live.tell(m.ownerId, [m.id], 'account-locked', { ip: c.ip, until: a.lockUntil })
}

export const signInHandlers = [
  greets(door, async (_, { world }) => {
    const rows = await world.store
      .reader('*')
      .rows<{ companyName: string }>(
        sql`select company_name from property where delete_tag = 0 order by id limit 2`,
      )
    return { empty: rows.length === 0, ...(rows.length === 1 ? { companyName: rows[0]!.companyName } : {}) }
  }),
  greets(setUp, async (input, { world, ip }) => {
    const fault = changeFault(input.password, input)
    if (fault) throw new Refused(code.input, fault, [{ Field: 'Password', Message: fault }])
    await world.store.tx('*', async tx => {
      // One at a time: two first visitors must not both become the first.
      await tx.run(sql`select pg_advisory_xact_lock(hashtext('first company'))`)
      if (await companies(tx)) refuse('系统已完成初始化，请直接登录')
      await createCompany(tx, { ...input, ip })
    })
  }),

  greets(captchaPicture, (_, { world }) => issueCaptcha(world.store, world.clock())),

  greets(login, async (input, c) => {
    const { store, clock } = c.world
    const read = await spendCaptcha(store, clock(), input.captchaKey, input.captcha)
    const claim = await claimTry(store, clock(), input.loginCode, read ? 'read' : 'none')
    if (!claim.may && claim.why === 'locked')
      throw refused(lockedWords(claim.attempts.lockUntil!), claim.attempts, c.now)
    if (!claim.may)
      throw refused(
        input.captcha ? '图形验证码不正确或已过期，请重新填写' : '请填写图形验证码',
        claim.attempts,
        c.now,
        'Captcha',
      )
    const m = await knownByLogin(c, input.loginCode)
    if (!(await isPassword(input.password, m?.password)) || !m) {
      if (m && claim.attempts.lockUntil) {
        await locksAccount(c, m, claim.attempts)
      }
      throw refused(wrongWords(claim.attempts), claim.attempts, c.now)
    }
    mayEnter(m)
    if ((await factorOf(store.reader(m.ownerId), m.ownerId, m.id))?.totp) {
      // The password was right: asking for the code costs no try, a wrong code does.
      if (!input.totp) {
        await takeBack(store, input.loginCode)
        throw new Refused(code.refused, '请输入动态验证码', { Field: 'Totp', Captcha: 0, Totp: 1 })
      }
      if (!(await provesFactor(store, m.ownerId, m.id, input.totp, clock()))) {
        if (claim.attempts.lockUntil) {
          await locksAccount(c, m, claim.attempts)
        }
        const no = refused('动态验证码不正确，请输入最新的 6 位数字', claim.attempts, c.now, 'Totp')
        throw new Refused(no.code, no.message, { ...(no.data as object), Totp: 1 })
      }
    }
    await wipeTries(store, clock(), input.loginCode)
    if (isCheap(m.password)) {
      const kept = await hashPassword(input.password)
      await store.tx(m.ownerId, tx =>
        tx.run(
          sql`
            update manager_secret
            set password = ${kept}
            where owner_id = ${m.ownerId} and manager_id = ${m.id} and password = ${m.password}
          `,
        ),
      )
    }
    return welcome(c, m, input.entry)
  }),

  greets(logout, async (_, { world, token, caller, ip, requestId }) => {
    await world.sessions.end(token)
    await world.store.tx(caller!.ownerId, tx =>
      audit(tx, { ...caller!, ip, requestId }, [
        { action: 'signin', entity: 'manager', entityId: caller!.operatorId, reason: '退出登录' },
      ]),
    )
  }),

  greets(renewToken, async ({ token }, c) => {
    // Only one's own: a token named in the body must be the one that asks.
    if (token && token !== c.token) throw new Refused(code.forbidden, '无权执行此操作')
    return (await c.world.sessions.renew(c.token)) ?? refuse('登录失效，请重新登录')
  }),
  greets(tokenLeft, async (_, { world, token }) => {
    const s = await world.sessions.find(token, true)
    return s ? Math.max(0, Math.floor((s.expires - world.clock()) / 1000)) : 0
  }),
]
