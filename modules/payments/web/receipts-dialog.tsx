import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button, Modal } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { useFocusReturn } from '#kit/web/use-focus-return.ts'
import { usePermission } from '#kit/web/session.ts'
import { currentMinute } from '#kit/web/date-format.ts'
import { docType, paperSize } from '#modules/accounts/contract/print-settings.ts'
import { PrintSheet, getPaperDimensions } from '#modules/accounts/web/public.ts'
import { markReceiptsPrinted, getReceipts } from '../contract/receipt.ts'
import { receiptDocTypeOf } from '../domain/receipt.ts'
import { refundRequestRefusal } from '../domain/refund.ts'
import { menu } from '../module.ts'
import { recordActionsOf } from './public.actions.ts'
import { buildReceiptContent, type Receipt } from './receipt-content.ts'
import { PrintPreviewBody } from './print-preview-body.tsx'

const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx').then(m => m.RefundDialog))

interface PrintRun {
  readonly key: string
  readonly size: readonly [number, number | undefined]
  readonly list: readonly Receipt[]
}

/** A printer takes one paper at a time: what is on the same paper goes out together. */
const groupByPaperSize = (list: readonly Receipt[]): PrintRun[] =>
  [...Map.groupBy(list, r => getPaperDimensions(r.paper).join('×'))].map(([key, samePaper]) => ({
    key,
    size: getPaperDimensions(defined(samePaper[0]).paper),
    list: samePaper,
  }))

const docTypeLabelOf = (list: readonly Receipt[]): string => {
  const kinds = new Set(list.map(receiptDocTypeOf))
  return kinds.size === 1 ? labelOf(docType, defined([...kinds][0])) : '单据'
}

/** The sheets of receipts, each as often as its paper has copies. */
const renderSheets = (
  receipts: readonly Receipt[],
  printedAt: string,
  countById: ReadonlyMap<Id, number> | undefined,
) =>
  receipts.flatMap(receipt =>
    Array.from({ length: receipt.paper.copies }, (_, copy) => (
      <PrintSheet
        key={`${receipt.id}/${copy}`}
        setting={receipt.paper}
        content={buildReceiptContent(receipt, printedAt, countById?.get(receipt.id))}
        copy={copy}
      />
    )),
  )

/**
 * Counts a printing, then hands over one paper after the other. What was counted is printed: the list may
 * show a paper that was changed since.
 */
function useReceiptPrinting(ids: readonly Id[], listed: readonly Receipt[] | undefined, onEnd: () => void) {
  const [countById, setCountById] = useState<ReadonlyMap<Id, number>>()
  const [isPrinting, setIsPrinting] = useState(false)
  const [fault, setFault] = useState('')
  const [runIndex, setRunIndex] = useState(0)
  const [counted, setCounted] = useState<readonly Receipt[]>()
  const shown = counted ?? listed ?? []
  const runs = groupByPaperSize(shown)
  const print = async (): Promise<void> => {
    if (isPrinting || !listed) return
    setIsPrinting(true)
    setFault('')
    try {
      const { rows } = await sendAndInvalidate(markReceiptsPrinted, { ids: ids.map(String) }, { quiet: true })
      const paperById = new Map(rows.map(row => [row.id, row.paper]))
      setCounted(listed.map(receipt => ({ ...receipt, paper: paperById.get(receipt.id) ?? receipt.paper })))
      setCountById(new Map(rows.map(row => [row.id, row.nth])))
      setRunIndex(0)
    } catch (error) {
      setFault(`打印失败：${error instanceof Error ? error.message : '打印登记失败'}`)
      setIsPrinting(false)
    }
  }
  const printNext = useCallback(
    () =>
      setRunIndex(index => {
        if (index + 1 >= runs.length) {
          setTimeout(onEnd)
        }
        return index + 1
      }),
    [onEnd, runs.length],
  )
  return {
    shown,
    runs,
    countById,
    fault,
    isPrinting,
    print,
    printNext,
    currentRun: countById && runs[runIndex],
  }
}

interface PrintNoteProps {
  readonly fault: string
  readonly receipt: Receipt | undefined
  readonly runCount: number
}

