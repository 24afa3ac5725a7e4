import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { act, tellDone } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { confirm, danger } from '#kit/web/confirm.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { handoverState, payMethod } from '../contract/choices.ts'
import {
  addHandover,
  confirmHandover,
  handoverPreview,
  listHandovers,
  oneHandover,
  type CashierHandover,
} from '../contract/close.ts'
import { menu } from '../module.ts'
import './paydesk.css'

const SheetDialog = later(() => import('./handover-sheet.tsx').then(m => m.HandoverSheet))
type Preview = NonNullable<typeof handoverPreview.output.T>

const shown = columns(listHandovers.output, [
  { key: 'handNo', identity: true },
  { key: 'cashierName', width: 84, grow: 1 },
  { key: 'beginTime', roomy: true, drop: 1 },
  'endTime',
  'totalReceived',
  'totalRefund',
  'cashAmount',
  'handAmount',
  'diff',
  { key: 'confirmName', width: 84, grow: 1, roomy: true, drop: 2 },
  { key: 'confirmTime', roomy: true, drop: 2 },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待确认', filter: { state: ['pending'] } },
  { id: 'confirmed', name: '已确认', filter: { state: ['confirmed'] } },
  { id: 'rejected', name: '已驳回', filter: { state: ['rejected'] } },
]

const groups = [
  {
    keys: [
      { key: 'handAmount', label: '清点的现金' },
      { key: 'remark', help: '有长短款时写明原因' },
    ],
  },
]

function HandDialog({
  of: p,
  project,
  onClose,
  onDone,
}: {
  readonly of: Preview
  readonly project: string
  readonly onClose: () => void
  readonly onDone: (h: CashierHandover) => void
}) {
  const go = useSend(addHandover, { quiet: true })
  const initial = useMemo(
    () => ({ projectCode: project, endTime: p.endTime, expectCash: p.cashAmount }),
    [p, project],
  )
  return (
    <EditDialog
      of={addHandover.input}
      title={`交账（${count(p.count)} 笔）`}
      groups={groups}
      initial={initial}
      words="提交交账"
      as="dialog"
      rules={v =>
        (v as { handAmount?: number; remark?: string }).handAmount !== undefined &&
        (v as { handAmount?: number }).handAmount !== p.cashAmount &&
        !(v as { remark?: string }).remark?.trim()
          ? { remark: '清点的现金与应交不符，请写明原因' }
          : undefined
      }
      save={v => go.mutateAsync({ ...v, ...initial })}
      onClose={onClose}
      onDone={a => {
        const h = a as CashierHandover
        tellDone(h, `交账单 ${h.handNo} 已提交，等其他人确认`)
        onDone(h)
      }}
      below={v => {
        const hand = (v as { handAmount?: unknown }).handAmount
        const diff = typeof hand === 'number' ? hand - p.cashAmount : undefined
        return (
          <div className="pay-cash">
            {p.methods.map(m => (
              <div key={m.method}>
                <span>
                  {labelOf(payMethod, m.method)}（{m.count} 笔）
                </span>
                <span className="figure">{yuan(m.received - m.refunded)}</span>
              </div>
            ))}
            <div>
              <b>应交现金</b>
              <b className="figure">{yuan(p.cashAmount, true)}</b>
            </div>
            {diff !== undefined && (
              <div className={diff ? 'off' : undefined} role="status">
                <span>{diff > 0 ? '长款' : diff < 0 ? '短款' : '现金相符'}</span>
                <span className="figure">{yuan(Math.abs(diff))}</span>
              </div>
            )}
          </div>
        )
      }}
    />
  )
}

/** What this person still holds of a project. */
function Mine({ project }: { readonly project: string }) {
  const may = usePermission()
  const q = useCall(handoverPreview, { projectCode: project }, { quiet: true, fresh: 0 })
  const [giving, give] = useState(false)
  const [printing, print] = useState<CashierHandover>()
  const p = q.data
  if (!p) return q.isError ? <div className="pay-band">{q.error.message}</div> : null
  return (
    <div className="pay-band" aria-label="我的待交账">
      <span>
        我的待交账 <b>{count(p.count)}</b> 笔
      </span>
      {p.count > 0 && (
        <>
          <ul>
            {p.methods.map(m => (
              <li key={m.method}>
                {labelOf(payMethod, m.method)} <b className="figure">{yuan(m.received - m.refunded)}</b>
              </li>
            ))}
          </ul>
          <span>
            应交现金 <b className="figure">{yuan(p.cashAmount, true)}</b>
          </span>
          {p.beginTime && <span>自 {p.beginTime.slice(5, 16)}</span>}
        </>
      )}
      <span className="spring" />
      {may(menu.cashier.may.pay) && (
        <Button
          type="primary"
          size="small"
          disabled={!p.count}
          title={p.count ? undefined : '没有待交账的收款'}
          onClick={() => {
            void q.refetch().then(() => give(true))
          }}
        >
          交账
        </Button>
      )}
      {giving && (
        <HandDialog
          of={p}
          project={project}
          onClose={() => give(false)}
          onDone={h => {
            give(false)
            void q.refetch()
            print(h)
          }}
        />
      )}
      {printing && <SheetDialog of={printing} onClose={() => print(undefined)} />}
    </div>
  )
}

const pass = async (h: CashierHandover): Promise<void> => {
  if (
    await confirm({
      title: `确认交账单 ${h.handNo}`,
      text: `${h.cashierName} 应交现金 ${yuan(h.cashAmount, true)}，实交 ${yuan(h.handAmount, true)}${h.diff ? `，${h.diff > 0 ? '长款' : '短款'} ${yuan(Math.abs(h.diff), true)}` : ''}。确认后这些收款不能作废`,
      ok: '确认收到',
    })
  ) {
    tellDone(await act(confirmHandover, { id: h.id, pass: true }), '已确认')
  }
}

const refuse = (h: CashierHandover): Promise<boolean> =>
  danger({
    verb: '驳回',
    what: '张交账单',
    count: 1,
    title: `驳回交账单 ${h.handNo}`,
    sums: [
      ['收费员', h.cashierName],
      ['应交现金', yuan(h.cashAmount, true)],
      ['实交现金', yuan(h.handAmount, true)],
    ],
    follows: ['这些收款回到待交账，收费员核对后重新提交'],
    reason: { presets: ['现金与单据不符', '缺少凭证'] },
    run: async reason =>
      tellDone(await act(confirmHandover, { id: h.id, pass: false, reason }, { quiet: true }), '已驳回'),
  })

/** 交账 (PAY-23): what a cashier holds goes to the cash desk by a sheet; another person confirms it. */
export default function HandoverPage() {
  const project = useProject()
  const me = useSession(s => s.signed?.manager.id)
  const may = usePermission()
  const [printing, print] = useState<CashierHandover>()
  const own = (h: CashierHandover): string | undefined =>
    Number(me) === h.cashierId ? '不能确认自己的交账单，请由其他人确认' : undefined
  const verbs = (h: CashierHandover): Verbs => [
    ...(h.state === 'pending'
      ? ([{ label: '确认', may: menu.handover.may.confirm, why: own(h), run: () => pass(h) }] as Verb[])
      : []),
    { label: '打印', run: () => print(h) },
    ...(h.state === 'pending'
      ? ([
          { label: '驳回', may: menu.handover.may.confirm, danger: true, why: own(h), run: () => refuse(h) },
        ] as Verb[])
      : []),
  ]
  return (
    <>
      <ListPage
        list={listHandovers}
        what="交账单"
        columns={shown}
        filters={['state', 'cashierId', 'endTime']}
        bar={['cashierId', 'endTime']}
        views={views}
        above={
          !may(menu.cashier.may.view) ? undefined : project ? (
            <Mine project={project} key={project} />
          ) : (
            <div className="pay-band">选择一个项目后可以交账</div>
          )
        }
        row={verbs}
        dim={h => h.state === 'rejected'}
        drawer={{
          title: h => h.handNo,
          status: h => <Choice of={handoverState} value={h.state} />,
          one: oneHandover,
          history: 'cashierHandover',
        }}
      />
      {printing && <SheetDialog of={printing} onClose={() => print(undefined)} />}
    </>
  )
}
