import { Button } from 'antd'
import { useEffect, useState, type KeyboardEvent } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { runAction } from '#kit/web/run-action.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { dispatchOrder, dispatchOrders } from '../contract/order-actions.ts'
import { listDispatchOrders } from '../contract/order-list.ts'
import { findReceivers, listReceivers } from '../contract/receivers.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { keepOrder, nextOrder } from './board-order.ts'
import { OrderCard, PersonCard } from './board-cards.tsx'
import type { Candidate } from './candidate-line.tsx'
import { useLiveOrders, useLiveReceivers } from './live-orders.ts'
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

/**
 * The keyboard goes on with the next order: what was chosen leaves the list, and the person's button is of no
 * use without a choice. Somebody who has gone elsewhere in the meantime stays there.
 */
function focusNextOrder(shown: readonly Id[], assigned: ReadonlySet<Id>): void {
  const active = document.activeElement
  if (active && active !== document.body && !active.closest('.board')) return
  const next = nextOrder(shown, assigned)
  const buttons = [...document.querySelectorAll<HTMLElement>(orderButtons)]
  const button = next === undefined ? undefined : buttons[shown.indexOf(next)]
  const focused = button ?? document.querySelector<HTMLElement>(".board-orders [aria-selected='true']")
  focused?.focus()
}

/** No event tells of a shift or a pause that ends by the clock. */
const peopleOptions = { quiet: true, keepPrevious: true, staleMs: 0, refetchMs: 30_000 } as const

/** The people for what is chosen: for one order those of its type and place first, else everybody. */
function usePeople(chosen: readonly WorkOrder[], keyword: string) {
  const [singleOrder] = chosen.length === 1 ? chosen : []
  const suitable = useCall(
    findReceivers,
    {
      projectCode: singleOrder?.projectCode ?? '',
      typeId: singleOrder?.typeId ?? 0,
      ...(singleOrder?.buildCode ? { buildCode: singleOrder.buildCode } : {}),
    },
    { ...peopleOptions, enabled: singleOrder !== undefined },
  )
  const everybody = useCall(listReceivers, keyword ? { keyword } : {}, {
    ...peopleOptions,
    enabled: singleOrder === undefined,
  })
  return singleOrder ? suitable : everybody
}

const tabs = [
  ['waiting', '待派单'],
  ['dispatched', '待接单'],
  ['lostHandler', '处理人无权限'],
] as const

type BoardState = (typeof tabs)[number][0]

const emptyTexts: { readonly [S in BoardState]: string } = {
  waiting: '暂无待派工单',
  dispatched: '暂无待接工单',
  lostHandler: '暂无处理人无权限的工单',
}

interface OrdersHeaderProps {
  readonly state: BoardState
  readonly total: number | undefined
  readonly chosenCount: number
  readonly onState: (state: BoardState) => void
  readonly onDispatchByRule: () => void
}

const OrdersHeader = ({ state, total, chosenCount, onState, onDispatchByRule }: OrdersHeaderProps) => (
  <header>
    <div role="tablist" aria-label="工单状态">
      {tabs.map(([key, label]) => (
        <button key={key} type="button" role="tab" aria-selected={state === key} onClick={() => onState(key)}>
          {label}
          {state === key && total !== undefined && <small> {formatCount(total)}</small>}
        </button>
      ))}
    </div>
    <span className="spring" />
    <span>已选 {chosenCount} 张</span>
    {state === 'waiting' && (
      <Button
        disabled={!chosenCount}
        title={chosenCount ? undefined : '先选择工单'}
        onClick={onDispatchByRule}
      >
        按规则派单
      </Button>
    )}
  </header>
)

interface PeopleProps {
  readonly chosen: readonly WorkOrder[]
  readonly isDragging: boolean
  readonly onAssign: (person: Candidate) => void
}

/** What was shown when a drag began, until it ends: the drag itself chooses an order, which lists others. */
function useRowsBeforeDrag(
  rows: readonly Candidate[] | undefined,
  isDragging: boolean,
): readonly Candidate[] | undefined {
  const [kept, setKept] = useState(rows)
  useEffect(() => {
    if (!isDragging) {
      setKept(rows)
    }
  }, [rows, isDragging])
  return isDragging ? kept : undefined
}

