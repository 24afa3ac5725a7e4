import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { entity } from './entity.ts'
import {
  choice,
  choiceTable,
  day,
  decimal,
  flag,
  keyRef,
  list,
  moment,
  money,
  month,
  text,
  lookup,
} from './field.ts'
import { allowMasked, rules } from './rules.ts'
import { remedyFor } from './sheet/line.ts'
import { draftOf } from './shape.ts'
import {
  columnHelp,
  exportColumns,
  formatExportRow,
  formatSheetRow,
  sheetColumns,
  sheetSchemaOf,
} from './sheet.ts'
import {
  matchHeadings,
  readSheet,
  findDuplicateLines,
  resolveReferences,
  referencedNames,
  type Cell,
} from './sheet-reader.ts'

const state = choiceTable('S', '状态', { vacant: [30, '空置', 'open'], lived: [40, '入住', 'done'] })

const room = entity(
  'room',
  '房间',
  { table: 'room', tenancy: 'project', title: 'roomNo' },
  {
    buildCode: keyRef('楼栋', 'building', { required: true, synonyms: ['楼宇'] }),
    buildName: lookup('楼栋', 'buildCode', 'name'),
    roomNo: text('房号', { required: true, max: 20, rule: rules.lettersDigits, synonyms: ['房间号'] }),
    area: decimal('建筑面积', { unit: '㎡', min: 0 }),
    price: money('单价'),
    since: day('交付日期'),
    from: month('起始月'),
    phone: text('手机', { rule: rules.mobile, masked: 'mobile' }),
    state: choice('状态', state, { required: true, initial: 'vacant' }),
    shop: flag('商铺'),
    tags: list('标签'),
    remark: text('备注', { max: 10 }),
  },
)

const sheet = sheetSchemaOf('房间', draftOf(room), { unique: ['buildCode', 'roomNo'] })

const headings = [
  '楼栋',
  '*房号',
  '建筑面积(㎡)',
  '单价',
  '交付日期',
  '起始月',
  '手机',
  '状态',
  '商铺',
  '标签',
  '备注',
]

const readLines = (...lines: Cell[][]): ReturnType<typeof readSheet> => readSheet(sheet, [headings, ...lines])

it('reads every kind of cell as people write it', () => {
  const [l] = readLines([
    '3栋',
    ' １５０２ ',
    '142.360',
    '￥1,262.79',
    46000,
    202602,
    13800138000,
    '入住',
    'Y',
    'A，B',
    'ＡＢ，好',
  ]).lines
  expect(defined(l).faults).toEqual([])
  expect(defined(l).referenceNames).toEqual({ buildCode: '3栋' })
  expect(defined(l).row).toEqual({
    roomNo: '1502',
    area: '142.36',
    price: 126279,
    since: '2025-12-09',
    from: '2026-02',
    phone: '13800138000',
    state: 'lived',
    shop: true,
    tags: ['A', 'B'],
    remark: 'AB，好',
  })
})

it('says what is wrong by line, column, value and remedy, all of it at once', () => {
  const { lines } = readLines(
    [],
    ['3栋', '', '十', '1.234', '2026-02-30', '', '1.38E+10', '没有', '', '', '一二三四五六七八九十一'],
  )
  expect(lines).toHaveLength(1)
  expect(defined(lines[0]).line).toBe(3)
  expect(defined(lines[0]).faults.map(f => [f.column, f.value])).toEqual([
    ['房号', ''],
    ['建筑面积（㎡）', '十'],
    ['单价', '1.234'],
    ['交付日期', '2026-02-30'],
    ['手机', '1.38E+10'],
    ['状态', '没有'],
    ['备注', '一二三四五六七八九十一'],
  ])
  expect(defined(lines[0]).faults.every(f => f.message && f.remedy)).toBe(true)
  expect(defined(lines[0]).faults[5]).toMatchObject({
    message: '状态应为 空置、入住 之一',
    remedy: '填 空置、入住 之一',
  })
})

it('the remedy fits the fault: what is missing, too long, or not as its rule asks', () => {
  const mobile = text('手机号', { max: 20, rule: allowMasked(rules.mobile) })
  expect([
    remedyFor(mobile, ''),
    remedyFor(mobile, '1380013800'),
    remedyFor(mobile, '1'.repeat(21)),
    remedyFor(text('房号', { max: 20 }), '1502\u0007'),
    remedyFor(text('面积', { help: '填写产证面积' }), '？'),
  ]).toEqual(['填写手机号', '按格式填写：11位手机号', '改成不超过 20 个字', '改正后重新填写', '填写产证面积'])
})

it('refuses formulas and merged cells', () => {
  const [l] = readLines(['3栋', { problem: 'formula', text: '1502' }, { problem: 'merged' }]).lines
  expect(defined(l).faults.map(f => f.message)).toEqual(['是公式', '在合并单元格内'])
})

