import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import { expect, it } from 'vitest'
import { contract } from '../contract/index.ts'
import { reminderChannel } from '../contract/choices.ts'
import type { Bill } from './bill.ts'
import { findImportFindings, findRedundantGroups, reissueRefusal, type EffectiveBill } from './redundant.ts'
import {
  buildReminders,
  findReminderWarning,
  defaultReminderRules,
  reminderLevelOf,
  quietHoursEnd,
  findReminderRefusal,
  type Debtor,
  type PastReminder,
} from './reminder.ts'

const bill = (overrides: Partial<Bill> = {}): Bill => ({
  id: asId(1),
  begin: '2025-03-01',
  end: '2025-03-31',
  dueDate: '2025-03-31',
  state: 'normal',
  payState: 'unpaid',
  refundState: 'none',
  invoiceState: 'none',
  deleted: false,
  source: 'auto',
  deposit: false,
  notified: false,
  amount: asFen(30000),
  discount: 0,
  paidPrincipal: 0,
  lateDue: 0,
  latePaid: 0,
  lateWaived: 0,
  lateManual: false,
  ...overrides,
})

const debtor: Debtor = { hasContact: true, optedOut: false, disputed: false }
const now = '2025-04-10 10:00:00'

const refusal = (
  b: Partial<Bill> = {},
  changes: Partial<Debtor> = {},
  past: PastReminder[] = [],
  mode: 'auto' | 'manual' = 'manual',
) => findReminderRefusal(bill(b), { ...debtor, ...changes }, past, now, mode)

it('URG-1, URG-7 who can be reminded', () => {
  expect([
    refusal(),
    refusal({ state: 'abolished' }),
    refusal({ payState: 'paid' }),
    refusal({ paidPrincipal: asFen(30000) }),
    refusal({}, { disputed: true }),
    refusal({ lockedUntil: '2025-04-10 10:05:00' }),
    refusal({}, { hasContact: false }),
    refusal({}, { optedOut: true }),
  ]).toEqual([undefined, 'notNormal', 'paid', 'paid', 'disputed', 'paying', 'noContact', 'optedOut'])
  expect([
    refusal({}, { promisedFor: '2025-04-10' }, [], 'auto'),
    refusal({}, { promisedFor: '2025-04-09' }, [], 'auto'),
    refusal({}, { promisedFor: '2025-04-20' }),
  ]).toEqual(['promised', undefined, undefined])
  expect([
    refusal({}, {}, [{ level: 1, day: '2025-04-04' }]),
    refusal({}, {}, [{ level: 1, day: '2025-04-03' }]),
    refusal({}, {}, [{ level: 0, day: '2025-04-09' }]),
  ]).toEqual(['tooSoon', undefined, undefined])
})

it('URG-4, URG-5 the reminder of three days before does not silence that of the day itself; one a day is enough', () => {
  const at = (day: Day, past: PastReminder[], mode: 'auto' | 'manual' = 'auto') =>
    findReminderRefusal(bill(), debtor, past, `${day} 09:00:00`, mode)
  expect([
    at('2025-03-31', [{ level: 0, day: '2025-03-28' }]),
    at('2025-03-31', [{ level: 0, day: '2025-03-31' }]),
    at('2025-03-31', [{ level: 0, day: '2025-03-28' }], 'manual'),
    at('2025-04-01', [{ level: 0, day: '2025-03-31' }]),
    at('2025-04-02', [{ level: 1, day: '2025-04-01' }]),
  ]).toEqual([undefined, 'tooSoon', 'tooSoon', undefined, 'tooSoon'])
})

it('URG-2 levels by overdue days', () => {
  const at = (n: number): Day => addDays('2025-03-31', n)
  expect([-3, 0, 1, 14, 15, 45, 89, 90, 400].map(n => reminderLevelOf('2025-03-31', at(n)))).toEqual([
    0, 0, 1, 1, 2, 3, 3, 4, 4,
  ])
})

it('URG-4 waits out the quiet hours', () => {
  expect(
    (
      [
        '2025-04-10 20:59:59',
        '2025-04-10 21:00:00',
        '2025-04-10 23:30:00',
        '2025-04-11 07:59:59',
        '2025-04-11 08:00:00',
      ] as const
    ).map(m => quietHoursEnd(m)),
  ).toEqual([
    '2025-04-10 20:59:59',
    '2025-04-11 08:00:00',
    '2025-04-11 08:00:00',
    '2025-04-11 08:00:00',
    '2025-04-11 08:00:00',
  ])
})

