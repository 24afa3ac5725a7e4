import { PassThrough } from 'node:stream'
import { labelOf } from '#kit/contract/field.ts'
import type { Blob } from '#kit/contract/shape.ts'
import { sheetColumns, writeLine, type SheetColumn } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { World } from '#kit/server/world.ts'
import { writeWorkbook, xlsx } from '#kit/server/workbook/write.ts'
import { previewGroup } from '../contract/choices.ts'
import { exportPreview, previewRow, type Preview } from '../contract/run.ts'

type Ask = NonNullable<typeof exportPreview.input.T>

/** What is exported is no form: nothing in it is asked for. */
const told = (keys: readonly (keyof typeof previewRow)[]): readonly SheetColumn[] =>
  sheetColumns(previewRow, keys).map(c => ({ ...c, required: false }))

const columns = {
  make: told([
    'sourceName',
    'payerName',
    'itemName',
    'standardName',
    'begin',
    'end',
    'dueDate',
    'amount',
    'last',
    'change',
    'jump',
    'payerMissing',
    'sentence',
  ]),
  skip: told(['sourceName', 'itemName', 'standardName', 'begin', 'end', 'reason', 'detail']),
} as const

/** One group of a preview as a workbook, in the columns of the screen (EXP-4, EXP-5). */
export async function previewFile(
  world: World,
  scope: Scope,
  { group = 'make', reason, ...asked }: Ask,
  p: Preview,
  today: Day,
): Promise<Blob> {
  const rows = p.rows.filter(r => r.group === group && (!reason || r.reason === reason))
  const of = columns[group === 'make' ? 'make' : 'skip']
  const out = new PassThrough()
  const what = `账单预览_${labelOf(previewGroup, group)}`
  if (!rows.length) return refuse('没有可导出的预览，请调整范围后重新预览')
  await world.store.tx(scope.ownerId, tx =>
    audit(tx, scope, [
      {
        action: 'export',
        entity: 'bill',
        entityId: 0,
        projectCode: asked.projectCode,
        after: { rows: rows.length, preview: group, filter: { ...asked, reason } },
      },
    ]),
  )
  writeWorkbook(of, [rows.map(r => writeLine(of, r as Record<string, unknown>, !scope.privacy))], out, {
    sheetName: what,
  }).catch(e => out.destroy(e as Error))
  return { name: `${what}_${asked.month}_${today.replaceAll('-', '')}.xlsx`, type: xlsx, body: out }
}
