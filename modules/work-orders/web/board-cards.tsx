import { Checkbox } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { orderLevel, orderState } from '../contract/choices.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { CandidateLine, type Candidate } from './candidate-line.tsx'
import { orderPath } from './order-address.ts'
import { TimeLeft } from './order-columns.tsx'
import './board.css'

interface OrderCardProps {
  readonly order: WorkOrder
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onToggle: () => void
}

/** An order that waits for a person: chosen by a press, taken to somebody by the mouse. */
export const OrderCard = ({ order, isChosen, onChoose, onToggle }: OrderCardProps) => (
  <li className={isChosen ? 'chosen' : ''}>
    <Checkbox checked={isChosen} onChange={onToggle} aria-label={`选择 ${order.orderNo}`} />
    <button
      type="button"
      className="board-item"
      aria-pressed={isChosen}
      draggable
      onDragStart={e => {
        e.dataTransfer.setData('text/plain', order.orderNo)
        e.dataTransfer.effectAllowed = 'move'
        if (!isChosen) {
          onChoose()
        }
      }}
      onClick={onChoose}
    >
      <span className="first">
        <b>{order.title ?? order.typeName}</b>
        {order.level !== 'normal' && <ChoiceStatus choices={orderLevel} value={order.level} />}
        <TimeLeft order={order} />
      </span>
      <small>
        {order.typeName} · {order.address ?? '--'} · {relativeText(order.registerTime)}
        {order.handlerName
          ? ` · ${order.handlerName}${order.state === 'dispatched' ? '未接单' : labelOf(orderState, order.state)}`
          : ''}
        {order.denyCount ? ` · 已拒单 ${order.denyCount} 次` : ''}
        {order.expediteCount ? ` · 催办 ${order.expediteCount} 次` : ''}
      </small>
    </button>
    <Link to={orderPath(order.id)} className="figure">
      {order.orderNo}
    </Link>
  </li>
)

interface PersonCardProps {
  readonly person: Candidate
  readonly hasChoice: boolean
  readonly onAssign: () => void
}

/** Somebody who may be given the chosen orders: by a press, or by dropping them there. */
export function PersonCard({ person, hasChoice, onAssign }: PersonCardProps) {
  const [isOver, setOver] = useState(false)
  const isPossible = person.canReceive
  return (
    <li className={isOver && isPossible ? 'over' : ''}>
      <button
        type="button"
        className="board-item"
        onDragOver={e => {
          if (!isPossible) return
          e.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={e => {
          e.preventDefault()
          setOver(false)
          onAssign()
        }}
        disabled={!isPossible || !hasChoice}
        title={person.reason ?? (hasChoice ? `派给${person.name}` : '先在左侧选择工单')}
        onClick={onAssign}
      >
        <CandidateLine person={person} />
      </button>
    </li>
  )
}
