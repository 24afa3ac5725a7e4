import { defined } from '#kit/domain/defined.ts'
import { asId, parseId, type Id } from '#kit/domain/id.ts'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope, unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { wechatOf } from '#modules/accounts/server/wechat.ts'
import { simulatedOpenId, sentWechatMessages } from '#modules/accounts/server/wechat-simulator.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { markBills } from '../contract/adjustments.ts'
import { bill } from '../contract/bill.ts'
import { getBill } from '../contract/bill-detail.ts'
import { feeNotice } from '../contract/notice.ts'
import {
  checkReminders,
  confirmLettersPrinted,
  listNotices,
  recordNoticeResult,
  printPaymentNotices,
  printDemandLetters,
  resendNotices,
  remindBills,
} from '../contract/reminder.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from './fixtures.ts'
import { sendQueuedNotices } from './notice-sending.ts'
import { queueDailyReminders } from './daily-reminders.ts'
import { judgeReminders, type ReminderChannel } from './reminder-candidates.ts'
import { createReminders } from './reminder-notices.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let k = 0
let people: { id: Id; name: string; mobile: string }[] = []

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'REMIND', { late: 'capped' }))
  people = await t.database.reader(ownerId).rows(
    sql`
        select distinct on (mobile) id, name, mobile
        from resident
        where owner_id = ${ownerId} and mobile ~ '^1[3-9]\\d{9}$' and delete_tag = 0
        order by mobile
        limit 8
      `,
  )
})

afterAll(() => t?.close())

const makeBills = (...list: SeededBill[]): Promise<Id[]> =>
  t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      item,
      list.map(b => ({ source: `U${++k}`, name: `1-1-${100 + k}`, ...b })),
    ),
  )

const of = (n: number, overrides: SeededBill = {}): SeededBill => ({
  payer: defined(people[n]).id,
  payerName: defined(people[n]).name,
  mobile: defined(people[n]).mobile,
  ...overrides,
})

const remind = (ids: readonly Id[], overrides: object = {}) =>
  t.call(remindBills, { ids: ids.map(String), channel: 'sms', ...overrides }, me)

const refusals = async (ids: readonly Id[], channel: ReminderChannel = 'sms') =>
  (await t.call(checkReminders, { ids: ids.map(String), channel }, me)).map(c => c.refusal)

const notices = async (ids: readonly string[]) =>
  (await t.call(listNotices, {}, me)).rows.filter(n => ids.includes(String(n.id)))

const until = async (test: () => Promise<boolean>): Promise<void> => {
  for (let i = 0; i < 200 && !(await test()); i++) {
    await new Promise(r => setTimeout(r, 30))
  }
}

const set = (id: Id, to: string) =>
  t.database.tx(ownerId, tx => tx.execute(sql`update bill set ${sql.raw(to)} where id = ${id}`))

/** The text of each page, without its spaces: every font's own glyph numbers looked up in its table. */
function read(pdf: Buffer): string[] {
  const text = pdf.toString('latin1')
  const streams = [...text.matchAll(/(\d+) 0 obj\n<<([\s\S]*?)>>\nstream\n/g)].map(m => {
    const at = m.index + m[0].length
    const raw = pdf.subarray(at, at + Number(defined(/\/Length (\d+)/.exec(defined(m[2])))[1]))
    return /FlateDecode/.test(defined(m[2])) ? inflateSync(raw).toString('latin1') : raw.toString('latin1')
  })
  const tables = streams
    .filter(x => x.includes('beginbfrange'))
    .map(x =>
      [...x.matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[([^\]]*)\]/gi)].flatMap(m =>
        [...defined(m[1]).matchAll(/<([0-9a-f ]*)>/gi)].map(h =>
          Buffer.from(defined(h[1]).replace(/ /g, ''), 'hex').swap16().toString('utf16le'),
        ),
      ),
    )
  const fonts = [...text.matchAll(/\/Font <<\s*([\s\S]*?)>>/g)].flatMap(m =>
    [...defined(m[1]).matchAll(/\/(F\d+) (\d+) 0 R/g)].map(f => defined(f[1])),
  )
  const order = [...new Set(fonts)].toSorted()
  return streams
    .filter(x => /\bTJ\b/.test(x))
    .map(page => {
      let font = ''
      return [...page.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9a-f]+)>/gi)]
        .map(m => {
          if (m[1]) {
            font = m[1]
            return ''
          }
          return (defined(m[2]).match(/.{4}/g) ?? [])
            .map(h => tables[order.indexOf(font)]?.[parseInt(h, 16)] ?? '')
            .join('')
        })
        .join('')
        .replace(/\s/g, '')
    })
}

