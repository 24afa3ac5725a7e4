import { codeOf } from '#kit/contract/field.ts'
import { addDays, asDay, dayOf, lastOfMonth, partsOf } from '#kit/domain/day.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { insertAll } from '#kit/server/table.ts'
import '#modules/fees/server/built-in-formulas.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { feeFormula, type FeeFormula } from '#modules/fees/contract/formula.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import { feePackage } from '#modules/fees/contract/relation.ts'
import {
  feeStandard,
  standardVersion,
  type FeeStandard,
  type StandardVersion,
} from '#modules/fees/contract/standard.ts'
import { listVariables } from '#modules/fees/domain/definition-rules.ts'
import { roomType } from '#modules/rooms/contract/labels.ts'

type Item = Partial<FeeItem> & Pick<FeeItem, 'code' | 'name' | 'feeType'>

const item = (
  code: string,
  name: string,
  feeType: FeeItem['feeType'],
  more: Partial<FeeItem> = {},
): Item => ({
  category: 'other',
  incomeKind: 'own',
  inRate: true,
  billMode: 'auto',
  scene: 'roomShop',
  allowMulti: false,
  allowOnline: true,
  autoDeduct: true,
  principalSettles: false,
  lateFeeSwitch: false,
  state: 'on',
  ...more,
  code,
  name,
  feeType,
})

const lateFeeTerms: Partial<FeeItem> = {
  lateFeeSwitch: true,
  lateRates: [{ rate: '0.0005' }],
  graceDays: 15,
  graceMode: 'all',
  lateFeeCapMode: 'rate',
  lateFeeCapValue: '1',
}

const manualBilling: Partial<FeeItem> = { billMode: 'manual', inRate: false, autoDeduct: false }

const items: readonly Item[] = [
  item('WYF', '物业费', 'cyclic', { category: 'property', taxRate: '0.06', sort: 10, ...lateFeeTerms }),
  item('SF', '水费', 'metered', { category: 'water', incomeKind: 'agency', sort: 20 }),
  item('DF', '电费', 'metered', { category: 'power', incomeKind: 'agency', sort: 30 }),
  item('GTDF', '公摊电费', 'shared', { category: 'power', incomeKind: 'agency', sort: 35 }),
  item('CWF', '车位管理费', 'cyclic', {
    category: 'parking',
    scene: 'parkPlace',
    taxRate: '0.06',
    sort: 40,
    ...lateFeeTerms,
  }),
  item('LJF', '垃圾清运费', 'cyclic', { incomeKind: 'agency', sort: 50 }),
  item('DTF', '电梯运行费', 'cyclic', { category: 'property', sort: 55 }),
  item('CDF', '公区场地费', 'cyclic', { category: 'rent', scene: 'area', taxRate: '0.09', sort: 60 }),
  item('ZXYJ', '装修押金', 'deposit', { ...manualBilling, sort: 70 }),
  item('ZXQY', '装修垃圾清运费', 'temporary', { ...manualBilling, sort: 80 }),
  item('WXF', '有偿维修费', 'temporary', { ...manualBilling, category: 'repair', taxRate: '0.06', sort: 90 }),
  item('CRZ', '出入证工本费', 'temporary', { ...manualBilling, sort: 95 }),
]

type Formula = Pick<FeeFormula, 'name' | 'expression' | 'parameters' | 'tests' | 'remark'>

const formulas: readonly Formula[] = [
  {
    name: '电梯费按楼层',
    expression: 'IF(楼层 <= 1, 0, MIN(70, 30 + (楼层 - 2) × 5))',
    tests: [{ name: '楼层', value: '8' }],
    remark: '一层不收，二层起 30 元，每层加 5 元，最高 70 元',
  },
  {
    name: '车位费按类型',
    expression: '单价 × MAX(1, 系数)',
    tests: [
      { name: '单价', value: '60' },
      { name: '系数', value: '1' },
    ],
    remark: '子母车位系数 2',
  },
]

type VersionPrice = Partial<StandardVersion>

interface StandardPlan {
  readonly code: string
  readonly name: string
  readonly item: string
  readonly formula: string
  readonly prices: readonly VersionPrice[]
  readonly more?: Partial<FeeStandard>
}

const since = '2000-01-01'

const propertyFee = (
  code: string,
  name: string,
  prices: readonly VersionPrice[],
  more: Partial<FeeStandard> = {},
): StandardPlan => ({
  code,
  name,
  item: 'WYF',
  formula: '面积×单价',
  prices,
  more: { areaKind: 'build', ...more },
})

