import type { Id } from '#kit/domain/id.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { explainDayRecord } from '../contract/day.ts'
import './attendance.css'

/** How a day came to its figures. */
export function DayReasons({ id }: { readonly id: Id }) {
  const reasons = useCall(explainDayRecord, { id }, { quiet: true, staleMs: 0 })
  return (
    <Loaded query={reasons} height={200} rows={5}>
      {lines => (
        <dl className="attendance-reasons">
          {lines.map(({ label, text }, i) => (
            <div key={`${i} ${label}`} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  )
}
