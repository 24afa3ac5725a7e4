import { parseId } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Database, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { defineJob } from '#kit/server/jobs.ts'
import { createLabelSheet, saveLabelSheet, type LabelSheet, type QrLabel } from '#kit/server/label-sheet.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { maxDirectLabels, meterFilters, printLabels, startLabels } from '../contract/meter-calls.ts'
import { meterKind } from '../contract/choices.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { meterConditions, toMeterColumnFilters } from './meter.ts'

const maxLabels = 3000

/**
 * The content of the QR code: the address of the phone screen for this meter; without an address, its project
 * and number.
 */
export const buildLabelText = (
  address: string | undefined,
  meterRow: Pick<Meter, 'projectCode' | 'meterNo'>,
): string =>
  address
    ? `${address}/intelligentMeter/checkmeter/mobilemeterreading?project=${encodeURIComponent(meterRow.projectCode)}&meter=${encodeURIComponent(meterRow.meterNo)}`
    : `${meterRow.projectCode}/${meterRow.meterNo}`

const labelOfMeter = (meterRow: Meter, address: string | undefined): QrLabel => ({
  code: buildLabelText(address, meterRow),
  kind: `${labelOf(meterKind, meterRow.meterKind)}表`,
  title: meterRow.meterNo,
  place: meterRow.sourceName,
  notes: [meterRow.location, meterRow.multiple === '1' ? undefined : `倍率 ${meterRow.multiple}`],
})

type LabelQuery = NonNullable<typeof printLabels.input.T>

/** The meters of a query, in the order of the list; refuses none and too many. */
async function findLabelled(db: Db, scope: Scope, today: Day, query: LabelQuery): Promise<Meter[]> {
  const { ids, address: _address, ...filter } = query
  const found = await findAll(
    db,
    meter,
    scope,
    { ...toMeterColumnFilters(filter), order: 'sortKey,meterNo' },
    {
      filters: meterFilters,
      where: [
        ...meterConditions(filter, today),
        ...(ids?.length ? [sql`t.id = any(${ids.map(parseId)})`] : []),
      ],
      limit: maxLabels + 1,
    },
  )
  if (!found.length) refuse('无符合条件的仪表，请调整筛选条件')
  if (found.length > maxLabels) refuse(`一次最多打印 ${maxLabels} 张标签，请缩小筛选范围`)
  return found
}

const sheetOf = (today: Day): LabelSheet => ({
  name: `仪表二维码_${today.replaceAll('-', '')}.pdf`,
  title: '仪表二维码',
})

const auditLabels = (
  database: Database,
  scope: Scope,
  { projectCode }: LabelQuery,
  labels: number,
): Promise<void> =>
  database.tx(scope.ownerId, tx =>
    audit(tx, scope, [{ action: 'export', entity: 'meter', entityId: 0, projectCode, after: { labels } }]),
  )

/** A project's labels. */
const labelJob = defineJob<LabelQuery>({
  kind: 'meters.labels',
  type: 20,
  run: async (query, { app, database, scope, signal, reportProgress }) => {
    const today = dayOfMoment(fromInstant(app.clock()))
    const meters = await findLabelled(database.reader(scope.ownerId), scope, today, query)
    const file = await saveLabelSheet(
      { app, scope, signal, reportProgress },
      sheetOf(today),
      meters.map(meterRow => labelOfMeter(meterRow, query.address)),
    )
    await auditLabels(database, scope, query, meters.length)
    return { success: meters.length, file, message: `已生成 ${meters.length} 张标签` }
  },
})

export const labelJobs = [labelJob]

export const labelHandlers = [
  reads(printLabels, async (query, { db, scope, today, app }) => {
    const found = await findLabelled(db, scope, today, query)
    if (found.length > maxDirectLabels)
      return refuse(`共 ${found.length} 张，超过 ${maxDirectLabels} 张，请用后台生成，完成后在任务中心下载`)
    await auditLabels(app.database, scope, query, found.length)
    return createLabelSheet(
      sheetOf(today),
      found.map(meterRow => labelOfMeter(meterRow, query.address)),
    )
  }),
  writes(startLabels, async (query, { tx, scope, today, app }) => {
    const { length } = await findLabelled(tx, scope, today, query)
    return app.jobs.start(tx, scope, labelJob.kind, `生成仪表二维码 ${length} 张`, query)
  }),
]
