import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import {
  kindOf,
  kindRefusal,
  cancelRefusal,
  invoiceStateMachine,
  limitRefusal,
  typeAndMediumOf,
  partRefusal,
  redRefusal,
  resolveRedAmounts,
  serialFor,
  titleFaults,
} from './invoice.ts'
import {
  toRedLines,
  toInvoiceLines,
  formatRate,
  splitTax,
  sumLines,
  type Good,
  type RedPortion,
} from './tax.ts'

const good = (id: Id, taxRate: string): Good => ({
  id,
  goodName: `商品${id}`,
  taxCode: '3040801010000000000',
  isNoTax: false,
  taxRate,
})

/** A dice that always falls the same way. */
const pseudoRandom = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}

it.each([
  ['T-INV-01', 106000, '0.06', 100000, 6000],
  ['T-INV-02', 168400, '0.06', 158868, 9532],
  ['T-INV-03', 50000, '0.03', 48544, 1456],
] as const)('%s: the tax is in the amount', (_, total, rate, net, tax) => {
  expect(splitTax(asFen(total), rate)).toEqual({ net, tax })
})

it('INV-3: net + tax = total to the fen, for any lines, in black and in red', () => {
  const d = pseudoRandom(7)
  for (let i = 0; i < 800; i++) {
    const pieces = Array.from({ length: 1 + Math.floor(d() * 6) }, () => {
      const rate = defined(
        ['0', '0.01', '0.03', '0.05', '0.06', '0.09', '0.13', '0.015'][Math.floor(d() * 8)],
      )
      return {
        good: good(asId(1 + Math.floor(d() * 3)), rate),
        rate,
        amount: asFen(1 + Math.floor(d() * 99_999_999)),
      }
    })
    const lines = toInvoiceLines(pieces)
    const s = sumLines(lines)
    const parts = pieces.map((p): RedPortion => ({
      goodName: p.good.goodName,
      taxRate: p.rate,
      redAmount: 0,
      now: p.amount,
    }))
    const r = sumLines(toRedLines(lines, parts))
    expect(s.netAmount + s.taxAmount).toBe(s.totalAmount)
    expect(s.totalAmount).toBe(pieces.reduce((n, p) => n + p.amount, 0))
    for (const l of lines) {
      expect(l.net + l.tax).toBe(l.amount)
      expect(l.tax).toBeGreaterThanOrEqual(0)
    }
    expect([r.totalAmount + s.totalAmount, r.netAmount + s.netAmount, r.taxAmount + s.taxAmount]).toEqual([
      0, 0, 0,
    ])
  }
})

it('INV-5: taken back in pieces, the pieces together give back to the fen what the line had; none of them more tax than its sum', () => {
  const d = pseudoRandom(11)
  const half = toInvoiceLines([
    {
      good: good(asId(1), '0.06'),
      rate: '0.06',
      amount: asFen(10600),
      begin: '2026-01-01',
      end: '2026-01-31',
    },
    { good: good(asId(2), '0.03'), rate: '0.03', amount: asFen(50000) },
  ])
  // T-INV-03 is the whole second line; of the first 53.00 of 106.00: 50.00 and 3.00.
  expect(
    toRedLines(half, [
      {
        goodName: '商品1',
        taxRate: '0.06000000',
        redAmount: 0,
        now: asFen(5300),
        beginDate: '2026-01-01',
        endDate: '2026-01-31',
      },
      { goodName: '商品2', taxRate: '0.03', redAmount: 0, now: 0 },
    ]),
  ).toMatchObject([{ goodId: 1, amount: -5300, net: -5000, tax: -300, periods: '2026-01-01 至 2026-01-31' }])
  expect(
    toRedLines(half, [{ goodName: '商品2', taxRate: '0.03', redAmount: 0, now: asFen(50000) }]),
  ).toMatchObject([{ goodId: 2, amount: -50000, net: -48544, tax: -1456 }])
  for (let i = 0; i < 300; i++) {
    const rate = defined(['0', '0.01', '0.03', '0.06', '0.09', '0.13'][Math.floor(d() * 6)])
    const amount = 1 + Math.floor(d() * 30_000)
    const lines = toInvoiceLines([{ good: good(asId(1), rate), rate, amount: asFen(amount) }])
    const back = { net: 0, tax: 0, amount: 0 }
    while (back.amount < amount) {
      const now = Math.min(amount - back.amount, 1 + Math.floor(d() * 9_000))
      const [l] = toRedLines(lines, [
        { goodName: '商品1', taxRate: rate, redAmount: asFen(back.amount), now: asFen(now) },
      ])
      expect([defined(l).net + defined(l).tax, defined(l).net <= 0, defined(l).tax <= 0]).toEqual([
        -now,
        true,
        true,
      ])
      back.amount += now
      back.net -= defined(l).net
      back.tax -= defined(l).tax
    }
    expect(back).toEqual({ net: defined(lines[0]).net, tax: defined(lines[0]).tax, amount })
  }
})