it('URG-1: payers who cannot be reminded are refused with the reason', async () => {
  const [paid, disputed, paying, deleted, silent, ordinary] = await makeBills(
    of(0, { paid: asFen(30_000) }),
    of(0),
    of(0),
    of(0, { state: 30 }),
    {},
    of(0),
  )
  await set(defined(disputed), 'disputed = true')
  await set(defined(paying), "lock_until = '2026-11-21 10:00:00+08', lock_order_id = 3")
  expect(
    await refusals([
      defined(paid),
      defined(disputed),
      defined(paying),
      defined(deleted),
      defined(silent),
      defined(ordinary),
    ]),
  ).toEqual(['paid', 'disputed', 'paying', 'notNormal', 'noContact', undefined])
  expect(await refusals([defined(silent)], 'visit')).toEqual([undefined])
  const result = await remind([defined(paid), defined(disputed), defined(ordinary)])
  expect(result).toMatchObject({
    success: 1,
    skipped: 2,
    message: '已加入发送队列：1 位客户，1 张账单',
  })
  // The bill shows who was left out.
  const { name } = defined(people[0])
  expect(result.rows.map(r => [r.code?.startsWith(`${name} ZD`), r.reason])).toEqual([
    [true, '已缴清'],
    [true, '有争议'],
  ])
})

it('URG-4, URG-6: one message per payer over all debts; sent, and not twice within a week', async () => {
  const source = `U${++k}`
  const ids = await makeBills(
    of(1, { source, name: '1-1-101' }),
    of(1, {
      source,
      name: '1-1-101',
      begin: '2026-10-01',
      end: '2026-12-31',
      due: '2026-10-31',
      amount: asFen(10_000),
    }),
    of(1, { name: '地下 A-12' }),
  )
  const result = await remind(ids)
  expect(result).toMatchObject({ success: 3, message: '已加入发送队列：1 位客户，3 张账单' })
  await until(async () => (await notices(result.notices)).every(n => n.state === 'sent'))
  const [both] = await notices(result.notices)
  // 300.00 + 16.95 twice and 100.00 + 1.05, 113 days overdue: level 4 of 1, 15, 45, 90
  expect(both).toMatchObject({
    level: 4,
    totalAmount: 73_495,
    billCount: 3,
    sourceName: '1-1-101、地下 A-12',
    state: 'sent',
    channel: 'sms',
    payerMobile: defined(people[1]).mobile.replace(/^(\d{3})\d{4}(\d{4})$/, '$1 **** $2'),
  })
  expect(defined(both).content).toBe(
    '您有 3 笔费用共 734.95 元待缴：1-1-101 项目REMIND（2026-07 ~ 09）316.95 元、1-1-101 项目REMIND（2026-10 ~ 12）101.05 元、地下 A-12 项目REMIND（2026-07 ~ 09）316.95 元，其中最早一笔已逾期 113 天，请尽快缴纳。如已缴纳请忽略。',
  )
  expect(
    deliveredSms(t.app)
      .filter(d => d.mobile === defined(people[1]).mobile)
      .map(d => d.params.content),
  ).toContain(defined(both).content)
  expect(await refusals(ids)).toEqual(['tooSoon', undefined, 'tooSoon'])
  for (const id of [defined(ids[0]), defined(ids[2])]) {
    expect(await t.call(getBill, { id }, me)).toMatchObject({
      urgeCount: 1,
      notices: [{ channel: 'sms', level: 4, state: 'sent' }],
    })
  }
  // What is carried to a door goes to each.
  expect(await remind(ids, { channel: 'visit' })).toMatchObject({
    message: '已登记「上门登记」：1 位客户，3 张账单',
  })
})

