import { objectOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, it, assert } from 'vitest'
import { sheetSchemaOf } from '#kit/contract/sheet.ts'
import { readSheet, type Cell } from '#kit/contract/sheet-reader.ts'
import { day, money, text } from '#kit/contract/field.ts'
import { WorkbookRefused, defaultLimits, readWorkbook, type ReadOptions } from './workbook-reader.ts'
import { toRows } from './worksheet.ts'
import { makeXlsxParts, makeZip } from './workbook.fixtures.ts'
import { unpackPart, readZipParts } from './zip-reader.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheet-'))
})

afterAll(() => rm(folder, { recursive: true }))

const readCells = async (
  rows: string,
  about?: Parameters<typeof makeXlsxParts>[1],
): Promise<(readonly Cell[])[]> => {
  const sheet = await readWorkbook(
    makeZip(
      makeXlsxParts(
        `<row r="1"><c r="A1" t="inlineStr"><is><t>甲</t></is></c><c r="B1" t="inlineStr"><is><t>乙</t></is></c></row>${rows}`,
        about,
      ),
    ),
  )
  return sheet.lines.map(l => l.cells)
}

it('reads what another writer wrote, from a path', async () => {
  const rows = [
    ['房号', '面积', '交付日期', '自住'],
    ['1栋-101', 88.5, new Date('2026-02-28T00:00:00Z'), true],
    ['&<>"\'', -0.01, null, false],
    [' 两端 \n换行', 1e-7, null, null],
  ]
  const file = join(folder, '房产.结果')
  await writeFile(
    file,
    await writeXlsx({
      sheets: [
        { name: '房产', rows },
        { name: '说明', rows: [['x']] },
      ],
    }),
  )
  const sheet = await readWorkbook(file)
  expect(sheet).toMatchObject({
    file: 'xlsx',
    sheetName: '房产',
    sheetNames: ['房产', '说明'],
    headingLine: 1,
    heading: rows[0],
    linesAbove: [],
    merged: [],
  })
  expect(sheet.lines).toEqual([
    { line: 2, cells: ['1栋-101', 88.5, '2026-02-28', true] },
    { line: 3, cells: ['&<>"\'', -0.01, null, false] },
    { line: 4, cells: [' 两端 \n换行', 1e-7, null, null] },
  ])
  expect((await readWorkbook(file, { sheet: '说明' })).heading).toEqual(['x'])
})

it('gives codes, phones and numbers as people see them', async () => {
  const [line] = await readCells(
    '<row r="2"><c r="A2"><v>1.3812345678E10</v></c><c r="B2"><v>0.30000000000000004</v></c><c r="C2" s="1"><v>123</v></c><c r="D2" s="2"><v>7.0000000000000007E-2</v></c><c r="E2"><v>4.4010619900101101E17</v></c><c r="F2" s="3"><v>1234.5</v></c></row>',
    { formats: ['00000', '0%', '[>=1000]#,##0.00;[Red]-0.00'] },
  )
  expect(line).toEqual([13812345678, 0.3, '00123', '7%', 440106199001011000, 1234.5])
})