it('INV-5: a part takes back at most what still stands of it, once; without words all that stands', () => {
  const parts = [
    { id: asId(1), amount: asFen(10000), redAmount: asFen(4000), feeItemName: '物业费' },
    { id: asId(2), amount: asFen(500), redAmount: asFen(500), feeItemName: '水费' },
  ]
  const attempt = (...w: [number, number][]) =>
    resolveRedAmounts(
      parts,
      w.map(([partId, amount]) => ({ partId: asId(partId), amount: asFen(amount) })),
    ).faults.map(f => f.message)
  expect([...resolveRedAmounts(parts, undefined).amountsByPart]).toEqual([
    [1, 6000],
    [2, 0],
  ])
  expect([
    attempt([1, 6000]),
    attempt([1, 6001]),
    attempt([2, 1]),
    attempt([3, 1]),
    attempt([1, 1], [1, 1]),
  ]).toEqual([
    [],
    ['物业费最多可红冲 60.00 元，请刷新后重新填写'],
    ['水费已全部红冲，请刷新'],
    ['这一行不在该发票上，请刷新后重新选择'],
    ['同一行只能填一次'],
  ])
})

it('INV-1: pieces of one good and rate are one line, its periods from first to last', () => {
  const a = good(asId(1), '0.06')
  const b = good(asId(2), '0.03')
  expect(
    toInvoiceLines([
      { good: a, rate: '0.06', amount: asFen(100), begin: '2026-02-01', end: '2026-02-28' },
      { good: b, rate: '0.03', amount: asFen(200) },
      { good: a, rate: '0.06', amount: asFen(6), begin: '2026-01-01', end: '2026-01-31' },
      { good: a, rate: '0', amount: asFen(5) },
    ]),
  ).toMatchObject([
    { goodId: 1, amount: 106, net: 100, tax: 6, periods: '2026-01-01 至 2026-02-28' },
    { goodId: 2, amount: 200 },
    { goodId: 1, taxRate: '0', amount: 5, net: 5, tax: 0 },
  ])
  expect([formatRate('0.06'), formatRate('0.015'), formatRate('0')]).toEqual(['6%', '1.5%', '0%'])
})

it('INV-4: a person has a name, a company its tax number, a special invoice address and bank as well', () => {
  expect(titleFaults({ titleType: 'personal', title: '王五' }, 'eNormal')).toEqual({})
  expect(titleFaults({ titleType: 'personal', title: ' ' }, 'eNormal')).toEqual({ title: '请填写姓名' })
  expect(titleFaults({ titleType: 'personal', title: '王五' }, 'eSpecial')).toEqual({
    titleType: '专用发票只能开给企业',
  })
  expect(titleFaults({ titleType: 'company', title: '甲公司' }, 'eNormal')).toEqual({
    taxNo: '企业抬头请填写税号',
  })
  for (const bad of ['91320506MA1X', '91320506MA1XABCDE12345', '91320506ma1xabcde1', '91320506MA1X-ABCD1']) {
    expect(titleFaults({ titleType: 'company', title: '甲公司', taxNo: bad }, 'paper').taxNo).toContain(
      '15 到 20 位',
    )
  }
  for (const fine of ['913205060000000', '91320506MA1XABCDE1', '91320506MA1XABCDE123']) {
    expect(titleFaults({ titleType: 'company', title: '甲公司', taxNo: fine }, 'eNormal')).toEqual({})
  }
  expect(
    titleFaults({ titleType: 'company', title: '甲公司', taxNo: '91320506MA1XABCDE1' }, 'paperSpecial'),
  ).toEqual({ addressPhone: '专用发票请填写地址和电话', bankAccount: '专用发票请填写开户行和账号' })
})

it('C7: the states follow one another as written, and no other way', () => {
  const all = ['pending', 'doing', 'issued', 'failed', 'redDue', 'red', 'cancelled'] as const
  const transitions = all.flatMap(a =>
    all.filter(b => invoiceStateMachine.canTransition(a, b)).map(b => `${a}→${b}`),
  )
  expect(transitions).toEqual([
    'pending→doing',
    'pending→cancelled',
    'doing→issued',
    'doing→failed',
    'issued→redDue',
    'issued→cancelled',
    'failed→doing',
    'failed→cancelled',
    'redDue→issued',
    'redDue→red',
  ])
})