it('URG-4: a clerk limited to some buildings sees each own reminder', async () => {
  const ids = await makeBills(of(2, { build: 'B1' }), of(2, { build: 'B2' }))
  const rows = await findByIds(t.database.reader(ownerId), bill, clockScope(t.app, ownerId), ids)
  const now = '2026-11-21 09:00:00'
  const by = (domain: Scope['domain']) =>
    t.database.tx(ownerId, async tx => {
      const s = { ...clockScope(t.app, ownerId), domain }
      const { ids: made } = await createReminders(
        tx,
        s,
        await judgeReminders(tx, s, rows, 'visit', now),
        'sms',
        now,
      )
      return (await findByIds(tx, feeNotice, s, made)).map(n => [n.buildCode, n.billCount])
    })
  expect(await by({ all: false, projects: new Map([['GOLD0001', new Set(['B1', 'B2'])]]) })).toEqual([
    ['B1', 1],
    ['B2', 1],
  ])
  expect(await by(unrestrictedDomain)).toEqual([[undefined, 2]])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      delete from fee_notice
      where owner_id = ${ownerId}
        and payer_id = ${defined(people[2]).id}
    `),
  )
})

it('URG-3, URG-6: a message asks for what is owed when it goes out, not when it was queued', async () => {
  const source = `U${++k}`
  const ids = await makeBills(
    of(6, { source, due: '2026-11-21' }),
    of(6, { source, begin: '2026-10-01', end: '2026-12-31', due: '2026-11-21', amount: asFen(10_000) }),
    of(6, { source, begin: '2027-01-01', end: '2027-03-31', due: '2026-11-21', amount: asFen(5_000) }),
  )
  const [a, b, c] = ids
  const quiet = (v: string) =>
    t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          insert into estate_setting (owner_id, project_code, key, value)
          values (${ownerId}, 'GOLD0001', 'bills.urgeQuiet', ${v})
          on conflict (owner_id, project_code, key) do update set value = excluded.value
        `,
      ),
    )
  await quiet('08:30-10:00')
  const result = await remind(ids)
  expect((await notices(result.notices))[0]).toMatchObject({
    state: 'queued',
    totalAmount: 45_000,
    content: expect.stringContaining('请于 2026-11-21 前'),
  })
  // Overnight one was paid, one in part and one is disputed.
  await set(defined(a), 'paid_principal = 300, pay_state = 1')
  await set(defined(b), "paid_principal = 40, due_date = '2026-11-20'")
  await set(defined(c), 'disputed = true')
  await quiet('21:00-08:00')
  await sendQueuedNotices(t.app, ownerId, result.notices.map(parseId))
  expect((await notices(result.notices))[0]).toMatchObject({
    state: 'sent',
    totalAmount: 6_005,
    billCount: 1,
    level: 1,
    content:
      '您有 1 笔费用共 60.05 元待缴：项目REMIND（2026-10 ~ 12）60.05 元，其中最早一笔已逾期 1 天，请尽快缴纳。如已缴纳请忽略。',
  })
  expect(
    defined(
      deliveredSms(t.app)
        .filter(d => d.mobile === defined(people[6]).mobile)
        .at(-1),
    ).params.content,
  ).toContain('60.05 元')
})