it('gives days, months, moments and times by their format', async () => {
  const formats = [
    'yyyy\\-mm\\-dd',
    'yyyy"年"m"月"',
    'yyyy/m/d\\ h:mm;@',
    '[$-804]上午/下午h"时"mm"分"',
    '[h]:mm',
    '0.00"月"',
    '[DBNum1][$-804]m"月"d"日"',
  ]
  const row = (n: number, ...values: (number | string)[]): string =>
    `<row r="${n}">${values.map((v, i) => `<c s="${i + 1}"><v>${v}</v></c>`).join('')}</row>`
  const lines = await readCells(
    row(2, 46081, 46054, 46081.5, 0.75, 1.5, 3, 46081) + row(3, 60, 46054, 46081, 46081.999999, 25, 2.5, 0),
    { formats },
  )
  expect(lines[0]).toEqual([
    '2026-02-28',
    '2026-02',
    '2026-02-28 12:00:00',
    '18:00:00',
    '36:00:00',
    3,
    '2026-02-28',
  ])
  expect(lines[1]).toEqual([
    '1900-02-29',
    '2026-02',
    '2026-02-28 00:00:00',
    '2026-03-01 00:00:00',
    '600:00:00',
    2.5,
    '1900-01-00',
  ])
  expect(defined((await readCells(row(2, 44619), { formats, bookAttributes: ' date1904="1"' }))[0])[0]).toBe(
    '2026-02-28',
  )
  expect(
    (
      await readCells(
        '<row r="2"><c t="d"><v>2026-02-28T00:00:00</v></c><c t="d"><v>2026-02-28T09:30:00Z</v></c></row>',
      )
    )[0],
  ).toEqual(['2026-02-28', '2026-02-28 09:30:00'])
})

it('tells formulas, errors and merged cells (IMP-5)', async () => {
  const file = makeZip(
    makeXlsxParts(
      '<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row r="2"><c r="A2"><f>B2*2</f><v>4</v></c><c r="B2" t="e"><v>#N/A</v></c></row><row r="3"><c r="A3" t="str"><f t="shared" si="0"/><v>a&amp;b</v></c><c r="B3"><v>1</v></c></row><row r="4"><c r="A4" t="s"><v>0</v></c></row>',
      {
        strings:
          '<si><t>甲</t></si><si><r><t>乙</t></r><rPh sb="0" eb="1"><t>yǐ</t></rPh><r><t xml:space="preserve"> _x4E01_</t></r></si>',
        after: '<mergeCells><mergeCell ref="A4:B5"/></mergeCells>',
      },
    ),
  )
  const sheet = await readWorkbook(file)
  expect(sheet.heading).toEqual(['甲', '乙 丁'])
  expect(sheet.merged).toEqual([{ line: 4, column: 0, range: 'A4:B5' }])
  expect(sheet.lines.map(l => l.cells)).toEqual([
    [
      { problem: 'formula', text: '4' },
      { problem: 'error', text: '#N/A' },
    ],
    [{ problem: 'formula', text: 'a&b' }, 1],
    [
      { problem: 'merged', text: '甲' },
      { problem: 'merged', text: '' },
    ],
  ])
})

it('steps over blank lines and columns, titles and prefixes, and keeps line numbers', async () => {
  const styled = '<x:c r="ZZ9" s="1"/>'
  const parts = makeXlsxParts('', {
    formats: ['@'],
    extraEntries: [
      {
        name: 'XL\\worksheets\\Sheet1.xml',
        data: `\ufeff<!-- > --><x:worksheet><x:sheetData><x:row r='1'><x:c r='A1' t='inlineStr'><x:is><x:t><![CDATA[<房产>]]></x:t></x:is></x:c></x:row><x:row r="3"><x:c r="B3" t="inlineStr"><x:is><x:t>面积</x:t></x:is></x:c><x:c r="A3" t="inlineStr"><x:is><x:t>房号</x:t></x:is></x:c></x:row><x:row r="4">${styled}</x:row><x:row r="7"><x:c r="B7"><x:v>5</x:v></x:c><x:c r="D7" t="inlineStr"><x:is><x:t>  </x:t></x:is></x:c></x:row><x:row r="1048576">${styled}</x:row></x:sheetData></x:worksheet>`,
      },
    ],
  })
  const sheet = await readWorkbook(makeZip(parts.filter(p => p.name !== 'xl/worksheets/sheet1.xml')))
  expect(sheet).toMatchObject({
    linesAbove: [{ line: 1, cells: ['<房产>', null] }],
    headingLine: 3,
    heading: ['房号', '面积'],
    lines: [{ line: 7, cells: [null, 5] }],
  })
  expect(toRows(sheet)).toEqual([['<房产>', null], [], ['房号', '面积'], [], [], [], [null, 5]])
})