it('C7: paper is cancelled in its month only, electronic never; what is under way or red neither', () => {
  const issued = {
    state: 'issued',
    isRed: false,
    medium: 'paper',
    issueTime: '2026-11-02 10:00:00',
    redAmount: 0,
  } as const
  expect(cancelRefusal(issued, '2026-11-30')).toBeUndefined()
  expect(cancelRefusal(issued, '2026-12-01')).toBe('纸质发票只能在开票当月作废，以前的请红冲')
  expect(cancelRefusal({ ...issued, medium: 'electronic' }, '2026-11-02')).toBe(
    '已开具的电子发票不能作废，请红冲',
  )
  expect(cancelRefusal({ ...issued, isRed: true }, '2026-11-02')).toBe('红字发票不能作废')
  expect(cancelRefusal({ ...issued, redAmount: asFen(1) }, '2026-11-02')).toBe(
    '已部分红冲的发票不能作废，请把余下的也红冲',
  )
  expect([
    cancelRefusal({ ...issued, state: 'pending' }, '2026-11-30'),
    cancelRefusal({ ...issued, state: 'failed' }, '2026-11-30'),
  ]).toEqual([undefined, undefined])
  expect(cancelRefusal({ ...issued, state: 'doing' }, '2026-11-30')).toContain('不能改为“已作废”')
  expect([
    redRefusal({ state: 'issued', isRed: false }),
    redRefusal({ state: 'redDue', isRed: false }),
  ]).toEqual([undefined, undefined])
  expect(
    [
      redRefusal({ state: 'issued', isRed: true }),
      redRefusal({ state: 'red', isRed: false }),
      redRefusal({ state: 'cancelled', isRed: false }),
    ].map(Boolean),
  ).toEqual([true, true, true])
  expect((['pending', 'doing', 'failed'] as const).map(state => redRefusal({ state, isRed: false }))).toEqual(
    Array(3).fill('发票尚未开具，不能红冲；如不需要可作废'),
  )
})

it('INV-6: next year, bills not cleared, more than may be, no good: each says what to do', () => {
  const part = {
    open: asFen(10000),
    amount: asFen(10000),
    label: '1-1-101 物业费',
    beginDate: '2026-12-01',
    billCleared: true,
    refunding: false,
    good: true,
    feeItemName: '物业费',
  } as const
  const rules = { refuseNextYear: true, paidUpOnly: true }
  expect(partRefusal(part, rules, '2026-11-21')).toBeUndefined()
  expect(partRefusal({ ...part, amount: asFen(10001) }, rules, '2026-11-21')).toBe(
    '最多可开 100.00 元，请刷新后重新选择',
  )
  expect(partRefusal({ ...part, beginDate: '2027-01-01' }, rules, '2026-11-21')).toBe(
    '账期 2027-01-01 起在明年，请到明年再开',
  )
  expect(
    partRefusal({ ...part, beginDate: '2027-01-01' }, { ...rules, refuseNextYear: false }, '2026-11-21'),
  ).toBeUndefined()
  expect(partRefusal({ ...part, beginDate: '2027-01-01' }, rules, '2027-01-01')).toBeUndefined()
  expect(partRefusal({ ...part, billCleared: false }, rules, '2026-11-21')).toContain('尚未缴清')
  expect(
    partRefusal({ ...part, billCleared: false }, { ...rules, paidUpOnly: false }, '2026-11-21'),
  ).toBeUndefined()
  expect(partRefusal({ ...part, refunding: true }, rules, '2026-11-21')).toContain('退款在办')
  expect(partRefusal({ ...part, open: 0 }, rules, '2026-11-21')).toBe('没有可开票的金额')
  expect(partRefusal({ ...part, open: asFen(1), amount: asFen(1) }, rules, '2026-11-21')).toBeUndefined()
  const noGood = { ...part, good: false }
  expect(partRefusal({ ...noGood, income: true }, rules, '2026-11-21')).toContain('押金转收入')
  expect(partRefusal(noGood, rules, '2026-11-21')).toContain('没有对应的开票商品')
  expect(partRefusal({ ...part, income: true }, rules, '2026-11-21')).toBeUndefined()
  expect(partRefusal({ ...part, good: false }, rules, '2026-11-21')).toContain('开票商品')
  expect([limitRefusal(asFen(100), undefined), limitRefusal(asFen(100), asFen(100))]).toEqual([
    undefined,
    undefined,
  ])
  expect(limitRefusal(asFen(101), asFen(100))).toContain('请分开开具')
})

it('kinds, and a number that changes only after a definite no', () => {
  for (const k of ['eNormal', 'eSpecial', 'paper', 'paperSpecial'] as const) {
    expect(kindOf(typeAndMediumOf(k))).toBe(k)
  }
  expect(kindRefusal('paper', { kinds: ['eNormal'], channel: 'manual' })).toContain('未开放纸质普票')
  expect(kindRefusal('paper', { kinds: ['paper'], channel: 'platform' })).toContain('只开电子发票')
  expect(kindRefusal('paper', { kinds: ['paper'], channel: 'manual' })).toBeUndefined()
  expect([serialFor('FP1', 1), serialFor('FP1', 2), serialFor('FP1-2', 3)]).toEqual(['FP1', 'FP1-2', 'FP1-3'])
})