it('URG-3: before the due day it only reminds', async () => {
  const [a] = await makeBills(of(2, { due: '2026-11-25' }))
  const result = await remind([defined(a)])
  expect(defined((await notices(result.notices))[0]).content).toBe(
    '温馨提示：您有 1 笔费用共 300.00 元待缴：项目REMIND（2026-07 ~ 09）300.00 元，请于 2026-11-25 前缴纳。如已缴纳请忽略。另有 2 笔已到期的费用共 633.90 元未列入。',
  )
})

it('URG-3, URG-4: a message about a part says so, with what else is due when it goes out', async () => {
  const [named, other] = await makeBills(of(5), of(5, { due: '2026-10-31', amount: asFen(10_000) }))
  const { notices: made } = await remind([defined(named)])
  await until(async () => (await notices(made)).every(n => n.state === 'sent'))
  const sent = () =>
    deliveredSms(t.app)
      .filter(d => d.mobile === defined(people[5]).mobile)
      .map(d => String(d.params.content))
  expect(sent().at(-1)).toMatch(/如已缴纳请忽略。另有 1 笔已到期的费用共 101\.05 元未列入。$/)
  await set(defined(other), 'paid_principal = 100, pay_state = 1')
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update fee_notice
      set state = 10
      where owner_id = ${ownerId}
        and id = ${defined(made[0])}
    `),
  )
  await sendQueuedNotices(t.app, ownerId, made.map(parseId))
  expect(sent().at(-1)).toMatch(/如已缴纳请忽略。$/)
  await set(defined(named), 'delete_tag = 1')
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`delete from fee_notice where owner_id = ${ownerId} and id = ${defined(made[0])}`),
  )
})

it('URG-4: quiet hours wait for the morning', async () => {
  const [a] = await makeBills(of(3))
  const quiet = (v: string) =>
    t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          insert into estate_setting (owner_id, project_code, key, value)
          values (${ownerId}, 'GOLD0001', 'bills.urgeQuiet', ${v})
          on conflict (owner_id, project_code, key) do update set value = excluded.value
        `,
      ),
    )
  await quiet('08:30-10:00')
  const result = await remind([defined(a)])
  expect(result.message).toBe('已加入发送队列：1 位客户，1 张账单，安静时段过后（11-21 10:00）发送')
  expect(await sendQueuedNotices(t.app, ownerId, undefined)).toEqual({ sent: 0, failed: 0 })
  expect(defined((await notices(result.notices))[0]).state).toBe('queued')
  await quiet('21:00-08:00')
  await sendQueuedNotices(t.app, ownerId, undefined)
  expect(defined((await notices(result.notices))[0]).state).toBe('sent')
})

it('bills paid before sending are left out; a wrong number is reported; failed messages are retried', async () => {
  const [a, b] = await makeBills(of(4), of(5))
  const ids = await t.database.tx(ownerId, async tx =>
    (
      await tx.rows<{
        id: Id
      }>(sql`
        insert into fee_notice (
          owner_id, project_code, source_type, source_code, source_name, bill_ids, bill_count, total_amount,
          channel, level, content, state, payer_mobile
        )
        values (
          ${ownerId}, 'GOLD0001', 10, 'X1', 'X1', array[${String(a)}], 1, 300, 10, 1, '甲', 10,
          ${defined(people[4]).mobile}
        ),
          (${ownerId}, 'GOLD0001', 10, 'X2', 'X2', array[${String(b)}], 1, 300, 10, 1, '乙', 10, '12345')
        returning id
      `)
    ).map(r => r.id),
  )
  await set(defined(a), 'paid_principal = 300, pay_state = 1')
  expect(await sendQueuedNotices(t.app, ownerId, ids)).toEqual({ sent: 0, failed: 2 })
  expect(
    (await notices(ids.map(String)))
      .map(n => [n.state, n.failReason])
      .toSorted((one, other) => String(one[0]).localeCompare(String(other[0]))),
  ).toEqual([
    ['failed', '账单已缴清、作废或有争议，未发送'],
    ['noContact', '手机号不正确'],
  ])
  expect(await t.call(resendNotices, { ids: ids.map(String) }, me)).toMatchObject({ success: 1, skipped: 1 })
})

