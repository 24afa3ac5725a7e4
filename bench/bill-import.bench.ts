import { createWriteStream, mkdtempSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { sql } from '#kit/server/db.ts'
import { openFiles } from '#kit/server/files.ts'
import { openTestWorld } from '#kit/server/ground/world.ts'
import { readWorkbook } from '#kit/server/workbook/read.ts'
import { writeWorkbook } from '#kit/server/workbook/write.ts'
import type { World } from '#kit/server/world.ts'
import { installed } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { callerOf } from '#modules/accounts/server/public.ts'
import { importBills } from '#modules/bills/contract/import.ts'
import { layFee } from '#modules/bills/server/generate.ground.ts'
import { server } from '#modules/bills/server/index.ts'
import { atMost, median, took, within, type Context, type Row } from './bench.ts'
import { copied } from './generate.bench.ts'
import { company, estateCode } from './rooms.ts'

export const name = 'bill-import'

const most = 20_000
/** A bill for every room of an estate from a sheet: found by path, judged against what stands, numbered, written with its month and the result file. */
export async function run({ cluster, database, folder, say }: Context): Promise<Row[]> {
  const url = await database(),
    who = await company(url, 1, true),
    dir = mkdtempSync(join(tmpdir(), 'anju-bill-import-')),
    file = join(folder(), 'bills.xlsx')
  const t = await openTestWorld(url, await installed(), callerOf, { dataDir: dir }),
    world = t.world as { -readonly [K in keyof World]: World[K] }
  world.files = await openFiles(t.store, world.clock, dir)
  const { rooms, item } = await t.store.tx(who.ownerId, async tx => {
    const f = await layFee(tx, who, estateCode(1))
    const named = (await tx.one<{ name: string }>(sql`select name from fee_item where owner_id = ${who.ownerId} and id = ${f.itemId}`))!
    return { item: named.name, rooms: await tx.rows<{ path: string }>(sql`select path from room where owner_id = ${who.ownerId} order by id limit ${most}`) }
  })
  const heading = ['房号', '收费项目', '账期起', '账期止', '金额', '应缴日', '备注']
  await writeWorkbook(
    heading.map(h => ({ heading: h })),
    [rooms.map((r, i) => [r.path, item, '2026-11-01', '2026-11-30', 100 + (i % 900) / 100, '2026-12-01', '基准'])],
    createWriteStream(file),
  )
  const { token } = await t.ask(login, { loginCode: 'bench', password: 'Anju2026' }),
    job = server.jobs!.find(j => j.kind === 'import.bills.bill')!
  const preview = async (): Promise<string> => {
    const path = join(dir, `upload-${performance.now()}`)
    await copyFile(file, path)
    const seen = await t.ask(importBills.post, { projectCode: estateCode(1), mode: 'skip' } as never, {
      token,
      upload: { name: '账单.xlsx', type: '', size: (await stat(path)).size, path },
    })
    if (seen.good !== most) throw new Error(`preview: ${seen.good} of ${most}`)
    return seen.importId!
  }
  const work = async (importId: string): Promise<void> => {
    const o = await job.run(
      { importId },
      {
        store: t.store,
        scope: who,
        world: t.world,
        task: 0,
        signal: new AbortController().signal,
        progress: () => {},
        checkpoint: { read: () => undefined, save: async () => {} },
      },
    )
    if (!o || o.success !== most) throw new Error('not every line went in')
  }
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const c = new pg.Client(admin.href)
  await c.connect()
  try {
    let importId = ''
    const looked = await median(async () =>
      took(async () => {
        importId = await preview()
      }),
    )
    say('预览 20000 张')
    const written = await median(async () => {
      await c.query('truncate bill, bill_month')
      return took(() => work(importId))
    })
    const raw = (await median(() => took(() => readWorkbook(file)))) + (await copied(c, admin.href, false))
    const peak = Math.round(process.resourceUsage().maxRSS / 1024)
    return [
      atMost(3, { what: `导入 ${most} 张账单：校验、写入、结果文件（对读文件 + COPY）`, ours: written, raw, unit: 'ms' }),
      atMost(3, { what: `预览 ${most} 张账单：全部错误（对读文件 + COPY）`, ours: looked, raw, unit: 'ms' }),
      within(512, { what: `导入 ${most} 张账单的内存峰值（整个基准进程）`, ours: peak, raw: peak, unit: 'MB' }),
    ]
  } finally {
    await c.end()
    await t.close()
  }
}
