import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openSmtpReceiver, type SmtpReceiver } from '#kit/server/fixtures/smtp-receiver.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { markBills } from '../contract/adjustments.ts'
import { checkReminders, listNotices, remindBills, resendNotices } from '../contract/reminder.ts'
import { seedBillRows, seedFeeItem } from './fixtures.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let receiver: SmtpReceiver
let people: { id: Id; name: string; mobile: string }[] = []

const setEmail = (index: number, email: string): Promise<number> =>
  t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update resident set email = ${email} where owner_id = ${ownerId} and id = ${defined(people[index]).id}`,
    ),
  )

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  receiver = await openSmtpReceiver()
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'MAIL'))
  people = await t.database.reader(ownerId).rows(
    sql`
      select distinct on (mobile) id, name, mobile
      from resident
      where owner_id = ${ownerId} and mobile ~ '^1[3-9]\\d{9}$' and delete_tag = 0
      order by mobile
      limit 8
    `,
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update resident set email = null where owner_id = ${ownerId}`),
  )
})

afterAll(async () => {
  await t?.close()
  await receiver?.close()
})

afterEach(() => vi.unstubAllEnvs())

const configure = (): void => {
  vi.stubEnv('SMTP_HOST', '127.0.0.1')
  vi.stubEnv('SMTP_PORT', String(receiver.port))
  vi.stubEnv('SMTP_TLS', 'none')
  vi.stubEnv('SMTP_FROM', 'notice@example.com')
}

/** A bill each of these people; somebody named twice has bills of two months. */
const makeBills = (...indexes: readonly number[]): Promise<Id[]> =>
  t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      item,
      indexes.map((n, i) => ({
        ...(indexes.indexOf(n) < i ? { begin: '2026-06-01', end: '2026-06-30' } : {}),
        source: `MAIL${n}`,
        name: `1-1-${100 + n}`,
        payer: defined(people[n]).id,
        payerName: defined(people[n]).name,
        mobile: defined(people[n]).mobile,
      })),
    ),
  )

const check = (ids: readonly Id[]) =>
  t.call(checkReminders, { ids: ids.map(String), channel: 'email' as const }, me)

async function outcomesOf(ids: readonly string[]) {
  const notices = async () => (await t.call(listNotices, {}, me)).rows.filter(n => ids.includes(String(n.id)))
  await vi.waitFor(
    async () =>
      expect((await notices()).every(n => n.state !== 'queued' && n.state !== 'sending')).toBe(true),
    { timeout: 10_000 },
  )
  return Object.fromEntries((await notices()).map(n => [n.sourceCode, [n.state, n.failReason]]))
}

const remind = async (ids: readonly Id[]): Promise<string[]> => [
  ...(await t.call(remindBills, { ids: ids.map(String), channel: 'email' }, me)).notices,
]

it('URG-1: without a mail server the channel is refused with a message', async () => {
  const ids = await makeBills(0)
  expect(await refusalMessageOf(check(ids))).toBe(
    '尚未配置邮件服务器，不能发送邮件，请联系系统维护人员设置 SMTP_HOST',
  )
  expect(await refusalMessageOf(remind(ids))).toContain('尚未配置邮件服务器')
})

it('URG-1, URG-6: an e-mail goes to the address of the payer with the printed letter, and its outcome is kept', async () => {
  configure()
  const [reached, unknown, absent] = await makeBills(1, 2, 3)
  const ids = [reached, unknown, absent].map(defined)
  await setEmail(1, 'zhou@example.com')
  await setEmail(2, 'gone@example.com')
  expect((await check(ids)).map(c => c.refusal)).toEqual([undefined, undefined, 'noContact'])
  const first = await remind([defined(reached)])
  expect(await outcomesOf(first)).toEqual({ MAIL1: ['sent', undefined] })
  const [mail] = receiver.received
  expect(mail).toMatchObject({ to: ['zhou@example.com'], subject: '缴费提醒：1-1-101' })
  expect(mail?.text).toContain('共 300.00 元待缴')
  expect([...(mail?.files ?? [])].map(([name, bytes]) => [name, bytes.subarray(0, 5).toString()])).toEqual([
    ['催缴函.pdf', '%PDF-'],
  ])
  receiver.answers = { recipient: { code: 550, text: '5.1.1 no such user' } }
  expect(await outcomesOf(await remind([defined(unknown)]))).toEqual({
    MAIL2: ['noContact', expect.stringMatching(/^邮箱不存在或不收信：550/)],
  })
  receiver.answers = {}
})

it('URG-6: what a server refused for now is failed, and sent when it is sent again', async () => {
  configure()
  const [id] = await makeBills(4)
  await setEmail(4, 'lin@example.com')
  receiver.answers = { message: { code: 451, text: '4.3.0 busy' } }
  const notices = await remind([defined(id)])
  expect(await outcomesOf(notices)).toEqual({ MAIL4: ['failed', expect.stringContaining('451')] })
  receiver.answers = {}
  await t.call(resendNotices, { ids: notices }, me)
  expect(await outcomesOf(notices)).toEqual({ MAIL4: ['sent', undefined] })
  expect(receiver.received.filter(({ to }) => to.includes('lin@example.com'))).toHaveLength(1)
})

it('URG-3: a bill in dispute stands neither in the text nor in the letter', async () => {
  configure()
  const [open, disputed] = await makeBills(5, 5)
  await setEmail(5, 'he@example.com')
  const notices = t.call(remindBills, { ids: [String(open), String(disputed)], channel: 'email' }, me)
  receiver.answers = { message: { code: 451, text: '4.3.0 busy' } }
  const { notices: made } = await notices
  await outcomesOf([...made])
  await t.call(markBills, { ids: [String(disputed)], disputed: true }, me)
  receiver.answers = {}
  await t.call(resendNotices, { ids: made }, me)
  expect(await outcomesOf([...made])).toEqual({ MAIL5: ['sent', undefined] })
  const [sent] = (await t.call(listNotices, {}, me)).rows.filter(n => made.includes(String(n.id)))
  expect(sent?.billIds).toEqual([String(open)])
})
