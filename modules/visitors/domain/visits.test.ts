import { describe, expect, it } from 'vitest'
import { applicableRules } from './applicable-rule.ts'
import { nextStage, strictest } from './consent.ts'
import { invitationFaults, latestEnd, type AskedVisit } from './invitation-faults.ts'
import { passResult, type PassingVisitor } from './pass.ts'
import { answersTo, questionFaults, type Question } from './questions.ts'
import {
  actionRefusal,
  canCancelVisitor,
  canExtendVisitor,
  hasFurtherVisits,
  stateOfVisitors,
} from './states.ts'

const rule = {
  advanceDays: 7,
  maxHours: 24,
  maxPersons: 3,
  allowsCar: false,
  questions: [
    { label: '目的', kind: 'choice', options: ['看房', '维修'], isRequired: true },
    { label: '带宠物', kind: 'flag', isRequired: false },
  ] as readonly Question[],
}

const visit: AskedVisit = {
  beginTime: '2026-11-29 09:00:00',
  endTime: '2026-11-29 18:00:00',
  personCount: 1,
  visitors: [{ visitorName: '王五', mobile: '13800138000' }],
  answers: [{ label: '目的', answer: '看房' }],
}

const at = { now: '2026-11-29 08:00:00', today: '2026-11-29' } as const
const fieldsOf = (overrides: Partial<AskedVisit>): string[] =>
  invitationFaults({ ...visit, ...overrides }, rule, at).map(fault => fault.Field)

describe('a visit under a rule (VIS-1)', () => {
  it('is in order as asked', () => expect(fieldsOf({})).toEqual([]))

  it.each([
    ['ends before it begins', { endTime: '2026-11-29 09:00:00' }, ['EndTime']],
    ['is over', { beginTime: '2026-11-28 09:00:00', endTime: '2026-11-29 08:00:00' }, ['EndTime']],
    [
      'begins on another day',
      { beginTime: '2026-11-28 23:00:00', endTime: '2026-11-29 09:00:00' },
      ['BeginTime'],
    ],
    [
      'begins on another day, as it did before it was changed',
      {
        beginTime: '2026-11-28 23:00:00',
        endTime: '2026-11-29 09:00:00',
        beginTimeBefore: '2026-11-28 23:00:00',
      },
      [],
    ],
    ['began earlier today', { beginTime: '2026-11-29 00:00:00', endTime: '2026-11-29 09:00:00' }, []],
    [
      'begins on the last day that may be invited for',
      { beginTime: '2026-12-06 23:00:00', endTime: '2026-12-07 01:00:00' },
      [],
    ],
    [
      'begins a day too late',
      { beginTime: '2026-12-07 00:00:00', endTime: '2026-12-07 01:00:00' },
      ['BeginTime'],
    ],
    ['is as long as it may be', { endTime: '2026-11-30 09:00:00' }, []],
    ['is a second too long', { endTime: '2026-11-30 09:00:01' }, ['EndTime']],
    ['lasts 400 days', { endTime: '2028-01-03 09:00:00' }, ['EndTime']],
    ['has too many people', { personCount: 4 }, ['PersonCount']],
    ['has as many people as it may', { personCount: 3 }, []],
    ['names nobody to call', { visitors: [{ visitorName: '王五' }] }, ['Visitors[0].Mobile']],
    [
      'names one person twice',
      { personCount: 2, visitors: [...visit.visitors, { visitorName: '王六', mobile: '13800138000' }] },
      ['Visitors[1].Mobile'],
    ],
    [
      'has fewer people than it names',
      { visitors: [...visit.visitors, { visitorName: '王六' }] },
      ['PersonCount'],
    ],
    [
      'comes by car where none is let in',
      { visitors: [{ visitorName: '王五', mobile: '13800138000', plateNo: '粤B12345' }] },
      ['Visitors[0].PlateNo'],
    ],
    ['leaves a question out', { answers: [] }, ['Answers']],
    ['answers what was not offered', { answers: [{ label: '目的', answer: '其他' }] }, ['Answers']],
  ] as const)('%s', (_, overrides, fields) => expect(fieldsOf(overrides)).toEqual(fields))

  it('says how far ahead, and that only today may be invited for', () => {
    const tomorrow = { ...visit, beginTime: '2026-11-30 09:00:00', endTime: '2026-11-30 10:00:00' } as const
    expect(invitationFaults(tomorrow, { ...rule, advanceDays: 0 }, at)).toEqual([
      { Field: 'BeginTime', Message: '只能邀请今天来访，请改为今天' },
    ])
  })

  it('keeps the answers to what the rule asks, in its order', () =>
    expect(
      answersTo(rule.questions, [
        { label: '带宠物', answer: '是' },
        { label: '别的', answer: '否' },
        { label: '目的', answer: '看房' },
      ]),
    ).toEqual([
      { label: '目的', answer: '看房' },
      { label: '带宠物', answer: '是' },
    ]))

  it('asks each question once, and offers a choice between two', () =>
    expect(
      questionFaults([
        { label: '目的', kind: 'choice', options: ['看房', '看房'], isRequired: true },
        { label: '目的', kind: 'text', isRequired: false },
      ]).map(fault => fault.Field),
    ).toEqual(['Questions[0].Options', 'Questions[1].Label']))
})

const scope = (overrides: object = {}) => ({
  hostTypes: ['resident'] as const,
  relations: [],
  buildCodes: [],
  visitorKinds: [],
  state: 'on' as const,
  ...overrides,
})

