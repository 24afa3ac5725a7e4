import type { Id } from '#kit/domain/id.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { defined } from '#kit/domain/defined.ts'
import type { Tone } from '#kit/contract/field.ts'
import type { Action, Actions } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { toastResult, sendAndInvalidate, createReasonAction } from '#kit/web/record-actions.ts'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  reapplyResidency,
  deleteResidencies,
  listResidencies,
  residency,
  type Residency,
} from '../contract/residency.ts'
import { isMovedIn, residencyStatus, residencyStatusText } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { paths, residentPath } from './paths.ts'
import { ApproveDialog, rejectResidencies, residencyName, splitPending } from './residency-approve.tsx'

const loadMoveDialogs = () => import('./move-dialogs.tsx')
const CheckInDialog = lazyComponent(async () => (await loadMoveDialogs()).CheckInDialog)
const CheckOutDialog = lazyComponent(async () => (await loadMoveDialogs()).CheckOutDialog)
const TransferDialog = lazyComponent(async () => (await loadMoveDialogs()).TransferDialog)
const ResidencyEditDialog = lazyComponent(
  async () => (await import('./residency-edit.tsx')).ResidencyEditDialog,
)
const AskedMove = lazyComponent(() => import('./asked-move.tsx').then(m => m.AskedMove))

const { permissions } = menu.link

const deleteAction = createReasonAction<Residency>(deleteResidencies, {
  unit: '条关系',
  nameOf: residencyName,
  reasonPresets: ['登记有误', '重复登记'],
  disabledReason: r =>
    r.status === 'pending' || r.status === 'refused' ? undefined : '已入住过的关系不能删除，请办理迁出',
})

const toneOf = (r: Residency): Tone =>
  (isMovedIn(r) || r.status !== 'living' ? residencyStatus.rows[r.status][2] : undefined) ?? 'open'

const listColumns = buildColumns(listResidencies.output, [
  { key: 'userName', identity: true },
  { key: 'mobile', hidePriority: 1 },
  { key: 'roomPath', width: 116 },
  'relation',
  { key: 'isMain', hidePriority: 2 },
  { key: 'isPayer', hidePriority: 2 },
  'inDate',
  { key: 'outDate', hidePriority: 1 },
  { key: 'leaseEnd', hidePriority: 1 },
  {
    key: 'status',
    keepInView: true,
    render: r => <Status tone={toneOf(r)}>{residencyStatusText(r)}</Status>,
    text: residencyStatusText,
  },
  { key: 'createTime', title: '登记时间', hiddenByDefault: true },
  { key: 'rejectReason', hiddenByDefault: true },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { status: ['pending'] } },
  { id: 'living', name: '在住', filter: { status: ['living'], movedIn: true } },
  { id: 'notMovedIn', name: '未入住', filter: { status: ['living'], movedIn: false } },
  { id: 'left', name: '已迁出', filter: { status: ['left'] } },
  { id: 'refused', name: '已驳回', filter: { status: ['refused'] } },
]

/** A check-out settles one room at a time, for those who live in it (BASE-11). */
const checkOutFault = (rows: readonly Residency[]): string | undefined =>
  rows.some(r => r.status !== 'living')
    ? '只能勾选在住的人'
    : new Set(rows.map(r => r.roomId)).size > 1
      ? '一次只能办理一个房间，请只勾选同一个房间的人'
      : undefined

const auditFault = (rows: readonly Residency[]): string | undefined =>
  rows.some(r => r.status === 'pending') ? undefined : '勾选的都不是待审核'

interface OpenDialog {
  readonly kind: 'checkOut' | 'checkIn' | 'transfer' | 'approve' | 'edit'
  readonly residencies: readonly Residency[]
  readonly excluded?: string | undefined
}

type OpenDialogFunction = (dialog: OpenDialog) => void

/** The dialog that is open, and what opens one. */
function useResidencyDialog() {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = (): void => setDialog(undefined)
  const element = dialog && (
    <>
      {dialog.kind === 'checkOut' && <CheckOutDialog residencies={dialog.residencies} onClose={close} />}
      {dialog.kind === 'checkIn' && <CheckInDialog residencies={dialog.residencies} onClose={close} />}
      {dialog.kind === 'transfer' && (
        <TransferDialog target={defined(dialog.residencies[0])} onClose={close} />
      )}
      {dialog.kind === 'edit' && (
        <ResidencyEditDialog residency={defined(dialog.residencies[0])} onClose={close} />
      )}
      {dialog.kind === 'approve' && (
        <ApproveDialog residencies={dialog.residencies} excluded={dialog.excluded} onClose={close} />
      )}
    </>
  )
  return { open: setDialog, element }
}

