import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { refuse, refuseField, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, insert, requireById } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { addFeeRuleVersion, parkFeeRule, parkFeeRules, type ParkFeeRule } from '../contract/fee-rule.ts'
import { isSameScope, termsOf } from '../domain/applicable-rule.ts'
import { ruleText } from '../domain/rule-text.ts'
import { coverFault, type PricedPark } from './rule-cover.ts'

type Draft = Pick<
  ParkFeeRule,
  | 'projectCode'
  | 'parkId'
  | 'carKinds'
  | 'appliesOn'
  | 'effectiveDate'
  | 'firstMinutes'
  | 'firstFee'
  | 'nightBegin'
  | 'nightEnd'
  | 'nightFee'
  | 'factors'
  | 'state'
>

/** What a rule costs; its name, its remark and whether it is in use may change at any time. */
const priceKeys = [
  'parkId',
  'carKinds',
  'appliesOn',
  'freeMinutes',
  'isFreeIncluded',
  'firstMinutes',
  'firstFee',
  'stepMinutes',
  'stepFee',
  'capType',
  'capFee',
  'isFirstEachBlock',
  'nightBegin',
  'nightEnd',
  'nightFee',
  'factors',
  'leaveFreeMinutes',
  'maxCoupons',
  'effectiveDate',
] as const

/** All rules of car parks, whatever their day. */
export const findFeeRules = (db: Db, scope: Scope, parkIds: readonly Id[]): Promise<ParkFeeRule[]> =>
  findAll(db, parkFeeRule, scope, {}, { where: [sql`t.park_id = any(${[...parkIds]}::bigint[])`] })

/** The car park of a rule, kept as it is until the end: one rule of it is saved after the other. */
const lockPark = (tx: Tx, { ownerId }: Scope, parkId: Id) =>
  tx.one<PricedPark & { projectCode: string }>(sql`
    select id as park_id, name as park_name, state = ${code(enabledState, 'on')} as is_open, project_code
    from park
    where owner_id = ${ownerId} and id = ${parkId} and ${notDeleted()}
    for no key update
  `)

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

type Prices = Partial<Pick<ParkFeeRule, (typeof priceKeys)[number]>>

const isPriceChanged = (draft: Prices, before: Prices): boolean =>
  priceKeys.some(key => textOf(draft[key]) !== textOf(before[key]))

function termFaults({
  firstMinutes,
  firstFee,
  nightBegin,
  nightEnd,
  nightFee,
  factors,
}: Draft): FieldFault[] {
  const nightParts = [nightBegin, nightEnd, nightFee].filter(part => part !== undefined).length
  const kinds = (factors ?? []).map(factor => factor.carKind)
  return [
    ...(firstMinutes === 0 && firstFee > 0
      ? [{ Field: 'FirstFee', Message: '没有首段时，首段金额应为 0' }]
      : []),
    ...(nightParts > 0 && nightParts < 3
      ? [{ Field: 'NightBegin', Message: '夜间的起、止与金额请一起填写' }]
      : []),
    ...(nightBegin !== undefined && nightBegin === nightEnd
      ? [{ Field: 'NightEnd', Message: '夜间的起止不能相同' }]
      : []),
    ...(new Set(kinds).size < kinds.length
      ? [{ Field: 'Factors', Message: '每个车类的系数只能填写一次' }]
      : []),
  ]
}

/** Where a rule is switched off, or is for other cars from now on: those it was for need another. */
async function coverFaultOfEdit(
  draft: Draft,
  before: ParkFeeRule,
  c: WriteContext,
): Promise<FieldFault | undefined> {
  const park = await lockPark(c.tx, c.scope, before.parkId)
  if (!park) return undefined
  const rules = await findFeeRules(c.tx, c.scope, [before.parkId])
  const others = rules.filter(rule => rule.id !== before.id)
  const edited = draft.parkId === before.parkId ? [{ ...before, ...draft }] : []
  const fault = await coverFault(park, rules, [...others, ...edited], c)
  if (fault === undefined) return undefined
  return { Field: draft.state === 'on' ? 'EffectiveDate' : 'State', Message: fault }
}

