import { execFile } from 'node:child_process'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openStore, sql } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import { openTestWorld } from '#kit/server/ground/world.ts'
import { knowEntities } from '#kit/server/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import { readWorkbook } from '#kit/server/workbook/read.ts'
import { writeWorkbook } from '#kit/server/workbook/write.ts'
import type { World } from '#kit/server/world.ts'
import { installed } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { callerOf } from '#modules/accounts/server/public.ts'
import { importBills } from '#modules/bills/contract/import.ts'
import { layFee } from '#modules/bills/server/generate.ground.ts'
import { server } from '#modules/bills/server/index.ts'
import { actor } from '../db/golden/lay.ts'
import { atMost, median, took, within, type Context, type Row } from './bench.ts'
import { copied } from './generate.bench.ts'
import { company, estateCode } from './rooms.ts'
import { atHand } from './work.ts'

export const name = 'bill-import'

const most = 20_000

interface Steps {
  preview(): Promise<string>
  work(importId: string): Promise<void>
  close(): Promise<void>
}

/** The product's own preview and job on a database, without the wait for a worker. */
async function steps(url: string, who: Scope, file: string): Promise<Steps> {
  const dir = mkdtempSync(join(tmpdir(), 'anju-bill-import-'))
  const t = await openTestWorld(url, await installed(), callerOf, { dataDir: dir })
  const world = t.world as { -readonly [K in keyof World]: World[K] }
  world.files = await openFiles(t.store, world.clock, dir)
  const { token } = await t.ask(login, { loginCode: 'bench', password: 'Anju2026' })
  const job = server.jobs!.find(j => j.kind === 'import.bills.bill')!
  return {
    preview: async () => {
      const path = join(dir, `upload-${performance.now()}`)
      await copyFile(file, path)
      const upload = { name: '账单.xlsx', type: '', size: (await stat(path)).size, path }
      const seen = await t.ask(importBills.post, { projectCode: estateCode(1), mode: 'skip' } as never, {
        token,
        upload,
      })
      if (seen.good !== most) throw new Error(`preview: ${seen.good} of ${most}`)
      return seen.importId!
    },
    work: async importId => {
      const o = await job.run({ importId }, atHand(t, who))
      if (!o || o.success !== most) throw new Error('not every line went in')
    },
    close: () => t.close(),
  }
}

/** A line for every room of an estate. */
async function sheet(url: string, who: Scope, file: string): Promise<void> {
  knowEntities((await installed()).flatMap(m => m.contract.entities))
  const store = openStore(url, { pool: 1, bulk: 1 })
  const { rooms, item } = await store.tx(who.ownerId, async tx => {
    const f = await layFee(tx, who, estateCode(1))
    const named = (await tx.one<{ name: string }>(
      sql`select name from fee_item where owner_id = ${who.ownerId} and id = ${f.itemId}`,
    ))!
    return {
      item: named.name,
      rooms: await tx.rows<{ path: string }>(
        sql`select path from room where owner_id = ${who.ownerId} order by id limit ${most}`,
      ),
    }
  })
  await store.close()
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
export async function run({ cluster, database, folder, say }: Context): Promise<Row[]> {
  const url = await database()
  const who = await company(url, 1, true)
  const file = join(folder(), 'bills.xlsx')
  await sheet(url, who, file)
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const c = new pg.Client(admin.href)
  await c.connect()
  const s = await steps(url, who, file)
  const clear = (): Promise<unknown> => c.query('truncate bill, bill_month')
  try {
    let importId = ''
    const looked = await median(async () =>
      took(async () => {
        importId = await s.preview()
      }),
    )
    say(`预览 ${most} 张`)
    const written = await median(async () => {
      await clear()
      return took(() => s.work(importId))
    })
    const raw = (await median(() => took(() => readWorkbook(file)))) + (await copied(c, admin.href, false))
    await clear()
    const peak = Number(
      (
        await promisify(execFile)(process.execPath, [
          import.meta.filename,
          url,
          String(who.ownerId),
          String(who.operatorId),
          file,
        ])
      ).stdout,
    )
    return [
      atMost(3, {
        what: `导入 ${most} 张账单：校验、写入、结果文件（对读文件 + COPY）`,
        ours: written,
        raw,
        unit: 'ms',
      }),
      atMost(3, { what: `预览 ${most} 张账单：全部错误（对读文件 + COPY）`, ours: looked, raw, unit: 'ms' }),
      within(512, { what: `导入 ${most} 张账单的内存峰值`, ours: peak, raw: peak, unit: 'MB' }),
    ]
  } finally {
    await c.end()
    await s.close()
  }
}

if (import.meta.main) {
  const [url, owner, operator, file] = process.argv.slice(2) as [string, string, string, string]
  const s = await steps(url, actor(Number(owner), Number(operator), '基准'), file)
  await s.work(await s.preview())
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
  await s.close()
}