const PeopleList = ({
  rows,
  chosen,
  onAssign,
}: Omit<PeopleProps, 'isDragging'> & { readonly rows: readonly Candidate[] }) =>
  rows.length ? (
    <ul>
      {rows.map(person => (
        <PersonCard
          key={person.managerId}
          person={person}
          hasChoice={chosen.length > 0}
          onAssign={() => onAssign(person)}
        />
      ))}
    </ul>
  ) : (
    <Empty text="没有接单人，请先在工单设置中配置接单人" />
  )

/** Who may be given what is chosen. */
function People({ chosen, isDragging, onAssign }: PeopleProps) {
  const [keyword, setKeyword] = useState('')
  const people = usePeople(chosen, keyword)
  const shown = useRowsBeforeDrag(people.data, isDragging)
  return (
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
      {shown ? (
        <PeopleList rows={keepOrder(shown, people.data)} chosen={chosen} onAssign={onAssign} />
      ) : (
        <Loaded query={people} height={320} rows={6} keepsAnswer>
          {rows => <PeopleList rows={rows} chosen={chosen} onAssign={onAssign} />}
        </Loaded>
      )}
    </section>
  )
}

/** Gives what is chosen to a person, or each by the mode of its type. */
function useDispatching(chosen: readonly WorkOrder[], board: BoardState, onDone: () => void) {
  // An order whose handler lost the access may be in any state.
  const seenState = board === 'lostHandler' ? undefined : board
  const ids = chosen.map(row => String(row.id))
  return {
    assign: (person: Candidate): Promise<boolean> =>
      runAction(async () => {
        const [first] = chosen
        if (!first) return
        const { managerId: handlerId, name } = person
        const answer =
          chosen.length === 1
            ? await sendAndInvalidate(dispatchOrder, { id: first.id, handlerId, seenState })
            : await sendAndInvalidate(dispatchOrders, { ids, handlerId, seenState })
        toastResult(answer, `${first.orderNo} 已派给${name}`)
        onDone()
      }),
    assignByRule: (): Promise<boolean> =>
      runAction(async () => {
        toastResult(await sendAndInvalidate(dispatchOrders, { ids }), '已按类型的派单方式派单')
        onDone()
      }),
  }
}

/** 工单派发: what waits beside who could do it; by press, by keys or by drag. */
export default function DispatchBoard() {
  const [view, setView] = useAddressValue('view')
  const [chosenIds, setChosenIds] = useState<ReadonlySet<Id>>(new Set())
  const [isDragging, setDragging] = useState(false)
  useLiveOrders(listDispatchOrders, listReceivers, findReceivers)
  useLiveReceivers(listReceivers, findReceivers)
  const state = tabs.find(([key]) => key === view)?.[0] ?? 'waiting'
  const orders = useCall(
    listDispatchOrders,
    { ...(state === 'lostHandler' ? { view: state } : { state: [state] }), page: 1, size: boardSize },
    { quiet: true, keepPrevious: true, staleMs: 0 },
  )
  const rows = orders.data?.rows ?? []
  const chosen = rows.filter(row => chosenIds.has(row.id))
  const clear = (): void => setChosenIds(new Set())
  const { assign, assignByRule } = useDispatching(chosen, state, () => {
    focusNextOrder(
      rows.map(row => row.id),
      chosenIds,
    )
    clear()
  })
  const toggle = (id: Id): void => {
    const next = new Set(chosenIds)
    if (!next.delete(id)) {
      next.add(id)
    }
    setChosenIds(next)
  }
  return (
    <div
      className="board"
      role="presentation"
      onKeyDown={moveFocus}
      onDragStart={() => setDragging(true)}
      onDragEnd={() => setDragging(false)}
    >
      <section className="board-orders" aria-label="待派工单">
        <OrdersHeader
          state={state}
          total={orders.data?.total}
          chosenCount={chosen.length}
          onState={next => {
            setView(next)
            clear()
          }}
          onDispatchByRule={() => void assignByRule()}
        />
        <Loaded query={orders} height={320} rows={6} keepsAnswer>
          {answer =>
            answer.rows.length ? (
              <ul>
                {answer.rows.map(order => (
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
              <Empty text={emptyTexts[state]} />
            )
          }
        </Loaded>
      </section>
      <People chosen={chosen} isDragging={isDragging} onAssign={person => void assign(person)} />
    </div>
  )
}
