import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { execFile } from 'node:child_process'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openDatabase, sql } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { registerEntities } from '#kit/server/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import type { App } from '#kit/server/app.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { importBills } from '#modules/bills/contract/import.ts'
import { seedFee } from '#modules/bills/server/generate.fixtures.ts'
import { server } from '#modules/bills/server/index.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import { atMost, median, measureMs, atMostLimit, type BenchContext, type BenchRow } from './bench.ts'
import { copyBills } from './generate.bench.ts'
import { seedCompany, estateCode } from './room-data.ts'
import { jobContext } from './job-harness.ts'

export const name = 'bill-import'

const maxRows = 20_000

interface StepTimes {
  preview(): Promise<string>
  work(importId: string): Promise<void>
  close(): Promise<void>
}

/** The product's own preview and job on a database, without the wait for a worker. */
async function measureSteps(url: string, scope: Scope, file: string): Promise<StepTimes> {
  const dir = mkdtempSync(join(tmpdir(), 'anju-bill-import-'))
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader, { dataDir: dir })
  const app = t.app as { -readonly [K in keyof App]: App[K] }
  app.files = await openFiles(t.database, app.clock, dir)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const job = defined(defined(server.jobs).find(j => j.kind === 'import.bills.bill'))
  return {
    preview: async () => {
      const path = join(dir, `upload-${performance.now()}`)
      await copyFile(file, path)
      const upload = { name: '账单.xlsx', type: '', size: (await stat(path)).size, path }
      const seen = await t.call(
        importBills.post,
        { projectCode: estateCode(1), mode: 'skip' },
        {
          token,
          upload,
        },
      )
      if (seen.good !== maxRows) throw new Error(`preview: ${seen.good} of ${maxRows}`)
      return defined(seen.importId)
    },
    work: async importId => {
      const o = await job.run({ importId }, jobContext(t, scope))
      if (!o || o.success !== maxRows) throw new Error('not every line went in')
    },
    close: () => t.close(),
  }
}

/** A line for every room of an estate. */
async function writeSheet(url: string, scope: Scope, file: string): Promise<void> {
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  const database = openDatabase(url, { pool: 1, bulk: 1 })
  const { rooms, item } = await database.tx(scope.ownerId, async tx => {
    const f = await seedFee(tx, scope, estateCode(1))
    const named = defined(
      await tx.one<{ name: string }>(
        sql`select name from fee_item where owner_id = ${scope.ownerId} and id = ${f.itemId}`,
      ),
    )
    return {
      item: named.name,
      rooms: await tx.rows<{ path: string }>(
        sql`select path from room where owner_id = ${scope.ownerId} order by id limit ${maxRows}`,
      ),
    }
  })
  await database.close()
  const heading = ['房号', '收费项目', '账期起', '账期止', '金额', '应缴日', '备注']
  await writeWorkbook(
    heading.map(h => ({ heading: h })),
    [
      rooms.map((r, i) => [
        r.path,
        item,
        '2026-11-01',
        '2026-11-30',
        100 + (i % 900) / 100,
        '2026-12-01',
        '基准',
      ]),
    ],
    createWriteStream(file),
  )
}

/**
 * A bill for every room of an estate from a sheet: found by path, judged against what stands, numbered,
 * written with its month and the result file.
 */
export async function run({ cluster, database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, 1, { withRooms: true })
  const file = join(folder(), 'bills.xlsx')
  await writeSheet(url, scope, file)
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const c = new pg.Client(admin.href)
  await c.connect()
  const s = await measureSteps(url, scope, file)
  const clear = (): Promise<unknown> => c.query('truncate bill, bill_month')
  try {
    let importId = ''
    const looked = await median(async () =>
      measureMs(async () => {
        importId = await s.preview()
      }),
    )
    log(`预览 ${maxRows} 张`)
    const written = await median(async () => {
      await clear()
      return measureMs(() => s.work(importId))
    })
    const raw =
      (await median(() => measureMs(() => readWorkbook(file)))) + (await copyBills(c, admin.href, false))
    await clear()
    const peak = Number(
      (
        await promisify(execFile)(process.execPath, [
          import.meta.filename,
          url,
          String(scope.ownerId),
          String(scope.operatorId),
          file,
        ])
      ).stdout,
    )
    return [
      atMost(3, {
        label: `导入 ${maxRows} 张账单：校验、写入、结果文件（对读文件 + COPY）`,
        ours: written,
        raw,
        unit: 'ms',
      }),
      atMost(3, {
        label: `预览 ${maxRows} 张账单：全部错误（对读文件 + COPY）`,
        ours: looked,
        raw,
        unit: 'ms',
      }),
      atMostLimit(512, { label: `导入 ${maxRows} 张账单的内存峰值`, ours: peak, raw: peak, unit: 'MB' }),
    ]
  } finally {
    await c.end()
    await s.close()
  }
}

if (import.meta.main) {
  const [url = '', ownerId = '', operator = '', file = ''] = process.argv.slice(2)
  const s = await measureSteps(url, ownerScope(asId(Number(ownerId)), asId(Number(operator)), '基准'), file)
  await s.work(await s.preview())
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
  await s.close()
}
