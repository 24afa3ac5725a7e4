import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { defined } from '#kit/domain/defined.ts'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { purchaseState, type PurchaseState } from '../contract/choices.ts'
import { getOwnPurchase, listOwnPurchases, type Purchase } from '../contract/purchase.ts'
import { canDo } from '../domain/states.ts'
import { menu } from '../module.ts'
import { PhonePurchase } from './phone-purchase.tsx'
import { PhoneRequest } from './phone-request.tsx'
import { stateTextOf } from './one-purchase.tsx'
import '#kit/web/phone/phone.css'
import './purchases.css'

interface Kind {
  readonly label: string
  readonly state?: readonly PurchaseState[]
  readonly isReturned?: boolean
}

const kinds: readonly Kind[] = [
  { label: '进行中', state: ['approving', 'approved', 'ordering', 'partial'] },
  { label: '草稿', state: ['draft'] },
  { label: '已退回', isReturned: true },
  { label: '已驳回', state: ['refused'] },
  { label: '已完成', state: ['done'] },
  { label: '已取消', state: ['cancelled'] },
]

const Card = ({ row, onOpen }: { readonly row: Purchase; readonly onOpen: () => void }) => (
  <li>
    <button type="button" onClick={onOpen}>
      <b>{row.title}</b>
      <span className={row.isReturned ? 'todo' : purchaseState.rows[row.state][2]}>{stateTextOf(row)}</span>
      <small>
        {row.purchaseNo} · {row.needDate} 需要
      </small>
      <small className="amount">{displayYuanWithSymbol(row.totalAmount)}</small>
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
  const { label: _, state, isReturned } = defined(kinds[at])
  const filter = { ...(state ? { state: [...state] } : {}), ...(isReturned ? { isReturned } : {}) }
  const found = useCall(listOwnPurchases, { ...filter, size: 100 }, { quiet: true })
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

interface AddressedProps {
  readonly isEditing: boolean
  readonly onBack: () => void
  readonly onEdit: () => void
  readonly onDone: (id: number) => void
}

function AddressedPurchase({ isEditing, onBack, onEdit, onDone }: AddressedProps) {
  const { record, placeholder } = useAddressedRecord(getOwnPurchase, {
    tabTitle: row => row.purchaseNo,
    staleMs: 0,
  })
  if (!record) return placeholder
  const isForm = record.state === 'draft' || (isEditing && canDo('edit', record.state, record))
  return isForm ? (
    <PhoneRequest
      key={record.version}
      row={record}
      onBack={record.state === 'draft' ? onBack : () => onDone(record.id)}
      onDone={onDone}
    />
  ) : (
    <PhonePurchase row={record} onBack={onBack} onEdit={onEdit} />
  )
}

/** 手机采购: own requests on the phone, one of them, or a new one. */
export default function PurchasePhonePage() {
  const [address, setAddress] = useSearchParams()
  const open = (id: number): void => setAddress({ id: String(id) })
  const back = (): void => setAddress({})
  return (
    <SignedInOnly>
      <div className="phone purchase-phone">
        {address.has('id') ? (
          <AddressedPurchase
            isEditing={address.has('edit')}
            onBack={back}
            onEdit={() => setAddress({ id: address.get('id') ?? '', edit: '1' })}
            onDone={open}
          />
        ) : address.has('new') ? (
          <PhoneRequest onBack={back} onDone={open} />
        ) : (
          <PhoneList onOpen={open} onAdd={() => setAddress({ new: '1' })} />
        )}
      </div>
    </SignedInOnly>
  )
}