it('two senders at once: each message goes out once', async () => {
  const ids = await makeBills(...Array.from({ length: 30 }, () => of(6)))
  const ownMobile = defined(people[6]).mobile
  const before = deliveredSms(t.app).filter(d => d.mobile === ownMobile).length
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into fee_notice (
          owner_id, project_code, source_type, source_code, source_name, bill_ids, bill_count, total_amount,
          channel, level, content, state, payer_mobile
        )
        select ${ownerId}, 'GOLD0001', 10, 'Y' || n, 'Y' || n, array[${String(ids[0])}], 1, 300, 10, 1,
          '第' || n, 10, ${ownMobile}
        from generate_series(1, 30) n
      `,
    ),
  )
  await Promise.all([
    sendQueuedNotices(t.app, ownerId, undefined),
    sendQueuedNotices(t.app, ownerId, undefined),
  ])
  expect(deliveredSms(t.app).filter(d => d.mobile === ownMobile).length - before).toBe(30)
})

it('URG-2, URG-7: a call is written down with its promise, which holds back the automatic ones alone', async () => {
  const [a] = await makeBills(of(7))
  const result = await remind([defined(a)], {
    channel: 'phone',
    promiseDate: '2026-11-28',
    remark: '月底发工资后缴',
  })
  expect(result.message).toBe('已登记「电话登记」：1 位客户，1 张账单')
  expect((await notices(result.notices))[0]).toMatchObject({
    channel: 'phone',
    state: 'sent',
    promiseDate: '2026-11-28',
    remark: '月底发工资后缴',
  })
  expect(await t.call(getBill, { id: defined(a) }, me)).toMatchObject({ promiseDate: '2026-11-28' })
  const [n] = result.notices
  await t.call(recordNoticeResult, { id: asId(Number(n)), promiseDate: '2026-12-05', remark: '改期' }, me)
  expect(await t.call(getBill, { id: defined(a) }, me)).toMatchObject({ promiseDate: '2026-12-05' })
  const promisedIds = (await t.call(listNotices, { promised: true, size: 50 }, me)).rows.map(row =>
    String(row.id),
  )
  expect(promisedIds).toContain(n)
  const unpromised = (await t.call(listNotices, { promised: false, size: 50 }, me)).rows
  expect(unpromised.every(row => row.promiseDate === undefined)).toBe(true)
  expect(
    await refusalMessageOf(
      t.call(recordNoticeResult, { id: asId(Number(n)), promiseDate: '2026-11-01' }, me),
    ),
  ).toBe('承诺缴费日不能早于今天')
  expect(
    await t.call(recordNoticeResult, { id: asId(Number(n)), clearPromise: true }, me),
  ).not.toHaveProperty('promiseDate')
  expect(await t.call(recordNoticeResult, { id: asId(Number(n)), remark: '没有人接' }, me)).toMatchObject({
    remark: '没有人接',
  })
  expect(await t.call(recordNoticeResult, { id: asId(Number(n)), clearRemark: true }, me)).not.toHaveProperty(
    'remark',
  )
  expect(await t.call(getBill, { id: defined(a) }, me)).not.toHaveProperty('promiseDate')
  expect(await refusalMessageOf(remind([defined(a)], { channel: 'app' }))).toContain('尚未开通')
})

it('URG-2, URG-6: a template message is sent to residents who bound WeChat; unfollowing counts as refusal until they bind again', async () => {
  const ids = await makeBills(...['WX1', 'WX2', 'WX3', 'WX4'].map((source, n) => of(n, { source })))
  const [noContact, bound, unfollowed, invalidBinding] = ids
  const openId = (n: number) => simulatedOpenId(`urge-${n}`)
  const bind = (n: number, to: string, since = '2026-11-01 09:00:00') =>
    t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          update resident
          set run_wechat = ${to}, wechat_bind = true, run_wechat_time = ${`${since}+08`}::timestamptz
          where owner_id = ${ownerId} and id = ${defined(people[n]).id}
        `,
      ),
    )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update fee_notice set create_time = create_time - interval '30 days' where owner_id = ${ownerId}`,
    ),
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update resident
        set run_wechat = null, wechat_bind = false
        where owner_id = ${ownerId} and id = any(${people.map(p => p.id)})
      `,
    ),
  )
  expect(await refusals(ids, 'wechat')).toEqual(['noContact', 'noContact', 'noContact', 'noContact'])
  await bind(1, openId(1))
  await bind(2, openId(2))
  await bind(3, 'not-a-person')
  expect(await refusals(ids, 'wechat')).toEqual(['noContact', undefined, undefined, undefined])
  // The phone's owner leaves off following on the simulator's page.
  const phone = (await wechatOf(t.app)).authorizeUrl('http://127.0.0.1:9/x', 's').replace(/\/connect.*/, '')
  await fetch(`${phone}/leave?openid=${openId(2)}`)
  const result = await remind([defined(bound), defined(unfollowed), defined(invalidBinding)], {
    channel: 'wechat',
  })
  expect(result.message).toBe('已加入发送队列：3 位客户，3 张账单')
  await until(async () =>
    (await notices(result.notices)).every(n => !['queued', 'sending'].includes(n.state)),
  )
  expect(
    Object.fromEntries(
      (await notices(result.notices)).map(n => [n.sourceCode, [n.channel, n.state, n.failReason]]),
    ),
  ).toEqual({
    WX2: ['wechat', 'sent', undefined],
    WX3: ['wechat', 'refused', '用户已取消关注公众号'],
    WX4: ['wechat', 'noContact', '微信绑定已失效，请住户重新绑定'],
  })
  const [message] = sentWechatMessages(t.app).filter(m => m.openId === openId(1))
  expect(message).toMatchObject({
    template: 'fee_demand',
    data: { keyword2: '316.95 元', keyword3: '1 笔', remark: expect.stringContaining('316.95') },
  })
  expect(await (await fetch(`${phone}/messages`)).text()).toContain('316.95 元')
  expect(await refusals([defined(unfollowed)], 'wechat')).toEqual(['optedOut'])
  expect(await refusals([defined(unfollowed)], 'sms')).toEqual([undefined])
  await bind(2, openId(2), '2099-01-01 09:00:00')
  expect([
    await refusals([defined(unfollowed)], 'wechat'),
    await refusals([defined(noContact)], 'wechat'),
  ]).toEqual([[undefined], ['noContact']])
})

