import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf, faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  addFormula,
  deleteFormulas,
  editFormula,
  listFormulaTypes,
  listFormulas,
} from '../contract/formula.ts'
import {
  addItem,
  deleteItems,
  editItem,
  listItemsByScene,
  listItems,
  getItem,
  setItemState,
  type FeeItem,
} from '../contract/item.ts'
import {
  addStandard,
  changePrice,
  copyStandards,
  deleteStandards,
  deleteVersion,
  editStandard,
  listStandards,
  listVersions,
  getStandard,
  listStandardsByScene,
  listStandardsOfSource,
  setStandardState,
} from '../contract/standard-calls.ts'
import {
  calculateStandardFee,
  listStandardParameters,
  listTestParameters,
  testStandard,
} from '../contract/trial.ts'

type FormulaInput = NonNullable<typeof addFormula.input.T>

let t: GoldenApp
let me: CallOptions
let n = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const createItem = (overrides: object = {}) => {
  n++
  return t.call(
    addItem,
    {
      code: `T${n}`,
      name: `测试项目${n}`,
      feeType: 'cyclic',
      category: 'property',
      incomeKind: 'own',
      inRate: true,
      billMode: 'auto',
      scene: 'roomShop',
      allowMulti: false,
      allowOnline: true,
      autoDeduct: true,
      principalSettles: false,
      lateFeeSwitch: false,
      ...overrides,
    },
    me,
  )
}

const findFormulaId = async (name: string): Promise<Id> =>
  defined((await t.call(listFormulas, { keyword: name, size: 50 }, me)).rows.find(f => f.name === name)).id

const baseStandard = {
  projectCode: 'GOLD0001',
  cycleType: 'natural',
  cycleMonths: 1,
  alignYear: true,
  chargeMode: 'ahead',
  startRule: 'fixedDate',
  prorateMode: 'actual',
  advanceDays: 0,
  delayDays: 0,
  dueBase: 'begin',
  dueDays: 30,
  dueSkipHoliday: false,
  roundType: 'halfUp',
  roundUnit: 'fen',
  tiersStretch: true,
} as const

const createStandard = async (overrides: object = {}) => {
  n++
  return t.call(
    addStandard,
    {
      ...baseStandard,
      code: `S${n}`,
      name: `测试标准${n}`,
      feeItemId: (await createItem()).id,
      formulaId: await findFormulaId('面积×单价'),
      areaKind: 'build',
      price: '2.85',
      effectiveDate: '2025-01-01',
      ...overrides,
    },
    me,
  )
}

it('old and new path families are names of one call', () => {
  expect(listItems.aliases).toEqual(['finance/v1/FeeItem/Get', 'PropertyFeeitem/Get'])
  expect(addStandard.aliases).toContain('PropertyFeestandard/post')
  expect(testStandard.aliases).toContain('POST finance/v1/FeeStandard/ExecuteTest')
})

it('FEE-1, FEE-9 items by type and scene', async () => {
  const room = await createItem({ scene: 'room' })
  const shop = await createItem({ scene: 'shop' })
  const both = await createItem({ scene: 'roomShop' })
  const all = await createItem({ scene: 'roomShopArea' })
  const area = await createItem({ scene: 'area' })
  const place = await createItem({ scene: 'parkPlace' })
  const ownItemIds = new Set([room, shop, both, all, area, place].map(i => i.id))
  const of = async (scene: FeeItem['scene']) =>
    (await t.call(listItemsByScene, { scene }, me)).filter(i => ownItemIds.has(i.id)).map(i => i.id)
  expect(await of('room')).toEqual([room, both, all].map(i => i.id))
  expect(await of('shop')).toEqual([shop, both, all].map(i => i.id))
  expect(await of('area')).toEqual([all, area].map(i => i.id))
  expect(await of('parkPlace')).toEqual([place.id])
  // Pickers that show places of several kinds (scenes 2 and 3) offer what fits any of them.
  expect(await of('roomShop')).toEqual([room, shop, both, all].map(i => i.id))
  expect(await of('roomShopArea')).toEqual([room, shop, both, all, area].map(i => i.id))
  expect(
    new Set(
      (await t.call(listStandards, { sourceType: 'publicArea', size: 100 }, me)).rows.map(s => s.feeItemName),
    ),
  ).toEqual(new Set(['公区场地费']))
  expect((await refusalOf(createItem({ code: place.code }))).message).toBe('已有此编码的收费项目')
  expect(await faultTextsOf(createItem({ lateRates: [{ rate: '0.0005' }, { rate: '0.001' }] }))).toEqual({
    'LateRates[1].From': '未填起始日的日费率只能有一条',
  })
})

