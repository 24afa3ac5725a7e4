import { defined } from '#kit/domain/defined.ts'
import { makeXlsxParts, makeZip } from '#kit/server/workbook/workbook.fixtures.ts'

/** A cell as a careless hand leaves it: a text, a number, a formula with its value. */
type CellValue = string | number | { readonly formula: string; readonly value: number }

export interface PlantedFault {
  readonly line: number
  readonly column: string
  readonly sort: string
}

const headings = ['楼栋', '单元', '楼层', '房号', '房屋类型', '建筑面积（㎡）', '交付日期', '房态'] as const
type Heading = (typeof headings)[number]

const escapeXml = (s: string): string =>
  s.replace(/[<>&"]/g, c => defined({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }[c]))

const renderCell = (at: string, v: CellValue): string =>
  typeof v === 'number'
    ? `<c r="${at}"><v>${v}</v></c>`
    : typeof v === 'string'
      ? `<c r="${at}" t="inlineStr"><is><t>${escapeXml(v)}</t></is></c>`
      : `<c r="${at}"><f>${v.formula}</f><v>${v.value}</v></c>`

interface SheetLine {
  readonly cells: Record<Heading, CellValue>
}

const buildLine = (building: string, unit: number, floor: number, n: number): SheetLine => ({
  cells: {
    楼栋: building,
    单元: String(unit),
    楼层: floor,
    房号: `${floor}${String(n).padStart(2, '0')}`,
    房屋类型: '住宅',
    '建筑面积（㎡）': 89.5,
    交付日期: '2026-06-30',
    房态: '空置',
  },
})

/** What the planted faults do to a line, and in which column they must be reported. */
const faultKinds: readonly {
  readonly sort: string
  readonly column: Heading
  readonly count: number
  readonly value: CellValue
}[] = [
  { sort: 'wrong type', column: '建筑面积（㎡）', count: 5, value: '九十平' },
  { sort: 'missing', column: '房号', count: 4, value: '' },
  { sort: 'unknown building', column: '楼栋', count: 4, value: '八十八栋' },
  { sort: 'formula', column: '建筑面积（㎡）', count: 4, value: { formula: '80+9.5', value: 89.5 } },
  { sort: 'wrong date', column: '交付日期', count: 5, value: '2026-13-45' },
  { sort: 'unknown choice', column: '房屋类型', count: 4, value: '城堡' },
  { sort: 'floor in words', column: '楼层', count: 4, value: '三楼' },
]

/** Lines in which text numbers and full-width figures stand: not faults, they are read. */
export const toleratedLines = 6

/**
 * 5,000 rooms of one building (10 units × 50 floors × 10), with faults of every sort unless `clean`: the
 * planted ones are reported with line and column; besides, `repeated` lines are twice in the file, `merged`
 * lines share a merged cell.
 */
export function roomsWorkbook(
  building: string,
  clean: boolean,
): { file: Buffer; planted: PlantedFault[]; repeated: number; merged: number; rows: number } {
  const lines: SheetLine[] = []
  for (let u = 1; u <= 10; u++) {
    for (let f = 1; f <= 50; f++) {
      for (let n = 1; n <= 10; n++) {
        lines.push(buildLine(building, u, f, n))
      }
    }
  }
  const planted: PlantedFault[] = []
  let merges = ''
  let at = 300
  const change = (i: number, h: Heading, v: CellValue): void => {
    lines[i] = { cells: { ...defined(lines[i]).cells, [h]: v } }
  }
  for (let i = 0; i < toleratedLines; i++) {
    change(100 + i, '楼层', String(defined(lines[100 + i]).cells.楼层))
    change(100 + i, '单元', '１')
  }
  if (!clean) {
    for (const s of faultKinds) {
      for (let i = 0; i < s.count; i++) {
        change(at, s.column, s.value)
        planted.push({ line: at + 2, column: s.column, sort: s.sort })
        at += 37
      }
    }
    for (const i of [4000, 4001]) {
      planted.push({ line: i + 2, column: '单元', sort: 'merged' })
    }
    merges = '<mergeCells count="1"><mergeCell ref="B4002:B4003"/></mergeCells>'
    for (let i = 0; i < 5; i++) {
      lines.push(defined(lines[20 + i]))
    }
  }
  const rows = [
    `<row r="1">${headings.map((h, c) => renderCell(`${String.fromCharCode(65 + c)}1`, h)).join('')}</row>`,
    ...lines.map((l, i) => {
      const cells = headings.map((h, c) =>
        l.cells[h] === '' ? '' : renderCell(`${String.fromCharCode(65 + c)}${i + 2}`, l.cells[h]),
      )
      return `<row r="${i + 2}">${cells.join('')}</row>`
    }),
  ]
  return {
    file: makeZip(makeXlsxParts(rows.join(''), { after: merges })),
    planted,
    repeated: clean ? 0 : 5,
    merged: clean ? 0 : 2,
    rows: lines.length,
  }
}
