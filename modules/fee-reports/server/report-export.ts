import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { sheetLimits, writeLine, type SheetColumn } from '#kit/contract/sheet.ts'
import type { ExportAsk } from '#kit/contract/transfer.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { reads, writes, type Handler } from '#kit/server/handle.ts'
import { job, type Job } from '#kit/server/jobs.ts'
import type { Scope } from '#kit/server/scope.ts'
import { writeWorkbook, xlsx } from '#kit/server/workbook/write.ts'
import type { Report } from '../contract/report.ts'
import { answer, type Answer, type Asked, type Source } from './report.ts'

type Wanted = Asked & ExportAsk
const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

const counted = (n: number, { expected }: ExportAsk): number => {
  if (expected !== undefined && expected !== n)
    refuse(`符合条件的数据现在有 ${grouped(n)} 条（刚才是 ${grouped(expected)} 条），请刷新后重新导出`)
  if (n > sheetLimits.xlsxRows)
    refuse(`共 ${grouped(n)} 行，超过一张表的 ${grouped(sheetLimits.xlsxRows)} 行，请缩小筛选范围`)
  return n || refuse('没有符合条件的数据，请调整筛选条件')
}

/** The asked columns under the name of the way it is broken down, and a last line with the totals. */
function sheet(
  r: Report,
  q: Wanted,
  said: Answer,
): { columns: readonly SheetColumn[]; lines: (string | number | undefined)[][] } {
  const by = r.by.rows[q.by ?? r.usual]![1]
  const chosen = q.columns?.length ? r.columns.filter(c => q.columns!.includes(c.key)) : r.columns
  const columns = (chosen.length ? chosen : r.columns).map(c => ({
    ...c,
    required: false,
    ...(c.key === 'name' ? { heading: by } : {}),
  }))
  return {
    columns,
    lines: [...said.rows, { ...said.sum, name: '合计' }].map(x => writeLine(columns, x as never, false)),
  }
}

/**
 * The handlers of a report's export: up to 2,000 rows at once, more as a task (EXP-1, EXP-2, EXP-5); each
 * leaves its line in the log.
 */
export function reportExport(
  r: Report,
  s: Source,
): { readonly handlers: readonly Handler[]; readonly job: Job } {
  const noted = (who: Scope, input: object, rows: number) => [
    {
      action: 'export' as const,
      entity: r.of.name,
      entityId: 0,
      projectCode: who.projectCode || undefined,
      after: { report: r.key, rows, filter: input },
    },
  ]
  const one = (q: Wanted) => ({ size: 1, from: 0, ...(q.ids?.length ? { ids: q.ids } : {}) })
  const all = (q: Wanted) => ({ ...one(q), size: sheetLimits.xlsxRows })
  const handlers = [
    reads(r.export.get, async (q: Wanted, { db, scope, today, world }) => {
      const said = await answer(db, r, s, q, { scope, today }, { ...all(q), size: sheetLimits.direct })
      if (counted(said.total, q) > sheetLimits.direct)
        return refuse(
          `共 ${grouped(said.total)} 条，超过 ${grouped(sheetLimits.direct)} 条，请用后台导出，完成后在任务中心下载`,
        )
      const { columns, lines } = sheet(r, q, said)
      const out = new PassThrough()
      await world.store.tx(scope.ownerId, tx => audit(tx, scope, noted(scope, q, said.total)))
      writeWorkbook(columns, [lines], out, { sheetName: r.title }).catch(e => out.destroy(e as Error))
      return { name: `${r.title}_${today.replaceAll('-', '')}.xlsx`, type: xlsx, body: out }
    }),
    writes(r.export.start, async (q: Wanted, { tx, scope, today, world }) => {
      const n = counted((await answer(tx, r, s, q, { scope, today }, one(q))).total, q)
      return world.jobs.start(
        tx,
        scope,
        `export.fee-reports.${r.key}`,
        `导出${r.title} ${grouped(n)} 条`,
        q as object,
      )
    }),
  ]
  const work = job<Wanted>({
    kind: `export.fee-reports.${r.key}`,
    type: 20,
    run: async ({ expected: _, ...q }, c) => {
      const today = dayOfMoment(fromInstant(c.world.clock()))
      const said = await answer(c.store.reader(c.scope.ownerId), r, s, q, { scope: c.scope, today }, all(q))
      const { columns, lines } = sheet(r, q, said)
      counted(said.total, {})
      const dir = join(c.world.dataDir, 'tmp')
      const path = join(dir, randomUUID())
      await mkdir(dir, { recursive: true, mode: 0o700 })
      try {
        c.signal.throwIfAborted()
        await writeWorkbook(columns, [lines], createWriteStream(path, { mode: 0o600 }), {
          sheetName: r.title,
        })
        const file = await c.world.files.keep(
          c.scope.ownerId,
          c.scope.operatorId,
          { name: `${r.title}_${today.replaceAll('-', '')}.xlsx`, type: xlsx, path },
          sheetLimits.days,
        )
        await c.store.tx(c.scope.ownerId, tx => audit(tx, c.scope, noted(c.scope, q, said.total)))
        return { success: said.total, file, message: `已导出 ${grouped(said.total)} 条` }
      } finally {
        await rm(path, { force: true })
      }
    },
  })
  return { handlers, job: work }
}
