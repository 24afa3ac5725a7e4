import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listReplaced } from '../contract/device.ts'
import type { Meter } from '../contract/meter.ts'
import { listReadings } from '../contract/reading.ts'
import { BillOf, usageWords } from './words.tsx'

const shown = columns(listReadings.output, [
  'month',
  'readDate',
  'lastNum',
  'curNum',
  { key: 'usage', strong: true, text: usageWords, render: usageWords },
  'isEstimate',
  'source',
  { key: 'billNo', grow: 1, render: r => <BillOf no={r.billNo} />, text: r => r.billNo ?? '--' },
  'state',
])

/** What was read of one meter. */
export const Readings = ({ meterId }: { readonly meterId: number }) => (
  <ListPage
    list={listReadings}
    what="抄表记录"
    columns={shown}
    fixed={{ meterId }}
    filters={[]}
    embedded
    size={12}
    name="meters/of"
  />
)

const replaced = columns(listReplaced.output, [
  'replaceDate',
  'oldEndNum',
  { key: 'oldUsage', title: '并入新表的用量' },
  'newMeterNo',
  'newInitNum',
  'newMultiple',
  { key: 'reason', grow: 1 },
])

/** What took its place. */
export const Replaced = ({ of }: { readonly of: Pick<Meter, 'id'> }) => (
  <ListPage
    list={listReplaced}
    what="换表记录"
    columns={replaced}
    fixed={{ meterId: [String(of.id)] }}
    filters={[]}
    embedded
    size={12}
    name="meters/replaced"
  />
)
