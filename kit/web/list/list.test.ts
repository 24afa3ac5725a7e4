import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { entity } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, decimal, flag, keyRef, money, text } from '#kit/contract/field.ts'
import { pageOf, search } from '#kit/contract/shape.ts'
import { formatValue } from '#kit/contract/value.ts'
import type { Column } from '../columns.tsx'
import { basePageSize, pagesAround, pageSizesFor } from '../paginator.tsx'
import { visibleRange, layOutColumns, measureColumns, widestValues } from '../table/column-layout.ts'
import { labelColumnsOf } from '../table/total-row.tsx'
import { measureText } from '../cell-renderers.tsx'
import { isShown, orderColumns } from './column-preferences.ts'
import { keywordWidth } from './filter-bar.tsx'
import {
  addressFields,
  filterFields,
  listLink,
  initialListState,
  readListState,
  writeListState,
} from './list-address.ts'
import { decimalPlacesOf, formatSum, shownTotals, sumRows } from './selection.ts'
import {
  conditionsOfView,
  countOpenViews,
  effectiveState,
  viewParamFor,
  type ListView,
} from './list-views.tsx'

const state = choiceTable('S', '状态', { a: [1, '甲'], b: [2, '乙'] })

const sampleEntity = entity(
  'thing',
  '物',
  { table: 'thing', tenancy: 'project', title: 'name' },
  {
    name: text('名称'),
    buildCode: keyRef('楼栋', 'building'),
    state: choice('状态', state),
    amount: money('金额'),
    area: decimal('面积'),
    since: day('日期'),
    shop: flag('商铺'),
  },
)

const list = call({
  route: 'GET thing/get',
  title: '查询',
  needs: everyone,
  input: search(sampleEntity, ['name', 'buildCode', 'state', 'amount', 'since', 'shop']),
  output: pageOf(sampleEntity, { sums: ['amount', 'area'] }),
})

const fields = filterFields(list)

it('writes a list state into the address and reads it back', () => {
  const q = {
    ...initialListState,
    filter: {
      name: '三号',
      buildCode: ['B1', 'B2'],
      state: ['a'],
      amountFrom: 60000,
      sinceTo: '2026-02-28',
      shop: false,
    },
    keyword: '杨',
    order: '-amount',
    page: 3,
    size: 36,
  }
  const written = writeListState('?keep=1', fields, q)
  expect(written).toContain('keep=1')
  expect(readListState(written, fields)).toEqual({ ...q, view: undefined })
})

it('reads nothing from an address that the screen settles, unless its filters offer it', () => {
  const settled = { filters: ['name'], fixedFilter: { name: '三号', shop: true } }
  expect(readListState('?name=四号&shop=0&state=a', addressFields(list, settled)).filter).toEqual({
    name: '四号',
    state: ['a'],
  })
  expect(Object.keys(addressFields(list, { fixedFilter: { shop: true } }))).toContain('shop')
})

it('leaves out of an address what the server would refuse', () => {
  expect(readListState('?state=a,gone&amountFrom=x&sinceFrom=2026-02-30&page=-1&size=1.5', fields)).toEqual({
    ...initialListState,
    filter: { state: ['a'] },
  })
})

it('an address that names a view and no more means the conditions of that view', () => {
  const all: ListView = { id: '', name: '全部', filter: {} }
  const open: ListView = { id: 'open', name: '待办', filter: { state: ['a'] }, order: '-amount' }
  const stateAt = (query: string, view: ListView) => effectiveState(readListState(query, fields), view)
  expect(stateAt('?view=open', open)).toMatchObject({
    filter: { state: ['a'] },
    order: '-amount',
    keyword: '',
  })
  expect(stateAt('?view=open&page=2', open)).toMatchObject({ filter: { state: ['a'] }, page: 2 })
  expect(stateAt('', open)).toMatchObject({ filter: { state: ['a'] } })
  // Given conditions are the only ones, and conditions of the view that were removed do not come back.
  expect(stateAt('?view=open&state=b', open)).toMatchObject({ filter: { state: ['b'] }, order: undefined })
  expect(stateAt('?view=open&keyword=x', open)).toMatchObject({ filter: {}, keyword: 'x' })
  expect(stateAt('?view=*', open)).toMatchObject({ filter: {}, order: undefined })
  expect([
    viewParamFor({ filter: {}, keyword: '', order: undefined }, open),
    viewParamFor({ filter: { state: [] }, keyword: '', order: undefined }, open),
    viewParamFor({ filter: { state: ['b'] }, keyword: '', order: undefined }, open),
    viewParamFor({ filter: {}, keyword: '', order: undefined }, all),
  ]).toEqual(['*', '*', 'open', undefined])
})

