import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { prepareFormula, validateFormula, validateLateRates, validateStandard } from './definition-rules.ts'
import { compatibleScenes, isSceneAllowed, selectableScenes } from './scenes.ts'
import { validatePrice, isSamePrice } from './price-rules.ts'
import { explainAmount } from './amount-explanation.ts'
import { listTrialParameters, findMissingParameters, runTrial } from './trial.ts'

const customFormula = (
  expression: string,
  tests: Record<string, string> = {},
  parameters: string[] = [],
) => ({
  formulaType: 'custom' as const,
  expression,
  parameters: parameters.map(name => ({ name, required: true })),
  tests: Object.entries(tests).map(([name, value]) => ({ name, value })),
})

it('FEE-9 an item fits the places its scene names', () => {
  expect(compatibleScenes('room')).toEqual(['room', 'roomShop', 'roomShopArea'])
  expect(compatibleScenes('area')).toEqual(['roomShopArea', 'area'])
  expect(compatibleScenes('roomShop')).toEqual(['roomShop', 'roomShopArea'])
  expect(selectableScenes('roomShopArea').toSorted()).toEqual([
    'area',
    'room',
    'roomShop',
    'roomShopArea',
    'shop',
  ])
  expect(selectableScenes('car')).toEqual(['car'])
  expect([
    isSceneAllowed('roomShop', 'room'),
    isSceneAllowed('parkPlace', 'room'),
    isSceneAllowed('roomShopArea', 'publicArea'),
    isSceneAllowed('area', 'publicArea'),
    isSceneAllowed('shop', 'merchant'),
    isSceneAllowed('car', 'parkPlace'),
  ]).toEqual([true, false, true, true, true, false])
})

it('FEE-22 a formula is judged with its place, its parameters and its trial', () => {
  expect(validateFormula(customFormula('S×P', { S: '100', 单价: '2' }))).toEqual([])
  expect(validateFormula(customFormula('S＋P'))[0]).toMatchObject({
    key: 'expression',
    place: { at: 1, length: 1, fix: 'S+P' },
  })
  expect(validateFormula(customFormula('单价÷(楼层-1)', { 单价: '1', 楼层: '1' }))[0]).toMatchObject({
    key: 'tests',
    message: expect.stringContaining('试算未通过'),
  })
  expect(defined(validateFormula(customFormula('单价×楼层', { 单价: '1' }))[0]).message).toContain('“楼层”')
  expect(
    defined(validateFormula(customFormula('电梯费', { 电梯费: '1' }, ['电梯费', '电梯费']))[0]).key,
  ).toBe('parameters[1].name')
  expect(defined(validateFormula({ formulaType: 'area', expression: 'S' })[0]).key).toBe('expression')
  expect(validateFormula({ formulaType: 'area' })).toEqual([])
})

it('a price has what its formula asks for, and nothing it does not know', () => {
  const keys = (...x: Parameters<typeof validatePrice>): string[] => validatePrice(...x).map(f => f.key)
  expect(keys({}, { formulaType: 'area' })).toEqual(['price'])
  expect(keys({ price: '2.85', tiers: [{ price: '1' }] }, { formulaType: 'area' })).toEqual(['tiers'])
  expect(keys({}, customFormula('楼层 × 2'))).toEqual([])
  expect(
    keys({ params: [{ name: '其他', value: '1' }] }, customFormula('单价 + 电梯费', {}, ['电梯费'])),
  ).toEqual(['price', 'params', 'params[0].name'])
  expect(
    keys(
      {
        tierBase: 'month',
        tiers: [{ to: '15', price: '2.8' }, { to: '25', price: '4.2' }, { price: '8.4' }],
      },
      { formulaType: 'tiers' },
    ),
  ).toEqual([])
  expect(
    keys(
      {
        tierBase: 'month',
        tiers: [{ to: '25', price: '2.8' }, { to: '15', price: '4.2' }, { price: '8.4' }],
      },
      { formulaType: 'tiers' },
    ),
  ).toEqual(['tiers[1].to'])
  expect(
    keys({ tierBase: 'month', tiers: [{ price: '2.8' }], perHeadAdd: '3' }, { formulaType: 'tiers' }),
  ).toEqual(['headsFrom'])
  expect(keys({ tiers: [{ price: '2.8' }] }, { formulaType: 'tiers' })).toEqual(['tierBase'])
  expect(keys({}, { formulaType: 'share' })).toEqual([])
})

