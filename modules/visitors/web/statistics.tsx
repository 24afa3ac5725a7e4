import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { addDays } from '#kit/domain/day.ts'
import type { DaySpan } from '#kit/web/address-span.ts'
import { cssVariables } from '#kit/web/css-variables.ts'
import { today } from '#kit/web/date-format.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { visitorKind } from '../contract/choices.ts'
import { getVisitStatistics } from '../contract/visit-statistics.ts'
import { minutesText } from '../domain/minutes-text.ts'

type Counts = NonNullable<typeof getVisitStatistics.output.T>

interface Bar {
  readonly label: string
  readonly visits: number
}

/** Numbers of visits from zero. */
function VisitBars({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  const largest = Math.max(1, ...bars.map(bar => bar.visits))
  return (
    <section>
      <h2>{title}</h2>
      <ol className="visit-bars">
        {bars.map(({ label, visits }) => (
          <li key={label} title={`${label}：${visits} 人次`}>
            <b>{visits || ''}</b>
            <i style={cssVariables({ '--part': visits / largest })} />
            <span>{label}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const figuresOf = (counts: Counts): readonly (readonly [string, string | number])[] => [
  ['邀请人次', counts.invited],
  ['应邀到访', counts.arrived],
  ['临时来访', counts.walkIns],
  ['到访人数', counts.people],
  ['超时离开', counts.overdue],
  ['核验未通过', counts.refused],
  ['超次通行', counts.overused],
  ['平均停留', minutesText(counts.averageStay)],
]

const CountsView = ({ counts }: { readonly counts: Counts }) => (
  <>
    <div className="figures">
      {figuresOf(counts).map(([label, value]) => (
        <div key={label}>
          <b>{value}</b>
          {label}
        </div>
      ))}
    </div>
    <VisitBars
      title="按小时"
      bars={counts.hours.map(({ hour, visits }) => ({ label: `${hour}时`, visits }))}
    />
    <VisitBars
      title="按类别"
      bars={counts.kinds.map(kind => ({
        label: labelOf(visitorKind, kind.visitorKind),
        visits: kind.visits,
      }))}
    />
  </>
)

const daysAtFirst = 30

/** 访客统计: how many were invited and came, of which kind, when, and for how long (VIS-8). */
export function Statistics() {
  const projectCode = useProject()
  const [span, setSpan] = useState<DaySpan>({ from: addDays(today(), 1 - daysAtFirst), to: today() })
  const counts = useCall(
    getVisitStatistics,
    { ...span, ...(projectCode ? { projectCode } : {}) },
    { keepPrevious: true },
  )
  return (
    <div className="visit-statistics">
      <SpanBar span={span} onChange={setSpan} />
      <Loaded query={counts} height={480} rows={10} width={[300]}>
        {found => <CountsView counts={found} />}
      </Loaded>
    </div>
  )
}
