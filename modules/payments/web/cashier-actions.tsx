import { Button } from 'antd'
import { useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { usePermission } from '#kit/web/session.ts'
import { PrepayDialog, TemporaryDialog } from '#modules/bills/web/public.tsx'
import { addPreFee, addTempFee } from '#modules/bills/contract/temporary.ts'
import { menu } from '../module.ts'
import type { CashierView } from './cashier.tsx'
import { useReceipts } from './use-receipts.tsx'

const DiscountDialog = lazyComponent(() => import('./discount-dialog.tsx').then(m => m.DiscountDialog))
const OtherIncomeDialog = lazyComponent(() =>
  import('./other-income-dialog.tsx').then(m => m.OtherIncomeDialog),
)
type Bill = CashierView['groups'][number]['bills'][number]

type Source = {
  readonly sourceType: 'room' | 'parkPlace' | 'publicArea' | 'company'
  readonly sourceCode: string
  readonly sourceName: string
}

const billableSourceTypes: ReadonlySet<string> = new Set(['room', 'parkPlace', 'publicArea', 'company'])

/** What else a cashier does: a fee by hand, periods ahead, income without an object. */
export function CashierActions({
  view,
  ticked = [],
  onRefresh,
}: {
  readonly view?: CashierView
  readonly ticked?: readonly Bill[]
  readonly onRefresh: () => void
}) {
  const hasPermission = usePermission()
  const [openDialog, setOpenDialog] = useState<'temporary' | 'prepay' | 'other' | 'discount'>()
  const close = (): void => setOpenDialog(undefined)
  const receipts = useReceipts()
  const source =
    view && billableSourceTypes.has(view.sourceType)
      ? ({ sourceType: view.sourceType, sourceCode: view.sourceCode, sourceName: view.sourceName } as Source)
      : undefined
  return (
    <span className="cashier-more">
      {view && hasPermission(menu.cashier.permissions.discount) && (
        <Button
          size="small"
          disabled={!ticked.length}
          title={ticked.length ? undefined : '请先勾选账单'}
          onClick={() => setOpenDialog('discount')}
        >
          减免
        </Button>
      )}
      {source && hasPermission(addTempFee.needs as never) && (
        <Button size="small" onClick={() => setOpenDialog('temporary')}>
          临时费用
        </Button>
      )}
      {source && hasPermission(addPreFee.needs as never) && (
        <Button size="small" onClick={() => setOpenDialog('prepay')}>
          预缴
        </Button>
      )}
      {hasPermission(menu.cashier.permissions.other) && (
        <Button size="small" onClick={() => setOpenDialog('other')}>
          其他收入
        </Button>
      )}
      {openDialog === 'discount' && (
        <DiscountDialog
          bills={ticked}
          onClose={close}
          onDone={() => {
            close()
            onRefresh()
          }}
        />
      )}
      {openDialog === 'temporary' && source && (
        <TemporaryDialog sources={[source]} onClose={close} onDone={onRefresh} />
      )}
      {openDialog === 'prepay' && source && <PrepayDialog of={source} onClose={close} onDone={onRefresh} />}
      {openDialog === 'other' && (
        <OtherIncomeDialog
          onClose={close}
          onDone={id => {
            close()
            receipts.open([id])
          }}
        />
      )}
      {receipts.dialog}
    </span>
  )
}
