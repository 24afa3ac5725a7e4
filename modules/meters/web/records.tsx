import { useState, type ReactNode } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { act, bulkWords, withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { KeptImages } from '#kit/web/kept-images.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { anomaly, readingState } from '../contract/choices.ts'
import { meterReading, type MeterReading } from '../contract/meter.ts'
import {
  confirmReadings,
  deleteReadings,
  deleteReadingsFound,
  editReading,
  listReadings,
} from '../contract/reading.ts'
import { exportReadings, importReadings } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { BillOf, Flags, Times, usageWords } from './words.tsx'
import './meters.css'

const HistoryDialog = later(() => import('./history.tsx').then(m => m.HistoryDialog))

const billed = (r: MeterReading): string | undefined =>
  r.state === 'billed' ? `读数已出账${r.billNo ? `（账单 ${r.billNo}）` : ''}，请先作废账单` : undefined

const remove = withReason<MeterReading>(deleteReadings, {
  what: '条读数',
  name: r => `${r.meterNo} ${r.month}`,
  follows: ['后一次读数的上期止数随之改变', '已出账的读数会保留'],
  presets: ['录入有误', '重复录入'],
  why: billed,
})

const confirm = withReason<MeterReading>(confirmReadings, {
  verb: '确认异常',
  what: '条读数',
  name: r => `${r.meterNo} ${r.month}`,
  follows: ['确认后可以出账'],
  presets: ['现场复核无误', '长期无人居住', '用户确认用量'],
  why: r => (!r.anomalies?.length ? '读数没有异常' : r.confirmed ? '已经确认过' : billed(r)),
})

const readingColumns = columns(listReadings.output, [
  { key: 'sourceName', identity: true, grow: 1 },
  { key: 'meterNo', width: 140 },
  'meterKind',
  'month',
  { key: 'lastDate', aside: true },
  { key: 'lastNum', roomy: true, drop: 2 },
  'curNum',
  { key: 'usage', strong: true, text: usageWords, render: usageWords },
  'readDate',
  { key: 'multiple', aside: true },
  { key: 'isRollover', aside: true },
  { key: 'isEstimate', roomy: true, drop: 1 },
  { key: 'source', roomy: true, drop: 1 },
  {
    key: 'anomalies',
    width: 160,
    render: r => <Flags of={r} />,
    text: r => r.anomalies?.map(a => labelOf(anomaly, a)).join('、') ?? '--',
  },
  {
    key: 'billNo',
    roomy: true,
    drop: 2,
    grow: 1,
    render: r => <BillOf no={r.billNo} />,
    text: r => r.billNo ?? '--',
  },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'doubt', name: '待确认异常', filter: { doubtful: true } },
  { id: 'open', name: '未出账', filter: { state: ['open'] } },
  { id: 'billed', name: '已出账', filter: { state: ['billed'] } },
  { id: 'guess', name: '估抄', filter: { isEstimate: true } },
]

const editGroups = [
  {
    keys: [
      'readDate',
      'curNum',
      'month',
      'loss',
      'isRollover',
      'isEstimate',
      { key: 'registers', wide: true },
      { key: 'photo', wide: true },
      { key: 'remark', wide: true },
    ],
  },
]

const readingGroups = [
  {
    title: '读数',
    keys: [
      'meterNo',
      'meterKind',
      'month',
      'lastDate',
      'lastNum',
      'readDate',
      'curNum',
      'multiple',
      'loss',
      'usage',
      'replacedUsage',
      'isRollover',
      'isEstimate',
      'isBase',
    ],
  },
  { title: '来源与出账', keys: ['source', 'anomalies', 'confirmed', 'billNo', 'state', 'remark'] },
] as const

/** 抄表记录: everything that was read, with what is odd and what is billed. */
export default function RecordsPage() {
  const project = useProject()
  const [past, setPast] = useState<MeterReading>()
  const form = useEdit({
    what: '读数',
    edit: editReading,
    name: (r: MeterReading) => `${r.meterNo} ${r.month}`,
    groups: editGroups,
    as: 'drawer',
    rowIsWhole: true,
    why: billed,
  } as never) as unknown as {
    readonly dialog: ReactNode
    readonly edit: (r: MeterReading) => { label: string; run: () => unknown }
  }
  const wipe = (filter: Readonly<Record<string, unknown>>, count: number): Promise<boolean> =>
    danger({
      verb: '删除',
      what: '条读数',
      count,
      follows: ['按当前筛选条件删除，已出账的会保留'],
      reason: { presets: ['整批录错', '重新抄表'] },
      run: async reason => {
        const got = await act(deleteReadingsFound, { ...filter, expected: count, reason } as never, {
          quiet: true,
        })
        ;(got.fail ? toast.warning : toast.success)(bulkWords(got))
      },
    })
  const verbs = (r: MeterReading) => [
    form.edit(r),
    confirm.row(r),
    { label: '抄表历史', may: menu.reading.may.view, run: () => setPast(r) },
    remove.row(r),
  ]
  return (
    <>
      <ListPage
        list={listReadings}
        what="抄表记录"
        columns={readingColumns}
        filters={[
          'month',
          'meterKind',
          'buildCode',
          'readDate',
          'anomalies',
          'doubtful',
          'source',
          'isEstimate',
          'usage',
          'state',
        ]}
        bar={['month', 'meterKind', 'buildCode']}
        views={views}
        sought="表号"
        import={project ? importReadings : undefined}
        importGiven={{ projectCode: project }}
        export={exportReadings}
        row={verbs}
        dim={r => r.state === 'abolished'}
        batch={[
          confirm.batch,
          {
            ...remove.batch,
            whole: true,
            run: t => (t.whole ? wipe(t.whole.filter as never, t.whole.count) : remove.batch.run(t)),
          },
        ]}
        drawer={{
          title: r => `${r.sourceName ?? ''} ${r.meterNo}`,
          status: r => <Choice of={readingState} value={r.state} />,
          groups: readingGroups as never,
          more: r => (
            <>
              {r.billNo && (
                <p className="meter-note">
                  出账在账单 <BillOf no={r.billNo} />
                </p>
              )}
              {r.registers?.length ? <Times of={r.registers} /> : null}
              {r.photo ? (
                <div className="meter-note">
                  <KeptImages of={[r.photo]} size={120} />
                </div>
              ) : null}
            </>
          ),
          history: meterReading.name,
          verbs,
        }}
      />
      {form.dialog}
      {past && <HistoryDialog of={past} month={past.month} onClose={() => setPast(undefined)} />}
    </>
  )
}
