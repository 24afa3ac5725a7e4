import { paths } from './paths.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { parseId } from '#kit/domain/id.ts'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  confirmAndSend,
  sendAndInvalidate,
  bulkResultText,
  createReasonAction,
} from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Actions } from '#kit/web/action.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { download, send } from '#kit/web/send.ts'
import { hasRef } from '#kit/web/refs.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { openTaskCentre } from '#kit/web/task-centre.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { meterState } from '../contract/choices.ts'
import {
  addMeter,
  deleteMetersBySearch,
  deleteMeters,
  editMeter,
  listMeters,
  getMeter,
  maxDirectLabels,
  printLabels,
  startLabels,
  undoReplacement,
} from '../contract/meter-calls.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { exportMeters, importMeters } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { MeterReadings } from './meter-history.tsx'
import { formGroups, newMeter } from './meter-form.ts'
import './meters.css'

const ReplaceDialog = lazyComponent(() => import('./replace-dialog.tsx').then(m => m.ReplaceDialog))
const StandardDialog = lazyComponent(() => import('./standard-dialog.tsx').then(m => m.StandardDialog))
const MeterReplacements = lazyComponent(() => import('./meter-history.tsx').then(m => m.MeterReplacements))
const replacedMessage = (m: Meter): string | undefined => (m.state === 'replaced' ? '仪表已更换' : undefined)

const deleteAction = createReasonAction<Meter>(deleteMeters, {
  unit: '块仪表',
  nameOf: m => m.meterNo,
  consequences: ['有抄表记录、下级表或收费关联的仪表不能删除，请改为停用'],
  reasonPresets: ['录入有误', '重复录入'],
})

const listColumns = buildColumns(listMeters.output, [
  { key: 'meterNo', identity: true, width: 150 },
  { key: 'sourceName', grow: 1 },
  'meterKind',
  { key: 'meterUse', hidePriority: 2 },
  { key: 'multiple', hidePriority: 1 },
  { key: 'digits', hiddenByDefault: true },
  { key: 'initNum', hiddenByDefault: true },
  { key: 'installDate', hidePriority: 3 },
  { key: 'isSmart', hidePriority: 1 },
  { key: 'deviceNo', hiddenByDefault: true },
  { key: 'standardName', hidePriority: 1 },
  { key: 'nextVerifyDate', hidePriority: 2 },
  { key: 'location', hidePriority: 3 },
  'state',
])

const views = [
  { id: '', name: '在用', filter: { state: ['active', 'broken'] } },
  { id: 'verify', name: '检定到期', filter: { verifyDue: true } },
  { id: 'loose', name: '未设收费标准', filter: { withoutStandard: true } },
  { id: 'smart', name: '智能表', filter: { isSmart: true } },
  { id: 'main', name: '总表与公共表', filter: { meterUse: ['main', 'common', 'shared'] } },
  { id: 'gone', name: '已更换、停用', filter: { state: ['replaced', 'stopped'] } },
  { id: 'all', name: '全部', filter: {} },
]

const detailGroups = [
  {
    title: '仪表',
    keys: ['meterNo', 'meterKind', 'meterUse', 'sourceName', 'location', 'standardName', 'state'] as const,
  },
  { title: '计数', keys: ['multiple', 'digits', 'decimals', 'initNum', 'installDate'] as const },
  {
    title: '智能表与检定',
    keys: ['isSmart', 'deviceNo', 'prepayMode', 'verifyDate', 'nextVerifyDate', 'remark'] as const,
  },
]

type OpenDialog =
  | { readonly kind: 'replace'; readonly meter: Meter }
  | { readonly kind: 'standard'; readonly meters: readonly Meter[] }

/** Some labels at once, more as a task whose file waits in the task centre. */
async function printQrCodes(input: object, count: number): Promise<void> {
  const query = { ...input, address: location.origin }
  if (count <= maxDirectLabels) {
    await download(printLabels, query)
    return
  }
  await send(startLabels, query)
  toast.success(`正在生成 ${count} 张标签，完成后在任务中心下载`)
  openTaskCentre()
}

const confirmDeleteMatching = (filter: Readonly<Record<string, unknown>>, count: number): Promise<boolean> =>
  confirmDanger({
    actionLabel: '删除',
    unit: '块仪表',
    count,
    consequences: ['按当前筛选条件删除，有抄表记录的会保留'],
    reason: { presets: ['整批录错'] },
    run: async reason => {
      const result = await sendAndInvalidate(
        deleteMetersBySearch,
        { ...filter, expected: count, reason },
        { quiet: true },
      )
      ;(result.fail ? toast.warning : toast.success)(bulkResultText(result))
    },
  })

