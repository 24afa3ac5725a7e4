import { expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import { asId } from '#kit/domain/id.ts'
import { AmountOutOfRange, asFen } from '#kit/domain/money.ts'
import { dispatchOrder, setObservers } from '../contract/order-actions.ts'
import { typeSet } from '../contract/choices.ts'
import {
  computeCost,
  costChangeRefusal,
  costFault,
  costLimitFault,
  grossCost,
  lineAmount,
  payableCost,
  type CostLine,
} from './cost.ts'
import { chooseReceiver, isInShift, rankReceivers, type Receiver, type ReceiverConfig } from './dispatch.ts'
import { evaluationRefusal, isLowScore, reopenRefusal, totalScore } from './evaluation.ts'
import { escalates, expediteRefusal, expediteWait } from './expedite.ts'
import { functionFault, resolveFunctions } from './function-settings.ts'
import {
  actionRefusal,
  actionRules,
  actionToState,
  canApply,
  isLegalStep,
  needsCloseApproval,
  stateAfterWork,
  type OrderAction,
} from './order-actions.ts'
import { parentRefusal } from './type-tree.ts'
import { typeSets } from './type-sets.ts'

const line = (lineKind: CostLine['lineKind'], quantity: string, price: number): CostLine => ({
  lineKind,
  name: '明细',
  quantity,
  price: asFen(price),
})

it('who follows and who helps is chosen by name', () => {
  for (const call of [setObservers, dispatchOrder]) {
    const { observerIds, assistIds } = call.input.fields
    expect([observerIds, assistIds].map(field => field?.target)).toEqual(['manager', 'manager'])
  }
})

it('WO-8: labour and material less the waiver; lines round half up to the fen', () => {
  const lines = [line('labour', '1', 3000), line('material', '2.335', 1250), line('material', '0.125', 99)]
  expect(lines.map(lineAmount)).toEqual([3000, 2919, 12])
  expect(computeCost(lines, asFen(931))).toEqual({
    laborCost: 3000,
    materialCost: 2931,
    waiveCost: 931,
    totalCost: 5000,
  })
  expect(payableCost({ totalCost: asFen(5000), isWarranty: false })).toBe(5000)
  expect(payableCost({ totalCost: asFen(5000), isWarranty: true })).toBe(0)
  expect(costFault(lines, asFen(5931))).toBeUndefined()
  expect(costFault(lines, asFen(5932))).toBe('减免不能超过费用合计 59.31 元')
  expect(costFault(lines, asFen(-1))).toBe('减免不能小于零')
})

it('WO-8: what comes to more than one bill may be is refused, by the line that is at fault', () => {
  const most = line('material', '10', 999_999_999)
  const least = line('labour', '1', 9)
  expect(lineAmount(most)).toBe(9_999_999_990)
  expect(grossCost([most, least])).toBe(9_999_999_999)
  expect(costLimitFault([most, least])).toBeUndefined()
  expect(costLimitFault([most, least, line('labour', '0.01', 100)])).toBe(
    '费用合计超过 99999999.99 元，请核对数量与单价',
  )
  const typo = line('material', '999999.999', 999_999_999)
  expect(lineAmount(typo)).toBeUndefined()
  expect(costLimitFault([least, typo])).toBe('「明细」的金额超过 99999999.99 元，请核对数量与单价')
  expect(grossCost(Array.from({ length: 100 }, () => typo))).toBeUndefined()
  expect(() => computeCost([typo], 0)).toThrow(AmountOutOfRange)
})

it('T-WO-04: a cost that is paid is not changed', () => {
  expect(costChangeRefusal({ state: 'paid', paidAmount: asFen(100) })).toBe(
    '费用已支付，不能修改；需要更正时请先退款，账单恢复欠费',
  )
  expect(costChangeRefusal({ state: 'unpaid', paidAmount: asFen(0) })).toBeUndefined()
  expect(costChangeRefusal({ state: 'unpaid', paidAmount: asFen(1) })).toContain('费用已部分支付')
  expect(costChangeRefusal(undefined)).toBeUndefined()
})

it('T-WO-03: urged twice within 5 minutes, the second is refused with the minutes that remain', () => {
  const wait = expediteWait('2026-11-24 09:00:00', 10, '2026-11-24 09:05:00')
  expect(expediteRefusal(wait)).toBe('刚刚催办过，请 5 分钟后再催办')
  expect(expediteWait('2026-11-24 09:00:00', 10, '2026-11-24 09:09:59')).toBe(1)
  expect(expediteRefusal(expediteWait('2026-11-24 09:00:00', 10, '2026-11-24 09:10:00'))).toBeUndefined()
  expect([2, 3, 4].map(escalates)).toEqual([false, true, true])
})

it('C12.1: each action from the states of the table alone, the refusal says the state and who may', () => {
  expect(actionRefusal('accept', 'unpaid')).toBe(
    '工单当前为「待付款」，不能接单；「待接单」时可以接单，由处理人办理',
  )
  expect(actionRefusal('cancel', 'processing')).toContain('由报事人办理')
  expect(actionRefusal('close', 'unpaid')).toBeUndefined()
  const table = Object.fromEntries(
    (
      [
        'dispatch',
        'grab',
        'accept',
        'deny',
        'suspend',
        'finish',
        'modifyCost',
        'close',
        'cancel',
        'reopen',
      ] as const
    ).map((action: OrderAction) => [action, actionRules[action].from]),
  )
  expect(table).toEqual({
    dispatch: ['waiting', 'dispatched', 'processing', 'suspended'],
    grab: ['waiting'],
    accept: ['dispatched'],
    deny: ['dispatched', 'processing'],
    suspend: ['processing'],
    finish: ['processing'],
    modifyCost: ['processing', 'suspended', 'checking', 'unpaid'],
    close: ['pending', 'waiting', 'dispatched', 'processing', 'suspended', 'checking', 'unpaid'],
    cancel: ['pending', 'waiting', 'dispatched'],
    reopen: ['completed'],
  })
  expect(isLegalStep('finish', 'processing', 'checking')).toBe(true)
  expect(isLegalStep('finish', 'processing', 'completed')).toBe(false)
  expect(isLegalStep('accept', 'dispatched', 'dispatched')).toBe(false)
  expect(isLegalStep('register', undefined, 'waiting')).toBe(true)
})

it('C12.1: what follows the work, and when a second person decides about closing', () => {
  expect([
    stateAfterWork({ needsCheck: true, isPayable: true }),
    stateAfterWork({ needsCheck: false, isPayable: true }),
    stateAfterWork({ needsCheck: false, isPayable: false }),
  ]).toEqual(['checking', 'unpaid', 'unrated'])
  expect([needsCloseApproval('dispatched'), needsCloseApproval('processing')]).toEqual([false, true])
})

it('PutState means the one action that leads from the state of the order to the named one', () => {
  expect([
    actionToState('pending', 'waiting'),
    actionToState('processing', 'waiting'),
    actionToState('waiting', 'processing'),
    actionToState('suspended', 'processing'),
    actionToState('checking', 'processing'),
    actionToState('completed', 'cancelled'),
  ]).toEqual(['auditPass', 'deny', 'grab', 'resume', 'checkReject', undefined])
  expect(canApply('grab', 'waiting')).toBe(true)
})

it('WO-10: a rating is changed once within 24 hours; 2 and less is low', () => {
  const evaluation = { evaluateTime: '2026-11-24 09:00:00', isDefault: false } as const
  expect(evaluationRefusal('requester', evaluation, '2026-11-25 09:00:00')).toBeUndefined()
  expect(evaluationRefusal('staff', evaluation, '2026-11-24 10:00:00')).toContain('员工不能修改')
  expect(evaluationRefusal('requester', evaluation, '2026-11-25 09:00:01')).toContain('24 小时')
  expect(
    evaluationRefusal(
      'requester',
      { ...evaluation, changeTime: '2026-11-24 10:00:00' },
      '2026-11-24 11:00:00',
    ),
  ).toContain('修改过一次')
  const ofSystem = { ...evaluation, isDefault: true }
  expect(evaluationRefusal('staff', ofSystem, '2026-12-24 09:00:00')).toBeUndefined()
  expect([
    totalScore({ speedScore: 5, attitudeScore: 4, qualityScore: 4 }),
    isLowScore(2),
    isLowScore(3),
  ]).toEqual([4, true, false])
  expect(totalScore({ speedScore: 4, attitudeScore: 4, qualityScore: 3 })).toBe(4)
})

it('C12.1: reopened within 7 days after a low score or a complaint', () => {
  const order = {
    endTime: '2026-11-17 09:00:00',
    score: 2,
    isDefaultScore: false,
    category: 'repair',
  } as const
  expect(reopenRefusal(order, '2026-11-24 09:00:00')).toBeUndefined()
  expect(reopenRefusal(order, '2026-11-24 09:00:01')).toContain('7 天')
  expect(reopenRefusal({ ...order, score: 3 }, '2026-11-18 09:00:00')).toContain('2 分')
  expect(reopenRefusal({ ...order, isDefaultScore: true }, '2026-11-18 09:00:00')).toContain('2 分')
  expect(reopenRefusal({ ...order, score: 5, category: 'complaint' }, '2026-11-18 09:00:00')).toBeUndefined()
})

const config: ReceiverConfig = {
  managerIds: [asId(1), asId(2)],
  buildCodes: [],
  weekdays: [1, 2, 3, 4, 5],
  shiftBegin: '08:00',
  shiftEnd: '20:00',
  onlyOnDuty: true,
}
const person = (id: number, overrides: Partial<Receiver> = {}): Receiver => ({
  managerId: asId(id),
  name: `人员${id}`,
  openCount: 0,
  isPaused: false,
  lastTurn: 0,
  ...overrides,
})
const tuesday = '2026-11-24 10:00:00'

it('WO-13: a shift over midnight belongs to the day on which it begins', () => {
  const night = { weekdays: [5], shiftBegin: '22:00', shiftEnd: '06:00' }
  expect(
    (
      ['2026-11-27 23:00:00', '2026-11-28 05:59:00', '2026-11-28 06:00:00', '2026-11-27 05:00:00'] as const
    ).map(now => isInShift(night, now)),
  ).toEqual([true, true, false, false])
  expect(isInShift({ weekdays: [] }, tuesday)).toBe(true)
})

it('WO-13: those whom no configuration names, who are off duty, paused or full are left out with the reason', () => {
  const people = [person(1), person(2, { openCount: 5 }), person(3), person(4, { isPaused: true })]
  const configs = [
    { ...config, maxOpen: 5 },
    { ...config, managerIds: [asId(4)] },
  ]
  const refusals = (now: typeof tuesday | '2026-11-24 21:00:00' | '2026-11-28 10:00:00') =>
    Object.fromEntries(rankReceivers(people, configs, undefined, now).map(p => [p.managerId, p.refusal]))
  expect(refusals(tuesday)).toEqual({
    1: undefined,
    2: '在办 5 单，已达上限 5 单',
    3: '不在接单人配置内',
    4: '已暂停接单',
  })
  expect(refusals('2026-11-24 21:00:00')[1]).toBe('当前不在岗')
  expect(refusals('2026-11-28 10:00:00')[1]).toBe('当前不在岗')
  expect(rankReceivers(people, [], undefined, tuesday).map(p => p.refusal)).toEqual([
    undefined,
    undefined,
    undefined,
    '已暂停接单',
  ])
})

it('WO-13: what the attendance says counts where it says anything', () => {
  const [absent] = rankReceivers([person(1, { isPresent: false })], [config], undefined, tuesday)
  expect(absent?.refusal).toBe('当前不在岗')
})

it('WO-1: turn, area and fewest open choose each by its own order, by hand and grabbing nobody', () => {
  const people = [
    person(1, { openCount: 3, lastTurn: 8 }),
    person(2, { openCount: 1, lastTurn: 9 }),
    person(3, { openCount: 2, lastTurn: 7 }),
  ]
  const configs: ReceiverConfig[] = [
    { ...config, managerIds: people.map(p => p.managerId) },
    { ...config, managerIds: [asId(1)], buildCodes: ['B01'] },
  ]
  const ranked = rankReceivers(people, configs, 'B01', tuesday)
  const chosen = (['turn', 'fewestOpen', 'areaOwner', 'manual', 'grab'] as const).map(
    mode => chooseReceiver(mode, ranked)?.managerId,
  )
  expect(chosen).toEqual([3, 2, 1, undefined, undefined])
  expect(chooseReceiver('areaOwner', rankReceivers(people, configs, 'B02', tuesday))).toBeUndefined()
})

it('WO-1: three levels at most, no circle', () => {
  const types = new Map(
    [
      { id: asId(1) },
      { id: asId(2), parentId: asId(1) },
      { id: asId(3), parentId: asId(2) },
      { id: asId(4) },
      { id: asId(5), parentId: asId(4) },
    ].map(t => [t.id, t]),
  )
  expect(parentRefusal(types, undefined, asId(2))).toBeUndefined()
  expect(parentRefusal(types, undefined, asId(3))).toContain('最多 3 级')
  expect(parentRefusal(types, asId(4), asId(2))).toContain('最多 3 级')
  expect(parentRefusal(types, asId(4), asId(1))).toBeUndefined()
  expect(parentRefusal(types, asId(1), asId(3))).toContain('下级')
  expect(parentRefusal(types, undefined, asId(9))).toContain('不存在')
})

it('settings: what a company has not set is as the product has it', () => {
  const functions = resolveFunctions([
    { key: 'expediteInterval', enabled: true, value: 20 },
    { key: 'reward', enabled: false },
  ])
  expect(functions.expediteInterval.value).toBe(20)
  expect(functions.reward.isOn).toBe(false)
  expect([functions.denyLimit.value, functions.rewardIncome.isOn]).toEqual([3, false])
  expect(functionFault({ key: 'denyLimit', enabled: true, value: 0 })).toBe('拒单次数应在 1 到 20 次之间')
  expect(functionFault({ key: 'nothing', enabled: true })).toContain('没有')
})

it('the usual types of an estate form a tree, parents first, codes once', () => {
  for (const set of keysOf(typeSet)) {
    const types = typeSets[set]
    const codes = types.map(type => type.code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const [i, type] of types.entries()) {
      if (type.parent) {
        expect(codes.slice(0, i)).toContain(type.parent)
      }
    }
  }
})
