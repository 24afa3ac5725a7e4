import { labelOf } from '#kit/contract/field.ts'
import { Status } from '#kit/web/status.tsx'
import { anomaly, usageUnits } from '../contract/choices.ts'
import type { MeterReading } from '../contract/meter.ts'

export const usageWords = (r: Pick<MeterReading, 'usage' | 'meterKind'>): string => (r.usage === undefined ? '--' : `${r.usage} ${usageUnits[r.meterKind]}`)
/** What is odd about a reading; grey once somebody has looked. */
export const Flags = ({ of: r }: { readonly of: Pick<MeterReading, 'anomalies' | 'confirmed'> }) => (r.anomalies?.length ? <>{r.anomalies.map(a => <Status key={a} tone={r.confirmed ? 'off' : 'todo'} bare>{labelOf(anomaly, a)}</Status>)}</> : '--')
