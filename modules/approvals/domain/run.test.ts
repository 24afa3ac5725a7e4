import { describe, expect, it } from 'vitest'
import { decimal, flag, money } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import type { FlowNode } from '../contract/process.ts'
import { conditionFault, nodeApplies } from './conditions.ts'
import {
  addSigner,
  approve,
  FlowRefusal,
  hasDecided,
  newRun,
  refuseRequest,
  submit,
  taskOf,
  terminate,
  transfer,
  waitingTasks,
  withdraw,
  type Flow,
  type Run,
} from './run.ts'
import { flowOf, nodeOf, person } from './run.fixtures.ts'

const start = (flow: Flow): Run => submit(newRun, flow)
const asked = (run: Run): (number | undefined)[] => waitingTasks(run).map(task => task.approverId)
const agree = (run: Run, flow: Flow, ...people: number[]): Run =>
  people.reduce((r, n) => approve(r, flow, { approverId: person(n) }), run)

describe('nodes (APR-1)', () => {
  it('all: everyone is asked at once and must agree', () => {
    const flow = flowOf([nodeOf('a', [2, 3])])
    const run = start(flow)
    expect(asked(run)).toEqual([2, 3])
    expect(agree(run, flow, 2).state).toBe('running')
    expect(agree(run, flow, 2, 3).state).toBe('approved')
  })

  it('any: the first agreement is enough, the others are skipped', () => {
    const flow = flowOf([nodeOf('a', [2, 3], { mode: 'any' })])
    const run = agree(start(flow), flow, 3)
    expect(run.state).toBe('approved')
    expect(run.tasks.map(task => task.state)).toEqual(['skipped', 'approved'])
  })

  it('in turn: one after the other', () => {
    const flow = flowOf([nodeOf('a', [2, 3], { mode: 'inTurn' })])
    const run = start(flow)
    expect(asked(run)).toEqual([2])
    const second = agree(run, flow, 2)
    expect(asked(second)).toEqual([3])
    expect(agree(second, flow, 3).state).toBe('approved')
  })
})

describe('empty, own and repeated approvers (APR-2)', () => {
  it('an empty node passes, goes to the administrator, or may not be sent in', () => {
    const nodes = [nodeOf('a', [])]
    expect(start(flowOf(nodes, { emptyPolicy: 'pass' })).state).toBe('approved')
    expect(asked(start(flowOf(nodes)))).toEqual([9])
    expect(() => start(flowOf(nodes, { emptyPolicy: 'refuse' }))).toThrow(FlowRefusal)
  })

  it('money never passes for want of an approver', () => {
    const nodes = [nodeOf('a', [])]
    expect(asked(start(flowOf(nodes, { emptyPolicy: 'pass', isMoney: true })))).toEqual([9])
    expect(() => start(flowOf(nodes, { isMoney: true, administrator: person(1) }))).toThrow(
      '没有可以审批的人',
    )
  })

  it('the requester passes in their own node, but never where money is concerned', () => {
    const nodes = [nodeOf('a', [1, 2])]
    const run = start(flowOf(nodes))
    expect(run.tasks.map(task => task.state)).toEqual(['passed', 'waiting'])
    expect(asked(start(flowOf(nodes, { isMoney: true })))).toEqual([2])
    expect(asked(start(flowOf([nodeOf('a', [1])], { isMoney: true })))).toEqual([9])
  })

  it('who agreed in the node before passes in the next, where the definition says so', () => {
    const nodes = [nodeOf('a', [2]), nodeOf('b', [2]), nodeOf('c', [3]), nodeOf('d', [2])]
    const flow = flowOf(nodes)
    const run = agree(start(flow), flow, 2)
    expect(asked(run)).toEqual([3])
    expect(asked(agree(run, flow, 3))).toEqual([2])
    const strict = flowOf(nodes, { skipsRepeated: false })
    expect(agree(start(strict), strict, 2).nodeKey).toBe('b')
  })
})

