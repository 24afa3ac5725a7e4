import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, day, flag, int, lines, lookup, money, ref, text } from '#kit/contract/field.ts'
import { calendarYears, clockRule } from '#kit/contract/rules.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { feeCapType, feeRuleDays } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const

/** Ten days: what is free longer needs no rule. */
export const maxRuleMinutes = 14_400

const minutesField = (label: string, options: { min: number; initial: number; help?: string }) =>
  int(label, { required: true, max: maxRuleMinutes, unit: '分钟', ...options, ...inDetail })

const priceField = (label: string) =>
  money(label, { required: true, min: 0, max: 999_999_00, initial: 0, ...inDetail })

/** How a stay in a car park is priced (C10.2); a later effective date is the next version. */
export const parkFeeRule = entity(
  'parkFeeRule',
  '停车收费规则',
  {
    table: 'park_fee_rule',
    tenancy: 'project',
    title: 'ruleName',
    order: ['projectCode', 'parkId', '-effectiveDate'],
  },
  {
    projectCode: estateField(),
    ruleName: text('名称', { required: true, max: 40, searchable: true }),
    parkId: ref('停车场', 'park', { required: true, wire: ['ParkID', 'ParkId'], hiddenIn: ['table'] }),
    parkName: lookup('停车场', 'parkId', 'name', { wire: 'ParkName' }),
    carKinds: choices('适用车类', carKind, { help: '不选为没有单独规则的全部车类' }),
    appliesOn: choice('适用日期', feeRuleDays, {
      required: true,
      initial: 'every',
      help: '节假日：在「节假日」中登记的休息日，代替每天的规则',
    }),
    freeMinutes: minutesField('免费时长', { min: 0, initial: 30 }),
    isFreeIncluded: flag('超时后免费时段不计费', {
      required: true,
      initial: false,
      wire: 'FreeIncluded',
      ...inDetail,
    }),
    firstMinutes: minutesField('首段时长', { min: 0, initial: 60, help: '0 为没有首段' }),
    firstFee: priceField('首段金额'),
    stepMinutes: minutesField('之后每', { min: 1, initial: 60 }),
    stepFee: priceField('每段金额'),
    capType: choice('封顶方式', feeCapType, { required: true, initial: 'hours', ...inDetail }),
    capFee: money('封顶金额', { min: 0, max: 999_999_00, help: '不填为不封顶', ...inDetail }),
    isFirstEachBlock: flag('次日重计首段', {
      required: true,
      initial: true,
      wire: 'NextDayFirst',
      ...inDetail,
    }),
    nightBegin: text('夜间起', { max: 5, rule: clockRule, ...inDetail }),
    nightEnd: text('夜间止', { max: 5, rule: clockRule, ...inDetail }),
    nightFee: money('夜间每次', { min: 0, max: 999_999_00, ...inDetail }),
    factors: lines(
      '车类系数',
      {
        carKind: choice('车类', carKind, { required: true }),
        percent: int('系数', { required: true, min: 0, max: 1000, unit: '%', wire: 'Percent' }),
      },
      { max: 7, wire: 'Factors', help: '未列出的车类为 100%', ...inDetail },
    ),
    leaveFreeMinutes: minutesField('缴费后免费离场', { min: 0, initial: 15 }),
    maxCoupons: int('每次最多用券', {
      required: true,
      min: 0,
      max: 20,
      initial: 1,
      unit: '张',
      wire: 'MaxCoupon',
      help: '免费券只能单独使用',
      ...inDetail,
    }),
    effectiveDate: day('生效日期', {
      required: true,
      rule: calendarYears,
      help: '入场日期在此之后的按本版本计费',
    }),
    summary: text('计费', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type ParkFeeRule = Row<typeof parkFeeRule>

const { permissions } = menu.feeRule

export const parkFeeRules = crud(parkFeeRule, {
  path: 'ParkFeeRule',
  permissions,
  filters: ['parkId', 'carKinds', 'appliesOn', 'effectiveDate', 'state'],
  affects: ['parkingStay'],
})

/** The same prices from a later day on, to be changed before that day. */
export const addFeeRuleVersion = call({
  route: 'POST ParkFeeRule/PostVersion',
  title: '新增版本',
  needs: permissions.add,
  affects: ['parkFeeRule'],
  input: shape({ id: recordIdField, effectiveDate: parkFeeRule.fields.effectiveDate }),
  output: recordOf(parkFeeRule),
})
