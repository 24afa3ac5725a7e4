import { asId } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { TestApp } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { openAccountsApp } from './accounts.fixtures.ts'
import { deliveredSms } from './sms-simulator.ts'
import { sendSmsCode } from './sms-code.ts'

let t: TestApp

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

let lastMobile = 13_800_000_000
const nextMobile = (): string => String(++lastMobile)

/** Stores rows as if this many codes had been sent today; the limits count stored rows. */
const storeCodes = (count: number, { ip = '10.1.0.1', companyId = 0 }) =>
  t.database.tx('*', tx =>
    tx.execute(sql`
      insert into sms_code (mobile, purpose, hash, create_time, expire_time, ip, company_id)
      select 'X' || n, '10', ''::bytea, ${new Date(t.app.clock() - 3_600_000)},
        ${new Date(t.app.clock() - 3_000_000)}, ${ip}, ${companyId}
      from generate_series(1, ${count}) n
    `),
  )

const wasSentTo = (mobile: string): boolean => deliveredSms(t.app).some(sms => sms.mobile === mobile)

it('an address gets 50 codes a day, whatever their numbers (PERM-11)', async () => {
  const ip = '10.1.0.50'
  await storeCodes(49, { ip })
  const origin = { ip, companyId: asId(0) }
  const fiftieth = nextMobile()
  await sendSmsCode(t.app, fiftieth, 'register', origin)
  expect(wasSentTo(fiftieth)).toBe(true)
  for (const when of ['now', 'later', 'never'] as const) {
    const mobile = nextMobile()
    expect(await refusalOf(sendSmsCode(t.app, mobile, 'register', origin, when))).toMatchObject({
      code: resultCode.rateLimited,
      message: '今天从此处发送的验证码过多，请明天再试',
    })
    expect(wasSentTo(mobile)).toBe(false)
  }
  // Another address is another's.
  await sendSmsCode(t.app, nextMobile(), 'register', { ip: '10.1.0.51', companyId: 0 })
})

it('a company pays for 300 codes a day; who must not learn of it is answered as ever (PERM-11)', async () => {
  const companyId = asId(77)
  await storeCodes(299, { companyId })
  const origin = { ip: '10.2.0.1', companyId }
  const last = nextMobile()
  await sendSmsCode(t.app, last, 'mobile', origin)
  expect(wasSentTo(last)).toBe(true)
  expect((await refusalOf(sendSmsCode(t.app, nextMobile(), 'mobile', origin))).message).toBe(
    '公司今天发送的验证码已达上限，请明天再试或联系管理员',
  )
  const forgetful = nextMobile()
  await sendSmsCode(t.app, forgetful, 'password', origin, 'later')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(wasSentTo(forgetful)).toBe(false)
  // Codes of no company count for none, and another company has its own.
  await storeCodes(300, { ip: '10.2.0.9' })
  const strangers = nextMobile()
  await sendSmsCode(t.app, strangers, 'register', { ip: '10.2.0.2', companyId: asId(0) })
  const others = nextMobile()
  await sendSmsCode(t.app, others, 'mobile', { ip: '10.2.0.3', companyId: asId(78) })
  expect([strangers, others].map(wasSentTo)).toEqual([true, true])
})

it('the day begins at midnight in Shanghai', async () => {
  const companyId = asId(79)
  const origin = { ip: '10.3.0.1', companyId }
  await storeCodes(300, { ip: '10.3.0.1', companyId })
  expect((await refusalOf(sendSmsCode(t.app, nextMobile(), 'mobile', origin))).code).toBe(
    resultCode.rateLimited,
  )
  // 09:00 in these tests: 14 h 59 min later it is still today, two minutes after that it is not.
  t.advanceClock((14 * 60 + 59) * 60_000)
  expect((await refusalOf(sendSmsCode(t.app, nextMobile(), 'mobile', origin))).code).toBe(
    resultCode.rateLimited,
  )
  t.advanceClock(2 * 60_000)
  const mobile = nextMobile()
  await sendSmsCode(t.app, mobile, 'mobile', origin)
  expect(wasSentTo(mobile)).toBe(true)
})
