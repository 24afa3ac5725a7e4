import { toChineseCapitals, displayYuan } from '#kit/domain/money.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { purchaseOrders, type PurchaseOrder } from '../contract/order.ts'
import { LineTable } from './purchase-content.tsx'
import { PrintedFacts } from './printed-facts.tsx'
import './print.css'

const PrintedOrder = ({ order }: { readonly order: PurchaseOrder }) => (
  <main className="purchase-print">
    <button type="button" onClick={() => window.print()}>
      打印
    </button>
    <h1>采购订单</h1>
    <PrintedFacts
      facts={[
        ['订单号', order.orderNo],
        ['采购单号', order.purchaseNo],
        ['供应商', order.supplierName],
        ['项目', order.estateName],
        ['下单日期', order.orderDate],
        ['要求到货', order.deliverDate],
        ['送货地址', order.deliverPlace],
        ['下单人', order.buyerName],
      ]}
    />
    <LineTable label="订单明细" lines={order.lines} priceLabel="单价" />
    <p className="sum">
      合计：{displayYuan(order.amount)} 元（{toChineseCapitals(order.amount)}）
    </p>
    {order.remark && <p>备注：{order.remark}</p>}
    <footer>
      <span>采购方（盖章）：</span>
      <span>供应商（盖章）：</span>
      <span>日期：</span>
    </footer>
  </main>
)

function AddressedPrint() {
  const { record, placeholder } = useAddressedRecord(purchaseOrders.get, {
    tabTitle: order => order.orderNo,
  })
  return record ? <PrintedOrder order={record} /> : placeholder
}

/** 采购订单 on A4, as the supplier gets it. */
export default function OrderPrintPage() {
  return (
    <SignedInOnly>
      <AddressedPrint />
    </SignedInOnly>
  )
}
