import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { exportFlowDays, listFlowDays, maxFlowDays } from '../contract/flow.ts'
import { useFlowSpan } from './flow-span.ts'

type FlowDay = NonNullable<typeof listFlowDays.output.T>['rows'][number]

const columns = buildColumns(listFlowDays.output, [
  { key: 'day', identity: true, width: 110 },
  { key: 'parkName', width: 140, grow: 1 },
  'inCount',
  'outCount',
  { key: 'avgMinutes', hidePriority: 1 },
  { key: 'maxInside', hidePriority: 2 },
  { key: 'places', hidePriority: 3 },
  { key: 'turnover', hidePriority: 2 },
  'income',
]).map(withoutSorting)

const keyOf = ({ day, parkId }: FlowDay): string => `${day}/${parkId}`

/** 日报: a line for each day and car park. */
export function FlowDays() {
  const { span, setSpan, input } = useFlowSpan()
  return (
    <ListPage
      key={`${span.from}/${span.to}`}
      embedded
      pageSize={20}
      list={listFlowDays}
      export={exportFlowDays}
      itemName="停车日报"
      fixedFilter={input}
      filters={[]}
      columns={columns}
      keyOf={keyOf}
      settingsKey="parking-booth/days"
      belowToolbar={
        <SpanBar span={span} onChange={setSpan}>
          <small>最多 {maxFlowDays} 天；最高在场按整点</small>
        </SpanBar>
      }
    />
  )
}