it('FEE-5 what is used is not deleted; what is off takes nothing new and says what goes on', async () => {
  const i = await createItem()
  const s = await createStandard({ feeItemId: i.id })
  expect((await t.call(getItem, { id: i.id }, me)).standards).toBe(1)
  expect((await refusalOf(t.call(deleteItems, { ids: [String(i.id)], reason: '录错了' }, me))).message).toBe(
    `收费项目「${i.name}」不能删除：还有收费标准 1 个，请先处理`,
  )
  registerDependents('feeStandard', async (_tx, _scope, [x]) => [
    { label: '账单', count: x.id === s.id ? 3 : 0 },
  ])
  expect(
    (await refusalOf(t.call(deleteStandards, { ids: [String(s.id)], reason: '录错了' }, me))).message,
  ).toContain('账单 3 个')
  expect(await t.call(setItemState, { ids: [String(i.id)], state: 'off' }, me)).toEqual({
    changed: 1,
    relations: 0,
    message: '已停用 1 个',
  })
  expect((await faultTextsOf(createStandard({ feeItemId: i.id }))).FeeItemID).toBe(
    `收费项目「${i.name}」已停用，请先启用或更换`,
  )
  const used = defined((await t.call(listStandards, { keyword: 'WY01' }, me)).rows[0])
  expect(used.relations).toBe(12)
  const off = await t.call(setStandardState, { ids: [String(used.id)], state: 'off' }, me)
  expect(off).toMatchObject({ changed: 1, relations: 12 })
  expect(off.message).toBe('已停用 1 个；还有 12 个收费关联在用，会按原标准收到各自的止收日期')
  expect((await t.call(listStandardsByScene, { scene: 'room' }, me)).some(x => x.id === used.id)).toBe(false)
  await t.call(setStandardState, { ids: [String(used.id)], state: 'on' }, me)
  expect((await t.call(listStandardsByScene, { scene: 'room' }, me)).some(x => x.id === used.id)).toBe(true)
  await t.call(setItemState, { ids: [String(i.id)], state: 'on' }, me)
})

it('FEE-6 a standard whose amounts stand elsewhere has no price to change', async () => {
  const s = await createStandard({
    formulaId: await findFormulaId('动态金额'),
    areaKind: undefined,
    price: undefined,
  })
  expect(
    (
      await refusalOf(
        t.call(changePrice, { standardId: s.id, effectiveDate: '2027-03-01', reason: '调价' }, me),
      )
    ).message,
  ).toContain('没有单价可调')
})

it('FEE-6 a price change is a new version; the old one ends the day before', async () => {
  const s = await createStandard()
  const versions = async () =>
    (await t.call(listVersions, { standardId: s.id }, me)).map(v => [v.effectiveDate, v.endDate, v.price])
  expect(await versions()).toEqual([['2025-01-01', undefined, '2.85']])
  // Nothing put in but a day: periods would be cut in two for nothing.
  expect(
    await faultTextsOf(
      t.call(changePrice, { standardId: s.id, effectiveDate: '2026-11-21', price: '2.850' }, me),
    ),
  ).toEqual({ Price: '与 2025-01-01 起的价格相同，没有要调的' })
  await t.call(
    changePrice,
    { standardId: s.id, effectiveDate: '2027-03-01', price: '3.1', reason: '调价' },
    me,
  )
  await t.call(changePrice, { standardId: s.id, effectiveDate: '2027-01-01', price: '3' }, me)
  expect(await versions()).toEqual([
    ['2027-03-01', undefined, '3.1'],
    ['2027-01-01', '2027-02-28', '3'],
    ['2025-01-01', '2026-12-31', '2.85'],
  ])
  expect(
    await faultTextsOf(
      t.call(changePrice, { standardId: s.id, effectiveDate: '2027-01-01', price: '4' }, me),
    ),
  ).toEqual({ EffectiveDate: '2027-01-01 已有一个价格版本，请更换生效日期' })
  expect((await t.call(getStandard, { id: s.id }, me)).price).toBe('2.85')
  await t.call(
    editStandard,
    {
      ...baseStandard,
      id: s.id,
      version: s.version,
      code: 'XX',
      name: '改名',
      feeItemId: asId(1),
      formulaId: asId(1),
      price: '99',
    },
    me,
  )
  expect(await t.call(getStandard, { id: s.id }, me)).toMatchObject({
    name: '改名',
    code: s.code,
    price: '2.85',
    feeItemId: s.feeItemId,
  })
  const [, middle, first] = await t.call(listVersions, { standardId: s.id }, me)
  expect(
    (await refusalOf(t.call(deleteVersion, { id: defined(first).id, reason: '撤回' }, me))).message,
  ).toContain('已经生效')
  await t.call(deleteVersion, { id: defined(middle).id, reason: '撤回' }, me)
  expect(await versions()).toEqual([
    ['2027-03-01', undefined, '3.1'],
    ['2025-01-01', '2027-02-28', '2.85'],
  ])
  const [last] = await t.call(listVersions, { standardId: s.id }, me)
  registerDependents('feeStandardVersion', async (_tx, _scope, [v]) => [
    { label: '账单', count: v.id === defined(last).id ? 2 : 0 },
  ])
  expect((await refusalOf(t.call(deleteVersion, { id: defined(last).id, reason: '撤回' }, me))).message).toBe(
    '2027-03-01 起的价格不能删除：还有账单 2 个，请先处理',
  )
})