const utilityPlans = (level: 'home' | 'trade'): readonly StandardPlan[] => [
  {
    code: 'SF01',
    name: level === 'home' ? '居民生活用水' : '经营用水',
    item: 'SF',
    formula: level === 'home' ? '仪表阶梯' : '仪表用量×单价',
    more: { usageUnit: '吨', chargeMode: 'behind' },
    prices: [
      level === 'home'
        ? {
            effectiveDate: since,
            tierBase: 'year',
            tiers: [{ to: '216', price: '2.8' }, { to: '300', price: '4.2' }, { price: '8.4' }],
          }
        : { effectiveDate: since, price: '5.1' },
    ],
  },
  {
    code: 'DF01',
    name: level === 'home' ? '居民用电' : '经营用电',
    item: 'DF',
    formula: '仪表用量×单价',
    more: { usageUnit: '度', chargeMode: 'behind' },
    prices: [{ effectiveDate: since, price: level === 'home' ? '0.5469' : '0.9235' }],
  },
  {
    code: 'GT01',
    name: '公共照明与电梯用电',
    item: 'GTDF',
    formula: '公摊',
    more: { chargeMode: 'behind' },
    prices: [{ effectiveDate: since }],
  },
  {
    code: 'ZX01',
    name: level === 'home' ? '装修押金（住宅）' : '装修押金（商户）',
    item: 'ZXYJ',
    formula: '固定金额',
    more: { cycleType: 'once' },
    prices: [{ effectiveDate: since, price: level === 'home' ? '3000' : '10000' }],
  },
]

const parkingFee = (price: string, before?: string): StandardPlan => ({
  code: 'CW01',
  name: '地下车位管理费',
  item: 'CWF',
  formula: '固定金额',
  more: { dueDays: 10 },
  prices: before
    ? [
        { effectiveDate: since, endDate: '2023-12-31', price: before },
        { effectiveDate: '2024-01-01', price, reason: '政府指导价调整' },
      ]
    : [{ effectiveDate: since, price }],
})

const refuseFee = (price: string): StandardPlan => ({
  code: 'LJ01',
  name: '垃圾清运费',
  item: 'LJF',
  formula: '固定金额',
  prices: [{ effectiveDate: since, price }],
})

const siteFee = (price: string): StandardPlan => ({
  code: 'CD01',
  name: '公区场地与广告位',
  item: 'CDF',
  formula: '面积×单价',
  more: { areaKind: 'build', cycleMonths: 3 },
  prices: [{ effectiveDate: since, price }],
})

/** What each kind of project charges by. */
const plans: Readonly<Record<'housing' | 'office' | 'mall', readonly StandardPlan[]>> = {
  housing: [
    propertyFee('WY01', '住宅物业费', [
      { effectiveDate: since, endDate: '2024-12-31', price: '2.6' },
      { effectiveDate: '2025-01-01', price: '2.85', reason: '业主大会表决通过' },
    ]),
    propertyFee('WY02', '商铺物业费', [{ effectiveDate: since, price: '4.5' }], { cycleMonths: 3 }),
    refuseFee('8'),
    {
      code: 'DT01',
      name: '电梯运行费',
      item: 'DTF',
      formula: '电梯费按楼层',
      prices: [{ effectiveDate: since }],
    },
    parkingFee('60', '50'),
    siteFee('35'),
    ...utilityPlans('home'),
  ],
  office: [
    propertyFee(
      'WY01',
      '写字楼物业费',
      [
        { effectiveDate: since, endDate: '2025-06-30', price: '12' },
        { effectiveDate: '2025-07-01', price: '12.8', reason: '服务等级调整' },
      ],
      { cycleMonths: 3 },
    ),
    refuseFee('60'),
    parkingFee('120'),
    siteFee('80'),
    ...utilityPlans('trade'),
  ],
  mall: [
    propertyFee('WY01', '商铺物业费', [{ effectiveDate: since, price: '18' }]),
    refuseFee('120'),
    parkingFee('80'),
    siteFee('150'),
    ...utilityPlans('trade'),
  ],
}

/** What a company charges, and its own formulas beside the built-in ones. */
export async function seedFees(tx: Tx, who: Scope): Promise<void> {
  await insertAll(tx, feeItem, who, items)
  await insertAll(
    tx,
    feeFormula,
    who,
    formulas.map(f => ({
      ...f,
      formulaType: 'custom',
      variables: listVariables({ ...f, formulaType: 'custom' }),
      isSystem: false,
      state: 'on',
    })),
  )
}

