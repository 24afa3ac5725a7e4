import type { Id } from '#kit/domain/id.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listReplacements } from '../contract/meter-calls.ts'
import type { Meter } from '../contract/meter.ts'
import { listReadings } from '../contract/reading.ts'
import { BillLink, formatUsage } from './labels.tsx'

const readingColumns = buildColumns(listReadings.output, [
  'month',
  'readDate',
  'lastNum',
  'curNum',
  { key: 'usage', strong: true, text: formatUsage, render: formatUsage },
  'isEstimate',
  'source',
  { key: 'billNo', grow: 1, render: r => <BillLink no={r.billNo} />, text: r => r.billNo ?? '--' },
  'state',
])

/** What was read of one meter. */
export const MeterReadings = ({ meterId }: { readonly meterId: Id }) => (
  <ListPage
    list={listReadings}
    itemName="抄表记录"
    columns={readingColumns}
    fixedFilter={{ meterId }}
    filters={[]}
    embedded
    pageSize={12}
    settingsKey="meters/of"
  />
)

const replacementColumns = buildColumns(listReplacements.output, [
  'replaceDate',
  'oldEndNum',
  { key: 'oldUsage', title: '并入新表的用量' },
  'newMeterNo',
  'newInitNum',
  'newMultiple',
  { key: 'reason', grow: 1 },
])

/** What took its place. */
export const MeterReplacements = ({ of }: { readonly of: Pick<Meter, 'id'> }) => (
  <ListPage
    list={listReplacements}
    itemName="换表记录"
    columns={replacementColumns}
    fixedFilter={{ meterId: [String(of.id)] }}
    filters={[]}
    embedded
    pageSize={12}
    settingsKey="meters/replaced"
  />
)
