import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { sql } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { importRooms } from '#modules/rooms/contract/import-export.ts'
import { server } from '#modules/rooms/server/index.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import type { App } from '#kit/server/app.ts'
import {
  atMost,
  measureGrowth,
  median,
  measureMs,
  atMostLimit,
  type BenchContext,
  type BenchRow,
} from './bench.ts'
import { seedCompany, estateCode } from './room-data.ts'
import { measureImport, type ImportSteps } from './import-steps.ts'
import { measurePeakMemory } from './peak-memory.ts'
import { jobContext } from './job-harness.ts'

export const name = 'import'

const maxRows = 20_000
const project = { projectCode: estateCode(1) }

const heading = [
  '楼栋',
  '单元',
  '楼层',
  '房号',
  '房屋类型',
  '建筑面积',
  '套内面积',
  '公摊面积',
  '计费面积',
  '收费系数',
  '户型',
  '朝向',
  '房态',
  '使用性质',
  '交付日期',
  '产权证号',
  '备注',
]

/** Rooms of every building; one line in fifty is wrong in one way or another. */
function buildLines(n: number): (string | number)[][] {
  return Array.from({ length: n }, (_, i) => {
    const b = 1 + (i % 50)
    const u = 1 + (Math.floor(i / 50) % 2)
    const f = 1 + (Math.floor(i / 100) % 25)
    const isInvalid = i % 50 === 7
    return [
      isInvalid && i % 3 === 0 ? '没有这栋' : `${b}栋`,
      String(u),
      isInvalid && i % 3 === 1 ? 99 : f,
      `${f}${String(Math.floor(i / 2500) + 1).padStart(2, '0')}`,
      '住宅',
      isInvalid && i % 3 === 2 ? '八十' : 88.5 + (i % 9),
      70.25,
      18.25,
      88.5,
      1,
      '3室2厅',
      '南北',
      '空置',
      '自住',
      '2021-06-18',
      `粤${i}`,
      '基准',
    ]
  })
}

const writeBook = (rows: number, file: string): Promise<unknown> =>
  writeWorkbook(
    heading.map(h => ({ heading: h })),
    [buildLines(rows)],
    createWriteStream(file),
  )

interface RoomImportSteps extends ImportSteps {
  close(): Promise<void>
}

/** The product's own preview and job on a database, without the wait for a worker. */
async function openSteps(url: string, ownerId: Id, operatorId: Id): Promise<RoomImportSteps> {
  const dir = mkdtempSync(join(tmpdir(), 'anju-import-'))
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader, { dataDir: dir })
  const app = t.app as { -readonly [K in keyof App]: App[K] }
  const scope = ownerScope(ownerId, operatorId, '基准')
  app.files = await openFiles(t.database, app.clock, dir)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const job = defined(defined(server.jobs).find(j => j.kind === 'import.rooms.room'))
  return {
    preview: async file => {
      const path = join(dir, `upload-${performance.now()}`)
      await copyFile(file, path)
      const seen = await t.call(
        importRooms.post,
        { ...project, mode: 'skip' },
        {
          token,
          upload: { name: '房间.xlsx', type: '', size: (await stat(path)).size, path },
        },
      )
      if (seen.good !== defined(seen.rows) - defined(seen.errorCount))
        throw new Error(`preview: ${seen.good} of ${seen.rows}, ${seen.errorCount} errors`)
      return defined(seen.importId)
    },
    work: async importId => {
      const o = await job.run({ importId }, jobContext(t, scope))
      if (!o || !o.success || !o.fail) throw new Error('import: nothing went in, or nothing was refused')
    },
    clear: () =>
      t.database.tx(ownerId, async tx => {
        await tx.execute(sql`delete from room where owner_id = ${ownerId}`)
      }),
    close: () => t.close(),
  }
}

const columns =
  'owner_id, project_code, code, path, build_code, unit_name, floor_num, room_no, room_type, build_area, inner_area, share_area, charge_area, fee_ratio, layout, orientation, room_state, use_type, deliver_date, owner_cert_no, remark, state, sort_key'

/** The rooms as COPY takes them. */
async function readRows(bare: pg.Client): Promise<string> {
  return (
    (
      await bare.query<{ l: string }>(
        `select concat_ws(E'\\t', ${columns
          .split(', ')
          .map(c => `coalesce(${c}::text, '\\N')`)
          .join(', ')}) as l from room`,
      )
    ).rows
      .map(r => r.l)
      .join('\n') + '\n'
  )
}

/**
 * Import of rooms, validated, faults reported, result file written: against reading the file and COPY of the
 * same rows into the same table.
 */
export async function run({ cluster, database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, 1, { withRooms: false })
  const file = join(folder(), 'rooms.xlsx')
  const small = join(folder(), 'small.xlsx')
  await writeBook(maxRows, file)
  await writeBook(maxRows / 4, small)
  // Row-level security refuses COPY in: the raw limit is measured as the superuser.
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const steps = await openSteps(url, scope.ownerId, scope.operatorId)
  const bare = new pg.Client(admin.href)
  await bare.connect()
  try {
    const few = await measureImport(steps, small)
    const all = await measureImport(steps, file)
    log(`导入 ${maxRows} 行`)
    const text = await readRows(bare)
    const copy = await median(async () => {
      await steps.clear()
      return measureMs(() =>
        pipeline(Readable.from([text]), bare.query(copyFrom(`copy room (${columns}) from stdin`))),
      )
    })
    const raw = (await median(() => measureMs(() => readWorkbook(file)))) + copy
    const peak = await measurePeakMemory(import.meta.filename, url, scope, file)
    return [
      atMost(2, {
        label: `导入 ${maxRows} 个房间：校验、写入、结果文件（对读文件 + COPY）`,
        ours: all.work,
        raw,
        unit: 'ms',
      }),
      atMost(2, {
        label: `预览 ${maxRows} 个房间：全部错误（对读文件 + COPY）`,
        ours: all.preview,
        raw,
        unit: 'ms',
      }),
      measureGrowth('导入', { rows: maxRows / 4, ms: few.work }, { rows: maxRows, ms: all.work }),
      atMostLimit(512, { label: `导入 ${maxRows} 行的内存峰值`, ours: peak, raw: peak, unit: 'MB' }),
    ]
  } finally {
    await bare.end()
    await steps.close()
  }
}

if (import.meta.main) {
  const [url = '', ownerId = '', operator = '', file = ''] = process.argv.slice(2)
  const steps = await openSteps(url, asId(Number(ownerId)), asId(Number(operator)))
  await steps.clear()
  await steps.work(await steps.preview(file))
  await steps.close()
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
}
