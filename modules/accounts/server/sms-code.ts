import { createHash, randomInt } from 'node:crypto'
import { codeOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { Refused, code, refuse } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { smsOf } from '#kit/server/sms.ts'
import type { World } from '#kit/server/world.ts'
import { codePurpose } from '../contract/codes.ts'

type Purpose = ChoiceOf<typeof codePurpose>

/** PERM-11: six digits, five minutes, one a minute, ten a day for a number, burned after five wrong ones. */
const lastsMs = 300_000
const gapMs = 60_000
const perDay = 10
const burnedAfter = 5

const hashOf = (mobile: string, purpose: Purpose, said: string): Buffer =>
  createHash('sha256').update(`${mobile}:${purpose}:${said}`).digest()

/**
 * Sends a fresh code to a number; refuses too many. The older ones of the purpose end. `later` does not wait
 * for the gateway, `never` only counts.
 */
export async function sendSmsCode(
  world: World,
  mobile: string,
  purpose: Purpose,
  when: 'now' | 'later' | 'never' = 'now',
): Promise<void> {
  const now = world.clock()
  const said = String(randomInt(1_000_000)).padStart(6, '0')
  const day = fromInstant(now).slice(0, 10)
  const id = await world.store.tx('*', async tx => {
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${mobile}, 11))`)
    const was = (await tx.one<{ n: number; last?: number }>(
      sql`
        select count(*) filter (where create_time >= ${`${day} 00:00:00+08`}::timestamptz) as n,
          extract(epoch from max(create_time)) * 1000 as last
        from sms_code
        where mobile = ${mobile}
      `,
    ))!
    const left = was.last === undefined ? 0 : Math.ceil((Number(was.last) + gapMs - now) / 1000)
    if (left > 0) throw new Refused(code.often, `验证码刚发过，请 ${left} 秒后再试`)
    if (was.n >= perDay) throw new Refused(code.often, `该手机号今天已发送 ${perDay} 次验证码，请明天再试`)
    await tx.run(
      sql`
        update sms_code
        set used = true
        where mobile = ${mobile} and purpose = ${String(codeOf(codePurpose, purpose))} and not used
      `,
    )
    await tx.run(sql`delete from sms_code where create_time < ${new Date(now - 30 * 86_400_000)}`)
    return (await tx.one<{ id: number }>(
      sql`
        insert into sms_code (mobile, purpose, hash, create_time, expire_time)
        values (
          ${mobile}, ${String(codeOf(codePurpose, purpose))}, ${hashOf(mobile, purpose, said)},
          ${new Date(now)}, ${new Date(now + lastsMs)}
        )
        returning id
      `,
    ))!.id
  })
  if (when === 'never') return
  const sent = smsOf(world)
    .then(sms => sms.send(mobile, 'code', { code: said, purpose: labelOf(codePurpose, purpose) }))
    .catch(async err => {
      world.log.warn({ err }, 'sms not sent')
      await world.store.tx('*', tx => tx.run(sql`delete from sms_code where id = ${id}`))
      if (when === 'now') refuse('短信没有发送成功，请稍后再试')
    })
  if (when === 'now') {
    await sent
  } else {
    sent.catch(err => world.log.warn({ err }, 'sms code not withdrawn'))
  }
}

/** Uses a code up, or refuses; a wrong try counts although it is refused. */
export async function spendSmsCode(
  world: World,
  mobile: string,
  purpose: Purpose,
  said: string,
): Promise<void> {
  const fine = await world.store.tx('*', async tx => {
    const row = await tx.one<{ id: number; hash: Buffer; failures: number }>(
      sql`
        select id, hash, failures
        from sms_code
        where mobile = ${mobile}
          and purpose = ${String(codeOf(codePurpose, purpose))}
          and not used
          and expire_time > ${new Date(world.clock())}
        order by id desc
        limit 1
        for update
      `,
    )
    if (!row) return undefined
    const is = row.hash.equals(hashOf(mobile, purpose, said))
    await tx.run(
      is
        ? sql`update sms_code set used = true where id = ${row.id}`
        : sql`
          update sms_code
          set failures = failures + 1, used = failures + 1 >= ${burnedAfter}
          where id = ${row.id}
        `,
    )
    return is || row.failures + 1
  })
  const no = (message: string): never => {
    throw new Refused(code.refused, message, { Field: 'SmsCode' })
  }
  if (fine === undefined) return no('短信验证码已失效，请重新获取')
  if (fine !== true)
    return no(
      fine >= burnedAfter
        ? '短信验证码错误次数过多，已失效，请重新获取'
        : `短信验证码不正确，还可再试 ${burnedAfter - fine} 次`,
    )
}