const reapply = async (r: Residency): Promise<void> =>
  toastResult(await sendAndInvalidate(reapplyResidency, { id: r.id }), '已重新提交审核')

/** The actions that the status of a residency allows (BASE-10). */
function statusActions(row: Residency, open: OpenDialogFunction): readonly Action[] {
  const opening = (kind: OpenDialog['kind']) => () => open({ kind, residencies: [row] })
  switch (row.status) {
    case 'pending':
      return [
        { label: '审核通过', needs: permissions.audit, run: opening('approve') },
        { label: '驳回', needs: permissions.audit, run: () => rejectResidencies([row]) },
      ]
    case 'living':
      return [{ label: '迁出', needs: permissions.checkout, run: opening('checkOut') }]
    case 'left':
      return [{ label: '再次入住', needs: permissions.checkin, run: opening('checkIn') }]
    case 'refused':
      return [{ label: '重新申请', needs: permissions.edit, run: () => reapply(row) }]
  }
}

const editAction = (row: Residency, open: OpenDialogFunction): Action => ({
  label: '编辑',
  needs: permissions.edit,
  disabledReason: row.status === 'left' ? '已迁出的关系不能修改' : undefined,
  run: () => open({ kind: 'edit', residencies: [row] }),
})

const transferAction = (row: Residency, open: OpenDialogFunction): Action | false =>
  row.status === 'living' &&
  row.relation === 'owner' && {
    label: '过户',
    needs: permissions.transfer,
    run: () => open({ kind: 'transfer', residencies: [row] }),
  }

type ResidencyBatchAction = BatchAction<Residency>

/** Audits what waits for it among the selected rows. */
const auditBatch = (
  label: string,
  run: (pending: readonly Residency[], excluded: string | undefined) => void,
): ResidencyBatchAction => ({
  label,
  needs: permissions.audit,
  disabledReason: selection => auditFault(selection.rows),
  run: selection => {
    const { pending, excluded } = splitPending(selection.rows)
    if (pending.length) {
      run(pending, excluded)
    } else {
      toast.info('暂无待审核的入住申请')
    }
  },
})

const batchActions = (open: OpenDialogFunction): readonly ResidencyBatchAction[] => [
  auditBatch('审核通过', (residencies, excluded) => open({ kind: 'approve', residencies, excluded })),
  auditBatch('驳回', (residencies, excluded) => void rejectResidencies(residencies, excluded)),
  {
    label: '迁出',
    needs: permissions.checkout,
    disabledReason: selection => checkOutFault(selection.rows),
    run: selection => {
      const fault = checkOutFault(selection.rows)
      if (fault) {
        toast.warning(fault)
      } else {
        open({ kind: 'checkOut', residencies: selection.rows })
      }
    },
  },
  deleteAction.batch,
]

interface ResidencyListProps {
  readonly fixed?: { readonly userId?: Id; readonly roomId?: Id }
  readonly embedded?: boolean
}

/** Residencies of a person, of a room, or all: audited, ended, taken up again, transferred, corrected. */
export function ResidencyList({ fixed, embedded }: ResidencyListProps) {
  const navigate = useNavigate()
  const dialog = useResidencyDialog()
  const rowActions = (row: Residency): Actions => [
    ...statusActions(row, dialog.open),
    editAction(row, dialog.open),
    transferAction(row, dialog.open),
    !fixed?.userId && {
      label: '查看住户',
      needs: menu.resident.permissions.view,
      run: () => navigate(residentPath(row.userId)),
    },
    deleteAction.row(row),
  ]
  const moveInQuery = fixed?.userId ? `?user=${fixed.userId}` : fixed?.roomId ? `?room=${fixed.roomId}` : ''
  return (
    <>
      <ListPage
        {...(embedded ? { embedded: true } : {})}
        list={listResidencies}
        itemName="住户关系"
        keywordPlaceholder="姓名/手机/房间/拼音"
        settingsKey={fixed ? 'residents/homes' : 'residents/links'}
        columns={listColumns}
        {...(fixed ? { fixedFilter: fixed } : {})}
        barFilters={['relation', 'buildCode']}
        views={views}
        primaryAction={{
          label: '住户入住',
          needs: menu.resident.permissions.add,
          run: () => navigate(`${paths.moveIn}${moveInQuery}`),
        }}
        rowActions={rowActions}
        isDimmed={r => r.status === 'left'}
        batchActions={batchActions(dialog.open)}
        {...(embedded
          ? {}
          : { drawer: { title: residencyName, historyEntity: residency.name, actions: rowActions } })}
      />
      {dialog.element}
    </>
  )
}

export function ResidenciesPage() {
  const [params] = useSearchParams()
  return (
    <>
      <ResidencyList />
      {params.has('do') && <AskedMove />}
    </>
  )
}
