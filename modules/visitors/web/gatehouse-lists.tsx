import { buildColumns } from '#kit/web/columns.tsx'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useElementWidth } from '#kit/web/list/use-size.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useRef, useState } from 'react'
import { exportVisitors, listVisitors, listVisits } from '../contract/visit.ts'
import type { CheckedVisitor } from './check-in-dialog.tsx'
import { entryActions, type ExpectedProps, type InsideProps, type NamedVisitor } from './gatehouse-actions.ts'
import { leaveAction, leaveBatch } from './leave-actions.ts'

const insideColumns = buildColumns(listVisits.output, [
  { key: 'visitorName', identity: true },
  { key: 'mobile', width: 148, hidePriority: 2 },
  { key: 'personCount', hidePriority: 3 },
  { key: 'roomPath', grow: 1 },
  { key: 'hostName', hidePriority: 4 },
  { key: 'inTime', hidePriority: 1 },
  'endTime',
])

const expectedColumns = buildColumns(listVisitors.output, [
  { key: 'visitorName', identity: true },
  { key: 'mobile', width: 148, hidePriority: 2 },
  { key: 'plateNo', width: 100, hidePriority: 3 },
  { key: 'roomPath', grow: 1 },
  { key: 'hostName', hidePriority: 4 },
  { key: 'beginTime', hidePriority: 1 },
  'endTime',
])

const insideViews = [
  { id: '', name: '在访', filter: {} },
  { id: 'overdue', name: '超时未离', filter: { isOverdue: true } },
]

const InvitationDialog = lazyComponent(() => import('./invitation-dialog.tsx').then(m => m.InvitationDialog))
const InsideCards = lazyComponent(() => import('./gatehouse-cards.tsx').then(m => m.InsideCards))
const ExpectedCards = lazyComponent(() => import('./gatehouse-cards.tsx').then(m => m.ExpectedCards))

const pageSize = 10

const Inside = ({ projectCode, locationId }: InsideProps) => (
  <ListPage
    embedded
    list={listVisits}
    itemName="在访访客"
    fixedFilter={{ projectCode, state: ['inside'] }}
    filters={[]}
    views={insideViews}
    columns={insideColumns}
    pageSize={pageSize}
    settingsKey="visitors/inside"
    rowActions={record => [leaveAction(record, locationId)]}
    batchActions={[leaveBatch(locationId)]}
  />
)

const Expected = ({ projectCode, onEnter, onPicture }: ExpectedProps) => (
  <ListPage
    embedded
    list={listVisitors}
    itemName="待访访客"
    fixedFilter={{ projectCode, isExpected: true }}
    filters={[]}
    columns={expectedColumns}
    pageSize={pageSize}
    settingsKey="visitors/expected"
    rowActions={visitor => entryActions(visitor, { onEnter, onPicture })}
    export={exportVisitors}
  />
)

/** Tables need this much; a telephone shows cards, with the overstayers in a tab of their own. */
const tableWidth = 600

const tablesOf = (inside: InsideProps, expected: ExpectedProps) => [
  { key: 'inside', label: '在访', children: <Inside {...inside} /> },
  { key: 'expected', label: '今日待访', children: <Expected {...expected} /> },
]

const cardsOf = (inside: InsideProps, expected: ExpectedProps) => [
  { key: 'inside', label: '在访', children: <InsideCards {...inside} /> },
  { key: 'overdue', label: '超时未离', children: <InsideCards {...inside} isOverdue /> },
  { key: 'expected', label: '今日待访', children: <ExpectedCards {...expected} /> },
]

interface ListsProps extends InsideProps {
  readonly onEnter: (visitor: CheckedVisitor) => void
}

/** Who is inside, and who may come today. */
export function GatehouseLists({ projectCode, locationId, onEnter }: ListsProps) {
  const section = useRef<HTMLElement>(null)
  const isNarrow = useElementWidth(section) < tableWidth
  const [invited, setInvited] = useState<NamedVisitor>()
  const inside = { projectCode, locationId }
  const expected = { projectCode, onEnter, onPicture: setInvited }
  return (
    <section ref={section} aria-label="今日访客">
      <LazyTabs
        key={isNarrow ? 'cards' : 'tables'}
        items={isNarrow ? cardsOf(inside, expected) : tablesOf(inside, expected)}
      />
      {invited && (
        <InvitationDialog
          visitorId={invited.id}
          visitorName={invited.visitorName}
          onClose={() => setInvited(undefined)}
        />
      )}
    </section>
  )
}
