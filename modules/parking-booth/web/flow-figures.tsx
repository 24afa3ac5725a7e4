import { useState } from 'react'
import { Button } from 'antd'
import { Link } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { endOfDay, startOfDay } from '#kit/domain/moment.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { listCharges } from '#modules/parking-lanes/contract/charge.ts'
import { listStays } from '#modules/parking-lanes/contract/stay.ts'
import { getFlowStatistics, maxFlowDays } from '../contract/flow.ts'
import { HourBars, InsideBars } from './flow-bars.tsx'
import { durationText } from './flow-text.ts'
import { IncomeTable, ParkTable } from './flow-tables.tsx'
import { useFlowSpan } from './flow-span.ts'
import { paths as own } from '../module.ts'
import { paths } from './paths.ts'
import './parking-booth.css'

type Flow = NonNullable<typeof getFlowStatistics.output.T>

interface ChosenPark {
  readonly id: Id
  readonly name: string
}

/** The records behind a figure, of the car park that is chosen. */
function Tiles({ flow, park }: { readonly flow: Flow; readonly park: ChosenPark | undefined }) {
  const within = (key: string) => ({
    [`${key}From`]: startOfDay(flow.dayFrom),
    [`${key}To`]: endOfDay(flow.dayTo),
    ...(park ? { parkId: [String(park.id)] } : {}),
  })
  const linkOf = (key: string): string => listLink(paths.stays, listStays, within(key))
  const tiles = [
    { label: '入场', value: formatCount(flow.inCount), to: linkOf('inTime') },
    { label: '出场', value: formatCount(flow.outCount), to: linkOf('outTime') },
    { label: '平均停留', value: durationText(flow.avgMinutes), to: linkOf('outTime') },
    {
      label: '收入（元）',
      value: displayYuan(flow.income),
      to: listLink(paths.charges, listCharges, within('payTime')),
    },
    {
      label: '免收（元）',
      value: displayYuan(flow.waived),
      to: own.shifts,
    },
    {
      label: '免费放行 / 改价（次）',
      value: `${formatCount(flow.freeCount)} / ${formatCount(flow.priceCount)}`,
      to: own.shifts,
    },
  ]
  return (
    <dl className="flow-tiles">
      {tiles.map(({ label, value, to }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Link to={to}>{value}</Link>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Cars by the hour, how full the car parks were, what they took in. */
export function FlowFigures() {
  const { span, setSpan, input } = useFlowSpan()
  const [park, setPark] = useState<ChosenPark>()
  const flow = useCall(
    getFlowStatistics,
    { ...input, ...(park ? { parkId: park.id } : {}) },
    { quiet: true, keepPrevious: true },
  )
  return (
    <div className="flow-figures scroll">
      <SpanBar span={span} onChange={setSpan}>
        {park && (
          <Button size="small" onClick={() => setPark(undefined)}>
            {park.name} ×
          </Button>
        )}
        <small>最多 {maxFlowDays} 天</small>
      </SpanBar>
      <Loaded query={flow} height={480} rows={8} keepsAnswer>
        {answer => (
          <>
            <Tiles flow={answer} park={park} />
            <HourBars hours={answer.hours} />
            <InsideBars hours={answer.hours} />
            <ParkTable
              parks={answer.parks}
              onChoose={({ parkId, parkName }) => setPark({ id: parkId, name: parkName })}
            />
            <IncomeTable incomes={answer.incomes} isOfPark={park !== undefined} />
          </>
        )}
      </Loaded>
    </div>
  )
}