it('a standard fits its item', () => {
  const d = { cycleMonths: 1, dueBase: 'begin', dueDays: 30 } as const
  const of = (feeType: 'cyclic' | 'metered' | 'shared', formulaType: 'area' | 'usage' | 'share') =>
    validateStandard(
      d,
      { feeType, name: '项目' },
      { formulaType, name: '公式' },
      prepareFormula({ formulaType }),
    ).map(f => f.key)
  expect([
    of('cyclic', 'area'),
    of('metered', 'usage'),
    of('shared', 'share'),
    of('cyclic', 'usage'),
    of('shared', 'area'),
    of('cyclic', 'share'),
  ]).toEqual([[], [], [], ['formulaId'], ['formulaId'], ['formulaId']])
  expect(
    validateStandard(
      { ...d, cycleMonths: 5, minAmount: asFen(2), maxAmount: asFen(1) },
      { feeType: 'cyclic', name: '' },
      { formulaType: 'fixed', name: '' },
      prepareFormula({ formulaType: 'fixed' }),
    ).map(f => f.key),
  ).toEqual(['cycleMonths', 'maxAmount'])
  expect(
    (['people', 'cars'] as const).map(quantityKind =>
      validateStandard(
        { ...d, quantityKind },
        { feeType: 'cyclic', name: '' },
        { formulaType: 'quantity', name: '' },
        prepareFormula({ formulaType: 'quantity' }),
      ).map(f => f.message),
    ),
  ).toEqual([[], ['暂不能按车辆数计费，请选“手工”，在收费关联上填写数量']])
  expect(
    validateLateRates([
      { rate: '0.1' },
      { from: '2026-01-01', rate: '0.2' },
      { from: '2026-01-01', rate: '0.3' },
    ]).map(f => f.key),
  ).toEqual(['lateRates[2].from'])
  expect(validateLateRates([{ rate: '0.1' }, { rate: '0.2' }]).map(f => f.key)).toEqual(['lateRates[1].from'])
  expect(
    validateLateRates([
      { from: '2026-01-01', rate: '0.1' },
      { from: '2026-02-01', rate: '0.2' },
    ]),
  ).toEqual([])
})

it('a trial is the bill: T-FEE-05, T-FEE-08, T-FEE-06', () => {
  const area = prepareFormula({ formulaType: 'area' })
  const one = runTrial(area, { 计费面积: '98.65', 单价: '2.85' }, '2026-03-18')
  expect(defined(one.drawn)[0]).toMatchObject({ amount: 28115, begin: '2026-03-01', end: '2026-03-31' })
  expect(explainAmount(defined(defined(one.drawn)[0]).snapshot)).toBe(
    '98.65 ㎡ × 2.85 元/㎡·月 × 1 月 = 281.15 元',
  )
  expect(
    defined(defined(runTrial(area, { 计费面积: '89.43', 单价: '2.50' }, '2026-01-01', 12).drawn)[0]).amount,
  ).toBe(268290)
  const steps = prepareFormula(customFormula('STEP(Q; 15,2.8; 25,4.2; *,8.4)'), { feeType: 'metered' })
  expect(defined(defined(runTrial(steps, { 用量: '32' }, '2026-01-01').drawn)[0]).amount).toBe(14280)
  expect(
    defined(defined(runTrial(steps, { 上期读数: '100', 本期读数: '132' }, '2026-01-01').drawn)[0]).amount,
  ).toBe(14280)
  expect(runTrial(area, { 单价: '2' }, '2026-01-01').skipped).toMatchObject({ reason: 'areaMissing' })
})

