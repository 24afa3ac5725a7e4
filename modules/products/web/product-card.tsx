import type { ReactNode } from 'react'
import type { Fen } from '#kit/contract/field.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import './products.css'

/** `¥18.00 / 项目 / 月`, or by plan. */
export function Price({
  price,
  unit,
  by,
}: {
  readonly price: Fen | undefined
  readonly unit: string
  readonly by: string
}) {
  return price === undefined ? (
    <span className="shop-price">按方案报价</span>
  ) : (
    <span className="shop-price">
      <b>{displayYuanWithSymbol(price)}</b> / {unit}
      {by === 'piece' ? '' : ' / 月'}
    </span>
  )
}

/** One product: what it is, its price, and whether the company has bought it. */
export function ProductCard({
  name,
  type,
  intro,
  status,
  price,
  note,
  to,
}: {
  readonly name: string
  readonly type?: string
  readonly intro: string
  readonly status?: ReactNode
  readonly price: ReactNode
  readonly note?: ReactNode
  readonly to: string
}) {
  return (
    <a
      className="shop-card"
      href={to}
      onClick={e => {
        e.preventDefault()
        navigateTo(to)
      }}
    >
      <h3>
        <span>{name}</span>
        {status}
      </h3>
      {type && <small>{type}</small>}
      <p>{intro}</p>
      <footer>
        {price}
        <span className="spring" />
        {note && <small>{note}</small>}
      </footer>
    </a>
  )
}
