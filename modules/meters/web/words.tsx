import { labelOf } from '#kit/contract/field.ts'
import { Status } from '#kit/web/status.tsx'
import { anomaly, usageUnits } from '../contract/choices.ts'
import type { MeterReading } from '../contract/meter.ts'

export const usageWords = (r: Pick<MeterReading, 'usage' | 'meterKind'>): string => (r.usage === undefined ? '--' : `${r.usage} ${usageUnits[r.meterKind]}`)
/** What is odd about a reading; grey once somebody has looked. */
export const Flags = ({ of: r }: { readonly of: Pick<MeterReading, 'anomalies' | 'confirmed'> }) => (r.anomalies?.length ? <>{r.anomalies.map(a => <Status key={a} tone={r.confirmed ? 'off' : 'todo'} bare>{labelOf(anomaly, a)}</Status>)}</> : '--')
/** What each time of day showed (MTR-15); without a price of its own it goes by the standard's. */
export const Times = ({ of }: { readonly of: NonNullable<MeterReading['registers']> }) => (
  <div className="meter-note meter-times">
    <table aria-label="分时读数">
      <thead><tr><th>时段</th><th>上期</th><th>本期</th><th>单价</th></tr></thead>
      <tbody>{of.map(x => <tr key={x.name}><td>{x.name}</td><td>{x.last}</td><td>{x.current}</td><td>{Number(x.price) > 0 ? x.price : '标准价'}</td></tr>)}</tbody>
    </table>
  </div>
)
