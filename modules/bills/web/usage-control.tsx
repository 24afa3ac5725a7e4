import { monthOf, readMonth } from '#kit/domain/month.ts'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { usePermission } from '#kit/web/session.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { meterKind } from '#modules/meters/contract/choices.ts'
import { listMainLosses } from '#modules/meters/contract/meter-calls.ts'

/** The usage of a pool: entered, or what a main meter measured in the month beyond its sub-meters (SHR-1). */
export function UsageControl(props: ControlProps) {
  const project = useProject()
  const hasPermission = usePermission()
  const { month: monthValue } = props.formValues
  const month = typeof monthValue === 'string' ? readMonth(monthValue) : undefined
  const thisMonth = monthOf(today())
  const lossQuery = useCall(
    listMainLosses,
    { projectCode: project ?? '', fromMonth: month ?? thisMonth, toMonth: month ?? thisMonth },
    {
      enabled: project !== undefined && month !== undefined && hasPermission(listMainLosses.needs),
      quiet: true,
    },
  )
  const losses = (month === undefined ? [] : (lossQuery.data ?? [])).filter(
    m => Number(m.usage) > 0 && Number(m.loss) > 0,
  )
  return (
    <div style={{ display: 'grid', gap: 4, justifyItems: 'start' }}>
      <NumberInput
        field={props.field}
        id={props.id}
        value={props.value}
        onChange={props.onChange}
        onBlur={props.onBlur}
        disabled={props.disabled}
        status={props.invalid ? 'error' : undefined}
        describedBy={props.describedBy}
      />
      {losses.map(loss => (
        <button
          key={loss.meterId}
          type="button"
          className="linkish"
          disabled={props.disabled}
          onClick={() => props.onChange(loss.loss)}
        >
          取{labelOf(meterKind, loss.meterKind)}总表 {loss.meterNo} 的损耗 {loss.loss}（{loss.usage} −{' '}
          {loss.partUsage}）
        </button>
      ))}
    </div>
  )
}