/** Also of several together, each of which another would cover. */
async function assertCovered(
  before: readonly ParkFeeRule[],
  removed: readonly ParkFeeRule[],
  c: WriteContext,
) {
  for (const parkId of new Set(removed.map(rule => rule.parkId))) {
    const park = await lockPark(c.tx, c.scope, parkId)
    const ids = new Set(removed.map(rule => rule.id))
    const rules = before.filter(rule => rule.parkId === parkId)
    const rest = rules.filter(rule => !ids.has(rule.id))
    const fault = park && (await coverFault(park, rules, rest, c))
    if (fault !== undefined) return refuse(fault)
  }
}

const parkIdsOf = (rules: readonly ParkFeeRule[]): Id[] => rules.map(rule => rule.parkId)

async function ruleFaults(
  draft: Draft,
  c: WriteContext,
  before: ParkFeeRule | undefined,
): Promise<FieldFault[]> {
  const { tx, scope, today } = c
  const park = await lockPark(tx, scope, draft.parkId)
  if (park?.projectCode !== draft.projectCode)
    return [{ Field: 'ParkID', Message: '停车场不存在或不属于该项目，请重新选择' }]
  if (before && before.effectiveDate < today && isPriceChanged(draft, before))
    return [
      {
        Field: 'EffectiveDate',
        Message: `规则已于 ${before.effectiveDate} 生效，改价请用「新增版本」，从之后的日期起生效`,
      },
    ]
  const ofPark = await findFeeRules(tx, scope, [draft.parkId])
  const others = ofPark.filter(rule => rule.id !== before?.id && rule.state === 'on')
  const same = draft.state === 'on' ? others.find(rule => isSameScope(rule, draft)) : undefined
  if (same)
    return [{ Field: 'EffectiveDate', Message: `「${same.ruleName}」自同一天起适用同样的车类，请更换日期` }]
  const uncovered = before && (await coverFaultOfEdit(draft, before, c))
  return [...(uncovered ? [uncovered] : []), ...termFaults(draft)]
}

const withText = (rule: ParkFeeRule): ParkFeeRule => ({ ...rule, summary: ruleText(termsOf(rule, 'temp')) })

export const feeRuleServer = crudHandlers(parkFeeRules, {
  refusesChangeOf: ['projectCode'],
  check: ruleFaults,
  enrich: async rows => rows.map(withText),
  beforeDelete: async (rows, c) => assertCovered(await findFeeRules(c.tx, c.scope, parkIdsOf(rows)), rows, c),
  afterDelete: async (rows, c) =>
    assertCovered([...(await findFeeRules(c.tx, c.scope, parkIdsOf(rows))), ...rows], rows, c),
})

/** A version counts from the day after today at the earliest: until then it can be changed. */
function assertLater(effectiveDate: Day, today: Day, before: ParkFeeRule): void {
  if (effectiveDate <= today) {
    refuseField('EffectiveDate', `请选择 ${addDays(today, 1)} 及以后的日期`)
  }
  if (effectiveDate <= before.effectiveDate) {
    refuseField('EffectiveDate', `请选择晚于原版本（${before.effectiveDate}）的日期`)
  }
}

export const feeRuleHandlers = [
  writes(addFeeRuleVersion, async ({ id, effectiveDate }, c) => {
    const { tx, scope, today } = c
    const before = await requireById(tx, parkFeeRule, scope, id)
    assertLater(effectiveDate, today, before)
    const { id: _id, version: _version, createTime: _created, updateTime: _updated, ...values } = before
    const draft = { ...values, state: 'on' as const, effectiveDate }
    const [fault] = await ruleFaults(draft, c, undefined)
    if (fault) {
      refuseField(fault.Field, fault.Message)
    }
    return withText(await insert(tx, parkFeeRule, scope, draft))
  }),
]