/** A project's price list. */
export async function seedStandards(
  tx: Tx,
  who: Scope,
  projectCode: string,
  kind: keyof typeof plans,
): Promise<void> {
  const of = async (table: string, by: string): Promise<Map<string, number>> =>
    new Map(
      (
        await tx.rows<{ id: number; name: string }>(
          sql`select id, ${sql.id(by)} as name from ${sql.table(table)} where owner_id = ${who.ownerId}`,
        )
      ).map(r => [r.name, r.id]),
    )
  const itemOf = await of('fee_item', 'code')
  const formulaOf = await of('fee_formula', 'name')
  const list = plans[kind]
  const ids = await insertAll(
    tx,
    feeStandard,
    who,
    list.map(p => ({
      cycleType: 'natural',
      cycleMonths: 1,
      alignYear: true,
      chargeMode: 'ahead',
      startRule: 'given',
      prorateMode: 'actual',
      advanceDays: 0,
      delayDays: 0,
      dueBase: 'begin',
      dueDays: 30,
      dueSkipHoliday: false,
      roundType: 'halfUp',
      roundUnit: 'fen',
      tiersStretch: true,
      state: 'on',
      ...p.more,
      projectCode,
      code: p.code,
      name: p.name,
      feeItemId: itemOf.get(p.item),
      formulaId: formulaOf.get(p.formula),
    })),
  )
  await insertAll(
    tx,
    standardVersion,
    who,
    list.flatMap((p, i) => p.prices.map(v => ({ extraProrate: false, ...v, standardId: ids[i] }))),
  )
  const called = (...codes: string[]): string[] =>
    codes.flatMap(c => {
      const i = list.findIndex(p => p.code === c)
      return i < 0 ? [] : [String(ids[i])]
    })
  await insertAll(tx, feePackage, who, [
    {
      projectCode,
      name: kind === 'housing' ? '住宅常规收费' : '商户常规收费',
      standardIds: called('WY01', 'LJ01', 'DT01'),
      remark: '新交付的房间一次绑齐',
    },
  ])
}

type RoomType = keyof typeof roomType.rows
const homes: readonly RoomType[] = ['home']
const trades: readonly RoomType[] = ['shop', 'office']

/**
 * Every room, place and let public area by its standards, billed to the last whole cycle up to a month's last
 * day: one statement a project.
 */
export async function seedRelations(
  tx: Tx,
  who: Scope,
  projectCode: string,
  billedTo: string,
  only?: { readonly buildings: readonly string[] },
): Promise<void> {
  const rooms = (types: readonly RoomType[]): number[] => types.map(t => codeOf(roomType, t) as number)
  const of = only ? sql`and build_code = any(${[...only.buildings]})` : sql``
  const [year, month] = partsOf(asDay(billedTo))
  const monthEnds = [addDays(dayOf(year, 1, 1), -1)]
  for (let m = 1; m <= month; m++) {
    monthEnds.push(lastOfMonth(dayOf(year, m, 1)))
  }
  await tx.execute(sql`
    with s as (
      select id, code, fee_item_id, cycle_months as k
      from fee_standard
      where owner_id = ${who.ownerId} and project_code = ${projectCode} and delete_tag = 0
    ),
      whom as (
        select ${codeOf(sourceType, 'room')}::smallint as type, code, path as name, build_code,
          coalesce(deliver_date, '2022-01-01') as since, standard
        from room
        cross join lateral unnest(
          case
          when room_type = any(${rooms(homes)}::int[]) then array['WY01', 'LJ01', 'DT01']
          when room_type = any(${rooms(trades)}::int[]) then array[
            case when exists (select 1 from s where code = 'WY02') then 'WY02' else 'WY01' end, 'LJ01'
          ]
          else '{}'
          end
        ) as standard
        where owner_id = ${who.ownerId} and project_code = ${projectCode} and delete_tag = 0 ${of}
        union all
        select ${codeOf(sourceType, 'parkPlace')}::smallint, code, place_no, null,
          coalesce(begin_date, '2022-01-01'), 'CW01'
        from park_place
        where owner_id = ${who.ownerId}
          and project_code = ${projectCode}
          and delete_tag = 0 ${only ? sql`and false` : sql``}
        union all
        select ${codeOf(sourceType, 'publicArea')}::smallint, code, name, build_code, '2022-01-01', 'CD01'
        from public_area
        where owner_id = ${who.ownerId}
          and project_code = ${projectCode}
          and delete_tag = 0
          and rent_state = 20 ${only ? sql`and false` : sql``}
      )
    insert into fee_relation (
      owner_id, create_by, update_by, project_code, source_type, source_code, source_name, build_code,
      fee_item_id, standard_id, begin_date, billed_to, run_floor, multi, state
    )
    select ${who.ownerId}::bigint, ${who.operatorId}::bigint, ${who.operatorId}::bigint, ${projectCode},
      w.type, w.code, w.name, w.build_code, w.fee_item_id, w.standard_id, w.since,
      w.billed, w.billed, false, 10
    from (
      select w.*, s.fee_item_id, s.id as standard_id,
        greatest(
          (${monthEnds}::date[])[${month}::int / s.k * s.k + 1],
          w.since - 1
        ) as billed
      from whom w
      join s on s.code = w.standard
    ) w
    returning id
  `)
}
