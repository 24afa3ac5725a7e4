import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { backup } from '#kit/server/postgres/backup.ts'
import { restore } from '#kit/server/postgres/restore.ts'
import { openServer } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { linesOf, openErasures, type Erasures } from './erasure.fixtures.ts'
import { readStoredEntries, type JournalEntry } from './journal.ts'
import { appendEntries, journalFileIn, readJournalFile } from './journal-file.ts'

let t: GoldenApp
let erasures: Erasures
let restored: TestDatabase
let database: Database
const folders: string[] = []
let file: string
let photo: string

const early = { name: '欧阳早期', mobile: '13511110001' }
const asked = { name: '欧阳已申请', mobile: '13511110002' }
const contact = { name: '欧阳来电', mobile: '13511110003' }
const late = { name: '欧阳后来', mobile: '13511110004' }
const kept = { name: '欧阳在住', mobile: '13511110005' }
const everything = [early, asked, contact].flatMap(({ name, mobile }) => [name, mobile])

/** A start of the product on a database, with the data folder. */
async function start(url: string, dataDir: string): Promise<void> {
  const server = await openServer({
    databaseUrl: url,
    dataDir,
    installed: await loadInstalledModules(),
    loadCaller: createCallerLoader,
    version: 'test',
    runsJobs: false,
    logging: { logger: false },
  })
  await server.close()
}

const withoutVouchers = (lines: readonly string[]): string[] =>
  lines.filter(line => !line.startsWith('personal_data_hold'))

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  erasures = await openErasures(t)
  folders.push(t.dir)
  file = join(t.dir, 'old.tar.zst')
  const first = await erasures.addPerson(early.name, early.mobile)
  const second = await erasures.addPerson(asked.name, asked.mobile)
  await erasures.addPerson(kept.name, kept.mobile)
  await erasures.addSuggestion(contact.name, contact.mobile, `请联系${contact.name}`)
  photo = await t.app.files.save(t.ownerId, t.managerId, {
    name: '照片.jpg',
    type: 'image/jpeg',
    bytes: new Uint8Array([1, 2, 3]),
  })
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update resident set photo = ${photo} where owner_id = ${t.ownerId} and id = ${first.id}`),
  )
  const waiting = await erasures.approved(second)
  await backup(t.database.url, file, { filesDir: join(t.dir, 'files') })
  // What comes after the backup.
  const third = await erasures.addPerson(late.name, late.mobile)
  await erasures.execute(waiting, asked.name)
  await erasures.execute(await erasures.approved(first), early.name)
  await erasures.execute(await erasures.approved(third), late.name)
  const call = { personKind: 'contact', id: 0 as Id, ...contact }
  await erasures.execute(await erasures.approved(call), contact.name)
  restored = await openTestDatabase({ from: 'nothing' })
  await restore(restored.url, file, { filesDir: join(t.dir, 'files'), force: true })
  database = openDatabase(restored.url)
}, 120_000)

afterAll(async () => {
  await database?.close()
  await restored?.drop()
  await t?.close()
})

it('the journal beside the files holds every erasure, and nothing of the persons', () => {
  const text = readFileSync(journalFileIn(t.dir), 'utf8')
  expect(readJournalFile(journalFileIn(t.dir))).toHaveLength(4)
  for (const { name, mobile } of [early, asked, contact, late]) {
    expect(text).not.toContain(name)
    expect(text).not.toContain(mobile)
  }
})

it('a backup from before an erasure brings nobody back: the next start erases again', async () => {
  expect(withoutVouchers(await linesOf(database, ...everything)).length).toBeGreaterThan(3)
  await start(restored.url, t.dir)
  expect(withoutVouchers(await linesOf(database, ...everything))).toEqual([])
  expect(await linesOf(database, photo)).toEqual([])
  // Who was not erased is there.
  expect((await linesOf(database, kept.mobile)).length).toBeGreaterThan(0)
  const requests = (await linesOf(database, '注销人员')).filter(line => line.startsWith('erasure_request'))
  expect(requests).toHaveLength(4)
})

it('a second start repeats nothing, and numbers of later requests are new ones', async () => {
  const before = await linesOf(database, 'purge')
  await start(restored.url, t.dir)
  expect(await linesOf(database, 'purge')).toEqual(before)
  const stored = await readStoredEntries(database.reader('*'))
  const next = await database.tx('*', tx =>
    tx.one<{ id: number }>(sql`select nextval('erasure_request_id_seq')::float8 as id`),
  )
  expect(defined(next).id).toBeGreaterThan(Math.max(...stored.map(entry => entry.request.id)))
})

const changed = (entry: JournalEntry, change: Partial<JournalEntry>): JournalEntry => ({
  ...entry,
  uid: `${entry.uid}-changed`,
  ...change,
})

it('a number that is somebody else’s by now, and another installation, erase nobody', async () => {
  const own = join(t.dir, 'other')
  const [entry] = readJournalFile(journalFileIn(t.dir))
  const source = defined(entry)
  const [resident] = await t.database.reader(t.ownerId).rows<{ id: Id; made: string }>(sql`
    select id, extract(epoch from create_time)::text as made
    from resident
    where owner_id = ${t.ownerId} and mobile = ${kept.mobile}
  `)
  const { id, made } = defined(resident)
  const record = { entity: 'resident', id, createTime: made }
  const { mkdirSync } = await import('node:fs')
  mkdirSync(own)
  await appendEntries(journalFileIn(own), [
    changed(source, { records: [{ ...record, createTime: '1.5' }] }),
    changed(source, { uid: 'foreign', installation: 'other', records: [record] }),
  ])
  await start(restored.url, own)
  expect((await linesOf(database, kept.mobile)).length).toBeGreaterThan(0)
})

it('half a line at the end is no entry and is ended; any other that cannot be read stops the start', async () => {
  const path = journalFileIn(t.dir)
  const entries = readJournalFile(path)
  appendFileSync(path, '{"format":1,"uid":"ha')
  expect(readJournalFile(path)).toEqual(entries)
  await appendEntries(path, [changed(defined(entries[0]), { uid: 'next' })])
  expect(readJournalFile(path).map(entry => entry.uid)).toEqual([...entries.map(entry => entry.uid), 'next'])
  appendFileSync(path, 'x\n')
  expect(() => readJournalFile(path)).toThrow('无法读取')
  await expect(start(restored.url, t.dir)).rejects.toThrow('无法读取')
})