it('finds headings under a title, in any order, by synonyms; warns of unknown and misses required ones', () => {
  const m = matchHeadings(sheet, [['房间导入表'], ['房间号', '车位', '状 态'], ['1502']])
  expect(m.headingIndex).toBe(1)
  expect(m.columns.map(c => [c.key, c.index])).toEqual([
    ['roomNo', 0],
    ['state', 2],
  ])
  expect(m.warnings.map(w => w.column)).toEqual(['车位'])
  expect(m.faults.map(f => f.message)).toEqual(['缺少「楼栋」这一列'])
})

it('does not lose digits of a number', () => {
  const [l] = readSheet(sheet, [
    ['楼栋', '房号', '建筑面积'],
    ['3栋', 1502, 0.1 + 0.2],
  ]).lines
  expect(defined(l).row).toMatchObject({ roomNo: '1502', area: '0.3' })
})

it('settles references by name: one, none, several', () => {
  const m = readLines(['3栋', '1'], ['4栋', '1'], ['5栋', '1'], ['3栋', '2'])
  expect(referencedNames(m.lines, 'buildCode')).toEqual(['3栋', '4栋', '5栋'])
  const known: Record<string, string[]> = { '3栋': ['B3'], '5栋': ['B5', 'B55'] }
  const done = m.lines.map(l => resolveReferences(m, l, (_, name) => known[name] ?? []))
  expect(done.map(l => (l.row as { buildCode?: string }).buildCode)).toEqual([
    'B3',
    undefined,
    undefined,
    'B3',
  ])
  expect(done.flatMap(l => l.faults.map(f => f.message))).toEqual([
    '楼栋「4栋」不存在',
    '名称为「5栋」的楼栋有 2 个',
  ])
})

it('finds lines that repeat a natural key', () => {
  const m = readLines(['3栋', '1a'], ['3栋', '2'], ['3栋', '1A'])
  const done = m.lines.map(l => resolveReferences(m, l, () => ['B3']))
  expect(findDuplicateLines(sheet, done)).toMatchObject([
    { line: 4, column: '楼栋、房号', value: '3栋、1A', message: '与第 2 行重复' },
  ])
})

it('writes what it can read again', () => {
  const row = {
    buildCode: 'B3',
    buildName: '3栋',
    roomNo: '1502',
    area: '142.36',
    price: 126279,
    since: '2026-01-31',
    from: '2026-02',
    phone: '13800138000',
    state: 'lived',
    shop: false,
    tags: ['A', 'B'],
    remark: 'x',
  }
  const columns = sheetColumns(room.fields)
  expect(columns.map(c => c.heading).slice(0, 3)).toEqual(['楼栋', '房号', '建筑面积（㎡）'])
  const cells = formatSheetRow(columns, row)
  expect(cells).toEqual([
    '3栋',
    '1502',
    142.36,
    1262.79,
    '2026-01-31',
    '2026-02',
    '13800138000',
    '入住',
    '否',
    'A、B',
    'x',
  ])
  const [l] = readSheet(sheet, [columns.map(c => c.heading), cells]).lines
  const { buildCode: _b, buildName: _n, ...rest } = row
  expect(defined(l).row).toEqual(rest)
  expect(formatSheetRow(columns, row, { mask: true })[6]).toBe('138 **** 8000')
})

it('helps to fill a column', () => {
  expect(sheet.columns.map(columnHelp).every(h => h.length > 2)).toBe(true)
  expect(sheet.columns.find(c => c.key === 'state')).toMatchObject({
    required: false,
    options: ['空置', '入住'],
  })
})

it('exports days and shares as numbers that Excel shows as such, areas with two decimals', () => {
  const fields = {
    area: decimal('建筑面积', { unit: '㎡' }),
    since: day('交付日期'),
    at: moment('收款时间'),
    rate: decimal('入住率', { scale: 2, unit: '%' }),
    price: money('单价'),
  }
  const columns = exportColumns(sheetColumns(fields))
  expect(columns.map(c => [c.heading, c.format, c.required])).toEqual([
    ['建筑面积（㎡）', '#,##0.00', false],
    ['交付日期', 'yyyy-mm-dd', false],
    ['收款时间', 'yyyy-mm-dd hh:mm', false],
    ['入住率', '0.00%', false],
    ['单价', '#,##0.00', false],
  ])
  const row = { area: '88.5', since: '2026-01-05', at: '2026-01-05 12:00:00', rate: '87.35', price: 126279 }
  expect(formatExportRow(columns, row)).toEqual([88.5, 46027, 46027.5, 0.8735, 1262.79])
  expect(formatExportRow(columns, { rate: '0' })).toEqual([undefined, undefined, undefined, 0, undefined])
})

it('leaves out the totals that an exported sheet ends with', () => {
  const line = ['3栋', '1502', 88.5, 1, '', '', '', '', '', '', '']
  expect(readLines(line, ['', '合计', 88.5]).lines).toHaveLength(1)
  // A record of that name in the middle stays a record.
  expect(readLines(['合计', '1', 1], line).lines).toHaveLength(2)
})
