import { defined } from '#kit/domain/defined.ts'
import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { expect, it, vi } from 'vitest'
import fc from 'fast-check'
import * as field from '#kit/contract/field.ts'
import { sheetSchemaOf, formatSheetRow } from '#kit/contract/sheet.ts'
import { readSheet } from '#kit/contract/sheet-reader.ts'
import type { OutputColumn, Row, RowBatches } from './column.ts'
import { writeCsv } from './csv-writer.ts'
import { defaultLimits, readWorkbook } from './workbook-reader.ts'
import { resultHeading, writeResult } from './result-writer.ts'
import { toRows } from './worksheet.ts'
import { writeSheets, writeWorkbook, type SheetToWrite } from './workbook-writer.ts'
import { makeXlsxParts, makeZip } from './workbook.fixtures.ts'
import { unpackPart, readZipParts } from './zip-reader.ts'

const collectBytes = async (write: (out: Writable) => Promise<unknown>): Promise<Buffer> => {
  const out = new PassThrough()
  const [file] = await Promise.all([buffer(out), write(out)])
  return file
}

const textColumn = (heading: string): OutputColumn => ({ heading, format: '@' })

const columns: OutputColumn[] = [
  { heading: '房号', required: true, format: '@' },
  { heading: '单价', format: '0.00' },
  { heading: '交付日期', format: '@' },
  { heading: '商铺' },
  { heading: '面积', format: '0.####' },
]

const rows: Row[] = [
  ['1栋-101', 1262.79, '2026-02-28', true, 88.5],
  ['00102', -0.1, null, false, 0],
  ['13812345678', 1e21, '2026-02', undefined, Number.NaN],
  ['=1+1', 3, '@SUM(A1)', '-5', 1 / 3],
]

it('writes what it can read again, and so can another reader', async () => {
  const file = await collectBytes(out =>
    writeWorkbook(columns, [rows.slice(0, 2), [], rows.slice(2)], out, { sheetName: '房间/2026' }),
  )
  const sheet = await readWorkbook(file)
  expect(sheet).toMatchObject({
    sheetName: '房间 2026',
    headingLine: 1,
    heading: ['*房号', '单价', '交付日期', '商铺', '面积'],
  })
  expect(sheet.lines.map(l => l.cells)).toEqual([
    ['1栋-101', 1262.79, '2026-02-28', '是', 88.5],
    ['00102', -0.1, null, '否', 0],
    ['13812345678', 1e21, '2026-02', null, null],
    ['=1+1', 3, '@SUM(A1)', '-5', 0.333333333333333],
  ])
  const other = defined((await readXlsx(file, { readStyles: true })).sheets[0])
  expect(defined(other.rows[4]).slice(0, 3)).toEqual(['=1+1', 3, '@SUM(A1)'])
  expect([...(other.cells?.values() ?? [])].filter(c => c.formula !== undefined)).toEqual([])
  expect(other.freezePane).toEqual({ rows: 1 })
  expect(other.cells?.get('0,0')?.style).toMatchObject({
    numFmt: '@',
    font: { bold: true, color: { rgb: 'C00000' } },
  })
  expect(other.cells?.get('1,1')?.style?.numFmt).toBe('0.00')
})

it('keeps texts that look like escapes of the file format', async () => {
  const odd = [
    '_x0041_',
    '_x005F_x0041_',
    '&amp;',
    '\u0001',
    ' a ',
    'a\nb',
    '#N/A',
    "'x",
    '𠮷😀',
    'x'.repeat(32_767),
  ]
  const sheet = await readWorkbook(
    await collectBytes(out =>
      writeWorkbook([textColumn('甲'), textColumn('乙')], [odd.map(t => ['a', t])], out),
    ),
  )
  expect(sheet.lines.map(l => l.cells[1])).toEqual(odd)
  const long = await readWorkbook(
    await collectBytes(out =>
      writeWorkbook([textColumn('甲'), textColumn('乙')], [[['a', 'x'.repeat(40_000)]]], out),
    ),
  )
  expect(defined(long.lines[0]).cells[1]).toBe('x'.repeat(32_766) + '…')
})

