import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { maxVisitors } from '../contract/fields.ts'
import {
  noVisitor,
  type DraftFaults,
  type HostDraft,
  type OfferedKind,
  type TypedVisitor,
} from './host-draft.ts'
import { VisitorFields } from './host-fields.tsx'

interface VisitorsProps {
  readonly visitors: readonly TypedVisitor[]
  readonly allowsCar: boolean
  readonly faults: DraftFaults | undefined
  readonly onChange: (visitors: readonly TypedVisitor[]) => void
}

/** Everybody who is named; the first cannot be taken out. */
export const VisitorsField = ({ visitors, allowsCar, faults, onChange }: VisitorsProps) => (
  <>
    {visitors.map((visitor, i) => (
      <VisitorFields
        key={i}
        place={i}
        visitor={visitor}
        allowsCar={allowsCar}
        faults={{ name: faults?.names[i], mobile: faults?.mobiles[i], plate: faults?.plates[i] }}
        onChange={changed => onChange(visitors.map((each, j) => (j === i ? changed : each)))}
        onRemove={i === 0 ? undefined : () => onChange(visitors.filter((_, j) => j !== i))}
      />
    ))}
    {visitors.length < maxVisitors && (
      <button type="button" className="big" onClick={() => onChange([...visitors, noVisitor])}>
        再加一位访客
      </button>
    )}
  </>
)

interface VisitProps {
  readonly draft: HostDraft
  readonly kind: OfferedKind | undefined
  readonly faults: DraftFaults | undefined
  readonly onChange: (values: Partial<HostDraft>) => void
}

const hintsOf = (kind: OfferedKind | undefined) =>
  kind
    ? {
        begin: `可提前 ${kind.advanceDays} 天`,
        end: `最长 ${kind.maxHours} 小时`,
        persons: `最多 ${kind.maxPersons} 人`,
      }
    : { begin: '', end: '', persons: '' }

/** When, how many, and what for. */
export function VisitFields({ draft, kind, faults, onChange }: VisitProps) {
  const hints = hintsOf(kind)
  return (
    <>
      <PhoneField label="来访开始" isRequired fault={faults?.begin} hint={hints.begin}>
        {control => (
          <input
            {...control}
            type="datetime-local"
            value={draft.begin}
            onChange={event => onChange({ begin: event.target.value })}
          />
        )}
      </PhoneField>
      <PhoneField label="来访结束" isRequired fault={faults?.end} hint={hints.end}>
        {control => (
          <input
            {...control}
            type="datetime-local"
            value={draft.end}
            onChange={event => onChange({ end: event.target.value })}
          />
        )}
      </PhoneField>
      <PhoneField label="人数" isRequired fault={faults?.persons} hint={hints.persons}>
        {control => (
          <input
            {...control}
            inputMode="numeric"
            maxLength={3}
            value={draft.personCount}
            onChange={event => onChange({ personCount: event.target.value })}
          />
        )}
      </PhoneField>
      <PhoneField label="事由" hint="选填">
        {control => (
          <input
            {...control}
            maxLength={100}
            value={draft.reason}
            onChange={event => onChange({ reason: event.target.value })}
          />
        )}
      </PhoneField>
    </>
  )
}