it('a trial asks for the variables of the formula; those missing from the standard are listed separately', () => {
  const p = prepareFormula(customFormula('MAX(P, 电梯费) × X × DM', {}, ['电梯费']))
  const labels = new Map([['电梯费', { label: '每户', required: true }]])
  const asks = listTrialParameters(p, undefined, labels)
  expect(asks.map(a => [a.name, a.origin, a.label])).toEqual([
    ['单价', '标准', undefined],
    ['电梯费', '标准', '每户'],
    ['系数', '标准', undefined],
  ])
  expect(
    findMissingParameters(
      p,
      { id: asId(1), from: '2026-01-01', price: '2', params: { 电梯费: '1' } },
      asks,
    ).map(a => a.name),
  ).toEqual(['系数'])
  expect(
    listTrialParameters(prepareFormula({ formulaType: 'quantity' }, { quantityKind: 'household' })).map(
      a => a.name,
    ),
  ).toEqual(['单价'])
  expect(
    listTrialParameters(prepareFormula({ formulaType: 'quantity' }, { quantityKind: 'people' })).map(
      a => a.name,
    ),
  ).toEqual(['户人数', '单价'])
})

it('a trial knows the attributes of an object by their names', () => {
  const attribute = prepareFormula(customFormula('单价×A[露台面积]'))
  expect(listTrialParameters(attribute).map(a => [a.name, a.origin, a.value])).toEqual([
    ['单价', '标准', '2.85'],
    ['A[露台面积]', '对象', '1'],
  ])
  expect(
    defined(defined(runTrial(attribute, { 单价: '2', 'A[露台面积]': '12.5' }, '2026-01-01').drawn)[0]).amount,
  ).toBe(2500)
})

it('a trial by tiers asks for the use of the year and the people where the price depends on them', () => {
  const tiers = prepareFormula({ formulaType: 'tiers' }, { feeType: 'metered' })
  const price = { id: asId(1), from: '2026-01-01', tiers: [{ price: '2' }] } as const
  const names = (version: Parameters<typeof listTrialParameters>[1]) =>
    listTrialParameters(tiers, version).map(a => a.name)
  expect([
    names(price),
    names({ ...price, tierBase: 'year' }),
    names({ ...price, tierBase: 'year', perHeadAdd: '5' }),
    names({ ...price, perHeadAdd: '5' }),
  ]).toEqual([['用量'], ['用量', '已用量'], ['用量', '已用量', '户人数'], ['用量', '户人数']])
})

it('a standard by times lacks its price until it has one', () => {
  const times = prepareFormula({ formulaType: 'times' })
  const lacking = (price?: string) =>
    findMissingParameters(times, { id: asId(1), from: '2026-01-01', price }, listTrialParameters(times)).map(
      a => a.name,
    )
  expect([lacking(), lacking('3')]).toEqual([['单价'], []])
})

it('FEE-6 a price that charges the same is no other price', () => {
  const tiers = [{ to: '15', price: '2.8' }, { price: '4.2' }]
  const one = {
    price: '2.85',
    params: [
      { name: '系数', value: '1.2' },
      { name: '电梯费', value: '3' },
    ],
  }
  expect([
    isSamePrice(one, { price: '2.8500', params: one.params.toReversed(), extra: 0, extraProrate: true }),
    isSamePrice(
      { tiers, tierBase: 'month' },
      { tiers: [{ to: '15.0', price: '2.8' }, { price: '4.20' }], tierBase: 'month' },
    ),
  ]).toEqual([true, true])
  expect(
    [
      { price: '2.86' },
      { extra: asFen(100) },
      { params: [] },
      { tiers, tierBase: 'month' as const },
      { perHeadAdd: '1', headsFrom: 4 },
    ].map(overrides => isSamePrice(one, { ...one, ...overrides })),
  ).toEqual(Array.from({ length: 5 }, () => false))
  expect([
    isSamePrice({ extra: asFen(100) }, { extra: asFen(100), extraProrate: true }),
    isSamePrice({ tiers, tierBase: 'month' }, { tiers, tierBase: 'year' }),
  ]).toEqual([false, false])
})
