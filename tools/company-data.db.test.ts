import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { readCompanyTables, type StoredTable } from '#kit/server/company-data/catalogue.ts'
import { declaredTables, exportCompany } from '#kit/server/company-data/export.ts'
import { importCompany } from '#kit/server/company-data/import.ts'
import { declarationsOf } from '#kit/server/company-data/installed.ts'
import { attachmentListPath, manifestPath, type CompanyManifest } from '#kit/server/company-data/manifest.ts'
import { planExport, type ExportPlan } from '#kit/server/company-data/plan.ts'
import { ZipFileReader } from '#kit/server/company-data/zip-file.ts'
import { createTestFolder, openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { folderStorage } from '#kit/server/file-storage.ts'
import { MIGRATIONS, readMigrations } from '#kit/server/postgres/migrate.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { openDemoDatabase, type DemoDatabase } from './demo.fixtures.ts'
import { mainCompany } from '#db/golden/demo-companies.ts'
import { golden } from '#db/golden/golden-data.ts'

const declarations = declarationsOf(await loadInstalledModules())
let source: DemoDatabase
let folder: string
let sourceDir: string
let exported: string
let manifest: CompanyManifest
let company: Company
let plan: ExportPlan
let stored: StoredTable[]

async function query<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`set app.owner_id = '*'; set timezone = 'UTC'`)
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

interface Company {
  readonly id: number
  readonly name: string
}

const exportTo = (file: string, of: Company, url: string, dataDir: string): Promise<CompanyManifest> =>
  exportCompany({
    ...declarations,
    databaseUrl: url,
    storage: folderStorage(dataDir),
    company: of,
    product: '安居',
    productVersion: 'test',
    file,
    exportTime: new Date(),
  })

const importFrom = (file: string, url: string, dataDir: string) =>
  importCompany({ ...declarations, databaseUrl: url, storage: folderStorage(dataDir), dataDir, file })

beforeAll(async () => {
  source = await openDemoDatabase()
  folder = createTestFolder()
  sourceDir = source.dataDir
  const [found] = await query<{ id: number; name: string }>(
    source.url,
    'select id::float8 as id, company_name as name from property where company_name = $1',
    [mainCompany.companyName],
  )
  company = defined(found)
  // A text for each way in which a file could change one, and a deleted row.
  await query(
    source.url,
    `update resident
    set remark = (array[
      '=1+1', '@sum', E'\\t=1', '007', '3-12', '1e5', E'two\\r\\nlines, "quoted"', '', ' spaces ', '𠮷😀', '\\N', '\\.'
    ])[1 + id % 12]
    where owner_id = ${company.id}`,
  )
  await query(
    source.url,
    `update resident
    set delete_tag = 1
    where owner_id = ${company.id} and id = (select max(id) from resident where owner_id = ${company.id})`,
  )
  await addCodes()
  exported = join(folder, 'company.zip')
  manifest = await exportTo(exported, company, source.url, sourceDir)
  const client = new pg.Client(source.url)
  await client.connect()
  stored = await readCompanyTables(client)
  await client.end()
  plan = planExport(stored, declarations.entities, declaredTables(declarations))
  small = await exportSmallCompany()
}, 300_000)

