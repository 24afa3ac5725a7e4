import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { ApprovalProgress } from '#modules/approvals/web/public.ts'
import { purchaseState, type PurchaseState } from '../contract/choices.ts'
import { getOwnPurchase, listOwnPurchases, type Purchase, type PurchaseDetail } from '../contract/purchase.ts'
import { menu } from '../module.ts'
import { PhoneRequest } from './phone-request.tsx'
import '#kit/web/phone/phone.css'
import './purchases.css'

const kinds: readonly { readonly label: string; readonly state: readonly PurchaseState[] }[] = [
  { label: '进行中', state: ['approving', 'approved', 'ordering', 'partial'] },
  { label: '草稿', state: ['draft'] },
  { label: '已驳回', state: ['refused'] },
  { label: '已完成', state: ['done'] },
]

const Card = ({ row, onOpen }: { readonly row: Purchase; readonly onOpen: () => void }) => (
  <li>
    <button type="button" onClick={onOpen}>
      <b>{row.title}</b>
      <span className={purchaseState.rows[row.state][2]}>{labelOf(purchaseState, row.state)}</span>
      <small>
        {row.purchaseNo} · {row.needDate} 需要
      </small>
      <small>{displayYuanWithSymbol(row.totalAmount)}</small>
    </button>
  </li>
)

interface PhoneListProps {
  readonly onOpen: (id: number) => void
  readonly onAdd: () => void
}

function PhoneList({ onOpen, onAdd }: PhoneListProps) {
  const [at, setAt] = useState(0)
  const hasPermission = usePermission()
  const state = kinds[at]?.state ?? []
  const found = useCall(listOwnPurchases, { state: [...state], size: 100 }, { quiet: true })
  const rows = found.data?.rows ?? []
  return (
    <>
      <header>
        <div>
          <h1>我的采购</h1>
          <small>{found.data ? `${found.data.total} 张` : ''}</small>
        </div>
        <div className="kinds">
          {kinds.map(({ label }, i) => (
            <button key={label} type="button" aria-pressed={i === at} onClick={() => setAt(i)}>
              {label}
            </button>
          ))}
        </div>
      </header>
      {hasPermission(menu.request.permissions.add) && (
        <button type="button" className="big primary add" onClick={onAdd}>
          采购申请
        </button>
      )}
      {found.isError && (
        <p className="empty" role="alert">
          无法读取采购，请检查网络后重试
        </p>
      )}
      {found.data && !rows.length && <p className="empty">暂无{kinds[at]?.label}的采购</p>}
      <ol>
        {rows.map(row => (
          <Card key={row.id} row={row} onOpen={() => onOpen(row.id)} />
        ))}
      </ol>
    </>
  )
}

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

function PhonePurchase({ row, onBack }: { readonly row: PurchaseDetail; readonly onBack: () => void }) {
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
          <small>{labelOf(purchaseState, row.state)}</small>
        </div>
      </header>
      <main>
        <dl className="facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value ?? ''}</dd>
            </div>
          ))}
        </dl>
        <Lines row={row} />
        {row.way === 'process' && <ApprovalProgress bizType="purchase" bizId={row.id} />}
      </main>
    </>
  )
}

interface AddressedProps {
  readonly onBack: () => void
  readonly onDone: (id: number) => void
}

function AddressedPurchase({ onBack, onDone }: AddressedProps) {
  const { record, placeholder } = useAddressedRecord(getOwnPurchase, {
    tabTitle: row => row.purchaseNo,
    staleMs: 0,
  })
  if (!record) return placeholder
  return record.state === 'draft' || record.state === 'refused' ? (
    <PhoneRequest key={record.version} row={record} onBack={onBack} onDone={onDone} />
  ) : (
    <PhonePurchase row={record} onBack={onBack} />
  )
}

/** 手机采购: own requests on the telephone, one of them, or a new one. */
export default function PurchasePhonePage() {
  const [address, setAddress] = useSearchParams()
  const open = (id: number): void => setAddress({ id: String(id) })
  const back = (): void => setAddress({})
  return (
    <SignedInOnly>
      <div className="phone purchase-phone">
        {address.has('id') ? (
          <AddressedPurchase onBack={back} onDone={open} />
        ) : address.has('new') ? (
          <PhoneRequest onBack={back} onDone={open} />
        ) : (
          <PhoneList onOpen={open} onAdd={() => setAddress({ new: '1' })} />
        )}
      </div>
    </SignedInOnly>
  )
}