/** On what is printed; or why it was not. */
function PrintNote({ fault, receipt, runCount }: PrintNoteProps) {
  if (fault)
    return (
      <span role="alert" className="receipt-paper cashier-fault">
        {fault}
      </span>
    )
  if (!receipt) return <span className="receipt-paper" />
  const runs = runCount > 1 ? `，共 ${runCount} 种纸，依次打印` : ''
  return (
    <span className="receipt-paper">
      {`${labelOf(paperSize, receipt.paper.paperSize)} · 每张 ${receipt.paper.copies} 联${runs}`}
    </span>
  )
}

/** What other modules do with a record, beside the print button of its receipt. */
function RecordActionButtons({
  receipt,
  onClose,
}: {
  readonly receipt: Receipt
  readonly onClose: () => void
}) {
  const hasPermission = usePermission()
  // The cashier turns to its next customer as the dialog closes, which is a step of the address too: that
  // one first.
  const follow = (path: string): void => {
    onClose()
    setTimeout(() => navigateTo(path), 0)
  }
  return recordActionsOf(receipt)
    .filter(action => hasPermission(action.needs))
    .map(action => (
      <Button key={action.label} onClick={() => follow(action.pathOf(receipt))}>
        {action.label}
      </Button>
    ))
}

/** The payment that is on the paper goes back, all of it or a part. */
function RefundButton({ receipt }: { readonly receipt: Receipt }) {
  const canApply = usePermission()(menu.refund.permissions.apply)
  const [isOpen, setIsOpen] = useState(false)
  const isPayment = receipt.recordType === 'payment' || receipt.recordType === 'deduction'
  if (!canApply || !isPayment) return null
  const refusal = refundRequestRefusal(receipt)
  return (
    <>
      <Button disabled={refusal !== undefined} title={refusal} onClick={() => setIsOpen(true)}>
        退款
      </Button>
      {isOpen && <RefundDialog of={receipt} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface Props {
  readonly ids: readonly Id[]
  readonly onClose: () => void
}

/**
 * Receipts by preview and printer; each printing is counted first, so that the next says 补打 and looks the
 * same (PAY-20).
 */
export function ReceiptsDialog({ ids, onClose }: Props) {
  useFocusReturn()
  const list = useCall(getReceipts, { ids: ids.map(String) }, { staleMs: 0, quiet: true })
  const printButton = useRef<HTMLButtonElement>(null)
  const [printedAt] = useState(() => currentMinute())
  const printing = useReceiptPrinting(ids, list.data, onClose)
  const { shown, runs, currentRun } = printing
  const onlyReceipt = list.data?.length === 1 ? list.data[0] : undefined
  const canPrint = shown.length > 0
  // A button that waits for the receipts takes no focus: it has it once they are there.
  useEffect(() => {
    if (canPrint) {
      printButton.current?.focus()
    }
  }, [canPrint])
  return (
    <Modal
      open
      width={960}
      title={shown.length ? `打印${docTypeLabelOf(shown)}（${ids.length} 张）` : '正在准备单据'}
      onCancel={onClose}
      afterOpenChange={isOpen => {
        if (isOpen) {
          printButton.current?.focus()
        }
      }}
      footer={[
        <PrintNote key="note" fault={printing.fault} receipt={shown[0]} runCount={runs.length} />,
        onlyReceipt && <RefundButton key="refund" receipt={onlyReceipt} />,
        onlyReceipt && <RecordActionButtons key="actions" receipt={onlyReceipt} onClose={onClose} />,
        <Button key="close" onClick={onClose}>
          关闭
        </Button>,
        <Button
          key="print"
          type="primary"
          ref={printButton}
          disabled={!canPrint}
          loading={printing.isPrinting}
          onClick={() => void printing.print()}
        >
          打印
        </Button>,
      ]}
    >
      <PrintPreviewBody>
        {list.isError ? (
          <p>{list.error.message}</p>
        ) : shown.length ? (
          renderSheets(shown, printedAt, printing.countById).map(sheet => (
            <div className="print-fit" key={sheet.key}>
              {sheet}
            </div>
          ))
        ) : (
          <RowSkeleton rows={8} />
        )}
      </PrintPreviewBody>
      {currentRun && (
        <PrintOut
          key={currentRun.key}
          width={currentRun.size[0]}
          height={currentRun.size[1]}
          onDone={printing.printNext}
        >
          {renderSheets(currentRun.list, printedAt, printing.countById)}
        </PrintOut>
      )}
    </Modal>
  )
}