afterAll(async () => {
  await source?.drop()
  await small?.source.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A company of a few hundred rows in each large table, for imports that are not carried out. */
interface SmallExport {
  readonly file: string
  readonly manifest: CompanyManifest
  readonly company: Company
  readonly source: TestDatabase
}

let small: SmallExport

const smallFiles = 8

async function exportSmallCompany(): Promise<SmallExport> {
  const database = await openTestDatabase()
  const [found] = await query<Company>(
    database.url,
    `select id::float8 as id, company_name as name
    from property
    where owner_id = (select owner_id from manager where login_code = $1)`,
    [golden.first.owner],
  )
  const of = defined(found)
  const dataDir = join(folder, 'small')
  const storage = folderStorage(dataDir)
  for (let i = 0; i < smallFiles; i++) {
    const bytes = Buffer.from(`file ${i}`)
    const key = createHash('sha1').update(bytes).digest('hex')
    await storage.put(asId(of.id), key, { bytes })
    await query(
      database.url,
      'insert into file_store (owner_id, key, name, type, size) values ($1, $2, $2, $3, $4)',
      [of.id, key, 'text/plain', bytes.length],
    )
  }
  const file = join(folder, 'small.zip')
  const written = await exportTo(file, of, database.url, dataDir)
  return { file, manifest: written, company: of, source: database }
}

/** A live code as devices hold it and report it, and as a card that they do not know. */
const liveCode = '9127642031205858'
/** A visitor's, which nothing else has by chance. */
const invitationCode = '90817263'

async function addCodes(): Promise<void> {
  const [from] = await query<{ id: number }>(
    source.url,
    `select max(id)::float8 as id from device_item where owner_id = ${company.id} and item_key like 'card:%'`,
  )
  expect(from?.id).toBeGreaterThan(0)
  await query(
    source.url,
    `update device_item
    set item_key = 'pass:${liveCode}', run_data = '{"number":"${liveCode}"}'
    where owner_id = ${company.id} and id = ${defined(from).id}`,
  )
  await query(
    source.url,
    `update device_event
    set content = '{"card":"${liveCode}"}'
    where owner_id = ${company.id}
      and id = (select max(id) from device_event where owner_id = ${company.id})`,
  )
  await query(
    source.url,
    `update access_record
    set item_key = 'pass:${liveCode}'
    where owner_id = ${company.id}
      and id = (select max(id) from access_record where owner_id = ${company.id})`,
  )
  await query(
    source.url,
    `update invite_visitor
    set invite_no = '${invitationCode}'
    where owner_id = ${company.id}
      and id = (select max(id) from invite_visitor where owner_id = ${company.id})`,
  )
}

/** How many rows a table has of the company, and a digest of all that is exported of them. */
function digestSql(table: ExportPlan['tables'][number], of: Company): string {
  const imported = declaredTables(declarations)[table.name]?.imported ?? {}
  const columns = table.columns.filter(({ name }) => !(name in imported)).map(({ name }) => `t."${name}"`)
  return `select '${table.name} ' || count(*) || ' '
      || coalesce(md5(string_agg(r, '|' order by r)), '-') as digest
    from (
      select row(${columns.join(', ')})::text as r
      from "${table.name}" t
      where t.owner_id = ${of.id} ${table.rows ? `and (${table.rows})` : ''}
    ) s`
}

/** One connection for all tables: as many as there are tables would be more than the cluster has. */
async function digests(url: string, of = company): Promise<string[]> {
  const statements = plan.tables.map(table => digestSql(table, of))
  const rows = await query<{ digest: string }>(url, statements.join(' union all '))
  return rows.map(({ digest }) => digest).toSorted()
}

const ledgerSums = (url: string): Promise<object[]> =>
  query(
    url,
    `select
      (select sum(amount) from bill where owner_id = $1) as billed,
      (select sum(amount) from pay_line where owner_id = $1) as paid,
      (select sum(principal) from bill_move where owner_id = $1) as moved,
      (select sum(amount) from prestore_entry where owner_id = $1) as prestored,
      (select sum(amount) from deposit_entry where owner_id = $1) as deposits`,
    [company.id],
  )

async function fileDigests(url: string, dataDir: string): Promise<string[]> {
  const rows = await query<{ key: string }>(
    url,
    'select key from file_store where owner_id = $1 and expire_time is null order by key',
    [company.id],
  )
  const storage = folderStorage(dataDir)
  return Promise.all(
    rows.map(async ({ key }) => {
      const hash = createHash('sha256')
      const bytes = await storage.read(asId(company.id), key)
      if (bytes) {
        await pipeline(bytes, hash)
      }
      return `${key} ${bytes ? hash.digest('hex') : 'missing'}`
    }),
  )
}

interface ImportTarget {
  readonly url: string
  readonly dataDir: string
  close(): Promise<void>
}

async function openTarget(from = 'migrated'): Promise<ImportTarget> {
  const database = await openTestDatabase({ from })
  const dataDir = join(createTestFolder(), 'data')
  return {
    url: database.url,
    dataDir,
    close: async () => {
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

it('rows, files and sums of the ledger come back as they were, and are exported as they had been', async () => {
  const target = await openTarget('nothing')
  const { notices } = await importFrom(exported, target.url, target.dataDir)
  expect(await digests(target.url)).toEqual(await digests(source.url))
  expect(await ledgerSums(target.url)).toEqual(await ledgerSums(source.url))
  const files = await fileDigests(source.url, sourceDir)
  expect(files.length).toBeGreaterThan(10)
  expect(await fileDigests(target.url, target.dataDir)).toEqual(files)
  expect(notices.join()).toContain('初始密码')
  expect(notices.join()).toContain('邀请码')
  const [renewed] = await query<{ count: number; known: number }>(
    target.url,
    `select count(*)::integer as count, (count(*) filter (where invite_no !~ '^[0-9]{8}$'))::integer as known
    from invite_visitor`,
  )
  expect(renewed?.count).toBeGreaterThan(0)
  expect(renewed?.known).toBe(0)
  // What is given out next is behind what there is.
  const behind = await query(
    target.url,
    `select s.relname
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0
    join pg_class c on c.oid = d.refobjid
    where s.relkind = 'S'
      and c.relname = 'bill'
      and coalesce(pg_sequence_last_value(s.oid), 0) < (select max(id) from bill)`,
  )
  expect(behind).toEqual([])
  const again = await exportTo(join(folder, 'again.zip'), company, target.url, target.dataDir)
  const changed = new Set(
    plan.tables.flatMap(({ name }) => (declaredTables(declarations)[name]?.imported ? [name] : [])),
  )
  const hashes = (of: CompanyManifest) =>
    of.tables
      .filter(({ table }) => !changed.has(table))
      .map(({ path, rows, sha256 }) => `${path} ${rows} ${sha256}`)
  expect(hashes(again)).toEqual(hashes(manifest))
  expect(again.attachments).toEqual(manifest.attachments)
  await target.close()
}, 120_000)

it('no other company, no secret and no column without a heading is in it', async () => {
  const zip = await ZipFileReader.open(exported)
  const [other] = await query<{ id: string; name: string }>(
    source.url,
    'select id, company_name as name from property where id <> $1',
    [company.id],
  )
  const secrets = await query<{ secret: string }>(
    source.url,
    `select password as secret from manager_secret
    union select encode(hash, 'hex') from session_token
    union select key from directory where kind in ('session', 'api_key')
    union select encode(secret, 'hex') from property_secret
    union select encode(run_secret, 'hex') from webhook_endpoint where run_secret is not null
    union select '${liveCode}'
    union select '${invitationCode}'`,
  )
  expect(secrets.length).toBeGreaterThan(2)
  const omittedRows = manifest.omitted.filter(part => part.heading !== undefined && !part.column)
  expect(omittedRows.map(({ table }) => table).toSorted()).toEqual(['device_event', 'device_item'])
  for (const { path } of manifest.tables) {
    const pieces: Buffer[] = []
    for await (const piece of zip.read(defined(zip.parts.get(path)))) {
      pieces.push(piece)
    }
    const text = Buffer.concat(pieces).toString()
    expect(text).not.toContain(defined(other).name)
    expect(secrets.filter(({ secret }) => text.includes(secret))).toEqual([])
    expect(text.startsWith('\ufeff')).toBe(true)
    expect(/[^\r]\n/.test(text.slice(0, text.indexOf('\n') + 1))).toBe(false)
  }
  await zip.close()
})

/** Names of columns that hold something secret. */
const secretName = /password|secret|private_key|api_key|totp|recovery|hash|template|token|credential/
/** The templates of field work are lists of checks, none of a fingerprint. */
const checklistColumn = /\.template_(id|name)$/

it('every column that is called like a secret stays behind, but for those that are none', () => {
  const named = plan.tables.flatMap(({ name, columns }) =>
    columns.filter(column => secretName.test(column.name)).map(column => `${name}.${column.name}`),
  )
  const secret = named.filter(name => !checklistColumn.test(name))
  expect(secret.toSorted()).toEqual([
    'channel_bill.run_hash',
    'role.need_totp',
    'wechat_template.template_title',
  ])
})

it('a file that a person opens in Excel shows no formula, and its name and folder are those of the product', async () => {
  const zip = await ZipFileReader.open(exported)
  const paths = [...zip.parts.keys()]
  expect(paths.filter(path => path.startsWith('附件/文件/')).length).toBeGreaterThan(3)
  const residents = defined(manifest.tables.find(({ table }) => table === 'resident'))
  const pieces: Buffer[] = []
  for await (const piece of zip.read(defined(zip.parts.get(residents.path)))) {
    pieces.push(piece)
  }
  const text = Buffer.concat(pieces).toString()
  expect(text).toContain('\t=1+1')
  expect(text).toContain('\t007')
  expect(text).not.toMatch(/(^|,)"?[=@]/m)
  expect(text.split('\r\n')[0]).toContain('（delete_tag）')
  expect(text).toContain('1 是')
  await zip.close()
})

/** The small company's export with some of its entries changed (`undefined`: left out) or added. */
async function rewrite(
  name: string,
  change: (path: string, body: Buffer) => Buffer | undefined,
  extra: Readonly<Record<string, string>> = {},
): Promise<string> {
  const zip = await ZipFileReader.open(small.file)
  const out = new ZipFile()
  for (const [path, part] of zip.parts) {
    const pieces: Buffer[] = []
    for await (const piece of zip.read(part)) {
      pieces.push(piece)
    }
    const body = change(path, Buffer.concat(pieces))
    if (body) {
      out.addBuffer(body, path)
    }
  }
  for (const [path, text] of Object.entries(extra)) {
    out.addBuffer(Buffer.from(text), path)
  }
  out.end()
  const file = join(folder, name)
  await pipeline(out.outputStream, createWriteStream(file))
  await zip.close()
  return file
}

const residentPath = (): string =>
  defined(small.manifest.tables.find(({ table }) => table === 'resident')).path

const withManifest =
  (edit: (read: Record<string, unknown>) => object) =>
  (path: string, body: Buffer): Buffer =>
    path === manifestPath ? Buffer.from(JSON.stringify(edit(JSON.parse(body.toString())))) : body

it('a broken, changed, incomplete, strange or newer export is refused with a message, and nothing is written', async () => {
  const whole = readFileSync(small.file)
  const write = (name: string, bytes: Buffer): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const zip = await ZipFileReader.open(small.file)
  const attachment = defined([...zip.parts.keys()].find(path => path.startsWith('附件/')))
  const { offset, packed } = defined(zip.parts.get(residentPath()))
  await zip.close()
  const flipped = Buffer.from(whole)
  // The packed rows begin behind the part's header, its name and its extra fields.
  const inRows = offset + 30 + whole.readUInt16LE(offset + 26) + whole.readUInt16LE(offset + 28)
  const middle = inRows + Math.floor(packed / 2)
  flipped[middle] = defined(flipped[middle]) ^ 0xff
  const cases: [file: string, words: RegExp][] = [
    [join(folder, 'nowhere.zip'), /^未找到导出文件/],
    [write('text.zip', Buffer.from('no zip at all')), /已损坏或不是 zip 文件，未作任何改动/],
    [write('short.zip', whole.subarray(0, whole.length - 1000)), /已损坏或不是 zip 文件，未作任何改动/],
    [write('flipped.zip', flipped), /未作任何改动/],
    [
      await rewrite('other.zip', path => (path === manifestPath ? undefined : Buffer.alloc(1))),
      /不是公司数据的导出文件/,
    ],
    [
      await rewrite(
        'format.zip',
        withManifest(read => ({ ...read, format: 99 })),
      ),
      /格式是 99，本程序只支持格式 1/,
    ],
    [
      await rewrite(
        'newer.zip',
        withManifest(read => ({ ...read, migrations: [{ name: '20990101-0000-later.sql', checksum: 'x' }] })),
      ),
      /没有迁移 20990101-0000-later.sql.*请先升级程序/,
    ],
    [
      await rewrite('changed.zip', (path, body) =>
        path === residentPath()
          ? Buffer.from(body.toString().replace(/1[38]\d/, found => (found === '139' ? '138' : '139')))
          : body,
      ),
      /住户.*内容与导出时不符.*未作任何改动/,
    ],
    [
      await rewrite('less.zip', (path, body) => (path === residentPath() ? undefined : body)),
      /缺少「数据\/住户.*未作任何改动/,
    ],
    [await rewrite('no-file.zip', (path, body) => (path === attachment ? undefined : body)), /缺少「附件\//],
    [
      await rewrite('other-file.zip', (path, body) => (path === attachment ? Buffer.from('x') : body)),
      /「附件\/.*内容与导出时不符/,
    ],
    [
      await rewrite('list.zip', (path, body) =>
        path === attachmentListPath ? Buffer.concat([body, Buffer.from('x\r\n')]) : body,
      ),
      /附件清单.*内容与导出时不符/,
    ],
    [await rewrite('more.zip', (_, body) => body, { '数据/extra.csv': 'x' }), /多出「数据\/extra.csv」/],
  ]
  const target = await openTarget()
  for (const [file, words] of cases) {
    await expect(importFrom(file, target.url, target.dataDir), file).rejects.toThrow(words)
  }
  expect(await query(target.url, 'select * from directory')).toEqual([])
  expect(existsSync(join(target.dataDir, 'files'))).toBe(false)
  await target.close()
}, 120_000)

it('an installation with a company, or of a newer schema, is refused with a message', async () => {
  await expect(importFrom(small.file, source.url, sourceDir)).rejects.toThrow(
    /此处已有公司（编号 \d+），不能导入/,
  )
  const last = defined(readMigrations(MIGRATIONS).at(-1)).name
  const older = await rewrite(
    'older.zip',
    withManifest(read => ({
      ...read,
      migrations: small.manifest.migrations.filter(each => each.name !== last),
    })),
  )
  const target = await openTarget()
  await expect(importFrom(older, target.url, target.dataDir)).rejects.toThrow(/数据库的结构比导出文件.*新/)
  await target.close()
}, 60_000)

it('an import that fails at its last file leaves no row and no file', async () => {
  const target = await openTarget()
  const storage = folderStorage(target.dataDir)
  let left = 5
  const failing: typeof storage = {
    ...storage,
    put: (...args) => (left-- > 0 ? storage.put(...args) : Promise.reject(new Error('disk'))),
  }
  await expect(
    importCompany({
      ...declarations,
      databaseUrl: target.url,
      storage: failing,
      dataDir: target.dataDir,
      file: small.file,
    }),
  ).rejects.toThrow('导入失败，未作任何改动：disk')
  expect(await query(target.url, 'select 1 from directory union all select 1 from bill')).toEqual([])
  for await (const key of storage.keys(asId(small.company.id))) {
    expect(key).toBeUndefined()
  }
  expect(readdirSync(join(target.dataDir, 'tmp'))).toEqual([])
  await target.close()
}, 60_000)

it('an import killed in the middle has written nothing, and runs through when it is started again', async () => {
  const target = await openTarget()
  const program = spawn(
    process.execPath,
    ['tools/launch.mjs', 'tools/import-company.ts', '--file', small.file, '--data', target.dataDir],
    { env: { ...process.env, DATABASE_URL: target.url }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(program, 'exit')
  for await (const text of program.stdout) {
    if (/账单 \d+ 行/.test(String(text))) break
  }
  program.kill('SIGKILL')
  await ended
  // The server notices that its client is gone a moment later.
  await expect
    .poll(() =>
      query(
        target.url,
        `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    )
    .toEqual([])
  expect(await query(target.url, 'select 1 from directory union all select 1 from resident')).toEqual([])
  await importFrom(small.file, target.url, target.dataDir)
  expect(await digests(target.url, small.company)).toEqual(await digests(small.source.url, small.company))
  await target.close()
}, 120_000)