describe('refusal and withdrawal (APR-4)', () => {
  const flow = flowOf([nodeOf('a', [2]), nodeOf('b', [3, 4])])
  const atSecond = agree(start(flow), flow, 2)

  it('ends, or goes back to the node before or to the requester', () => {
    const refuse = (target: 'end' | 'requester' | 'previous') =>
      refuseRequest(atSecond, flow, { approverId: person(3), target })
    expect(refuse('end')).toMatchObject({ state: 'refused', nodeKey: undefined })
    expect(refuse('previous')).toMatchObject({ state: 'running', nodeKey: 'a' })
    expect(asked(refuse('previous'))).toEqual([2])
    expect(refuse('requester')).toMatchObject({ state: 'running', isReturned: true })
    expect(asked(submit(refuse('requester'), flow))).toEqual([2])
  })

  it('withdraws only while no node has decided', () => {
    expect(withdraw(start(flow)).state).toBe('withdrawn')
    expect(hasDecided(atSecond)).toBe(true)
    expect(() => withdraw(atSecond)).toThrow('已有节点处理')
    expect(terminate(atSecond)).toMatchObject({ state: 'terminated' })
  })

  it('takes nothing more after the end', () => {
    const done = agree(atSecond, flow, 3, 4)
    expect(() => approve(done, flow, { approverId: person(3) })).toThrow(FlowRefusal)
    expect(() => terminate(done)).toThrow(FlowRefusal)
  })
})

describe('transfer, further signers, delegates (APR-6)', () => {
  const flow = flowOf([nodeOf('a', [2], { mode: 'any' })])

  it('a transfer moves the part to somebody else, not to the applicant or a signer', () => {
    const run = transfer(start(flow), flow, { approverId: person(2), to: person(5) })
    expect(asked(run)).toEqual([5])
    expect(() => transfer(run, flow, { approverId: person(5), to: person(1) })).toThrow('自己的申请')
    expect(agree(run, flow, 5).state).toBe('approved')
  })

  it('a further signer must agree too, whatever the mode', () => {
    const run = addSigner(start(flow), flow, { approverId: person(2), to: person(5) })
    expect(() => addSigner(run, flow, { approverId: person(2), to: person(5) })).toThrow('已在本节点')
    expect(agree(run, flow, 2).state).toBe('running')
    expect(agree(run, flow, 2, 5).state).toBe('approved')
    expect(agree(run, flow, 5).state).toBe('running')
  })

  it('a delegate is asked in the place of the approver, but not the applicant', () => {
    const away = flowOf([nodeOf('a', [2])], { delegateOf: id => (id === 2 ? person(6) : undefined) })
    expect(start(away).tasks).toMatchObject([{ approverId: 6, principalId: 2, state: 'waiting' }])
    const own = flowOf([nodeOf('a', [2])], { delegateOf: () => person(1) })
    expect(asked(start(own))).toEqual([2])
  })
})

describe('conditions (APR-1)', () => {
  const fields = { amount: money('金额'), days: decimal('天数'), isUrgent: flag('紧急') }
  const when = (field: string, operator: 'more' | 'atMost' | 'equal' | 'notEqual', value: string) => ({
    conditions: [{ field, operator, value }],
  })

  it('compare money, days, departments and flags with the form', () => {
    const form = { amount: asFen(50_000), days: '2.5', isUrgent: true, $department: ['7', '3'] }
    expect(nodeApplies(fields, form, when('amount', 'more', '499.99'))).toBe(true)
    expect(nodeApplies(fields, form, when('amount', 'more', '500'))).toBe(false)
    expect(nodeApplies(fields, form, when('days', 'atMost', '10'))).toBe(true)
    expect(nodeApplies(fields, form, when('isUrgent', 'equal', '1'))).toBe(true)
    expect(nodeApplies(fields, form, when('$department', 'equal', '3'))).toBe(true)
    expect(nodeApplies(fields, form, when('$department', 'notEqual', '3'))).toBe(false)
    expect(nodeApplies(fields, {}, when('amount', 'atMost', '500'))).toBe(false)
  })

  it('are refused where they can never be compared', () => {
    expect(conditionFault(fields, { field: 'amount', operator: 'more', value: '多' })).toMatch('格式')
    expect(conditionFault(fields, { field: 'gone', operator: 'equal', value: '1' })).toMatch('没有此字段')
    expect(conditionFault(fields, { field: 'isUrgent', operator: 'more', value: '1' })).toMatch('只能等于')
    expect(conditionFault(fields, { field: 'days', operator: 'more', value: '3' })).toBeUndefined()
  })
})