const confirmUndoReplacement = (meterRow: Meter): Promise<boolean> =>
  confirmAndSend(undoReplacement, {
    actionLabel: '撤销换表',
    unit: '块仪表',
    title: `撤销「${meterRow.meterNo}」的换表`,
    consequences: [
      '新表删除，旧表恢复在用，收费标准与下级表回到旧表。',
      '新表已有读数的，请先删除读数再撤销。',
    ],
    reason: { presets: ['止数录错', '换表有误'] },
    input: { meterId: meterRow.id },
    doneText: `「${meterRow.meterNo}」已恢复在用`,
  })

/** What can be done with one meter, besides editing and deleting it. */
const createRowActions = (meterRow: Meter, openDialog: (dialog: OpenDialog) => void): Actions => [
  meterRow.state === 'replaced'
    ? {
        label: '撤销换表',
        needs: menu.meter.permissions.replace,
        run: () => confirmUndoReplacement(meterRow),
      }
    : {
        label: '换表',
        needs: menu.meter.permissions.replace,
        run: () => openDialog({ kind: 'replace', meter: meterRow }),
      },
  hasRef('feeStandard') && {
    label: '收费标准',
    needs: menu.meter.permissions.standard,
    disabledReason: replacedMessage(meterRow),
    run: () => openDialog({ kind: 'standard', meters: [meterRow] }),
  },
  {
    label: '打印二维码',
    needs: menu.meter.permissions.label,
    run: () => printQrCodes({ projectCode: meterRow.projectCode, ids: [String(meterRow.id)] }, 1),
  },
]

const createBatchActions = (
  openDialog: (dialog: OpenDialog) => void,
): readonly (BatchAction<Meter> | false)[] => [
  hasRef('feeStandard') && {
    label: '收费标准',
    needs: menu.meter.permissions.standard,
    run: t => openDialog({ kind: 'standard', meters: t.rows }),
  },
  {
    label: '打印二维码',
    needs: menu.meter.permissions.label,
    acceptsAllMatching: true,
    run: t =>
      t.allMatching
        ? printQrCodes(t.allMatching.filter, t.allMatching.count)
        : printQrCodes({ ids: t.ids }, t.ids.length),
  },
  {
    ...deleteAction.batch,
    acceptsAllMatching: true,
    run: t =>
      t.allMatching
        ? confirmDeleteMatching(t.allMatching.filter, t.allMatching.count)
        : deleteAction.batch.run(t),
  },
]

const filters = [
  'meterKind',
  'meterUse',
  'buildCode',
  'isSmart',
  'verifyDue',
  'withoutStandard',
  'installDate',
  'nextVerifyDate',
  'state',
]

/** 仪表: what counts where, by which standard it is charged, when it must be verified. */
export default function MetersPage() {
  const project = useProject()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = (): void => setDialog(undefined)
  const [params] = useSearchParams()
  const linkedId = params.get('id')
  const form = useEdit({
    itemName: '仪表',
    add: addMeter,
    edit: editMeter,
    load: getMeter,
    isRowComplete: true,
    nameOf: (m: Meter) => m.meterNo,
    groups: formGroups,
    initial: newMeter,
    presentation: 'drawer',
    editDisabledReason: replacedMessage,
  })
  // A link of a room's panel names one meter.
  useEffect(() => {
    if (linkedId && /^\d+$/.test(linkedId)) {
      void send(getMeter, { id: parseId(linkedId) })
        .then(m => form.openEdit(m))
        .catch(() => undefined)
    }
  }, [linkedId])
  const rowActions = (m: Meter) => [
    form.editAction(m),
    ...createRowActions(m, setDialog),
    deleteAction.row(m),
  ]
  return (
    <>
      <ListPage
        list={listMeters}
        itemName="仪表"
        columns={listColumns}
        filters={filters}
        barFilters={['meterKind', 'buildCode']}
        views={views}
        keywordPlaceholder="表号、房间"
        import={project ? importMeters : undefined}
        importInput={{ projectCode: project }}
        afterImport={screenAction(paths.readings, {}, '抄表')}
        export={exportMeters}
        primaryAction={form.addAction}
        rowActions={rowActions}
        isDimmed={m => m.state === 'replaced' || m.state === 'stopped'}
        batchActions={createBatchActions(setDialog)}
        drawer={{
          title: m => m.meterNo,
          width: 880,
          status: m => <ChoiceStatus choices={meterState} value={m.state} />,
          groups: detailGroups,
          historyEntity: meter.name,
          actions: rowActions,
          tabs: [
            { key: 'readings', label: () => '抄表记录', body: m => <MeterReadings meterId={m.id} /> },
            { key: 'replaced', label: () => '换表', body: m => <MeterReplacements of={m} /> },
          ],
        }}
      />
      {form.dialog}
      {dialog?.kind === 'replace' && <ReplaceDialog of={dialog.meter} onClose={close} />}
      {dialog?.kind === 'standard' && <StandardDialog of={dialog.meters} onClose={close} />}
    </>
  )
}
