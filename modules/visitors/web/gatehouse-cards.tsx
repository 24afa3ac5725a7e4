import { Button } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useAllowedActions, type Actions } from '#kit/web/action.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { listVisitors, listVisits } from '../contract/visit.ts'
import { leaveAction } from './leave-actions.ts'
import { entryActions, type ExpectedProps, type InsideProps } from './gatehouse-actions.ts'

const pageSize = 20

interface Row {
  readonly id: number
  readonly visitorName: string
  readonly mobile?: string | undefined
  readonly plateNo?: string | undefined
  readonly roomPath?: string | undefined
  readonly hostName?: string | undefined
}

interface CardProps {
  readonly row: Row
  readonly times: string
  readonly actions: Actions
}

/** One visitor: who, with which plate, to whom, when, and what the guard does. */
function Card({ row, times, actions }: CardProps) {
  const allowed = useAllowedActions()(actions)
  const { visitorName, mobile, plateNo, roomPath, hostName } = row
  return (
    <li aria-label={visitorName}>
      <div>
        <b>{[visitorName, plateNo].filter(Boolean).join(' ')}</b>
        <p>{[roomPath, hostName].filter(Boolean).join(' · ') || '未填拜访房屋'}</p>
        <p>{[times, mobile].filter(Boolean).join(' · ')}</p>
      </div>
      <div className="buttons">
        {allowed.map(({ label, run }, i) => (
          <Button key={label} type={i === 0 ? 'primary' : 'default'} onClick={() => void run()}>
            {label}
          </Button>
        ))}
      </div>
    </li>
  )
}

interface CardsProps<T> {
  readonly query: UseQueryResult<{ readonly total: number; readonly rows: readonly T[] }>
  readonly emptyText: string
  readonly keyword: string
  readonly onKeyword: (keyword: string) => void
  readonly onMore: () => void
  readonly draw: (row: T) => ReactNode
}

function Cards<T>({ query, emptyText, keyword, onKeyword, onMore, draw }: CardsProps<T>) {
  return (
    <div className="visit-cards">
      <SearchInput
        size="large"
        aria-label="访客、车牌、被访人"
        placeholder="访客、车牌、被访人"
        maxLength={40}
        value={keyword}
        onChange={event => onKeyword(event.target.value)}
      />
      <Loaded query={query} height={240} rows={5} width={[180]} keepsAnswer>
        {({ total, rows }) =>
          rows.length ? (
            <>
              <ul>{rows.map(draw)}</ul>
              {total > rows.length && (
                <Button block size="large" onClick={onMore}>
                  显示更多（共 {total} 人）
                </Button>
              )}
            </>
          ) : (
            <Empty text={keyword.trim() ? '无符合条件的访客' : emptyText} />
          )
        }
      </Loaded>
    </div>
  )
}

/** What was typed, and how many cards are shown of what it finds. */
function useCardQuery() {
  const [keyword, setKeyword] = useState('')
  const [size, setSize] = useState(pageSize)
  const typed = keyword.trim()
  return {
    query: { page: 1, size, ...(typed ? { keyword: typed } : {}) },
    cards: { keyword, onKeyword: setKeyword, onMore: () => setSize(size + pageSize) },
  }
}

const clock = (moment: string | undefined): string => moment?.slice(5, 16) ?? ''

/** Who is inside, on a telephone; the overstayers alone where it is asked. */
export function InsideCards({ projectCode, locationId, isOverdue }: InsideProps) {
  const { query, cards } = useCardQuery()
  const found = useCall(
    listVisits,
    { ...query, projectCode, state: ['inside'], ...(isOverdue ? { isOverdue } : {}) },
    { keepPrevious: true },
  )
  return (
    <Cards
      {...cards}
      query={found}
      emptyText={isOverdue ? '没有超时未离的访客' : '没有在访的访客'}
      draw={record => (
        <Card
          key={record.id}
          row={record}
          times={`${clock(record.inTime)} 进入，应离 ${clock(record.endTime)}`}
          actions={[leaveAction(record, locationId)]}
        />
      )}
    />
  )
}

/** Who may come today, on a telephone. */
export function ExpectedCards({ projectCode, onEnter, onPicture }: ExpectedProps) {
  const { query, cards } = useCardQuery()
  const found = useCall(listVisitors, { ...query, projectCode, isExpected: true }, { keepPrevious: true })
  return (
    <Cards
      {...cards}
      query={found}
      emptyText="今日没有待访的访客"
      draw={visitor => (
        <Card
          key={visitor.id}
          row={visitor}
          times={`${clock(visitor.beginTime)} 至 ${clock(visitor.endTime)}`}
          actions={entryActions(visitor, { onEnter, onPicture })}
        />
      )}
    />
  )
}
