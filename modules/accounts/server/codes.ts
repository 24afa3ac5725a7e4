import { createHash, randomBytes } from 'node:crypto'
import { maskPhone } from '#kit/contract/text.ts'
import { Refused, absent, code } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { greets, type Arriving } from '#kit/server/handle.ts'
import type { Caller } from '#kit/server/scope.ts'
import {
  changeMobile,
  checkCode,
  findPassword,
  register,
  sendCode,
  sendCodeOutside,
} from '../contract/codes.ts'
import { transferOwner } from '../contract/manager.ts'
import { lockedWords } from '../domain/attempts.ts'
import { changeFault } from '../domain/password.ts'
import { claimTry, wipeTries } from './attempts.ts'
import { spendCaptcha } from './captcha.ts'
import { createCompany } from './company.ts'
import { hashPassword, isPassword } from './password.ts'
import { tellOwnerChanged } from './notices.ts'
import { knownById, knownByLogin, mayEnter, type Known } from './sign-in.ts'
import { sendSmsCode, spendSmsCode } from './sms-code.ts'

const at = (field: string, message: string, c: number = code.refused): Refused =>
  new Refused(c, message, c === code.input ? [{ Field: field, Message: message }] : { Field: field })

/** The letters of a picture, before anything goes out to a telephone (PERM-11). */
export async function readPicture(c: Arriving, key: string, text: string): Promise<void> {
  if (!(await spendCaptcha(c.world.store, c.world.clock(), key, text)))
    throw at('Captcha', '图形验证码不正确或已过期，请重新填写')
}

/** The caller's own password again, before something grave; wrong ones are counted apart from the door. */
export async function provePassword(c: Arriving, who: Caller, said: string): Promise<Known> {
  const m = await knownById(c, who.ownerId, who.operatorId)
  if (!m) throw absent()
  const name = `change ${who.ownerId} ${who.operatorId}`
  const claim = await claimTry(c.world.store, c.world.clock(), name, 'read')
  if (!claim.may) throw at('Password', lockedWords(claim.attempts.lockUntil!))
  if (!(await isPassword(said, m.password))) throw at('Password', '当前密码不正确，请重新输入')
  await wipeTries(c.world.store, c.world.clock(), name)
  return m
}

const as = (c: Arriving, who: Caller) => ({ ...who, ip: c.ip, requestId: c.requestId })

