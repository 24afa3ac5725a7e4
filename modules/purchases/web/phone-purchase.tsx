import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { confirmAndSend, sendAndToast } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { ApprovalProgress } from '#modules/approvals/web/public.ts'
import { cancelOwnPurchase, submitPurchase, withdrawPurchase } from '../contract/actions.ts'
import type { PurchaseDetail } from '../contract/purchase.ts'
import { canDo, isCancellable } from '../domain/states.ts'
import { menu } from '../module.ts'
import { ReturnNotice, stateTextOf } from './one-purchase.tsx'

function Lines({ row }: { readonly row: PurchaseDetail }) {
  return row.lines.map(line => (
    <section className="line" key={line.lineNo} aria-label={line.itemName}>
      <b>
        {line.itemName} {line.spec}
      </b>
      <small>
        {line.quantity} {line.unit} × {line.price} = {displayYuanWithSymbol(line.amount)}
      </small>
      <small>
        已下单 {line.orderedQuantity} · 已入库 {line.receivedQuantity}
      </small>
    </section>
  ))
}

/** Too long for half of a narrow screen. */
const wideFacts = new Set(['单号', '用途', '驳回、取消或关闭原因'])

interface PhonePurchaseProps {
  readonly row: PurchaseDetail
  readonly onBack: () => void
  readonly onEdit: () => void
}

interface PhoneAction {
  readonly label: string
  readonly isPrimary?: boolean
  readonly run: () => unknown
}

/** What the applicant may do with it, as far as its state and its approval allow. */
function usePhoneActions({ row, onEdit }: PhonePurchaseProps): readonly PhoneAction[] {
  const hasPermission = usePermission()
  if (!hasPermission(menu.request.permissions.add)) return []
  const offered: readonly (PhoneAction | false)[] = [
    isCancellable(row) && {
      label: '取消采购',
      run: () =>
        confirmAndSend(cancelOwnPurchase, {
          actionLabel: '取消采购',
          unit: `张采购：${row.purchaseNo}`,
          consequences: ['采购取消，审批随之结束；取消后不能恢复'],
          input: { id: row.id },
        }),
    },
    Boolean(row.isWithdrawable) && {
      label: '撤回',
      run: () => sendAndToast(withdrawPurchase, { id: row.id }, '已撤回'),
    },
    canDo('edit', row.state, row) && { label: '修改', run: onEdit },
    canDo('submit', row.state, row) && {
      label: '重新提交',
      isPrimary: true,
      run: () => sendAndToast(submitPurchase, { id: row.id, version: row.version }, '已重新提交'),
    },
  ]
  return offered.filter(action => action !== false)
}

/** One purchase on the phone, with what its applicant may do with it. */
export function PhonePurchase(props: PhonePurchaseProps) {
  const { row, onBack } = props
  const actions = usePhoneActions(props)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['单号', row.purchaseNo],
    ['项目', row.estateName],
    ['需求日期', row.needDate],
    ['预估金额', displayYuanWithSymbol(row.totalAmount)],
    ['入库金额', displayYuanWithSymbol(row.receivedAmount)],
    ['用途', row.purpose],
    ...(row.endReason ? [['驳回、取消或关闭原因', row.endReason] as const] : []),
  ]
  return (
    <>
      <header>
        <div>
          <button type="button" className="big" onClick={onBack}>
            返回
          </button>
          <h1>{row.title}</h1>
          <small>{stateTextOf(row)}</small>
        </div>
      </header>
      <main>
        <ReturnNotice row={row} />
        <dl className="facts">
          {facts.map(([label, value]) => (
            <div key={label} className={wideFacts.has(label) ? 'wide' : undefined}>
              <dt>{label}</dt>
              <dd>{value ?? ''}</dd>
            </div>
          ))}
        </dl>
        <Lines row={row} />
        {row.way === 'process' && <ApprovalProgress bizType="purchase" bizId={row.id} opens="phone" />}
      </main>
      {actions.length > 0 && (
        <div className="foot purchase-foot">
          {actions.map(({ label, isPrimary, run }) => (
            <button
              key={label}
              type="button"
              className={isPrimary ? 'big primary' : 'big'}
              onClick={() => void run()}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
