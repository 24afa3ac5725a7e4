import { inflateRawSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { readWorkbook, type WorkbookRefused } from './workbook-reader.ts'
import { recordTypes } from './biff.ts'
import { makeCompoundFile, f64, makeBiffRecord, u16, u32 } from './workbook.fixtures.ts'

const refusalReason = (file: Uint8Array): Promise<string> =>
  readWorkbook(file).then(
    () => 'was read',
    (e: WorkbookRefused) => e.reason,
  )

/**
 * Written once by a common spreadsheet library: a hidden sheet, then one with texts, dates, a padded code, an
 * error, merged cells.
 */
const sample = inflateRawSync(
  Buffer.from(
    '7Zffa1RHFMc/M/fevXc3v3YTa5Ooa9gXIe2SH6tWxE22wQdRuhQXWhTxx5K41x9pJPpgniq2oS8WSqH0pS+FQulT60sLwYf4B0iKvohPsWDpWy0Ivmiuzpm7cRMJRG39UXIuM7vznZnvnJl75pxzf5' +
      '/LzH9/ufs2y2QIh4UoSaIBU4CuN9K2bcpCFEV1OFqTN0oeRlG0EBcX8EDe+UIDvlb+38XcaQdofP8+EABJIAU0Ac1AC9AKtFkXQAZoBzqAdcBbwHrgbaAT6AK6gQ3ARmATkF2zr9em7OfFxMVTdV+i' +
      'VjnH2NqsX48pFUIKFDjHXrY98/rtaFlfx7Fn9Xpb+ZgJJjlFlQkmOPXc69dlNXPMOZ30+dfkWddvlPcGtw++yNrJIA0Jj+rkNT85q0j4cBvNL+5VyRX+AA5xxviTSlgonNtb4aXIiOhwTBkdZhUUlY' +
      'tC8x2aDF2iW7vUHVL/LCOvSF0UjwZHJ2d374jf2D1VknFfSp2TuhWN4jeZc0uQAbq5KzO+ii+Dp95nkhMc4zRZdxs76ETlSJX3VPpoKu+p9JAjJCTHyPEc44yTI7E/x1nOkuP6lOnPul3sIoWawj55' +
      'GZhnlFGybhtFPFQ/9SfrbmaIlifj+xinj1F6CNkpc+fFW8O9ZRazhr9cfLlYfNcKeHEFfOgp/KhY5TQpDrvGfpWam56mmX0mwKPVcPXH8iXMnVA84GuJ7c0S+1XICTGsMT7BQfUyXL1f0ah91Z01F/' +
      'VD+Wb5ztjmmkZVv/17SqP8A3+dTqAGaArzDNDPgJlHOcWlsoPKRB1RZ+SgPv3mi7F3aynUIP0Msp28/OYp0I+/lOC8ZB3Wu6SXeJcWuXXNaEZpk/8ZuXtpAh789M/1D6ofDh8RvFfwd6S+KMgFyWms' +
      'fCb45/aLRrcuemZbP5T1bY4DQ7qdX+VTqNRwxjPKM+c3N10LOqgFjQFOiMJgC2GwNO4JvftUKHoVm7VaeEs2+2TrirSMti1NWtS3LYe0zLYtl/QiixIWc1KObhXjMgd45mBxJjliES0pI8yf/7NkES' +
      'c+ZHo+KlkOw+jHHDpOMB/LhQPSr4U1WOzXknzC3ZhRNzAeL3k6QAtjrzL/nXifhskRpmSsuyO7TMW8jrBsLRi5MWz7DUvTiuZwJ9bdk5Ezyjeamnv2vOZhc/K6efw38gg=',
    'base64',
  ),
)

it('reads an xls file', async () => {
  expect(await readWorkbook(sample)).toEqual({
    file: 'xls',
    sheetName: '房产',
    sheetNames: ['藏', '房产'],
    linesAbove: [],
    headingLine: 1,
    heading: ['*房号', '手机', '交付日期', '面积', '备注'],
    merged: [{ line: 5, column: 3, range: 'D5:E6' }],
    lines: [
      { line: 2, cells: ['1栋-101', 13812345678, '2026-01-01', 88.5, '一\n二'] },
      { line: 3, cells: ['00102', '１３８', '2026-01-01 12:00:00', 177, { problem: 'error', text: '#N/A' }] },
      { line: 4, cells: [true, '长文本', '2026-02-30', 0.3, '1栋-101x'] },
    ],
  })
  expect((await readWorkbook(sample, { sheet: '藏' })).heading).toEqual(['hidden'])
})

const beginRecord = makeBiffRecord(recordTypes.begin, u16(0x600, 5, 0, 0, 0, 0, 0, 0))
const endRecord = makeBiffRecord(recordTypes.eof)

const wideText = (text: string, start = true): Buffer =>
  Buffer.concat([start ? u16(text.length) : Buffer.alloc(0), Buffer.from([1]), Buffer.from(text, 'utf16le')])

function makeXls(globals: Buffer, rows: Buffer): Buffer {
  const bound = (at: number): Buffer =>
    makeBiffRecord(recordTypes.boundSheet, u32(at), [0, 0, 1, 0], Buffer.from('A'))
  const head = beginRecord.length + bound(0).length + globals.length + endRecord.length
  return makeCompoundFile(
    'Workbook',
    Buffer.concat([beginRecord, bound(head), globals, endRecord, beginRecord, rows, endRecord]),
  )
}

it('reads texts that run on into the next record, formulas with their texts, packed numbers', async () => {
  const strings = Buffer.concat([
    // three texts: one cut between letters and narrow after the cut, one with format runs behind it, one
    // plain
    makeBiffRecord(recordTypes.strings, u32(3, 3), u16(6), [1], Buffer.from('安居', 'utf16le')),
    makeBiffRecord(
      recordTypes.continued,
      [0],
      Buffer.from('2026'),
      u16(2),
      [8 | 1],
      u16(1),
      Buffer.from('富文', 'utf16le'),
      u32(0),
    ),
    makeBiffRecord(recordTypes.continued, wideText('末')),
  ])
  const formula = (row: number, column: number, value: Buffer): Buffer =>
    makeBiffRecord(recordTypes.formula, u16(row, column, 0), value, u16(0), u32(0), u16(0))
  const computed = (kind: number, value: number): Buffer =>
    Buffer.concat([Buffer.from([kind, 0, value, 0, 0, 0]), u16(0xffff)])
  const rk = (n: number): Buffer => u32(((n << 2) | 2) >>> 0)
  const rows = Buffer.concat([
    ...[0, 1, 2].map(i => makeBiffRecord(recordTypes.labelString, u16(0, i, 0), u32(i))),
    formula(1, 0, computed(0, 0)),
    makeBiffRecord(0x4bc),
    makeBiffRecord(recordTypes.string, wideText('算出')),
    formula(1, 1, f64(1.25)),
    formula(1, 2, computed(1, 1)),
    makeBiffRecord(
      recordTypes.mulRk,
      u16(2, 0),
      u16(0),
      rk(-7),
      u16(0),
      u32((12345 << 2) | 3),
      u16(0),
      u32(0x3ff00000),
      u16(2),
    ),
  ])
  const sheet = await readWorkbook(makeXls(strings, rows))
  expect(sheet.heading).toEqual(['安居2026', '富文', '末'])
  expect(sheet.lines.map(l => l.cells)).toEqual([
    [
      { problem: 'formula', text: '算出' },
      { problem: 'formula', text: '1.25' },
      { problem: 'formula', text: 'TRUE' },
    ],
    [-7, 123.45, 1],
  ])
})

it('refuses xls files that are encrypted, older, other documents, or run in circles', async () => {
  expect(await refusalReason(makeXls(makeBiffRecord(recordTypes.filePass, u16(1)), Buffer.alloc(0)))).toBe(
    'encrypted',
  )
  expect(await refusalReason(makeCompoundFile('EncryptedPackage', beginRecord))).toBe('encrypted')
  expect(await refusalReason(makeCompoundFile('Book', beginRecord))).toBe('old-format')
  expect(await refusalReason(makeCompoundFile('WordDocument', beginRecord))).toBe('not-a-workbook')
  const circle = makeCompoundFile('Workbook', beginRecord)
  circle.writeUInt32LE(2, 512 + 4 * 4)
  expect(await refusalReason(circle)).toBe('damaged')
  for (let cut = 600; cut < sample.length; cut += 333) {
    expect(['damaged', 'empty', 'not-a-workbook']).toContain(await refusalReason(sample.subarray(0, cut)))
  }
})

const csvSample = '房号,备注\r\n1栋-101,"含,逗号 ""引号""\r\n换行"\r\n\r\n"00102",\t=1+1\r\n\t00103,\n'

it.each([
  ['UTF-8', Buffer.from(csvSample)],
  ['UTF-8 with mark', Buffer.from('\ufeff' + csvSample)],
  ['GBK', iconv.encode(csvSample, 'gbk')],
  ['GB18030', iconv.encode(csvSample, 'gb18030')],
  ['UTF-16', iconv.encode(csvSample, 'utf16le', { addBOM: true })],
])('reads csv in %s', async (_, file) => {
  const sheet = await readWorkbook(file)
  expect(sheet).toMatchObject({ file: 'csv', headingLine: 1, heading: ['房号', '备注'] })
  expect(sheet.lines[0]).toEqual({ line: 2, cells: ['1栋-101', '含,逗号 "引号"\n换行'] })
  expect(sheet.lines.slice(1)).toEqual([
    { line: 4, cells: ['00102', '=1+1'] },
    { line: 5, cells: ['00103', null] },
  ])
})

it('tells the separator by the headings', async () => {
  for (const mark of ['\t', ';']) {
    expect((await readWorkbook(Buffer.from(`"a,b"${mark}c\r1${mark}"2"\r`))).lines).toEqual([
      { line: 2, cells: ['1', '2'] },
    ])
  }
})

it('tells formulas of csv (IMP-5): a guarded text, a sign and a lone = are none', async () => {
  const sheet = await readWorkbook(
    Buffer.from('a,b\n=1+1,"=SUM(1,2)"\n\t=1+1,+8613800001111\n-5.00,=\n@a,1=1\n'),
  )
  expect(sheet.lines.map(({ cells }) => cells)).toEqual([
    [
      { problem: 'formula', text: '=1+1' },
      { problem: 'formula', text: '=SUM(1,2)' },
    ],
    ['=1+1', '+8613800001111'],
    ['-5.00', '='],
    ['@a', '1=1'],
  ])
})

it('refuses csv whose format is ambiguous', async () => {
  expect(await refusalReason(Buffer.from('a,b\n"1,2'))).toBe('damaged')
  expect(await refusalReason(Buffer.from([0x61, 0x2c, 0xff, 0xff, 0x0a]))).toBe('unknown-letters')
  expect(await refusalReason(Buffer.from('\r\n,,\n'))).toBe('empty')
})
