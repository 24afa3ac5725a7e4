import { describe, expect, it } from 'vitest'
import { add, compare, type Decimal } from '#kit/domain/decimal.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { OrderState, PurchaseState } from '../contract/choices.ts'
import { amountOf, receivableOf, remainderOf, totalOf } from './amounts.ts'
import { arrivalFaults, limitRefusal, placeFaults, requestFaults } from './faults.ts'
import { isInForce, orderLimitFaults, receiptLimitFaults } from './limits.ts'
import { progressOf, reverseLines, type Progress } from './progress.ts'
import { actionRefusal, canDo, isAwaited, orderRefusal, purchaseStates } from './states.ts'

describe('amounts', () => {
  it('are quantity times price, rounded once, half-up (FEE-2)', () => {
    expect(amountOf('3', '0.335')).toBe(101)
    expect(amountOf('0.001', '4.999')).toBe(0)
    expect(amountOf('1.5', '19.99')).toBe(2999)
  })

  it('what may arrive grows by the tolerance, never beyond it (STK-4)', () => {
    expect(receivableOf('10', '0')).toBe('10')
    expect(receivableOf('10', '5')).toBe('10.5')
    expect(receivableOf('0.333', '10')).toBe('0.366')
  })

  it('a remainder is never below nothing', () => {
    expect(remainderOf('2', '3')).toBe('0')
    expect(remainderOf('2', '0.5')).toBe('1.5')
  })
})

