import { defined } from '#kit/domain/defined.ts'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openFiles } from '#kit/server/files.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { importResidents } from '#modules/residents/contract/import-export.ts'
import { server } from '#modules/residents/server/index.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import { atMost, measureGrowth, median, measureMs, type BenchContext, type BenchRow } from './bench.ts'
import { nameOf } from './resident-data.ts'
import { seedCompany, estateCode } from './room-data.ts'
import { measureImport, type ImportSteps } from './import-steps.ts'
import { jobContext } from './job-harness.ts'

export const name = 'people-import'

const maxRows = 20_000
const project = { projectCode: estateCode(1) }

const heading = [
  '姓名',
  '手机号',
  '性别',
  '生日',
  '楼栋',
  '单元',
  '房号',
  '关系',
  '缴费人',
  '入住日期',
  '工作单位',
  '标签',
  '备注',
]

/**
 * Two people for each of 10,000 rooms: an owner who pays and a family member; one line in fifty is wrong in
 * one way or another.
 */
const buildLines = (n: number): (string | number)[][] =>
  Array.from({ length: n }, (_, i) => {
    const r = i >> 1
    const floor = 1 + (Math.floor(r / 100) % 25)
    const no = 1 + Math.floor(r / 2500)
    const owner = i % 2 === 0
    const isInvalid = i % 50 === 7
    return [
      isInvalid && i % 3 === 0 ? '表😀情' : nameOf(i),
      isInvalid && i % 3 === 1 ? '12' : `13${String(100_000_000 + i)}`,
      i % 3 ? '男' : '女',
      '1980-02-03',
      isInvalid && i % 3 === 2 ? '没有这栋' : `${1 + (r % 50)}栋`,
      String(1 + (Math.floor(r / 50) % 2)),
      `${floor}${String(no).padStart(2, '0')}`,
      owner ? '业主' : '家属',
      owner ? '是' : '',
      '2024-01-01',
      '基准',
      '党员',
      '基准',
    ]
  })

const writeBook = (rows: number, file: string): Promise<unknown> =>
  writeWorkbook(
    heading.map(h => ({ heading: h })),
    [buildLines(rows)],
    createWriteStream(file),
  )

const residentColumns =
  'owner_id, id, home_project, name, mobile, gender, user_type, birthday, work_unit, tags, remark, wechat_bind, app_bind, source, state, search_text'

const residencyColumns =
  'owner_id, id, project_code, user_id, room_id, build_code, relation, is_main, is_payer, in_date, status, apply_source'

interface PeopleImportSteps extends ImportSteps {
  close(): Promise<void>
}

/** The bare connection empties the tables: only a superuser may truncate them. */
async function openSteps(url: string, scope: Scope, bare: pg.Client): Promise<PeopleImportSteps> {
  const dir = mkdtempSync(join(tmpdir(), 'anju-people-'))
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader, { dataDir: dir })
  const app = t.app as { -readonly [K in keyof App]: App[K] }
  app.files = await openFiles(t.database, app.clock, dir)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const job = defined(defined(server.jobs).find(j => j.kind === 'import.residents.resident'))
  return {
    preview: async path => {
      const copy = join(dir, `upload-${performance.now()}`)
      await copyFile(path, copy)
      const upload = { name: '住户.xlsx', type: '', size: (await stat(copy)).size, path: copy }
      const seen = await t.call(importResidents.post, { ...project, mode: 'skip' }, { token, upload })
      if (!seen.good || !seen.errorCount)
        throw new Error(`preview: ${seen.good} good lines, ${seen.errorCount} errors`)
      return defined(seen.importId)
    },
    work: async importId => {
      const outcome = await job.run(
        { importId },
        jobContext(t, ownerScope(scope.ownerId, scope.operatorId, '基准')),
      )
      if (!outcome?.success || !outcome.fail)
        throw new Error('import: nothing went in, or nothing was refused')
    },
    clear: async () => {
      for (const table of ['user_room_log', 'user_room', 'resident', 'room_change_log']) {
        await bare.query(`truncate ${table} cascade`)
      }
      await bare.query(
        'update room set main_owner_id = null, main_owner_name = null, payer_id = null, payer_name = null, payer_kind = null, people = 0',
      )
      await bare.query('vacuum room')
    },
    close: () => t.close(),
  }
}

/** The rows of a table as COPY takes them. */
async function readRows(bare: pg.Client, table: string, columns: string): Promise<string> {
  const cells = columns.split(', ').map(c => `coalesce(${c}::text, '\\N')`)
  return (
    await bare.query<{ l: string }>(`select concat_ws(E'\\t', ${cells.join(', ')}) as l from ${table}`)
  ).rows
    .map(r => `${r.l}\n`)
    .join('')
}

/** COPY of the same people and homes into the same tables. */
async function measureCopy(bare: pg.Client, steps: ImportSteps): Promise<number> {
  const tables = [
    ['resident', residentColumns, await readRows(bare, 'resident', residentColumns)],
    ['user_room', residencyColumns, await readRows(bare, 'user_room', residencyColumns)],
  ] as const
  return median(async () => {
    await steps.clear()
    return measureMs(async () => {
      for (const [table, columns, rows] of tables) {
        await pipeline(Readable.from([rows]), bare.query(copyFrom(`copy ${table} (${columns}) from stdin`)))
      }
    })
  })
}

/**
 * Import of residents with their homes: checked, every fault reported, rooms updated, result file: against
 * reading the file and COPY of the same people and homes into the same tables.
 */
export async function run({ cluster, database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, 1, { withRooms: true })
  const file = join(folder(), 'people.xlsx')
  const small = join(folder(), 'small.xlsx')
  await writeBook(maxRows, file)
  await writeBook(maxRows / 4, small)
  // Row-level security refuses COPY in: the raw limit is measured as the superuser.
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const bare = new pg.Client(admin.href)
  await bare.connect()
  const steps = await openSteps(url, scope, bare)
  try {
    const few = await measureImport(steps, small)
    const all = await measureImport(steps, file)
    log(`导入 ${maxRows} 行`)
    const copy = await measureCopy(bare, steps)
    const raw = (await median(() => measureMs(() => readWorkbook(file)))) + copy
    return [
      atMost(3, {
        label: `导入 ${maxRows} 位住户与房屋：校验、写入、房间跟随、结果文件（对读文件 + COPY）`,
        ours: all.work,
        raw,
        unit: 'ms',
      }),
      atMost(3, {
        label: `预览 ${maxRows} 位住户：全部错误（对读文件 + COPY）`,
        ours: all.preview,
        raw,
        unit: 'ms',
      }),
      measureGrowth('导入住户', { rows: maxRows / 4, ms: few.work }, { rows: maxRows, ms: all.work }),
    ]
  } finally {
    await bare.end()
    await steps.close()
  }
}
