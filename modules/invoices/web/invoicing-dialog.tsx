import type { Id } from '#kit/domain/id.ts'
import { Modal } from 'antd'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useMemo } from 'react'
import { flag, money } from '#kit/contract/field.ts'
import { extendShape } from '#kit/contract/shape.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Fen } from '#kit/domain/money.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useFirstValue } from '#kit/web/use-first-value.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { addInvoice, addAndIssueInvoice, getInvoiceable } from '../contract/invoicing.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { limitRefusal } from '../domain/invoice.ts'
import { PartAmountsTable, rowsOf, sumAmounts } from './part-amounts-table.tsx'
import { kindControl, titleFormFields, findTitleFaults } from './title-form.tsx'

type InvoiceableData = NonNullable<typeof getInvoiceable.output.T>
type InvoiceablePart = InvoiceableData['parts'][number]

const dialogShape = extendShape(addAndIssueInvoice.input, {
  later: flag('先不开具', { help: '存为待开具，金额先占用，以后在发票管理中开具' }),
})

type DialogValues = NonNullable<typeof dialogShape.T>

interface PartKey {
  readonly recordId: Id
  readonly detailId?: Id | undefined
}

interface PartAmount extends PartKey {
  readonly amount: unknown
}

const partKeyOf = ({ recordId, detailId }: PartKey): string => `${recordId}/${detailId ?? ''}`

/** A draft belongs to these parts with what is open of each: once one is invoiced, it no longer fits. */
const openPartsOf = (parts: readonly (PartKey & { readonly amount: Fen })[]): string =>
  parts.map(part => `${partKeyOf(part)}/${part.amount}`).join()

const wholeAmountOf = ({ recordId, detailId, open }: InvoiceablePart) => ({
  recordId,
  ...(detailId === undefined ? {} : { detailId }),
  amount: open,
})

const amountField = money('开票金额', { required: true, min: 1 })

/** One row per payment line: chosen ones go on the invoice, at most what is still open of each (INV-1). */
const createPartsControl = (parts: readonly InvoiceablePart[]): Control =>
  function InvoiceParts({ value, onChange, onBlur, nestedFaults, disabled, id }) {
    const amounts = rowsOf<PartAmount>(value)
    const places = new Map(parts.map((part, index) => [partKeyOf(part), index]))
    const placeOf = (amount: PartAmount): number => defined(places.get(partKeyOf(amount)))
    const save = (changed: readonly PartAmount[]): void =>
      onChange(changed.toSorted((a, b) => placeOf(a) - placeOf(b)))
    const rows = parts.map(part => {
      const key = partKeyOf(part)
      const index = amounts.findIndex(amount => partKeyOf(amount) === key)
      const others = amounts.filter(amount => partKeyOf(amount) !== key)
      return {
        key,
        part,
        total: part.paid,
        totalNote: part.refunded > 0 ? `已退 ${displayYuan(part.refunded)}` : undefined,
        available: part.open,
        availableNote: part.invoiced > 0 ? `已开 ${displayYuan(part.invoiced)}` : undefined,
        isUnavailable: part.refusal !== undefined,
        refusal: part.refusal,
        isChosen: index >= 0,
        amount: amounts[index]?.amount,
        fault: nestedFaults[`[${index}].amount`],
        onToggle: (isChosen: boolean) => save(isChosen ? [...amounts, wholeAmountOf(part)] : others),
        onAmountChange: (amount: unknown) => save([...others, { ...wholeAmountOf(part), amount }]),
      }
    })
    return (
      <PartAmountsTable
        id={id}
        rows={rows}
        headings={{ total: '已收', available: '可开', amount: '开票金额' }}
        actionLabel="开"
        amountField={amountField}
        disabled={disabled}
        onBlur={onBlur}
      />
    )
  }

const createRules =
  (invoiceable: InvoiceableData) =>
  (values: DialogValues): Record<string, string> | undefined => {
    const partsByKey = new Map(invoiceable.parts.map(part => [partKeyOf(part), part]))
    const faults: Record<string, string> = { ...findTitleFaults(values) }
    const parts = rowsOf<PartAmount>(values.parts)
    if (!parts.length) {
      faults.parts = '请勾选要开票的明细'
    }
    parts.forEach((requested, index) => {
      const { open } = defined(partsByKey.get(partKeyOf(requested)))
      if (typeof requested.amount === 'number' && requested.amount > open) {
        faults[`parts[${index}].amount`] = `最多 ${displayYuan(open)} 元`
      }
    })
    const limitFault = limitRefusal(sumAmounts(parts), invoiceable.limitAmount)
    if (limitFault) {
      faults.parts = limitFault
    }
    return Object.keys(faults).length ? faults : undefined
  }