const reminderCounts = async (ids: readonly Id[]): Promise<number[]> =>
  (
    await t.database.reader(ownerId).rows<{ n: number }>(sql`
      select urge_count as n
      from bill
      where owner_id = ${ownerId} and id = any(${[...ids]})
      order by id
    `)
  ).map(({ n }) => n)

it('URG-5: the day’s reminders: three days before, the day, the day after, and the first of each level', async () => {
  const [before, today, level, other, promised] = await makeBills(
    of(0, { due: '2026-11-24', project: 'GOLD0002', build: 'B1' }),
    of(1, { due: '2026-11-21', project: 'GOLD0002' }),
    of(2, { due: '2026-11-06', project: 'GOLD0002' }),
    of(3, { due: '2026-11-10', project: 'GOLD0002' }),
    of(4, { due: '2026-11-20', project: 'GOLD0002' }),
  )
  await t.call(markBills, { ids: [String(promised)], promiseDate: '2026-11-30' }, me)
  expect(await queueDailyReminders(t.app, ownerId, 'GOLD0002', '2026-11-21 09:00:00')).toBe(3)
  const ids = [before, today, level, other, promised].map(id => defined(id))
  expect(await reminderCounts(ids)).toEqual([0, 0, 0, 0, 0])
  expect(await queueDailyReminders(t.app, ownerId, 'GOLD0002', '2026-11-21 10:00:00')).toBe(0)
  await sendQueuedNotices(t.app, ownerId, undefined)
  expect(await reminderCounts(ids)).toEqual([1, 1, 1, 0, 0])
})