/** A small generator whose seed replays a failure. */
function randomOf(seed: number): (n: number) => number {
  let state = seed
  return n => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * n)
  }
}

function randomFlow(random: (n: number) => number): Flow {
  const modes = ['all', 'any', 'inTurn'] as const
  const nodes = Array.from({ length: 1 + random(4) }, (_, i): FlowNode => {
    const ids = Array.from({ length: random(4) }, () => 1 + random(6))
    return nodeOf(`n${i}`, ids, { mode: modes[random(3)] ?? 'all' })
  })
  const policies = ['pass', 'administrator', 'refuse'] as const
  return flowOf(nodes, {
    isMoney: random(2) === 1,
    skipsRepeated: random(2) === 1,
    emptyPolicy: policies[random(3)] ?? 'pass',
    delegateOf: id => (id === 3 ? person(7) : undefined),
  })
}

function randomStep(run: Run, flow: Flow, random: (n: number) => number): Run {
  const someone = person(1 + random(9))
  const to = person(1 + random(9))
  const targets = ['end', 'requester', 'previous'] as const
  const step = random(12)
  if (step < 6) return approve(run, flow, { approverId: someone })
  if (step === 6)
    return refuseRequest(run, flow, { approverId: someone, target: targets[random(3)] ?? 'end' })
  if (step === 7) return transfer(run, flow, { approverId: someone, to })
  if (step === 8) return addSigner(run, flow, { approverId: someone, to })
  if (step === 9) return withdraw(run)
  return submit(run, flow)
}

/** What holds of every request at every moment. */
function checkRun(run: Run, flow: Flow): void {
  const waiting = waitingTasks(run)
  if (run.state !== 'running') {
    expect(waiting).toEqual([])
    expect(run.queue).toEqual([])
  } else if (run.isReturned) {
    expect(waiting).toEqual([])
  } else {
    expect(waiting.length).toBeGreaterThan(0)
    expect(new Set(waiting.map(task => task.nodeKey))).toEqual(new Set([run.nodeKey]))
  }
  for (const task of run.tasks) {
    const isOwn = task.approverId === flow.applicantId
    expect(isOwn && (flow.isMoney || task.state === 'approved')).toBe(false)
  }
  if (run.state === 'approved') {
    const agreed = run.tasks.filter(t => t.round === run.round && ['approved', 'passed'].includes(t.state))
    expect(new Set(agreed.map(task => task.nodeKey))).toEqual(new Set(flow.nodes.map(node => node.key)))
  }
}

it('whatever is done in whatever order: one end, nobody asked after it, every node agreed (APR-1 to APR-6)', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = randomOf(seed)
    const flow = randomFlow(random)
    let run = newRun
    let ends = 0
    for (let i = 0; i < 40; i++) {
      const before = run
      try {
        run = run.round === 0 ? submit(run, flow) : randomStep(run, flow, random)
      } catch (error) {
        if (!(error instanceof FlowRefusal)) throw error
        expect(run).toBe(before)
        continue
      }
      if (before.state === 'running' && run.state !== 'running') {
        ends++
      }
      checkRun(run, flow)
    }
    expect(ends).toBeLessThanOrEqual(1)
    expect(taskOf(run, flow.applicantId)).toBeUndefined()
  }
})