it('another view keeps what was filtered beyond the current one, and counts under it', () => {
  const all: ListView = { id: '', name: '全部', filter: {} }
  const open: ListView = { id: 'open', name: '待办', filter: { state: ['a'] }, order: '-amount' }
  const late: ListView = { id: 'late', name: '逾期', filter: { isLate: true } }
  const ownView: ListView = { id: 'v1', name: '我的', filter: { building: '2' }, own: true }
  const filtered = { ...initialListState, filter: { state: ['a'], building: '3' }, keyword: '杨' }
  expect(conditionsOfView(late, open, filtered)).toEqual({
    filter: { building: '3', isLate: true },
    keyword: '杨',
    order: undefined,
  })
  expect(conditionsOfView(open, all, { ...filtered, filter: { state: ['b'], building: '3' } })).toMatchObject(
    {
      filter: { state: ['a'], building: '3' },
      order: '-amount',
    },
  )
  expect(conditionsOfView(all, open, { ...filtered, keyword: '' })).toEqual({
    filter: { building: '3' },
    order: undefined,
  })
  // A user's own view is what was saved; the current one is chosen again to take all changes back.
  expect(conditionsOfView(ownView, open, filtered)).toBe(ownView)
  expect(conditionsOfView(open, open, filtered)).toBe(open)
})

it('a toolbar shows as many views as it has room for, the chosen one always, never more than five', () => {
  expect([0, 260, 355, 1200].map(width => countOpenViews(width, false))).toEqual([1, 2, 3, 5])
  // What saves a changed view takes the place of one.
  expect(countOpenViews(355, true)).toBe(1)
})

it('links a figure to the rows it counts', () => {
  expect(listLink('/room', list, { state: ['b'] })).toBe('/room?state=b')
  expect(listLink('/room', list, {})).toBe('/room')
})

it('fits page sizes to the window (0§9)', () => {
  expect(basePageSize(900)).toBe(12)
  expect(basePageSize(100)).toBe(1)
  expect(pageSizesFor(12)).toEqual([18, 24, 36, 60, 120])
  expect(pageSizesFor(1)).toEqual([2, 3, 5, 10])
  expect(pageSizesFor(900)).toEqual([1350, 1800, 2000])
})

