import { useState } from 'react'
import { useNavigate } from 'react-router'
import { tellDone, act, withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { OutcomeDialog, useOutcome } from '#kit/web/outcome.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/when.ts'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import {
  applyAgain,
  auditResidencies,
  deleteResidencies,
  editResidency,
  listResidencies,
  residency,
  type Residency,
} from '../contract/residency.ts'
import { menu } from '../module.ts'
import { CheckInDialog, CheckOutDialog, TransferDialog } from './moves.tsx'
import { places, seeResident } from './places.ts'

const name = (l: Residency): string => `${l.roomPath ?? ''} ${l.userName ?? ''}`

const remove = withReason<Residency>(deleteResidencies, {
  what: '条关系',
  name,
  presets: ['登记有误', '重复登记'],
  why: l =>
    l.status === 'pending' || l.status === 'refused' ? undefined : '已入住过的关系不能删除，请办理迁出',
})

const shown = columns(listResidencies.output, [
  { key: 'userName', identity: true },
  { key: 'mobile', drop: 1 },
  { key: 'roomPath', width: 116 },
  'relation',
  { key: 'isMain', drop: 2 },
  { key: 'isPayer', drop: 2 },
  'inDate',
  { key: 'outDate', drop: 1 },
  { key: 'leaseEnd', drop: 1 },
  'status',
  { key: 'createTime', title: '登记时间', aside: true },
  { key: 'rejectReason', aside: true },
])

/** A check-out settles one room at a time, for those who live in it (BASE-11). */
const outFault = (rows: readonly Residency[]): string | undefined =>
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
const passGroups = [{ keys: [{ key: 'inDate', help: '不填只登记关系，不改变房态' }] }]

type Open = {
  readonly what: 'out' | 'in' | 'sale' | 'pass'
  readonly links: readonly Residency[]
  readonly rest?: string | undefined
}

function PassDialog({
  links,
  rest,
  onClose,
}: {
  readonly links: readonly Residency[]
  readonly rest?: string | undefined
  readonly onClose: () => void
}) {
  const go = useSend(auditResidencies, { quiet: true })
  const [outcome, show] = useOutcome()
  const [initial] = useState(() => ({
    ids: links.map(l => String(l.id)),
    pass: true,
    inDate: links.find(l => l.inDate)?.inDate ?? today(),
  }))
  if (outcome) return <OutcomeDialog of={outcome} title="审核结果" onClose={onClose} />
  return (
    <EditDialog
      of={auditResidencies.input}
      title={links.length === 1 ? `审核通过「${name(links[0]!)}」` : `审核通过 ${links.length} 条入住申请`}
      groups={passGroups}
      initial={initial}
      words="审核通过"
      as="dialog"
      {...(rest ? { below: () => <p>{rest}</p> } : {})}
      save={v => go.mutateAsync({ ...v, ids: initial.ids, pass: true })}
      onClose={onClose}
      onDone={a => {
        const b = a as NonNullable<typeof auditResidencies.output.T>
        if (b.fail || b.skipped) {
          show(b)
        } else {
          tellDone(b, '')
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
const waiting = (
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

const refuse = (links: readonly Residency[], rest?: string): Promise<boolean> =>
  danger({
    verb: '驳回',
    what: '条入住申请',
    count: links.length,
    ...(links.length === 1 ? { title: `驳回「${name(links[0]!)}」的入住申请` } : {}),
    reason: { presets: ['资料不全', '与业主登记不符'] },
    follows: ['申请人可以补充后重新申请', ...(rest ? [rest] : [])],
    run: async reason =>
      tellDone(
        await act(
          auditResidencies,
          { ids: links.map(l => String(l.id)), pass: false, reason },
          { quiet: true },
        ),
        '已驳回',
      ),
  })

/** Homes of a person, of a room, or all: audited, left, taken up again, sold, put right. */
export function Homes({
  fixed,
  embedded,
}: {
  readonly fixed?: { readonly userId?: number; readonly roomId?: number }
  readonly embedded?: boolean
}) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const form = useEdit({
    what: '住户关系',
    edit: editResidency,
    rowIsWhole: true,
    name,
    groups: editGroups,
    why: (l: Residency) => (l.status === 'left' ? '已迁出的关系不能修改' : undefined),
  })
  const verbs = (l: Residency): Verbs => [
    ...(l.status === 'pending'
      ? ([
          {
            label: '审核通过',
            may: menu.link.may.audit,
            run: () => setOpen({ what: 'pass' as const, links: [l] }),
          },
          { label: '驳回', may: menu.link.may.audit, run: () => refuse([l]) },
        ] as Verb[])
      : []),
    ...(l.status === 'living'
      ? ([
          {
            label: '迁出',
            may: menu.link.may.checkout,
            run: () => setOpen({ what: 'out' as const, links: [l] }),
          },
        ] as Verb[])
      : []),
    ...(l.status === 'left'
      ? ([
          {
            label: '再次入住',
            may: menu.link.may.checkin,
            run: () => setOpen({ what: 'in' as const, links: [l] }),
          },
        ] as Verb[])
      : []),
    ...(l.status === 'refused'
      ? ([
          {
            label: '重新申请',
            may: menu.link.may.edit,
            run: async () => tellDone(await act(applyAgain, { id: l.id }), '已重新提交审核'),
          },
        ] as Verb[])
      : []),
    form.edit(l),
    ...(l.status === 'living' && l.relation === 'owner'
      ? ([
          {
            label: '过户',
            may: menu.link.may.transfer,
            run: () => setOpen({ what: 'sale' as const, links: [l] }),
          },
        ] as Verb[])
      : []),
    ...(fixed?.userId
      ? []
      : ([
          { label: '查看住户', may: menu.resident.may.view, run: () => navigate(seeResident(l.userId)) },
        ] as Verb[])),
    remove.row(l),
  ]
  return (
    <>
      <ListPage
        {...(embedded ? { embedded: true } : {})}
        list={listResidencies}
        what="住户关系"
        sought="姓名/手机/房间/拼音"
        name={fixed ? 'residents/homes' : 'residents/links'}
        columns={shown}
        {...(fixed ? { fixed } : {})}
        bar={['relation', 'buildCode']}
        views={views}
        primary={{
          label: '住户入住',
          may: menu.resident.may.add,
          run: () =>
            navigate(
              `${places.moveIn}${fixed?.userId ? `?user=${fixed.userId}` : fixed?.roomId ? `?room=${fixed.roomId}` : ''}`,
            ),
        }}
        row={verbs}
        dim={l => l.status === 'left'}
        batch={[
          {
            label: '审核通过',
            may: menu.link.may.audit,
            why: auditFault,
            run: t => {
              const { pending, rest } = waiting(t.rows)
              if (pending.length) {
                setOpen({ what: 'pass', links: pending, rest })
              } else {
                toast.info('没有待审核的入住申请')
              }
            },
          },
          {
            label: '驳回',
            may: menu.link.may.audit,
            why: auditFault,
            run: t => {
              const { pending, rest } = waiting(t.rows)
              if (pending.length) {
                void refuse(pending, rest)
              } else {
                toast.info('没有待审核的入住申请')
              }
            },
          },
          {
            label: '迁出',
            may: menu.link.may.checkout,
            why: t => outFault(t.rows),
            run: t => {
              const fault = outFault(t.rows)
              if (fault) {
                toast.warning(fault)
              } else {
                setOpen({ what: 'out', links: t.rows })
              }
            },
          },
          remove.batch,
        ]}
        {...(embedded ? {} : { drawer: { title: name, history: residency.name, verbs } })}
      />
      {form.dialog}
      {open?.what === 'out' && <CheckOutDialog links={open.links} onClose={close} />}
      {open?.what === 'in' && <CheckInDialog links={open.links} onClose={close} />}
      {open?.what === 'sale' && <TransferDialog of={open.links[0]!} onClose={close} />}
      {open?.what === 'pass' && <PassDialog links={open.links} rest={open.rest} onClose={close} />}
    </>
  )
}

export const LinksPage = () => <Homes />
