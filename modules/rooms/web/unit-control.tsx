import { Select } from 'antd'
import { allowClear } from '#kit/web/allow-clear.tsx'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { pickUnits } from '#modules/estates/contract/building.ts'
import { useProject } from '#modules/estates/web/public.tsx'

const floorsText = (n: number, below: number | undefined): string =>
  `${n} 层${below ? `，地下 ${below} 层` : ''}`

function useUnits(p: ControlProps): {
  readonly options: { value: string; label: string; note: string }[]
  readonly why: string | undefined
  readonly busy: boolean
} {
  const chosen = useProject()
  const { projectCode, buildCode } = p.formValues as { projectCode?: string; buildCode?: string }
  const project = projectCode ?? chosen
  const units = useCall(
    pickUnits,
    { ...(project ? { projectCode: project } : {}), buildCode: buildCode ?? '' },
    { enabled: buildCode !== undefined, quiet: true },
  )
  const options = (units.data ?? []).map(u => ({
    value: u.name,
    label: u.name,
    note: floorsText(u.floorCount, u.undergroundFloors),
  }))
  return {
    options,
    busy: units.isFetching,
    why: !buildCode ? '请先选择楼栋' : units.isError ? '单元没有读到，请重新选择楼栋' : undefined,
  }
}

const renderUnitOption = (o: { data: { label: string; note: string } }) => (
  <span className="ref-option">
    {o.data.label} <small>（{o.data.note}）</small>
  </span>
)

/** A unit of the form's building. */
export function UnitControl(p: ControlProps) {
  const { options, why, busy } = useUnits(p)
  return (
    <Select
      id={p.id}
      aria-required
      {...(p.invalid ? { status: 'error' as const } : {})}
      style={{ width: '100%' }}
      showSearch
      loading={busy}
      disabled={p.disabled || why !== undefined}
      placeholder={why ?? '请选择单元'}
      options={options}
      optionRender={renderUnitOption as never}
      value={(p.value as string | undefined) ?? null}
      onChange={v => p.onChange(v ?? undefined)}
      onBlur={p.onBlur}
    />
  )
}

/** Several units of the form's building; none means all. */
export function UnitsControl(p: ControlProps) {
  const { options, why, busy } = useUnits(p)
  return (
    <Select
      id={p.id}
      mode="multiple"
      allowClear={allowClear}
      {...(p.invalid ? { status: 'error' as const } : {})}
      style={{ width: '100%' }}
      loading={busy}
      disabled={p.disabled || why !== undefined}
      placeholder={why ?? '全部单元'}
      options={options}
      optionRender={renderUnitOption as never}
      value={(p.value as string[] | undefined) ?? []}
      onChange={v => p.onChange(v)}
      onBlur={p.onBlur}
    />
  )
}
