import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { execFile } from 'node:child_process'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { writeXlsxStream } from 'hucre/xlsx'
import { openFiles } from '#kit/server/files.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import type { App } from '#kit/server/app.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { roomColumns } from '#modules/rooms/contract/import-export.ts'
import { server } from '#modules/rooms/server/index.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { atMost, median, measureMs, type BenchContext, type BenchRow } from './bench.ts'
import { seedCompany, estateCode, roomsPerEstate } from './room-data.ts'
import { jobContext } from './job-harness.ts'

export const name = 'export'

const estates = 5

/** Two of four kinds: half of the rooms. */
const half = roomsPerEstate / 2

interface Exports {
  run(projects: number): Promise<void>
  close(): Promise<void>
}

async function prepareExports(url: string, ownerId: Id, operatorId: Id): Promise<Exports> {
  const dir = mkdtempSync(join(tmpdir(), 'anju-export-'))
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader, { dataDir: dir })
  const app = t.app as { -readonly [K in keyof App]: App[K] }
  app.files = await openFiles(t.database, app.clock, dir)
  const job = defined(defined(server.jobs).find(j => j.kind === 'export.rooms.room'))
  return {
    run: async projects => {
      // A data domain of so many estates: the list's own way to a part of the rooms.
      const scope = {
        ...ownerScope(ownerId, operatorId, '基准'),
        domain: {
          all: false,
          projects: new Map(Array.from({ length: projects }, (_, i) => [estateCode(i + 1), null])),
        },
      }
      const o = await job.run({ roomType: ['home', 'flat'] }, jobContext(t, scope))
      if (o?.success !== projects * half) throw new Error(`export: ${o?.success} rows`)
    },
    close: () => t.close(),
  }
}

/**
 * Export of rooms from the list's own query to a kept file, against the sheet library writing constants of
 * the same width.
 */
export async function run({ database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, estates, { withRooms: true })
  const x = await prepareExports(url, scope.ownerId, scope.operatorId)
  const file = join(folder(), 'raw.xlsx')
  const row = roomColumns.map((c, i) => (c.format === '@' || i % 3 ? `锦绣花园-${i}` : 88.5 + i))
  const columns = roomColumns.map(c => ({ header: c.heading }))
  const constants = function* (n: number): Generator<(string | number)[]> {
    for (let i = 0; i < n; i++) {
      yield row
    }
  }
  const written = (n: number): Promise<number> =>
    median(() =>
      measureMs(() =>
        pipeline(
          Readable.fromWeb(writeXlsxStream(constants(n), { name: '数据', columns })),
          createWriteStream(file),
        ),
      ),
    )
  // A small heap, so that uncollected garbage does not count; a need that grew with the rows would break it.
  const peak = async (projects: number): Promise<number> =>
    Number(
      (
        await promisify(execFile)(process.execPath, [
          '--max-old-space-size=80',
          import.meta.filename,
          url,
          String(scope.ownerId),
          String(scope.operatorId),
          String(projects),
        ])
      ).stdout,
    )
  try {
    const rows = estates * half
    const ours = await median(() => measureMs(() => x.run(estates)))
    const raw = await written(rows)
    log(`导出 ${rows} 行`)
    const one = await peak(1)
    const all = await peak(estates)
    return [
      atMost(1, {
        label: `导出 ${rows} 行 × ${roomColumns.length} 列 xlsx（对表格库只写常量）`,
        ours,
        raw,
        unit: 'ms',
      }),
      atMost(1.25, { label: `导出 ${rows} 行的内存峰值（对 ${half} 行）`, ours: all, raw: one, unit: 'MB' }),
    ]
  } finally {
    await x.close()
  }
}

if (import.meta.main) {
  const [url = '', ownerId = '', operator = '', projects = ''] = process.argv.slice(2)
  const x = await prepareExports(url, asId(Number(ownerId)), asId(Number(operator)))
  await x.run(Number(projects))
  await x.close()
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
}
