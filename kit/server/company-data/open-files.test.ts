import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { defined } from '#kit/domain/defined.ts'
import { createTestFolder } from '../fixtures/test-database.ts'
import { AttachmentPaths } from './attachments.ts'
import { inLoadOrder } from './catalogue.ts'
import { RowEnds, splitHeader, withCrlf } from './csv-lines.ts'
import { parseAttachment, attachmentLine, safeName } from './manifest.ts'
import { planExport } from './plan.ts'
import { ZipFileReader } from './zip-file.ts'

const folder = createTestFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const csv = 'a,"b\n""c"""\n"",\n"\n",\'"\n'.replace('\'"', '"""x"')

it('rows end outside of quotes alone, wherever the pieces are cut', () => {
  const whole = withCrlf(Buffer.from(csv), new RowEnds()).toString()
  expect(whole).toBe('a,"b\n""c"""\r\n"",\r\n"\n","""x"\r\n')
  for (let cut = 0; cut <= csv.length; cut++) {
    const rowEnds = new RowEnds()
    const pieces = [csv.slice(0, cut), csv.slice(cut)].map(piece =>
      withCrlf(Buffer.from(piece), rowEnds).toString(),
    )
    expect(pieces.join('')).toBe(whole)
    expect(rowEnds.rows).toBe(3)
  }
})

it('the header is split off a file that comes in small pieces', async () => {
  const pieces = (async function* () {
    for (const letter of 'x,y\r\n1,2\r\n') {
      yield Buffer.from(letter)
    }
  })()
  const { header, rest } = await splitHeader(pieces)
  let text = ''
  for await (const piece of rest) {
    text += piece.toString()
  }
  expect([header, text]).toEqual(['x,y\r\n', '1,2\r\n'])
})

it('a zip with a large directory, as one of many parts or gigabytes has, is read part by part', async () => {
  const zip = new ZipFile()
  const count = 50
  for (let i = 0; i < count; i++) {
    zip.addBuffer(Buffer.from(String(i)), `文件/${i}.txt`, { compress: i % 2 === 0 })
  }
  zip.end({ forceZip64Format: true, comment: '' })
  const path = join(folder, 'large.zip')
  await pipeline(zip.outputStream, createWriteStream(path))
  const reader = await ZipFileReader.open(path)
  expect(reader.parts.size).toBe(count)
  for (const i of [0, 1, count - 1]) {
    const pieces: Buffer[] = []
    for await (const piece of reader.read(defined(reader.parts.get(`文件/${i}.txt`)))) {
      pieces.push(piece)
    }
    expect(Buffer.concat(pieces).toString()).toBe(String(i))
  }
  await reader.close()
})

it('every file has a path of its own that leads nowhere else', () => {
  const paths = new AttachmentPaths()
  const key = (start: string): string => start.padEnd(40, '0')
  const pathOf = (name: string, place: string | null, start: string): string =>
    paths.pathOf({ key: key(start), name, folder: place })
  expect(pathOf('合同.pdf', '房间/101', 'a1')).toBe('附件/房间/101/合同.pdf')
  expect(pathOf('合同.PDF', '房间/101', 'b2')).toBe('附件/房间/101/合同-b2000000.PDF')
  expect(pathOf('合同.pdf', null, 'c3')).toBe('附件/未归属/合同.pdf')
  expect(pathOf('../../etc/passwd', '../..', 'd4')).toBe('附件/_/_/_._etc_passw')
  expect(safeName('a\\b:c*?"<>|\u0000.')).toBe('a_b_c_______')
})

it('a line of the list of files is read as it was written', () => {
  const attachment = { key: 'k', path: '附件/"x",y.pdf', bytes: 7, sha256: 'h' }
  expect(parseAttachment(attachmentLine(attachment).trimEnd())).toEqual(attachment)
  expect(parseAttachment('k,x')).toBeUndefined()
})

it('a table follows those that it refers to, and a circle is refused', () => {
  const table = (name: string, ...references: string[]) => ({ name, references })
  expect(
    inLoadOrder([table('c', 'b'), table('b', 'a'), table('a', 'elsewhere')]).map(each => each.name),
  ).toEqual(['a', 'b', 'c'])
  expect(() => inLoadOrder([table('a', 'b'), table('b', 'a')])).toThrow('circle')
})

it('a table or column that nobody has declared keeps the export from starting', () => {
  const column = (name: string) => ({ name, type: 'text', isRequired: false })
  const stored = [
    {
      name: 'thing',
      columns: [column('owner_id'), column('name'), column('run_key')],
      references: [],
      key: [],
    },
    { name: 'other', columns: [column('owner_id')], references: [], key: [] },
  ]
  expect(() => planExport(stored, [], { thing: { label: '物件', columns: { name: '名称' } } })).toThrow(
    'thing.run_key, other',
  )
  const { tables, omitted } = planExport(stored, [], {
    thing: { label: '物件', columns: { name: '名称', run_key: { heading: '密钥', omitted: 'secret' } } },
    other: { label: '别的', omitted: 'transient' },
  })
  expect(tables.map(({ columns }) => columns.map(({ name }) => name))).toEqual([['name']])
  expect(omitted.map(({ table, column: name, why }) => [table, name, why])).toEqual([
    ['thing', 'run_key', 'secret'],
    ['other', undefined, 'transient'],
  ])
})