it('URG-3, URG-4 one message per payer; 逾期 only once it is', () => {
  const reminderOf = (billId: Id, payer: number | undefined, dueDate: Day) => ({
    billId,
    payer,
    item: '物业费',
    period: '2025年3月',
    dueDate,
    unpaid: asFen(28115),
  })
  const result = buildReminders(
    [
      reminderOf(asId(1), 5, '2025-04-20'),
      reminderOf(asId(2), 5, '2025-03-31'),
      reminderOf(asId(3), 6, '2025-04-20'),
      reminderOf(asId(4), undefined, '2025-04-20'),
      reminderOf(asId(5), undefined, '2025-04-20'),
    ],
    '2025-04-10',
  )
  expect(result.map(d => [d.payer, d.bills.length, d.total, d.level])).toEqual([
    [5, 2, 56230, 1],
    [6, 1, 28115, 0],
    [undefined, 1, 28115, 0],
    [undefined, 1, 28115, 0],
  ])
  expect(defined(result[0]).text).toMatch(/共 562\.30 元.*已逾期 10 天/)
  // Over several objects each is named; overdue before the first level begins it does not say 请于 a day gone
  // by.
  const late = { levels: [5], gapDays: 7, remind: [], quietFrom: '21:00', quietTo: '08:00' }
  expect(
    defined(
      buildReminders(
        [
          { ...reminderOf(asId(1), 5, '2025-04-20'), object: '1-1-101' },
          { ...reminderOf(asId(2), 5, '2025-04-20'), object: 'A-12' },
        ],
        '2025-04-10',
      )[0],
    ).text,
  ).toContain('1-1-101 物业费（2025年3月）281.15 元、A-12 物业费')
  // Nothing is cut in the middle: what does not fit is counted.
  const many = defined(
    buildReminders(
      Array.from({ length: 40 }, (_, i) => ({
        ...reminderOf(asId(i + 1), 5, '2025-04-20'),
        item: `第 ${i + 1} 号公共区域照明与能源分摊费`,
      })),
      '2025-04-10',
    )[0],
  ).text
  expect([many.length < 480, /元 等 40 项，请于/.test(many)]).toEqual([true, true])
  expect(buildReminders([reminderOf(asId(1), 5, '2025-04-08')], '2025-04-10', late)[0]).toMatchObject({
    level: 0,
    text: expect.stringContaining('已逾期 2 天'),
  })
  expect([
    defined(result[1]).text.startsWith('温馨提示'),
    defined(result[1]).text.includes('请于 2025-04-20 前缴纳'),
    defined(result[1]).text.includes('逾期'),
  ]).toEqual([true, true, false])
})

const known = (id: Id, overrides: Partial<EffectiveBill> = {}): EffectiveBill => ({
  id,
  sourceType: 'room',
  sourceCode: 'R1',
  itemId: asId(7),
  begin: '2025-03-01',
  end: '2025-03-31',
  amount: asFen(100),
  source: 'auto',
  paid: 0,
  refund: 'none',
  state: 'normal',
  created: `2025-03-0${id}`,
  ...overrides,
})

it('BILL-6 bills that charge a thing twice, and which to abolish', () => {
  const result = findRedundantGroups([
    known(asId(1)),
    known(asId(2), { begin: '2025-03-31', end: '2025-04-30' }),
    known(asId(3), { begin: '2025-04-15', end: '2025-04-20', paid: asFen(1) }),
    known(asId(4), { sourceCode: 'R2' }),
    known(asId(5), { itemId: asId(8) }),
  ])
  expect(result.map(g => [g.bills.map(b => b.id), g.abolish])).toEqual([
    [
      [1, 2, 3],
      [2, 1],
    ],
  ])
  const months = [
    known(asId(1), { begin: '2025-03-01', end: '2025-03-10' }),
    known(asId(2), { begin: '2025-03-11', end: '2025-03-20' }),
  ]
  expect([
    findRedundantGroups(months),
    findRedundantGroups([defined(months[0]), { ...defined(months[1]), source: 'imported' }]).length,
    findRedundantGroups([
      defined(months[0]),
      { ...defined(months[1]), source: 'imported', amount: asFen(99) },
    ]),
  ]).toEqual([[], 1, []])
  expect(
    defined(findRedundantGroups([known(asId(1), { paid: asFen(5) }), known(asId(2), { paid: asFen(5) })])[0])
      .abolish,
  ).toEqual([])
})

