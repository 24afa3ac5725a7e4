import { Select } from 'antd'
import { allowClear } from '#kit/web/allow-clear.tsx'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { pickUnits } from '#modules/estates/contract/building.ts'
import { useProject } from '#modules/estates/web/public.tsx'

const floorsText = (floors: number, undergroundFloors: number | undefined): string =>
  `${floors} 层${undergroundFloors ? `，地下 ${undergroundFloors} 层` : ''}`

function useUnits(props: ControlProps): {
  readonly options: { value: string; label: string; note: string }[]
  readonly why: string | undefined
  readonly busy: boolean
} {
  const currentProject = useProject()
  const { projectCode, buildCode } = props.formValues as { projectCode?: string; buildCode?: string }
  const project = projectCode ?? currentProject
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
    why: !buildCode ? '请先选择楼栋' : units.isError ? '单元加载失败，请重新选择楼栋' : undefined,
  }
}

const renderUnitOption = (option: { data: { label: string; note: string } }) => (
  <span className="ref-option">
    {option.data.label} <small>（{option.data.note}）</small>
  </span>
)

/** A unit of the form's building. */
export function UnitControl(props: ControlProps) {
  const { options, why: disabledReason, busy: isLoading } = useUnits(props)
  return (
    <Select
      id={props.id}
      aria-required
      {...(props.invalid ? { status: 'error' as const } : {})}
      style={{ width: '100%' }}
      showSearch
      loading={isLoading}
      disabled={props.disabled || disabledReason !== undefined}
      placeholder={disabledReason ?? '请选择单元'}
      options={options}
      optionRender={renderUnitOption}
      value={typeof props.value === 'string' ? props.value : null}
      onChange={v => props.onChange(v ?? undefined)}
      onBlur={props.onBlur}
    />
  )
}

/** Several units of the form's building; none means all. */
export function UnitsControl(props: ControlProps) {
  const { options, why: disabledReason, busy: isLoading } = useUnits(props)
  return (
    <Select
      id={props.id}
      mode="multiple"
      allowClear={allowClear}
      {...(props.invalid ? { status: 'error' as const } : {})}
      style={{ width: '100%' }}
      loading={isLoading}
      disabled={props.disabled || disabledReason !== undefined}
      placeholder={disabledReason ?? '全部单元'}
      options={options}
      optionRender={renderUnitOption}
      value={Array.isArray(props.value) ? props.value.map(String) : []}
      onChange={v => props.onChange(v)}
      onBlur={props.onBlur}
    />
  )
}
