import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { toastResult, sendAndInvalidate, createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { BulkResultDialog, useBulkResult } from '#kit/web/bulk-result-dialog.tsx'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import type { Action, Actions } from '#kit/web/action.tsx'
import {
  reapplyResidency,
  auditResidencies,
  deleteResidencies,
  editResidency,
  listResidencies,
  residency,
  type Residency,
} from '../contract/residency.ts'
import { menu } from '../module.ts'
import { CheckInDialog, CheckOutDialog, TransferDialog } from './move-dialogs.tsx'
import { paths, residentPath } from './paths.ts'

const residencyName = (l: Residency): string => `${l.roomPath ?? ''} ${l.userName ?? ''}`

const deleteAction = createReasonAction<Residency>(deleteResidencies, {
  unit: '条关系',
  nameOf: residencyName,
  reasonPresets: ['登记有误', '重复登记'],
  disabledReason: l =>
    l.status === 'pending' || l.status === 'refused' ? undefined : '已入住过的关系不能删除，请办理迁出',
})

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
  'status',
  { key: 'createTime', title: '登记时间', hiddenByDefault: true },
  { key: 'rejectReason', hiddenByDefault: true },
])

/** A check-out settles one room at a time, for those who live in it (BASE-11). */
const checkOutFault = (rows: readonly Residency[]): string | undefined =>
  rows.some(l => l.status !== 'living')
    ? '只能勾选在住的人'
    : new Set(rows.map(l => l.roomId)).size > 1
      ? '一次只能办理一个房间，请只勾选同一个房间的人'
      : undefined

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { status: ['pending'] } },
  { id: 'living', name: '在住', filter: { status: ['living'] } },
  { id: 'left', name: '已迁出', filter: { status: ['left'] } },
  { id: 'refused', name: '已驳回', filter: { status: ['refused'] } },
]

const editGroups = [{ keys: ['relation', 'isMain', 'isPayer', 'inDate', 'leaseBegin', 'leaseEnd', 'remark'] }]
const approveGroups = [{ keys: [{ key: 'inDate', help: '不填只登记关系，不改变房态' }] }]

type OpenDialog = {
  readonly what: 'out' | 'in' | 'sale' | 'pass'
  readonly links: readonly Residency[]
  readonly rest?: string | undefined
}

function ApproveDialog({
  links,
  rest,
  onClose,
}: {
  readonly links: readonly Residency[]
  readonly rest?: string | undefined
  readonly onClose: () => void
}) {
  const go = useSend(auditResidencies, { quiet: true })
  const [outcome, show] = useBulkResult()
  const [initial] = useState(() => ({
    ids: links.map(l => String(l.id)),
    pass: true,
    inDate: links.find(l => l.inDate)?.inDate ?? today(),
  }))
  if (outcome) return <BulkResultDialog result={outcome} title="审核结果" onClose={onClose} />
  return (
    <EditDialog
      shape={auditResidencies.input}
      title={
        links.length === 1
          ? `审核通过「${residencyName(defined(links[0]))}」`
          : `审核通过 ${links.length} 条入住申请`
      }
      groups={approveGroups}
      initial={initial}
      submitLabel="审核通过"
      presentation="dialog"
      {...(rest ? { below: () => <p>{rest}</p> } : {})}
      save={v => go.mutateAsync({ ...v, ids: initial.ids, pass: true })}
      onClose={onClose}
      onDone={a => {
        const b = a as NonNullable<typeof auditResidencies.output.T>
        if (b.fail || b.skipped) {
          show(b)
        } else {
          toastResult(b, '')
          onClose()
        }
      }}
    />
  )
}

/**
 * Of ticked links those that wait for an audit; the others are named, so that nobody wonders what became of
 * them.
 */
const splitPending = (
  links: readonly Residency[],
): { pending: readonly Residency[]; rest: string | undefined } => {
  const rest = links.filter(l => l.status !== 'pending')
  return {
    pending: links.filter(l => l.status === 'pending'),
    rest: rest.length
      ? `另有 ${rest.length} 条不是待审核，不处理：${rest
          .slice(0, 5)
          .map(l => l.userName)
          .join('、')}${rest.length > 5 ? ' 等' : ''}`
      : undefined,
  }
}

const auditFault = (t: {
  readonly count: number
  readonly whole?: unknown
  readonly rows: readonly Residency[]
}): string | undefined =>
  !t.whole && !t.rows.some(l => l.status === 'pending') ? '勾选的都不是待审核' : undefined

