import { paths } from './paths.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { sendAndInvalidate, bulkResultText, createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { anomaly, readingState } from '../contract/choices.ts'
import { meterReading, type MeterReading } from '../contract/meter.ts'
import {
  confirmReadings,
  deleteReadings,
  deleteReadingsBySearch,
  editReading,
  listReadings,
} from '../contract/reading.ts'
import { exportReadings, importReadings } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { BillLink, AnomalyFlags, RegisterList, formatUsage } from './labels.tsx'
import './meters.css'

const HistoryDialog = lazyComponent(() => import('./history-dialog.tsx').then(m => m.HistoryDialog))

const billedMessage = (r: MeterReading): string | undefined =>
  r.state === 'billed' ? `读数已出账${r.billNo ? `（账单 ${r.billNo}）` : ''}，请先作废账单` : undefined

const deleteAction = createReasonAction<MeterReading>(deleteReadings, {
  unit: '条读数',
  nameOf: r => `${r.meterNo} ${r.month}`,
  consequences: ['后一次读数的上期止数随之改变', '已出账的读数会保留'],
  reasonPresets: ['录入有误', '重复录入'],
  disabledReason: billedMessage,
})

const confirmAction = createReasonAction<MeterReading>(confirmReadings, {
  label: '确认异常',
  unit: '条读数',
  nameOf: r => `${r.meterNo} ${r.month}`,
  consequences: ['确认后可以出账'],
  reasonPresets: ['现场复核无误', '长期无人居住', '用户确认用量'],
  disabledReason: r =>
    !r.anomalies?.length ? '读数没有异常' : r.confirmed ? '已经确认过' : billedMessage(r),
})

const readingColumns = buildColumns(listReadings.output, [
  { key: 'sourceName', identity: true, grow: 1 },
  { key: 'meterNo', width: 140 },
  'meterKind',
  'month',
  { key: 'lastDate', hiddenByDefault: true },
  { key: 'lastNum', wideOnly: true, hidePriority: 2 },
  'curNum',
  { key: 'usage', strong: true, text: formatUsage, render: formatUsage },
  'readDate',
  { key: 'multiple', hiddenByDefault: true },
  { key: 'isRollover', hiddenByDefault: true },
  { key: 'isEstimate', wideOnly: true, hidePriority: 1 },
  { key: 'source', wideOnly: true, hidePriority: 1 },
  {
    key: 'anomalies',
    width: 160,
    render: r => <AnomalyFlags of={r} />,
    text: r => r.anomalies?.map(a => labelOf(anomaly, a)).join('、') ?? '--',
  },
  {
    key: 'billNo',
    wideOnly: true,
    hidePriority: 2,
    grow: 1,
    render: r => <BillLink no={r.billNo} />,
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
    keys: ['readDate', 'curNum', 'month', 'loss', 'isRollover', 'isEstimate', 'registers', 'photo', 'remark'],
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

/** 抄表记录: all readings, with their anomalies and their bills. */
export default function RecordsPage() {
  const project = useProject()
  const [historyOf, setHistoryOf] = useState<MeterReading>()
  const form = useEdit({
    itemName: '读数',
    edit: editReading,
    nameOf: (r: MeterReading) => `${r.meterNo} ${r.month}`,
    groups: editGroups,
    presentation: 'drawer',
    isRowComplete: true,
    editDisabledReason: billedMessage,
  })
  const wipe = (filter: Readonly<Record<string, unknown>>, count: number): Promise<boolean> =>
    confirmDanger({
      actionLabel: '删除',
      unit: '条读数',
      count,
      consequences: ['按当前筛选条件删除，已出账的会保留'],
      reason: { presets: ['整批录错', '重新抄表'] },
      run: async reason => {
        const result = await sendAndInvalidate(
          deleteReadingsBySearch,
          { ...filter, expected: count, reason },
          {
            quiet: true,
          },
        )
        ;(result.fail ? toast.warning : toast.success)(bulkResultText(result))
      },
    })
  const rowActions = (reading: MeterReading) => [
    form.editAction(reading),
    confirmAction.row(reading),
    { label: '抄表历史', needs: menu.reading.permissions.view, run: () => setHistoryOf(reading) },
    deleteAction.row(reading),
  ]
  return (
    <>
      <ListPage
        list={listReadings}
        itemName="抄表记录"
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
        barFilters={['month', 'meterKind', 'buildCode']}
        views={views}
        keywordPlaceholder="表号"
        import={project ? importReadings : undefined}
        importInput={{ projectCode: project }}
        afterImport={screenAction(paths.generate, {}, '生成账单')}
        export={exportReadings}
        rowActions={rowActions}
        batchActions={[
          confirmAction.batch,
          {
            ...deleteAction.batch,
            acceptsAllMatching: true,
            run: t =>
              t.allMatching ? wipe(t.allMatching.filter, t.allMatching.count) : deleteAction.batch.run(t),
          },
        ]}
        drawer={{
          title: r => `${r.sourceName ?? ''} ${r.meterNo}`,
          status: r => <ChoiceStatus choices={readingState} value={r.state} />,
          groups: readingGroups,
          afterGroups: row => (
            <>
              {row.billNo && (
                <p className="meter-note">
                  出账在账单 <BillLink no={row.billNo} />
                </p>
              )}
              {row.registers?.length ? <RegisterList of={row.registers} /> : null}
              {row.photo ? (
                <div className="meter-note">
                  <StoredImages fileKeys={[row.photo]} size={120} />
                </div>
              ) : null}
            </>
          ),
          historyEntity: meterReading.name,
          actions: rowActions,
        }}
      />
      {form.dialog}
      {historyOf && (
        <HistoryDialog of={historyOf} month={historyOf.month} onClose={() => setHistoryOf(undefined)} />
      )}
    </>
  )
}
