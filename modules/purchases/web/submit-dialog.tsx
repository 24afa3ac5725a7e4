import { useState } from 'react'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { ApproverPreview, type ChosenApprovers } from '#modules/approvals/web/public.ts'
import { purchaseKind } from '../contract/approval-kind.ts'
import { submitPurchase } from '../contract/actions.ts'
import type { Purchase } from '../contract/purchase.ts'
import { wholeAmountOf } from '../domain/amounts.ts'
import { approvalFormOf } from './approval-form.ts'
import { usePurchaseApproval } from './one-purchase.tsx'

interface SubmitDialogProps {
  readonly record: Purchase
  readonly onClose: () => void
}

/** 提交: who will be asked, and the approvers that the applicant chooses. */
export function SubmitDialog({ record, onClose }: SubmitDialogProps) {
  const [own, setChosen] = useState<ChosenApprovers>()
  const approval = usePurchaseApproval(record)
  const chosen = own ?? approval?.chosen ?? []
  const [version] = useState(record.version)
  const label = record.isReturned ? '重新提交' : '提交'
  const sending = useSend(submitPurchase, { quiet: true })
  return (
    <EditDialog
      shape={submitPurchase.input}
      title={`${label}采购申请 ${record.purchaseNo}`}
      groups={[{ keys: [] }]}
      draftKey={undefined}
      submitLabel={label}
      presentation="dialog"
      below={() => (
        <ApproverPreview
          bizType="purchase"
          fields={purchaseKind.form}
          instanceId={record.isReturned ? approval?.id : undefined}
          form={approvalFormOf({ ...record, totalAmount: wholeAmountOf(record) })}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      save={() => sending.mutateAsync({ id: record.id, version, chosen })}
      onClose={onClose}
      onDone={() => {
        toast.success(`已${label}`)
        onClose()
      }}
    />
  )
}
