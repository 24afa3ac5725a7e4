import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { asId, parseId } from '#kit/domain/id.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { ApproverPreview, type ChosenApprovers } from '#modules/approvals/web/public.ts'
import { purchaseKind } from '../contract/approval-kind.ts'
import { getOwnPurchase, savePurchase, type PurchaseDetail } from '../contract/purchase.ts'
import { paths } from '../module.ts'
import { approvalFormOf } from './approval-form.ts'
import { ReturnNotice, usePurchaseApproval } from './one-purchase.tsx'
import { estimateOf, valuesOf, wholeOf, type Save } from './request-values.ts'
import './purchases.css'

const groups = defineFormGroups([
  {
    title: '采购申请',
    keys: [
      'title',
      'needDate',
      { key: 'purpose', wide: true },
      'supplierId',
      'isUrgent',
      {
        key: 'urgentReason',
        wide: true,
        isRequired: true,
        isHidden: (values: Partial<Save>) => !values.isUrgent,
      },
    ],
  },
  { title: '明细', keys: [{ key: 'lines', wide: true }] },
  { title: '附件', keys: [{ key: 'attachments', wide: true, control: imagesControl }] },
  { title: '提交', keys: ['submits'] },
])

const isComplete = ({ title, needDate, lines }: Partial<Save>): boolean =>
  Boolean(title?.trim()) && needDate !== undefined && (lines?.length ?? 0) > 0

interface OutcomeProps {
  readonly values: Partial<Save>
  readonly row: PurchaseDetail | undefined
  /** The request that came back, while it is amended. */
  readonly instanceId: number | undefined
  readonly chosen: ChosenApprovers
  readonly onChoose: (chosen: ChosenApprovers) => void
}

/** What the request comes to, and who will be asked for it. */
function Outcome({ values, row, instanceId, chosen, onChoose }: OutcomeProps) {
  const totalAmount = wholeOf(values.lines, row)
  return (
    <>
      {row && <ReturnNotice row={row} />}
      {row?.state === 'approved' && (
        <p className="purchase-returned" role="status">
          采购已批准，修改并保存后须重新审批
        </p>
      )}
      <p className="purchase-total">
        <span>预估金额</span>
        <output>{displayYuanWithSymbol(estimateOf(values.lines))}</output>
      </p>
      {values.submits && isComplete(values) && (
        <ApproverPreview
          bizType="purchase"
          fields={purchaseKind.form}
          instanceId={instanceId === undefined ? undefined : asId(instanceId)}
          form={approvalFormOf({ ...values, departmentId: row?.departmentId, totalAmount })}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </>
  )
}

function RequestForm({ row }: { readonly row?: PurchaseDetail }) {
  const navigate = useNavigate()
  const saving = useSend(savePurchase, { quiet: true })
  const [own, setChosen] = useState<ChosenApprovers>()
  const approval = usePurchaseApproval(row)
  const chosen = own ?? approval?.chosen ?? []
  const [initial] = useState<Partial<Save>>(() => ({ ...(row ? valuesOf(row) : {}), submits: true }))
  return (
    <FormPage<Save, { readonly id: number }>
      shape={savePurchase.input}
      title={row ? `修改采购 ${row.purchaseNo}` : '采购申请'}
      groups={groups}
      initial={initial}
      draftKey={draftKeyOf(savePurchase, row ? row.id : 'new')}
      submitLabel="保存"
      save={values => saving.mutateAsync({ ...values, chosen })}
      onDone={({ id }) => void navigate(`${paths.detail}?id=${id}`, { replace: true })}
      below={values => (
        <Outcome
          values={values}
          row={row}
          instanceId={row?.isReturned ? approval?.id : undefined}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    />
  )
}

function EditedRequest() {
  const { record, placeholder } = useAddressedRecord(getOwnPurchase, {
    tabTitle: row => `修改采购 ${row.purchaseNo}`,
    staleMs: 0,
  })
  return record ? <RequestForm row={record} /> : placeholder
}

/** 采购申请: a new request, or a draft or refused one that is changed. */
export default function RequestFormPage() {
  const [address] = useSearchParams()
  return parseId(address.get('id')) ? <EditedRequest /> : <RequestForm />
}