it('feeds the import of the contract', async () => {
  const rooms = sheetSchemaOf(
    '房间',
    { fields: { roomNo: text('房号', { required: true }), price: money('单价'), since: day('交付日期') } },
    { unique: [] },
  )
  const sheet = await readWorkbook(
    await writeXlsx({
      sheets: [
        {
          name: 'a',
          rows: [
            ['*房号', '单价', '交付日期'],
            ['１０１', 12.5, 46081],
            ['102', '１２．３４', '2026年2月30日'],
          ],
        },
      ],
    }),
  )
  const { lines } = readSheet(rooms, toRows(sheet))
  expect(lines[0]).toMatchObject({
    line: 2,
    row: { roomNo: '101', price: 1250, since: '2026-02-28' },
    faults: [],
  })
  expect(defined(lines[1]).faults.map(f => [f.line, f.column, f.value])).toEqual([
    [3, '交付日期', '2026年2月30日'],
  ])
})

const readRefusal = async (file: Uint8Array | string, options?: ReadOptions): Promise<[string, string]> => {
  const e = await readWorkbook(file, options).then(
    () => {
      throw new Error('was read')
    },
    (x: unknown) => x,
  )
  assert(e instanceof WorkbookRefused)
  return [e.reason, e.message]
}

const makeRows = (n: number): string =>
  Array.from({ length: n }, (_, i) => `<row><c><v>${i}</v></c><c><v>1</v></c></row>`).join('')

it('refuses what is too much, with the exact numbers (IMP-2)', async () => {
  expect(await readRefusal(Buffer.alloc(12_900_000))).toEqual([
    'too-large',
    '文件 12.4 MB，最大 10 MB。请拆成几个文件，或删除图片后再上传',
  ])
  expect(await readRefusal(makeZip(makeXlsxParts(makeRows(20_155))))).toEqual([
    'too-many-lines',
    '共 20,154 行数据，一次最多 20,000 行。请拆成 2 个文件分次导入',
  ])
  const wide = await readRefusal(
    makeZip(makeXlsxParts('<row r="1"><c r="A1"><v>1</v></c><c r="GZ1"><v>1</v></c></row>')),
  )
  expect(wide).toEqual(['too-many-columns', '共 208 列（第 1 行写到了 GZ 列），最多 200 列。请删除多余的列'])
  expect((await readWorkbook(makeZip(makeXlsxParts(makeRows(20_001))))).lines.length).toBe(20_000)
})

it('refuses bombs by what their directory says, and those with a false directory by what comes out', async () => {
  const zeros = Buffer.alloc(60 * 1024 * 1024)
  const parts = (claims: number, data = zeros): Buffer =>
    makeZip(makeXlsxParts('', { extraEntries: [{ name: 'xl/worksheets/sheet1.xml', data, claims }] }))
  expect((await readRefusal(parts(400 * 1024 * 1024)))[1]).toContain('文件解压后有 400.1 MB，最多 300 MB')
  expect((await readRefusal(parts(zeros.length)))[1]).toMatch(/文件解压后是原来的 1,\d{3} 倍，最多 200 倍/)
  expect((await readRefusal(parts(1000)))[0]).toBe('damaged')
  expect(
    (await readRefusal(makeZip(Array.from({ length: 2001 }, (_, i) => ({ name: `a${i}`, data: '' })))))[1],
  ).toContain('文件内部有 2,001 个部件，最多 2,000 个')
})

it('stops unpacking where it ends by the directory, and finds a changed byte', async () => {
  const file = makeZip([
    { name: 'a', data: Buffer.alloc(60 * 1024 * 1024), claims: 1000 },
    { name: 'b', data: 'room 101', stored: true },
  ])
  const parts = readZipParts(file, defaultLimits)
  let taken = 0
  const take = async (name: string): Promise<void> => {
    for await (const chunk of unpackPart(file, defined(parts.get(name)))) {
      taken += chunk.length
    }
  }
  await expect(take('a')).rejects.toThrow('损坏')
  expect(taken).toBe(0)
  await take('b')
  expect(taken).toBe(8)
  file.write('room 102', file.indexOf('room 101'))
  await expect(take('b')).rejects.toThrow('损坏')
})