const rejectResidencies = (links: readonly Residency[], rest?: string): Promise<boolean> =>
  confirmDanger({
    actionLabel: '驳回',
    unit: '条入住申请',
    count: links.length,
    ...(links.length === 1 ? { title: `驳回「${residencyName(defined(links[0]))}」的入住申请` } : {}),
    reason: { presets: ['资料不全', '与业主登记不符'] },
    consequences: ['申请人可以补充后重新申请', ...(rest ? [rest] : [])],
    run: async reason =>
      toastResult(
        await sendAndInvalidate(
          auditResidencies,
          { ids: links.map(l => String(l.id)), pass: false, reason },
          { quiet: true },
        ),
        '已驳回',
      ),
  })

/** Homes of a person, of a room, or all: audited, left, taken up again, sold, put right. */
export function ResidencyList({
  fixed,
  embedded,
}: {
  readonly fixed?: { readonly userId?: number; readonly roomId?: number }
  readonly embedded?: boolean
}) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<OpenDialog>()
  const close = (): void => setOpen(undefined)
  const form = useEdit({
    itemName: '住户关系',
    edit: editResidency,
    isRowComplete: true,
    nameOf: residencyName,
    groups: editGroups,
    editDisabledReason: (l: Residency) => (l.status === 'left' ? '已迁出的关系不能修改' : undefined),
  })
  const verbs = (l: Residency): Actions => [
    ...(l.status === 'pending'
      ? ([
          {
            label: '审核通过',
            needs: menu.link.permissions.audit,
            run: () => setOpen({ what: 'pass' as const, links: [l] }),
          },
          { label: '驳回', needs: menu.link.permissions.audit, run: () => rejectResidencies([l]) },
        ] as Action[])
      : []),
    ...(l.status === 'living'
      ? ([
          {
            label: '迁出',
            needs: menu.link.permissions.checkout,
            run: () => setOpen({ what: 'out' as const, links: [l] }),
          },
        ] as Action[])
      : []),
    ...(l.status === 'left'
      ? ([
          {
            label: '再次入住',
            needs: menu.link.permissions.checkin,
            run: () => setOpen({ what: 'in' as const, links: [l] }),
          },
        ] as Action[])
      : []),
    ...(l.status === 'refused'
      ? ([
          {
            label: '重新申请',
            needs: menu.link.permissions.edit,
            run: async () =>
              toastResult(await sendAndInvalidate(reapplyResidency, { id: l.id }), '已重新提交审核'),
          },
        ] as Action[])
      : []),
    form.editAction(l),
    ...(l.status === 'living' && l.relation === 'owner'
      ? ([
          {
            label: '过户',
            needs: menu.link.permissions.transfer,
            run: () => setOpen({ what: 'sale' as const, links: [l] }),
          },
        ] as Action[])
      : []),
    ...(fixed?.userId
      ? []
      : ([
          {
            label: '查看住户',
            needs: menu.resident.permissions.view,
            run: () => navigate(residentPath(l.userId)),
          },
        ] as Action[])),
    deleteAction.row(l),
  ]
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
          run: () =>
            navigate(
              `${paths.moveIn}${fixed?.userId ? `?user=${fixed.userId}` : fixed?.roomId ? `?room=${fixed.roomId}` : ''}`,
            ),
        }}
        rowActions={verbs}
        isDimmed={l => l.status === 'left'}
        batchActions={[
          {
            label: '审核通过',
            needs: menu.link.permissions.audit,
            disabledReason: auditFault,
            run: t => {
              const { pending, rest } = splitPending(t.rows)
              if (pending.length) {
                setOpen({ what: 'pass', links: pending, rest })
              } else {
                toast.info('没有待审核的入住申请')
              }
            },
          },
          {
            label: '驳回',
            needs: menu.link.permissions.audit,
            disabledReason: auditFault,
            run: t => {
              const { pending, rest } = splitPending(t.rows)
              if (pending.length) {
                void rejectResidencies(pending, rest)
              } else {
                toast.info('没有待审核的入住申请')
              }
            },
          },
          {
            label: '迁出',
            needs: menu.link.permissions.checkout,
            disabledReason: t => checkOutFault(t.rows),
            run: t => {
              const fault = checkOutFault(t.rows)
              if (fault) {
                toast.warning(fault)
              } else {
                setOpen({ what: 'out', links: t.rows })
              }
            },
          },
          deleteAction.batch,
        ]}
        {...(embedded
          ? {}
          : { drawer: { title: residencyName, historyEntity: residency.name, actions: verbs } })}
      />
      {form.dialog}
      {open?.what === 'out' && <CheckOutDialog links={open.links} onClose={close} />}
      {open?.what === 'in' && <CheckInDialog links={open.links} onClose={close} />}
      {open?.what === 'sale' && <TransferDialog of={defined(open.links[0])} onClose={close} />}
      {open?.what === 'pass' && <ApproveDialog links={open.links} rest={open.rest} onClose={close} />}
    </>
  )
}

export const ResidenciesPage = () => <ResidencyList />
