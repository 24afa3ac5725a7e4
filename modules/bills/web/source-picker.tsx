import { Segmented } from 'antd'
import { keyRef, labelOf, type Field } from '#kit/contract/field.ts'
import { readText } from '#kit/web/controls/read-value.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { sourceKinds, SourceSearch, type SourceKind } from './source-control.tsx'

const roomField = keyRef('房屋', 'room') as Field

/** One object of a chosen kind: a room, a parking place, a public area or a company. */
export function SourcePicker({
  kind,
  code,
  onKind,
  onCode,
}: {
  readonly kind: SourceKind
  readonly code: string | undefined
  readonly onKind: (kind: SourceKind) => void
  readonly onCode: (code: string | undefined) => void
}) {
  return (
    <div style={{ display: 'grid', gap: 8, marginBottom: 12 }}>
      <Segmented
        aria-label="对象类型"
        value={kind}
        onChange={k => onKind(k)}
        options={sourceKinds.map(k => ({ value: k, label: labelOf(sourceType, k) }))}
        style={{ justifySelf: 'start' }}
      />
      <label className="aloud" htmlFor="pre-source">
        {labelOf(sourceType, kind)}
      </label>
      {kind === 'room' ? (
        <RefSelect field={roomField} id="pre-source" value={code} onChange={v => onCode(readText(v))} />
      ) : (
        <SourceSearch
          mode="one"
          kind={kind}
          id="pre-source"
          value={code ? [code] : []}
          onChange={v => onCode(v[0])}
        />
      )}
    </div>
  )
}