it('BILL-8, BILL-9 the levels of an import, and reissuing', () => {
  const one = { itemId: asId(7), begin: '2025-03-10', end: '2025-03-20' } as const
  const level = (overrides: Partial<EffectiveBill>) =>
    findImportFindings(one, [known(asId(1), overrides)])
      .map(f => f.level)
      .join()
  expect([
    level({}),
    level({ itemId: asId(8) }),
    level({ begin: '2025-03-25', end: '2025-03-31' }),
    level({ begin: '2025-05-01', end: '2025-05-31' }),
    level({ paid: asFen(1) }),
    level({ refund: 'refunding', paid: asFen(1) }),
    level({ refund: 'refunded' }),
    level({ state: 'pending' }),
  ]).toEqual(['error', '', 'warning', '', 'error', 'error', 'warning', 'warning'])
  // GEN-2: two repairs of one day are two bills.
  expect(
    (['unpaid', 'paid', 'refunded'] as const).map(x =>
      findImportFindings({ ...one, repeats: true }, [
        known(asId(1), x === 'paid' ? { paid: asFen(1) } : x === 'refunded' ? { refund: 'refunded' } : {}),
      ]).map(f => [f.level, f.message]),
    ),
  ).toEqual(
    Array.from({ length: 3 }, () => [
      ['warning', '同账期已有该项目的账单，请确认不是重复（2025-03-01 至 2025-03-31）'],
    ]),
  )
  expect(findImportFindings(one, [known(asId(1))])[0]?.message).toBe(
    '同账期已有未缴账单，请先作废再导入（2025-03-01 至 2025-03-31）',
  )
  expect([
    reissueRefusal(one, [known(asId(1))], 1),
    reissueRefusal(one, [known(asId(1)), known(asId(2))], 1),
  ]).toEqual([undefined, expect.stringContaining('已有有效账单')])
})

it('URG-8 no channel and no call cuts water, power or access to force payment', () => {
  const titles = [...Object.values(reminderChannel.rows).map(r => r[1]), ...contract.calls.map(c => c.title)]
  expect(titles.filter(t => /停水|停电|断水|断电|限电|禁止通行|停用门禁/.test(t))).toEqual([])
})

it('URG-4: quiet hours within one day, and none where they begin as they end', () => {
  const rules = { ...defaultReminderRules, quietFrom: '12:00', quietTo: '14:00' }
  const ends = (['11:59:59', '12:00:00', '13:59:59', '14:00:00'] as const).map(time =>
    quietHoursEnd(`2025-04-10 ${time}`, rules).slice(11),
  )
  expect(ends).toEqual(['11:59:59', '14:00:00', '14:00:00', '14:00:00'])
  const none = { ...rules, quietTo: '12:00' }
  expect(quietHoursEnd('2025-04-10 09:00:00', none)).toBe('2025-04-10 09:00:00')
  expect(quietHoursEnd('2025-04-10 08:00:30')).toBe('2025-04-10 08:00:30')
})

it('URG-3: a message that grows too long names each item with its count and its sum', () => {
  const list = Array.from({ length: 20 }, (_, i) => ({
    billId: asId(i),
    payer: 1,
    item: i % 2 ? '物业费' : '水费',
    period: `2025年${i + 1}月`,
    dueDate: '2025-04-20' as const,
    unpaid: asFen(10_000),
  }))
  expect(buildReminders(list, '2025-04-10')[0]?.text).toContain(
    '水费 10 笔 1,000.00 元、物业费 10 笔 1,000.00 元，',
  )
})