interface InvoicingDialogProps {
  readonly records: readonly string[]
  readonly original?: Id | undefined
  readonly onClose: () => void
  readonly onDone: (invoice: InvoiceRecord) => void
}

interface InvoicingFormProps extends Omit<InvoicingDialogProps, 'records'> {
  readonly invoiceable: InvoiceableData
}

const createGroups = (invoiceable: InvoiceableData) => {
  const isManual = invoiceable.channel === 'manual'
  const isNumberHidden = (values: { readonly later?: boolean }): boolean => !isManual || values.later === true
  return [
    {
      title: '开票明细',
      keys: [
        {
          key: 'parts',
          label: `${invoiceable.payerName}的收款`,
          control: createPartsControl(invoiceable.parts),
        },
      ],
    },
    {
      title: '票种与抬头',
      keys: [
        { key: 'kind', control: kindControl(invoiceable.kinds ?? []), wide: false },
        ...titleFormFields(invoiceable.titles),
        'remark',
      ],
    },
    {
      title: '开具',
      keys: [
        { key: 'later', wide: true },
        { key: 'invoiceNo', isHidden: isNumberHidden, help: '手工登记：填写已开好的发票号' },
        { key: 'invoiceCode', isHidden: isNumberHidden },
        { key: 'issueTime', isHidden: isNumberHidden, help: '不填为现在' },
      ],
    },
  ]
}

const createInitial = ({ parts, kinds, titles }: InvoiceableData, original: Id | undefined) => ({
  parts: parts.filter(part => !part.refusal).map(wholeAmountOf),
  kind: kinds?.[0],
  later: false,
  ...titles[0],
  ...(original === undefined ? {} : { originalId: original }),
})

const describeResult = (invoice: InvoiceRecord): string => {
  if (invoice.state === 'issued') return `发票 ${invoice.invoiceNo} 已登记`
  return invoice.state === 'doing'
    ? `已提交开票平台，流水号 ${invoice.serialNo}`
    : `已存为待开具，流水号 ${invoice.serialNo}`
}

function InvoicingForm({ invoiceable, original, onClose, onDone }: InvoicingFormProps) {
  const issue = useSend(addAndIssueInvoice, { quiet: true })
  const add = useSend(addInvoice, { quiet: true })
  const isManual = invoiceable.channel === 'manual'
  const groups = useMemo(() => createGroups(invoiceable), [invoiceable])
  const initial = useMemo(() => createInitial(invoiceable, original), [invoiceable, original])
  const rules = useMemo(() => createRules(invoiceable), [invoiceable])
  const save = ({ later, invoiceNo, invoiceCode, issueTime, ...values }: DialogValues) => {
    const input = { ...values, ...(original === undefined ? {} : { originalId: original }) }
    return later
      ? add.mutateAsync(input)
      : issue.mutateAsync({ ...input, ...(isManual ? { invoiceNo, invoiceCode, issueTime } : {}) })
  }
  return (
    <EditDialog
      shape={dialogShape}
      draftKey={draftKeyOf(addAndIssueInvoice, openPartsOf(initial.parts))}
      title={`${original === undefined ? '开票' : '重新开票'}：${invoiceable.payerName}`}
      groups={groups}
      initial={initial}
      submitLabel="开票"
      presentation="drawer"
      rules={rules}
      save={save}
      onClose={onClose}
      onDone={invoice => {
        toastResult(invoice, describeResult(invoice))
        onDone(invoice)
      }}
      below={values => (
        <p className="invoice-sum">
          价税合计 <b className="figure">{displayYuanWithSymbol(sumAmounts(values.parts ?? []))}</b>，销方{' '}
          {invoiceable.companyName}
          {invoiceable.simulated ? '（模拟渠道，不产生真实发票）' : ''}
          {isManual ? '，手工登记' : ''}
        </p>
      )}
    />
  )
}

/** 开票 (INV-1, INV-4): which payments, under which title, as which kind. */
export function InvoicingDialog({ records, ...rest }: InvoicingDialogProps) {
  const call = useCall(getInvoiceable, { recordIds: [...records] }, { quiet: true, staleMs: 0 })
  // What is issued is fetched again: the form stays in its place.
  const invoiceable = useFirstValue(call.isFetching ? undefined : call.data)
  const emptyText = invoiceable && !invoiceable.parts.length ? '所选收款无可开票的明细' : undefined
  const refusal = call.isError ? call.error.message : (invoiceable?.refusal ?? emptyText)
  if (!invoiceable || refusal)
    return (
      <Modal open title="开票" footer={null} onCancel={rest.onClose}>
        {refusal && !call.isFetching ? <p role="alert">{refusal}</p> : <RowSkeleton rows={6} />}
      </Modal>
    )
  return <InvoicingForm invoiceable={invoiceable} {...rest} />
}