it('FEE-6 two clerks set a price for one day: one wins', async () => {
  const s = await createStandard()
  const results = await Promise.allSettled(
    ['3', '3.2'].map(price =>
      t.call(changePrice, { standardId: s.id, effectiveDate: '2027-01-01', price }, me),
    ),
  )
  expect(results.map(x => x.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await t.call(listVersions, { standardId: s.id }, me)).length).toBe(2)
})

it('a standard that does not fit its item or formula is refused at the field', async () => {
  expect(await faultTextsOf(createStandard({ cycleMonths: 5 }))).toEqual({
    CycleMonths: '周期月数只能是 1、2、3、4、6 或 12',
  })
  expect(await faultTextsOf(createStandard({ minAmount: 500, maxAmount: 100 }))).toEqual({
    MaxAmount: '最高不能低于最低',
  })
  expect(await faultTextsOf(createStandard({ dueBase: 'fixed', dueDays: 40 }))).toEqual({
    DueDays: '每月固定日时，请填 1 到 31',
  })
  expect(await faultTextsOf(createStandard({ price: undefined }))).toEqual({ Price: '单价不能为空' })
  expect(
    Object.keys(await faultTextsOf(createStandard({ formulaId: await findFormulaId('数量×单价') }))),
  ).toEqual(['QtyKind'])
  expect(
    (await faultTextsOf(createStandard({ formulaId: await findFormulaId('仪表用量×单价') }))).FormulaID,
  ).toContain('不是抄表类')
  expect(
    (await faultTextsOf(createStandard({ formulaId: await findFormulaId('公摊'), price: undefined })))
      .FormulaID,
  ).toContain('不是公摊类')
  const meter = (await createItem({ feeType: 'metered' })).id
  const tiers = await findFormulaId('仪表阶梯')
  expect(
    await faultTextsOf(
      createStandard({
        feeItemId: meter,
        formulaId: tiers,
        price: undefined,
        tiers: [
          { to: '216', price: '2.8' },
          { to: '200', price: '4.2' },
          { to: '300', price: '8.4' },
        ],
      }),
    ),
  ).toEqual({
    TierBase: '请选择阶梯按月还是按年',
    'TierJson[1].To': '各档的“至”要从小到大',
    'TierJson[2].To': '最后一档不填“至”，表示以上全部',
  })
  expect(
    (
      await createStandard({
        feeItemId: meter,
        formulaId: tiers,
        price: undefined,
        tierBase: 'year',
        tiers: [{ to: '216', price: '2.8' }, { price: '4.2' }],
      })
    ).formulaType,
  ).toBe('tiers')
  expect((await refusalOf(createStandard({ code: 'WY01' }))).message).toBe('该项目已有此编码的收费标准')
})

it('copies standards to another project by code, and leaves what is there', async () => {
  const s = await createStandard()
  const ids = [String(s.id)]
  await t.call(changePrice, { standardId: s.id, effectiveDate: '2027-01-01', price: '3' }, me)
  expect(await t.call(copyStandards, { ids, projects: ['GOLD0002', 'GOLD0001'] }, me)).toMatchObject({
    success: 1,
    skipped: 1,
    rows: [{ reason: `「${s.name}」就在项目 GOLD0001` }],
  })
  const [copy] = (await t.call(listStandards, { projectCode: 'GOLD0002', keyword: s.code }, me)).rows
  expect(copy).toMatchObject({ code: s.code, name: s.name, price: '2.85' })
  expect(
    (await t.call(listVersions, { standardId: defined(copy).id }, me)).map(v => [v.effectiveDate, v.price]),
  ).toEqual([
    ['2027-01-01', '3'],
    ['2025-01-01', '2.85'],
  ])
  expect(await t.call(copyStandards, { ids, projects: ['GOLD0002'] }, me)).toMatchObject({
    success: 0,
    skipped: 1,
  })
  expect(await faultTextsOf(t.call(copyStandards, { ids, projects: ['NOWHERE1'] }, me))).toEqual({
    ProjectCode: '项目「NOWHERE1」不存在，请重新选择',
  })
})