it('URG-4, URG-7: the clerk is warned of a promise and of a recent reminder of the same level', () => {
  const warning = (promisedFor: Day | undefined, day: Day, level = 1) =>
    findReminderWarning('2025-04-08', promisedFor, [{ level, day }], '2025-04-10')
  expect([
    warning('2025-04-10', '2025-01-01'),
    warning('2025-04-09', '2025-01-01'),
    warning(undefined, '2025-04-04'),
    warning(undefined, '2025-04-03'),
    warning(undefined, '2025-04-04', 2),
  ]).toEqual(['promised', undefined, 'tooSoon', undefined, undefined])
})

it('URG-3: objects are named only where a message is about several', () => {
  const debt = (object: string, billId: number) => ({
    billId: asId(billId),
    object,
    payer: 5,
    item: '物业费',
    period: '2025-03',
    dueDate: '2025-04-20' as const,
    unpaid: asFen(100),
  })
  const textOf = (...bills: ReturnType<typeof debt>[]) => buildReminders(bills, '2025-04-10')[0]?.text
  expect(textOf(debt('1-101', 1), debt('1-101', 2))).toContain(
    '待缴：物业费（2025-03）1.00 元、物业费（2025-03）',
  )
  expect(textOf(debt('1-101', 1), debt('1-102', 2))).toContain(
    '待缴：1-101 物业费（2025-03）1.00 元、1-102 物业费（2025-03）1.00 元',
  )
})

it('URG-3: a message names its bills up to 300 characters, and its items up to 300', () => {
  const debt = (item: string, billId: number) => ({
    billId: asId(billId),
    payer: 5,
    item,
    period: '2025-03',
    dueDate: '2025-04-20' as const,
    unpaid: asFen(100),
  })
  const listIn = (...bills: ReturnType<typeof debt>[]) =>
    /待缴：(.*)，请于/.exec(buildReminders(bills, '2025-04-10')[0]?.text ?? '')?.[1] ?? ''
  // `（2025-03）1.00 元` has 15 characters.
  const whole = listIn(debt('费'.repeat(285), 1))
  expect([whole.length, whole.endsWith('（2025-03）1.00 元')]).toEqual([300, true])
  expect(listIn(debt('费'.repeat(286), 1))).toBe(`${'费'.repeat(286)} 1 笔 1.00 元`)
  // ` 1 笔 1.00 元` has 11 characters, the comma one.
  const items = [debt('水'.repeat(140), 1), debt('电'.repeat(137), 2)]
  expect(listIn(...items, debt('气', 3))).toBe(
    `${'水'.repeat(140)} 1 笔 1.00 元、${'电'.repeat(137)} 1 笔 1.00 元 等 3 项`,
  )
  expect(listIn(debt('水'.repeat(141), 1), debt('电'.repeat(137), 2))).toBe(
    `${'水'.repeat(141)} 1 笔 1.00 元 等 2 项`,
  )
})

it('BILL-6: the bill that bears money stays; among bills of one time the lower number', () => {
  const created = '2025-03-05'
  const abolishOf = (...bills: EffectiveBill[]) => findRedundantGroups(bills)[0]?.abolish
  expect(abolishOf(known(asId(2), { created }), known(asId(1), { created }))).toEqual([2])
  expect(abolishOf(known(asId(1)), known(asId(2), { paid: asFen(1) }))).toEqual([1])
  expect(abolishOf(known(asId(1), { created: '2025-03-09' }), known(asId(2)))).toEqual([1])
})

it('BILL-8: an import says why it stands back', () => {
  const wordsOf = (overrides: Partial<EffectiveBill>) =>
    findImportFindings({ itemId: asId(7), begin: '2025-03-10', end: '2025-03-20' }, [
      known(asId(1), overrides),
    ]).map(finding => `${finding.level} ${finding.message.split('（')[0]}`)
  expect([
    wordsOf({ refund: 'refunding' }),
    wordsOf({ refund: 'refunding', paid: asFen(1) }),
    wordsOf({ refund: 'refunded' }),
    wordsOf({ refund: 'refunded', paid: asFen(1) }),
    wordsOf({ paid: asFen(1) }),
  ]).toEqual([
    ['error 同账期账单正在退款，请等退款完成'],
    ['error 同账期账单正在退款，请等退款完成'],
    ['warning 同账期账单已退款，导入后将重新欠费'],
    ['error 同账期账单已缴费，不能重复导入'],
    ['error 同账期账单已缴费，不能重复导入'],
  ])
})