it('URG-1, URG-6: a letter says what is not on it, tells promises and intervals, and counts once it is printed', async () => {
  const [named, other, future] = await makeBills(
    of(4, { source: 'UPART', name: '8-1-101', amount: asFen(100) }),
    of(4, { source: 'UPART', name: '8-1-101', amount: asFen(250), begin: '2026-02-01', end: '2026-02-28' }),
    of(4, {
      source: 'UPART',
      name: '8-1-101',
      begin: '2027-01-01',
      end: '2027-01-31',
      due: '2027-01-31',
    }),
  )
  const [before] = await t.call(checkReminders, { ids: [String(named)], channel: 'letter' }, me)
  expect([before?.canRemind, before?.warning]).toEqual([true, undefined])
  const { notices: made } = await remind([defined(named)], { channel: 'letter' })
  const [notice] = await notices(made)
  expect([notice?.state, notice?.sendTime, notice?.content]).toEqual([
    'queued',
    undefined,
    expect.stringMatching(/另有 \d+ 笔已到期的费用共 [\d.]+ 元未列入/),
  ])
  await set(defined(named), "promise_date = '2026-11-30'")
  const checked = await t.call(
    checkReminders,
    { ids: [named, other, future].map(String), channel: 'letter' },
    me,
  )
  expect(checked.map(c => [c.canRemind, c.warning])).toEqual([
    [true, 'promised'],
    [true, 'tooSoon'],
    [true, undefined],
  ])
  // The queue of messages leaves letters alone.
  await sendQueuedNotices(t.app, ownerId, undefined)
  expect((await notices(made))[0]?.state).toBe('queued')
  expect(await t.call(confirmLettersPrinted, { ids: made }, me)).toMatchObject({ success: 1 })
  expect((await notices(made))[0]).toMatchObject({ state: 'sent', sendTime: expect.any(String) })
  expect(await t.call(confirmLettersPrinted, { ids: made }, me)).toMatchObject({ success: 0, skipped: 1 })
})