const createFormula = (expression: string, tests: FormulaInput['tests'] = [], overrides: object = {}) => {
  n++
  return t.call(
    addFormula,
    { name: `测试公式${n}`, formulaType: 'custom', expression, tests, ...overrides },
    me,
  )
}

it('FEE-22 a formula is saved parsed and tried; its variables are listed', async () => {
  const f = await createFormula(
    '建筑面积 × 单价 + 电梯费',
    [
      { name: 'S', value: '100' },
      { name: '单价', value: '2' },
      { name: '电梯费', value: '3' },
    ],
    { parameters: [{ name: '电梯费', label: '每户', required: true }] },
  )
  expect(f).toMatchObject({ variables: ['建筑面积', '单价', '电梯费'], isSystem: false, state: 'on' })
  expect(await faultTextsOf(createFormula('建筑面积 × 单价', [{ name: '建筑面积', value: '100' }]))).toEqual({
    TestJson: '请先填写“单价”的试算值，试算成功后才能保存',
  })
  expect(
    await faultTextsOf(
      createFormula('单价 ÷ (楼层 - 8)', [
        { name: '单价', value: '1' },
        { name: '楼层', value: '8' },
      ]),
    ),
  ).toMatchObject({ TestJson: expect.stringContaining('试算未通过') })
  expect((await refusalOf(createFormula('建筑面积＋单价', []))).data).toEqual([
    {
      Field: 'Expression',
      Message: '第 5 个字符：“＋”是全角符号，请改为半角“+”；改为：建筑面积+单价',
      Place: { at: 4, length: 1, fix: '建筑面积+单价' },
    },
  ])
  expect((await faultTextsOf(createFormula('单价 / 0', []))).Expression).toContain('除数为零')
  expect((await faultTextsOf(createFormula('单价 × 物价', []))).Expression).toContain('没有变量“物价”')
  expect(
    (await faultTextsOf(createFormula('单价', [], { parameters: [{ name: '单价' }] })))['ParamsJson[0].Name'],
  ).toContain('已被占用')
  expect(await faultTextsOf(createFormula('1+'.repeat(250) + '11', []))).toEqual({
    Expression: '表达式最多 500 个字',
  })
  expect(await faultTextsOf(createFormula('1'.repeat(10_000), []))).toEqual({
    Expression: '表达式最多 500 个字',
  })
  expect((await faultTextsOf(createFormula(`${'('.repeat(40)}1${')'.repeat(40)}`, []))).Expression).toContain(
    '层',
  )
  expect(
    (
      await refusalOf(
        t.call(deleteFormulas, { ids: [String(await findFormulaId('公摊'))], reason: '不用了' }, me),
      )
    ).message,
  ).toBe('「公摊」是内置公式，不能删除')
})

it('a used formula keeps its expression', async () => {
  const f = await createFormula('单价 × 2', [{ name: '单价', value: '1' }])
  const edit = (expression: string, remark: string) =>
    t.call(
      editFormula,
      {
        id: f.id,
        version: f.version,
        name: f.name,
        formulaType: 'custom',
        expression,
        tests: [{ name: '单价', value: '1' }],
        remark,
      },
      me,
    )
  await createStandard({ formulaId: f.id })
  expect((await refusalOf(edit('单价 × 3', ''))).message).toContain('已用于 1 个收费标准')
  expect((await edit('单价 × 2', '说明')).remark).toBe('说明')
  expect(
    (await refusalOf(t.call(deleteFormulas, { ids: [String(f.id)], reason: '不用了' }, me))).message,
  ).toContain('收费标准 1 个')
})

