import { createHash, randomInt } from 'node:crypto'
import { codeOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { smsOf } from '#modules/accounts/server/sms.ts'
import type { App } from '#kit/server/app.ts'
import { smsCodePurpose } from '../contract/sms-code.ts'

type SmsCodePurpose = ChoiceOf<typeof smsCodePurpose>

/** PERM-11: six digits, five minutes, one a minute, ten a day for a number, burned after five wrong ones. */
const codeLifetimeMs = 300_000
const resendIntervalMs = 60_000
const maxCodesPerDay = 10
const maxWrongTries = 5

const hashSmsCode = (mobile: string, purpose: SmsCodePurpose, said: string): Buffer =>
  createHash('sha256').update(`${mobile}:${purpose}:${said}`).digest()

/**
 * Sends a fresh code to a number; refuses too many. The older ones of the purpose end. `later` does not wait
 * for the gateway, `never` only counts.
 */
export async function sendSmsCode(
  app: App,
  mobile: string,
  purpose: SmsCodePurpose,
  when: 'now' | 'later' | 'never' = 'now',
): Promise<void> {
  const now = app.clock()
  const said = String(randomInt(1_000_000)).padStart(6, '0')
  const day = fromInstant(now).slice(0, 10)
  const id = await app.database.tx('*', async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${mobile}, 11))`)
    const was = (await tx.one<{ n: number; last?: number }>(
      sql`
        select count(*) filter (where create_time >= ${`${day} 00:00:00+08`}::timestamptz) as n,
          extract(epoch from max(create_time)) * 1000 as last
        from sms_code
        where mobile = ${mobile}
      `,
    ))!
    const left = was.last === undefined ? 0 : Math.ceil((Number(was.last) + resendIntervalMs - now) / 1000)
    if (left > 0) throw new Refused(resultCode.rateLimited, `验证码刚发过，请 ${left} 秒后再试`)
    if (was.n >= maxCodesPerDay)
      throw new Refused(resultCode.rateLimited, `该手机号今天已发送 ${maxCodesPerDay} 次验证码，请明天再试`)
    await tx.execute(
      sql`
        update sms_code
        set used = true
        where mobile = ${mobile} and purpose = ${String(codeOf(smsCodePurpose, purpose))} and not used
      `,
    )
    await tx.execute(sql`delete from sms_code where create_time < ${new Date(now - 30 * 86_400_000)}`)
    return (await tx.one<{ id: number }>(
      sql`
        insert into sms_code (mobile, purpose, hash, create_time, expire_time)
        values (
          ${mobile}, ${String(codeOf(smsCodePurpose, purpose))}, ${hashSmsCode(mobile, purpose, said)},
          ${new Date(now)}, ${new Date(now + codeLifetimeMs)}
        )
        returning id
      `,
    ))!.id
  })
  if (when === 'never') return
  const sent = smsOf(app)
    .then(sms => sms.send(mobile, 'code', { code: said, purpose: labelOf(smsCodePurpose, purpose) }))
    .catch(async err => {
      app.log.warn({ err }, 'sms not sent')
      await app.database.tx('*', tx => tx.execute(sql`delete from sms_code where id = ${id}`))
      if (when === 'now') refuse('短信没有发送成功，请稍后再试')
    })
  if (when === 'now') {
    await sent
  } else {
    sent.catch(err => app.log.warn({ err }, 'sms code not withdrawn'))
  }
}

/** Uses a code up, or refuses; a wrong try counts although it is refused. */
export async function consumeSmsCode(
  app: App,
  mobile: string,
  purpose: SmsCodePurpose,
  said: string,
): Promise<void> {
  const fine = await app.database.tx('*', async tx => {
    const row = await tx.one<{ id: number; hash: Buffer; failures: number }>(
      sql`
        select id, hash, failures
        from sms_code
        where mobile = ${mobile}
          and purpose = ${String(codeOf(smsCodePurpose, purpose))}
          and not used
          and expire_time > ${new Date(app.clock())}
        order by id desc
        limit 1
        for update
      `,
    )
    if (!row) return undefined
    const is = row.hash.equals(hashSmsCode(mobile, purpose, said))
    await tx.execute(
      is
        ? sql`update sms_code set used = true where id = ${row.id}`
        : sql`
          update sms_code
          set failures = failures + 1, used = failures + 1 >= ${maxWrongTries}
          where id = ${row.id}
        `,
    )
    return is || row.failures + 1
  })
  const no = (message: string): never => {
    throw new Refused(resultCode.refused, message, { Field: 'SmsCode' })
  }
  if (fine === undefined) return no('短信验证码已失效，请重新获取')
  if (fine !== true)
    return no(
      fine >= maxWrongTries
        ? '短信验证码错误次数过多，已失效，请重新获取'
        : `短信验证码不正确，还可再试 ${maxWrongTries - fine} 次`,
    )
}