it('brings any text through, xlsx and csv', async () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '_x0041_',
      ' a ',
      '\t',
      'a\r\nb',
      '&<>"\'',
      '𠮷\ud800',
      '\u0001\ufffe',
      '＝1',
      '007',
      '1-12',
      '-1',
      '+86',
      '1e5',
      '"',
      ',',
      '\n',
      '结果',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 300 }), async pairs => {
      // A sheet knows no blank line, no lone surrogate and but one line end; csv takes one tab before a text
      // for its own.
      const one = (s: string) => s.toWellFormed().replace(/\r\n?/g, '\n')
      const lines = pairs.map(([a, b]) => ['x' + a, b])
      const expected = lines.map(l => l.map(one).map(s => s || null))
      const xlsx = await readWorkbook(
        await collectBytes(out => writeWorkbook([textColumn('甲'), textColumn('乙')], [lines], out)),
      )
      expect(xlsx.lines.map(l => l.cells)).toEqual(expected)
      // oxlint-disable-next-line no-control-regex -- csv with them is taken for no text at all
      if (lines.flat().some(s => /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(s))) return
      const csv = await readWorkbook(
        await collectBytes(out => writeCsv([textColumn('甲'), textColumn('乙')], [lines], out)),
      )
      expect(csv.lines.map(l => l.cells)).toEqual(expected)
    }),
    { numRuns: 5 },
  )
})

it('gives templates marks, notes and drop-downs, long ones from a hidden sheet', async () => {
  const long = Array.from({ length: 300 }, (_, i) => `第${i + 1}栋`)
  const asked: OutputColumn[] = [
    { ...textColumn('楼栋'), options: long, suggestsOnly: true, note: '已有的或\n"新"楼栋' },
    { ...textColumn('状态'), options: ['空置', '入住'] },
    { ...textColumn('标签'), options: ['a,b', 'c'] },
    { ...textColumn('备注'), note: '不超过 10 个字' },
  ]
  const file = await collectBytes(out =>
    writeSheets(
      [
        { name: '房间', columns: asked, rows: [] },
        { name: '选项', columns: [textColumn('说明')], rows: [[['按列填写']]] },
      ],
      out,
    ),
  )
  const book = await readXlsx(file)
  expect(book.sheets.map(s => [s.name, s.hidden ?? false])).toEqual([
    ['房间', false],
    ['选项', false],
    ['选项_2', true],
  ])
  expect(defined(book.sheets[0]).dataValidations).toMatchObject([
    {
      type: 'list',
      formula1: "'选项_2'!$A$2:$A$301",
      range: 'A2:A20001',
      inputTitle: '楼栋',
      inputMessage: '已有的或\n"新"楼栋',
    },
    { type: 'list', values: ['空置', '入住'], range: 'B2:B20001' },
    { type: 'list', formula1: "'选项_2'!$B$2:$B$3" },
  ])
  const xml: Buffer[] = []
  for await (const chunk of unpackPart(
    file,
    defined(readZipParts(file, defaultLimits).get('xl/worksheets/sheet1.xml')),
  )) {
    xml.push(chunk)
  }
  const sheetText = Buffer.concat(xml).toString()
  // A new name is asked back, one of a fixed list is refused.
  expect(sheetText.match(/errorStyle="\w+"/g)).toEqual(['errorStyle="warning"'])
  expect(sheetText.match(/<dataValidation type="list" (\S+)/g)).toEqual([
    '<dataValidation type="list" errorStyle="warning"',
    '<dataValidation type="list" allowBlank="1"',
    '<dataValidation type="list" allowBlank="1"',
  ])
  expect(sheetText).toContain(
    '<dataValidation allowBlank="1" showInputMessage="1" promptTitle="备注" prompt="不超过 10 个字" sqref="D2:D20001"/>',
  )
  expect(defined(book.sheets[2]).rows.slice(0, 3)).toEqual([
    ['列表1', '列表2'],
    ['第1栋', 'a,b'],
    ['第2栋', 'c'],
  ])
  expect(await readWorkbook(file)).toMatchObject({
    sheetName: '房间',
    sheetNames: ['房间', '选项', '选项_2'],
    lines: [],
  })
})