it('FEE-22 what a standard needs, and a trial by the evaluator of bills', async () => {
  const names = async (q: object) =>
    (await t.call(listTestParameters, q, me)).map(p => [p.name, p.origin, p.value])
  const area = await createStandard()
  expect(await names({ id: area.id })).toEqual([
    ['建筑面积', '对象', '98.65'],
    ['单价', '标准', '2.85'],
  ])
  expect(
    await t.call(
      testStandard,
      { id: area.id, day: '2025-03-01', values: [{ name: '建筑面积', value: '98.65' }] },
      me,
    ),
  ).toEqual({
    isComputed: true,
    amount: 28115,
    exact: '281.1525',
    sentence: '98.65 ㎡ × 2.85 元/㎡·月 × 1 月 = 281.15 元',
  })
  expect(await t.call(testStandard, { id: area.id, values: [] }, me)).toEqual({
    isComputed: false,
    message: '还缺 “建筑面积”',
    missing: ['建筑面积'],
  })
  const f = await createFormula(
    'MAX(单价, 电梯费) × 系数',
    [
      { name: '单价', value: '1' },
      { name: '电梯费', value: '1' },
      { name: '系数', value: '1' },
    ],
    { parameters: [{ name: '电梯费', label: '每户电梯费', required: true }] },
  )
  expect(
    (await t.call(listStandardParameters, { formulaId: f.id }, me)).map(p => [p.name, p.label, p.required]),
  ).toEqual([
    ['单价', undefined, true],
    ['电梯费', '每户电梯费', true],
    ['系数', undefined, true],
  ])
  expect(await faultTextsOf(createStandard({ formulaId: f.id }))).toEqual({
    ParamJson: '公式的参数“电梯费”不能为空',
  })
  const s = await createStandard({ formulaId: f.id, params: [{ name: '电梯费', value: '12' }] })
  expect((await t.call(listStandardParameters, { id: s.id }, me)).map(p => p.name)).toEqual(['系数'])
  expect(
    (
      await t.call(
        testStandard,
        { expression: 'STEP(Q; 15,2.8; 25,4.2; *,8.4)', values: [{ name: 'Q', value: '32' }] },
        me,
      )
    ).amount,
  ).toBe(14280)
  expect(await t.call(testStandard, { expression: '单价×（1+2）' }, me)).toMatchObject({
    isComputed: false,
    at: 3,
    length: 1,
    fix: '单价×(1+2)',
  })
  expect((await t.call(testStandard, { expression: '1'.repeat(10_000) }, me)).message).toContain('500')
  const tiers = await createStandard({
    feeItemId: (await createItem({ feeType: 'metered' })).id,
    formulaId: await findFormulaId('仪表阶梯'),
    price: undefined,
    usageUnit: '吨',
    tierBase: 'month',
    tiers: [{ to: '15', price: '2.8' }, { to: '25', price: '4.2' }, { price: '8.4' }],
  })
  expect(
    await t.call(testStandard, { id: tiers.id, values: [{ name: '用量', value: '32' }] }, me),
  ).toMatchObject({
    isComputed: true,
    amount: 14280,
    sentence: expect.stringContaining('15 吨 × 2.8 元/吨 + 10 吨 × 4.2 元/吨 + 7 吨 × 8.4 元/吨'),
  })
  expect((await t.call(listFormulaTypes, {}, me)).map(x => x.name).slice(0, 3)).toEqual([
    '面积×单价',
    '固定金额',
    '数量×单价',
  ])
})

it('says what a room costs by a standard, and what it is charged by', async () => {
  const [r] = (await t.call(listRooms, { buildCode: ['B1'], size: 1 }, me)).rows
  const s = defined((await t.call(listStandards, { keyword: 'WY01' }, me)).rows[0])
  const fee = await t.call(calculateStandardFee, { id: s.id, roomId: defined(r).id }, me)
  expect(fee.sentence).toContain(`${defined(r).buildArea} ㎡ × 2.85 元/㎡·月`)
  expect(
    (
      await t.call(listStandardsOfSource, { sourceType: 'room', sourceCode: defined(defined(r).code) }, me)
    ).map(x => x.code),
  ).toEqual(expect.arrayContaining(['WY01', 'LJ01', 'DT01']))
})

it('FEE-7 an item of several standards becomes one of one only when none overlap', async () => {
  const i = await createItem({ allowMulti: true })
  const s = await createStandard({ feeItemId: i.id })
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        insert into fee_relation (
          owner_id, project_code, source_type, source_code, source_name, fee_item_id, standard_id,
          begin_date, multi, state
        )
        select owner_id, project_code, 10, 'X1', 'X1', fee_item_id, id, '2026-01-01', true, 10
        from fee_standard, generate_series(1, 2)
        where id = ${s.id}
      `,
    ),
  )
  const { standards: _, ...whole } = await t.call(getItem, { id: i.id }, me)
  expect(await faultTextsOf(t.call(editItem, { ...whole, allowMulti: false }, me))).toEqual({
    AllowMulti: '「X1」同时绑定了该收费项目的两个标准，请先结束其中一个',
  })
})
