import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { refuseField, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll, insert, requireById } from '#kit/server/table.ts'
import { addFeeRuleVersion, parkFeeRule, parkFeeRules, type ParkFeeRule } from '../contract/fee-rule.ts'
import { isSameScope, termsOf } from '../domain/applicable-rule.ts'
import { ruleText } from '../domain/rule-text.ts'

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
  tx.one<{ projectCode: string }>(sql`
    select project_code
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

async function ruleFaults(
  draft: Draft,
  { tx, scope, today }: WriteContext,
  before: ParkFeeRule | undefined,
): Promise<FieldFault[]> {
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
  const others = (await findFeeRules(tx, scope, [draft.parkId])).filter(
    rule => rule.id !== before?.id && rule.state === 'on',
  )
  const same = draft.state === 'on' ? others.find(rule => isSameScope(rule, draft)) : undefined
  if (same)
    return [{ Field: 'EffectiveDate', Message: `「${same.ruleName}」自同一天起适用同样的车类，请更换日期` }]
  return termFaults(draft)
}

const withText = (rule: ParkFeeRule): ParkFeeRule => ({ ...rule, summary: ruleText(termsOf(rule, 'temp')) })

export const feeRuleServer = crudHandlers(parkFeeRules, {
  refusesChangeOf: ['projectCode'],
  check: ruleFaults,
  enrich: async rows => rows.map(withText),
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