it('writes csv that Excel opens without taking texts for anything else (EXP-4)', async () => {
  const file = await collectBytes(out =>
    writeCsv(
      [{ heading: '房号', required: true }, { heading: '=备注' }, { heading: '金额' }],
      [
        [
          ['1-12', '=cmd|1', -5],
          ['007', '+86', 1.5],
          ['13812345678', 'a"b,c', true],
          ['440106199001011234', '一\n二', null],
        ],
      ],
      out,
    ),
  )
  expect(file.toString()).toBe(
    '\ufeff*房号,"\t=备注",金额\r\n"\t1-12","\t=cmd|1",-5\r\n"\t007","\t+86",1.5\r\n13812345678,"a""b,c",是\r\n"\t440106199001011234","一\n二",\r\n',
  )
  expect((await readWorkbook(file)).lines[0]).toEqual({ line: 2, cells: ['1-12', '=cmd|1', '-5'] })
})

it('takes rows no faster than they go out, and closes them when either side breaks off', async () => {
  let made = 0
  let closed = false
  async function* endless(): AsyncGenerator<Row[]> {
    try {
      for (;;) {
        yield Array.from({ length: 100 }, () => [made++, Math.random().toString(36), Math.random()])
      }
    } finally {
      closed = true
    }
  }
  const three = [{ heading: 'a' }, { heading: 'b' }, { heading: 'c' }]
  const slow = new PassThrough()
  const writing = writeWorkbook(three, endless(), slow)
  await new Promise(r => slow.once('readable', r))
  // What is on its way fills up in its own time; an endless writer that does not wait never comes to rest.
  await vi.waitFor(
    async () => {
      const before = made
      await new Promise(r => setTimeout(r, 200))
      expect(made).toBe(before)
    },
    { timeout: 10_000 },
  )
  slow.destroy()
  await expect(writing).rejects.toThrow()
  expect(closed).toBe(true)

  async function* failing(): AsyncGenerator<Row[]> {
    yield [[1, 'a', 2]]
    throw new Error('连接断开')
  }
  for (const write of [writeWorkbook, writeCsv] as ((
    c: readonly OutputColumn[],
    r: RowBatches,
    o: Writable,
  ) => Promise<unknown>)[]) {
    const out = new PassThrough().resume()
    await expect(write(three, failing(), out)).rejects.toThrow('连接断开')
    expect(out.destroyed).toBe(true)
  }
})

it("takes the contract's columns and lines; an export read again is the same", async () => {
  const fields = {
    roomNo: field.text('房号', { required: true }),
    price: field.money('单价'),
    area: field.decimal('面积', { unit: '㎡' }),
    since: field.day('交付日期'),
    shop: field.flag('商铺'),
  }
  const rooms = sheetSchemaOf<Record<string, unknown>>('房间', { fields })
  const written = [
    { roomNo: '00101', price: -126279, area: '88.5', since: '2026-02-28', shop: true },
    { roomNo: '=1+1', price: 10, shop: false },
  ]
  const lines = written.map(row => formatSheetRow(rooms.columns, row))
  for (const write of [writeWorkbook, writeCsv] as ((
    c: readonly OutputColumn[],
    r: RowBatches,
    o: Writable,
  ) => Promise<unknown>)[]) {
    const read = readSheet(
      rooms,
      toRows(await readWorkbook(await collectBytes(out => write(rooms.columns, [lines], out)))),
    )
    expect(read.faults).toEqual([])
    expect(read.lines.map(l => [l.row, l.faults])).toEqual(written.map(row => [row, []]))
  }
})

it('counts rows and bytes', async () => {
  const out = new PassThrough()
  const file = buffer(out)
  const written = await writeWorkbook(columns, [rows, rows], out)
  expect(written).toEqual({ rows: 8, bytes: (await file).length })
})

