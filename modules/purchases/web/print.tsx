import { toChineseCapitals, displayYuan } from '#kit/domain/money.ts'
import { labelOf } from '#kit/contract/field.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { ApprovalProgress } from '#modules/approvals/web/public.ts'
import { purchaseState } from '../contract/choices.ts'
import type { PurchaseDetail } from '../contract/purchase.ts'
import { LineTable } from './purchase-content.tsx'
import { PrintedFacts } from './printed-facts.tsx'
import { useDetailCall } from './one-purchase.tsx'
import './print.css'

function PrintedPurchase({ row }: { readonly row: PurchaseDetail }) {
  return (
    <main className="purchase-print">
      <button type="button" onClick={() => window.print()}>
        打印
      </button>
      <h1>采购申请单</h1>
      <PrintedFacts
        facts={[
          ['单号', row.purchaseNo],
          ['项目', row.estateName],
          ['申请人', row.applicantName],
          ['部门', row.departmentName],
          ['需求日期', row.needDate],
          ['意向供应商', row.supplierName],
          ['状态', labelOf(purchaseState, row.state)],
          ['紧急', row.isUrgent ? `是，${row.urgentReason ?? ''}` : '否'],
          ['标题', row.title],
          ['用途', row.purpose],
        ]}
      />
      <LineTable
        label="采购明细"
        lines={row.lines}
        priceLabel="预估单价"
        note={{ title: '备注', value: line => line.remark }}
      />
      <p className="sum">
        合计：{displayYuan(row.totalAmount)} 元（{toChineseCapitals(row.totalAmount)}）
      </p>
      {row.way === 'process' && <ApprovalProgress bizType="purchase" bizId={row.id} opens="nothing" />}
      {row.approverName && (
        <p>
          批准：{row.approverName} {row.approveTime?.slice(0, 16)}
        </p>
      )}
      <footer>
        <span>申请人签字：</span>
        <span>审批人签字：</span>
        <span>日期：</span>
      </footer>
    </main>
  )
}

function AddressedPrint() {
  const { record, placeholder } = useAddressedRecord(useDetailCall(), { tabTitle: row => row.purchaseNo })
  return record ? <PrintedPurchase row={record} /> : placeholder
}

/** 采购申请单 on A4. */
export default function PurchasePrintPage() {
  return (
    <SignedInOnly>
      <AddressedPrint />
    </SignedInOnly>
  )
}