it('offers pages around the current one', () => {
  expect(pagesAround(1, 179)).toEqual([1, 2, 3, 4, 5, 0, 179])
  expect(pagesAround(90, 179)).toEqual([1, 0, 88, 89, 90, 91, 92, 0, 179])
  expect(pagesAround(179, 179)).toEqual([1, 0, 175, 176, 177, 178, 179])
  expect(pagesAround(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it('sums money in fen and decimals exactly', () => {
  const rows = [{ amount: 1, area: '0.1' }, { amount: 2, area: '0.2' }, {}]
  expect(sumRows(list.output.fields, ['amount', 'area'], rows)).toEqual({ amount: 3, area: '0.3' })
  expect(sumRows(list.output.fields, ['amount', 'name'], rows)).toEqual({ amount: 3 })
  expect(formatSum(list.output.fields.amount, 128463052)).toBe('1,284,630.52')
  expect(formatSum(list.output.fields.area, '1234567.5')).toBe('1,234,567.5')
  expect(formatSum(list.output.fields.amount, 199999999999998)).toBe('1,999,999,999,999.98')
  expect(formatSum(list.output.fields.amount, 2 ** 53)).toBe('')
  expect(
    formatSum(
      list.output.fields.area,
      '341.7',
      decimalPlacesOf(list.output.fields, ['area'], [{ area: '113.90' }, {}]).area,
    ),
  ).toBe('341.70')
})

it('totals have the decimals that their cells show', () => {
  const measured = { area: decimal('面积', { unit: '㎡' }), turns: decimal('次数', { unit: '次', scale: 0 }) }
  const rows = [{ area: '46.8', turns: '3' }, { area: '1121.2' }]
  const places = decimalPlacesOf(measured, ['area', 'turns'], rows)
  const shown = (key: 'area' | 'turns', sum: string): string => formatSum(measured[key], sum, places[key])
  expect(formatValue('46.8', measured.area)).toBe('46.80 ㎡')
  expect([shown('area', '1168'), shown('turns', '3')]).toEqual(['1,168.00', '3'])
})

it('shows no totals under columns of dashes', () => {
  const rows = [{ amount: 0, area: undefined }, { amount: 0 }]
  expect(shownTotals({ amount: 0, area: '0', since: 0 }, ['amount', 'area'], rows)).toEqual({ amount: 0 })
  expect(shownTotals({ area: '12.5' }, ['area'], rows)).toEqual({ area: '12.5' })
})

it('sums the rows that stand', () => {
  const struck = { ...list.output.fields, state: choice('状态', state, { struckOut: ['b'] }) }
  const rows = [
    { amount: 1, state: 'a' },
    { amount: 2, state: 'b' },
  ]
  expect(sumRows(struck, ['amount'], rows)).toEqual({ amount: 1 })
  const counted = { ...struck, amount: money('金额', { countsStruckOut: true }) }
  expect(sumRows(counted, ['amount'], rows)).toEqual({ amount: 3 })
})

type Row = Readonly<Record<string, string>>

const column = (key: string, withWide: Partial<Column<Row>> = {}): Column<Row> => ({
  key,
  title: key,
  field: undefined,
  width: 100,
  grow: 0,
  align: 'left',
  fitContent: false,
  sortKey: undefined,
  render: r => r[key],
  text: r => r[key] ?? '',
  ...withWide,
})

const columns = [
  column('name', { identity: true, grow: 1 }),
  column('a', { hidePriority: 2 }),
  column('b', { hidePriority: 1 }),
  column('c'),
]

const minWidths = measureColumns(columns, new Map(), [], new Map())

it('gives spare width to text columns, and uses all of it', () => {
  const layout = layOutColumns(columns, minWidths, 600, 40, new Set(), false)
  expect(layout.overflows).toBe(false)
  expect(layout.columns.reduce((n, c) => n + c.width, 40)).toBe(600)
  expect(defined(layout.columns[0]).width).toBeGreaterThan(200)
})

it('hides columns by priority on narrow screens, then overflows with the first one fixed', () => {
  expect(layOutColumns(columns, minWidths, 345, 40, new Set(), true).hiddenKeys).toEqual(['b'])
  expect(layOutColumns(columns, minWidths, 260, 40, new Set(), true).hiddenKeys).toEqual(['b', 'a'])
  const layout = layOutColumns(columns, minWidths, 190, 40, new Set(['name']), true)
  expect(layout.overflows).toBe(true)
  expect(layout.columns.map(c => c.left)).toEqual([0, undefined])
})

it('keeps statuses and the figure that matters in sight where the table scrolls sideways', () => {
  const many = [
    column('name', { identity: true }),
    column('a', { hidePriority: 1 }),
    column('b'),
    column('c'),
    column('due', { strong: true, keepInView: true }),
    column('status', { keepInView: true }),
  ]
  const measured = measureColumns(many, new Map(), [], new Map())
  const keysAt = (width: number): string[] =>
    layOutColumns(many, measured, width, 40, new Set(), true).columns.map(c => c.column.key)
  expect(keysAt(540)).toEqual(['name', 'b', 'c', 'due', 'status'])
  expect(keysAt(440)).toEqual(['name', 'due', 'status', 'b', 'c'])
})

it('ends at a column where the table scrolls sideways, so that no figure is cut', () => {
  const many = ['name', 'b', 'c', 'd'].map(key => column(key))
  const measured = measureColumns(many, new Map(), [], new Map())
  const layout = layOutColumns(many, measured, 297, 40, new Set(), true)
  expect(layout.overflows).toBe(true)
  expect(layout.columns.map(c => c.width)).toEqual([129, 128, 100, 100])
  // Only the fixed one is in sight: it does not grow over the others.
  expect(layOutColumns(many, measured, 190, 40, new Set(), true).columns.map(c => c.width)).toEqual([
    100, 100, 100, 100,
  ])
})

it('the label of totals spans what is before the first figure, or the fixed columns of a wide table', () => {
  const placed = (fixed: boolean) =>
    ['name', 'b', 'c'].map((key, i) => ({
      column: column(key),
      width: 100,
      left: fixed && i === 0 ? 0 : undefined,
    }))
  expect(labelColumnsOf({ columns: placed(false), overflows: false }, { c: '1' })).toBe(2)
  expect(labelColumnsOf({ columns: placed(true), overflows: true }, { c: '1' })).toBe(1)
  expect(labelColumnsOf({ columns: placed(true), overflows: true }, { name: '1' })).toBe(0)
  expect(labelColumnsOf({ columns: placed(false), overflows: false }, {})).toBe(3)
})

it('shows wideOnly columns only where the width allows', () => {
  const withWide = [...columns, column('d', { wideOnly: true }), column('e', { wideOnly: true })]
  const measured = measureColumns(withWide, new Map(), [], new Map())
  expect(layOutColumns(withWide, measured, 640, 40, new Set(), false).hiddenKeys).toEqual([])
  expect(layOutColumns(withWide, measured, 560, 40, new Set(), false).hiddenKeys).toEqual(['e'])
  expect(layOutColumns(withWide, measured, 400, 40, new Set(), false).hiddenKeys).toEqual(['e', 'd'])
})

it('shrinks text columns before anything scrolls sideways', () => {
  const layout = layOutColumns(columns, minWidths, 410, 40, new Set(), false)
  expect(layout.overflows).toBe(false)
  expect(layout.columns.map(c => c.width)).toEqual([70, 100, 100, 100])
})

it('never shrinks fitContent columns', () => {
  const twoColumns = [column('name', { grow: 1 }), column('span', { grow: 1, fitContent: true, width: 142 })]
  const layout = layOutColumns(
    twoColumns,
    measureColumns(twoColumns, new Map(), [], new Map()),
    270,
    40,
    new Set(),
    false,
  )
  expect(layout.overflows).toBe(false)
  expect(layout.columns.map(c => c.width)).toEqual([88, 142])
})

it('widens figures to their widest value and never narrows them again', () => {
  const moneyColumns = [column('m', { fitContent: true, width: 50 })]
  const widened = measureColumns(
    moneyColumns,
    widestValues(moneyColumns, [{ m: '1,234,567,890.00' }, { m: '1' }]),
    [],
    new Map(),
  )
  expect(widened.get('m')).toBeGreaterThan(120)
  expect(measureColumns(moneyColumns, widestValues(moneyColumns, [{ m: '1' }]), [], widened).get('m')).toBe(
    widened.get('m'),
  )
})

it('draws only the visible rows above 200', () => {
  expect(visibleRange(200, 44, 0, 600)).toEqual({ from: 0, to: 200, before: 0, after: 0 })
  const range = visibleRange(2000, 44, 44_000, 600)
  expect(range.from).toBeLessThanOrEqual(1000)
  expect(range.to).toBeGreaterThan(1014)
  expect(range.before + range.after + (range.to - range.from) * 44).toBe(2000 * 44)
})

it("keeps a person's order of columns when the screen gets a new one", () => {
  expect(orderColumns(columns, { order: ['c', 'name', 'b'] }).map(c => c.key)).toEqual([
    'c',
    'a',
    'name',
    'b',
  ])
  expect(columns.filter(c => isShown(c, { shown: { name: false, c: false } })).map(c => c.key)).toEqual([
    'name',
    'a',
    'b',
  ])
})

it('the keyword input shows its whole placeholder, and leaves a narrow bar its filters', () => {
  const placeholder = '房号、姓名、手机、车牌、单号'
  const width = keywordWidth(placeholder, 1180)
  expect([
    width >= measureText(placeholder) + 104,
    width <= 344,
    keywordWidth('名称', 1180),
    keywordWidth(placeholder, 700),
  ]).toEqual([true, true, 232, 232])
})