describe('states (C16)', () => {
  it('each action has its states', () => {
    const allowed = (action: Parameters<typeof canDo>[0]) => purchaseStates.filter(s => canDo(action, s))
    expect(allowed('edit')).toEqual(['draft', 'approved', 'refused'])
    expect(allowed('submit')).toEqual(['draft', 'refused'])
    expect(allowed('decide')).toEqual(['approving'])
    expect(allowed('cancel')).toEqual(['approving', 'approved', 'refused'])
    expect(allowed('order')).toEqual(['approved', 'ordering', 'partial'])
    expect(allowed('receive')).toEqual(['ordering', 'partial', 'done'])
    expect(allowed('close')).toEqual(['ordering', 'partial'])
  })

  it('an urgent request goes ahead where the setting allows it', () => {
    expect(canDo('order', 'approving', { isUrgent: true, allowsAhead: true })).toBe(true)
    expect(canDo('order', 'approving', { isUrgent: true, allowsAhead: false })).toBe(false)
    expect(canDo('order', 'approving', { isUrgent: false, allowsAhead: true })).toBe(false)
    expect(canDo('cancel', 'approving', { isUrgent: true, allowsAhead: true })).toBe(true)
  })

  it('one that came back is changed and sent in again; nothing more is ordered ahead (APR-4)', () => {
    const returned = { isReturned: true, isUrgent: true, allowsAhead: true }
    const allows = (action: Parameters<typeof canDo>[0]) => canDo(action, 'approving', returned)
    expect([allows('edit'), allows('submit'), allows('cancel'), allows('receive')]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect([allows('withdraw'), allows('order'), allows('delete')]).toEqual([false, false, false])
    expect(actionRefusal('order', 'approving', returned)).toContain('采购已退回，不能下单')
    expect(canDo('edit', 'approving', { isReturned: false })).toBe(false)
  })

  it('a refusal says which states allow the action', () => {
    expect(actionRefusal('decide', 'draft')).toBe('采购状态为「草稿」，不能审批；仅「审批中」可以')
    expect(actionRefusal('edit', 'approving')).toBe(
      '采购状态为「审批中」，不能修改；仅「草稿」「已驳回」「已批准」「已退回」可以',
    )
    expect(actionRefusal('submit', 'approving')).toContain('「已驳回」「已退回」可以')
    expect(orderRefusal('关闭', 'done')).toContain('不能关闭')
    expect(orderRefusal('收货', 'done')).toBeUndefined()
  })
})

describe('faults', () => {
  const line = {
    lineNo: 1,
    itemName: '打印纸',
    unit: '包',
    quantity: '10',
    price: '25',
    orderedQuantity: '4',
    receivedQuantity: '4',
  }

  describe('orders come to no more than what they order was approved for, and the tolerance', () => {
    const chair = { lineNo: 1, price: '100' }
    const table = { lineNo: 2, price: '0.335' }
    const orderOf = (
      [quantity, price, lineNo = 1]: readonly [string, string, number?],
      [receivedQuantity, receivedAmount]: readonly [string, number] = ['0', 0],
      state: OrderState = 'open',
    ) => ({
      id: 1,
      state,
      receivedAmount: asFen(receivedAmount),
      lines: [{ lineNo, quantity, price, receivedQuantity }],
    })
    const approved = (orders: ReturnType<typeof orderOf>[] = [], state: PurchaseState = 'approved') => ({
      state,
      lines: [chair, table],
      orders,
    })
    const sent = (quantity: string, price: string, lineNo = 1) => ({ lineNo, quantity, price })

    it('exactly at the limit, and one fen above', () => {
      expect(orderLimitFaults([sent('10', '110')], approved(), '10')).toEqual([])
      expect(orderLimitFaults([sent('10', '110.001')], approved(), '10')).toEqual([
        {
          Field: 'Lines[0].Price',
          Message:
            '全部订单合计 1,100.01 元，超过所下单明细的批准金额 1,000.00 元的 110%（最多 1,100.00 元）；请降低单价，或由申请人修改采购的预估单价，重新审批后再下单',
        },
      ])
      expect(orderLimitFaults([sent('10', '100')], approved(), '0')).toEqual([])
      expect(orderLimitFaults([sent('10', '100.001')], approved(), '0')).toHaveLength(1)
    })

    it('the limit is rounded down to the fen: 1.01 and a tenth is 1.11', () => {
      expect(orderLimitFaults([sent('3', '0.37', 2)], approved(), '10')).toEqual([])
      expect(orderLimitFaults([sent('3', '0.374', 2)], approved(), '10')).toHaveLength(1)
    })

    it('what one order saves another may use, and names the field of the dearer line', () => {
      const half = approved([orderOf(['5', '100'])])
      expect(orderLimitFaults([sent('5', '120')], half, '10')).toEqual([])
      expect(orderLimitFaults([sent('5', '120.002')], half, '10')).toHaveLength(1)
      const both = [sent('1', '0.335', 2), sent('5', '130')]
      expect(orderLimitFaults(both, half, '10')).toMatchObject([{ Field: 'Lines[1].Price' }])
      expect(orderLimitFaults([sent('1', '150')], approved(), '10')).toHaveLength(1)
    })

    it('of orders that ended counts what came; what was taken back counts no more', () => {
      const closed = approved([orderOf(['10', '110'], ['4', 44_000], 'closed')])
      expect(orderLimitFaults([sent('6', '110')], closed, '10')).toEqual([])
      expect(orderLimitFaults([sent('6', '110.002')], closed, '10')).toHaveLength(1)
      const reversed = approved([orderOf(['10', '110'], ['0', 0], 'closed')])
      expect(orderLimitFaults([sent('10', '110')], reversed, '10')).toEqual([])
      expect(reversed.orders.map(isInForce)).toEqual([false])
      expect(closed.orders.map(isInForce)).toEqual([true])
    })

    it('what has come counts as it was received, dearer than ordered as well', () => {
      const overPrice = approved([orderOf(['5', '100'], ['5', 55_000], 'done')])
      expect(orderLimitFaults([sent('5', '110')], overPrice, '10')).toEqual([])
      expect(orderLimitFaults([sent('5', '110.002')], overPrice, '10')).toHaveLength(1)
    })

    it('an order no dearer than the estimate passes whatever earlier ones came to', () => {
      const overPrice = approved([orderOf(['5', '180'])])
      expect(orderLimitFaults([sent('5', '100')], overPrice, '10')).toEqual([])
    })

    it('words name what can be done where an urgent purchase has an order in force', () => {
      const wordsOf = (purchase: ReturnType<typeof approved>) =>
        orderLimitFaults([sent('5', '900')], purchase, '10')[0]?.Message.split('；')[1]
      expect(wordsOf(approved([], 'approving'))).toBe(
        '请降低单价，或由申请人撤回采购（已有人审批的由审批人退回），修改预估单价后重新提交',
      )
      expect(wordsOf(approved([orderOf(['5', '100'])], 'approving'))).toBe(
        '请降低单价，或取消未到货的订单，由申请人撤回采购（已有人审批的由审批人退回），修改预估单价后重新提交',
      )
      expect(wordsOf(approved([orderOf(['5', '100'], ['1', 10_000])], 'approving'))).toBe(
        '请降低单价，或关闭未到货的订单，另行申请采购',
      )
      expect(wordsOf(approved([orderOf(['5', '100'], ['5', 50_000], 'done')], 'partial'))).toBe(
        '请降低单价，或另行申请采购',
      )
    })

    describe('and receipts as well', () => {
      const faultsOf = (
        came: readonly [string, number],
        quantity: string,
        price: string,
        state: PurchaseState = 'ordering',
      ) =>
        receiptLimitFaults([sent(quantity, price)], 1, approved([orderOf(['10', '100'], came)], state), '10')

      it('exactly at the limit, and one fen above, whole or in parts', () => {
        expect(faultsOf(['0', 0], '10', '110')).toEqual([])
        expect(faultsOf(['0', 0], '10', '110.001')).toEqual([
          {
            Field: 'Lines[0].Price',
            Message:
              '全部收货合计 1,100.01 元，超过相应明细的批准金额 1,000.00 元的 110%（最多 1,100.00 元）；请按不超过限额的单价收货，确需涨价的，取消未到货的订单，由申请人修改采购的预估单价，重新审批后再下单',
          },
        ])
        expect(faultsOf(['5', 55_000], '5', '110')).toEqual([])
        expect(faultsOf(['5', 55_000], '5', '110.002', 'partial')).toMatchObject([
          { Message: expect.stringContaining('确需涨价的，关闭未到货的订单，另行申请采购') },
        ])
        expect(faultsOf(['5', 50_000], '5', '120')).toEqual([])
      })

      it('dear goods are not paid for by what has not come', () => {
        expect(faultsOf(['0', 0], '1', '110')).toEqual([])
        expect(faultsOf(['0', 0], '1', '110.01')).toHaveLength(1)
      })

      it('a receipt no dearer than its order passes, whatever the order came to', () => {
        const overPrice = approved([orderOf(['5', '130']), { ...orderOf(['5', '90']), id: 2 }], 'ordering')
        expect(receiptLimitFaults([sent('5', '130')], 1, overPrice, '10')).toEqual([])
        expect(receiptLimitFaults([sent('5', '130.002')], 1, overPrice, '10')).toHaveLength(1)
      })

      it('what is still awaited at the prices of its orders fits as well', () => {
        const overPrice = approved([orderOf(['5', '130']), { ...orderOf(['5', '90']), id: 2 }], 'ordering')
        expect(receiptLimitFaults([sent('5', '90.002')], 2, overPrice, '10')).toMatchObject([
          { Message: expect.stringContaining('全部收货与待收货合计 1,100.01 元') },
        ])
      })
    })
  })

  it('closed short, then all taken back, a purchase is no longer done', () => {
    const lines = [{ lineNo: 1, quantity: '10' }]
    const facts = { state: 'done' as const, isClosed: true, isUrgent: false, allowsAhead: false, lines }
    const order = { id: 1, state: 'closed' as const, amount: asFen(100_000), lines }
    const came = { orderId: 1, lines: [{ lineNo: 1, quantity: '4', amount: asFen(40_000) }] }
    const back = { ...came, lines: reverseLines(came.lines) }
    expect(progressOf(facts, [order], [came])).toMatchObject({ state: 'done', awaitsOrder: false })
    expect(progressOf(facts, [order], [came, back])).toMatchObject({ state: 'approved', awaitsOrder: true })
    const takenOf = (state: OrderState, receipts: Parameters<typeof progressOf>[2]) => {
      const { ordered, orderedAmount } = progressOf(facts, [{ ...order, state }], receipts)
      return [ordered.get(1), orderedAmount]
    }
    expect(takenOf('closed', [came])).toEqual(['4', 40_000])
    expect(takenOf('closed', [came, back])).toEqual(['0', 0])
    expect(takenOf('open', [came, back])).toEqual(['10', 100_000])
  })

  it('an order stays within what is asked for, and says why it is dearer', () => {
    expect(placeFaults([{ lineNo: 1, quantity: '6', price: '25' }], [line])).toEqual([])
    expect(placeFaults([{ lineNo: 1, quantity: '6.001', price: '20' }], [line])).toMatchObject([
      { Field: 'Lines[0].Quantity', Message: '「打印纸」还可下单 6 包' },
    ])
    expect(placeFaults([{ lineNo: 1, quantity: '1', price: '25.01' }], [line])).toMatchObject([
      { Field: 'Lines[0].PriceReason' },
    ])
    expect(placeFaults([{ lineNo: 1, quantity: '1', price: '25.01', priceReason: '涨价' }], [line])).toEqual(
      [],
    )
  })

  it('names lines that are not there or are twice', () => {
    expect(placeFaults([{ lineNo: 9, quantity: '1', price: '1' }], [line])).toMatchObject([
      { Field: 'Lines[0].LineNo' },
    ])
    const twice = { lineNo: 1, quantity: '1', price: '25' }
    expect(arrivalFaults([twice, twice], [line], '0')).toMatchObject([{ Field: 'Lines[1].LineNo' }])
  })

  it('a receipt stays within the order and its tolerance; another price has its reason (STK-4)', () => {
    expect(arrivalFaults([{ lineNo: 1, quantity: '6', price: '25' }], [line], '0')).toEqual([])
    expect(arrivalFaults([{ lineNo: 1, quantity: '6.5', price: '25' }], [line], '0')).toMatchObject([
      { Field: 'Lines[0].Quantity', Message: '「打印纸」还可收货 6 包' },
    ])
    expect(arrivalFaults([{ lineNo: 1, quantity: '6.5', price: '25' }], [line], '5')).toEqual([])
    expect(arrivalFaults([{ lineNo: 1, quantity: '1', price: '24.9' }], [line], '0')).toMatchObject([
      { Field: 'Lines[0].PriceReason' },
    ])
  })

  it('the limits of a project', () => {
    const limit = { projectCode: 'P', requestLimit: asFen(1000), monthLimit: asFen(1500) }
    expect(limitRefusal(asFen(1000), 0, limit)).toBeUndefined()
    expect(limitRefusal(asFen(1001), 0, limit)).toContain('单笔上限 10.00')
    expect(limitRefusal(asFen(1000), asFen(500), limit)).toBeUndefined()
    expect(limitRefusal(asFen(1000), asFen(501), limit)).toContain('每月上限 15.00')
    expect(limitRefusal(asFen(9999), 0, undefined)).toBeUndefined()
  })

  it('an urgent request says why; the day it is needed is not over', () => {
    expect(requestFaults({ isUrgent: true, needDate: '2026-11-28' }, '2026-11-28')).toMatchObject([
      { Field: 'UrgentReason' },
    ])
    expect(requestFaults({ isUrgent: false, needDate: '2026-11-27' }, '2026-11-28')).toMatchObject([
      { Field: 'NeedDate' },
    ])
  })
})

interface ModelLine {
  readonly lineNo: number
  readonly itemName: string
  readonly unit: string
  readonly quantity: Decimal
  readonly price: Decimal
}

interface ModelOrder {
  readonly id: number
  state: OrderState
  readonly amount: Fen
  readonly lines: ModelLine[]
}

interface ModelReceipt {
  readonly orderId: number
  isReversed: boolean
  readonly lines: { readonly lineNo: number; readonly quantity: Decimal; readonly amount: Fen }[]
}

/** Small steps of a linear congruence: the same run for the same seed. */
const numbersFrom = (seed: number) => {
  let value = seed
  return (below: number): number => {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((value / 2_147_483_648) * below)
  }
}

/** A purchase as its documents make it, driven by random actions through the rules of the module. */
class Model {
  readonly orders: ModelOrder[] = []
  readonly receipts: ModelReceipt[] = []
  state: PurchaseState = 'approved'
  isClosed = false
  readonly lines: readonly ModelLine[]
  readonly tolerance: Decimal
  private readonly random: (below: number) => number

  constructor(random: (below: number) => number) {
    this.random = random
    this.tolerance = random(2) === 0 ? '0' : '10'
    this.lines = Array.from({ length: 1 + random(4) }, (_, i) => ({
      lineNo: i + 1,
      itemName: `物料${i + 1}`,
      unit: '个',
      quantity: this.quantity(20_000),
      price: this.quantity(90_000),
    }))
  }

  quantity(below: number): Decimal {
    return String((1 + this.random(below)) / 1000)
  }

  /** All of what remains, or some quantity that may be too much. */
  part(remainder: Decimal, below: number): Decimal {
    return this.random(2) === 0 && compare(remainder, '0') > 0 ? remainder : this.quantity(below)
  }

  progress(): Progress {
    const { state, isClosed, lines } = this
    return progressOf(
      { state, isClosed, lines, isUrgent: false, allowsAhead: false },
      this.orders,
      this.receipts,
    )
  }

  settle(): Progress {
    const progress = this.progress()
    this.state = progress.state
    this.isClosed &&= progress.state === 'done'
    for (const { id, state } of progress.orders) {
      defined(this.orders.find(order => order.id === id)).state = state
    }
    return progress
  }

  place(): void {
    const { ordered } = this.progress()
    const sent = this.lines.flatMap(line =>
      this.random(3) === 0
        ? []
        : [
            {
              lineNo: line.lineNo,
              quantity: this.part(remainderOf(line.quantity, ordered.get(line.lineNo) ?? '0'), 12_000),
              price: line.price,
            },
          ],
    )
    if (!sent.length || !canDo('order', this.state)) return
    const known = this.lines.map(line => ({ ...line, orderedQuantity: ordered.get(line.lineNo) ?? '0' }))
    if (placeFaults(sent, known).length) return
    const lines = sent.map(line => ({ ...defined(this.lines.find(l => l.lineNo === line.lineNo)), ...line }))
    const amount = sumFen(lines.map(line => amountOf(line.quantity, line.price)))
    this.orders.push({ id: this.orders.length + 1, state: 'open', amount, lines })
  }

  receive(): void {
    const order = this.orders[this.random(Math.max(1, this.orders.length))]
    if (!order || !canDo('receive', this.state) || orderRefusal('收货', order.state)) return
    const received = defined(this.progress().orders.find(each => each.id === order.id)).received
    const sent = order.lines.flatMap(line =>
      this.random(4) === 0
        ? []
        : [
            {
              lineNo: line.lineNo,
              quantity: this.part(remainderOf(line.quantity, received.get(line.lineNo) ?? '0'), 8000),
              price: line.price,
            },
          ],
    )
    const known = order.lines.map(line => ({ ...line, receivedQuantity: received.get(line.lineNo) ?? '0' }))
    if (!sent.length || arrivalFaults(sent, known, this.tolerance).length) return
    const lines = sent.map(line => ({ ...line, amount: amountOf(line.quantity, line.price) }))
    this.receipts.push({ orderId: order.id, isReversed: false, lines })
  }

  reverse(): void {
    const receipt = this.receipts[this.random(Math.max(1, this.receipts.length))]
    if (!receipt || receipt.isReversed) return
    receipt.isReversed = true
    this.receipts.push({ orderId: receipt.orderId, isReversed: true, lines: reverseLines(receipt.lines) })
  }

  closeOrder(): void {
    const order = this.orders[this.random(Math.max(1, this.orders.length))]
    if (!order || !isAwaited(order.state)) return
    const progress = defined(this.progress().orders.find(each => each.id === order.id))
    order.state = [...progress.received.values()].some(q => compare(q, '0') > 0) ? 'closed' : 'cancelled'
  }
}

function assertSums(model: Model, progress: Progress): void {
  const effective = model.receipts.filter(receipt => !receipt.isReversed)
  expect(progress.receivedAmount).toBe(sumFen(effective.map(receipt => totalOf(receipt.lines))))
  expect(progress.receivedAmount).toBe(sumFen(progress.orders.map(order => order.receivedAmount)))
  for (const { lineNo, quantity } of model.lines) {
    const came = effective
      .flatMap(receipt => receipt.lines)
      .filter(line => line.lineNo === lineNo)
      .reduce<Decimal>((total, line) => add(total, line.quantity), '0')
    expect(progress.received.get(lineNo) ?? '0').toBe(came)
    expect(compare(came, '0')).not.toBe(-1)
    expect(compare(came, receivableOf(quantity, model.tolerance))).not.toBe(1)
    const ordered = progress.ordered.get(lineNo) ?? '0'
    expect(compare(ordered, quantity)).not.toBe(1)
  }
  for (const order of model.orders) {
    const { received } = defined(progress.orders.find(each => each.id === order.id))
    for (const { lineNo, quantity } of order.lines) {
      expect(compare(received.get(lineNo) ?? '0', receivableOf(quantity, model.tolerance))).not.toBe(1)
    }
  }
}

function assertState(model: Model, progress: Progress): void {
  const isWhole = model.lines.every(
    ({ lineNo, quantity }) => compare(progress.received.get(lineNo) ?? '0', quantity) >= 0,
  )
  const isAny = model.lines.some(({ lineNo }) => compare(progress.received.get(lineNo) ?? '0', '0') > 0)
  const beforeArrival = model.orders.some(order => isAwaited(order.state)) ? 'ordering' : 'approved'
  const expected = isAny ? 'partial' : beforeArrival
  expect(progress.state).toBe(isWhole ? 'done' : expected)
}

describe('progress', () => {
  it('random orders, receipts, reversals and closings never exceed, and sums hold (STK-4)', () => {
    let reversals = 0
    let done = 0
    for (let seed = 1; seed <= 200; seed++) {
      const random = numbersFrom(seed)
      const model = new Model(random)
      for (let i = 0; i < 30; i++) {
        const action = random(9)
        if (action < 3) {
          model.place()
        } else if (action < 7) {
          model.receive()
        } else if (action < 8) {
          model.reverse()
        } else {
          model.closeOrder()
        }
        const progress = model.settle()
        assertSums(model, progress)
        assertState(model, progress)
      }
      reversals += model.receipts.filter(receipt => receipt.isReversed).length
      done += model.state === 'done' ? 1 : 0
    }
    expect(reversals).toBeGreaterThan(100)
    expect(done).toBeGreaterThan(5)
  }, 60_000)

  it('what waits for its approval, was refused or cancelled stays so', () => {
    const model = new Model(numbersFrom(3))
    for (const state of ['draft', 'approving', 'refused', 'cancelled'] as const) {
      model.state = state
      expect(model.progress()).toMatchObject({ state, awaitsOrder: false })
    }
    model.state = 'approved'
    expect(model.progress().awaitsOrder).toBe(true)
  })
})