it('names sheets so that Excel takes them', async () => {
  const sheets: SheetToWrite[] = ['', 'a'.repeat(40), 'A'.repeat(31), "'[x]:*?/\\'"].map(name => ({
    name,
    columns: [textColumn('x')],
    rows: [],
  }))
  const book = await readXlsx(await collectBytes(out => writeSheets(sheets, out)))
  expect(book.sheets.map(s => s.name)).toEqual(['表1', 'a'.repeat(31), 'A'.repeat(29) + '_2', 'x'])
})

it('gives the uploaded file back with what became of each line (IMP-3)', async () => {
  const cell = (at: string, s: string) => `<c r="${at}" t="inlineStr"><is><t>${s}</t></is></c>`
  const upload = makeZip(
    makeXlsxParts(
      `<row r="1">${cell('A1', '房产导入')}</row><row r="2">${cell('A2', '*房号')}${cell('B2', resultHeading)}${cell('C2', '面积')}</row>` +
        `<row r="3"><c r="A3"><v>1.3812345678E10</v></c>${cell('B3', '旧的')}<c r="C3"><f>1</f><v>5</v></c></row><row r="5"><c r="A5" s="1"><v>46081</v></c><c r="C5" t="e"><v>#N/A</v></c></row>`,
      { formats: ['yyyy-mm-dd'] },
    ),
  )
  const sheet = await readWorkbook(upload)
  const again = await readWorkbook(
    await collectBytes(out => writeResult(sheet, line => (line === 3 ? '成功' : '面积是错误值'), out)),
  )
  expect(again).toMatchObject({ sheetName: '甲', heading: ['*房号', '面积', '结果'] })
  expect(again.lines.map(l => l.cells)).toEqual([
    ['13812345678', '5', '成功'],
    ['2026-02-28', '#N/A', '面积是错误值'],
  ])
  const lower = await readWorkbook(await collectBytes(out => writeResult(sheet, () => '', out, 3)))
  expect(lower.heading.slice(0, 2)).toEqual(['13812345678', '旧的'])
})

it('sets the page: lines above the headings, which are printed on every page, totals last', async () => {
  const file = await collectBytes(out =>
    writeWorkbook(columns, [rows.slice(0, 1)], out, {
      sheetName: '房间',
      head: ['房间', '筛选条件：全部'],
      totals: ['合计', 1262.79],
    }),
  )
  const sheet = await readWorkbook(file)
  expect(sheet.headingLine).toBe(3)
  expect(sheet.lines.map(l => l.cells[0])).toEqual(['1栋-101', '合计'])
  const parts = readZipParts(file, defaultLimits)
  const readPart = async (name: string): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of unpackPart(file, defined(parts.get(name)))) {
      chunks.push(chunk)
    }
    return String(Buffer.concat(chunks))
  }
  const xml = await readPart('xl/worksheets/sheet1.xml')
  expect(xml).toContain('<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>')
  expect(xml).toContain('<c r="A1" s="6" t="inlineStr"><is><t>房间</t>')
  expect(xml).toMatch(/<\/sheetData><mergeCells count="1"><mergeCell ref="A1:\w+1"\/><\/mergeCells>/)
  const styles = await readPart('xl/styles.xml')
  const formats = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles)?.[1]?.match(/<xf .*?(?:\/>|<\/xf>)/g)
  expect(formats?.[6]).toContain('<alignment horizontal="center"')
  expect(formats?.[6]).toContain('fontId="3"')
  expect(styles.match(/<font>.*?<\/font>/g)?.[3]).toContain('<b/>')
  expect(xml).toContain('<pane ySplit="3" topLeftCell="A4"')
  expect(await readPart('xl/workbook.xml')).toContain(">'房间'!$3:$3</definedName>")
  // Another reader takes it as well.
  expect(defined(defined((await readXlsx(file)).sheets[0]).rows[3])[0]).toBe('1栋-101')
})
