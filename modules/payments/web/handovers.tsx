import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { asFen, subtractFen } from '#kit/domain/money.ts'
import { confirmAndSend, sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { formatCount, displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Action, Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { handoverState, payMethod } from '../contract/choices.ts'
import {
  confirmHandover,
  previewHandover,
  listHandovers,
  getHandover,
  type CashierHandover,
} from '../contract/day-close.ts'
import { menu } from '../module.ts'
import './payments.css'

const SheetDialog = lazyComponent(() => import('./handover-sheet.tsx').then(m => m.HandoverSheet))
const HandoverDialog = lazyComponent(() => import('./handover-dialog.tsx').then(m => m.HandoverDialog))

const listColumns = buildColumns(listHandovers.output, [
  { key: 'handNo', identity: true, fitContent: true },
  { key: 'cashierName', width: 84, grow: 1 },
  { key: 'beginTime', wideOnly: true, hidePriority: 1 },
  'endTime',
  'totalReceived',
  'totalRefund',
  'cashAmount',
  'handAmount',
  'diff',
  { key: 'confirmName', width: 84, grow: 1, wideOnly: true, hidePriority: 2 },
  { key: 'confirmTime', wideOnly: true, hidePriority: 2 },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待确认', filter: { state: ['pending'] } },
  { id: 'confirmed', name: '已确认', filter: { state: ['confirmed'] } },
  { id: 'rejected', name: '已驳回', filter: { state: ['rejected'] } },
]

/** What this person still holds of a project. */
function OwnHandover({ project }: { readonly project: string }) {
  const hasPermission = usePermission()
  const query = useCall(previewHandover, { projectCode: project }, { quiet: true, staleMs: 0 })
  const [isGiving, setIsGiving] = useState(false)
  const [printing, print] = useState<CashierHandover>()
  const preview = query.data
  const canGive = hasPermission(menu.cashier.permissions.pay) && (preview?.count ?? 0) > 0
  const startHandover = (): void => void query.refetch().then(() => setIsGiving(true))
  useShortcuts(canGive ? [{ keys: 'N', label: '交账', run: startHandover }] : [])
  // Two lines before, while and after it is known: the list below does not move.
  if (!preview)
    return (
      <div className="pay-band">
        <span>{query.isError ? query.error.message : '我的待交账 --'}</span>
        <ul />
      </div>
    )
  return (
    <div className="pay-band" aria-label="我的待交账">
      <span>
        我的待交账 <b>{formatCount(preview.count)}</b> 笔
      </span>
      {preview.count > 0 && (
        <>
          <span>
            应交现金 <b className="figure">{displayYuanWithSymbol(preview.cashAmount)}</b>
          </span>
          {preview.beginTime && <span>自 {preview.beginTime.slice(5, 16)}</span>}
        </>
      )}
      <span className="spring" />
      {hasPermission(menu.cashier.permissions.pay) && (
        <Button
          type="primary"
          size="small"
          disabled={!canGive}
          title={canGive ? undefined : '暂无待交账的收款'}
          onClick={startHandover}
        >
          交账
        </Button>
      )}
      <ul>
        {!preview.methods.length && <li>暂无待交账的收款</li>}
        {preview.methods.map(line => (
          <li key={line.method}>
            {labelOf(payMethod, line.method)}{' '}
            <b className="figure">{displayYuan(subtractFen(line.received, line.refunded))}</b>
          </li>
        ))}
      </ul>
      {isGiving && (
        <HandoverDialog
          of={preview}
          project={project}
          onClose={() => setIsGiving(false)}
          onDone={h => {
            setIsGiving(false)
            void query.refetch()
            print(h)
          }}
        />
      )}
      {printing && <SheetDialog of={printing} onClose={() => print(undefined)} />}
    </div>
  )
}

const confirmSheet = async (handover: CashierHandover): Promise<void> => {
  const difference = handover.diff
    ? `，${handover.diff > 0 ? '长款' : '短款'} ${displayYuanWithSymbol(asFen(Math.abs(handover.diff)))}`
    : ''
  if (
    await confirm({
      title: `确认交账单 ${handover.handNo}`,
      text: [
        `${handover.cashierName} 应交现金 ${displayYuanWithSymbol(handover.cashAmount)}`,
        `，实交 ${displayYuanWithSymbol(handover.handAmount)}`,
        difference,
        '。确认后这些收款不能作废',
      ].join(''),
      okLabel: '确认收到',
    })
  ) {
    toastResult(await sendAndInvalidate(confirmHandover, { id: handover.id, pass: true }), '已确认')
  }
}

const rejectSheet = (handover: CashierHandover): Promise<boolean> =>
  confirmAndSend(confirmHandover, {
    actionLabel: '驳回',
    unit: '张交账单',
    title: `驳回交账单 ${handover.handNo}`,
    affectedSums: [
      ['收费员', handover.cashierName],
      ['应交现金', displayYuanWithSymbol(handover.cashAmount)],
      ['实交现金', displayYuanWithSymbol(handover.handAmount)],
    ],
    consequences: ['这些收款回到待交账，收费员核对后重新提交'],
    reason: { presets: ['现金与单据不符', '缺少凭证'] },
    input: { id: handover.id, pass: false },
  })

/** 交账 (PAY-23): what a cashier holds is handed over by a sheet; another person confirms it. */
export default function HandoversPage() {
  const project = useProject()
  const me = useSession(s => s.signed?.manager.id)
  const hasPermission = usePermission()
  const [printing, print] = useState<CashierHandover>()
  const ownSheetRefusal = (h: CashierHandover): string | undefined =>
    Number(me) === h.cashierId ? '不能确认自己的交账单，请由其他人确认' : undefined
  const rowActions = (handover: CashierHandover): Actions => [
    ...(handover.state === 'pending'
      ? ([
          {
            label: '确认',
            needs: menu.handover.permissions.confirm,
            disabledReason: ownSheetRefusal(handover),
            run: () => confirmSheet(handover),
          },
        ] as Action[])
      : []),
    { label: '打印', run: () => print(handover) },
    ...(handover.state === 'pending'
      ? ([
          {
            label: '驳回',
            needs: menu.handover.permissions.confirm,
            danger: true,
            disabledReason: ownSheetRefusal(handover),
            run: () => rejectSheet(handover),
          },
        ] as Action[])
      : []),
  ]
  return (
    <>
      <ListPage
        list={listHandovers}
        itemName="交账单"
        columns={listColumns}
        filters={['state', 'cashierId', 'endTime']}
        barFilters={['cashierId', 'endTime']}
        views={views}
        belowToolbar={
          !hasPermission(menu.cashier.permissions.view) ? undefined : project ? (
            <OwnHandover project={project} key={project} />
          ) : (
            <div className="pay-band">请先选择项目</div>
          )
        }
        rowActions={rowActions}
        drawer={{
          title: h => h.handNo,
          status: h => <ChoiceStatus choices={handoverState} value={h.state} />,
          loadCall: getHandover,
          historyEntity: 'cashierHandover',
        }}
      />
      {printing && <SheetDialog of={printing} onClose={() => print(undefined)} />}
    </>
  )
}