export const codeHandlers = [
  greets(sendCode, async (q, c) => {
    await readPicture(c, q.captchaKey, q.captcha)
    const m = await knownById(c, c.caller!.ownerId, c.caller!.operatorId)
    const to = q.purpose === 'mobile' ? q.mobile : m?.mobile
    if (!to)
      throw at(
        'Mobile',
        q.purpose === 'mobile' ? '请填写新手机号' : '你的账号还没有手机号，请先在个人中心绑定手机',
      )
    await sendSmsCode(c.world, to, q.purpose)
    return maskPhone(to)
  }),
  greets(sendCodeOutside, async (q, c) => {
    await readPicture(c, q.captchaKey, q.captcha)
    if (q.purpose === 'register') return sendSmsCode(c.world, q.mobile, 'register')
    if (q.purpose !== 'password') throw at('Purpose', '请先登录再获取验证码')
    const m = q.loginCode ? await knownByLogin(c, q.loginCode) : undefined
    // Whether account and number belong together must show neither in the answer nor in how long it takes.
    await sendSmsCode(c.world, q.mobile, 'password', m?.mobile === q.mobile ? 'later' : 'never')
  }),
  greets(checkCode, async (q, c) => {
    await spendSmsCode(c.world, q.mobile, 'password', q.smsCode)
    const m = await knownByLogin(c, q.loginCode)
    if (!m || m.mobile !== q.mobile) throw at('SmsCode', '短信验证码已失效，请重新获取')
    mayEnter(m)
    const pass = randomBytes(24).toString('base64url')
    const hash = createHash('sha256').update(pass).digest()
    await c.world.store.tx('*', tx =>
      tx.run(
        sql`
          insert into sms_code (mobile, purpose, hash, create_time, expire_time)
          values (
            ${`${m.ownerId}:${m.id}`}, 'pass', ${hash}, ${new Date(c.world.clock())},
            ${new Date(c.world.clock() + 600_000)}
          )
        `,
      ),
    )
    return pass
  }),
  greets(findPassword, async (q, c) => {
    const hash = createHash('sha256').update(q.pass).digest()
    const now = new Date(c.world.clock())
    const row = await c.world.store.reader('*').one<{ id: number; mobile: string }>(
      sql`
          select id, mobile
          from sms_code
          where purpose = 'pass' and hash = ${hash} and not used and expire_time > ${now}
        `,
    )
    const [owner, id] = (row?.mobile ?? '0:0').split(':').map(Number) as [number, number]
    const m = row && (await knownById(c, owner, id))
    if (!m) throw at('Ticket', '页面已过期，请从「找回密码」重新开始')
    const fault = changeFault(q.password, m)
    if (fault) throw at('Password', fault, code.input)
    const kept = await hashPassword(q.password)
    await c.world.store.tx('*', async tx => {
      if (!(await tx.run(sql`update sms_code set used = true where id = ${row.id} and not used`)))
        throw at('Ticket', '页面已过期，请从「找回密码」重新开始')
      await tx.run(
        sql`
          update manager_secret
          set password = ${kept}, must_change = false, password_time = ${now}
          where owner_id = ${owner} and manager_id = ${id}
        `,
      )
      await audit(
        tx,
        { ownerId: owner, operatorId: id, name: m.realName, ip: c.ip, requestId: c.requestId },
        [{ action: 'update', entity: 'manager', entityId: id, reason: '找回密码' }],
      )
    })
    await wipeTries(c.world.store, c.world.clock(), m.loginCode)
    await c.world.sessions.endAll(owner, id)
  }),
  greets(register, async (q, c) => {
    const fault = changeFault(q.password, q)
    if (fault) throw at('Password', fault, code.input)
    if (await knownByLogin(c, q.loginCode)) throw at('Logincode', '该账号已被使用，请换一个账号')
    await spendSmsCode(c.world, q.mobile, 'register', q.smsCode)
    await c.world.store.tx('*', tx => createCompany(tx, { ...q, ip: c.ip }))
  }),
  greets(changeMobile, async (q, c) => {
    const who = c.caller!
    await provePassword(c, who, q.password)
    await spendSmsCode(c.world, q.mobile, 'mobile', q.smsCode)
    await c.world.store.tx(who.ownerId, async tx => {
      const was = await tx.one<{ mobile?: string }>(
        sql`select mobile from manager where owner_id = ${who.ownerId} and id = ${who.operatorId} for update`,
      )
      await tx.run(
        sql`
          update manager
          set mobile = ${q.mobile}, version = version + 1, update_time = now(),
            update_by = ${who.operatorId}
          where owner_id = ${who.ownerId} and id = ${who.operatorId}
        `,
      )
      await audit(tx, as(c, who), [
        {
          action: 'update',
          entity: 'manager',
          entityId: who.operatorId,
          before: { mobile: was?.mobile },
          after: { mobile: q.mobile },
          reason: '更换手机',
        },
      ])
    })
    await c.world.sessions.endAll(who.ownerId, who.operatorId, c.token)
  }),
  greets(transferOwner, async (q, c) => {
    const who = c.caller!
    const { store, sessions, live } = c.world
    if (!who.owner)
      throw new Refused(code.forbidden, `只有超级管理员可以移交权限，请联系${who.granter ?? '超级管理员'}`)
    if (who.mustChange) throw new Refused(code.forbidden, '请先修改密码')
    if (who.mustBind) throw new Refused(code.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
    const me = await provePassword(c, who, q.password)
    const to = q.id === who.operatorId ? undefined : await knownById(c, who.ownerId, q.id)
    if (!to || to.state !== 10) throw at('ID', '接收人不存在或已停用，请另选一位')
    if (!me.mobile) throw at('SmsCode', '你的账号还没有手机号，请先在个人中心绑定手机')
    await spendSmsCode(c.world, me.mobile, 'transfer', q.smsCode)
    await store.tx(who.ownerId, async tx => {
      const all = await tx.one<{ id: number }>(
        sql`
          select id
          from role
          where owner_id = ${who.ownerId} and everything and delete_tag = 0
          order by id
          limit 1
        `,
      )
      // The one who goes keeps working, as a deputy with the role of everything.
      const went = await tx.run(
        sql`
          update manager
          set manager_type = 20, role_ids = coalesce(${all ? [String(all.id)] : null}::text[], role_ids),
            version = version + 1, update_time = now(), update_by = ${who.operatorId}
          where owner_id = ${who.ownerId}
            and id = ${who.operatorId}
            and manager_type = 10
            and delete_tag = 0
        `,
      )
      const came = await tx.run(
        sql`
          update manager
          set manager_type = 10, all_project = true, show_privacy = true, version = version + 1,
            update_time = now(), update_by = ${who.operatorId}
          where owner_id = ${who.ownerId} and id = ${q.id} and state = 10 and delete_tag = 0
        `,
      )
      if (!went || !came) throw at('ID', '接收人不存在或已停用，请另选一位')
      await audit(tx, as(c, who), [
        {
          action: 'grant',
          entity: 'manager',
          entityId: q.id,
          before: { owner: me.loginCode },
          after: { owner: to.loginCode },
          reason: q.reason,
        },
      ])
      await tellOwnerChanged(tx, c.world, me, to)
    })
    for (const id of [who.operatorId, q.id]) {
      await sessions.refresh(who.ownerId, id)
    }
    live.tell(who.ownerId, [who.operatorId, q.id], 'rights')
    live.tell(who.ownerId, [who.operatorId, q.id], 'owner-changed', { from: me.realName, to: to.realName })
  }),
]