it('letters and payment notices as PDF with Chinese characters, small, sorted by building', async () => {
  const water = await t.database.tx(ownerId, tx =>
    seedFeeItem(tx, ownerId, '公共区域照明与中央空调能源分摊费', { late: 'capped', multi: true }),
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update fee_notice set create_time = create_time - interval '30 days' where owner_id = ${ownerId}`,
    ),
  )
  const ids = await makeBills(
    of(0, { name: '2-1-101', build: 'B2', begin: '2026-01-01', end: '2026-12-31' }),
    of(1, { name: '1-1-101', build: 'B1', amount: asFen(123_456) }),
  )
  const result = await remind(ids, { channel: 'letter' })
  const letters = await readBody(await t.call(printDemandLetters, { ids: result.notices }, me))
  const [first, second] = read(letters)
  expect([letters.subarray(0, 5).toString(), letters.length < 150_000]).toEqual(['%PDF-', true])
  expect(first).toContain('1-1-101')
  expect(first).toContain('催缴函')
  expect(first).toContain('合计1,304.31元（大写：壹仟叁佰零肆元叁角壹分）')
  expect(second).toContain('2-1-101')
  expect(second).toContain('2026全年')
  expect(read(await readBody(await t.call(printPaymentNotices, { ids: ids.map(String) }, me)))[0]).toContain(
    '缴费通知单',
  )
  // Nothing is cut, heads are on each page, and a letter over several objects says which.
  const many = await makeBills(
    ...Array.from({ length: 20 }, (_, i) =>
      of(3, {
        source: 'UM',
        name: '地下二层商业街 1108 号铺',
        item: water,
        begin: `${1990 + i}-12-21`,
        end: `${1991 + i}-01-20`,
        due: '2026-11-20',
      }),
    ),
  )
  const long = read(await readBody(await t.call(printPaymentNotices, { ids: many.map(String) }, me))).filter(
    Boolean,
  )
  expect([
    long.length,
    long.every(x => x.includes('收费项目账期')),
    defined(long[0]).includes('1990-12-21~1991-01-20'),
    long.join('').includes('项目公共区域照明与中央空调能源分摊费'),
  ]).toEqual([2, true, true, true])
  const both = await remind(
    await makeBills(of(4, { source: 'UN', name: '5-1-101' }), of(4, { source: 'UO', name: '车位 A-12' })),
  )
  expect(read(await readBody(await t.call(printDemandLetters, { ids: both.notices }, me)))[0]).toMatch(
    /5-1-101项目REMIND.*车位A-12项目REMIND/,
  )
  // Printed when what was overdue is paid, it no longer says so.
  const [paidOff, coming] = await makeBills(
    of(2, { source: 'UL', name: '3-1-101' }),
    of(2, { source: 'UL', name: '3-1-101', begin: '2026-12-01', end: '2026-12-31', due: '2026-12-05' }),
  )
  const late = await remind([defined(paidOff), defined(coming)], { channel: 'letter' })
  await set(defined(paidOff), 'paid_principal = 300, pay_state = 1')
  const [kind] = read(await readBody(await t.call(printDemandLetters, { ids: late.notices }, me)))
  expect([
    defined(kind).includes('缴费通知单'),
    defined(kind).includes('即将到期'),
    /逾期未缴|催缴函/.test(defined(kind)),
  ]).toEqual([true, true, false])
  expect(await t.callRaw(printPaymentNotices, { ids: ['999999'] }, me)).toMatchObject({
    Code: 10002,
    Message: '所选范围暂无待缴账单，请调整筛选条件',
  })
})

it('URG-3: only what reached somebody counts as a reminder: no letter before it is printed, no message that failed', async () => {
  const [lettered, reached, failing] = (await makeBills(of(4), of(5), of(6))).map(id => defined(id))
  const ids = [defined(lettered), defined(reached), defined(failing)]
  const { notices: letters } = await remind([defined(lettered)], {
    channel: 'letter',
    promiseDate: '2026-11-30',
  })
  const queued = await t.database.tx(ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      insert into fee_notice (
        owner_id, project_code, source_type, source_code, source_name, bill_ids, bill_count, total_amount,
        channel, level, content, state, payer_mobile
      )
      values (
        ${ownerId}, 'GOLD0001', 10, 'Z1', 'Z1', array[${String(reached)}], 1, 300, 10, 1, '甲', 10,
        ${defined(people[5]).mobile}
      ),
        (${ownerId}, 'GOLD0001', 10, 'Z2', 'Z2', array[${String(failing)}], 1, 300, 10, 1, '乙', 10, '12345')
      returning id
    `),
  )
  expect(await reminderCounts(ids)).toEqual([0, 0, 0])
  const letterBill = () => t.call(getBill, { id: defined(lettered) }, me)
  expect((await letterBill()).lastUrgeTime).toBeUndefined()
  expect((await letterBill()).promiseDate).toBe('2026-11-30')
  expect(
    await sendQueuedNotices(
      t.app,
      ownerId,
      queued.map(({ id }) => id),
    ),
  ).toEqual({ sent: 1, failed: 1 })
  expect(await reminderCounts(ids)).toEqual([0, 1, 0])
  await t.call(confirmLettersPrinted, { ids: letters }, me)
  await t.call(confirmLettersPrinted, { ids: letters }, me)
  expect(await reminderCounts(ids)).toEqual([1, 1, 0])
  expect((await letterBill()).lastUrgeTime).toBeDefined()
})