describe('which rule is meant (VIS-1)', () => {
  const tenant = { hostType: 'resident', relation: 'tenant', buildCode: 'B1' } as const

  it('the one that says most comes first; those for others are left out', () => {
    const plain = scope()
    const ofKind = scope({ visitorKinds: ['friend'] })
    const ofOwners = scope({ relations: ['owner'] })
    const ofOther = scope({ buildCodes: ['B2'] })
    const disabled = scope({ state: 'off' })
    const ofStaff = scope({ hostTypes: ['staff'] })
    expect(applicableRules([plain, ofKind, ofOwners, ofOther, disabled, ofStaff], tenant, 'friend')).toEqual([
      ofKind,
      plain,
    ])
    expect(applicableRules([ofKind], tenant, 'viewing')).toEqual([])
  })

  it('a building or a relation keeps no staff from inviting to it', () => {
    const ofStaff = scope({ hostTypes: ['staff'], buildCodes: ['B2'], relations: ['owner'] })
    expect(applicableRules([ofStaff], { hostType: 'staff' }, 'friend')).toEqual([ofStaff])
  })
})

describe('whose consent a visit needs (VIS-1)', () => {
  it.each([
    ['exempt', 'exempt', 'exempt'],
    ['exempt', 'host', 'host'],
    ['property', 'exempt', 'property'],
    ['property', 'host', 'both'],
    ['both', 'exempt', 'both'],
  ] as const)('%s and %s together: %s', (a, b, both) => expect(strictest(a, b)).toBe(both))

  it('asks the host before the property, and nobody twice', () => {
    expect(nextStage('both', new Set())).toBe('host')
    expect(nextStage('both', new Set(['host']))).toBe('property')
    expect(nextStage('both', new Set(['host', 'property']))).toBeUndefined()
    expect(nextStage('host', new Set(['host']))).toBeUndefined()
    expect(nextStage('exempt', new Set())).toBeUndefined()
  })
})

describe('states', () => {
  it('a visit is cancelled before the arrival alone, extended before it is over (VIS-6)', () => {
    expect(actionRefusal('cancel', 'passed')).toBeUndefined()
    expect(actionRefusal('cancel', 'arrived')).toBe('已到访的邀访不能取消')
    expect(actionRefusal('extend', 'arrived')).toBeUndefined()
    expect(actionRefusal('extend', 'left')).toBe('已离开的邀访不能延长')
    expect(actionRefusal('decide', 'passed')).toBe('已通过的邀访不能审批')
    expect(latestEnd('2026-11-29 18:00:00', { maxHours: 24 })).toBe('2026-11-30 18:00:00')
  })

  it('who has left and may come again is cancelled and extended as before the arrival (VIS-6)', () => {
    const visitor = { state: 'left', maxTimes: 5, usedTimes: 1, endTime: '2026-11-29 18:00:00' } as const
    const now = '2026-11-29 12:00:00'
    expect(canCancelVisitor(visitor, now)).toBe(true)
    expect(canCancelVisitor(visitor, '2026-11-29 18:00:01')).toBe(false)
    expect(canCancelVisitor({ ...visitor, usedTimes: 5 }, now)).toBe(false)
    expect(canCancelVisitor({ ...visitor, state: 'arrived' }, now)).toBe(false)
    expect(canExtendVisitor(visitor)).toBe(true)
    expect(canExtendVisitor({ ...visitor, usedTimes: 5 })).toBe(false)
    const invited = { isGroup: false, maxTimes: 5 }
    expect(hasFurtherVisits({ ...invited, state: 'left' })).toBe(true)
    expect(hasFurtherVisits({ ...invited, state: 'left', maxTimes: 1 })).toBe(false)
    expect(hasFurtherVisits({ isGroup: true, maxTimes: 1, state: 'arrived' })).toBe(true)
  })

  it('an invitation is what its visitors are', () => {
    expect(stateOfVisitors(['passed', 'arrived', 'left'], 'passed')).toBe('arrived')
    expect(stateOfVisitors(['passed', 'left'], 'arrived')).toBe('left')
    expect(stateOfVisitors(['passed', 'passed'], 'passed')).toBe('passed')
  })
})

describe('what a code is worth at a gate (VIS-2)', () => {
  const visitor: PassingVisitor = {
    state: 'passed',
    beginTime: '2026-11-29 09:00:00',
    endTime: '2026-11-29 18:00:00',
    maxTimes: 1,
    usedTimes: 0,
    exitTimes: 0,
  }
  const noon = '2026-11-29 12:00:00'

  it.each([
    ['in its time', {}, 'in', noon, 'passed'],
    ['at its first second', {}, 'in', '2026-11-29 09:00:00', 'passed'],
    ['a second early', {}, 'in', '2026-11-29 08:59:59', 'early'],
    ['at its last second', {}, 'in', '2026-11-29 18:00:00', 'passed'],
    ['a second late', {}, 'in', '2026-11-29 18:00:01', 'expired'],
    ['used once of one', { usedTimes: 1 }, 'in', noon, 'usedUp'],
    ['used once of two', { usedTimes: 1, maxTimes: 2 }, 'in', noon, 'passed'],
    ['leaving too late', { usedTimes: 1, state: 'arrived' }, 'out', '2026-11-30 09:00:00', 'passed'],
    ['leaving before it came in', {}, 'out', noon, 'invalid'],
    ['leaving once more', { usedTimes: 1, exitTimes: 1, maxTimes: 2, state: 'left' }, 'out', noon, 'invalid'],
    ['leaving twice', { usedTimes: 1, exitTimes: 1, state: 'arrived' }, 'out', noon, 'usedUp'],
    ['not yet allowed', { state: 'pending' }, 'in', noon, 'invalid'],
    ['cancelled', { state: 'cancelled' }, 'in', noon, 'invalid'],
    ['expired by night', { state: 'expired' }, 'in', noon, 'expired'],
  ] as const)('%s', (_, overrides, direction, now, result) =>
    expect(passResult({ ...visitor, ...overrides }, direction, now)).toBe(result),
  )
})
