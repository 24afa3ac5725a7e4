import { Button, Checkbox } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { runAction } from '#kit/web/run-action.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { orderLevel } from '../contract/choices.ts'
import { dispatchOrder, dispatchOrders } from '../contract/order-actions.ts'
import { listDispatchOrders } from '../contract/order-list.ts'
import { findReceivers, listReceivers } from '../contract/person-config.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { CandidateLine, type Candidate } from './candidate-line.tsx'
import { orderPath } from './order-address.ts'
import { TimeLeft } from './order-columns.tsx'
import { useLiveOrders } from './live-orders.ts'
import './board.css'

const boardSize = 100
const orderButtons = '.board-orders .board-item'
const personButtons = '.board-people .board-item:not(:disabled)'

/** Up and down within a column, left and right between the two. */
function moveFocus(e: KeyboardEvent<HTMLElement>): void {
  const focusFirst = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus()
  const { target, key } = e
  if (!(target instanceof HTMLElement) || !target.classList.contains('board-item')) return
  const isOrder = target.closest('.board-orders') !== null
  if (key === 'ArrowRight' && isOrder) {
    focusFirst(personButtons)
  } else if (key === 'ArrowLeft' && !isOrder) {
    focusFirst(`${orderButtons}[aria-pressed='true']`)
  } else if (key === 'ArrowDown' || key === 'ArrowUp') {
    const all = [...document.querySelectorAll<HTMLElement>(isOrder ? orderButtons : personButtons)]
    all[all.indexOf(target) + (key === 'ArrowDown' ? 1 : -1)]?.focus()
  } else return
  e.preventDefault()
}

interface OrderCardProps {
  readonly order: WorkOrder
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onToggle: () => void
}

/** An order that waits for a person: chosen by a press, taken to somebody by the mouse. */
const OrderCard = ({ order, isChosen, onChoose, onToggle }: OrderCardProps) => (
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
        {order.handlerName ? ` · ${order.handlerName}未接单` : ''}
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

/** Somebody who may be given the chosen orders: by a press, or by dropping them on him. */
function PersonCard({ person, hasChoice, onAssign }: PersonCardProps) {
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

/** The people for what is chosen: for one order those of its type and place first, else everybody. */
function usePeople(chosen: readonly WorkOrder[], keyword: string) {
  const [only] = chosen.length === 1 ? chosen : []
  const suitable = useCall(
    findReceivers,
    {
      projectCode: only?.projectCode ?? '',
      typeId: only?.typeId ?? 0,
      ...(only?.buildCode ? { buildCode: only.buildCode } : {}),
    },
    { quiet: true, enabled: only !== undefined, keepPrevious: true, staleMs: 0 },
  )
  const everybody = useCall(listReceivers, keyword ? { keyword } : {}, {
    quiet: true,
    enabled: only === undefined,
    keepPrevious: true,
    staleMs: 0,
  })
  return only ? suitable : everybody
}

const tabs = [
  ['waiting', '待派单'],
  ['dispatched', '待接单'],
] as const

/** 工单派发: what waits beside who could do it; by press, by keys or by drag. */
export default function DispatchBoard() {
  const [tab = 'waiting', setTab] = useAddressValue('view')
  const [keyword, setKeyword] = useState('')
  const [chosenIds, setChosenIds] = useState<ReadonlySet<Id>>(new Set())
  useLiveOrders(listDispatchOrders, listReceivers, findReceivers)
  const state = tab === 'dispatched' ? 'dispatched' : 'waiting'
  const orders = useCall(
    listDispatchOrders,
    { state: [state], page: 1, size: boardSize },
    { quiet: true, keepPrevious: true, staleMs: 0 },
  )
  const chosen = (orders.data?.rows ?? []).filter(row => chosenIds.has(row.id))
  const people = usePeople(chosen, keyword)
  const ids = chosen.map(row => String(row.id))
  const toggle = (id: Id): void => {
    const next = new Set(chosenIds)
    if (!next.delete(id)) {
      next.add(id)
    }
    setChosenIds(next)
  }
  const assign = (person: Candidate): Promise<boolean> =>
    runAction(async () => {
      const [first] = chosen
      if (!first) return
      const { managerId: handlerId, name } = person
      const answer =
        chosen.length === 1
          ? await sendAndInvalidate(dispatchOrder, { id: first.id, handlerId })
          : await sendAndInvalidate(dispatchOrders, { ids, handlerId })
      toastResult(answer, `${first.orderNo} 已派给${name}`)
      setChosenIds(new Set())
    })
  const assignByRule = (): Promise<boolean> =>
    runAction(async () => {
      toastResult(await sendAndInvalidate(dispatchOrders, { ids }), '已按类型的派单方式派单')
      setChosenIds(new Set())
    })
  return (
    <div className="board" role="presentation" onKeyDown={moveFocus}>
      <section className="board-orders" aria-label="待派工单">
        <header>
          <div role="tablist" aria-label="工单状态">
            {tabs.map(([key, label]) => (
              <button
                key={key}
                type="button"
                role="tab"
                aria-selected={state === key}
                onClick={() => {
                  setTab(key)
                  setChosenIds(new Set())
                }}
              >
                {label}
                {state === key && orders.data && <small> {formatCount(orders.data.total)}</small>}
              </button>
            ))}
          </div>
          <span className="spring" />
          <span>已选 {chosen.length} 张</span>
          <Button
            disabled={!chosen.length}
            title={chosen.length ? undefined : '先选择工单'}
            onClick={() => void assignByRule()}
          >
            按规则派单
          </Button>
        </header>
        <Loaded query={orders} height={320} rows={6} keepsAnswer>
          {({ rows }) =>
            rows.length ? (
              <ul>
                {rows.map(order => (
                  <OrderCard
                    key={order.id}
                    order={order}
                    isChosen={chosenIds.has(order.id)}
                    onChoose={() => setChosenIds(new Set([order.id]))}
                    onToggle={() => toggle(order.id)}
                  />
                ))}
              </ul>
            ) : (
              <Empty text={state === 'waiting' ? '没有待派单的工单' : '没有待接单的工单'} />
            )
          }
        </Loaded>
      </section>
      <section className="board-people" aria-label="接单人员">
        <header>
          <h2>接单人员</h2>
          <span className="spring" />
          {chosen.length === 1 ? (
            <span>按类型与位置排序</span>
          ) : (
            <SearchInput
              aria-label="查找人员"
              placeholder="姓名"
              value={keyword}
              style={{ width: 160 }}
              onChange={e => setKeyword(e.target.value)}
            />
          )}
        </header>
        <Loaded query={people} height={320} rows={6} keepsAnswer>
          {rows =>
            rows.length ? (
              <ul>
                {rows.map(person => (
                  <PersonCard
                    key={person.managerId}
                    person={person}
                    hasChoice={chosen.length > 0}
                    onAssign={() => void assign(person)}
                  />
                ))}
              </ul>
            ) : (
              <Empty text="没有接单人，请先在工单设置中配置接单人" />
            )
          }
        </Loaded>
      </section>
    </div>
  )
}
