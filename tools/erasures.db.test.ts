import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportCompany } from '#kit/server/company-data/export.ts'
import { importCompany } from '#kit/server/company-data/import.ts'
import { declarationsOf } from '#kit/server/company-data/installed.ts'
import { openDatabase, type Database } from '#kit/server/db.ts'
import { folderStorage } from '#kit/server/file-storage.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { linesOf, openErasures } from '#modules/personal-data/server/erasure.fixtures.ts'
import { journalFileIn, readJournalFile } from '#modules/personal-data/server/public.ts'
import { adoptErasures, erasureLines } from './erasures.ts'

const erased = { name: '欧阳已删', mobile: '13511110011' }
const stranger = { name: '欧阳他人', mobile: '13511110012' }

let t: GoldenApp
let imported: TestDatabase
let database: Database
let file: string
let dataDir: string

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  const erasures = await openErasures(t)
  const person = await erasures.addPerson(erased.name, erased.mobile)
  await erasures.addPerson(stranger.name, stranger.mobile)
  const declarations = declarationsOf(await loadInstalledModules())
  file = join(t.dir, 'company.zip')
  dataDir = join(t.dir, 'new')
  mkdirSync(dataDir)
  await exportCompany({
    ...declarations,
    databaseUrl: t.database.url,
    storage: folderStorage(t.dir),
    company: { id: t.ownerId, name: '甲公司' },
    product: '安居',
    productVersion: 'test',
    file,
    exportTime: new Date(),
  })
  // Erased behind the export, where the company comes from.
  await erasures.execute(await erasures.approved(person), erased.name)
  imported = await openTestDatabase({ from: 'migrated' })
  database = openDatabase(imported.url)
  await importCompany({
    ...declarations,
    databaseUrl: imported.url,
    storage: folderStorage(dataDir),
    dataDir,
    file,
  })
}, 180_000)

afterAll(async () => {
  await database?.close()
  await imported?.drop()
  await t?.close()
})

const leftOf = async ({ name, mobile }: typeof erased): Promise<string[]> =>
  (await linesOf(database, name, mobile)).filter(line => !line.startsWith('personal_data_hold'))

it('an older export brings nobody back who was erased where it comes from (PIP-13)', async () => {
  const ofOther = { url: imported.url, dataDir, exportFile: file }
  const [entry] = readJournalFile(journalFileIn(t.dir))
  expect(entry).toBeDefined()
  expect((await leftOf(erased)).length).toBeGreaterThan(0)
  // The journal of an installation holds the erasures of other companies as well.
  expect(await adoptErasures({ ...ofOther, ownerId: t.ownerId + 1 })).toMatchObject({ erased: 0, foreign: 0 })
  expect((await leftOf(erased)).length).toBeGreaterThan(0)
  const repeated = await adoptErasures({ ...ofOther, ownerId: t.ownerId })
  expect(repeated).toEqual({ erased: 1, absent: 0, foreign: 0, open: [] })
  expect(erasureLines(repeated, '导出')[0]).toContain('导出之后办结的个人信息删除已重新执行：1 人')
  expect(await leftOf(erased)).toEqual([])
  expect((await leftOf(stranger)).length).toBeGreaterThan(0)
  const [own] = readJournalFile(journalFileIn(dataDir))
  expect(own?.uid).toBe(entry?.uid)
  expect(own?.installation).not.toBe(entry?.installation)
  expect(await adoptErasures({ ...ofOther, ownerId: t.ownerId })).toMatchObject({ erased: 0, absent: 0 })
})