it('stops a reader that takes too much memory or time, and stays alive', async () => {
  const many = Array.from(
    { length: 120_000 },
    (_, i) => `<si><t>${i.toString(36).padEnd(300, String(Math.imul(i, 2654435761)))}</t></si>`,
  ).join('')
  const file = makeZip(makeXlsxParts(makeRows(2), { strings: many }))
  expect((await readRefusal(file, { limits: { memory: 16 } }))[0]).toBe('too-big-inside')
  expect(await readRefusal(file, { limits: { milliseconds: 1 } })).toEqual([
    'too-slow',
    expect.stringContaining('已停止'),
  ])
  expect((await readWorkbook(file)).lines.length).toBe(1)
})

it('reads two at a time, lets some wait and sends the rest away', async () => {
  const file = Buffer.from('a,b\n1,2')
  const all = await Promise.allSettled(Array.from({ length: 54 }, () => readWorkbook(file)))
  expect(all.flatMap((r, i) => (r.status === 'rejected' ? [[i, objectOf(r.reason).reason]] : []))).toEqual([
    [52, 'busy'],
    [53, 'busy'],
  ])
  expect((await readWorkbook(file)).lines).toHaveLength(1)
})

it('refuses a damaged, empty or foreign file with a message', async () => {
  const good = Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: '房产',
          rows: [
            ['a', 'b'],
            [1, 2],
          ],
        },
      ],
    }),
  )
  const torn = Buffer.from(good)
  for (let i = 60; i < 400; i++) {
    torn[i] = defined(torn[i]) ^ 0x55
  }
  expect((await readRefusal(good.subarray(0, good.length - 100)))[0]).toBe('damaged')
  expect((await readRefusal(good.subarray(0, 50)))[0]).toBe('damaged')
  expect((await readRefusal(torn))[0]).toBe('damaged')
  expect((await readRefusal(makeZip(makeXlsxParts('<row r="1"><c r="1"><v>5</v></c></row>'))))[0]).toBe(
    'damaged',
  )
  expect(
    (
      await readRefusal(
        makeZip(
          makeXlsxParts('', {
            extraEntries: [
              { name: 'xl/worksheets/sheet1.xml', data: `<worksheet><a b="${'x'.repeat(3_000_000)}` },
            ],
          }),
        ),
      )
    )[0],
  ).toBe('damaged')
  expect((await readRefusal(makeZip(makeXlsxParts('<row r="1"><c r="A1" s="0"/></row>'))))[0]).toBe('empty')
  expect((await readRefusal(Buffer.alloc(0)))[0]).toBe('empty')
  expect(await readRefusal(good, { sheet: '车位' })).toEqual([
    'no-such-sheet',
    '文件中没有名为「车位」的工作表，现有：「房产」',
  ])
  expect((await readRefusal(makeZip([{ name: 'word/document.xml', data: '' }])))[1]).toContain('Word 文档')
  expect((await readRefusal(Buffer.from('%PDF-1.7')))[0]).toBe('not-a-workbook')
  expect((await readRefusal(Buffer.from('<html><table>')))[1]).toContain('网页格式')
  expect((await readRefusal(Buffer.from([1, 2, 3, 0, 0, 9])))[0]).toBe('not-a-workbook')
  expect(
    await readRefusal(
      Buffer.from(
        await writeXlsx({
          sheets: [{ name: 'a', rows: [['a']] }],
          encryption: { password: 'p', spinCount: 10 },
        }),
      ),
    ),
  ).toEqual(['encrypted', expect.stringContaining('去掉密码')])
})
